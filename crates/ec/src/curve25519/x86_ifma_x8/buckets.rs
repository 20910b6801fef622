//! Sums of many multiples, by buckets (Pippenger): for each window of bits of the scalars the points
//! fall into buckets by their digit, and the buckets are added up, the one of digit `d` `d` times.
//! Everything is public: time varies.
//!
//! Eight windows at a time. First a lane has a bucket, of whatever window: buckets are taken by the
//! number of their points, so that lanes are done at the same time. Then a lane has a window.

use super::LANES;
use super::convert::join;
use super::entry::{Cached, Three, Two};
use super::field::{Factor, Sum};
use super::inverse::invert;
use super::point::{Niels, Point};
use crate::curve25519::field::Fe;
use crate::curve25519::group::EdwardsPoint;
use crate::curve25519::group::pippenger::Plan;
use alloc::{vec, vec::Vec};

/// The points as right sides of sums, and at least one that is neutral after them.
#[cfg_attr(feature = "lab", inline(never))] // For what follows to begin with the stack that this has left.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn rights(points: &[EdwardsPoint]) -> Vec<Two> {
    let groups = points.len() / LANES + 1;
    let group = |i: usize| {
        let mut group = [EdwardsPoint::NEUTRAL; LANES];
        let points = &points[i * LANES..];
        let points = &points[..points.len().min(LANES)];
        group[..points.len()].copy_from_slice(points);
        group
    };
    let one = Factor::one();
    let (mut inverses, mut before) = (vec![one; groups], vec![one; groups]);
    for (i, inverse) in inverses.iter_mut().enumerate() {
        *inverse = join(&group(i).map(|point| point.0.z)).carry();
    }
    invert(&mut inverses, &mut before);
    let mut rights = vec![Two([[0; 64]; 2]); groups * LANES];
    let parts = rights.as_chunks_mut().0.iter_mut().zip(&inverses);
    for (i, (rights, inverse)) in parts.enumerate() {
        let (x, y) = (
            group(i).map(|point| point.0.x),
            group(i).map(|point| point.0.y),
        );
        Niels::new(&join(&x), &join(&y), inverse).store(rights);
    }
    rights
}

/// Values in the order of their keys, and where those of each key begin; and where the last ones
/// end.
fn sorted(items: impl Iterator<Item = (usize, u32)> + Clone, keys: usize) -> (Vec<u32>, Vec<u32>) {
    let mut next = vec![0; keys];
    items.clone().for_each(|(key, _)| next[key] += 1);
    let mut all = 0;
    let mut starts: Vec<_> = next
        .iter_mut()
        .map(|next| {
            let start = all;
            all += *next;
            *next = start;
            start
        })
        .collect();
    starts.push(all);
    let mut values = vec![0; all as usize];
    items.for_each(|(key, value)| {
        values[next[key] as usize] = value;
        next[key] += 1;
    });
    (starts, values)
}

/// For each window of the plan the sum of the points, each as many times as its digit says: as right
/// sides of sums, Y+X, 2Z, 2dT, Y-X.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in crate::curve25519) fn buckets_vartime(plan: &Plan, points: &[EdwardsPoint]) -> Vec<[Fe; 4]> {
    let rights = rights(points);
    let size = 1 + plan.buckets();
    let mut sums = vec![Three::ZERO; LANES * size];
    let mut windows = Vec::with_capacity(plan.windows() + LANES);
    for first in (0..plan.windows()).step_by(LANES) {
        fill(plan, first, &rights, &mut sums);
        windows.extend(total(&sums, size));
    }
    windows.truncate(plan.windows());
    windows
}

/// Sums of the points of each bucket, of eight windows from the first one on; `rights` has a neutral
/// one at its end. A window's digits of zero are a bucket too, at its beginning, which is not filled.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn fill(plan: &Plan, first: usize, rights: &[Two], sums: &mut [Three]) {
    let size = 1 + plan.buckets();
    let last = plan.windows().min(first + LANES);
    let digits = (first..last).flat_map(|window| {
        let digits = plan.digits(window).enumerate();
        digits.map(move |(i, digit)| {
            let bucket = usize::from(digit.unsigned_abs()) + (window - first) * size;
            (bucket, (i as u32) << 1 | u32::from(digit < 0))
        })
    });
    let (starts, signed) = sorted(digits, sums.len());
    let list = |bucket: u32| {
        let bucket = bucket as usize;
        &signed[starts[bucket] as usize..starts[bucket + 1] as usize]
    };
    let buckets = (0..sums.len() as u32).filter(|bucket| !(*bucket as usize).is_multiple_of(size));
    let most = buckets
        .clone()
        .map(|bucket| list(bucket).len())
        .max()
        .unwrap_or(0);
    let order = buckets.map(|bucket| (most - list(bucket).len(), bucket));
    let (_, order) = sorted(order, most + 1);
    let two = Sum::constant(&[2, 0, 0, 0, 0]);
    for buckets in order.as_chunks::<LANES>().0 {
        let lists = buckets.map(list);
        let term = |i: usize| {
            let mut negative = 0;
            let entries = core::array::from_fn(|lane| {
                // 2 the index of a neutral point, where there is no more.
                let neutral = 2 * rights.len() as u32 - 2;
                let signed = lists[lane].get(i).copied().unwrap_or(neutral);
                negative |= ((signed & 1) as u8) << lane;
                &rights[signed as usize / 2]
            });
            (entries, negative)
        };
        let (entries, negative) = term(0);
        let mut sum = Point::from_niels(&Niels::load(entries), &two, negative);
        for i in 1..lists[0].len() {
            let (entries, negative) = term(i);
            sum.add_with(&Niels::load(entries), |z| z.plus(z), negative);
        }
        if let Ok(to) = sums.get_disjoint_mut(buckets.map(|bucket| bucket as usize)) {
            sum.cache().store(to.map(|to| &mut to.0));
        }
    }
}

/// For each window the sum of the buckets, the one of digit `d` `d` times.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn total(sums: &[Three], size: usize) -> [[Fe; 4]; LANES] {
    let bucket =
        |digit: usize| Cached::load(core::array::from_fn(|lane| &sums[lane * size + digit].0));
    // The sum over all buckets from the last one to each.
    let mut running = bucket(size - 1).point(0);
    let mut total = running;
    for digit in (1..size - 1).rev() {
        running.add(&bucket(digit), 0);
        total.add(&running.cache(), 0);
    }
    total.cache().elements()
}
