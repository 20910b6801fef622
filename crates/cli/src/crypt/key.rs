//! Keys: from a password or a file to the key of one sealed file.

use std::path::Path;

use adamant::hash::argon2::{Argon2, Variant};
use adamant::hash::{Sha256, hkdf};
use adamant::{Error, Secret, Wipe};

use super::header::{Header, Source};
use crate::failure::Failure;
use crate::password::{self, Password};

/// The key of one file.
pub(super) type FileKey = Secret<[u8; 32]>;

/// Bytes in a key file.
const KEY_FILE: usize = 32;

/// Tells keys of this purpose from all others.
const PURPOSE: &[u8] = b"adamant enc 1";

/// What only the owner knows.
pub(super) enum Known {
    /// A password.
    Password(Secret<Password>),
    /// The bytes of a key file.
    Key(Secret<[u8; KEY_FILE]>),
}

impl Known {
    pub(super) fn read_key(path: &Path) -> Result<Self, Failure> {
        let mut bytes = password::read(path, KEY_FILE as u64 + 1)?;
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
