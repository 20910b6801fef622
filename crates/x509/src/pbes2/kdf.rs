//! From a password to a key: PBKDF2 (RFC 8018, 5.2 and A.2) and scrypt (RFC 7914).

use alloc::vec::Vec;

use adamant_base::Error as CryptoError;
use adamant_base::family::Hash;
use adamant_der::{ErrorKind as Der, Oid, Reader, Writer, oid};
use adamant_hash::{Hmac, Sha1, Sha224, Sha256, Sha384, Sha512, Sm3, pbkdf2, scrypt};

use super::Budget;
use crate::element::sequence;
use crate::{AlgorithmIdentifier, Element, Error, ErrorKind, Result};

const PBKDF2: Oid = oid!("1.2.840.113549.1.5.12");
const SCRYPT: Oid = oid!("1.3.6.1.4.1.11591.4.11");
const NULL: &[u8] = &[0x05, 0x00];

/// The pseudorandom function of PBKDF2 (RFC 8018, B.1; GM/T 0091).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Prf {
    /// HMAC-SHA-1: read, never written.
    HmacSha1,
    /// HMAC-SHA-224.
    HmacSha224,
    /// HMAC-SHA-256.
    HmacSha256,
    /// HMAC-SHA-384.
    HmacSha384,
    /// HMAC-SHA-512.
    HmacSha512,
    /// HMAC-SM3.
    HmacSm3,
}

impl Prf {
    const ALL: [(Self, Oid); 6] = [
        (Self::HmacSha1, oid!("1.2.840.113549.2.7")),
        (Self::HmacSha224, oid!("1.2.840.113549.2.8")),
        (Self::HmacSha256, oid!("1.2.840.113549.2.9")),
        (Self::HmacSha384, oid!("1.2.840.113549.2.10")),
        (Self::HmacSha512, oid!("1.2.840.113549.2.11")),
        (Self::HmacSm3, oid!("1.2.156.10197.1.401.2")),
    ];

    pub(crate) fn read(r: &mut Reader<'_>) -> Result<Self> {
        let algorithm = AlgorithmIdentifier::read(r)?;
        let known = Self::ALL.iter().find(|(_, oid)| *oid == algorithm.oid);
        let unknown = ErrorKind::UnknownAlgorithm(algorithm.oid).at(algorithm.position());
        let (prf, oid) = known.ok_or(unknown)?;
        match (algorithm.parameters, prf) {
            (Some(NULL), _) | (None, Self::HmacSm3) => Ok(*prf),
            _ => Err(ErrorKind::WrongParameters(*oid).at(algorithm.position())),
        }
    }

    /// Bytes of its tags.
    pub(crate) const fn output_len(self) -> usize {
        match self {
            Self::HmacSha1 => Sha1::OUTPUT_LEN,
            Self::HmacSha224 => Sha224::OUTPUT_LEN,
            Self::HmacSha256 => Sha256::OUTPUT_LEN,
            Self::HmacSha384 => Sha384::OUTPUT_LEN,
            Self::HmacSha512 => Sha512::OUTPUT_LEN,
            Self::HmacSm3 => Sm3::OUTPUT_LEN,
        }
    }

    /// The tag of a message.
    pub(crate) fn mac(self, key: &[u8], message: &[u8]) -> Vec<u8> {
        fn mac<H: Hash>(key: &[u8], message: &[u8]) -> Vec<u8> {
            Hmac::<H>::mac(key, message).as_ref().to_vec()
        }
        let mac = match self {
            Self::HmacSha1 => mac::<Sha1>,
            Self::HmacSha224 => mac::<Sha224>,
            Self::HmacSha256 => mac::<Sha256>,
            Self::HmacSha384 => mac::<Sha384>,
            Self::HmacSha512 => mac::<Sha512>,
            Self::HmacSm3 => mac::<Sm3>,
        };
        mac(key, message)
    }

    fn write(self, w: &mut Writer) {
        let known = Self::ALL.iter().find(|(prf, _)| *prf == self);
        if let Some((_, oid)) = known {
            // RFC 8018 has a NULL there, writers of HMAC-SM3 have nothing.
            let parameters = (self != Self::HmacSm3).then_some(NULL);
            AlgorithmIdentifier::new(*oid, parameters).write(w);
        }
    }
}

/// How a key is derived from a password, and at what cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kdf {
    /// PBKDF2.
    Pbkdf2 {
        /// The function that is iterated.
        prf: Prf,
        /// How often.
        iterations: u32,
    },
    /// scrypt, in `128 n r` bytes of memory.
    Scrypt {
        /// The cost N, a power of two.
        n: u64,
        /// The size r of blocks.
        r: u32,
        /// The parallelization p.
        p: u32,
    },
}

impl Kdf {
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(super) fn derive(
        self,
        password: &[u8],
        salt: &[u8],
        key: &mut [u8],
    ) -> Result<(), CryptoError> {
        match self {
            Self::Pbkdf2 { prf, iterations } => {
                let derive = match prf {
                    Prf::HmacSha1 => pbkdf2::derive::<Sha1>,
                    Prf::HmacSha224 => pbkdf2::derive::<Sha224>,
                    Prf::HmacSha256 => pbkdf2::derive::<Sha256>,
                    Prf::HmacSha384 => pbkdf2::derive::<Sha384>,
                    Prf::HmacSha512 => pbkdf2::derive::<Sha512>,
                    Prf::HmacSm3 => pbkdf2::derive::<Sm3>,
                };
                derive(password, salt, iterations, key)
            }
            Self::Scrypt { n, r, p } => scrypt::derive(password, salt, n, r, p, key),
        }
    }

    /// Whether these parameters are for new keys: with a cost, and not SHA-1's.
    pub(super) fn check_new(self) -> Result<(), CryptoError> {
        let bad = |name| Err(CryptoError::BadParameter(name));
        match self {
            Self::Pbkdf2 {
                prf: Prf::HmacSha1, ..
            } => bad("prf"),
            Self::Pbkdf2 { iterations: 0, .. } => bad("iterations"),
            Self::Pbkdf2 { .. } => Ok(()),
            Self::Scrypt { n, r, p } => scrypt::Params::new(n, r, p).map(|_| ()),
        }
    }
}

/// A derivation with its salt, as it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Salted<'a> {
    pub(crate) kdf: Kdf,
    pub(crate) salt: &'a [u8],
    /// The length of the key in bytes, where it is told.
    pub(crate) key_len: Option<u32>,
    pub(crate) position: usize,
}

impl Salted<'_> {
    /// The key, once the budget has paid for it.
    ///
    /// # Errors
    /// [`ErrorKind::TooCostly`] beyond the budget; that of the derivation.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(crate) fn derive(
        &self,
        password: &[u8],
        key: &mut [u8],
        budget: &mut Budget,
    ) -> Result<()> {
        let paid = budget.charge(self.kdf, key.len());
        paid.map_err(|kind| kind.at(self.position))?;
        Ok(self.kdf.derive(password, self.salt, key)?)
    }
}

impl<'a> Element<'a> for Salted<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let position = r.position();
        sequence(r, |r| {
            let start = r.position();
            let oid = r.oid()?;
            let is_scrypt = match oid {
                SCRYPT => true,
                PBKDF2 => false,
                _ => return Err(ErrorKind::UnknownAlgorithm(oid).at(start)),
            };
            sequence(r, |r| {
                let salt = r.octet_string()?;
                let here = r.position();
                let bad = |what| Error::new(ErrorKind::Der(Der::UnexpectedValue(what)), here);
                let key_len = |r: &mut Reader<'_>| {
                    let there = r.peek_tag() == Some(adamant_der::Tag::INTEGER);
                    there.then(|| r.u32()).transpose()
                };
                let (kdf, key_len) = if is_scrypt {
                    let (n, block, p) = (r.u64()?, r.u32()?, r.u32()?);
                    scrypt::Params::new(n, block, p)
                        .map_err(|_| bad("parameters that scrypt does not allow"))?;
                    (Kdf::Scrypt { n, r: block, p }, key_len(r)?)
                } else {
                    let iterations = r.u32()?;
                    if iterations == 0 {
                        return Err(bad("no iterations"));
                    }
                    let key_len = key_len(r)?;
                    let prf = if r.is_empty() {
                        Prf::HmacSha1
                    } else {
                        Prf::read(r)?
                    };
                    (Kdf::Pbkdf2 { prf, iterations }, key_len)
                };
                Ok(Self {
                    kdf,
                    salt,
                    key_len,
                    position,
                })
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.oid(match self.kdf {
                Kdf::Pbkdf2 { .. } => &PBKDF2,
                Kdf::Scrypt { .. } => &SCRYPT,
            });
            w.sequence(|w| {
                w.octet_string(self.salt);
                let numbers = match self.kdf {
                    Kdf::Pbkdf2 { iterations, .. } => [Some(iterations.into()), None, None],
                    Kdf::Scrypt { n, r, p } => [Some(n), Some(r.into()), Some(p.into())],
                };
                let key_len = self.key_len.map(u64::from);
                for number in numbers.into_iter().chain([key_len]).flatten() {
                    w.integer_u64(number);
                }
                if let Kdf::Pbkdf2 { prf, .. } = self.kdf {
                    prf.write(w);
                }
            });
        });
    }
}
