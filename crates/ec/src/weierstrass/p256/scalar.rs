//! Integers modulo n, the order of P-256 (SP 800-186, 3.2.1.3).
//!
//! A [`Scalar`] holds x * 2^256 mod n (Montgomery's form), below n; keys and nonces as such are
//! plain integers ([`Limbs`]). Everything but what is named `_vartime` takes the same time for
//! every value.

use super::invert::{self, Modulus};
use super::limbs::{Limbs, add4, mul_add_row, mul_wide, sub4};
use adamant_base::Secret;
use adamant_base::ct::{Choice, barrier};

/// The order n of the group, a prime.
pub(super) const N: Limbs = [
    0xf3b9_cac2_fc63_2551,
    0xbce6_faad_a717_9e84,
    0xffff_ffff_ffff_ffff,
    0xffff_ffff_0000_0000,
];

/// 2^512 mod n.
const R2: Limbs = [
    0x8324_4c95_be79_eea2,
    0x4699_799c_49bd_6fa6,
    0x2845_b239_2b6b_ec59,
    0x66e1_2d94_f3d9_5620,
];

/// 2^256 mod n.
const R: Limbs = [
    0x0c46_353d_039c_daaf,
    0x4319_0552_58e8_617b,
    0x0000_0000_0000_0000,
    0x0000_0000_ffff_ffff,
];

/// -1 / n mod 2^64.
const N0: u64 = 0xccd1_c8aa_ee00_bc4f;
const _: () = assert!(N0.wrapping_mul(N[0]) == u64::MAX);

/// n for inversions.
static MODULUS: Modulus = Modulus::new(&N);

/// `x` less n if it is not below n; `x < 2n`.
#[inline]
fn reduce_once(x: &Limbs, carry: bool) -> Limbs {
    let (d, borrow) = sub4(x, &N);
    let mask = barrier(u64::from(borrow & !carry).wrapping_neg());
    add4(&d, &N.map(|word| word & mask)).0
}

/// `x` mod n, for any number below 2^256.
pub(super) fn reduce(x: &Limbs) -> Limbs {
    reduce_once(x, false)
}

/// Whether `1 <= x < n`.
pub(super) fn is_valid(x: &Limbs) -> Choice {
    let (_, below) = sub4(x, &N);
    Choice::from_bit(u64::from(below)).and(!is_zero(x))
}

/// Whether `x` is 0.
pub(super) fn is_zero(x: &Limbs) -> Choice {
    !Choice::nonzero(x[0] | x[1] | x[2] | x[3])
}

/// `n - x`.
pub(super) fn negate(x: &Limbs) -> Limbs {
    sub4(&N, x).0
}

/// A residue modulo n.
#[derive(Clone, Copy)]
pub(super) struct Scalar(pub(super) Limbs);

impl Scalar {
    /// The residue of an integer below n.
    pub(super) fn from_integer(x: &Limbs) -> Scalar {
        Scalar(Scalar(*x).mul_integer(&R2))
    }

    /// `1 / x`, for an integer below n; 0 for 0.
    pub(super) fn inverse_of(x: &Limbs) -> Scalar {
        Scalar(invert::invert(x, &R, &MODULUS))
    }

    /// `1 / x`, for an integer below n, in a time that depends on the value.
    pub(super) fn inverse_of_vartime(x: &Limbs) -> Scalar {
        Scalar(invert::invert_vartime(x, &R, &MODULUS))
    }

    /// `self * x`, both integers below n (or both residues: Montgomery's product).
    pub(super) fn mul_integer(&self, x: &Limbs) -> Limbs {
        let [mut a, mut b, mut c, mut d, high @ ..] = mul_wide(&self.0, x);
        for _ in 0..4 {
            // Clears the lowest word; what is left stays below 2^192 + n < 2^256.
            [_, a, b, c, d] = mul_add_row(&[a, b, c, d], &N, a.wrapping_mul(N0));
        }
        let (t, carry) = add4(&[a, b, c, d], &high);
        reduce_once(&t, carry)
    }
}

/// [`Scalar::inverse_of`] each, with one inversion for all; none may be 0.
pub(super) fn invert_all(xs: &[Limbs], inverses: &mut [Limbs]) {
    // The inverse of each is that of the product up to it, times the product before it.
    let mut product = Secret::new(R);
    for (before, x) in inverses.iter_mut().zip(xs) {
        *before = *product;
        *product = Scalar(*product).mul_integer(&Scalar::from_integer(x).0);
    }
    let product_integer = Secret::new(Scalar(*product).mul_integer(&[1, 0, 0, 0]));
    let mut inverse = Secret::new(Scalar::inverse_of(&product_integer).0);
    for (before, x) in inverses.iter_mut().zip(xs).rev() {
        *before = Scalar(*inverse).mul_integer(before);
        *inverse = Scalar(*inverse).mul_integer(&Scalar::from_integer(x).0);
    }
}

/// `x + y` mod n, for integers below n.
pub(super) fn add(x: &Limbs, y: &Limbs) -> Limbs {
    let (t, carry) = add4(x, y);
    reduce_once(&t, carry)
}
