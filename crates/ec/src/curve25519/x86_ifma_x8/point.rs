//! Eight points of edwards25519 side by side: the formulas of the scalar
//! [`edwards`](super::super::edwards), which says where they are from.
//!
//! Coordinates are sums: whoever multiplies with them carries them. Y and Z of a [`Point`] hold a
//! [`P24`] more, so that X can be subtracted from Y, and a product from 2Z.

use super::super::edwards::Affine;
use super::super::memory::Entry;
use super::convert::{join, transpose};
use super::field::{Factor, NONE, P24, P48, Sum};
use adamant_base::simd::{load256, load512, store512};
use core::arch::x86_64::*;

/// X:Y:Z:T, x = X/Z, y = Y/Z, xy = T/Z.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) x: Sum,
    pub(super) y: Sum,
    pub(super) z: Sum,
    pub(super) t: Sum,
}

/// y+x, y-x, 2dxy: the right side of a sum, for an affine point.
pub(super) struct Niels {
    pub(super) y_plus_x: Factor,
    pub(super) y_minus_x: Factor,
    pub(super) xy2d: Factor,
}

/// Y+X, Y-X, 2dT, 2Z: the right side of a sum.
pub(super) struct Cached {
    niels: Niels,
    z2: Factor,
}

/// 2d.
const D2: [u64; 5] = super::super::rows::limbs(&super::super::edwards::D2, 52);

impl Point {
    /// The neutral point, (0, 1).
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn neutral() -> Point {
        let one = Sum::constant(&P24).plus(&Sum::constant(&[1, 0, 0, 0, 0]));
        let zero = Sum::constant(&NONE);
        Point {
            x: zero,
            y: one,
            z: one,
            t: zero,
        }
    }

    /// The points.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_affine(points: &[Affine; 8]) -> Point {
        let x = join(&points.map(|point| point.x));
        let y = join(&points.map(|point| point.y));
        let t = x.carry().mul(&y.carry(), NONE);
        let neutral = Point::neutral();
        Point {
            x,
            y: y.plus(&Sum::constant(&P24)),
            z: neutral.z,
            t,
        }
    }

    /// The sum or double with these E, F, G, H: X = E F, Y = G H, Z = F G, T = E H.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn complete(e: &Sum, f: &Sum, g: &Sum, h: &Sum) -> Point {
        let (e, f, g, h) = (e.carry(), f.carry(), g.carry(), h.carry());
        Point {
            x: e.mul(&f, NONE),
            y: g.mul(&h, P24),
            z: f.mul(&g, P24),
            t: e.mul(&h, NONE),
        }
    }

    /// `2 self`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn double(&self) -> [Sum; 4] {
        let s = self.x.plus(&self.y).carry().square(P48);
        let xx = self.x.carry().square(NONE);
        let yy = self.y.carry().square(P24);
        let zz = self.z.carry().square(P24);
        // E = 2xy, H = xx + yy, G = yy - xx, F = 2zz - G
        let h = xx.plus(&yy);
        let e = s.minus(&h);
        let g = yy.minus(&xx);
        let f = zz.plus(&zz).plus(&xx).minus(&yy);
        [e, f, g, h]
    }

    /// Becomes `2^n self`; n is not 0. T is computed in the last step alone.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn double_times(&mut self, n: u32) {
        for _ in 1..n {
            let [e, f, g, h] = self.double().map(|x| x.carry());
            self.x = e.mul(&f, NONE);
            self.y = g.mul(&h, P24);
            self.z = f.mul(&g, P24);
        }
        let [e, f, g, h] = self.double();
        *self = Point::complete(&e, &f, &g, &h);
    }

    /// What a sum adds up: `negative` are the lanes in which `other` is to be subtracted; then its
    /// first two coordinates change places, and what the last one is added to and subtracted from.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn sum(&self, other: &Niels, d: &Sum, negative: __mmask8) -> Point {
        let plus = other.y_plus_x.blend(negative, &other.y_minus_x);
        let minus = other.y_minus_x.blend(negative, &other.y_plus_x);
        let a = self.y.minus(&self.x).carry().mul(&minus, NONE);
        let b = self.y.plus(&self.x).carry().mul(&plus, P24);
        let c = self.t.carry().mul(&other.xy2d, NONE);
        let (more, less) = (d.plus(&c), d.minus(&c));
        let (f, g) = (less.blend(negative, &more), more.blend(negative, &less));
        Point::complete(&b.minus(&a), &f, &g, &b.plus(&a))
    }

    /// Becomes `self + other`, or `self - other` in the lanes of the mask.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add_niels(&mut self, other: &Niels, negative: __mmask8) {
        *self = self.sum(other, &self.z.plus(&self.z), negative);
    }

    /// Becomes `self + other`, or `self - other` in the lanes of the mask.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add(&mut self, other: &Cached, negative: __mmask8) {
        let d = self.z.carry().mul(&other.z2, P24);
        *self = self.sum(&other.niels, &d, negative);
    }

    /// `self` as the right side of a sum.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn cache(&self) -> Cached {
        let niels = Niels {
            y_plus_x: self.y.plus(&self.x).carry(),
            y_minus_x: self.y.minus(&self.x).carry(),
            xy2d: self.t.carry().times(&Factor::constant(&D2)),
        };
        Cached {
            niels,
            z2: self.z.plus(&self.z).carry(),
        }
    }

    /// The lanes in which this is a point of small order, one of the eight that 8 takes to the
    /// neutral one.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn has_small_order(&self) -> __mmask8 {
        let mut p = *self;
        p.double_times(3);
        p.is_neutral()
    }

    /// The lanes in which this is the neutral point.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn is_neutral(&self) -> __mmask8 {
        let difference = self.y.plus(&Sum::constant(&P48)).minus(&self.z);
        self.x.carry().is_zero() & difference.carry().is_zero()
    }

    /// `other` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn blend(&self, lanes: __mmask8, other: &Point) -> Point {
        Point {
            x: self.x.blend(lanes, &other.x),
            y: self.y.blend(lanes, &other.y),
            z: self.z.blend(lanes, &other.z),
            t: self.t.blend(lanes, &other.t),
        }
    }
}

impl Cached {
    /// Writes lane i to entry i; its digits become zero.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn store(&self, to: [&mut Entry; 8]) {
        let n = &self.niels;
        let (a, b, c, d) = (n.y_plus_x.0, n.y_minus_x.0, n.xy2d.0, self.z2.0);
        let zero = _mm512_setzero_si512();
        let blocks = [
            [a[0], a[1], a[2], a[3], a[4], b[0], b[1], b[2]],
            [b[3], b[4], c[0], c[1], c[2], c[3], c[4], d[0]],
            [d[1], d[2], d[3], d[4], zero, zero, zero, zero],
        ]
        .map(|block| transpose(block));
        for (lane, to) in to.into_iter().enumerate() {
            for (to, block) in to.iter_mut().zip(&blocks) {
                store512(to, block[lane]);
            }
        }
    }

    /// Reads lane i from entry i.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn load(from: [&Entry; 8]) -> Cached {
        let block = |i: usize| transpose(from.map(|entry| load512(&entry[i])));
        let [a0, a1, a2, a3, a4, b0, b1, b2] = block(0);
        let [b3, b4, c0, c1, c2, c3, c4, d0] = block(1);
        // The last four: two lanes to a register.
        let pair = |i: usize| {
            let half = |i: usize| load256(from[i][2].first_chunk::<32>().unwrap_or(&[0; 32]));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(i)), half(i + 1))
        };
        let [d1, d2, d3, d4] = super::convert::interleave([pair(0), pair(2), pair(4), pair(6)]);
        Cached {
            niels: Niels {
                y_plus_x: Factor([a0, a1, a2, a3, a4]),
                y_minus_x: Factor([b0, b1, b2, b3, b4]),
                xy2d: Factor([c0, c1, c2, c3, c4]),
            },
            z2: Factor([d0, d1, d2, d3, d4]),
        }
    }
}
