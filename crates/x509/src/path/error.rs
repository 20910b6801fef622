//! Why there is no valid path: what was found, at which certificate.

use alloc::string::String;
use core::fmt;

use adamant_der::{Oid, Time};

use super::budget::Limit;
use super::revocation::RevocationError;
use crate::{Error, SerialNumber};

/// Why a path was refused.
///
/// `depth` counts from the certificate that was to be validated, which is 0; the anchor has the
/// highest. Where several paths were tried, this is what stood in the way of the one that came
/// furthest.
#[derive(Clone, Debug, PartialEq)]
pub struct PathError {
    /// The kind of fault.
    pub kind: PathErrorKind,
    /// Of which certificate.
    pub depth: usize,
}

/// The reasons for refusing a path.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PathErrorKind {
    /// A certificate cannot be read, or has an extension that is critical and not known; or the
    /// key of the one that was to be validated is none of its algorithm.
    Malformed(Error),
    /// There is no certificate of the issuer with this name, neither trusted nor at hand.
    UnknownIssuer(String),
    /// The certificate does not hold yet.
    NotYetValid {
        /// The time that was asked about.
        at: Time,
        /// The first second of the certificate.
        not_before: Time,
    },
    /// The certificate holds no longer.
    Expired {
        /// The time that was asked about.
        at: Time,
        /// The last second of the certificate.
        not_after: Time,
    },
    /// The issuer's key did not make the signature, or the algorithm is not accepted.
    BadSignature(Error),
    /// The issuer is not a CA (RFC 5280, 6.1.4 (k)).
    NotCa,
    /// The issuer's key is not for certificates (RFC 5280, 6.1.4 (n)).
    CannotSignCertificates,
    /// More CAs follow than the constraint of this one allows (RFC 5280, 6.1.4 (l)).
    PathTooLong {
        /// How many CAs may follow.
        allowed: u32,
    },
    /// More CAs than [`super::Options::max_depth`].
    TooDeep {
        /// How many there may be.
        allowed: usize,
    },
    /// The key may not be used so: its usage lacks what was asked for.
    WrongKeyUsage,
    /// The key is not for this purpose.
    WrongPurpose(Oid),
    /// A name is not among those that a CA above permits.
    NameNotPermitted(String),
    /// A name is among those that a CA above excludes.
    NameExcluded(String),
    /// A name is of a form with a constraint that cannot be checked.
    NameNotCheckable(String),
    /// A constraint on names that is none of its form.
    BadConstraint(String),
    /// The certificate is not of this name.
    NameMismatch(String),
    /// No policy is acceptable, and one is demanded (RFC 5280, 6.1.5).
    NoPolicy,
    /// A mapping from or to `anyPolicy` (RFC 5280, 6.1.4 (a)).
    AnyPolicyMapped,
    /// Policies are critical, and of one something is said that is not understood: a qualifier of
    /// this type (RFC 5280, 4.2.1.4).
    UnknownQualifier(Oid),
    /// The certificate breaks this rule of the profile.
    Nonconforming(&'static str),
    /// The certificate was revoked.
    Revoked {
        /// Its number.
        serial: SerialNumber,
        /// Since when.
        since: Time,
        /// Why, if that is said.
        reason: Option<crate::extensions::RevocationReason>,
    },
    /// Whether the certificate is revoked could not be found out.
    UnknownStatus(RevocationError),
    /// A limit of [`super::Limits`] was reached.
    TooCostly(Limit),
}

impl PathErrorKind {
    pub(super) const fn at(self, depth: usize) -> PathError {
        PathError { kind: self, depth }
    }
}

impl fmt::Display for PathErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => write!(f, "malformed: {error}"),
            Self::UnknownIssuer(name) => write!(f, "no certificate of the issuer {name}"),
            Self::NotYetValid { at, not_before } => {
                write!(f, "at {at} not yet valid: from {not_before}")
            }
            Self::Expired { at, not_after } => write!(f, "at {at} expired: until {not_after}"),
            Self::BadSignature(error) => write!(f, "the issuer did not sign it: {error}"),
            Self::NotCa => f.write_str("an issuer that is not a CA"),
            Self::CannotSignCertificates => f.write_str("an issuer's key not for certificates"),
            Self::PathTooLong { allowed } => {
                write!(
                    f,
                    "more CAs below than {allowed}, which its constraint allows"
                )
            }
            Self::TooDeep { allowed } => write!(f, "more CAs than {allowed}"),
            Self::WrongKeyUsage => f.write_str("a key that is not for this use"),
            Self::WrongPurpose(oid) => write!(f, "a key that is not for the purpose {oid}"),
            Self::NameNotPermitted(name) => write!(f, "{name} is not permitted by a CA above"),
            Self::NameExcluded(name) => write!(f, "{name} is excluded by a CA above"),
            Self::NameNotCheckable(name) => {
                write!(
                    f,
                    "{name} has a form with a constraint that cannot be checked"
                )
            }
            Self::BadConstraint(name) => write!(f, "malformed constraint on names: {name}"),
            Self::NameMismatch(name) => write!(f, "the certificate is not for {name}"),
            Self::NoPolicy => f.write_str("no acceptable policy"),
            Self::AnyPolicyMapped => f.write_str("anyPolicy in a mapping of policies"),
            Self::UnknownQualifier(oid) => {
                write!(f, "critical policies with an unknown qualifier: {oid}")
            }
            Self::Nonconforming(rule) => write!(f, "against the profile: {rule}"),
            Self::Revoked {
                serial,
                since,
                reason,
            } => {
                write!(f, "{serial} was revoked on {since}")?;
                reason.map_or(Ok(()), |reason| write!(f, ": {reason}"))
            }
            Self::UnknownStatus(error) => write!(f, "revocation status unknown: {error}"),
            Self::TooCostly(limit) => write!(f, "too costly: too many {limit}"),
        }
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "certificate {}: {}", self.depth, self.kind)
    }
}

impl core::error::Error for PathError {}
