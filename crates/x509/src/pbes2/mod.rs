//! Encryption under a password: PBES2 (RFC 8018, 6.2), with PBKDF2 or scrypt (RFC 7914) and AES or
//! SM4 in CBC mode.
//!
//! ```
//! use adamant_rand::SystemRng;
//! use adamant_x509::pbes2::{Limits, Pbes2, Prf};
//! use adamant_x509::{KeyAlgorithm, PrivateKey};
//!
//! let key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?;
//! let scheme = Pbes2::pbkdf2(Prf::HmacSha256, 1000); // too few for real use
//! let text = key.to_encrypted_pem(b"open sesame", &scheme, &mut SystemRng)?;
//! let again = PrivateKey::from_encrypted_pem(&text, b"open sesame", &Limits::default())?;
//! assert_eq!(again.public_key(), key.public_key());
//! assert!(PrivateKey::from_encrypted_pem(&text, b"sesame", &Limits::default()).is_err());
//! # Ok::<(), adamant_x509::Error>(())
//! ```
//!
//! Nothing here authenticates: a wrong password shows in the padding, or in what follows. The
//! padding is checked in constant time, and says no more than whether it was right.

mod budget;
mod cipher;
mod kdf;

use alloc::vec::Vec;

use adamant_base::{Rng, Secret, SecretBytes};
use adamant_der::{Oid, Reader, Writer, oid};

use crate::element::sequence;
use crate::{Element, ErrorKind, Result};

pub(crate) use budget::Budget;
pub use budget::Limits;
pub use cipher::Cipher;
pub use kdf::{Kdf, Prf};

use cipher::{BLOCK, MAX_KEY, Started};
pub(crate) use kdf::Salted;

const PBES2: Oid = oid!("1.2.840.113549.1.5.13");

/// Bytes of the salts that are made.
const SALT: usize = 16;

/// How something is encrypted under a password: the derivation of the key, and the cipher.
///
/// The default is scrypt with N = 2^14, r = 8, p = 5 (five times through 16 MiB; OpenSSL does not
/// read what takes 32) and AES-256-CBC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pbes2 {
    /// From the password to the key.
    pub kdf: Kdf,
    /// The cipher.
    pub cipher: Cipher,
}

impl Pbes2 {
    /// PBKDF2 with AES-256-CBC.
    pub const fn pbkdf2(prf: Prf, iterations: u32) -> Self {
        Self {
            kdf: Kdf::Pbkdf2 { prf, iterations },
            cipher: Cipher::Aes256Cbc,
        }
    }

    /// scrypt with AES-256-CBC.
    pub const fn scrypt(n: u64, r: u32, p: u32) -> Self {
        Self {
            kdf: Kdf::Scrypt { n, r, p },
            cipher: Cipher::Aes256Cbc,
        }
    }

    /// The same with another cipher.
    #[must_use]
    pub const fn with_cipher(mut self, cipher: Cipher) -> Self {
        self.cipher = cipher;
        self
    }

    /// Encrypts: the identifier of the algorithm with its parameters, and the ciphertext.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(crate) fn encrypt(
        &self,
        password: &[u8],
        message: &[u8],
        rng: &mut impl Rng,
    ) -> Result<(Vec<u8>, Vec<u8>)> {
        self.kdf.check_new()?;
        let mut random = [0; SALT + BLOCK];
        rng.fill(&mut random)?;
        let (salt, iv) = random.split_at(SALT);
        let mut started = Started {
            cipher: self.cipher,
            iv: [0; BLOCK],
        };
        started.iv.copy_from_slice(iv);
        let scheme = Scheme {
            kdf: Salted {
                kdf: self.kdf,
                salt,
                key_len: None,
                position: 0,
            },
            cipher: started,
        };
        let mut w = Writer::with_capacity(128);
        scheme.write(&mut w);
        Ok((w.finish(), scheme.encrypt(password, message)?))
    }
}

impl Default for Pbes2 {
    fn default() -> Self {
        Self::scrypt(1 << 14, 8, 5)
    }
}

/// PBES2 with its parameters, as it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scheme<'a> {
    kdf: Salted<'a>,
    cipher: Started,
}

impl Scheme<'_> {
    #[cfg_attr(not(feature = "lab"), inline)]
    fn key(&self, password: &[u8], budget: &mut Budget) -> Result<Secret<[u8; MAX_KEY]>> {
        let mut key = Secret::new([0; MAX_KEY]);
        let len = self.cipher.cipher.key_len();
        self.kdf.derive(password, &mut key[..len], budget)?;
        Ok(key)
    }

    #[cfg_attr(not(feature = "lab"), inline)]
    fn encrypt(&self, password: &[u8], message: &[u8]) -> Result<Vec<u8>> {
        let Started { cipher, iv } = &self.cipher;
        // The encrypting side chose the cost.
        let key = self.key(password, &mut Budget::unlimited())?;
        let mut buffer = SecretBytes::zeros(message.len() + BLOCK);
        buffer[..message.len()].copy_from_slice(message);
        let len = cipher.encrypt(&key[..cipher.key_len()], iv, &mut buffer, message.len())?;
        Ok(buffer[..len].to_vec())
    }

    /// Decrypts.
    ///
    /// # Errors
    /// [`ErrorKind::TooCostly`] where the parameters ask for more than is left of the budget;
    /// [`ErrorKind::WrongPassword`] where the padding is wrong.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(crate) fn decrypt(
        &self,
        password: &[u8],
        ciphertext: &[u8],
        budget: &mut Budget,
    ) -> Result<SecretBytes> {
        let Started { cipher, iv } = &self.cipher;
        let key = self.key(password, budget)?;
        let mut buffer = SecretBytes::from(ciphertext.to_vec());
        let len = cipher.decrypt(&key[..cipher.key_len()], iv, &mut buffer);
        let len = len.map_err(|_| ErrorKind::WrongPassword.at(0))?;
        Ok(buffer[..len].to_vec().into())
    }
}

impl<'a> Element<'a> for Scheme<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let position = r.position();
            let oid = r.oid()?;
            if oid != PBES2 {
                return Err(ErrorKind::UnknownAlgorithm(oid).at(position));
            }
            sequence(r, |r| {
                let (kdf, cipher) = (Salted::read(r)?, Started::read(r)?);
                let len = cipher.cipher.key_len() as u32;
                if kdf.key_len.is_some_and(|told| told != len) {
                    return Err(ErrorKind::WrongParameters(PBES2).at(kdf.position));
                }
                Ok(Self { kdf, cipher })
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.oid(&PBES2);
            w.sequence(|w| {
                self.kdf.write(w);
                self.cipher.write(w);
            });
        });
    }
}
