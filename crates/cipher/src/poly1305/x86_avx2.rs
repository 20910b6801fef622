//! Poly1305 with AVX2: four blocks at once, in five limbs of 26 bits.
//!
//! 1. Lane i of the sum takes every fourth block from block i on, so it is multiplied by r^4
//!    where the whole sum would be by r; after the last blocks lane i is multiplied by r^(4 - i)
//!    and the lanes are added.
//! 2. Of eight blocks the first four are multiplied by r^4 and the lanes by r^8: two products
//!    share one round of carries.
//! 3. A limb is below 2^27 and one of a power, times 5, below 2^29, so sums of ten products are
//!    below 2^60.

use super::{State, portable, portable64};
use adamant_base::simd::{from_fn, load256, map, store256};
use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_mul_epu32, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_slli_epi64, _mm256_srli_epi64,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
};

/// From how many blocks on four lanes are quicker than one.
pub(super) const WORTHWHILE: usize = 24;

/// The five limbs of four numbers.
type Limbs = [__m256i; 5];

#[inline]
#[target_feature(enable = "avx2")]
fn mask() -> __m256i {
    _mm256_set1_epi64x((1 << 26) - 1)
}

/// Limbs from the low two words and what belongs to the fifth limb from the third word.
#[inline]
#[target_feature(enable = "avx2")]
fn split(t0: __m256i, t1: __m256i, top: __m256i) -> Limbs {
    let middle = _mm256_or_si256(_mm256_srli_epi64::<52>(t0), _mm256_slli_epi64::<12>(t1));
    [
        _mm256_and_si256(t0, mask()),
        _mm256_and_si256(_mm256_srli_epi64::<26>(t0), mask()),
        _mm256_and_si256(middle, mask()),
        _mm256_and_si256(_mm256_srli_epi64::<14>(t1), mask()),
        _mm256_or_si256(_mm256_srli_epi64::<40>(t1), top),
    ]
}

/// The limbs of four numbers below 2^132.
#[inline]
#[target_feature(enable = "avx2")]
fn numbers(numbers: [[u64; 3]; 4]) -> Limbs {
    let word = |w: usize| load256::<[u64; 4]>(&map(numbers, |number| number[w]));
    split(word(0), word(1), _mm256_slli_epi64::<24>(word(2)))
}

/// Four blocks, in the lanes of [`LANES`]; `high` has bit 24 set for whole ones.
#[inline]
#[target_feature(enable = "avx2")]
fn blocks(blocks: &[[u8; 16]; 4], high: __m256i) -> Limbs {
    let (halves, _) = blocks.as_flattened().as_chunks::<32>();
    let (a, b) = (load256(&halves[0]), load256(&halves[1]));
    split(
        _mm256_unpacklo_epi64(a, b),
        _mm256_unpackhi_epi64(a, b),
        high,
    )
}

/// Which block is in each lane.
const LANES: [usize; 4] = [0, 2, 1, 3];

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: Limbs, b: Limbs) -> Limbs {
    from_fn(|i| _mm256_add_epi64(a[i], b[i]))
}

/// Five times each lane.
#[inline]
#[target_feature(enable = "avx2")]
fn five(x: __m256i) -> __m256i {
    _mm256_add_epi64(x, _mm256_slli_epi64::<2>(x))
}

/// A factor: its limbs, and 5 times each.
struct Factor {
    r: Limbs,
    r5: Limbs,
}

impl Factor {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(r: Limbs) -> Self {
        Factor {
            r,
            r5: map(r, |limb| five(limb)),
        }
    }
}

/// Adds `x · factor` to sums of products.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply_add(sums: &mut Limbs, x: Limbs, factor: &Factor) {
    for i in 0..5 {
        for j in 0..5 {
            let limb = if j <= i {
                factor.r[i - j]
            } else {
                factor.r5[5 + i - j]
            };
            sums[i] = _mm256_add_epi64(sums[i], _mm256_mul_epu32(x[j], limb));
        }
    }
}

/// Limbs below 2^26, the second below 2^26 + 2^11.
#[inline]
#[target_feature(enable = "avx2")]
fn carry([d0, d1, d2, d3, d4]: Limbs) -> Limbs {
    let low = |x| _mm256_and_si256(x, mask());
    let over = |x| _mm256_srli_epi64::<26>(x);
    let d1 = _mm256_add_epi64(d1, over(d0));
    let d2 = _mm256_add_epi64(d2, over(d1));
    let d3 = _mm256_add_epi64(d3, over(d2));
    let d4 = _mm256_add_epi64(d4, over(d3));
    let d0 = _mm256_add_epi64(low(d0), five(over(d4)));
    [
        low(d0),
        _mm256_add_epi64(low(d1), over(d0)),
        low(d2),
        low(d3),
        low(d4),
    ]
}

#[target_feature(enable = "avx2")]
pub(crate) fn update(state: &mut State, mut input: &[[u8; 16]], high: u32) {
    if input.len() >= WORTHWHILE {
        let (eights, rest) = input.as_chunks::<8>();
        lanes(state, eights, high);
        input = rest;
    }
    portable64::update(state, input, high);
}

#[inline]
#[target_feature(enable = "avx2")]
fn lanes(state: &mut State, eights: &[[[u8; 16]; 8]], high: u32) {
    debug_assert!(high <= 1 && !eights.is_empty());
    let high = _mm256_set1_epi64x(i64::from(high) << 24);
    let powers = map(state.first_powers(), portable::join::<3, 44>);
    let r4 = Factor::new(numbers([powers[3]; 4]));
    let r8 = Factor::new(numbers([powers[7]; 4]));
    let each = Factor::new(numbers(map(LANES, |lane| powers[3 - lane])));
    // The sum so far belongs to block 0.
    let mut start = [[0; 3]; 4];
    start[0] = state.sum;
    let mut start = numbers(start);
    let mut sum = [_mm256_setzero_si256(); 5];
    for eight in eights {
        let ([first, second], _) = eight.as_chunks::<4>() else {
            continue;
        };
        let mut products = blocks(second, high);
        multiply_add(&mut products, add(blocks(first, high), start), &r4);
        multiply_add(&mut products, sum, &r8);
        sum = carry(products);
        start = [_mm256_setzero_si256(); 5];
    }
    let mut products = [_mm256_setzero_si256(); 5];
    multiply_add(&mut products, sum, &each);
    let total = map(carry(products), |limb| {
        let mut lanes = [0u64; 4];
        store256(&mut lanes, limb);
        lanes.into_iter().sum::<u64>()
    });
    state.sum = portable::join::<5, 26>(total);
}
