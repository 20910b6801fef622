//! How many digits the kernels have for a number, and what they keep of a modulus.

use super::super::digits;
use crate::Number;
use adamant_base::Secret;

/// The most digits.
pub(super) const MOST: usize = 160;
/// The most digits where eight numbers go at once.
pub(super) const MOST_IN_LANES: usize = 80;

/// Whether eight moduli of this many limbs can go at once.
pub(super) const fn fits(limbs: usize) -> bool {
    64 * limbs + 2 <= digits::BITS * MOST_IN_LANES
}

/// Digits of each of eight moduli of this many limbs, with room for four times the modulus.
pub(super) const fn count(limbs: usize) -> usize {
    of_bits(64 * limbs + 2)
}

/// Digits of each of eight numbers of this many bits.
pub(super) const fn of_bits(bits: usize) -> usize {
    match bits.div_ceil(digits::BITS) {
        ..=10 => 10,
        11..=20 => 20,
        21..=30 => 30,
        31..=40 => 40,
        41..=60 => 60,
        _ => MOST_IN_LANES,
    }
}

/// What the kernels keep of a modulus.
#[derive(Clone)]
pub(crate) struct InDigits {
    /// Digits of a factor.
    pub(super) count: usize,
    /// 2^(104 count) modulo m.
    rr: Secret<[u64; MOST]>,
}

impl InDigits {
    /// Of a modulus m of this many limbs, where it has 8 and more; `power_of_two` gives the limbs of
    /// 2^e modulo m.
    pub(crate) fn new(limbs: usize, power_of_two: impl Fn(usize) -> Number) -> Option<Self> {
        if limbs < 8 {
            return None;
        }
        let count = match fits(limbs) {
            true => count(limbs),
            false => (64 * limbs + 2).div_ceil(digits::BITS),
        };
        let mut rr = Secret::new([0; MOST]);
        digits::from_limbs(&power_of_two(2 * digits::BITS * count), &mut *rr);
        Some(InDigits { count, rr })
    }

    /// 2^(104 k) modulo m, for k digits.
    pub(super) fn rr(&self) -> &[u64] {
        &self.rr[..self.count]
    }
}
