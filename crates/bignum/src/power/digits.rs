//! Digits of 52 bits, as the IFMA instructions multiply them.

use crate::limbs;

/// Bits of a digit.
pub(crate) const BITS: usize = 52;
/// All bits of a digit.
pub(crate) const MASK: u64 = (1 << BITS) - 1;

/// Splits a number into digits, as many as `out` has.
#[inline]
pub(crate) fn from_limbs(a: &[u64], out: &mut [u64]) {
    for (i, digit) in out.iter_mut().enumerate() {
        *digit = limbs::window(a, i * BITS, BITS);
    }
}

/// The number of these digits, each below 2^52; what does not fit into `out` is cut.
#[inline]
pub(crate) fn to_limbs(digits: &[u64], out: &mut [u64]) {
    out.fill(0);
    for (i, digit) in digits.iter().enumerate() {
        let (limb, shift) = (i * BITS / 64, i * BITS % 64);
        if let Some(low) = out.get_mut(limb) {
            *low |= digit << shift;
        }
        if let Some(high) = out.get_mut(limb + 1)
            && shift > 64 - BITS
        {
            *high |= digit >> (64 - shift);
        }
    }
}
