//! The ciphers of PBES2 (RFC 8018, B.2.5; GM/T 0091), in CBC mode.

use adamant_base::Error as CryptoError;
use adamant_cipher::aes::{Aes128, Aes192, Aes256};
use adamant_cipher::modes::cbc;
use adamant_cipher::sm4::Sm4;
use adamant_der::{Oid, Reader, Writer, oid};

use crate::element::sequence;
use crate::{Element, ErrorKind, Result};

/// Bytes of a block, and of an initialization vector.
pub(super) const BLOCK: usize = 16;
/// Bytes of the longest key.
pub(super) const MAX_KEY: usize = 32;

/// A cipher in CBC mode with the padding of RFC 8018, 6.1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cipher {
    /// AES with a key of 128 bits.
    Aes128Cbc,
    /// AES with a key of 192 bits.
    Aes192Cbc,
    /// AES with a key of 256 bits.
    Aes256Cbc,
    /// SM4.
    Sm4Cbc,
}

/// Evaluates `$with` with the cipher keyed.
macro_rules! keyed {
    ($self:ident, $key:ident, $cipher:ident => $with:expr) => {{
        let bad = |_| CryptoError::BadLength {
            expected: $self.key_len(),
            actual: $key.len(),
        };
        match $self {
            Cipher::Aes128Cbc => {
                let $cipher = Aes128::new($key.try_into().map_err(bad)?);
                $with
            }
            Cipher::Aes192Cbc => {
                let $cipher = Aes192::new($key.try_into().map_err(bad)?);
                $with
            }
            Cipher::Aes256Cbc => {
                let $cipher = Aes256::new($key.try_into().map_err(bad)?);
                $with
            }
            Cipher::Sm4Cbc => {
                let $cipher = Sm4::new($key.try_into().map_err(bad)?);
                $with
            }
        }
    }};
}

impl Cipher {
    const ALL: [(Self, Oid); 4] = [
        (Self::Aes128Cbc, oid!("2.16.840.1.101.3.4.1.2")),
        (Self::Aes192Cbc, oid!("2.16.840.1.101.3.4.1.22")),
        (Self::Aes256Cbc, oid!("2.16.840.1.101.3.4.1.42")),
        (Self::Sm4Cbc, oid!("1.2.156.10197.1.104.2")),
    ];

    /// Bytes of a key.
    pub const fn key_len(self) -> usize {
        match self {
            Self::Aes128Cbc | Self::Sm4Cbc => 16,
            Self::Aes192Cbc => 24,
            Self::Aes256Cbc => 32,
        }
    }

    /// Encrypts the first `message` bytes of the buffer and their padding, which has room there;
    /// how many bytes it became.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(super) fn encrypt(
        self,
        key: &[u8],
        iv: &[u8; BLOCK],
        buffer: &mut [u8],
        message: usize,
    ) -> Result<usize, CryptoError> {
        keyed!(self, key, cipher => {
            Ok(cbc::encrypt_padded(&cipher, iv, buffer, message)?.len())
        })
    }

    /// Decrypts in place; how many bytes the message has.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(super) fn decrypt(
        self,
        key: &[u8],
        iv: &[u8; BLOCK],
        buffer: &mut [u8],
    ) -> Result<usize, CryptoError> {
        keyed!(self, key, cipher => Ok(cbc::decrypt_padded(&cipher, iv, buffer)?.len()))
    }
}

/// A cipher with its initialization vector, as it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Started {
    pub(super) cipher: Cipher,
    pub(super) iv: [u8; BLOCK],
}

impl<'a> Element<'a> for Started {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let position = r.position();
            let oid = r.oid()?;
            let known = Cipher::ALL.iter().find(|(_, known)| *known == oid);
            let (cipher, _) = known.ok_or(ErrorKind::UnknownAlgorithm(oid).at(position))?;
            let position = r.position();
            let iv = r.octet_string()?.try_into();
            Ok(Self {
                cipher: *cipher,
                iv: iv.map_err(|_| ErrorKind::WrongParameters(oid).at(position))?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            if let Some((_, oid)) = Cipher::ALL.iter().find(|(known, _)| *known == self.cipher) {
                w.oid(oid);
            }
            w.octet_string(&self.iv);
        });
    }
}
