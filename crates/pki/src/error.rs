//! The errors of keys and numbers.

use std::fmt;

use crate::algorithm;

/// Why a provider of keys failed, or a name or number was refused.
///
/// ```
/// use adamant_pki::Error;
/// let error = "rot13".parse::<adamant_pki::Algorithm>().unwrap_err();
/// assert!(matches!(error, Error::UnknownAlgorithm(_)));
/// let text = error.to_string();
/// assert!(text.starts_with("\"rot13\" is not an algorithm for CA keys; there is ecdsa-p256, "));
/// assert!(text.contains(", ed25519, "));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A primitive refused or failed.
    Crypto(adamant::Error),
    /// An encoding could not be read or written.
    X509(adamant::x509::Error),
    /// No algorithm for CA keys has this name.
    UnknownAlgorithm(String),
    /// A serial number or CRL number of more than 20 octets (RFC 5280, 4.1.2.2 and 5.2.3).
    NumberTooLong(usize),
    /// The library of a provider could not be loaded, or failed.
    Library(String),
}

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = core::result::Result<T, E>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Crypto(error) => error.fmt(f),
            Error::X509(error) => error.fmt(f),
            Error::UnknownAlgorithm(name) => {
                let known = algorithm::names().collect::<Vec<_>>().join(", ");
                write!(
                    f,
                    "{name:?} is not an algorithm for CA keys; there is {known}"
                )
            }
            Error::NumberTooLong(octets) => {
                write!(f, "a number of {octets} octets, 20 are allowed")
            }
            Error::Library(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

impl From<adamant::Error> for Error {
    fn from(error: adamant::Error) -> Self {
        Error::Crypto(error)
    }
}

impl From<adamant::x509::Error> for Error {
    fn from(error: adamant::x509::Error) -> Self {
        Error::X509(error)
    }
}
