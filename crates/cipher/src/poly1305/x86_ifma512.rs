//! Poly1305 with AVX-512 IFMA: eight blocks at once, in limbs of 44, 44 and 42 bits.
//!
//! 1. Lane i of the sum takes every eighth block from block i on, so it is multiplied by r^8
//!    where the whole sum would be by r; behind the last blocks lane i is multiplied by r^(8 - i)
//!    and the lanes are added.
//! 2. Behind the first group of eight blocks the lanes go on by r^32 for four groups, three of
//!    which are multiplied by r^24, r^16 and r^8: four products share one round of carries.
//! 3. An IFMA instruction gives the low or the high 52 bits of a product of 104. A limb is below
//!    2^45 and one of a power, times 20, below 2^49, so sums of twelve halves are below 2^56.
//! 4. The weight of a third limb's successor is 2^132 = 4 · 5.

use super::{State, portable, portable64};
use adamant_base::simd::load512;
use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_maskz_set1_epi64, _mm512_reduce_add_epi64, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_shrdi_epi64, _mm512_slli_epi64, _mm512_srli_epi64, _mm512_unpackhi_epi64,
    _mm512_unpacklo_epi64,
};

/// From how many blocks on eight lanes are quicker than one.
const WORTHWHILE: usize = 24;
/// From how many groups of eight blocks behind the first on r^16 and above are worth their making.
const MANY: usize = 4;

/// The three limbs of eight numbers.
type Limbs = [__m512i; 3];

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn set1(x: u64) -> __m512i {
    _mm512_set1_epi64(x as i64)
}

/// Eight numbers.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn numbers(numbers: [portable64::Limbs; 8]) -> Limbs {
    [0, 1, 2].map(|i| load512::<[u64; 8]>(&numbers.map(|number| number[i])))
}

/// Eight blocks, in the lanes of [`LANES`]; `high` is what stands above each.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn blocks(blocks: &[[u8; 16]; 8], high: __m512i) -> Limbs {
    let mask = set1((1 << 44) - 1);
    let (halves, _) = blocks.as_flattened().as_chunks::<64>();
    let (a, b) = (load512(&halves[0]), load512(&halves[1]));
    let (low, middle) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    // A shift over two words gives 64 bits from any place on.
    [
        _mm512_and_si512(low, mask),
        _mm512_and_si512(_mm512_shrdi_epi64::<44>(low, middle), mask),
        _mm512_shrdi_epi64::<24>(middle, high),
    ]
}

/// Which block is in each lane.
const LANES: [usize; 8] = [0, 4, 1, 5, 2, 6, 3, 7];

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn add([a0, a1, a2]: Limbs, [b0, b1, b2]: Limbs) -> Limbs {
    [
        _mm512_add_epi64(a0, b0),
        _mm512_add_epi64(a1, b1),
        _mm512_add_epi64(a2, b2),
    ]
}

/// A factor: its limbs, and 20 times the upper two.
struct Factor {
    r: Limbs,
    r20: [__m512i; 2],
}

impl Factor {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
    fn new(r: Limbs) -> Self {
        let twenty = |x| _mm512_add_epi64(_mm512_slli_epi64::<4>(x), _mm512_slli_epi64::<2>(x));
        Factor {
            r,
            r20: [twenty(r[1]), twenty(r[2])],
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
    fn same(power: portable64::Limbs) -> Self {
        Self::new(power.map(|limb| set1(limb)))
    }
}

/// A sum of products: the low and the high halves of each limb's.
struct Products {
    low: Limbs,
    high: Limbs,
}

impl Products {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
    fn of(low: Limbs) -> Self {
        Products {
            low,
            high: [_mm512_setzero_si512(); 3],
        }
    }

    /// Adds `x · factor`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
    fn multiply_add(&mut self, x: Limbs, factor: &Factor) {
        let [r0, r1, r2] = factor.r;
        let [s1, s2] = factor.r20;
        for (x, factors) in x
            .into_iter()
            .zip([[r0, r1, r2], [s2, r0, r1], [s1, s2, r0]])
        {
            for i in 0..3 {
                self.low[i] = _mm512_madd52lo_epu64(self.low[i], x, factors[i]);
                self.high[i] = _mm512_madd52hi_epu64(self.high[i], x, factors[i]);
            }
        }
    }

    /// Limbs below 2^44, 2^44 + 2^13 and 2^42. The high half of a limb has the weight 2^52: 2^8
    /// of the next limb, 2^10 · 2^130 behind the third.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
    fn carry(self) -> Limbs {
        let (mask44, mask42) = (set1((1 << 44) - 1), set1((1 << 42) - 1));
        let [l0, l1, l2] = self.low;
        let [h0, h1, h2] = self.high;
        let l1 = _mm512_add_epi64(l1, _mm512_slli_epi64::<8>(h0));
        let l2 = _mm512_add_epi64(l2, _mm512_slli_epi64::<8>(h1));
        let l1 = _mm512_add_epi64(l1, _mm512_srli_epi64::<44>(l0));
        let l2 = _mm512_add_epi64(l2, _mm512_srli_epi64::<44>(l1));
        let over = _mm512_add_epi64(_mm512_srli_epi64::<42>(l2), _mm512_slli_epi64::<10>(h2));
        let l0 = _mm512_add_epi64(
            _mm512_and_si512(l0, mask44),
            _mm512_add_epi64(over, _mm512_slli_epi64::<2>(over)),
        );
        [
            _mm512_and_si512(l0, mask44),
            _mm512_add_epi64(_mm512_and_si512(l1, mask44), _mm512_srli_epi64::<44>(l0)),
            _mm512_and_si512(l2, mask42),
        ]
    }
}

#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
pub(crate) fn update(state: &mut State, mut input: &[[u8; 16]], high: u32) {
    if input.len() >= WORTHWHILE {
        let (groups, behind) = input.as_chunks::<8>();
        if let [first, rest @ ..] = groups {
            lanes(state, first, rest, high);
        }
        input = behind;
    }
    portable64::update(state, input, high);
}

/// Takes in groups of eight blocks: the sum goes on by r^8 for each. The factors are r^8, r^16, ….
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn step<const N: usize>(
    sum: Limbs,
    groups: &[[[u8; 16]; 8]; N],
    factors: &[Factor; 4],
    high: __m512i,
) -> Limbs {
    let mut products = Products::of(blocks(&groups[N - 1], high));
    for i in 1..N {
        products.multiply_add(blocks(&groups[N - 1 - i], high), &factors[i - 1]);
    }
    products.multiply_add(sum, &factors[N - 1]);
    products.carry()
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn lanes(state: &mut State, first: &[[u8; 16]; 8], mut rest: &[[[u8; 16]; 8]], high: u32) {
    let high = set1(u64::from(high));
    let powers = state.first_powers();
    // The sum so far belongs to block 0.
    let start = portable64::limbs(state.sum).map(|limb| _mm512_maskz_set1_epi64(1, limb as i64));
    let mut sum = add(blocks(first, high), start);
    let r8 = powers[7];
    if rest.len() >= MANY {
        let [r16, r24, r32] = state.further_powers(r8);
        let factors = [r8, r16, r24, r32].map(|power| Factor::same(power));
        let (steps, behind) = rest.as_chunks::<4>();
        for groups in steps {
            sum = step(sum, groups, &factors, high);
        }
        let (pair, last) = behind.as_chunks::<2>();
        for groups in pair {
            sum = step(sum, groups, &factors, high);
        }
        for group in last {
            sum = step(sum, &[*group], &factors, high);
        }
        rest = &[];
    }
    let r8 = Factor::same(r8);
    for group in rest {
        let mut products = Products::of(blocks(group, high));
        products.multiply_add(sum, &r8);
        sum = products.carry();
    }
    let each = Factor::new(numbers(LANES.map(|lane| powers[7 - lane])));
    let mut products = Products::of([_mm512_setzero_si512(); 3]);
    products.multiply_add(sum, &each);
    let total = products.carry();
    state.sum = portable::join::<3, 44>(total.map(|limb| _mm512_reduce_add_epi64(limb) as u64));
}
