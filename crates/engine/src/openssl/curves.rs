//! Elliptic curves in Weierstrass form: their names on both sides.

use std::ffi::{CStr, c_int};

use super::ffi::Libcrypto;
use super::ffi::keys::{Key, Setting};
use crate::der;

pub(super) struct Curve {
    pub(super) name: &'static str,
    /// What makes a generator of keys use it.
    pub(super) settings: &'static [Setting],
    /// OpenSSL's number (`NID`).
    pub(super) nid: c_int,
    /// The object identifier's contents in DER.
    oid: &'static [u8],
    /// Bytes of a coordinate and of a scalar.
    pub(super) size: usize,
    /// What ECDSA hashes with.
    pub(super) digest: &'static CStr,
}

const fn curve(
    name: &'static str,
    settings: &'static [Setting],
    nid: c_int,
    oid: &'static [u8],
    size: usize,
    digest: &'static CStr,
) -> Curve {
    Curve {
        name,
        settings,
        nid,
        oid,
        size,
        digest,
    }
}

const GROUP: &CStr = c"ec_paramgen_curve";

/// Those of ECDSA and ECDH (SEC 2, RFC 5639).
#[rustfmt::skip]
pub(super) static CURVES: [Curve; 9] = [
    curve("p224", &[(GROUP, c"P-224")], 713, &[0x2b, 0x81, 0x04, 0x00, 0x21], 28, c"SHA224"),
    curve("p256", &[(GROUP, c"P-256")], 415, &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07], 32, c"SHA256"),
    curve("p384", &[(GROUP, c"P-384")], 715, &[0x2b, 0x81, 0x04, 0x00, 0x22], 48, c"SHA384"),
    curve("p521", &[(GROUP, c"P-521")], 716, &[0x2b, 0x81, 0x04, 0x00, 0x23], 66, c"SHA512"),
    curve("secp256k1", &[(GROUP, c"secp256k1")], 714, &[0x2b, 0x81, 0x04, 0x00, 0x0a], 32, c"SHA256"),
    curve("brainpoolp256r1", &[(GROUP, c"brainpoolP256r1")], 927, &[0x2b, 0x24, 3, 3, 2, 8, 1, 1, 0x07], 32, c"SHA256"),
    curve("brainpoolp320r1", &[(GROUP, c"brainpoolP320r1")], 929, &[0x2b, 0x24, 3, 3, 2, 8, 1, 1, 0x09], 40, c"SHA384"),
    curve("brainpoolp384r1", &[(GROUP, c"brainpoolP384r1")], 931, &[0x2b, 0x24, 3, 3, 2, 8, 1, 1, 0x0b], 48, c"SHA384"),
    curve("brainpoolp512r1", &[(GROUP, c"brainpoolP512r1")], 933, &[0x2b, 0x24, 3, 3, 2, 8, 1, 1, 0x0d], 64, c"SHA512"),
];

/// That of GB/T 32918.
pub(super) static SM2: Curve = curve(
    "sm2",
    &[],
    1172,
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x82, 0x2d],
    32,
    c"SM3",
);

impl Curve {
    pub(super) fn private(&self, lib: Libcrypto, scalar: &[u8]) -> Result<Key, String> {
        if scalar.len() != self.size {
            return Err(format!("private_key has to have {} bytes", self.size));
        }
        Key::private_der(lib, &der::ec_pkcs8(self.oid, scalar))
    }

    pub(super) fn public(&self, lib: Libcrypto, point: &[u8]) -> Result<Key, String> {
        if point.len() != 2 * self.size + 1 {
            return Err(format!(
                "the public key has to have {} bytes",
                2 * self.size + 1
            ));
        }
        Key::public_der(lib, &der::ec_spki(self.oid, point))
    }
}
