//! GHASH with multiplications of 32 bits that keep the low 32, for small cores.

pub(crate) use super::portable::init;
use super::portable::{self, Multiply, combs, karatsuba};
use super::{Powers, finish_by};

combs!(low_half, u32, u32);

struct Words16;

impl Multiply for Words16 {
    #[inline(always)]
    fn multiply(a: u64, b: u64) -> (u64, u64) {
        karatsuba(a, b, |a, b| {
            let high = low_half(a.reverse_bits(), b.reverse_bits());
            u64::from(high.reverse_bits() >> 1) << 32 | u64::from(low_half(a, b))
        })
    }
}

pub(crate) fn update(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    portable::update::<Words16>(key, sum, blocks);
}

pub(crate) fn finish(key: &Powers, sum: &mut [u8; 16], data: &[u8], lengths: u128) {
    finish_by(|sum, blocks| update(key, sum, blocks), sum, data, lengths);
}
