//! Poly1305 with AVX-512 IFMA: eight blocks at once, in limbs of 44, 44 and 42 bits.
//!
//! 1. Lane i of the sum takes every eighth block from block i on, so it is multiplied by r^8
//!    where the whole sum would be by r; after the last blocks lane i is multiplied by r^(8 - i)
//!    and the lanes are added.
//! 2. After the first group of eight blocks the lanes go on by r^32 for four groups, three of
//!    which are multiplied by r^24, r^16 and r^8: four products share one round of carries.
//! 3. An IFMA instruction gives the low or the high 52 bits of a product of 104. A limb is below
//!    2^45 and one of a power, times 20, below 2^49, so sums of twelve halves are below 2^56.
//! 4. The weight of a third limb's successor is 2^132 = 4 · 5.
//! 5. The powers are made in lanes too: twice as many by each multiplication.

use super::powers::{Eight, Powers};
use super::{State, portable, portable64, powers};
use adamant_base::simd::{load512, store512};
use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_mask_blend_epi64, _mm512_maskz_set1_epi64, _mm512_permutexvar_epi64,
    _mm512_reduce_add_epi64, _mm512_set_epi64, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_shrdi_epi64, _mm512_slli_epi64, _mm512_srli_epi64, _mm512_unpackhi_epi64,
    _mm512_unpacklo_epi64,
};

/// From how many blocks on eight lanes are quicker than one.
pub(super) const WORTHWHILE: usize = 16;
/// From how many groups of eight blocks after the first on r^16 and above are worth their making.
pub(super) const MANY: usize = 8;

/// The three limbs of eight numbers.
type Limbs = [__m512i; 3];

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn set1(x: u64) -> __m512i {
    _mm512_set1_epi64(x as i64)
}

/// Eight numbers, one in each lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn numbers(numbers: &Eight) -> Limbs {
    [
        load512(&numbers[0]),
        load512(&numbers[1]),
        load512(&numbers[2]),
    ]
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn keep(to: &mut Eight, numbers: Limbs) {
    for (to, limb) in to.iter_mut().zip(numbers) {
        store512(to, limb);
    }
}

/// Of each limb the lanes of these numbers.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn lanes_of([a0, a1, a2]: Limbs, lanes: __m512i) -> Limbs {
    [
        _mm512_permutexvar_epi64(lanes, a0),
        _mm512_permutexvar_epi64(lanes, a1),
        _mm512_permutexvar_epi64(lanes, a2),
    ]
}

/// Lanes of `b` where the mask has a bit, others of `a`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn blend(mask: u8, a: Limbs, b: Limbs) -> Limbs {
    [
        _mm512_mask_blend_epi64(mask, a[0], b[0]),
        _mm512_mask_blend_epi64(mask, a[1], b[1]),
        _mm512_mask_blend_epi64(mask, a[2], b[2]),
    ]
}

/// The products of the lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn multiply(x: Limbs, y: &Factor) -> Limbs {
    let mut products = Products::of([_mm512_setzero_si512(); 3]);
    products.multiply_add(x, y);
    products.carry()
}

/// r to r^8.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn first_powers(state: &mut State) -> Limbs {
    if let Some(first) = state.powers.first() {
        return numbers(first);
    }
    let [r0, r1, r2] = powers::limbs([state.r[0], state.r[1], 0]);
    let r = [set1(r0), set1(r1), set1(r2)];
    let square = multiply(r, &Factor::new(r));
    let by_square = Factor::new(square);
    let two = blend(0b1010_1010, r, square);
    let further = multiply(two, &by_square);
    let four = blend(0b1100_1100, two, further);
    let eight = blend(0b1111_0000, four, multiply(four, &Factor::same(further, 1)));
    keep(state.powers.set_first(), eight);
    eight
}

/// r^16, r^24 and r^32 in the first lanes, from r^8 in all.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
fn eights(powers: &mut Powers, r8: Limbs, by_r8: &Factor) -> Limbs {
    if let Some(eights) = powers.eights() {
        return numbers(eights);
    }
    let r16 = multiply(r8, by_r8);
    let further = multiply(blend(0b100, r8, r16), &Factor::new(r16));
    let eights = blend(0b110, r16, further);
    keep(powers.set_eights(), eights);
    eights
}

/// Eight blocks, in the lanes of [`LANES`]; `high` is what is above each.
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

    /// The number in this lane for all.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
    fn same(numbers: Limbs, lane: u64) -> Self {
        Self::new(lanes_of(numbers, set1(lane)))
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
    /// of the next limb, 2^10 · 2^130 after the third.
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
fn lanes(state: &mut State, first: &[[u8; 16]; 8], rest: &[[[u8; 16]; 8]], high: u32) {
    debug_assert!(high <= 1);
    let high = set1(u64::from(high));
    let powers = first_powers(state);
    // The sum so far belongs to block 0.
    let start = powers::limbs(state.sum).map(|limb| _mm512_maskz_set1_epi64(1, limb as i64));
    let mut sum = add(blocks(first, high), start);
    let r8 = lanes_of(powers, set1(7));
    let by_r8 = Factor::new(r8);
    if rest.len() >= MANY {
        let eights = eights(&mut state.powers, r8, &by_r8);
        let factors = [
            by_r8,
            Factor::same(eights, 0),
            Factor::same(eights, 1),
            Factor::same(eights, 2),
        ];
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
    } else {
        for group in rest {
            let mut products = Products::of(blocks(group, high));
            products.multiply_add(sum, &by_r8);
            sum = products.carry();
        }
    }
    // Lane i holds block LANES[i] of its group.
    let [a, b, c, d, e, f, g, h] = LANES.map(|block| 7 - block as i64);
    let each = lanes_of(powers, _mm512_set_epi64(h, g, f, e, d, c, b, a));
    let total = multiply(sum, &Factor::new(each));
    state.sum = portable::join::<3, 44>(total.map(|limb| _mm512_reduce_add_epi64(limb) as u64));
}
