//! ECDSA and ECDH on secp256k1, the curve of Bitcoin (SEC 2, 2.4.1).
//!
//! The names are those of [`p256`](crate::p256), where there are examples.
//!
//! ```
//! use adamant_ec::secp256k1::{PrivateKey, PublicKey};
//! let key = PrivateKey::from_bytes(&[1; 32])?;
//! let signature = key.sign(b"a message");
//! let public = PublicKey::from_sec1(&key.public_key().to_sec1_compressed())?;
//! public.verify(b"a message", &signature)?;
//! # Ok::<(), adamant_base::Error>(())
//! ```

use super::curve::{Curve, Derived};
use super::endomorphism::Endomorphism;
use super::field::Field;
use super::modulus::mul_add_row;
use super::words::{Product, add, from_hex};
use adamant_hash::Sha256;

/// The curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secp256k1;

impl Curve<4> for Secp256k1 {
    const NAME: &'static str = "secp256k1";
    const P: [u64; 4] =
        from_hex("ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff fffffffe fffffc2f");
    const A: [u64; 4] =
        from_hex("00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000");
    const B: [u64; 4] =
        from_hex("00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000007");
    const G: [[u64; 4]; 2] = [
        from_hex("79be667e f9dcbbac 55a06295 ce870b07 029bfcdb 2dce28d9 59f2815b 16f81798"),
        from_hex("483ada77 26a3c465 5da4fbfc 0e1108a8 fd17b448 a6855419 9c47d08f fb10d4b8"),
    ];
    const N: [u64; 4] =
        from_hex("ffffffff ffffffff ffffffff fffffffe baaedce6 af48a03b bfd25e8c d0364141");
    const LOW_S: bool = true;
    type Scalar = [u8; 32];
    type Uncompressed = [u8; 65];
    type Compressed = [u8; 33];
    type SignatureBytes = [u8; 64];
    type Hash = Sha256;
    type Group = Backend;
}

impl Field<4> for Secp256k1 {
    const PLAIN: bool = true;
    const ENDOMORPHISM: Option<&'static Endomorphism<4>> = Some(&Endomorphism {
        beta: from_hex("7ae96a2b 657c0710 6e64479e ac3434e9 9cf04975 12f58995 c1396c28 719501ee"),
        lambda: from_hex("5363ad4c c05c30e0 a5261c02 8812645a 122e22ea 20816678 df02967c 1b23bd72"),
        minus_b: [
            from_hex("e4437ed6 010e8828 6f547fa9 0abfe4c3"),
            from_hex("ffffffff ffffffff ffffffff fffffffe 8a280ac5 0774346d d765cda8 3db1562c"),
        ],
        g: [
            from_hex("3086d221 a7d46bcd e86c90e4 9284eb15 3daa8a14 71e8ca7f e893209a 45dbb031"),
            from_hex("e4437ed6 010e8828 6f547fa9 0abfe4c4 221208ac 9df506c6 1571b4ae 8ac47f71"),
        ],
        split: Endomorphism::halves,
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        split_odd: Endomorphism::odd_halves,
    });

    #[inline(always)]
    fn multiply<M: Product>(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        reduce::<M>(M::wide(a, b))
    }

    #[inline(always)]
    fn square<M: Product>(a: &[u64; 4]) -> [u64; 4] {
        reduce::<M>(M::wide_square(a))
    }

    super::table::lazy!(4);
}

/// 2^256 - p.
const C: u64 = 0x1_0000_03d1;

/// A product, in halves, modulo p: 2^256 is C, twice.
#[inline(always)]
fn reduce<M: Product>((low, high): ([u64; 4], [u64; 4])) -> [u64; 4] {
    let (t, top) = mul_add_row::<M, 4>(&low, &high, C);
    // The top is at most C, and so the sum below 2^256 + 2^67 < 2p.
    let (lo, hi) = M::mul(top, C);
    Secp256k1::FIELD.reduce_once(add(&t, &[lo, hi, 0, 0]))
}

super::rows::prime! {
    Secp256k1, 4 x86_ifma512 { limbs: 5, single: 6, fewest: [2, 3, 3] },
    arm_umull::secp256k1, x86_adx::secp256k1;
}
