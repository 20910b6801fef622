//! Passwords: from a file, a descriptor, the environment or the terminal, and never an argument.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use adamant::{Secret, Wipe};

use crate::failure::{Failure, about};
use crate::text::shown_path;

/// The longest password in a file: what has a longer first line is some other file.
const LONGEST: usize = 4096;
/// The environment variable that may hold the password.
const VARIABLE: &str = "ADAMANT_PASSWORD";

/// A password.
pub(crate) struct Password(pub(crate) Vec<u8>);

impl Wipe for Password {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

/// From the file, or from the environment, or asked for with these words; `twice` where a slip
/// would lose the data.
pub(crate) fn find(
    file: Option<&Path>,
    question: &str,
    twice: bool,
) -> Result<Secret<Password>, Failure> {
    let password = if let Some(path) = file {
        first_line(path)?
    } else if let Some(value) = std::env::var_os(VARIABLE) {
        Secret::new(Password(value.into_encoded_bytes()))
    } else {
        let first = ask(question)?;
        if twice && ask("The same again: ")?.0 != first.0 {
            return Err(Failure::Run("the two passwords differ".to_owned()));
        }
        first
    };
    if password.0.is_empty() {
        return Err(Failure::Run("the password is empty".to_owned()));
    }
    Ok(password)
}

/// The file that an open descriptor is.
pub(crate) fn descriptor(number: u32) -> PathBuf {
    format!("/dev/fd/{number}").into()
}

/// A short file, or the beginning of another.
pub(crate) fn read(path: &Path, longest: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::with_capacity(longest as usize);
    File::open(path)
        .and_then(|file| file.take(longest).read_to_end(&mut bytes))
        .map_err(|e| Failure::Run(about(path.as_os_str(), &e)))?;
    Ok(bytes)
}

/// The first line of a file.
fn first_line(path: &Path) -> Result<Secret<Password>, Failure> {
    // With the longest line end.
    let mut bytes = read(path, LONGEST as u64 + 2)?;
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let password = (line.len() <= LONGEST).then(|| Secret::new(Password(line.to_vec())));
    bytes.wipe();
    password.ok_or_else(|| {
        let name = shown_path(path);
        Failure::Run(format!(
            "{name}: the first line, which is the password, has more than {LONGEST} bytes"
        ))
    })
}

/// Asks on the terminal, which shows nothing of the answer.
fn ask(question: &str) -> Result<Secret<Password>, Failure> {
    match rpassword::prompt_password(question) {
        Ok(password) => Ok(Secret::new(Password(password.into_bytes()))),
        Err(e) => Err(Failure::Run(about(
            OsStr::new("no password: the terminal"),
            &e,
        ))),
    }
}
