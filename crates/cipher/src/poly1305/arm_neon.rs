//! Poly1305 with NEON: two lanes, in five limbs of 26 bits.
//!
//! 1. Lane 0 of the sum takes the even blocks and lane 1 the odd ones, so they are multiplied by
//!    r^2 where the whole sum would be by r; after the last blocks lane 0 is multiplied by r, lane 1
//!    is added and both are multiplied by r.
//! 2. Of eight blocks the first two are multiplied by r^6, the next by r^4 and r^2, and the lanes by
//!    r^8: four products share one round of carries.
//! 3. Carries start from two limbs, so that each waits for three others and not for six.
//! 4. A limb is below 2^27 + 2^26 and one of a power, times 5, below 2^29, so sums of 20 products
//!    are below 2^61.
//! 5. For a few blocks the scalar unit is quicker, one by one.

use super::{State, portable, portable64};
use adamant_base::simd::{load_u32, load_words, whole};
use core::arch::aarch64::{
    uint32x2_t, uint32x4_t, uint64x2_t, vadd_u32, vaddq_u64, vandq_u32, vandq_u64, vcreate_u32,
    vdupq_n_u32, vdupq_n_u64, vget_high_u32, vget_lane_u32, vget_low_u32, vmlal_laneq_u32,
    vmovl_high_u32, vmovn_u64, vorrq_u32, vreinterpretq_u32_u64, vreinterpretq_u64_u32,
    vshlq_n_u64, vshrq_n_u32, vshrq_n_u64, vsliq_n_u32, vsraq_n_u64,
};
use core::array::from_fn;

/// From how many blocks on two lanes are quicker than one.
pub(super) const WORTHWHILE: usize = 48;
const MASK: u32 = (1 << 26) - 1;

/// The limbs of four blocks; `high` has bit 24 set for whole ones.
#[inline]
#[target_feature(enable = "neon")]
fn blocks(blocks: &[[u8; 16]; 4], high: uint32x4_t) -> [uint32x4_t; 5] {
    let [w0, w1, w2, w3] = load_words(blocks);
    let low = |x| vandq_u32(x, vdupq_n_u32(MASK));
    [
        low(w0),
        low(vsliq_n_u32::<6>(vshrq_n_u32::<26>(w0), w1)),
        low(vsliq_n_u32::<12>(vshrq_n_u32::<20>(w1), w2)),
        low(vsliq_n_u32::<18>(vshrq_n_u32::<14>(w2), w3)),
        vorrq_u32(vshrq_n_u32::<8>(w3), high),
    ]
}

/// A factor: for limb i of the product, limb j of the other is multiplied with number 4 + i - j.
#[inline]
#[target_feature(enable = "neon")]
fn factors(number: [u64; 3]) -> [uint32x4_t; 3] {
    let [r0, r1, r2, r3, r4] = portable::limbs::<5, 26>(number);
    let vector = |words| vreinterpretq_u32_u64(whole(vreinterpretq_u64_u32(load_u32(words))));
    [
        vector(&[5 * r1, 5 * r2, 5 * r3, 5 * r4]),
        vector(&[r0, r1, r2, r3]),
        vector(&[r4; 4]),
    ]
}

/// Adds the products of two numbers with the same factor.
macro_rules! multiply_add {
    ($sums:ident, $x:expr, $factors:ident) => {
        let (x, [f0, f1, f2]) = ($x, $factors);
        multiply_add!($sums, x[0], (f1 0) (f1 1) (f1 2) (f1 3) (f2 0));
        multiply_add!($sums, x[1], (f0 3) (f1 0) (f1 1) (f1 2) (f1 3));
        multiply_add!($sums, x[2], (f0 2) (f0 3) (f1 0) (f1 1) (f1 2));
        multiply_add!($sums, x[3], (f0 1) (f0 2) (f0 3) (f1 0) (f1 1));
        multiply_add!($sums, x[4], (f0 0) (f0 1) (f0 2) (f0 3) (f1 0));
    };
    ($sums:ident, $x:expr, $(($f:ident $lane:literal))*) => {
        let [s0, s1, s2, s3, s4] = $sums;
        $sums = multiply_add!(@ $x, [s0 s1 s2 s3 s4] $(($f $lane))*);
    };
    (@ $x:expr, [$($s:ident)*] $(($f:ident $lane:literal))*) => {
        [$( vmlal_laneq_u32::<$lane>($s, $x, $f) ),*]
    };
}

/// Limbs below 2^26, the second and the last below 2^26 + 2^11.
#[inline]
#[target_feature(enable = "neon")]
fn carry([d0, d1, d2, d3, d4]: [uint64x2_t; 5]) -> [uint32x2_t; 5] {
    let low = |x| vandq_u64(x, vdupq_n_u64(MASK.into()));
    let (d1, d4) = (vsraq_n_u64::<26>(d1, d0), vsraq_n_u64::<26>(d4, d3));
    let over = vshrq_n_u64::<26>(d4);
    let five = vaddq_u64(over, vshlq_n_u64::<2>(over));
    let (d0, d2) = (vaddq_u64(low(d0), five), vsraq_n_u64::<26>(d2, d1));
    let (d1, d3) = (
        vsraq_n_u64::<26>(low(d1), d0),
        vsraq_n_u64::<26>(low(d3), d2),
    );
    let d4 = vsraq_n_u64::<26>(low(d4), d3);
    [
        vmovn_u64(low(d0)),
        vmovn_u64(d1),
        vmovn_u64(low(d2)),
        vmovn_u64(low(d3)),
        vmovn_u64(d4),
    ]
}

#[target_feature(enable = "neon")]
pub(crate) fn update(state: &mut State, mut input: &[[u8; 16]], high: u32) {
    if input.len() >= WORTHWHILE
        && let Some((two, rest)) = input.split_first_chunk()
    {
        let (eights, rest) = rest.as_chunks::<8>();
        lanes(state, two, eights, high);
        input = rest;
    }
    portable64::update(state, input, high);
}

#[inline]
#[target_feature(enable = "neon")]
fn lanes(state: &mut State, &[a, b]: &[[u8; 16]; 2], eights: &[[[u8; 16]; 8]], high: u32) {
    debug_assert!(high <= 1);
    let high = vdupq_n_u32(high << 24);
    let r = state.r;
    let times_r = |number| portable64::add_and_multiply(number, r, &[0; 16], 0);
    // r to r^8.
    let mut powers = [[r[0], r[1], 0]; 8];
    for i in 1..8 {
        powers[i] = times_r(powers[i - 1]);
    }
    let [_, r2, _, r4, _, r6, _, r8] = powers;
    let [by_r2, by_r4, by_r6, by_r8] = [r2, r4, r6, r8].map(|power| factors(power));
    // The sum so far belongs to the first block.
    let mut sum = blocks(&[a, b, [0; 16], [0; 16]], high).map(|limb| vget_low_u32(limb));
    let before = portable::limbs::<5, 26>(state.sum);
    for (limb, before) in sum.iter_mut().zip(before) {
        *limb = vadd_u32(*limb, vcreate_u32(before.into()));
    }
    for eight in eights {
        let ([first, second], _) = eight.as_chunks() else {
            continue;
        };
        let (x, y) = (blocks(first, high), blocks(second, high));
        let mut sums = y.map(|limb| vmovl_high_u32(limb));
        multiply_add!(sums, x.map(|limb| vget_low_u32(limb)), by_r6);
        multiply_add!(sums, x.map(|limb| vget_high_u32(limb)), by_r4);
        multiply_add!(sums, y.map(|limb| vget_low_u32(limb)), by_r2);
        multiply_add!(sums, sum, by_r8);
        sum = carry(sums);
    }
    let even = sum.map(|limb| vget_lane_u32::<0>(limb).into());
    let odd = sum.map(|limb| vget_lane_u32::<1>(limb));
    let even = portable::limbs::<5, 26>(times_r(portable::join::<5, 26>(even)));
    let sum = from_fn(|i| u64::from(even[i]) + u64::from(odd[i]));
    state.sum = times_r(portable::join::<5, 26>(sum));
}
