//! The group on AVX-512 IFMA, four coordinates side by side, and two points where there are two.

use super::super::edwards::Affine;
use super::super::field::Fe;
use super::super::memory::{self, bytes_for};
use super::super::x86_ifma::four::Four;
use super::super::x86_ifma::point::{
    self, cache as right, double_times, extended, from_niels, neutral,
};
use super::super::x86_ifma::{odd_multiples as odd_multiples_of_two, pair};
use super::super::{roots, x86_ifma_x8};
use super::batch;
use adamant_base::Error;
use adamant_base::ct::Choice;
use core::arch::x86_64::_mm256_set1_epi64x;

pub(super) use pairs::{mul, mul_fixed, multiscalar_mul};

mod pairs;

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
crate::curve25519::group::words::single!(#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]);

/// From as many points on, each lane takes an eighth of them; and from so many on, buckets do the
/// sum. Where a register goes through its unit in halves, as in Zen 4, eight lanes pay from 80
/// points to 256 alone; elsewhere sooner, and longer.
const LANES_FROM: usize = 48;
const BUCKETS_FROM: usize = 400;

#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
pub(super) fn multiscalar_mul_vartime(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    match points.len() {
        0..LANES_FROM => straus_vartime(scalars, points),
        LANES_FROM..BUCKETS_FROM => lanes_vartime(scalars, points),
        _ => buckets_vartime(scalars, points),
    }
}

#[inline(never)] // For other sums not to take its stack.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn buckets_vartime(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    pippenger_vartime(scalars, points)
}

/// A digit that is not zero: of which point, and the next one of the same bit.
struct Term {
    point: usize,
    digit: i8,
    next: Option<usize>,
}

/// Digits of non-adjacent forms, bit by bit: the last of each bit, and all.
#[inline(never)] // As above.
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
#[inline(never)] // As above.
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

#[inline(never)] // As above.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn lanes_vartime(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    // The lanes take odd scalars: where one is even, one more is taken, and the point taken away.
    let odd = |scalar: &Scalar| {
        let [first, rest @ ..] = *scalar.words();
        let [a, b, c] = rest;
        [first | 1, a, b, c]
    };
    let mut memory = vec![0; bytes_for(points.len().div_ceil(8))];
    let items = scalars.iter().map(odd).zip(affine(points));
    let tables = memory::tables(&mut memory);
    let sum = x86_ifma_x8::sum_vartime(items, core::iter::empty(), tables);
    let even = scalars.iter().map(|scalar| scalar.words()[0] & 1 == 0);
    take_away(EdwardsPoint(sum), even.zip(points))
}

#[inline(never)] // For the sum not to have its stack.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn affine(points: &[EdwardsPoint]) -> Vec<Affine> {
    batch::affine(points)
}

/// The sum without those points that are marked.
#[inline(never)] // As above.
#[target_feature(enable = "avx512f,avx512ifma,avx512vl,bmi2")]
fn take_away<'a>(
    sum: EdwardsPoint,
    points: impl Iterator<Item = (bool, &'a EdwardsPoint)>,
) -> EdwardsPoint {
    let mut sum = read(&sum);
    for (_, point) in points.filter(|(marked, _)| *marked) {
        sum = add(sum, &right(read(point)), u64::MAX);
    }
    write(sum)
}

/// By eight lanes, in variable time: encodings of a batch are public.
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
