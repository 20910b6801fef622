//! Verification, a signature in each lane. Everything is public: time varies.

use super::LANES;
use super::base::mul_base_lanes;
use super::convert::{from_bytes, split};
use super::entry::Cached;
use super::field::{Factor, Limbs, NONE, P24, Sum, limbs, pow_p58};
use super::point::Point;
use crate::curve25519::edwards::{self, Affine, Extended};
use crate::curve25519::fields::Field;
use crate::curve25519::kernel::{Check, Equation};
use crate::curve25519::memory::{Aligned, MULTIPLE, Row, Table};

/// Groups whose square roots are taken at once: one alone waits for its own results.
const TOGETHER: usize = 2;
/// Bits of a digit.
const WINDOW: usize = 4;
/// Entries of a table: the odd multiples of a digit.
const ENTRIES: usize = 1 << (WINDOW - 1);

const D: Limbs = limbs(&edwards::D);
const SQRT_M1: Limbs = limbs(&edwards::SQRT_M1);

/// The points of encodings, canonical or not: a y from p on is taken modulo p, and the sign of
/// x = 0 does not matter.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in crate::curve25519) fn decompress_batch_vartime(
    bytes: &[[u8; 32]],
    out: &mut [Option<Affine>],
) {
    // As many groups at once as it takes for none to wait for its own results.
    let most = LANES * TOGETHER;
    for (bytes, out) in bytes.chunks(most).zip(out.chunks_mut(most)) {
        let mut encodings = [[[0; 32]; LANES]; TOGETHER];
        encodings.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
        let (points, valid) = decompress(&encodings);
        let points = points.as_flattened().iter().zip(valid.as_flattened());
        for (to, (point, valid)) in out.iter_mut().zip(points) {
            *to = valid.then_some(*point);
        }
    }
}

/// x^2 = u / v; the candidate root is u v^3 (u v^7)^((p - 5) / 8).
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn decompress(
    encodings: &[[[u8; 32]; LANES]; TOGETHER],
) -> ([[Affine; LANES]; TOGETHER], [[bool; LANES]; TOGETHER]) {
    let one = Sum::one();
    let d = Factor::constant(&D);
    let y: [Sum; TOGETHER] = core::array::from_fn(|i| from_bytes(&encodings[i]));
    let yy = y.map(|y| y.carry().square(P24));
    let u = yy.map(|yy| yy.minus(&one).carry());
    let v = yy.map(|yy| yy.carry().mul(&d, NONE).plus(&one).carry());
    let v3 = v.map(|v| v.squared().times(&v));
    let base = core::array::from_fn(|i| v3[i].squared().times(&v[i]).times(&u[i]));
    let power = pow_p58::<TOGETHER>(&base);
    let mut points = [[Affine::NEUTRAL; LANES]; TOGETHER];
    let mut valid = [[false; LANES]; TOGETHER];
    for i in 0..TOGETHER {
        let x = power[i].times(&v3[i].times(&u[i]));
        let vxx = x.squared().mul(&v[i], P24);
        let right = vxx.minus(&u[i].sum()).carry().is_zero();
        let other = vxx.plus(&u[i].sum()).carry().is_zero();
        let turned = x.times(&Factor::constant(&SQRT_M1));
        let x = split(&turned.blend(right, &x));
        let y = split(&y[i].carry());
        let square = right | other;
        for lane in 0..LANES {
            let sign = encodings[i][lane][31] >> 7;
            let (x, y) = (x[lane], y[lane]);
            let x = if x.sign() == sign { x } else { x.neg() };
            points[i][lane] = Affine { x, y };
            valid[i][lane] = square >> lane & 1 == 1;
        }
    }
    (points, valid)
}

/// Fills rows with 1, 3, 5, … 15 times the points.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn fill(rows: &mut [Row; LANES], points: &[Affine; LANES]) {
    let mut multiple = Point::from_affine(points);
    let mut twice = multiple;
    twice.double_times(1);
    let twice = twice.cache();
    for i in 0..ENTRIES {
        if i > 0 {
            multiple.add(&twice, 0);
        }
        multiple
            .cache()
            .store(rows.each_mut().map(|row| &mut row[i]));
    }
}

/// Writes an odd scalar of `4 n` bits to a row as signed digits, all of them odd.
///
/// With b = (k + 16^n - 1) / 2, of which b_i are the digits in radix 16, k is the sum of
/// 16^i (2 b_i - 15).
#[cfg_attr(not(feature = "lab"), inline)]
fn write_digits(row: &mut Row, k: &[u64; 4], n: usize) {
    let mut b: [u64; 4] =
        core::array::from_fn(|i| k[i] >> 1 | k.get(i + 1).map_or(0, |next| next << 63));
    b[(WINDOW * n - 1) / 64] |= 1 << ((WINDOW * n - 1) % 64);
    let (words, _) = row[0].as_flattened_mut()[MULTIPLE..].as_chunks_mut();
    for (to, word) in words.iter_mut().zip(b) {
        *to = word.to_le_bytes();
    }
}

/// Adds to the sum of each lane digit i of its scalar times its point; or subtracts.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn add_digit(sum: &mut Point, rows: &[Row; LANES], i: usize, minus: bool) {
    let mut negative = 0;
    let entries = core::array::from_fn(|lane| {
        let byte = rows[lane][0].as_flattened()[MULTIPLE + i / 2];
        let digit = usize::from(byte >> (WINDOW * (i % 2))) & 15;
        let sign = usize::from(digit < ENTRIES);
        negative |= (sign as u8) << lane;
        &rows[lane][(digit ^ sign.wrapping_neg()) % ENTRIES]
    });
    let negative = if minus { !negative } else { negative };
    sum.add(&Cached::load(entries), negative);
}

/// Digits of a scalar below 2^254, and of one below 2^128.
const LONG: usize = 64;
const SHORT: usize = 32;

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in crate::curve25519) fn verify_batch_vartime(
    equation: Equation,
    items: &[Check],
    out: &mut [bool],
) {
    let mut table = Aligned::ZERO;
    let Aligned(table) = &mut table;
    let rows = table.first_chunk_mut::<LANES>().expect("eight at most");
    for (items, out) in items.chunks(LANES).zip(out.chunks_mut(LANES)) {
        let (mut a, mut r) = ([Affine::NEUTRAL; LANES], [Affine::NEUTRAL; LANES]);
        let (mut ks, mut ss) = ([[0; 4]; LANES], [[0; 32]; LANES]);
        let mut even = 0;
        for (lane, item) in items.iter().enumerate() {
            (a[lane], r[lane]) = (item.a, item.r);
            even |= u8::from(item.k[0] % 2 == 0) << lane;
            let mut k = item.k;
            k[0] |= 1;
            ks[lane] = k;
            for (to, word) in ss[lane].as_chunks_mut::<8>().0.iter_mut().zip(item.s) {
                *to = word.to_le_bytes();
            }
        }
        fill(rows, &a);
        for (row, k) in rows.iter_mut().zip(&ks) {
            write_digits(row, k, LONG);
        }
        let mut sum = Point::neutral();
        for i in (0..LONG).rev() {
            if i + 1 < LONG {
                sum.double_times(WINDOW as u32);
            }
            add_digit(&mut sum, rows, i, true);
        }
        // Where k is even, k + 1 was taken.
        let mut once_less = sum;
        let first = Cached::load(rows.each_ref().map(|row| &row[0]));
        once_less.add(&first, 0);
        sum = sum.blend(even, &once_less);
        sum.add(&mul_base_lanes(&ss).cache(), 0);
        sum.add(&Point::from_affine(&r).cache(), !0);
        let valid = match equation {
            Equation::Cofactored => sum.has_small_order(),
            Equation::Cofactorless => sum.is_neutral(),
        };
        for (lane, to) in out.iter_mut().enumerate() {
            *to = valid >> lane & 1 == 1;
        }
    }
}

/// Fills rows with the multiples of points and the digits of their scalars; returns how many, in
/// whole groups.
#[inline(never)] // For the sum to begin with the stack that this has left.
#[target_feature(enable = "avx512f,avx512ifma")]
fn fill_all(
    terms: impl Iterator<Item = ([u64; 4], Affine)>,
    n: usize,
    rows: &mut [[Row; LANES]],
) -> usize {
    let (mut points, mut scalars) = ([Affine::NEUTRAL; LANES], [[1, 0, 0, 0]; LANES]);
    let (mut lane, mut count) = (0, 0);
    let mut terms = terms.peekable();
    while let Some((scalar, point)) = terms.next() {
        (scalars[lane], points[lane]) = (scalar, point);
        lane += 1;
        if lane < LANES && terms.peek().is_some() {
            continue;
        }
        points[lane..].fill(Affine::NEUTRAL);
        fill(&mut rows[count], &points);
        for (row, scalar) in rows[count].iter_mut().zip(&scalars) {
            write_digits(row, scalar, n);
        }
        (lane, count) = (0, count + 1);
    }
    count
}

/// The sum of `scalar * point`, for odd scalars of `long` below 2^254 and of `short` below 2^128.
/// There is a table for each eight of them.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in crate::curve25519) fn sum_vartime(
    long: impl Iterator<Item = ([u64; 4], Affine)>,
    short: impl Iterator<Item = ([u64; 4], Affine)>,
    tables: &mut [Table],
) -> Extended {
    let (rows, _) = tables.as_flattened_mut().as_chunks_mut::<LANES>();
    let count = fill_all(long, LONG, rows);
    let all = count + fill_all(short, SHORT, &mut rows[count..]);
    sum_of_rows(&rows[..all], count)
}

/// The sum over groups of rows, of which this many have all digits, and the others half of them.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn sum_of_rows(groups: &[[Row; LANES]], long: usize) -> Extended {
    let mut sum = Point::neutral();
    for i in (0..LONG).rev() {
        if i + 1 < LONG {
            sum.double_times(WINDOW as u32);
        }
        let active = if i < SHORT { groups.len() } else { long };
        for rows in &groups[..active] {
            add_digit(&mut sum, rows, i, false);
        }
    }
    total(&sum)
}

/// The sum of the points of all lanes.
#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn total(sum: &Point) -> Extended {
    let [x, y, z, t] = [sum.x, sum.y, sum.z, sum.t].map(|x| split(&x.carry()));
    let mut all = Extended::NEUTRAL;
    for lane in 0..LANES {
        let (x, y, z, t) = (x[lane], y[lane], z[lane], t[lane]);
        all = all.add(&Extended { x, y, z, t }.cache()).extended();
    }
    all
}
