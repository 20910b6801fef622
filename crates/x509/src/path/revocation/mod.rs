//! Whether a certificate was revoked: asked of OCSP responses, then of lists.

mod crl;
mod ocsp;

use core::fmt;

use adamant_der::Time;

use super::walk::Walk;
use super::{PathErrorKind as Kind, Profile};
use crate::crl::CertificateList;
use crate::extensions::KeyUsage;
use crate::ocsp::{OcspResponse, ResponseStatus};
use crate::{Error, FullCertificate, Name, SubjectPublicKeyInfo};

/// What there is to find out from what was revoked. Nothing is fetched.
#[derive(Clone, Copy, Debug)]
pub struct Revocation<'a> {
    /// Lists: complete ones and those of changes, of whichever issuer, in any order.
    pub lists: &'a [CertificateList<'a>],
    /// Responses, to whichever question.
    pub responses: &'a [OcspResponse<'a>],
    /// What to do where that does not tell.
    pub strictness: Strictness,
    /// Whether only the certificate itself is asked for, and not the CAs above it.
    pub only_target: bool,
    /// For how many seconds a response counts that does not say when the next one comes.
    pub max_age: u64,
}

impl<'a> Revocation<'a> {
    /// Asks for all certificates; responses that do not say until when count for a day.
    pub const fn new(
        lists: &'a [CertificateList<'a>],
        responses: &'a [OcspResponse<'a>],
        strictness: Strictness,
    ) -> Self {
        Self {
            lists,
            responses,
            strictness,
            only_target: false,
            max_age: 86_400,
        }
    }
}

/// What to do where it cannot be found out whether a certificate was revoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strictness {
    /// Refuse it.
    Hard,
    /// Accept it where nothing is at hand that speaks of it now. What does speak of it and is
    /// wrong (a signature, a version, an extension) refuses it still.
    Soft,
}

/// Why it could not be found out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RevocationError {
    /// No list and no response speaks of the certificate.
    Nothing,
    /// What speaks of it is not of that time.
    NotCurrent {
        /// The time that was asked about.
        at: Time,
        /// From when on it was current.
        this_update: Time,
        /// Until when it was current; nothing if that is not said.
        next_update: Option<Time>,
    },
    /// The lists leave out some reasons.
    SomeReasons,
    /// It cannot be read, or has an extension that is critical and not known.
    Malformed(Error),
    /// It breaks this rule of the profile.
    Nonconforming(&'static str),
    /// The issuer did not sign it.
    BadSignature(Error),
    /// Who signed it may not speak of the certificate, or has no valid path.
    NotAuthorized,
    /// The responder had no answer.
    Status(ResponseStatus),
    /// The responder does not know the certificate.
    Unknown,
}

impl RevocationError {
    const fn is_absence(&self) -> bool {
        matches!(self, Self::Nothing | Self::NotCurrent { .. })
    }
}

impl fmt::Display for RevocationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("no list and no response"),
            Self::NotCurrent {
                at,
                this_update,
                next_update: Some(next),
            } => write!(
                f,
                "at {at} nothing current: from {this_update} until {next}"
            ),
            Self::NotCurrent {
                at,
                this_update,
                next_update: None,
            } => write!(f, "at {at} nothing current: from {this_update}"),
            Self::SomeReasons => f.write_str("lists without some of the reasons"),
            Self::Malformed(error) => write!(f, "malformed: {error}"),
            Self::Nonconforming(rule) => write!(f, "against the profile: {rule}"),
            Self::BadSignature(error) => write!(f, "the issuer did not sign it: {error}"),
            Self::NotAuthorized => f.write_str("signed by one who may not"),
            Self::Status(status) => write!(f, "the responder answered: {status}"),
            Self::Unknown => f.write_str("unknown to the responder"),
        }
    }
}

/// Who issued the certificate that is asked for.
#[derive(Clone, Copy)]
pub(super) struct Issuer<'w, 'a> {
    pub(super) name: Name<'a>,
    pub(super) key: SubjectPublicKeyInfo<'a>,
    pub(super) certificate: Option<&'w FullCertificate<'a>>,
}

/// Refuses a certificate that was revoked, and one of which that is not known where it must be.
pub(super) fn check<'a>(
    walk: &Walk<'_, 'a>,
    revocation: &Revocation<'_>,
    certificate: &FullCertificate<'_>,
    issuer: &Issuer<'_, 'a>,
) -> Result<(), Kind> {
    let mut problem = match ocsp::check(walk, revocation, certificate, issuer) {
        Err(Kind::UnknownStatus(error)) => error,
        verdict => return verdict,
    };
    match crl::check(walk, revocation, certificate, issuer) {
        Err(Kind::UnknownStatus(RevocationError::Nothing)) => {}
        Err(Kind::UnknownStatus(error)) if problem.is_absence() => problem = error,
        Err(Kind::UnknownStatus(_)) => {}
        verdict => return verdict,
    }
    match revocation.strictness {
        Strictness::Soft if problem.is_absence() => Ok(()),
        _ => unclear(problem),
    }
}

fn unclear<T>(error: RevocationError) -> Result<T, Kind> {
    Err(Kind::UnknownStatus(error))
}

/// Whether a key may sign lists.
fn signs_lists(certificate: &FullCertificate<'_>) -> bool {
    let usage = certificate.extensions.key_usage;
    usage.is_none_or(|usage| usage.contains(KeyUsage::CRL_SIGN))
}

/// Whether rules for issuers are held to.
fn is_strict(walk: &Walk<'_, '_>) -> bool {
    walk.options.profile != Profile::Path
}
