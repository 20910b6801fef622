//! ECDSA and ECDH on P-521, also called secp521r1 (SP 800-186, 3.2.1.5).
//!
//! The names are those of [`p256`](crate::p256), where there are examples.
//!
//! ```
//! use adamant_ec::p521::{PrivateKey, PublicKey};
//! let key = PrivateKey::from_bytes(&[1; 66])?;
//! let signature = key.sign(b"a message");
//! let public = PublicKey::from_sec1(&key.public_key().to_sec1_compressed())?;
//! public.verify(b"a message", &signature)?;
//! # Ok::<(), adamant_base::Error>(())
//! ```

use super::curve::Curve;
use super::field::Field;
use super::words::{Product, adc, from_hex, sbb};
use adamant_hash::Sha512;

/// The curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct P521;

impl Curve<9> for P521 {
    const NAME: &'static str = "p521";
    const P: [u64; 9] = from_hex(
        "01ff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff \
         ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff \
         ffffffff",
    );
    const A: [u64; 9] = from_hex(
        "01ff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff \
         ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff \
         fffffffc",
    );
    const B: [u64; 9] = from_hex(
        "0051 953eb961 8e1c9a1f 929a21a0 b68540ee a2da725b 99b315f3 b8b48991 \
         8ef109e1 56193951 ec7e937b 1652c0bd 3bb1bf07 3573df88 3d2c34f1 ef451fd4 \
         6b503f00",
    );
    const G: [[u64; 9]; 2] = [
        from_hex(
            "00c6 858e06b7 0404e9cd 9e3ecb66 2395b442 9c648139 053fb521 f828af60 \
         6b4d3dba a14b5e77 efe75928 fe1dc127 a2ffa8de 3348b3c1 856a429b f97e7e31 \
         c2e5bd66",
        ),
        from_hex(
            "0118 39296a78 9a3bc004 5c8a5fb4 2c7d1bd9 98f54449 579b4468 17afbd17 \
         273e662c 97ee7299 5ef42640 c550b901 3fad0761 353c7086 a272c240 88be9476 \
         9fd16650",
        ),
    ];
    const N: [u64; 9] = from_hex(
        "01ff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff \
         fffffffa 51868783 bf2f966b 7fcc0148 f709a5d0 3bb5c9b8 899c47ae bb6fb71e \
         91386409",
    );
    type Scalar = [u8; 66];
    type Uncompressed = [u8; 133];
    type Compressed = [u8; 67];
    type SignatureBytes = [u8; 132];
    type Hash = Sha512;
    type Group = Backend;
}

impl Field<9> for P521 {
    const PLAIN: bool = true;

    #[inline(always)]
    fn multiply<M: Product>(a: &[u64; 9], b: &[u64; 9]) -> [u64; 9] {
        reduce(M::wide(a, b))
    }

    #[inline(always)]
    fn square<M: Product>(a: &[u64; 9]) -> [u64; 9] {
        reduce(M::wide_square(a))
    }

    super::table::lazy!(9);
}

/// Bits of the top word of a number below 2^521.
const TOP: u64 = (1 << 9) - 1;

/// A product, in halves, modulo p = 2^521 - 1: its lower 521 bits and those above are added.
#[inline(always)]
fn reduce((low, high): ([u64; 9], [u64; 9])) -> [u64; 9] {
    let mut sum = [0; 9];
    // One more than the sum has bit 521 set exactly if the sum is not below p, and is then the sum
    // less p above it. It is below 2p, as a product of two numbers below p is below (p - 1)^2 + 1.
    let mut carry = true;
    for i in 0..9 {
        let from = if i == 0 { low[8] } else { high[i - 1] };
        let above = from >> 9 | high[i] << 55;
        let below = if i == 8 { low[8] & TOP } else { low[i] };
        (sum[i], carry) = adc(below, above, carry);
    }
    let mut borrow = sum[8] >> 9 == 0;
    sum[8] &= TOP;
    for word in &mut sum {
        (*word, borrow) = sbb(*word, 0, borrow);
    }
    sum
}

super::rows::prime! {
    P521, 9 x86_ifma512 { limbs: 11, fewest: [3, 3, 3] } [],
    arm_mul::p521, x86_adx::p521;
}
