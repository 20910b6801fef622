//! What products are not: the portable field's functions on vector registers, two limbs to each. What
//! the assembly leaves in memory stays there as a whole, where a compiler would copy it word by word.

use super::super::field::{MASK, SUM, below};
use adamant_base::simd::{from_fn, load_u64, map, store_u64};
use core::arch::aarch64::{
    uint64x2_t, vaddq_u64, vandq_u64, vbslq_u64, vdup_n_u32, vdupq_n_u64, vextq_u64, vmovn_u64,
    vmull_u32, vshlq_n_u64, vshrn_n_u64, vshrq_n_u64, vsraq_n_u64, vsubq_u64,
};

type Limbs = [u64; 8];
type Pairs = [uint64x2_t; 4];

#[inline]
#[target_feature(enable = "neon")]
fn load(limbs: &Limbs) -> Pairs {
    let (pairs, _) = limbs.as_chunks();
    from_fn(|i| load_u64(&pairs[i]))
}

#[inline]
#[target_feature(enable = "neon")]
fn store(pairs: Pairs) -> Limbs {
    let mut limbs = [0; 8];
    for (to, pair) in limbs.as_chunks_mut().0.iter_mut().zip(pairs) {
        store_u64(to, pair);
    }
    limbs
}

/// `a + b`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn add(a: &Limbs, b: &Limbs) -> Limbs {
    let (a, b) = (load(a), load(b));
    store(from_fn(|i| vaddq_u64(a[i], b[i])))
}

/// `a - b + n p`.
#[inline]
#[target_feature(enable = "neon")]
fn minus(n: u64, a: &Limbs, b: &Limbs) -> Pairs {
    let (a, b) = (load(a), load(b));
    from_fn(|i| {
        let p = load_u64(&[n * (MASK - u64::from(i == 2)), n * MASK]);
        vsubq_u64(vaddq_u64(a[i], p), b[i])
    })
}

/// `a - b + 2p`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn sub(a: &Limbs, b: &Limbs) -> Limbs {
    store(minus(2, a, b))
}

/// `a - b`, tight, for sums of two tight elements.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn sub_loose(a: &Limbs, b: &Limbs) -> Limbs {
    debug_assert!(below(a, SUM) && below(b, SUM));
    carry(minus(4, a, b))
}

/// The same value with tight limbs.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn tighten(a: &Limbs) -> Limbs {
    carry(load(a))
}

#[inline]
#[target_feature(enable = "neon")]
fn carry(pairs: Pairs) -> Limbs {
    plus_carries(
        map(pairs, |pair| vandq_u64(pair, vdupq_n_u64(MASK))),
        map(pairs, |pair| vshrq_n_u64::<56>(pair)),
    )
}

/// The limbs, each with the carry of the one below it; that of the last goes to limbs 0 and 4.
#[inline]
#[target_feature(enable = "neon")]
fn plus_carries(pairs: Pairs, carries: Pairs) -> Limbs {
    let last = vextq_u64::<1>(carries[3], vdupq_n_u64(0));
    let mut sums: Pairs = from_fn(|i| {
        let below = vextq_u64::<1>(carries[(i + 3) % 4], carries[i]);
        vaddq_u64(pairs[i], below)
    });
    sums[2] = vaddq_u64(sums[2], last);
    store(sums)
}

/// `a * factor`, for loose limbs and a factor below 2^17: limbs below 2^56 + 2^50.
///
/// Of the products with the upper 32 bits of limbs, below 2^43, what is from 2^56 on is carried.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn scale(a: &Limbs, factor: u32) -> Limbs {
    let (a, factor) = (load(a), vdup_n_u32(factor));
    let upper: Pairs = map(a, |a| vmull_u32(vshrn_n_u64::<32>(a), factor));
    let limbs = from_fn(|i| {
        let lower = vmull_u32(vmovn_u64(a[i]), factor);
        vsraq_n_u64::<8>(lower, vshlq_n_u64::<40>(upper[i]))
    });
    plus_carries(limbs, map(upper, |upper| vshrq_n_u64::<24>(upper)))
}

/// `b` where the mask is all ones, `a` where it is zero.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn choose(mask: u64, a: &Limbs, b: &Limbs) -> Limbs {
    let (a, b, mask) = (load(a), load(b), vdupq_n_u64(mask));
    store(from_fn(|i| vbslq_u64(mask, b[i], a[i])))
}
