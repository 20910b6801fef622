//! PKCS #12 (RFC 7292): private keys and their certificates in one file, under a password.
//!
//! ```
//! use adamant_rand::SystemRng;
//! use adamant_x509::pbes2::Limits;
//! use adamant_x509::pkcs12::{Pkcs12, Protection};
//! use adamant_x509::{CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey};
//!
//! let key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?;
//! let name: DistinguishedName = "CN=adamant.example".parse()?;
//! let certificate = CertificateBuilder::new(
//!     1.into(),
//!     name.as_name(),
//!     "2026-01-01".parse()?,
//!     "2026-04-01".parse()?,
//!     name.as_name(),
//!     &key.public_key(),
//! )
//! .sign(key.signer()?)?;
//!
//! let file = Pkcs12::new().key(key, Some("server")).certificate(&certificate, Some("server"))?;
//! let der = file.to_der("open sesame", &Protection::default(), &mut SystemRng)?;
//!
//! let again = Pkcs12::from_der(&der, "open sesame", &Limits::default())?;
//! assert_eq!(again.certificates[0].der, certificate);
//! assert_eq!(again.keys[0].name.as_deref(), Some("server"));
//! assert!(Pkcs12::from_der(&der, "sesame", &Limits::default()).is_err());
//! # Ok::<(), adamant_x509::Error>(())
//! ```
//!
//! Keys and certificates are encrypted with PBES2 ([`crate::pbes2`]), and the whole is protected by
//! an HMAC under the password, which is checked first. A file without one is refused, and so are
//! the ciphers of before PBES2. Files that others wrote in BER are for [`Pkcs12::from_ber`].

mod bags;
mod mac;

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use adamant_base::{Error as CryptoError, Rng, SecretBytes};
use adamant_der::{ErrorKind as Der, Oid, Reader, Tag, Writer, ber, oid};

use crate::element::{nested, sequence, version, within};
use crate::pbes2::{Budget, Limits, Pbes2, Scheme};
use crate::{Certificate, Element, ErrorKind, PrivateKey, Result};

use mac::MacData;

const DATA: Oid = oid!("1.2.840.113549.1.7.1");
const ENCRYPTED_DATA: Oid = oid!("1.2.840.113549.1.7.6");

/// A private key in a file.
pub struct KeyEntry {
    /// The key.
    pub key: PrivateKey,
    /// The name for people (RFC 2985, 5.5.1).
    pub name: Option<String>,
    /// What the key and its certificate have in common (RFC 2985, 5.5.2).
    pub local_key_id: Option<Vec<u8>>,
}

impl fmt::Debug for KeyEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.key.public_key(), self.name)
    }
}

/// A certificate in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateEntry {
    /// The certificate.
    pub der: Vec<u8>,
    /// The name for people.
    pub name: Option<String>,
    /// What the certificate and its key have in common.
    pub local_key_id: Option<Vec<u8>>,
}

/// How a file is protected: the encryption of keys and certificates, and the iterations for the
/// key of the HMAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protection {
    /// The encryption.
    pub scheme: Pbes2,
    /// The iterations of RFC 7292, appendix B.
    pub mac_iterations: u32,
}

impl Default for Protection {
    /// PBKDF2 with 600,000 iterations of HMAC-SHA-256 and AES-256-CBC, which is what others read,
    /// and as many for the HMAC.
    fn default() -> Self {
        Self {
            scheme: Pbes2::pbkdf2(crate::pbes2::Prf::HmacSha256, 600_000),
            mac_iterations: 600_000,
        }
    }
}

/// The encoding of what is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    Der,
    Ber,
}

impl Rules {
    /// What is left of `r`, in DER: itself, or what is then in `room`.
    fn canonical<'a>(self, r: Reader<'a>, room: &'a mut SecretBytes) -> Result<Reader<'a>> {
        if self == Rules::Der {
            return Ok(r);
        }
        *room = ber::to_der(r.rest())?.into();
        Ok(Reader::new(room))
    }

    /// The contents of `[0] IMPLICIT OCTET STRING`, which may be in pieces in BER.
    fn implicit_octets<'a>(self, r: &mut Reader<'a>) -> Result<Cow<'a, [u8]>> {
        let in_pieces = Tag::context_constructed(0);
        if self == Rules::Der || r.peek_tag() != Some(in_pieces) {
            return Ok(r.read(Tag::context(0))?.value.into());
        }
        let mut octets = Vec::new();
        nested(r, in_pieces, |r| {
            while !r.is_empty() {
                octets.extend_from_slice(r.octet_string()?);
            }
            Ok(())
        })?;
        Ok(octets.into())
    }
}

/// What is in a file.
///
/// A file is binary: neither RFC 7292 nor RFC 7468 has a label for it in PEM, in which keys and
/// certificates are one by one ([`PrivateKey::to_encrypted_pem`], [`Certificate::to_pem`]).
#[derive(Debug, Default)]
pub struct Pkcs12 {
    /// The private keys.
    pub keys: Vec<KeyEntry>,
    /// The certificates.
    pub certificates: Vec<CertificateEntry>,
}

impl Pkcs12 {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more key, and a name for people.
    #[must_use]
    pub fn key(mut self, key: PrivateKey, name: Option<&str>) -> Self {
        let local_key_id = Some(key.public_key().key_id().to_vec());
        self.keys.push(KeyEntry {
            key,
            name: name.map(ToString::to_string),
            local_key_id,
        });
        self
    }

    /// With one more certificate, and a name for people. Of a key that is there already it tells
    /// that they belong together.
    ///
    /// # Errors
    /// Those of [`Certificate::from_der`], and of its key.
    pub fn certificate(mut self, der: &[u8], name: Option<&str>) -> Result<Self> {
        let id = Certificate::from_der(der)?.public_key()?.key_id();
        let mut ids = self.keys.iter().filter_map(|key| key.local_key_id.clone());
        let local_key_id = ids.find(|known| *known == id);
        self.certificates.push(CertificateEntry {
            der: der.to_vec(),
            name: name.map(ToString::to_string),
            local_key_id,
        });
        Ok(self)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`ErrorKind::WrongPassword`], also where the file was altered; [`ErrorKind::TooCostly`];
    /// [`ErrorKind::UnknownAlgorithm`]; and what is wrong with the encoding, keys or certificates,
    /// with a position in the file or in what was decrypted.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn from_der(der: &[u8], password: &str, limits: &Limits) -> Result<Self> {
        Self::read(der, Rules::Der, password, limits)
    }

    /// Reads a file in BER ([`adamant_der::ber`]), as some programs write them: with indefinite
    /// lengths, strings in pieces and attributes in any order. Certificates in it have to be in
    /// DER.
    ///
    /// # Errors
    /// As [`Pkcs12::from_der`], with positions in what the file is in DER.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn from_ber(ber: &[u8], password: &str, limits: &Limits) -> Result<Self> {
        Self::read(ber, Rules::Ber, password, limits)
    }

    #[cfg_attr(not(feature = "lab"), inline)]
    fn read(file: &[u8], rules: Rules, password: &str, limits: &Limits) -> Result<Self> {
        let missing = |r: &Reader<'_>| {
            let kind = Der::UnexpectedValue("a file of PKCS #12 without a MAC");
            ErrorKind::Der(kind).at(r.position())
        };
        let mut room = SecretBytes::zeros(0);
        let (safe, mac) = within(rules.canonical(Reader::new(file), &mut room)?, |r| {
            sequence(r, |r| {
                version(r, &[3])?;
                let safe = sequence(r, |r| {
                    let position = r.position();
                    match r.oid()? {
                        DATA => Ok(r.explicit(0, |r| r.enter(Tag::OCTET_STRING))?),
                        other => Err(ErrorKind::UnknownAlgorithm(other).at(position)),
                    }
                })?;
                if r.is_empty() {
                    return Err(missing(r));
                }
                Ok((safe, MacData::read(r)?))
            })
        })?;
        // One for the whole file, and not for each of its derivations.
        let mut budget = Budget::new(limits);
        mac.verify(safe.rest(), password, &mut budget)?;
        let mut file = Self::default();
        let mut room = SecretBytes::zeros(0);
        within(rules.canonical(safe, &mut room)?, |r| {
            sequence(r, |r| {
                while !r.is_empty() {
                    sequence(r, |r| file.read_contents(r, rules, password, &mut budget))?;
                }
                Ok(())
            })
        })?;
        Ok(file)
    }

    /// Reads a ContentInfo of the AuthenticatedSafe.
    #[cfg_attr(not(feature = "lab"), inline)]
    fn read_contents(
        &mut self,
        r: &mut Reader<'_>,
        rules: Rules,
        password: &str,
        budget: &mut Budget,
    ) -> Result<()> {
        let position = r.position();
        let mut room = SecretBytes::zeros(0);
        match r.oid()? {
            DATA => {
                let bags = r.explicit(0, |r| r.enter(Tag::OCTET_STRING))?;
                let bags = rules.canonical(bags, &mut room)?;
                bags::read_bags(bags, password, budget, self)
            }
            ENCRYPTED_DATA => {
                let data = r.read(Tag::context_constructed(0))?;
                let (scheme, encrypted) = within(data.reader()?, |r| {
                    sequence(r, |r| {
                        version(r, &[0])?;
                        sequence(r, |r| {
                            let position = r.position();
                            let kind = r.oid()?;
                            if kind != DATA {
                                return Err(ErrorKind::UnknownAlgorithm(kind).at(position));
                            }
                            Ok((Scheme::read(r)?, rules.implicit_octets(r)?))
                        })
                    })
                })?;
                let bags = scheme.decrypt(password.as_bytes(), &encrypted, budget)?;
                let bags = rules.canonical(Reader::new(&bags), &mut room)?;
                bags::read_bags(bags, password, budget, self)
            }
            other => Err(ErrorKind::UnknownAlgorithm(other).at(position)),
        }
    }

    /// The file.
    ///
    /// # Errors
    /// [`ErrorKind::Crypto`]: that of the generator, parameters out of range or only fit for
    /// reading, a name with a character beyond the Basic Multilingual Plane, which its BMPString
    /// does not have.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn to_der(
        &self,
        password: &str,
        protection: &Protection,
        rng: &mut impl Rng,
    ) -> Result<Vec<u8>> {
        if protection.mac_iterations == 0 {
            return Err(CryptoError::BadParameter("mac_iterations").into());
        }
        let mut bags = Writer::new();
        bags::write_certificates(&mut bags, &self.certificates)?;
        let (scheme, encrypted) =
            protection
                .scheme
                .encrypt(password.as_bytes(), &bags.finish(), rng)?;
        let mut safe = Writer::new();
        safe.sequence(|w| {
            w.sequence(|w| {
                w.oid(&ENCRYPTED_DATA);
                w.explicit(0, |w| {
                    w.sequence(|w| {
                        w.integer_u64(0);
                        w.sequence(|w| {
                            w.oid(&DATA);
                            w.raw(&scheme);
                            w.tlv(Tag::context(0), &encrypted);
                        });
                    });
                });
            });
            write_data(w, |w| {
                bags::write_keys(w, &self.keys, password, protection, rng)
            })
        })?;
        let safe = safe.finish();
        let mut w = Writer::new();
        w.sequence(|w| {
            w.integer_u64(3);
            write_data(w, |w| w.raw(&safe));
            mac::write_mac(w, &safe, password, protection.mac_iterations, rng)
        })?;
        Ok(w.finish())
    }
}

/// Appends a ContentInfo of plain data.
fn write_data<R>(w: &mut Writer, write: impl FnOnce(&mut Writer) -> R) -> R {
    w.sequence(|w| {
        w.oid(&DATA);
        w.explicit(0, |w| w.octet_string_with(write))
    })
}
