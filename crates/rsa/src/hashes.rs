//! Hashes as values, so that paddings are compiled once and not for each hash, and their names in
//! PKCS#1 v1.5 signatures.

use crate::mgf::mgf1_xor;
use adamant_base::family::Hash;
use adamant_hash::{
    Sha1, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Sha224, Sha256, Sha384, Sha512, Sha512_256,
};

/// Bytes of the longest digest.
const LONGEST: usize = 64;

/// A hash.
#[derive(Clone, Copy)]
pub(crate) struct Hasher {
    /// Bytes of a digest.
    pub(crate) len: usize,
    digest: fn(&[&[u8]], &mut [u8; LONGEST]),
    /// MGF1: takes the exclusive or of the second and the mask for the first.
    pub(crate) mask: fn(&[u8], &mut [u8]),
}

impl Hasher {
    pub(crate) const fn of<H: Hash>() -> Self {
        const { assert!(H::OUTPUT_LEN <= LONGEST) };
        Self {
            len: H::OUTPUT_LEN,
            digest: |parts, out| {
                out[..H::OUTPUT_LEN].copy_from_slice(H::new().finish_with(parts).as_ref());
            },
            mask: mgf1_xor::<H>,
        }
    }

    /// The digest of all parts, one after the other, and zeros.
    pub(crate) fn digest(self, parts: &[&[u8]]) -> [u8; LONGEST] {
        let mut out = [0; LONGEST];
        (self.digest)(parts, &mut out);
        out
    }
}

/// The name of a hash, and the length of its digests.
#[derive(Clone, Copy)]
pub(crate) struct Named {
    oid: &'static [u8],
    pub(crate) len: usize,
}

impl Named {
    pub(crate) const fn of<H: DigestInfo>() -> Self {
        Self {
            oid: H::OID,
            len: H::OUTPUT_LEN,
        }
    }
}

/// A hash that PKCS#1 v1.5 signatures can name.
pub trait DigestInfo: Hash {
    /// The contents of its OBJECT IDENTIFIER, at most 16 bytes.
    const OID: &'static [u8];
}

macro_rules! oids {
    ($($hash:ty: $oid:expr;)*) => { $(
        impl DigestInfo for $hash {
            const OID: &'static [u8] = $oid;
        }
    )* };
}

/// NIST's arc of hashes, 2.16.840.1.101.3.4.2, and this number in it.
const fn nist(number: u8) -> [u8; 9] {
    [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, number]
}

oids! {
    Sha1: &[0x2b, 0x0e, 0x03, 0x02, 0x1a];
    Sha224: &nist(4);
    Sha256: &nist(1);
    Sha384: &nist(2);
    Sha512: &nist(3);
    Sha512_256: &nist(6);
    Sha3_224: &nist(7);
    Sha3_256: &nist(8);
    Sha3_384: &nist(9);
    Sha3_512: &nist(10);
}

/// The prefix of the digest (RFC 8017, 9.2): `SEQUENCE { SEQUENCE { OID, NULL }, OCTET STRING
/// header`; the bytes and how many they are.
pub(crate) fn prefix(hash: Named) -> ([u8; 32], usize) {
    let (oid, digest) = (hash.oid, hash.len);
    let algorithm = oid.len() + 4;
    debug_assert!(oid.len() <= 16 && algorithm + 4 + digest < 128);
    let mut out = [0; 32];
    let head = [
        0x30,
        (algorithm + 4 + digest) as u8,
        0x30,
        algorithm as u8,
        0x06,
        oid.len() as u8,
    ];
    let end = head.len() + oid.len();
    out[..head.len()].copy_from_slice(&head);
    out[head.len()..end].copy_from_slice(oid);
    out[end..end + 4].copy_from_slice(&[0x05, 0x00, 0x04, digest as u8]);
    (out, end + 4)
}
