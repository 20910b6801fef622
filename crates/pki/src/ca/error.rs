//! Why a certification authority refused or failed.

use std::fmt;

use adamant::der::Time;
use adamant::x509;

use super::lint::Finding;
use crate::store;

/// Why a certification authority refused or failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The part to be signed breaks rules. Nothing was signed, and nothing stored.
    Lint {
        /// The request of the batch, from 0.
        item: usize,
        /// All that is wrong.
        findings: Vec<Finding>,
    },
    /// The CA's certificate does not hold at this time, so that nobody would take the list or
    /// response.
    OutsideValidity {
        /// The time.
        at: Time,
        /// The certificate's first second.
        not_before: Time,
        /// Its last second.
        not_after: Time,
    },
    /// Settings, a profile or a request make no sense.
    Refused(String),
    /// An encoding could not be read or written.
    X509(x509::Error),
    /// The key failed, or made what does not verify: nothing was given away.
    Key(crate::Error),
    /// The store refused or failed.
    Store(store::Error),
}

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = core::result::Result<T, E>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Lint { item, findings } => {
                let number = findings.len();
                write!(f, "request {item} was refused, for {number} reasons:")?;
                findings
                    .iter()
                    .try_for_each(|finding| write!(f, "\n  {finding}"))
            }
            Error::OutsideValidity {
                at,
                not_before,
                not_after,
            } => write!(
                f,
                "the CA's certificate holds from {not_before} to {not_after}, and it is {at}"
            ),
            Error::Refused(why) => f.write_str(why),
            Error::X509(error) => error.fmt(f),
            Error::Key(error) => error.fmt(f),
            Error::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<x509::Error> for Error {
    fn from(error: x509::Error) -> Self {
        Error::X509(error)
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        Error::Key(error)
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        Error::Store(error)
    }
}
