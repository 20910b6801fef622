//! GHASH with multiplications of 32 by 32 bits into 64.

pub(crate) use super::portable::init;
use super::portable::{self, Multiply, combs, karatsuba};
use super::{Powers, finish_by};

combs!(product, u32, u64);

struct Words32;

impl Multiply for Words32 {
    /// Karatsuba on halves. A comb has at most eight bits, so a sum of eight fills its hole.
    #[inline(always)]
    fn multiply(a: u64, b: u64) -> (u64, u64) {
        karatsuba(a, b, product)
    }
}

pub(crate) fn update(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    portable::update::<Words32>(key, sum, blocks);
}

pub(crate) fn finish(key: &Powers, sum: &mut [u8; 16], data: &[u8], lengths: u128) {
    finish_by(|sum, blocks| update(key, sum, blocks), sum, data, lengths);
}
