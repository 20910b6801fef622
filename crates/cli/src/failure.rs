//! How a subcommand ends when it does not end well.

use std::ffi::OsStr;
use std::io;
use std::process::ExitCode;

use adamant::x509::{Escaped, Untrusted};

use crate::text::shown_name;

/// Why a subcommand stopped.
pub(crate) enum Failure {
    /// The arguments make no sense here: exit code 2, as clap's own errors.
    Usage(String),
    /// Something went wrong on the way: exit code 1.
    Run(String),
    /// The same, and everything has been said about it.
    Told,
    /// The program was asked to end, which it does by the signal: this was done until then.
    Asked(String),
    /// Output could not be written.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

impl From<adamant::Error> for Failure {
    fn from(error: adamant::Error) -> Self {
        Failure::Run(error.to_string())
    }
}

impl Failure {
    /// Says why on standard error and gives the exit code. A reader that went away (`| head`)
    /// has all that it wanted.
    pub(crate) fn report(self) -> ExitCode {
        let code = match &self {
            Failure::Asked(done) => {
                eprintln!("{}", safe(done));
                return crate::signal::end();
            }
            Failure::Io(e) if e.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Told => return ExitCode::FAILURE,
            Failure::Io(_) | Failure::Run(_) => 1,
            Failure::Usage(_) => 2,
        };
        eprintln!("error: {}", safe(&self.sentence()));
        ExitCode::from(code)
    }

    /// Why.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Failure::Io(e) => e.to_string(),
            Failure::Told => String::new(),
            Failure::Run(sentence) | Failure::Usage(sentence) | Failure::Asked(sentence) => {
                sentence.clone()
            }
        }
    }
}

/// A sentence with what others may have put into it (a server, a database, a library): what would
/// not show is escaped. It has lines of its own, and escapes of what was known to be others'.
pub(crate) fn safe(sentence: &str) -> Escaped<'_> {
    Untrusted::new(sentence).escaped_but("\n\\")
}

/// What is wrong with a file.
pub(crate) fn about(name: &OsStr, error: &io::Error) -> String {
    format!("{}: {}", shown_name(name), sentence(error))
}

/// The error's words, without the number that the standard library puts after them.
pub(crate) fn sentence(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
