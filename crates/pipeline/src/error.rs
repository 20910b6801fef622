//! What can go wrong on the way from a CA key to a verified response.

use std::fmt;
use std::path::PathBuf;

use adamant_pki::store::Number;

/// Why the pipeline or its store stopped.
///
/// ```
/// use adamant_pipeline::Error;
/// let error = Error::Check { stage: "cert_verify", item: 3, what: "it does not verify" };
/// assert_eq!(error.to_string(), "cert_verify: item 3: it does not verify");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A provider of keys refused or failed, or an encoding could not be read or written.
    Pki(adamant_pki::Error),
    /// The store has an item of this number already: a serial number or a CRL number.
    Duplicate(Number),
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
            Error::Pki(error) => error.fmt(f),
            Error::Duplicate(number) => write!(f, "number {number} is in the store already"),
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

impl From<adamant_pki::Error> for Error {
    fn from(error: adamant_pki::Error) -> Self {
        Error::Pki(error)
    }
}

impl From<adamant::Error> for Error {
    fn from(error: adamant::Error) -> Self {
        Error::Pki(error.into())
    }
}

impl From<adamant::x509::Error> for Error {
    fn from(error: adamant::x509::Error) -> Self {
        Error::Pki(error.into())
    }
}
