//! Eight scalar multiplications side by side.

use super::super::edwards::{Affine, MINUS_D};
use super::super::field::{BYTES, Fe};
use super::super::fields::Field;
use super::super::scalar::{Words, biased16, words};
use super::eight::{self, Eight};
use super::point::*;
use super::single;
use adamant_base::simd::arch::*;
use adamant_base::simd::load512;
use adamant_base::{Secret, Wipe};

/// The items of a chunk, which share an inversion.
const CHUNK: usize = 64;
/// From this many items on lanes pay, even if some are empty.
const WORTH: usize = 4;

/// Words of eight scalars side by side.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn transpose(all: &[Words; 8]) -> [__m512i; 7] {
    core::array::from_fn(|i| load512(&all.map(|words| words[i])))
}

/// `scalar B` in each lane, for scalars below 2^447.
#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn mul_base_8(scalars: &[Words; 8]) -> Points {
    let biased = Secret::new(scalars.map(|scalar| biased16(&scalar)));
    let digits = Digits(transpose(&biased));
    let mut sum = neutral();
    for odd in [1, 0] {
        if odd == 0 {
            double_times(&mut sum, 4);
        }
        for (i, row) in ROWS_OF_LIMBS.iter().enumerate() {
            add_entries(&mut sum, &pick(row, digits.get(2 * i + odd)));
        }
    }
    sum
}

/// Replaces each element by its inverse, and 0 by 0: one inversion for all.
#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "bmi2")]
pub(super) fn invert_all(elements: &mut [Fe]) {
    let mut products = Secret::new([Fe::ONE; CHUNK]);
    let mut product = Fe::ONE;
    for (element, before) in elements.iter().zip(&mut *products) {
        *before = product;
        product = product.mul(or_one(element));
    }
    let mut inverse = product.invert();
    for (element, before) in elements.iter_mut().zip(&*products).rev() {
        let zero = element.is_zero().mask();
        let next = inverse.mul(or_one(element));
        *element = inverse.mul(*before);
        element.assign(zero, Fe::ZERO);
        inverse = next;
    }
    product.wipe();
    inverse.wipe();
}

/// The element, or 1 where it is 0.
#[inline(always)]
fn or_one(element: &Fe) -> Fe {
    let mut out = *element;
    out.assign(element.is_zero().mask(), Fe::ONE);
    out
}

/// Multiplies the base point: two coordinates of each multiple as a fraction.
#[target_feature(enable = "avx512f,avx512ifma,bmi2")]
fn base_multiples(
    scalars: &[Words],
    coordinates: impl Fn(&Points) -> [Eight; 3],
    mut out: impl FnMut(usize, [Fe; 2], Fe),
) {
    for (c, scalars) in scalars.chunks(CHUNK).enumerate() {
        let mut numerators = Secret::new([[Fe::ZERO; 2]; CHUNK]);
        let mut inverses = Secret::new([Fe::ONE; CHUNK]);
        for (g, group) in scalars.chunks(8).enumerate() {
            let mut eight = Secret::new([[0; 7]; 8]);
            eight[..group.len()].copy_from_slice(group);
            let [a, b, c] = coordinates(&mul_base_8(&eight)).map(|x| eight::split(&x));
            for lane in 0..8 {
                numerators[8 * g + lane] = [a[lane], b[lane]];
                inverses[8 * g + lane] = c[lane];
            }
        }
        let len = scalars.len();
        invert_all(&mut inverses[..len]);
        for i in 0..len {
            out(CHUNK * c + i, numerators[i], inverses[i]);
        }
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,bmi2")]
pub(in super::super) fn mul_base_batch(scalars: &[Words], out: &mut [Affine]) {
    if scalars.len() < WORTH {
        for (scalar, out) in scalars.iter().zip(out) {
            *out = single::mul_base(scalar);
        }
        return;
    }
    base_multiples(
        scalars,
        |p| [p.x, p.y, p.z],
        |i, [x, y], inverse| {
            out[i] = Affine {
                x: x.mul(inverse),
                y: y.mul(inverse),
            };
        },
    );
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,bmi2")]
pub(in super::super) fn mul_base_u_batch(scalars: &[Words], out: &mut [[u8; BYTES]]) {
    if scalars.len() < WORTH {
        for (scalar, out) in scalars.iter().zip(out) {
            *out = single::mul_base_u(scalar);
        }
        return;
    }
    base_multiples(
        scalars,
        |p| [p.y, p.y, p.x],
        |i, [y, _], inverse| out[i] = y.mul(inverse).square().to_bytes(),
    );
}

/// The ladder of RFC 7748, section 5, in each lane: X and Z of the multiple.
#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn ladder_8(scalars: &[Words; 8], u: &[Fe; 8]) -> [Eight; 2] {
    let words = transpose(scalars);
    let x1 = eight::join(u);
    let (mut x2, mut z2, mut x3, mut z3) = (one(), zero(), x1, one());
    let mut swapped = 0;
    for t in (0..8 * BYTES).rev() {
        let here = _mm512_set1_epi64((1u64 << (t % 64)) as i64);
        let bit = _mm512_test_epi64_mask(words[t / 64], here);
        let swap = swapped ^ bit;
        swapped = bit;
        (x2, x3) = (eight::blend(&x2, &x3, swap), eight::blend(&x3, &x2, swap));
        (z2, z3) = (eight::blend(&z2, &z3, swap), eight::blend(&z3, &z2, swap));
        let a = eight::add(&x2, &z2);
        let b = eight::sub(&x2, &z2);
        let da = eight::mul(&eight::sub(&x3, &z3), &a);
        let cb = eight::mul(&eight::add(&x3, &z3), &b);
        let aa = eight::square(&a);
        let bb = eight::square(&b);
        let e = eight::sub(&aa, &bb);
        x3 = eight::square(&eight::add(&da, &cb));
        z3 = eight::mul(&eight::square(&eight::sub(&da, &cb)), &x1);
        x2 = eight::mul(&aa, &bb);
        z2 = eight::mul(&e, &eight::mul_small_add(&aa, &e, MINUS_D));
    }
    [
        eight::blend(&x2, &x3, swapped),
        eight::blend(&z2, &z3, swapped),
    ]
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,bmi2")]
pub(in super::super) fn ladder_batch(items: &[[[u8; BYTES]; 2]], out: &mut [[u8; BYTES]]) {
    if items.len() < WORTH {
        for ([scalar, u], out) in items.iter().zip(out) {
            *out = single::ladder(scalar, u);
        }
        return;
    }
    for (items, out) in items.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let mut x = Secret::new([Fe::ZERO; CHUNK]);
        let mut z = Secret::new([Fe::ONE; CHUNK]);
        for (g, group) in items.chunks(8).enumerate() {
            let mut scalars = Secret::new([[0; 7]; 8]);
            let mut us = [Fe::ONE; 8];
            for ([scalar, u], (to, point)) in group.iter().zip(scalars.iter_mut().zip(&mut us)) {
                (*to, *point) = (words(scalar), Fe::from_bytes(u));
            }
            let [xs, zs] = ladder_8(&scalars, &us).map(|x| eight::split(&x));
            x[8 * g..8 * g + 8].copy_from_slice(&xs);
            z[8 * g..8 * g + 8].copy_from_slice(&zs);
        }
        invert_all(&mut z[..items.len()]);
        for ((out, x), inverse) in out.iter_mut().zip(&*x).zip(&*z) {
            *out = x.mul(*inverse).to_bytes();
        }
    }
}
