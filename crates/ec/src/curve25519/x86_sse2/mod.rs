//! X25519 on SSE2: two field elements side by side. A ladder takes less time than multiples of the base
//! point on words of 32 bits, from tables.
//!
//! Intermediate points live in registers, whose copies on the stack are not wiped.

mod field;
#[cfg(test)]
mod tests;
mod vector;

use super::field::Fe;
use super::ladder::A24;
#[cfg(all(feature = "small", not(feature = "lab")))]
pub(super) use super::portable16::decompress_vartime;
#[cfg(any(feature = "lab", not(feature = "small")))]
pub(super) use super::portable32::decompress_vartime;
use adamant_base::ct::barrier;
use core::arch::x86::_mm_set1_epi32;
use field::{Factor, NONE, Sum};

/// Two points X:Z, a difference of P apart, X in the lower lane and Z in the upper.
struct Ladder {
    p2: Sum,
    p3: Sum,
}

impl Ladder {
    /// A step of the [ladder](super::ladder), by five multiplications. `one_and_x1` are 1 and the
    /// u-coordinate of P.
    ///
    /// | lower | upper |
    /// |---|---|
    /// | A D | B C |
    /// | A A | B B |
    /// | X3 = (DA + CB)^2 | (DA - CB)^2 |
    /// | X3 | Z3 = x1 (DA - CB)^2 |
    /// | X2 = AA BB | Z2 = E (BB + (a24 + 1) E) |
    ///
    /// The points change places where the mask is set: the first products are the same up to the sign
    /// of their difference, which is squared, so that only what is doubled is chosen.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn step(&mut self, swap: u64, one_and_x1: &Factor) {
        let mask = _mm_set1_epi32(barrier(swap.wrapping_neg()) as i32);
        let ab = self.p2.sum_and_difference().carry();
        let cd = self.p3.sum_and_difference().carry();
        let products = ab.mul(&cd.swapped(), NONE);
        let squares = ab.choose(mask, &cd).square(NONE);
        let sums = products.sum_and_difference().carry();
        self.p3 = sums.squared().mul(one_and_x1, NONE);
        let left = squares.first_and_difference().carry();
        let right = squares.second_and_more(A24 as u32 + 1, &left).carry();
        self.p2 = left.mul(&right, NONE);
    }
}

#[inline(never)]
#[target_feature(enable = "sse2")]
pub(super) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    let x1 = Fe::from_bytes(u);
    let mut s = Ladder {
        p2: Sum(Factor::join(&Fe::ONE, &Fe::ZERO).0),
        p3: Sum(Factor::join(&x1, &Fe::ONE).0),
    };
    let one_and_x1 = Factor::join(&Fe::ONE, &x1);
    let mut swapped = 0;
    for t in (0..255).rev() {
        let bit = u64::from(scalar[t / 8] >> (t % 8) & 1);
        s.step(swapped ^ bit, &one_and_x1);
        swapped = bit;
    }
    let mask = _mm_set1_epi32(barrier(swapped.wrapping_neg()) as i32);
    let point = s.p2.carry().choose(mask, &s.p3.carry());
    let [u, _] = point.times(&point.swapped().invert()).split();
    u.to_bytes()
}

/// `1 / x`, and 0 for 0.
#[inline(never)]
#[target_feature(enable = "sse2")]
pub(super) fn invert(x: &Fe) -> Fe {
    let x = x.tighten();
    let [inverse, _] = Factor::join(&x, &x).invert().split();
    inverse
}

#[target_feature(enable = "sse2")]
pub(super) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
    let mut base = [0; 32];
    base[0] = 9;
    ladder(scalar, &base)
}

super::kernel::batches_of_x25519!(#[target_feature(enable = "sse2")]);
