//! What can go wrong on the way from a CA key to a verified response.

use std::fmt;
use std::path::PathBuf;

use crate::algorithm;
use crate::store::Number;

/// Why the pipeline or a store stopped.
///
/// ```
/// use adamant_pki::Error;
/// let error = "rot13".parse::<adamant_pki::Algorithm>().unwrap_err();
/// assert!(matches!(error, Error::UnknownAlgorithm(_)));
/// assert_eq!(
///     error.to_string(),
///     "\"rot13\" is not an algorithm for CA keys; there is ecdsa-p256, ecdsa-p384, \
///      ecdsa-p521, ed25519, ed448, ml-dsa-44, ml-dsa-65, ml-dsa-87, rsa-2048, rsa-3072, rsa-4096, \
///      sm2, slh-dsa-sha2-128s, slh-dsa-sha2-128f, slh-dsa-shake-128s, slh-dsa-shake-128f, \
///      ecdsa-p224, ecdsa-secp256k1, ecdsa-brainpoolp256r1, ecdsa-brainpoolp384r1, \
///      ecdsa-brainpoolp512r1"
/// );
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
    /// The store has an item of this number already: a serial number or a CRL number.
    Duplicate(Number),
    /// A serial number or CRL number of more than 20 octets (RFC 5280, 4.1.2.2 and 5.2.3).
    NumberTooLong(usize),
    /// The file exists and was not made by a measurement of the pipeline.
    ForeignFile(PathBuf),
    /// The store failed.
    Store(Box<dyn std::error::Error + Send + Sync>),
    /// Another library could not be loaded, or failed.
    Library(String),
    /// The output of a stage is not what it must be.
    Check {
        /// The stage.
        stage: &'static str,
        /// The item of the batch, from 0.
        item: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The operating system gave no threads.
    Threads(rayon::ThreadPoolBuildError),
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
            Error::Duplicate(number) => write!(f, "number {number} is in the store already"),
            Error::NumberTooLong(octets) => {
                write!(f, "a number of {octets} octets, 20 are allowed")
            }
            Error::ForeignFile(path) => write!(
                f,
                "{} exists and is not a database of `adamant pki bench`; it was left as it is",
                path.display()
            ),
            Error::Store(error) => write!(f, "the store failed: {error}"),
            Error::Library(why) => f.write_str(why),
            Error::Check { stage, item, what } => write!(f, "{stage}: item {item}: {what}"),
            Error::Threads(error) => write!(f, "no threads: {error}"),
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
