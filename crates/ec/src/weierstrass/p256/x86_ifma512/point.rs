//! Eight points side by side: the formulas of the scalar [`point`](super::super::point), which
//! says where they are from.
//!
//! Coordinates are below 2p between calls; the comments count multiples of p where a sum is not.

use super::field::{
    Eight, add, blend, fold, minus, mul, negate_if, one, plus, shift, square, sub, times,
};
use core::arch::x86_64::{__mmask8, _mm512_setzero_si512};

/// The points (x, y).
#[derive(Clone, Copy)]
pub(super) struct Affine {
    pub(super) x: Eight,
    pub(super) y: Eight,
}

/// The points (x / z^2, y / z^3).
#[derive(Clone, Copy)]
pub(super) struct Jacobian {
    pub(super) x: Eight,
    pub(super) y: Eight,
    pub(super) z: Eight,
}

/// The points (x / zz, y / zzz) with zz^3 = zzz^2.
#[derive(Clone, Copy)]
pub(super) struct Extended {
    pub(super) x: Eight,
    pub(super) y: Eight,
    pub(super) zz: Eight,
    pub(super) zzz: Eight,
}

/// x and y of a sum, from what all formulas for it share: `h` and `r`, the differences of the
/// coordinates over a common z, below 4p, and `u` and `s`, the coordinates of one of the points.
/// With it come h^2 and h^3.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn sum(h: &Eight, r: &Eight, u: &Eight, s: &Eight) -> [Eight; 4] {
    let hh = square(h);
    let hhh = mul(h, &hh);
    let v = mul(u, &hh);
    let x = fold(minus(&minus(&square(r), 2, &hhh), 4, &plus(&v, &v)));
    let y = fold(minus(&mul(r, &sub(&v, &x)), 2, &mul(s, &hhh)));
    [x, y, hh, hhh]
}

impl Affine {
    /// `-self` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn negate_if(&self, lanes: __mmask8) -> Affine {
        Affine {
            x: self.x,
            y: negate_if(&self.y, lanes),
        }
    }
}

impl Extended {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_affine(p: &Affine) -> Extended {
        Extended {
            x: p.x,
            y: p.y,
            zz: one(),
            zzz: one(),
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_jacobian(p: &Jacobian) -> Extended {
        let zz = square(&p.z);
        Extended {
            x: p.x,
            y: p.y,
            zz,
            zzz: mul(&zz, &p.z),
        }
    }

    /// `self + q`, and the difference of their x over a common z: where it is 0 the sum is wrong.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add_affine(&self, q: &Affine) -> (Extended, Eight) {
        let h = sub(&mul(&q.x, &self.zz), &self.x);
        let r = sub(&mul(&q.y, &self.zzz), &self.y);
        let [x, y, hh, hhh] = sum(&h, &r, &self.x, &self.y);
        let sum = Extended {
            x,
            y,
            zz: mul(&self.zz, &hh),
            zzz: mul(&self.zzz, &hhh),
        };
        (sum, h)
    }

    /// `self + q`, and the difference of their x over a common z: where it is 0 the sum is wrong.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add(&self, q: &Extended) -> (Extended, Eight) {
        let u = mul(&self.x, &q.zz);
        let s = mul(&self.y, &q.zzz);
        let h = sub(&mul(&q.x, &self.zz), &u);
        let r = sub(&mul(&q.y, &self.zzz), &s);
        let [x, y, hh, hhh] = sum(&h, &r, &u, &s);
        let sum = Extended {
            x,
            y,
            zz: mul(&mul(&self.zz, &q.zz), &hh),
            zzz: mul(&mul(&self.zzz, &q.zzz), &hhh),
        };
        (sum, h)
    }

    /// `other` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn blend(&self, other: &Extended, lanes: __mmask8) -> Extended {
        Extended {
            x: blend(&self.x, &other.x, lanes),
            y: blend(&self.y, &other.y, lanes),
            zz: blend(&self.zz, &other.zz, lanes),
            zzz: blend(&self.zzz, &other.zzz, lanes),
        }
    }
}

impl Jacobian {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_affine(p: &Affine) -> Jacobian {
        Jacobian {
            x: p.x,
            y: p.y,
            z: one(),
        }
    }

    /// Zeros, to gather an entry of a table in.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn zero() -> Jacobian {
        let zero: Eight = [_mm512_setzero_si512(); 5];
        Jacobian {
            x: zero,
            y: zero,
            z: zero,
        }
    }

    /// Becomes `2 self`: in place, as points this large are copied for every value returned.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn double(&mut self) {
        let zz = square(&self.z);
        let yy = square(&self.y);
        let s = mul(&self.x, &times::<2>(&yy)); // 2 times 8: 4 x y^2
        let m = mul(&sub(&self.x, &zz), &add(&self.x, &zz));
        let m = fold(plus(&m, &plus(&m, &m))); // 3 x^2 + a z^4
        self.x = fold(minus(&square(&m), 4, &plus(&s, &s)));
        self.z = mul(&times::<1>(&self.y), &self.z);
        let y4 = square(&yy);
        let y = mul(&m, &sub(&s, &self.x));
        self.y = fold(minus(&y, 16, &shift::<3>(&y4)));
    }

    /// Becomes `self + q`; gives the difference of their x over a common z: where it is 0 the sum
    /// is wrong.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add(&mut self, q: &Jacobian) -> Eight {
        let zz1 = square(&self.z);
        let zz2 = square(&q.z);
        let u = mul(&self.x, &zz2);
        let s = mul(&mul(&self.y, &zz2), &q.z);
        let h = sub(&mul(&q.x, &zz1), &u);
        let r = sub(&mul(&mul(&q.y, &zz1), &self.z), &s);
        let [x, y, ..] = sum(&h, &r, &u, &s);
        self.z = mul(&mul(&self.z, &q.z), &h);
        (self.x, self.y) = (x, y);
        h
    }

    /// Becomes `other` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn assign_if(&mut self, lanes: __mmask8, other: &Jacobian) {
        self.x = blend(&self.x, &other.x, lanes);
        self.y = blend(&self.y, &other.y, lanes);
        self.z = blend(&self.z, &other.z, lanes);
    }
}
