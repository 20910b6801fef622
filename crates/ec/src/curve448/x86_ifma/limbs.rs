//! Elements in ten limbs, for the 52-bit multiplier.
//!
//! Limb i has 45 bits, but limbs 4 and 9 have 44, so that each half of ten has 224. With g = 2^224,
//! p = g^2 - g - 1: what passes g^2 comes back as g + 1, in whole limbs. Products of limbs i and j
//! are at 2^(45 (i + j)) in their halves; from the fifth such column on that is twice a limb of
//! the next half. Seven spare bits in each limb make sums and differences free of carries.
//!
//! *Tight* limbs are below 2^45 + 2^20, or 2^44 + 2^20. Factors may have limbs below 10 times 2^45:
//! six times that is below 2^52.

use super::super::field::{Fe, Words};
use crate::limbs::bits_at;

/// The limbs of an element.
pub(super) type Limbs = [u64; 10];

/// What the limbs of factors stay below.
#[cfg(test)]
pub(super) const FACTOR: u64 = 10 << 45;

/// The bits of limb i.
pub(super) const fn bits(i: usize) -> usize {
    if i % 5 == 4 { 44 } else { 45 }
}

/// The largest limb i.
const fn mask(i: usize) -> u64 {
    (1 << bits(i)) - 1
}

/// The limbs of `n p`, for small n: what is added before tight limbs (n = 2) or the sums of two
/// (n = 4) are subtracted.
pub(super) const fn multiple_of_p(n: u64) -> Limbs {
    let mut out = [0; 10];
    let mut i = 0;
    while i < 10 {
        out[i] = n * (mask(i) - (i == 5) as u64);
        i += 1;
    }
    out
}

/// The limbs of an element, tight.
#[inline(always)]
pub(super) const fn from_fe(x: Fe) -> Limbs {
    let x = x.reduced();
    let words = x.limbs();
    let mut out = [0; 10];
    let mut i = 0;
    while i < 10 {
        let bit = 45 * (i % 5);
        let (from, shift) = (4 * (i / 5) + bit / 56, bit % 56);
        out[i] = words[from] >> shift;
        if shift + bits(i) > 56 {
            out[i] |= words[from + 1] << (56 - shift);
        }
        out[i] &= mask(i);
        i += 1;
    }
    out
}

/// Limb i of an element of these words.
pub(super) const fn of_words(words: &Words, i: usize) -> u64 {
    bits_at(words, 224 * (i / 5) + 45 * (i % 5), bits(i))
}

/// The element of limbs below 2^50.
#[inline(always)]
pub(super) const fn to_fe(limbs: &Limbs) -> Fe {
    let mut out = [0; 8];
    let mut carry = 0u128;
    let mut i = 0;
    while i < 8 {
        // What begins in this word of 56 bits, and what passes it.
        let mut j = 5 * (i / 4);
        while j < 5 * (i / 4) + 5 {
            let bit = 45 * (j % 5);
            if bit / 56 == i % 4 {
                carry += (limbs[j] as u128) << (bit % 56);
            }
            j += 1;
        }
        out[i] = carry as u64 & ((1 << 56) - 1);
        carry >>= 56;
        i += 1;
    }
    // What is above 2^448 comes back as a multiple of 2^224 + 1.
    out[0] += carry as u64;
    out[4] += carry as u64;
    Fe::from_limbs(out)
}
