//! Keys: from a password or a file to the key of one sealed file.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use adamant::base::Wipe;
use adamant::hash::argon2::{Argon2, Variant};
use adamant::hash::{Sha256, hkdf};
use adamant::{Error, Secret};

use super::header::{Header, Source};
use crate::failure::{Failure, about};

/// The key of one file.
pub(super) type FileKey = Secret<[u8; 32]>;

/// Bytes in a key file.
const KEY_FILE: usize = 32;
/// The longest password file that is read: a longer one is some other file.
const LONGEST: u64 = 4096;
/// The environment variable that may hold the password.
const VARIABLE: &str = "ADAMANT_PASSWORD";

/// Tells keys of this purpose from all others.
const PURPOSE: &[u8] = b"adamant enc 1";

/// What only the owner knows.
pub(super) enum Known {
    /// A password.
    Password(Secret<Password>),
    /// The bytes of a key file.
    Key(Secret<[u8; KEY_FILE]>),
}

/// A password.
pub(super) struct Password(pub(super) Vec<u8>);

impl Wipe for Password {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

impl Known {
    pub(super) fn read_key(path: &Path) -> Result<Self, Failure> {
        let mut bytes = read(path, KEY_FILE as u64 + 1)?;
        let key = bytes.as_slice().try_into().map(Secret::new);
        bytes.wipe();
        let sentence = || {
            let name = path.display();
            format!(
                "{name}: a key file has {KEY_FILE} bytes; to make one: head -c {KEY_FILE} /dev/urandom"
            )
        };
        key.map(Known::Key).map_err(|_| Failure::Run(sentence()))
    }

    /// From the file, or from the environment, or asked for; `twice` where a slip would lose the
    /// data.
    pub(super) fn find_password(file: Option<&PathBuf>, twice: bool) -> Result<Self, Failure> {
        let password = if let Some(path) = file {
            first_line(path)?
        } else if let Some(value) = std::env::var_os(VARIABLE) {
            Secret::new(Password(value.into_encoded_bytes()))
        } else {
            let first = ask("Password: ")?;
            if twice && ask("The same again: ")?.0 != first.0 {
                return Err(Failure::Run("these were two passwords".to_owned()));
            }
            first
        };
        if password.0.is_empty() {
            return Err(Failure::Run("the password is empty".to_owned()));
        }
        Ok(Known::Password(password))
    }

    /// The key of the file with this header.
    pub(super) fn file_key(&self, header: &Header) -> Result<FileKey, Failure> {
        let failure = |e: Error| Failure::Run(format!("the key cannot be derived: {e}"));
        let mut from_password = Secret::new([0; 32]);
        let known: &[u8] = match (self, header.source) {
            (Known::Key(key), Source::KeyFile) => &**key,
            (
                Known::Password(password),
                Source::Password {
                    memory,
                    passes,
                    lanes,
                },
            ) => {
                Argon2::new(Variant::Id, memory, passes, lanes)
                    .and_then(|argon2| {
                        argon2.derive(&password.0, &header.salt, &mut *from_password)
                    })
                    .map_err(failure)?;
                &*from_password
            }
            (Known::Password(_), Source::KeyFile) => {
                return Err(Failure::Run(
                    "sealed with a key file: give --key-file".to_owned(),
                ));
            }
            (Known::Key(_), Source::Password { .. }) => {
                return Err(Failure::Run(
                    "sealed with a password, not a key file".to_owned(),
                ));
            }
        };
        let mut key = Secret::new([0; 32]);
        hkdf::derive::<Sha256>(&header.salt, known, PURPOSE, &mut *key).map_err(failure)?;
        Ok(key)
    }
}

/// A short file.
fn read(path: &Path, longest: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::with_capacity(longest as usize);
    fs::File::open(path)
        .and_then(|file| file.take(longest).read_to_end(&mut bytes))
        .map_err(|e| Failure::Run(about(path.as_os_str(), &e)))?;
    Ok(bytes)
}

/// The first line of a file.
fn first_line(path: &Path) -> Result<Secret<Password>, Failure> {
    let mut bytes = read(path, LONGEST)?;
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line).to_vec();
    bytes.wipe();
    Ok(Secret::new(Password(line)))
}

/// Asks on the terminal, which shows nothing of the answer.
fn ask(prompt: &str) -> Result<Secret<Password>, Failure> {
    match rpassword::prompt_password(prompt) {
        Ok(password) => Ok(Secret::new(Password(password.into_bytes()))),
        Err(e) => Err(Failure::Run(about(
            OsStr::new("no password: the terminal"),
            &e,
        ))),
    }
}
