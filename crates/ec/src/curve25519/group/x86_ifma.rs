//! The group on AVX-512 IFMA, four coordinates side by side, and two points where there are two;
//! sums of multiples are those of eight lanes.

use super::super::field::Fe;
use super::super::x86_ifma::four::Four;
use super::super::x86_ifma::point::{
    self, cache as right, double_times, extended, from_niels, neutral,
};
use super::super::x86_ifma::vector::{join, zero};
use super::super::x86_ifma::{odd_multiples as odd_multiples_of_two, pair};
use super::super::x86_ifma_x8;
use super::pippenger::Plan;
use adamant_base::simd::arch::_mm256_set1_epi64x;
use adamant_base::{Error, Wipe};

#[cfg(all(target_arch = "x86", feature = "small", not(feature = "lab")))]
use super::portable16 as others;
#[cfg(all(target_arch = "x86", any(feature = "lab", not(feature = "small"))))]
use super::portable32 as others;
#[cfg(target_arch = "x86_64")]
use super::x86_bmi2 as others;
pub(super) use others::{add_points, compress_batch, decompress, double, invert, sqrt_ratio};
pub(super) use pairs::{form_of_table, mul_fixed};
pub(super) use single::mul;

mod pairs;
mod single;

type Point = Four;
type Right = Four;

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn read(point: &EdwardsPoint) -> Four {
    point::from_extended(&point.0)
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn write(point: Four) -> EdwardsPoint {
    EdwardsPoint(extended(point))
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn add(p: Four, q: &Four, sign: u64) -> Four {
    point::add(p, *q, sign)
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn from_table(entry: &Niels) -> Four {
    from_niels(entry)
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn mul_base_point(scalar: &[u8; 32]) -> EdwardsPoint {
    EdwardsPoint(*pair::mul_base(scalar))
}

crate::curve25519::group::algorithms::algorithms!(#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]);

/// From as many points on, lanes take windows of the scalars; and from this many on, buckets.
const WINDOWS_FROM: usize = 6;
const BUCKETS_FROM: usize = 256;

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(super) fn multiscalar_mul_vartime(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    match points.len() {
        0..WINDOWS_FROM => straus_vartime(scalars, points),
        WINDOWS_FROM..BUCKETS_FROM => multiscalar_mul(scalars, points),
        _ => buckets_vartime(scalars, points),
    }
}

#[cfg_attr(feature = "lab", inline(never))] // For other sums not to take its stack.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(super) fn multiscalar_mul(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    let mut windows = x86_ifma_x8::windows(scalars, points);
    let sum = of_windows(4, &windows);
    windows.as_mut_slice().wipe();
    sum
}

#[cfg_attr(feature = "lab", inline(never))] // As above.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn buckets_vartime(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    let width = match points.len() {
        0..384 => 6,
        384..768 => 7,
        768..2048 => 8,
        2048..4096 => 9,
        4096..12_288 => 10,
        _ => 12,
    };
    let plan = Plan::new(scalars, width);
    of_windows(width, &x86_ifma_x8::buckets_vartime(&plan, points))
}

/// The sum of windows of this many bits, right sides of sums.
#[cfg_attr(feature = "lab", inline(never))] // As above.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn of_windows(width: u32, windows: &[[Fe; 4]]) -> EdwardsPoint {
    let mut sum = neutral();
    for window in windows.iter().rev() {
        point::double(&mut sum, width);
        point::add_to(&mut sum, &join(*window), zero());
    }
    write(sum)
}

/// A digit that is not zero: of which point, and the next one of the same bit.
struct Term {
    point: usize,
    digit: i8,
    next: Option<usize>,
}

/// Digits of non-adjacent forms, bit by bit: the last of each bit, and all.
#[cfg_attr(feature = "lab", inline(never))] // As above.
#[cfg_attr(not(feature = "lab"), inline)]
fn terms_vartime(scalars: &[Scalar]) -> (Vec<Option<usize>>, Vec<Term>) {
    let mut last = vec![None; 256];
    let mut terms = Vec::with_capacity(48 * scalars.len());
    for (point, scalar) in scalars.iter().enumerate() {
        for (last, digit) in last.iter_mut().zip(naf_vartime(scalar.words(), 5)) {
            if digit != 0 {
                let next = last.replace(terms.len());
                terms.push(Term { point, digit, next });
            }
        }
    }
    (last, terms)
}

/// Straus: the doublings are shared. Points are taken bit by bit, where their digits are not zero.
#[cfg_attr(feature = "lab", inline(never))] // As above.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn straus_vartime(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    let (last, terms) = terms_vartime(scalars);
    let pairs = pairs::pairs(points);
    let mut rows = vec![[[neutral(); 2]; 8]; pairs.len()];
    for (row, pair) in rows.iter_mut().zip(pairs) {
        odd_multiples_of_two(pair, row);
    }
    let mut sum = neutral();
    let mut doublings = 0;
    for last in last.iter().rev() {
        doublings += 1;
        if last.is_none() {
            continue;
        }
        point::double(&mut sum, doublings);
        doublings = 0;
        let mut next = *last;
        while let Some(term) = next.map(|i| &terms[i]) {
            let sign = _mm256_set1_epi64x(i64::from(term.digit >> 7));
            let multiple = &rows[term.point / 2][usize::from(term.digit.unsigned_abs() / 2)];
            point::add_to(&mut sum, &multiple[term.point % 2], sign);
            next = term.next;
        }
    }
    write(double_times(sum, doublings))
}

/// By eight lanes, in variable time: encodings of a batch are public.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(super) fn decompress_batch(bytes: &[[u8; 32]], out: &mut [Result<EdwardsPoint, Error>]) {
    let mut points = [None; 64];
    for (bytes, out) in bytes.chunks(64).zip(out.chunks_mut(64)) {
        let points = &mut points[..bytes.len()];
        x86_ifma_x8::decompress_batch_vartime(bytes, points);
        for ((bytes, point), out) in bytes.iter().zip(&*points).zip(out) {
            // Encodings that are not canonical come back as another one.
            let canonical = point.filter(|point| point.compress() == *bytes);
            *out = canonical
                .map(|point| EdwardsPoint(point.extend()))
                .ok_or(Error::BadPublicKey);
        }
    }
}
