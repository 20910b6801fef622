//! Eight points of edwards448 side by side, with the formulas of the scalar points.

use super::super::scalar::DIGITS;
use super::super::table::{self, ROWS};
use super::eight::*;
use super::limbs;
use adamant_base::simd::arch::*;
use adamant_base::simd::{from_fn, load512};

/// Eight points in extended coordinates, tight.
#[derive(Clone, Copy)]
pub(super) struct Points {
    pub(super) x: Eight,
    pub(super) y: Eight,
    pub(super) z: Eight,
    pub(super) t: Eight,
}

/// The right sides of eight sums: x, y, dxy of affine points.
#[derive(Clone, Copy)]
pub(super) struct Entries {
    pub(super) x: Eight,
    pub(super) y: Eight,
    pub(super) dt: Eight,
}

/// A row of the comb by coordinates and limbs, its eight entries side by side.
pub(super) type Row = [[[u64; 8]; 10]; 3];

/// The comb, to be picked from by permutation. 105 KB.
pub(super) static ROWS_OF_LIMBS: [Row; ROWS] = {
    let mut rows = [[[[0; 8]; 10]; 3]; ROWS];
    let mut i = 0;
    while i < 8 * ROWS {
        let coordinates = table::coordinates(table::AT[0] + i);
        let mut j = 0;
        while j < 30 {
            rows[i / 8][j / 10][j % 10][i % 8] = limbs::of_words(&coordinates[j / 10], j % 10);
            j += 1;
        }
        i += 1;
    }
    rows
};

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn zero() -> Eight {
    [_mm512_setzero_si512(); 10]
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn one() -> Eight {
    let mut one = zero();
    one[0] = _mm512_set1_epi64(1);
    one
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn neutral() -> Points {
    Points {
        x: zero(),
        y: one(),
        z: one(),
        t: zero(),
    }
}

/// The points of E, F, G, H.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn complete(e: &Eight, f: &Eight, g: &Eight, h: &Eight) -> Points {
    Points {
        x: mul(e, f),
        y: mul(g, h),
        z: mul(f, g),
        t: mul(e, h),
    }
}

/// `p + q`, given the product of both Z.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn add_with(p: &Points, q: &Entries, zz: &Eight) -> Points {
    let a = mul(&p.x, &q.x);
    let b = mul(&p.y, &q.y);
    let c = mul(&p.t, &q.dt);
    let both = mul(&add(&p.x, &p.y), &add(&q.x, &q.y));
    complete(
        &sub_sum(&both, &add(&a, &b)),
        &sub(zz, &c),
        &add(zz, &c),
        &sub(&b, &a),
    )
}

/// `p + q` for affine `q`.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn add_entries(p: &mut Points, q: &Entries) {
    *p = add_with(p, q, &p.z);
}

/// `p + q` for `q` with the coordinate `z`.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn add_cached(p: &mut Points, q: &Entries, z: &Eight) {
    *p = add_with(p, q, &mul(&p.z, z));
}

/// `2^n p`.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn double_times(p: &mut Points, n: u32) {
    for left in (0..n).rev() {
        let xx = square(&p.x);
        let yy = square(&p.y);
        let zz = square(&p.z);
        let both = square(&add(&p.x, &p.y));
        let g = add(&xx, &yy);
        let e = sub_sum(&both, &g);
        let f = sub_sum(&g, &add(&zz, &zz));
        let h = sub(&xx, &yy);
        p.x = mul(&e, &f);
        p.y = mul(&g, &h);
        p.z = mul(&f, &g);
        if left == 0 {
            p.t = mul(&e, &h);
        }
    }
}

/// Entry `digit` of a row in each lane, for digits from -8 to 8: all are read, and one picked.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn pick(row: &Row, digit: __m512i) -> Entries {
    let index = _mm512_sub_epi64(_mm512_abs_epi64(digit), _mm512_set1_epi64(1));
    let some = _mm512_test_epi64_mask(digit, digit);
    let negative = _mm512_cmplt_epi64_mask(digit, _mm512_setzero_si512());
    let limbs = |coordinate: usize, none: Eight| -> Eight {
        from_fn(|j| {
            let entries = load512(&row[coordinate][j]);
            _mm512_mask_permutexvar_epi64(none[j], some, index, entries)
        })
    };
    Entries {
        x: negate_if(&limbs(0, zero()), negative),
        y: limbs(1, one()),
        dt: negate_if(&limbs(2, zero()), negative),
    }
}

/// The signed digits of eight scalars, each of them four bits (see `radix16`).
pub(super) struct Digits(pub(super) [__m512i; 7]);

impl Digits {
    /// From the words of scalars below 2^447 to which 8 is added at every digit but the last.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn get(&self, i: usize) -> __m512i {
        let count = _mm_set_epi64x(0, (4 * (i % 16)) as i64);
        let digit = _mm512_srl_epi64(self.0[i / 16], count);
        let digit = _mm512_and_si512(digit, _mm512_set1_epi64(15));
        let bias = if i == DIGITS - 1 { 0 } else { 8 };
        _mm512_sub_epi64(digit, _mm512_set1_epi64(bias))
    }
}
