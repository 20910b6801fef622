//! The protection of a PKCS #12 file from changes: an HMAC with a key derived as RFC 7292, appendix
//! B, has it, or as PBMAC1 (RFC 9579).

use alloc::vec::Vec;

use adamant_base::family::Hash;
use adamant_base::{Rng, SecretBytes, ct};
use adamant_der::{ErrorKind as Der, Oid, Reader, Tag, Writer, oid};
use adamant_hash::{Hmac, Sha1, Sha256, Sha384, Sha512};

use crate::element::sequence;
use crate::pbes2::{Budget, Prf, Salted};
use crate::{AlgorithmIdentifier, Element, ErrorKind, Result};

const PBMAC1: Oid = oid!("1.2.840.113549.1.5.14");
const SHA256: Oid = oid!("2.16.840.1.101.3.4.2.1");
const NULL: &[u8] = &[0x05, 0x00];

/// The purpose of a key for a MAC (RFC 7292, B.3).
const MAC_KEY: u8 = 3;

/// A password as RFC 7292, B.1, wants it: a BMPString with two zeros at the end. Characters above
/// that plane are pairs of surrogates, as everyone writes them.
fn wide(password: &str) -> SecretBytes {
    let mut octets = Vec::with_capacity(2 * password.len() + 2);
    for unit in password.encode_utf16().chain([0]) {
        octets.extend_from_slice(&unit.to_be_bytes());
    }
    octets.into()
}

/// As many repetitions as fill whole blocks.
fn repeated(octets: &[u8], block: usize) -> impl Iterator<Item = u8> {
    let len = octets.len().div_ceil(block) * block;
    octets.iter().copied().cycle().take(len)
}

/// The key of an HMAC with the hash `H` (RFC 7292, B.2): as long as a digest, so that the first
/// is all of it.
#[cfg_attr(not(feature = "lab"), inline)]
fn derive<H: Hash>(password: &str, salt: &[u8], iterations: u32) -> H::Output {
    let password = wide(password);
    let mut hash = H::new();
    for _ in 0..H::BLOCK_LEN {
        hash.update(&[MAC_KEY]);
    }
    let blocks = salt.len().div_ceil(H::BLOCK_LEN) + password.len().div_ceil(H::BLOCK_LEN);
    let mut input = Vec::with_capacity(blocks * H::BLOCK_LEN);
    input.extend(repeated(salt, H::BLOCK_LEN));
    input.extend(repeated(&password, H::BLOCK_LEN));
    let input = SecretBytes::from(input);
    hash.update(&input);
    let mut key = hash.finalize();
    for _ in 1..iterations {
        key = H::digest(key.as_ref());
    }
    key
}

#[cfg_attr(not(feature = "lab"), inline)]
fn mac_with<H: Hash>(password: &str, salt: &[u8], iterations: u32, message: &[u8]) -> Vec<u8> {
    let mut key = derive::<H>(password, salt, iterations);
    let tag = Hmac::<H>::mac(key.as_ref(), message);
    adamant_base::Wipe::wipe(key.as_mut());
    tag.as_ref().to_vec()
}

type MacWith = fn(&str, &[u8], u32, &[u8]) -> Vec<u8>;

/// How the key is derived, and the hash.
#[derive(Clone, Copy)]
enum Method<'a> {
    /// RFC 7292, appendix B.
    Own {
        mac: MacWith,
        salt: &'a [u8],
        iterations: u32,
    },
    Pbmac1 {
        kdf: Salted<'a>,
        prf: Prf,
    },
}

/// MacData (RFC 7292, section 4).
pub(super) struct MacData<'a> {
    method: Method<'a>,
    tag: &'a [u8],
    position: usize,
}

impl<'a> MacData<'a> {
    pub(super) fn read(r: &mut Reader<'a>) -> Result<Self> {
        let position = r.position();
        sequence(r, |r| {
            let (method, tag) = sequence(r, |r| Ok((Digest::read(r)?, r.octet_string()?)))?;
            let salt = r.octet_string()?;
            let here = r.position();
            let iterations = if r.is_empty() { 1 } else { r.u32()? };
            if iterations == 0 {
                return Err(ErrorKind::Der(Der::UnexpectedValue("no iterations")).at(here));
            }
            let method = match method {
                Digest::Own(mac) => Method::Own {
                    mac,
                    salt,
                    iterations,
                },
                // The rest is there for readers that do not know it.
                Digest::Pbmac1(kdf, prf) => Method::Pbmac1 { kdf, prf },
            };
            Ok(Self {
                method,
                tag,
                position,
            })
        })
    }

    /// Whether these octets are those that were protected.
    ///
    /// # Errors
    /// [`ErrorKind::TooCostly`]; [`ErrorKind::WrongPassword`] where they are not.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(super) fn verify(&self, message: &[u8], password: &str, budget: &mut Budget) -> Result<()> {
        let expected = match self.method {
            Method::Own {
                mac,
                salt,
                iterations,
            } => {
                let paid = budget.iterate(iterations.into());
                paid.map_err(|kind| kind.at(self.position))?;
                mac(password, salt, iterations, message)
            }
            Method::Pbmac1 { kdf, prf } => {
                let mut key = SecretBytes::zeros(prf.output_len());
                kdf.derive(password.as_bytes(), &mut key, budget)?;
                prf.mac(&key, message)
            }
        };
        // Whether the password is right is the answer.
        if ct::eq(&expected, self.tag).declassify() {
            Ok(())
        } else {
            Err(ErrorKind::WrongPassword.at(0))
        }
    }
}

/// The algorithm in the DigestInfo of a MacData.
enum Digest<'a> {
    Own(MacWith),
    Pbmac1(Salted<'a>, Prf),
}

impl<'a> Digest<'a> {
    const HASHES: [(Oid, MacWith); 4] = [
        (oid!("1.3.14.3.2.26"), mac_with::<Sha1>),
        (SHA256, mac_with::<Sha256>),
        (oid!("2.16.840.1.101.3.4.2.2"), mac_with::<Sha384>),
        (oid!("2.16.840.1.101.3.4.2.3"), mac_with::<Sha512>),
    ];

    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let position = r.position();
            let oid = r.oid()?;
            let here = r.position();
            if oid == PBMAC1 {
                let (kdf, prf) = sequence(r, |r| Ok((Salted::read(r)?, Prf::read(r)?)))?;
                // RFC 9579, section 6: the length of the key is told, and is the tag's.
                let told = kdf.key_len == Some(prf.output_len() as u32);
                return if told {
                    Ok(Self::Pbmac1(kdf, prf))
                } else {
                    Err(ErrorKind::WrongParameters(oid).at(here))
                };
            }
            let known = Self::HASHES.iter().find(|(known, _)| *known == oid);
            let (_, mac) = known.ok_or(ErrorKind::UnknownAlgorithm(oid).at(position))?;
            match r.optional(Tag::NULL)? {
                Some(null) if !null.value.is_empty() => {
                    Err(ErrorKind::WrongParameters(oid).at(here))
                }
                _ => Ok(Self::Own(*mac)),
            }
        })
    }
}

/// Appends the MacData of these octets, with HMAC-SHA-256 and a fresh salt.
#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn write_mac(
    w: &mut Writer,
    message: &[u8],
    password: &str,
    iterations: u32,
    rng: &mut impl Rng,
) -> Result<()> {
    let mut salt = [0; 16];
    rng.fill(&mut salt)?;
    let tag = mac_with::<Sha256>(password, &salt, iterations, message);
    w.sequence(|w| {
        w.sequence(|w| {
            AlgorithmIdentifier::new(SHA256, Some(NULL)).write(w);
            w.octet_string(&tag);
        });
        w.octet_string(&salt);
        if iterations != 1 {
            w.integer_u64(iterations.into());
        }
    });
    Ok(())
}
