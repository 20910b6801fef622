//! Between bytes, elements of the scalar field, and lanes.

use super::super::field::Fe;
use super::super::fields::Field;
use super::field::{Factor, Mask, Sum, Vector, bits};
use adamant_base::simd::{load256, store256};
use core::arch::x86_64::*;

/// Rows as columns.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose(r: [Vector; 4]) -> [Vector; 4] {
    let low = |a, b| _mm256_permute2x128_si256::<0x20>(a, b);
    let high = |a, b| _mm256_permute2x128_si256::<0x31>(a, b);
    let (a, b) = (low(r[0], r[2]), low(r[1], r[3]));
    let (c, d) = (high(r[0], r[2]), high(r[1], r[3]));
    [
        _mm256_unpacklo_epi64(a, b),
        _mm256_unpackhi_epi64(a, b),
        _mm256_unpacklo_epi64(c, d),
        _mm256_unpackhi_epi64(c, d),
    ]
}

/// Words of four numbers of 32 bytes, one a lane: word w of the lanes in register w.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn words(numbers: &[[u8; 32]; 4]) -> [Vector; 4] {
    transpose(numbers.each_ref().map(|number| load256(number)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn low_bits(x: Vector, i: usize) -> Vector {
    _mm256_and_si256(x, _mm256_set1_epi64x((1 << bits(i)) - 1))
}

/// The elements of encodings, whose top bit is ignored.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn from_bytes(bytes: &[[u8; 32]; 4]) -> Sum {
    let [w0, w1, w2, w3] = words(bytes);
    let across =
        |low, high| _mm256_or_si256(_mm256_srli_epi64::<51>(low), _mm256_slli_epi64::<13>(high));
    Sum([
        low_bits(w0, 0),
        low_bits(_mm256_srli_epi64::<26>(w0), 1),
        low_bits(across(w0, w1), 2),
        low_bits(_mm256_srli_epi64::<13>(w1), 3),
        _mm256_srli_epi64::<38>(w1),
        low_bits(w2, 5),
        low_bits(_mm256_srli_epi64::<25>(w2), 6),
        low_bits(across(w2, w3), 7),
        low_bits(_mm256_srli_epi64::<12>(w3), 8),
        low_bits(_mm256_srli_epi64::<38>(w3), 9),
    ])
}

/// Limbs of 51 bits as two.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn halve(limbs: [Vector; 5]) -> [Vector; 10] {
    core::array::from_fn(|k| match k % 2 {
        0 => low_bits(limbs[k / 2], 0),
        _ => _mm256_srli_epi64::<26>(limbs[k / 2]),
    })
}

/// Two limbs as one.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn double(x: &Factor) -> [Vector; 5] {
    core::array::from_fn(|k| _mm256_add_epi64(x.0[2 * k], _mm256_slli_epi64::<26>(x.0[2 * k + 1])))
}

/// The elements of the scalar field, which must be tight.
#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx2")]
pub(super) fn join(elements: &[Fe; 4]) -> Sum {
    Sum(halve(core::array::from_fn(|k| {
        load256(&elements.map(|x| x.limbs()[k]))
    })))
}

/// The elements, one by one, tight.
#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx2")]
pub(super) fn split(x: &Factor) -> [Fe; 4] {
    let limbs = double(x).map(|limb| {
        let mut lanes = [0u64; 4];
        store256(&mut lanes, limb);
        lanes
    });
    core::array::from_fn(|lane| Fe::from_limbs(limbs.map(|limb| limb[lane])).tighten())
}

impl Factor {
    /// The lanes in which this is 0 modulo p.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[target_feature(enable = "avx2")]
    pub(super) fn is_zero(&self) -> Mask {
        let masks = split(self).map(|x| x.is_zero().mask());
        load256(&masks)
    }
}
