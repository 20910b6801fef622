//! Eight multiplications side by side, on AVX-512 IFMA; a single one is that of
//! [`x86_adx`](super::x86_adx).
//!
//! The steps are those of the [scalar kernel](super::kernel): a lane is a multiplication, and
//! all have the same doublings and additions. Departures:
//!
//! 1. Entries of the base point's table are picked from registers (`vpermi2q`), those of a lane's own
//!    table by comparing all indices.
//! 2. Verification has no digits of its own: both products are computed as secret ones are, and
//!    added. Lanes in which that addition is an exception, or `u1` is zero, are done again, one by one.
//! 3. One inversion serves up to 64 items.
//!
//! Digits, scalars and what is read of results are wiped as in the scalar implementation;
//! intermediate points live in registers, whose copies on the stack are not.

mod field;
mod point;
mod table;

use super::Check;
use super::N;
use super::field::{Fe, P};
use super::kernel::Digits;
use super::limbs::{Limbs, add4, sub4};
use super::table::{ENTRIES, ROWS, WINDOW};
pub(super) use super::x86_adx::{has_x_vartime, mul, mul_base};
use adamant_base::{Secret, Wipe};
use core::arch::x86_64::*;
use field::{Eight, from_integers, is_zero, negate_if, one, pick, square};
use point::{Affine, Extended, Jacobian};
use table::ROWS_OF_LIMBS;

/// Groups of eight that share an inversion.
const GROUPS: usize = 8;
/// The items of a chunk.
const CHUNK: usize = 8 * GROUPS;

/// The base point, for lanes without an item.
const G: [Limbs; 2] = [
    [
        0xf4a1_3945_d898_c296,
        0x7703_7d81_2deb_33a0,
        0xf8bc_e6e5_63a4_40f2,
        0x6b17_d1f2_e12c_4247,
    ],
    [
        0xcbb6_4068_37bf_51f5,
        0x2bce_3357_6b31_5ece,
        0x8ee7_eb4a_7c0f_9e16,
        0x4fe3_42e2_fe1a_7f9b,
    ],
];

/// The odd digits of eight scalars.
struct EightDigits {
    windows: [__m512i; 4],
    negated: __mmask8,
}

impl EightDigits {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn new(ks: &[Limbs; 8]) -> Self {
        let mut windows = Secret::new([[0; 4]; 8]);
        let mut negated = 0;
        for (lane, (windows, k)) in windows.iter_mut().zip(ks).enumerate() {
            let digits = Digits::new(k);
            *windows = *digits.windows;
            negated |= (digits.negated.mask() as u8 & 1) << lane;
        }
        EightDigits {
            windows: field::words(&windows),
            negated,
        }
    }

    /// Digit i: the indices of their absolute values among the odd numbers, and which are negative.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn get(&self, i: usize) -> (__m512i, __mmask8) {
        let (word, shift) = (i * WINDOW / 64, (i * WINDOW % 64) as i64);
        let count = |n: i64| _mm_cvtsi64_si128(n);
        let mut window = _mm512_srl_epi64(self.windows[word], count(shift));
        if shift > 64 - WINDOW as i64 && word < 3 {
            let next = _mm512_sll_epi64(self.windows[word + 1], count(64 - shift));
            window = _mm512_or_si512(window, next);
        }
        let negative = _mm512_testn_epi64_mask(window, _mm512_set1_epi64(ENTRIES as i64));
        let all = _mm512_set1_epi64(ENTRIES as i64 - 1);
        let index = _mm512_mask_xor_epi64(window, negative, window, all);
        (_mm512_and_si512(index, all), negative)
    }
}

/// `k G` of each lane.
#[target_feature(enable = "avx512f,avx512ifma")]
fn mul_base_8(ks: &[Limbs; 8]) -> Extended {
    let digits = EightDigits::new(ks);
    let entry = |i: usize, index| {
        let limb = |j: usize| pick(&ROWS_OF_LIMBS[i].0[j], index);
        Affine {
            x: [limb(0), limb(1), limb(2), limb(3), limb(4)],
            y: [limb(5), limb(6), limb(7), limb(8), limb(9)],
        }
    };
    let (index, negative) = digits.get(0);
    let mut sum = Extended::from_affine(&entry(0, index).negate_if(negative));
    for i in 1..ROWS {
        let (index, negative) = digits.get(i);
        sum = sum.add_affine(&entry(i, index).negate_if(negative)).0;
    }
    let last = entry(ROWS, _mm512_setzero_si512());
    let (next, difference) = sum.add_affine(&last);
    let mut twice = Jacobian::from_affine(&last);
    twice.double();
    let twice = Extended::from_jacobian(&twice);
    let mut sum = next.blend(&twice, is_zero(&difference));
    sum.y = negate_if(&sum.y, digits.negated);
    sum
}

/// `k P` of each lane.
#[target_feature(enable = "avx512f,avx512ifma")]
fn mul_8(ks: &[Limbs; 8], points: &[[Limbs; 2]; 8]) -> Jacobian {
    let digits = EightDigits::new(ks);
    let point = Jacobian::from_affine(&Affine {
        x: from_integers(&points.map(|[x, _]| x)),
        y: from_integers(&points.map(|[_, y]| y)),
    });
    let mut twice = point;
    twice.double();
    let mut multiples = [point; ENTRIES];
    let mut multiple = point;
    for entry in &mut multiples[1..] {
        multiple.add(&twice);
        *entry = multiple;
    }
    let mut sum = point;
    for i in (0..ROWS).rev() {
        for _ in 0..WINDOW {
            sum.double();
        }
        let (index, negative) = digits.get(i);
        for (i, entry) in (0..).zip(&multiples) {
            let here = _mm512_cmpeq_epi64_mask(index, _mm512_set1_epi64(i));
            multiple.assign_if(here, entry);
        }
        multiple.y = negate_if(&multiple.y, negative);
        let difference = sum.add(&multiple);
        if i == 0 {
            multiple.double();
            sum.assign_if(is_zero(&difference), &multiple);
        }
    }
    sum.y = negate_if(&sum.y, digits.negated);
    sum
}

/// Replaces each element by its inverse; none may be 0.
#[target_feature(enable = "avx512f,avx512ifma")]
fn invert(elements: &mut [Eight]) {
    let mut before = [one(); GROUPS];
    let mut all = one();
    for (before, element) in before.iter_mut().zip(&*elements) {
        *before = all;
        all = field::mul(&all, element);
    }
    // The same across the lanes, with scalar arithmetic.
    let lanes = field::to_integers(&all).map(Fe);
    let mut lanes_before = [Fe::ONE; 8];
    for i in 1..8 {
        lanes_before[i] = if i == 1 {
            lanes[0]
        } else {
            lanes_before[i - 1].mul(&lanes[i - 1])
        };
    }
    let mut inverse = lanes_before[7].mul(&lanes[7]).invert();
    let mut inverses = [[0; 4]; 8];
    for i in (1..8).rev() {
        inverses[i] = inverse.mul(&lanes_before[i]).0;
        inverse = inverse.mul(&lanes[i]);
    }
    inverses[0] = inverse.0;
    let mut inverse = field::from_inverses(&inverses);
    for (element, before) in elements.iter_mut().zip(&before).rev() {
        let next = field::mul(&inverse, element);
        *element = field::mul(&inverse, before);
        inverse = next;
    }
}

/// Writes what there is room for.
fn scatter(out: &mut [[Limbs; 2]], [mut x, mut y]: [[Limbs; 8]; 2]) {
    for (i, point) in out.iter_mut().enumerate() {
        *point = [x[i], y[i]];
    }
    x.wipe();
    y.wipe();
}

#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn mul_base_batch(ks: &[Limbs], out: &mut [[Limbs; 2]]) {
    let out = &mut out[..ks.len()];
    for (ks, out) in ks.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let zero = Extended::from_affine(&Affine { x: one(), y: one() });
        let mut sums = [zero; GROUPS];
        let mut inverses = [one(); GROUPS];
        let groups = ks.len().div_ceil(8);
        for (i, group) in ks.chunks(8).enumerate() {
            let mut eight = Secret::new([[1, 0, 0, 0]; 8]);
            eight[..group.len()].copy_from_slice(group);
            sums[i] = mul_base_8(&eight);
            inverses[i] = sums[i].zzz;
        }
        invert(&mut inverses[..groups]);
        for (i, out) in out.chunks_mut(8).enumerate() {
            let sum = &sums[i];
            // z^-2 = z^4 z^-6
            let zz_inverse = square(&field::mul(&sum.zz, &inverses[i]));
            let x = field::mul(&sum.x, &zz_inverse);
            let y = field::mul(&sum.y, &inverses[i]);
            scatter(out, [field::to_integers(&x), field::to_integers(&y)]);
        }
    }
}

#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn mul_batch(ks: &[Limbs], points: &[[Limbs; 2]], out: &mut [[Limbs; 2]]) {
    let (points, out) = (&points[..ks.len()], &mut out[..ks.len()]);
    let chunks = ks.chunks(CHUNK).zip(points.chunks(CHUNK));
    for ((ks, points), out) in chunks.zip(out.chunks_mut(CHUNK)) {
        let mut sums = [Jacobian::zero(); GROUPS];
        let mut inverses = [one(); GROUPS];
        let groups = ks.len().div_ceil(8);
        for (i, (k_group, point_group)) in ks.chunks(8).zip(points.chunks(8)).enumerate() {
            let mut eight_ks = Secret::new([[1, 0, 0, 0]; 8]);
            let mut eight_points = [G; 8];
            eight_ks[..k_group.len()].copy_from_slice(k_group);
            eight_points[..point_group.len()].copy_from_slice(point_group);
            sums[i] = mul_8(&eight_ks, &eight_points);
            inverses[i] = sums[i].z;
        }
        invert(&mut inverses[..groups]);
        for (i, out) in out.chunks_mut(8).enumerate() {
            let zz_inverse = square(&inverses[i]);
            let x = field::mul(&sums[i].x, &zz_inverse);
            let y = field::mul(&sums[i].y, &field::mul(&zz_inverse, &inverses[i]));
            scatter(out, [field::to_integers(&x), field::to_integers(&y)]);
        }
    }
}

#[target_feature(enable = "avx512f,avx512ifma,bmi2,adx")]
pub(super) fn has_x_batch_vartime(items: &[Check], out: &mut [bool]) {
    let out = &mut out[..items.len()];
    for (items, out) in items.chunks(8).zip(out.chunks_mut(8)) {
        let mut u1s = [[1, 0, 0, 0]; 8];
        let mut u2s = u1s;
        let mut points = [G; 8];
        let mut rs = [[0; 4]; 8];
        let mut exceptions: __mmask8 = 0;
        for (lane, (u1, u2, q, r)) in items.iter().enumerate() {
            if *u1 == [0; 4] || *u2 == [0; 4] {
                exceptions |= 1 << lane;
                continue;
            }
            (u1s[lane], u2s[lane], points[lane], rs[lane]) = (*u1, *u2, *q, *r);
        }
        let sum = mul_base_8(&u1s);
        let (sum, difference) = sum.add(&Extended::from_jacobian(&mul_8(&u2s, &points)));
        exceptions |= is_zero(&difference);
        // x / zz = r
        let expected = field::mul(&from_integers(&rs), &sum.zz);
        let matches = is_zero(&field::sub(&sum.x, &expected));
        for (lane, (item, verdict)) in items.iter().zip(out).enumerate() {
            let (u1, u2, q, r) = item;
            // r + n stands for the same r where that is below p.
            let (r_plus_n, carry) = add4(r, &N);
            let twofold = !carry && sub4(&r_plus_n, &P).1;
            *verdict = matches >> lane & 1 == 1;
            if exceptions >> lane & 1 == 1 || (twofold && !*verdict) {
                *verdict = has_x_vartime(u1, u2, q, r);
            }
        }
    }
}
