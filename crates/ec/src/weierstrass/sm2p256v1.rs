//! The curve sm2p256v1 (GB/T 32918.5), `curveSM2` of RFC 8998, with ECDH and ECDSA on it.
//!
//! SM2's own signatures, encryption and key exchange are in the module [`sm2`](super::sm2).
//!
//! ```
//! use adamant_ec::sm2p256v1::{PrivateKey, PublicKey};
//! let (alice, bob) = (PrivateKey::from_bytes(&[1; 32])?, PrivateKey::from_bytes(&[2; 32])?);
//! let for_alice = PublicKey::from_sec1(&bob.public_key().to_sec1())?;
//! assert_eq!(*alice.agree(&for_alice)?, *bob.agree(&alice.public_key())?);
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! Montgomery's reduction is cheap for this prime, p = 2^256 - 2^224 - 2^96 + 2^64 - 1. As
//! p = -1 mod 2^64, the multiple of p that clears the lowest word m of a number is m p itself, and
//! m p + m = m (2^256 - 2^224 - 2^96 + 2^64): shifts, additions and subtractions.

use super::curve::{Curve, Derived};
use super::field::Field;
use super::words::{Product, adc, add, from_hex, sbb, sub};
use adamant_base::ct::barrier;
use adamant_hash::Sm3;

/// The curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sm2P256v1;

impl Curve<4> for Sm2P256v1 {
    const NAME: &'static str = "sm2p256v1";
    const P: [u64; 4] =
        from_hex("fffffffe ffffffff ffffffff ffffffff ffffffff 00000000 ffffffff ffffffff");
    const A: [u64; 4] =
        from_hex("fffffffe ffffffff ffffffff ffffffff ffffffff 00000000 ffffffff fffffffc");
    const B: [u64; 4] =
        from_hex("28e9fa9e 9d9f5e34 4d5a9e4b cf6509a7 f39789f5 15ab8f92 ddbcbd41 4d940e93");
    const G: [[u64; 4]; 2] = [
        from_hex("32c4ae2c 1f198119 5f990446 6a39c994 8fe30bbf f2660be1 715a4589 334c74c7"),
        from_hex("bc3736a2 f4f6779c 59bdcee3 6b692153 d0a9877c c62a4740 02df32e5 2139f0a0"),
    ];
    const N: [u64; 4] =
        from_hex("fffffffe ffffffff ffffffff ffffffff 7203df6b 21c6052b 53bbf409 39d54123");
    type Scalar = [u8; 32];
    type Uncompressed = [u8; 65];
    type Compressed = [u8; 33];
    type SignatureBytes = [u8; 64];
    type Hash = Sm3;
    type Group = Backend;
}

impl Field<4> for Sm2P256v1 {
    super::table::lazy!(4);

    #[inline(always)]
    fn multiply<M: Product>(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        let (low, high) = M::wide(a, b);
        reduce(&low, &high)
    }

    #[inline(always)]
    fn square<M: Product>(a: &[u64; 4]) -> [u64; 4] {
        let (low, high) = M::wide_square(a);
        reduce(&low, &high)
    }
}

/// `t / 2^256` mod p, for the halves of `t` below `2^256 p`.
#[inline(always)]
fn reduce(low: &[u64; 4], high: &[u64; 4]) -> [u64; 4] {
    // Each step clears the lowest word and drops it. What is left stays below 2^256, and is at most
    // p in the end.
    let [mut a, mut b, mut c, mut d] = *low;
    for _ in 0..4 {
        let m = a;
        let (t0, carry) = adc(b, m, false);
        let (t1, carry) = adc(c, 0, carry);
        let (t2, carry) = adc(d, 0, carry);
        // Past 2^256 for a while: the subtraction brings it back.
        let (t3, _) = adc(m, 0, carry);
        let borrow;
        (a, borrow) = sbb(t0, m << 32, false);
        let (next_b, borrow) = sbb(t1, m >> 32, borrow);
        let (next_c, borrow) = sbb(t2, m << 32, borrow);
        (d, _) = sbb(t3, m >> 32, borrow);
        (b, c) = (next_b, next_c);
    }
    let (t, carry) = add(&[a, b, c, d], high);
    // The barriers keep the subtraction of p one chain of borrows.
    let (less, borrow) = sub(&t, &Sm2P256v1::P.map(barrier));
    let mask = barrier(u64::from(borrow & !carry).wrapping_neg());
    add(&less, &Sm2P256v1::P.map(|word| word & mask)).0
}

// Both reductions multiply by 1 what clears a word.
const _: () = assert!(<Sm2P256v1 as Derived<4>>::FIELD.n0 == 1);

super::rows::prime! {
    Sm2P256v1, 4 x86_ifma512 { limbs: 5, single: 6, fewest: [2, 2, 2] },
    arm_umull::sm2p256v1, x86_adx::sm2p256v1;
}
