//! What verification asks of points: the right sides of sums, and these in memory, lane by lane.

use super::super::edwards::{self, Affine};
use super::super::memory::Entry;
use super::LANES;
use super::convert::{interleave, join, transpose};
use super::field::{Factor, Limbs, Mask, NONE, P24, P48, Sum, limbs};
use super::point::{Niels, Point};
use adamant_base::simd::{load256, load512, store512};
use core::arch::x86_64::*;

/// Y+X, Y-X, 2dT, 2Z: the right side of a sum.
pub(super) struct Cached {
    niels: Niels,
    z2: Factor,
}

/// 2d.
const D2: Limbs = limbs(&edwards::D2);

impl Point {
    /// The points.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_affine(points: &[Affine; LANES]) -> Point {
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

    /// Becomes `self + other`, or `self - other` in the lanes of the mask.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add(&mut self, other: &Cached, negative: Mask) {
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
    pub(super) fn has_small_order(&self) -> Mask {
        let mut p = *self;
        p.double_times(3);
        p.is_neutral()
    }

    /// The lanes in which this is the neutral point.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn is_neutral(&self) -> Mask {
        let difference = self.y.plus(&Sum::constant(&P48)).minus(&self.z);
        self.x.carry().is_zero() & difference.carry().is_zero()
    }

    /// `other` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn blend(&self, lanes: Mask, other: &Point) -> Point {
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
        let [d1, d2, d3, d4] = interleave([pair(0), pair(2), pair(4), pair(6)]);
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
