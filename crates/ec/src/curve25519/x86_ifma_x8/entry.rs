//! What verification asks of points: the right sides of sums, and these in memory, lane by lane.

use super::super::edwards::{self, Affine, Extended};
use super::super::field::Fe;
use super::super::memory::Entry;
use super::LANES;
use super::convert::{interleave, join, split, transpose};
use super::field::{Factor, Limbs, Mask, NONE, P24, P48, Start, Sum, Vector, limbs, multiple};
use super::point::{Niels, Point};
use adamant_base::simd::arch::*;
use adamant_base::simd::{load256, load512, store512};

/// Y+X, Y-X, 2dT, 2Z: the right side of a sum.
#[derive(Clone, Copy)]
pub(super) struct Cached {
    pub(super) niels: Niels,
    pub(super) z2: Factor,
}

/// What [`Niels`] takes in memory, in whole cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Two(pub(super) [[u8; 64]; 2]);
/// What [`Cached`] takes there.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Three(pub(super) Entry);

impl Three {
    pub(super) const ZERO: Three = Three([[0; 64]; 3]);
}

/// 2d.
const D2: Limbs = limbs(&edwards::D2);
/// 1 / d.
const D_INVERSE: Limbs = {
    let inverse = Fe::from_bytes(&[
        0x43, 0xf8, 0xc9, 0xcd, 0x76, 0xf2, 0xe0, 0x25, 0x2e, 0x54, 0x79, 0x42, 0x98, 0xd6, 0x5d,
        0x0b, 0x66, 0xcf, 0xb9, 0xcd, 0x14, 0x21, 0x16, 0x2b, 0x43, 0xce, 0xd5, 0x14, 0xd2, 0x7e,
        0x90, 0x40,
    ]);
    assert!(inverse.const_mul(edwards::D).to_bytes()[0] == 1);
    limbs(&inverse)
};
/// A multiple of p that no limb of a factor exceeds.
const P2: Start = multiple(2);

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

    /// The points.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_extended(points: &[Extended; LANES]) -> Point {
        let p24 = Sum::constant(&P24);
        Point {
            x: join(&points.map(|point| point.x)),
            y: join(&points.map(|point| point.y)).plus(&p24),
            z: join(&points.map(|point| point.z)).plus(&p24),
            t: join(&points.map(|point| point.t)),
        }
    }

    /// The points of which these are right sides, with the opposite sign in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_niels(other: &Niels, z2: &Sum, negative: Mask) -> Point {
        let plus = other.y_plus_x.blend(negative, &other.y_minus_x).sum();
        let minus = other.y_minus_x.blend(negative, &other.y_plus_x).sum();
        let t = other.xy2d.mul(&Factor::constant(&D_INVERSE), NONE);
        let (p2, p24) = (Sum::constant(&P2), Sum::constant(&P24));
        Point {
            x: plus.plus(&p2).minus(&minus),
            y: plus.plus(&minus).plus(&p24),
            z: z2.plus(&p24),
            t: t.blend(negative, &p24.minus(&t)),
        }
    }

    /// Becomes `self + other`, or `self - other` in the lanes of the mask.
    #[cfg_attr(feature = "lab", inline(never))]
    #[cfg_attr(not(feature = "lab"), inline)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add(&mut self, other: &Cached, negative: Mask) {
        let twice_z = |z: &Sum| z.carry().mul(&other.z2, P24);
        self.add_with(&other.niels, twice_z, negative);
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
        let [d0, d1, d2, d3, d4] = self.z2.0;
        let zero = _mm512_setzero_si512();
        let [first, second] = self.niels.blocks(d0);
        let third = [d1, d2, d3, d4, zero, zero, zero, zero];
        let blocks = [first, second, third].map(|block| transpose(block));
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
        let (niels, d0) = Niels::from_blocks(|i| from.map(|entry| load512(&entry[i])));
        // The last four: two lanes to a register.
        let pair = |i: usize| {
            let half = |i: usize| load256(from[i][2].first_chunk::<32>().unwrap_or(&[0; 32]));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(i)), half(i + 1))
        };
        let [d1, d2, d3, d4] = interleave([pair(0), pair(2), pair(4), pair(6)]);
        Cached {
            niels,
            z2: Factor([d0, d1, d2, d3, d4]),
        }
    }

    /// The points of which these are right sides, with the opposite sign in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn point(&self, negative: Mask) -> Point {
        Point::from_niels(&self.niels, &self.z2.sum(), negative)
    }

    /// Y+X, 2Z, 2dT, Y-X of each lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn elements(&self) -> [[Fe; 4]; LANES] {
        let n = &self.niels;
        let [a, b, c, d] = [&n.y_plus_x, &self.z2, &n.xy2d, &n.y_minus_x].map(|x| split(x));
        core::array::from_fn(|lane| [a[lane], b[lane], c[lane], d[lane]])
    }
}

impl Niels {
    /// The rows of two blocks of memory before they are transposed, `last` the very last.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn blocks(&self, last: Vector) -> [[Vector; 8]; 2] {
        let (a, b, c) = (self.y_plus_x.0, self.y_minus_x.0, self.xy2d.0);
        [
            [a[0], a[1], a[2], a[3], a[4], b[0], b[1], b[2]],
            [b[3], b[4], c[0], c[1], c[2], c[3], c[4], last],
        ]
    }

    /// Of blocks as they are in memory, these and the last row.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn from_blocks(block: impl Fn(usize) -> [Vector; 8]) -> (Niels, Vector) {
        let [a0, a1, a2, a3, a4, b0, b1, b2] = transpose(block(0));
        let [b3, b4, c0, c1, c2, c3, c4, last] = transpose(block(1));
        let niels = Niels {
            y_plus_x: Factor([a0, a1, a2, a3, a4]),
            y_minus_x: Factor([b0, b1, b2, b3, b4]),
            xy2d: Factor([c0, c1, c2, c3, c4]),
        };
        (niels, last)
    }

    /// The right sides of sums for points with these coordinates: x, y and 1/Z times as much.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn new(x: &Sum, y: &Sum, inverse: &Factor) -> Niels {
        let x = x.carry().mul(inverse, NONE);
        let y = y.carry().mul(inverse, P24);
        let xy = x.carry().times(&y.carry());
        Niels {
            y_plus_x: y.plus(&x).carry(),
            y_minus_x: y.minus(&x).carry(),
            xy2d: xy.times(&Factor::constant(&D2)),
        }
    }

    /// Writes lane i to entry i.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn store(&self, to: &mut [Two; LANES]) {
        let blocks = self
            .blocks(_mm512_setzero_si512())
            .map(|block| transpose(block));
        for (lane, to) in to.iter_mut().enumerate() {
            for (to, block) in to.0.iter_mut().zip(&blocks) {
                store512(to, block[lane]);
            }
        }
    }

    /// Reads lane i from entry i.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn load(from: [&Two; LANES]) -> Niels {
        Niels::from_blocks(|i| from.map(|entry| load512(&entry.0[i]))).0
    }
}
