//! GHASH with multiplications of 64 bits that keep the low 64.

use super::portable::{self, Multiply, combs};
use super::{Powers, finish_by};

combs!(low_half, u64, u64);

struct Words64;

impl Multiply for Words64 {
    /// The high half is the low half of the reversed factors, reversed and one bit down.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline(always))]
    fn multiply(a: u64, b: u64) -> (u64, u64) {
        let high = low_half(a.reverse_bits(), b.reverse_bits());
        (low_half(a, b), high.reverse_bits() >> 1)
    }
}

pub(crate) fn init(h: &[u8; 16], key: &mut Powers) {
    portable::init_pairs::<Words64>(h, key);
}

pub(crate) fn update(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    portable::update_pairs::<Words64>(key, sum, blocks);
}

pub(crate) fn finish(key: &Powers, sum: &mut [u8; 16], data: &[u8], lengths: u128) {
    finish_by(|sum, blocks| update(key, sum, blocks), sum, data, lengths);
}
