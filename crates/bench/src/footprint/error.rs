//! What goes wrong where builds are measured.

use std::fmt;
use std::path::Path;

/// Why something could not be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// No source tree is here or above.
    NoSource,
    /// Cargo does not start.
    NoCargo,
    /// A program does not start.
    Start {
        /// Its name.
        program: String,
        /// Why, by the system.
        why: String,
    },
    /// A program ended with a failure.
    Failed {
        /// Its name.
        program: String,
        /// The line that tells why.
        said: String,
    },
    /// What is built needs something that may be missing.
    Needs {
        /// What it needs.
        what: &'static str,
        /// How the build failed.
        why: Box<Error>,
    },
    /// A file cannot be read or written.
    File {
        /// Its name.
        path: String,
        /// Why, by the system.
        why: String,
    },
    /// A program printed what is not a figure.
    Line {
        /// What it printed.
        line: String,
        /// What is wrong with it.
        why: String,
    },
    /// Nothing tells what the program must write.
    Unknown,
    /// The program does not write what it must.
    Wrong,
    /// The program is not an ELF of 64 bits.
    NoElf,
    /// The program did not tell its stack.
    NoStack,
    /// The system does not tell the CPU time of children.
    NoCpu,
    /// The lock file lacks a package.
    NoVersion(&'static str),
    /// Nothing has a name that this pattern fits.
    NoMatch(String),
}

impl Error {
    pub(super) fn file(path: &Path, why: &std::io::Error) -> Self {
        Error::File {
            path: path.display().to_string(),
            why: why.to_string(),
        }
    }

    pub(super) fn line(line: &str, why: &serde_json::Error) -> Self {
        Error::Line {
            line: line.into(),
            why: why.to_string(),
        }
    }

    pub(super) fn needs(self, what: &'static str) -> Self {
        Error::Needs {
            what,
            why: Box::new(self),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoSource => {
                f.write_str("it needs the source tree: no engines/footprint is here or above")
            }
            Error::NoCargo => f.write_str("it needs cargo, which does not start"),
            Error::Start { program, why } => write!(f, "{program} does not start: {why}"),
            Error::Failed { program, said } => write!(f, "{program}: {said}"),
            Error::Needs { what, why } => write!(f, "it needs {what}: {why}"),
            Error::File { path, why } => write!(f, "{path}: {why}"),
            Error::Line { line, why } => write!(f, "it prints {line:?}: {why}"),
            Error::Unknown => f.write_str("nothing tells what it must write"),
            Error::Wrong => f.write_str("its output is wrong"),
            Error::NoElf => f.write_str("its file is not a 64-bit ELF"),
            Error::NoStack => f.write_str("it does not tell its stack"),
            Error::NoCpu => f.write_str("this system does not tell the CPU time of children"),
            Error::NoVersion(package) => write!(f, "the lock file lacks {package}"),
            Error::NoMatch(pattern) => {
                write!(
                    f,
                    "nothing to build matches {pattern:?}: names are PROGRAM/LIBRARY"
                )
            }
        }
    }
}

impl std::error::Error for Error {}
