//! The parameters of RSASSA-PSS (RFC 4055, 3.1).

use adamant_der::{Oid, Reader, oid};

use super::{AlgorithmIdentifier, SignatureAlgorithm};
use crate::element::{optional_explicit, sequence};
use crate::{Element, ErrorKind, Result};

pub(super) const OID: Oid = oid!("1.2.840.113549.1.1.10");
const MGF1: Oid = oid!("1.2.840.113549.1.1.8");

/// The hashes, by their number in NIST's arc 2.16.840.1.101.3.4.2, with the length of a digest.
const fn parameters(hash: u8, len: u8) -> [u8; 54] {
    let mut out = [
        0x30, 52, // RSASSA-PSS-params
        0xa0, 15, 0x30, 13, 0x06, 9, 0x60, 0x86, 0x48, 0x01, 0x65, 3, 4, 2, 0, 0x05,
        0, // hash
        0xa1, 28, 0x30, 26, 0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 8, // MGF1
        0x30, 13, 0x06, 9, 0x60, 0x86, 0x48, 0x01, 0x65, 3, 4, 2, 0, 0x05, 0, // with the hash
        0xa2, 3, 0x02, 1, 0, // the length of the salt
    ];
    (out[16], out[46], out[53]) = (hash, hash, len);
    out
}

pub(super) const SHA256: &[u8] = &parameters(1, 32);
pub(super) const SHA384: &[u8] = &parameters(2, 48);
pub(super) const SHA512: &[u8] = &parameters(3, 64);

const HASHES: [(Oid, SignatureAlgorithm); 3] = [
    (
        oid!("2.16.840.1.101.3.4.2.1"),
        SignatureAlgorithm::RsaPssSha256,
    ),
    (
        oid!("2.16.840.1.101.3.4.2.2"),
        SignatureAlgorithm::RsaPssSha384,
    ),
    (
        oid!("2.16.840.1.101.3.4.2.3"),
        SignatureAlgorithm::RsaPssSha512,
    ),
];

/// RSASSA-PSS with the mask MGF1 of the same hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pss {
    pub(crate) algorithm: SignatureAlgorithm,
    /// Bytes of the salt.
    pub(crate) salt_len: usize,
}

impl Pss {
    /// Reads the parameters of an identifier. What is SHA-1's by default is SHA-1's, which is not
    /// known here.
    pub(crate) fn read(identifier: &AlgorithmIdentifier<'_>) -> Result<Self> {
        let wrong = ErrorKind::WrongParameters(OID).at(identifier.position());
        let parameters = identifier.parameters.ok_or(wrong)?;
        let mut r = Reader::new(parameters);
        sequence(&mut r, |r| {
            let hash = optional_explicit(r, 0, AlgorithmIdentifier::read)?.ok_or(wrong)?;
            let mask = optional_explicit(r, 1, |r| {
                sequence(r, |r| Ok((r.oid()?, AlgorithmIdentifier::read(r)?)))
            })?;
            // Its default is not encoded, nor is the trailer's, the only one there is.
            let salt_len = optional_explicit(r, 2, |r| match r.u32()? {
                20 => Err(wrong),
                len => Ok(len as usize),
            })?;
            let known = HASHES.iter().find(|(oid, _)| *oid == hash.oid);
            let (_, algorithm) = known.ok_or(wrong)?;
            match mask {
                Some((MGF1, mask)) if mask.oid == hash.oid => Ok(Self {
                    algorithm: *algorithm,
                    salt_len: salt_len.unwrap_or(20),
                }),
                _ => Err(wrong),
            }
        })
        .map_err(|_| wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn defaults_are_not_encoded() {
        // SHA-256, with these elements in the place of the last, the length of the salt.
        let salt_len = |elements: &[u8]| {
            let mut parameters: Vec<u8> = [&SHA256[..49], elements].concat();
            parameters[1] = parameters.len() as u8 - 2;
            let identifier = AlgorithmIdentifier::new(OID, Some(&parameters));
            Pss::read(&identifier).ok().map(|pss| pss.salt_len)
        };
        assert_eq!(salt_len(&SHA256[49..]), Some(32));
        assert_eq!(salt_len(&[]), Some(20));
        for len in 0..=127 {
            let salt = [0xa2, 3, 2, 1, len];
            assert_eq!(salt_len(&salt), Some(usize::from(len)).filter(|n| *n != 20));
            for trailer in [0, 1, 2] {
                let trailer = [0xa3, 3, 2, 1, trailer];
                assert_eq!(salt_len(&[salt, trailer].concat()), None);
                assert_eq!(salt_len(&trailer), None);
            }
        }
    }
}
