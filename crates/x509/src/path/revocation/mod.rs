//! Whether a certificate was revoked: what OCSP responses and lists say of it is collected, each
//! authentic statement with its source, and one rule decides on all of them (`evidence`).
//!
//! | file | holds |
//! |---|---|
//! | `evidence` | statements, and the rule |
//! | `ocsp` | statements of responses (RFC 6960) |
//! | `crl` | statements of lists (RFC 5280, 6.3) |
//! | `scope` | which certificates and reasons a list is about |
//! | `signer` | who may sign a list |

mod crl;
mod evidence;
mod ocsp;
mod scope;
mod signer;

use alloc::vec::Vec;
use core::fmt;

use adamant_der::Time;

use self::evidence::{Statement, Verdict};
use super::node::Walk;
use super::{PathErrorKind as Kind, Profile};
use crate::crl::CertificateList;
use crate::ocsp::{OcspResponse, ResponseStatus};
use crate::{AlgorithmIdentifier, Error, FullCertificate, Name, SubjectPublicKeyInfo};

/// The evidence about what was revoked. Nothing is fetched.
///
/// All that is authentic counts, in whichever order it comes. Of what one key says in one scope the
/// newest counts: by the number of a list, then by `thisUpdate`, a list of changes on top of the one
/// that it is about. Between keys, and between lists and responses, *revoked* wins, also where it is
/// said by what is no longer current; but a hold (`certificateHold`) is void where something newer
/// says that the certificate is not revoked.
///
/// A list is signed by the key that signed the certificate; or by another key of the same CA (one
/// that it had before, or has now): then the CA's certificate for that key has `cRLSign`, is what the
/// list's authority key identifier names, is signed by the same key as that of the certificate's
/// issuer or by the issuer's, and has a valid path from the same anchor. No key speaks of its own
/// certificate.
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
    /// Whether lists count that are not the CA's own: those of a dedicated issuer of lists, which is
    /// no CA, and those whose issuer the certificate's distribution point names (`cRLIssuer`), with
    /// `cRLSign` and a valid path from the same anchor.
    pub dedicated_crl_issuers: bool,
    /// For how many seconds a response counts that does not say when the next one comes.
    pub max_age: u64,
}

impl<'a> Revocation<'a> {
    /// Asks for all certificates, with lists of the CAs themselves; responses that do not say until
    /// when count for a day.
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
            dedicated_crl_issuers: false,
            max_age: 86_400,
        }
    }

    /// How much there is to read.
    pub(super) fn octets(&self) -> usize {
        let lists = self.lists.iter().map(|list| list.as_der().len());
        let responses = self.responses.iter().filter_map(|r| r.basic().ok());
        let all = lists.chain(responses.map(ocsp::octets));
        all.fold(0, usize::saturating_add)
    }
}

/// What to do where it cannot be found out whether a certificate was revoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strictness {
    /// Refuse it.
    Hard,
    /// Accept it where nothing is at hand that speaks of it now. A statement about it that
    /// is wrong (a signature, a version, an extension) still refuses it, and so does one that says
    /// that it was revoked, current or not.
    Soft,
}

/// Why it could not be found out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RevocationError {
    /// No list and no response speaks of the certificate.
    Nothing,
    /// The statements about it are not of that time.
    NotCurrent {
        /// The time that was asked about.
        at: Time,
        /// From when on it was current.
        this_update: Time,
        /// Until when it counted; nothing if that is not said.
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
    /// Its signer may not speak of the certificate, or has no valid path.
    NotAuthorized,
    /// Its signer may be revoked too, and whether that is so is not known: a responder whose
    /// certificate is not exempt from the question (`id-pkix-ocsp-nocheck`), or another key that
    /// signs lists.
    UncheckedSigner,
    /// The responder had no answer.
    Status(ResponseStatus),
    /// The responder does not know the certificate.
    Unknown,
}

impl RevocationError {
    const fn is_absence(&self) -> bool {
        matches!(
            self,
            Self::Nothing | Self::Status(_) | Self::NotCurrent { .. }
        )
    }

    /// Which of several is told: the one that says most.
    const fn rank(&self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Status(_) => 1,
            Self::NotCurrent { .. } => 2,
            Self::SomeReasons => 3,
            Self::Malformed(_) => 4,
            Self::Nonconforming(_) => 5,
            Self::BadSignature(_) => 6,
            Self::NotAuthorized => 7,
            Self::UncheckedSigner => 8,
            Self::Unknown => 9,
        }
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
            Self::NotAuthorized => f.write_str("the signer is not authorized"),
            Self::UncheckedSigner => f.write_str("the revocation status of the signer is unknown"),
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
    /// The key that signed this certificate; nothing where the issuer is the anchor.
    pub(super) above: Option<SubjectPublicKeyInfo<'a>>,
}

/// Refuses a certificate that was revoked, and one of which that is not known where it must be.
pub(super) fn check<'a>(
    walk: &Walk<'_, 'a>,
    revocation: &Revocation<'_>,
    certificate: &FullCertificate<'_>,
    issuer: &Issuer<'_, 'a>,
) -> Result<(), Kind> {
    // The anchor's own certificate is trusted, not validated.
    let anchor = walk.anchor;
    if certificate.spki.key == anchor.key.key && certificate.subject.matches(&anchor.name) {
        return Ok(());
    }
    let inquiry = Inquiry {
        walk,
        revocation,
        certificate,
        issuer,
    };
    match inquiry.status() {
        Err(Kind::UnknownStatus(error))
            if revocation.strictness == Strictness::Soft && error.is_absence() =>
        {
            Ok(())
        }
        status => status,
    }
}

/// A certificate, and what there is to find out whether it was revoked.
#[derive(Clone, Copy)]
struct Inquiry<'e> {
    walk: &'e Walk<'e, 'e>,
    revocation: &'e Revocation<'e>,
    certificate: &'e FullCertificate<'e>,
    issuer: &'e Issuer<'e, 'e>,
}

impl Inquiry<'_> {
    /// Nothing where it was not revoked; else that it was, or why that is not known.
    fn status(&self) -> Result<(), Kind> {
        let asked = &self.walk.budget.asked;
        let mut evidence = Evidence::default();
        asked.with(&self.certificate.spki, || {
            ocsp::collect(self, &mut evidence)?;
            crl::collect(self, &mut evidence)
        })?;
        let Evidence {
            statements,
            problem,
        } = evidence;
        match evidence::decide(statements, self.walk.options.time) {
            Verdict::NotRevoked => Ok(()),
            Verdict::Revoked { since, reason } => Err(Kind::Revoked {
                serial: *self.certificate.serial(),
                since,
                reason,
            }),
            Verdict::Open(error) => unclear(match problem {
                Some((_, problem)) if problem.rank() > error.rank() => problem,
                _ => error,
            }),
        }
    }

    /// Whether this key made a signature.
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<Result<(), Error>, Kind> {
        let Walk {
            budget, options, ..
        } = self.walk;
        budget.evidence(message.len() + signature.len())?;
        match budget.verify(options.verifier, key, algorithm, message, signature) {
            Ok(()) => Ok(Ok(())),
            Err(Kind::BadSignature(error)) => Ok(Err(error)),
            Err(other) => Err(other),
        }
    }
}

/// The findings about a certificate.
#[derive(Default)]
struct Evidence<'e> {
    statements: Vec<Statement<'e>>,
    /// The worst of what is wrong with what was not taken, and where.
    problem: Option<(&'e [u8], RevocationError)>,
}

impl<'e> Evidence<'e> {
    /// Notes why something is no evidence: of two equally bad, what is encoded as `der` decides, so
    /// that the order in which they come does not.
    fn note(&mut self, der: &'e [u8], problem: RevocationError) {
        let worse = self
            .problem
            .as_ref()
            .is_none_or(|(known_der, known)| (known.rank(), *known_der) < (problem.rank(), der));
        if worse {
            self.problem = Some((der, problem));
        }
    }
}

fn unclear<T>(error: RevocationError) -> Result<T, Kind> {
    Err(Kind::UnknownStatus(error))
}

/// Whether rules for issuers are held to.
fn is_strict(walk: &Walk<'_, '_>) -> bool {
    walk.options.profile != Profile::Path
}
