//! Points of edwards448, x^2 + y^2 = 1 + d x^2 y^2 (RFC 8032, section 5.2), and their sums.
//!
//! | type | coordinates | use |
//! |---|---|---|
//! | [`Affine`] | x, y | keys |
//! | [`Extended`] | X:Y:Z:T, x = X/Z, y = Y/Z, xy = T/Z | the left side of a sum |
//! | [`Projective`] | X:Y:Z | doubling |
//! | [`Completed`] | x = E/G, y = H/F | the result of a sum or a doubling |
//! | [`Cached`] | X, Y, Z, dT | the right side of a sum |
//! | [`Niels`] | x, y, dxy | the same for an affine point, in tables |
//!
//! The formulas are those of Hisil, Wong, Carter and Dawson ("Twisted Edwards Curves Revisited",
//! 2008) with a = 1. As d is not a square modulo p, they are complete: right for every pair of
//! points, the neutral one included, and so free of special cases.
//!
//! All coordinates are tight (see the field) but those of `Completed`, which may be loose.

use super::field::{BYTES, Fe};
use super::fields::Field;
use adamant_base::Wipe;
use adamant_base::ct::Choice;

/// -d.
pub(super) const MINUS_D: u64 = 39_081;
/// The base point of RFC 8032.
pub(super) const BASE: Affine = Affine {
    x: Fe::from_limbs([
        0x26_a82b_c70c_c05e,
        0x80_e18b_0093_8e26,
        0xf7_2ab6_6511_433b,
        0xa3_d3a4_6412_ae1a,
        0x0f_1767_ea6d_e324,
        0x36_da9e_1465_7047,
        0xed_221d_15a6_22bf,
        0x4f_1970_c66b_ed0d,
    ]),
    y: Fe::from_limbs([
        0x08_795b_f230_fa14,
        0x13_2c4e_d7c8_ad98,
        0x1c_e67c_39c4_fdbd,
        0x05_a0c2_d73a_d3ff,
        0xa3_9840_8778_9c1e,
        0xc7_624b_ea73_736c,
        0x24_8876_2037_56c9,
        0x69_3f46_716e_b6bc,
    ]),
};
const _: () = {
    let (xx, yy) = (BASE.x.square(), BASE.y.square());
    let both = xx.mul(yy).mul_small(MINUS_D).add(xx);
    let bytes = both.add(yy).sub_loose(Fe::ONE).to_bytes();
    let mut i = 0;
    while i < BYTES {
        assert!(bytes[i] == 0);
        i += 1;
    }
};

/// A point in affine coordinates.
#[derive(Clone, Copy)]
pub struct Affine<F = Fe> {
    pub(super) x: F,
    pub(super) y: F,
}

#[derive(Clone, Copy)]
pub struct Extended<F = Fe> {
    pub(super) x: F,
    pub(super) y: F,
    pub(super) z: F,
    pub(super) t: F,
}

#[derive(Clone, Copy)]
pub struct Projective<F = Fe> {
    pub(super) x: F,
    pub(super) y: F,
    pub(super) z: F,
}

#[derive(Clone, Copy)]
pub struct Completed<F = Fe> {
    pub(super) e: F,
    pub(super) f: F,
    pub(super) g: F,
    pub(super) h: F,
}

#[derive(Clone, Copy)]
pub(super) struct Cached<F = Fe> {
    niels: Niels<F>,
    z: F,
}

#[derive(Clone, Copy)]
#[repr(C)] // Fields of one form share tables.
pub struct Niels<F = Fe> {
    pub(super) x: F,
    pub(super) y: F,
    pub(super) dt: F,
}

/// The formulas over a field, which implements them as functions of its own: over a field that is not
/// named, the compiler arranges them otherwise, and they take longer.
macro_rules! formulas {
    () => {
        #[inline(always)]
        fn add_with(p: &Extended<Self>, other: &Niels<Self>, zz: Self) -> Completed<Self> {
            let a = p.x.mul(other.x);
            let b = p.y.mul(other.y);
            let c = p.t.mul(other.dt);
            let both = p.x.add(p.y).mul(other.x.add(other.y));
            Completed {
                e: both.sub_loose(a.add(b)),
                f: zz.sub(c),
                g: zz.add(c),
                h: b.sub(a),
            }
        }
        #[inline(always)]
        fn double(p: &Projective<Self>) -> Completed<Self> {
            let xx = p.x.square();
            let yy = p.y.square();
            let zz = p.z.square();
            let both = p.x.add(p.y).square();
            let g = xx.add(yy);
            Completed {
                e: both.sub_loose(g),
                f: g.sub_loose(zz.add(zz)),
                g,
                h: xx.sub(yy),
            }
        }
        #[inline(always)]
        fn set(p: &mut Extended<Self>, to: &Completed<Self>, t: bool) {
            p.x = to.e.mul(to.f);
            p.y = to.g.mul(to.h);
            p.z = to.f.mul(to.g);
            if t {
                p.t = to.e.mul(to.h);
            }
        }
    };
}
pub(super) use formulas;

/// `d x`.
#[inline(always)]
fn times_d<F: Field>(x: F) -> F {
    x.mul_small(MINUS_D).neg()
}

impl Affine {
    /// The point in the form of a field.
    #[inline(always)]
    pub(super) fn inside<F: Field>(&self) -> Affine<F> {
        Affine {
            x: F::from_outside(self.x),
            y: F::from_outside(self.y),
        }
    }
}

impl<F: Field> Affine<F> {
    /// The point in the form that keys have.
    #[inline(always)]
    pub(super) fn outside(&self) -> Affine {
        Affine {
            x: self.x.to_outside(),
            y: self.y.to_outside(),
        }
    }

    /// The neutral point.
    pub(super) const NEUTRAL: Self = Affine {
        x: F::ZERO,
        y: F::ONE,
    };

    /// The encoding of RFC 8032, section 5.2.2: y, and the sign of x in the top bit of a byte more.
    #[inline(always)]
    pub(super) fn compress(&self) -> [u8; 57] {
        let mut bytes = [0; 57];
        bytes[..BYTES].copy_from_slice(&self.y.to_bytes());
        bytes[BYTES] = self.x.sign() << 7;
        bytes
    }

    /// The y and the sign of an encoding; `None` where y is not below p or bits that must be zero
    /// are not.
    #[inline(always)]
    pub(super) fn parse_vartime(bytes: &[u8; 57]) -> Option<(F, u8)> {
        let (low, high) = bytes.split_first_chunk::<BYTES>()?;
        let y = F::from_bytes(low);
        (high[0] & 0x7f == 0 && y.to_bytes() == *low).then_some((y, high[0] >> 7))
    }

    /// The point of an encoding (RFC 8032, section 5.2.3); `None` where y is not below p, no
    /// point has this y, or x is zero and its sign bit is set. Variable time: for public points.
    #[inline(always)]
    pub(super) fn decompress_vartime(bytes: &[u8; 57]) -> Option<Affine<F>> {
        let (y, sign) = Self::parse_vartime(bytes)?;
        // x^2 = u / v; the candidate root is u^3 v (u^5 v^3)^((p - 3) / 4). Here both have the
        // other sign: u = 1 - y^2, v = 1 - d y^2.
        let yy = y.square();
        let u = F::ONE.sub(yy).tighten();
        let v = yy.mul_small(MINUS_D).add(F::ONE).tighten();
        let uv = u.mul(v);
        let u3v = uv.mul(u.square());
        let x = u3v.mul(u3v.mul(uv).mul(uv).pow_p34());
        if !x.square().mul(v).equals(u).declassify() {
            return None;
        }
        Self::with_sign_vartime(x, y, sign)
    }

    /// The point of the root of which sign, if there is one.
    #[inline(always)]
    pub(super) fn with_sign_vartime(mut x: F, y: F, sign: u8) -> Option<Affine<F>> {
        if x.sign() != sign {
            if x.is_zero().declassify() {
                return None;
            }
            x = x.neg();
        }
        Some(Affine { x, y })
    }

    #[inline(always)]
    pub(super) fn extend(&self) -> Extended<F> {
        Extended {
            x: self.x,
            y: self.y,
            z: F::ONE,
            t: self.x.mul(self.y),
        }
    }
}

impl<F: Field> Extended<F> {
    /// The neutral point, (0, 1).
    pub(super) const NEUTRAL: Self = Extended {
        x: F::ZERO,
        y: F::ONE,
        z: F::ONE,
        t: F::ZERO,
    };

    #[inline(always)]
    pub(super) fn cache(&self) -> Cached<F> {
        Cached {
            niels: Niels {
                x: self.x,
                y: self.y,
                dt: times_d(self.t),
            },
            z: self.z,
        }
    }

    #[inline(always)]
    pub(super) const fn projective(&self) -> Projective<F> {
        Projective {
            x: self.x,
            y: self.y,
            z: self.z,
        }
    }

    /// The sum with the point of these coordinates, given the product of both Z.
    #[inline(always)]
    fn add_with(&self, other: &Niels<F>, zz: F) -> Completed<F> {
        F::add_with(self, other, zz)
    }

    /// `self + other`: 5 multiplications, and 4 more for the extended result.
    #[inline(always)]
    pub(super) fn add(&self, other: &Cached<F>) -> Completed<F> {
        self.add_with(&other.niels, self.z.mul(other.z))
    }

    /// `self + other`, with one multiplication less, as `other` has Z = 1.
    #[inline(always)]
    pub(super) fn add_niels(&self, other: &Niels<F>) -> Completed<F> {
        self.add_with(other, self.z)
    }

    /// Becomes the result of a sum, with another T only where it is asked for.
    #[inline(always)]
    pub(super) fn set(&mut self, to: &Completed<F>, t: bool) {
        F::set(self, to, t);
    }

    /// The point in affine coordinates: one inversion.
    #[inline(always)]
    pub(super) fn to_affine(self) -> Affine<F> {
        self.scale(self.z.invert())
    }

    /// The point in affine coordinates, given 1/Z.
    #[inline(always)]
    pub(super) fn scale(&self, inverse: F) -> Affine<F> {
        Affine {
            x: self.x.mul(inverse),
            y: self.y.mul(inverse),
        }
    }
}

impl<F: Field> Projective<F> {
    /// `2 self`: 4 squarings, and 3 multiplications for the projective result.
    #[inline(always)]
    pub(super) fn double(&self) -> Completed<F> {
        F::double(self)
    }

    /// Whether the point is the neutral one.
    #[inline(always)]
    pub(super) fn is_neutral(&self) -> Choice {
        self.x.is_zero().and(self.y.equals(self.z))
    }
}

impl<F: Field> Completed<F> {
    #[inline(always)]
    pub(super) fn extended(&self) -> Extended<F> {
        Extended {
            x: self.e.mul(self.f),
            y: self.g.mul(self.h),
            z: self.f.mul(self.g),
            t: self.e.mul(self.h),
        }
    }
}

impl<F: Field> Cached<F> {
    /// The inverse.
    #[inline(always)]
    pub(super) fn neg(&self) -> Cached<F> {
        Cached {
            niels: self.niels.neg(),
            z: self.z,
        }
    }
}

impl<F: Field> Niels<F> {
    pub(super) const NEUTRAL: Self = Niels {
        x: F::ZERO,
        y: F::ONE,
        dt: F::ZERO,
    };

    /// All limbs zero: not a point, but where a table scan starts.
    pub(super) const ZERO: Self = Niels {
        x: F::ZERO,
        y: F::ZERO,
        dt: F::ZERO,
    };

    pub(super) fn new(p: &Affine<F>) -> Niels<F> {
        Niels {
            x: p.x,
            y: p.y,
            dt: times_d(p.x.mul(p.y)),
        }
    }

    /// Ors in `from` where `mask` is all ones.
    #[inline(always)]
    pub(super) fn or_masked(&mut self, mask: u64, from: &Niels<F>) {
        self.x.or_masked(mask, &from.x);
        self.y.or_masked(mask, &from.y);
        self.dt.or_masked(mask, &from.dt);
    }

    /// The inverse.
    #[inline(always)]
    pub(super) fn neg(&self) -> Niels<F> {
        Niels {
            x: self.x.neg(),
            y: self.y,
            dt: self.dt.neg(),
        }
    }

    /// Inverts the point where `mask` is all ones.
    #[inline(always)]
    pub(super) fn neg_masked(&mut self, mask: u64) {
        let inverse = self.neg();
        self.x.assign(mask, inverse.x);
        self.dt.assign(mask, inverse.dt);
    }
}

impl<F: Field> Wipe for Extended<F> {
    #[inline]
    fn wipe(&mut self) {
        self.x.wipe();
        self.y.wipe();
        self.z.wipe();
        self.t.wipe();
    }
}
