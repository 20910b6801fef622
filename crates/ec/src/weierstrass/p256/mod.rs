//! ECDSA and ECDH on P-256, also called secp256r1 and prime256v1: FIPS 186-5 (signatures),
//! SP 800-186 (curve), SP 800-56A (key agreement, 5.7.1.2), RFC 6979 (nonces), SEC 1 (encodings).
//!
//! ```
//! use adamant_ec::p256::{PrivateKey, PublicKey, Signature};
//! # struct Counter(u8);
//! # impl adamant_base::Rng for Counter {
//! #     fn fill(&mut self, out: &mut [u8]) -> Result<(), adamant_base::Error> {
//! #         out.fill_with(|| { self.0 = self.0.wrapping_add(1); self.0 });
//! #         Ok(())
//! #     }
//! # }
//! # let mut rng = Counter(0); // a real program takes a generator fit for keys
//! let alice = PrivateKey::generate(&mut rng)?;
//! let signature = alice.sign(b"a message");
//! // The bytes to send:
//! let (key, signature) = (alice.public_key().to_sec1(), signature.to_bytes());
//! // The other side:
//! let key = PublicKey::from_sec1(&key)?;
//! key.verify(b"a message", &Signature::from_bytes(&signature)?)?;
//!
//! // Key agreement: both sides get the same secret. Feed it to a KDF.
//! let bob = PrivateKey::generate(&mut rng)?;
//! assert_eq!(*alice.agree(&bob.public_key())?, *bob.agree(&key)?);
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! Work on a private key, a nonce or an agreed secret takes the same time for every value.
//! Verification does not: all that it reads is public. So are, once made, public keys and
//! signatures. The number of candidates that a generator of keys or nonces has to be asked for
//! shows (2^-32 of them are refused), and tells nothing of the one taken.
//!
//! Montgomery's reduction is cheap for this prime, p = 2^256 - 2^224 + 2^192 + 2^96 - 1. As
//! p = -1 mod 2^64, the multiple of p that clears the lowest word m of a number is m p itself, and
//! m p + m = m (2^256 - 2^224 + 2^192) + m 2^96: one multiplication by the top word of p and one
//! shift.

#[cfg(test)]
mod tests;

use super::curve::{Curve, Derived};
use super::field::Field;
use super::words::{Product, adc, add, sbb, sub};
use adamant_base::ct::barrier;
use adamant_hash::Sha256;

/// The curve (SP 800-186, 3.2.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct P256;

impl Curve<4> for P256 {
    const NAME: &'static str = "p256";
    const P: [u64; 4] = [
        0xffff_ffff_ffff_ffff,
        0x0000_0000_ffff_ffff,
        0x0000_0000_0000_0000,
        0xffff_ffff_0000_0001,
    ];
    const A: [u64; 4] = [
        0xffff_ffff_ffff_fffc,
        0x0000_0000_ffff_ffff,
        0x0000_0000_0000_0000,
        0xffff_ffff_0000_0001,
    ];
    const B: [u64; 4] = [
        0x3bce_3c3e_27d2_604b,
        0x651d_06b0_cc53_b0f6,
        0xb3eb_bd55_7698_86bc,
        0x5ac6_35d8_aa3a_93e7,
    ];
    const G: [[u64; 4]; 2] = [
        [
            0xf4a1_3945_d898_c296,
            0x7703_7d81_2deb_33a0,
            0xf8bc_e6e5_63a4_40f2,
            0x6b17_d1f2_e12c_4247,
        ],
        [
            0xcbb6_4068_37bf_51f5,
            0x2bce_3357_6b31_5ece,
            0x8ee7_eb4a_7c0f_9e16,
            0x4fe3_42e2_fe1a_7f9b,
        ],
    ];
    const N: [u64; 4] = [
        0xf3b9_cac2_fc63_2551,
        0xbce6_faad_a717_9e84,
        0xffff_ffff_ffff_ffff,
        0xffff_ffff_0000_0000,
    ];
    type Scalar = [u8; 32];
    type Uncompressed = [u8; 65];
    type Compressed = [u8; 33];
    type SignatureBytes = [u8; 64];
    type Hash = Sha256;
    type Group = Backend;
}

impl Field<4> for P256 {
    super::table::lazy!(4);

    #[inline(always)]
    fn multiply<M: Product>(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        let (low, high) = M::wide(a, b);
        reduce::<M>(&low, &high)
    }

    #[inline(always)]
    fn square<M: Product>(a: &[u64; 4]) -> [u64; 4] {
        let (low, high) = M::wide_square(a);
        reduce::<M>(&low, &high)
    }
}

/// `t / 2^256` mod p, for the halves of `t` below `2^256 p`.
#[inline(always)]
fn reduce<M: Product>(low: &[u64; 4], high: &[u64; 4]) -> [u64; 4] {
    // Each step clears the lowest word and drops it. What is left stays below 2^192 + p < 2^256, and
    // is at most p in the end.
    let [mut a, mut b, mut c, mut d] = *low;
    for _ in 0..4 {
        let m = a;
        // The highest word is 2^64 - 2^32 + 1.
        let (lo, hi) = if M::IS_SHORT {
            let (lo, borrow) = sbb(m, m << 32, false);
            (lo, m - (m >> 32) - u64::from(borrow))
        } else {
            M::mul(m, P256::P[3])
        };
        let carry;
        (a, carry) = adc(b, m << 32, false);
        let (next_b, carry) = adc(c, m >> 32, carry);
        let (next_c, carry) = adc(d, lo, carry);
        (d, _) = adc(hi, 0, carry);
        (b, c) = (next_b, next_c);
    }
    let (t, carry) = add(&[a, b, c, d], high);
    // The barriers keep the subtraction of p one chain of borrows.
    let (less, borrow) = sub(&t, &P256::P.map(barrier));
    let mask = barrier(u64::from(borrow & !carry).wrapping_neg());
    add(&less, &P256::P.map(|word| word & mask)).0
}

// Both reductions multiply by 1 what clears a word.
const _: () = assert!(<P256 as Derived<4>>::FIELD.n0 == 1);

#[cfg(feature = "lab")]
mod generic64 {
    //! What `portable64` is without the reduction that is special of p.
    crate::weierstrass::rows::generic!(P256, 4, By64);
}

#[cfg(feature = "lab")]
mod generic32 {
    //! What `portable32` is without the reduction that is special of p.
    crate::weierstrass::rows::generic!(P256, 4, By32);
}

#[cfg(feature = "lab")]
mod generic16 {
    //! What `portable16` is without the reduction that is special of p.
    crate::weierstrass::rows::generic!(P256, 4, By16);
}

super::rows::prime! { P256, 4 x86_ifma512 { limbs: 5, single: 6, fewest: [2, 2, 2] } [
        #[cfg(feature = "lab")]
        generic64 if [];
        #[cfg(feature = "lab")]
        generic32 if [];
        #[cfg(feature = "lab")]
        generic16 if [];
    ], arm_umull::p256, x86_adx::p256, x86_bmi2;
}
