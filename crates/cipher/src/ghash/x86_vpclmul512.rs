//! GHASH with `vpclmulqdq` on 512-bit registers. The arithmetic is that of `x86_pclmul`, four
//! blocks to a register.
//!
//! 1. A step takes 32 blocks. Each lane has a sum of its own, over every fourth block, and all
//!    lanes are multiplied by the same powers: H^32, H^28, …, H^4. So the four sums need not be
//!    added up between steps.
//! 2. Data in memory goes by two steps with one reduction: 64 blocks, H^64, H^60, …, H^4.
//! 3. Multiplications and shuffles wait for the same unit of Intel's CPUs. So two registers share
//!    one for the sums of their halves, which are added up without a shuffle as they are read.
//! 4. The last blocks are multiplied by the consecutive powers that end with H. The sums of the
//!    lanes go with the first four of them and meet the factors that they lack: H^-1 for the
//!    second lane, and so on. So four blocks or more are left for the end.
//! 5. Blocks in registers are multiplied by consecutive powers as well, and the lanes added up: to
//!    read the same power into all lanes costs some CPUs a shuffle.

use super::reversed::{POLYNOMIAL, first_power};
use super::{POWERS, Powers};
use adamant_base::simd::{in_order3, load128, load512, load512_partial, store128, store512};
use core::arch::x86_64::{
    __m128i, __m512i, _mm_set_epi64x, _mm_setzero_si128, _mm_shuffle_epi8, _mm_xor_si128,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_xor_si256, _mm512_broadcast_i32x4,
    _mm512_castsi512_si256, _mm512_clmulepi64_epi128, _mm512_extracti64x4_epi64,
    _mm512_inserti32x4, _mm512_set_epi64, _mm512_setzero_si512, _mm512_shuffle_epi8,
    _mm512_shuffle_epi32, _mm512_ternarylogic_epi64, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
    _mm512_xor_si512, _mm512_zextsi128_si512,
};

/// Bytes of a step.
pub(crate) const STEP: usize = size_of::<Step>();

/// The blocks of a step: eight registers.
pub(crate) type Step = [[u8; 64]; 8];

/// Products not yet reduced: Karatsuba's three, in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Product {
    low: __m512i,
    mid: __m512i,
    high: __m512i,
}

/// The powers of registers `i` and `i + 1` of two steps, and the sums of their halves.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn powers_of_two(key: &Powers, i: usize) -> ([__m512i; 2], [__m512i; 2]) {
    let at = |i: usize| match i.checked_sub(8) {
        None => (&key.far[i], &key.far_halves[i]),
        Some(i) => {
            let at = POWERS - 32 + 4 * i;
            (&key.power[at], &key.halves[at])
        }
    };
    let (a, b) = (at(i), at(i + 1));
    let lanes = |power: &[u8; 16]| _mm512_broadcast_i32x4(load128(power));
    ([lanes(a.0), lanes(b.0)], [lanes(a.1), lanes(b.1)])
}

/// The consecutive powers of registers `i` and `i + 1` of a step, and the sums of their halves: no
/// CPU needs a shuffle to read them, but the lanes must be added up after the step.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn consecutive_of_two(key: &Powers, i: usize) -> ([__m512i; 2], [__m512i; 2]) {
    let (a, b) = (POWERS - 32 + 4 * i, POWERS - 28 + 4 * i);
    (
        [quad(&key.power, a), quad(&key.power, b)],
        [quad(&key.halves, a), quad(&key.halves, b)],
    )
}

/// The sums of the halves of two registers: those of the first in the low halves.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn sums_of_halves(a: __m512i, b: __m512i) -> __m512i {
    _mm512_xor_si512(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b))
}

/// Two registers of blocks.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
fn in_memory<const REVERSE: bool>(pair: &[u8; 128]) -> [__m512i; 2] {
    let at = |i: usize| load512::<[u8; 64]>(pair[i..].first_chunk().unwrap_or(&[0; 64]));
    let order = |x: __m512i| if REVERSE { reverse(x) } else { x };
    [order(at(0)), order(at(64))]
}

/// The sums of their halves: those of the first in the low halves, or in the high ones if
/// `REVERSE`. Words beside each other are added as they are read, which takes no shuffle.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
fn sums_in_memory<const REVERSE: bool>(pair: &[u8; 128]) -> __m512i {
    let at = |i: usize| load512::<[u8; 64]>(pair[i..].first_chunk().unwrap_or(&[0; 64]));
    let low = _mm512_set_epi64(0, -1, 0, -1, 0, -1, 0, -1);
    let a = _mm512_xor_si512(at(0), at(8));
    let b = _mm512_xor_si512(at(64), at(56));
    // Low words of the one, high words of the other.
    let sums = _mm512_ternarylogic_epi64::<0xca>(low, a, b);
    if REVERSE { reverse(sums) } else { sums }
}

/// The order of the bytes of a block reversed.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn reversal() -> __m128i {
    _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f)
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn reverse(blocks: __m512i) -> __m512i {
    _mm512_shuffle_epi8(blocks, _mm512_broadcast_i32x4(reversal()))
}

/// a + b + c.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
fn sum_of_three(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// Both halves of a lane hold the sum of its halves.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn sum_of_halves(x: __m512i) -> __m512i {
    _mm512_xor_si512(x, _mm512_shuffle_epi32::<0x4e>(x))
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
fn sum_of_lanes(x: __m512i) -> __m128i {
    let x = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x));
    _mm_xor_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x))
}

impl Product {
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn zero() -> Self {
        let zero = _mm512_setzero_si512();
        Product {
            low: zero,
            mid: zero,
            high: zero,
        }
    }

    /// Four reversed blocks times four powers, given with the sums of their halves.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn of(x: __m512i, (power, halves): (__m512i, __m512i)) -> Self {
        Product {
            low: _mm512_clmulepi64_epi128::<0x00>(x, power),
            mid: _mm512_clmulepi64_epi128::<0x00>(sum_of_halves(x), halves),
            high: _mm512_clmulepi64_epi128::<0x11>(x, power),
        }
    }

    /// Register `i` of a step, reversed, times its power.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn of_step(key: &Powers, i: usize, x: __m512i) -> Self {
        let at = POWERS - 32 + 4 * i;
        let power = _mm512_broadcast_i32x4(load128(&key.power[at]));
        let halves = _mm512_broadcast_i32x4(load128(&key.halves[at]));
        Self::of(x, (power, halves))
    }

    /// Adds the low products of two registers, reversed, with their powers.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn add_low(&mut self, [a, b]: [__m512i; 2], [p, q]: [__m512i; 2]) {
        self.low = sum_of_three(
            self.low,
            _mm512_clmulepi64_epi128::<0x00>(a, p),
            _mm512_clmulepi64_epi128::<0x00>(b, q),
        );
    }

    /// Adds the high products of two registers, reversed, with their powers.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn add_high(&mut self, [a, b]: [__m512i; 2], [p, q]: [__m512i; 2]) {
        self.high = sum_of_three(
            self.high,
            _mm512_clmulepi64_epi128::<0x11>(a, p),
            _mm512_clmulepi64_epi128::<0x11>(b, q),
        );
    }

    /// Adds both of these.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn add_outer(&mut self, pair: [__m512i; 2], powers: [__m512i; 2]) {
        self.add_low(pair, powers);
        self.add_high(pair, powers);
    }

    /// Adds the middle products of the same: of the sums of their halves, those of the first in
    /// the low halves of `sums`, with those of the powers.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn add_middle(&mut self, sums: __m512i, [p, q]: [__m512i; 2]) {
        self.mid = sum_of_three(
            self.mid,
            _mm512_clmulepi64_epi128::<0x00>(sums, p),
            _mm512_clmulepi64_epi128::<0x11>(sums, q),
        );
    }

    /// Adds the products of two registers in memory.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    fn add_pair<const REVERSE: bool>(
        &mut self,
        pair: &[u8; 128],
        powers: [__m512i; 2],
        [p, q]: [__m512i; 2],
    ) {
        self.add_outer(in_memory::<REVERSE>(pair), powers);
        let halves = if REVERSE { [q, p] } else { [p, q] };
        self.add_middle(sums_in_memory::<REVERSE>(pair), halves);
        self.in_order();
    }

    /// Four reversed blocks, when `count` are left with them, times consecutive powers. Those
    /// after H are zero.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn of_last(key: &Powers, count: usize, x: __m512i) -> Self {
        debug_assert!((1..=POWERS).contains(&count), "{count} blocks");
        let at = POWERS - count;
        Self::of(x, (quad(&key.power, at), quad(&key.halves, at)))
    }

    /// Adds two products.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn add_both(&mut self, a: Self, b: Self) {
        self.low = sum_of_three(self.low, a.low, b.low);
        self.mid = sum_of_three(self.mid, a.mid, b.mid);
        self.high = sum_of_three(self.high, a.high, b.high);
    }

    /// Adds a product.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn add(&mut self, a: Self) {
        self.low = _mm512_xor_si512(self.low, a.low);
        self.mid = _mm512_xor_si512(self.mid, a.mid);
        self.high = _mm512_xor_si512(self.high, a.high);
    }

    /// Keeps what was multiplied so far apart from what is to come.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn in_order(&mut self) {
        let mut words = [self.low, self.mid, self.high];
        in_order3(&mut words);
        [self.low, self.mid, self.high] = words;
    }

    /// The remainder in each lane: the low half is folded into the high one, 64 bits at a time.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn reduce_lanes(self) -> __m512i {
        let p = POLYNOMIAL as i64;
        let polynomial = _mm512_set_epi64(0, p, 0, p, 0, p, 0, p);
        let mid = sum_of_three(self.mid, self.low, self.high);
        let t = _mm512_clmulepi64_epi128::<0x00>(self.low, polynomial);
        let mid = sum_of_three(mid, t, _mm512_shuffle_epi32::<0x4e>(self.low));
        let t = _mm512_clmulepi64_epi128::<0x00>(mid, polynomial);
        sum_of_three(self.high, t, _mm512_shuffle_epi32::<0x4e>(mid))
    }

    /// The remainder of the sum over the four lanes, in the first.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn reduce_to_first(self) -> __m512i {
        _mm512_zextsi128_si512(self.reduce())
    }

    /// The remainder of the sum over the four lanes.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
    pub(crate) fn reduce(self) -> __m128i {
        sum_of_lanes(self.reduce_lanes())
    }
}

/// Four consecutive powers.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
fn quad(powers: &[[u8; 16]; POWERS + 4], at: usize) -> __m512i {
    let quads = powers[at..].as_flattened().as_chunks::<64>().0;
    load512(&quads[0])
}

#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn init(h: &[u8; 16], key: &mut Powers) {
    powers(load128(&first_power(h)), key, POWERS);
    // H^32 times H^32, H^28, …
    let at = |i: usize| load128(&key.power[POWERS - 32 + 4 * i]);
    let by = _mm512_broadcast_i32x4(at(0));
    let far = key.far.as_flattened_mut().as_chunks_mut::<64>().0;
    let halves = key.far_halves.as_flattened_mut().as_chunks_mut::<64>().0;
    for (i, (far, halves)) in far.iter_mut().zip(halves).enumerate() {
        let four = _mm512_zextsi128_si512(at(4 * i));
        let four = _mm512_inserti32x4::<1>(four, at(4 * i + 1));
        let four = _mm512_inserti32x4::<2>(four, at(4 * i + 2));
        let four = times(_mm512_inserti32x4::<3>(four, at(4 * i + 3)), by);
        store512(far, four);
        store512(halves, sum_of_halves(four));
    }
}

/// H^4, H^3, H^2, H of H.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn four_powers(first: __m128i) -> __m512i {
    let h = _mm512_zextsi128_si512(first);
    let square = times(h, h);
    // H^2 and H times H^2.
    let two = _mm512_inserti32x4::<1>(square, low_lane(h));
    let four = times(two, _mm512_broadcast_i32x4(low_lane(square)));
    let last = _mm512_inserti32x4::<2>(four, low_lane(square));
    _mm512_inserti32x4::<3>(last, low_lane(h))
}

/// `most` powers or more of the first one: four, then twice as many each time by one more
/// multiplication.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn powers(first: __m128i, key: &mut Powers, most: usize) {
    let last = four_powers(first);
    let mut quads = [last; POWERS / 4];
    put(key, 0, quads[0]);
    for (known, next) in [(1, 2), (2, 4), (4, 8), (8, POWERS / 4)] {
        if most <= 4 * known {
            return;
        }
        let highest = first_lane(quads[known - 1]);
        for i in known..next {
            quads[i] = times(quads[i - known], highest);
            put(key, i, quads[i]);
        }
    }
}

/// Keeps the four powers before the last `4 i`.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
fn put(key: &mut Powers, i: usize, four: __m512i) {
    let powers = key.power.as_flattened_mut().as_chunks_mut::<64>().0;
    let halves = key.halves.as_flattened_mut().as_chunks_mut::<64>().0;
    store512(&mut powers[POWERS / 4 - 1 - i], four);
    store512(&mut halves[POWERS / 4 - 1 - i], sum_of_halves(four));
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
fn low_lane(x: __m512i) -> __m128i {
    _mm256_castsi256_si128(_mm512_castsi512_si256(x))
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn first_lane(x: __m512i) -> __m512i {
    _mm512_broadcast_i32x4(low_lane(x))
}

/// The products of the lanes.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn times(x: __m512i, y: __m512i) -> __m512i {
    Product::of(x, (y, sum_of_halves(y))).reduce_lanes()
}

/// Takes eight registers of reversed blocks into the sums of the lanes; the sum is in the first
/// then.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn absorb_step(key: &Powers, sums: __m512i, mut x: [__m512i; 8]) -> __m512i {
    let mut product = Product::zero();
    // The sums are known last, so the register that takes them in comes last.
    for i in [6, 4, 2, 0] {
        if i == 0 {
            x[0] = _mm512_xor_si512(x[0], sums);
        }
        let (powers, halves) = consecutive_of_two(key, i);
        product.add_outer([x[i], x[i + 1]], powers);
        product.add_middle(sums_of_halves(x[i], x[i + 1]), halves);
        product.in_order();
    }
    product.reduce_to_first()
}

/// Takes blocks that lie in memory, of one step or of two, into the sums of the lanes.
macro_rules! absorb_pairs {
    ($(#[$meta:meta])* $name:ident, $pairs:literal, $ahead:literal, $($i:literal)*) => {
        $(#[$meta])*
        #[inline]
        #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
        pub(crate) fn $name<const REVERSE: bool>(
            key: &Powers,
            sums: __m512i,
            pairs: &[[u8; 128]; $pairs],
        ) -> __m512i {
            let mut product = Product::zero();
            $( {
                let (powers, halves) = powers_of_two(key, 2 * ($ahead + $i));
                product.add_pair::<REVERSE>(&pairs[$i], powers, halves);
            } )*
            // The sums are known last, so the registers that take them in come last.
            let (powers, halves) = powers_of_two(key, 2 * $ahead);
            let [a, b] = in_memory::<REVERSE>(&pairs[0]);
            let a = _mm512_xor_si512(a, sums);
            product.add_outer([a, b], powers);
            product.add_middle(sums_of_halves(a, b), halves);
            product.reduce_lanes()
        }
    };
}
absorb_pairs! {
    /// 32 blocks.
    absorb_four, 4, 4, 3 2 1
}
absorb_pairs! {
    /// 64 blocks.
    absorb_eight, 8, 0, 7 6 5 4 3 2 1
}

/// Takes data, its last block filled up with zeros, into a reversed sum.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn absorb(key: &Powers, sum: __m128i, data: &[u8]) -> __m128i {
    match data.len() {
        0 => sum,
        1..=64 => {
            let x = _mm512_xor_si512(_mm512_zextsi128_si512(sum), reverse(load512_partial(data)));
            Product::of_last(key, data.len().div_ceil(16), x).reduce()
        }
        _ => absorb_last(key, _mm512_zextsi128_si512(sum), data),
    }
}

/// Takes data into the sums of the lanes, and the sums together: four blocks or more, where there
/// are sums in more than the first.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn absorb_last(key: &Powers, sums: __m512i, data: &[u8]) -> __m128i {
    absorb_end::<false>(key, sums, data, _mm_setzero_si128())
}

/// Takes data, its last block filled up with zeros, and the block of lengths into a reversed sum.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn absorb_with_lengths(
    key: &Powers,
    sum: __m128i,
    data: &[u8],
    lengths: u128,
) -> __m128i {
    let lengths = _mm_set_epi64x((lengths >> 64) as i64, lengths as i64);
    absorb_end::<true>(key, _mm512_zextsi128_si512(sum), data, lengths)
}

/// Takes whole steps into the sums of the lanes. Not inlined, so that what short data needs is.
#[inline(never)]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
fn absorb_steps(key: &Powers, mut sums: __m512i, pairs: &[[u8; 128]]) -> __m512i {
    let (twice, once) = pairs.as_chunks();
    for step in twice {
        sums = absorb_eight::<true>(key, sums, step);
    }
    for step in once.as_chunks().0 {
        sums = absorb_four::<true>(key, sums, step);
    }
    sums
}

/// [`absorb_last`] and, if `LENGTHS`, the reversed block of lengths, which counts as one.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
fn absorb_end<const LENGTHS: bool>(
    key: &Powers,
    mut sums: __m512i,
    data: &[u8],
    lengths: __m128i,
) -> __m128i {
    // Four blocks are left at least, 35 at most.
    let behind = usize::from(LENGTHS);
    let steps = data.len().saturating_sub(49 - 16 * behind) / size_of::<Step>();
    let (steps, last) = data.split_at(steps * size_of::<Step>());
    if !steps.is_empty() {
        sums = absorb_steps(key, sums, steps.as_chunks().0);
    }
    let mut count = last.len().div_ceil(16) + behind;
    debug_assert!(count <= POWERS, "{count} blocks");
    debug_assert!(
        steps.is_empty() || count >= 4,
        "the sums of the lanes need four"
    );
    let mut product = Product::zero();
    for data in last.chunks(64) {
        let x = _mm512_xor_si512(sums, reverse(load512_partial(data)));
        product.add(Product::of_last(key, count, x));
        sums = _mm512_setzero_si512();
        count = count.saturating_sub(4);
    }
    if LENGTHS {
        let x = _mm512_xor_si512(sums, _mm512_zextsi128_si512(lengths));
        product.add(Product::of_last(key, 1, x));
    }
    product.reduce()
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn update(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    let start = _mm_shuffle_epi8(load128(sum), reversal());
    let y = absorb(key, start, blocks.as_flattened());
    store128(sum, _mm_shuffle_epi8(y, reversal()));
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,pclmulqdq")]
pub(crate) fn finish(key: &Powers, sum: &mut [u8; 16], data: &[u8], lengths: u128) {
    let start = _mm_shuffle_epi8(load128(sum), reversal());
    let y = absorb_with_lengths(key, start, data, lengths);
    store128(sum, _mm_shuffle_epi8(y, reversal()));
}
