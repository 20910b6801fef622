//! Points of edwards25519, -x^2 + y^2 = 1 + d x^2 y^2 (RFC 8032, section 5.1), and their sums.
//!
//! | type | coordinates | use |
//! |---|---|---|
//! | [`Affine`] | x, y | keys |
//! | [`Extended`] | X:Y:Z:T, x = X/Z, y = Y/Z, xy = T/Z | the left side of a sum |
//! | [`Projective`] | X:Y:Z | doubling |
//! | [`Completed`] | x = X/Z, y = Y/T | the result of a sum or a doubling |
//! | [`Cached`] | Y+X, Y-X, 2Z, 2dT | the right side of a sum |
//! | [`Niels`] | y+x, y-x, 2dxy | the same for an affine point, in tables |
//!
//! The formulas are those of Hisil, Wong, Carter and Dawson ("Twisted Edwards Curves Revisited",
//! 2008). As -1 is a square and d is none modulo p, they are complete: right for every pair of
//! points, the neutral one included, and so free of special cases.
//!
//! All coordinates are tight (see the field) but those of `Completed`, and `Niels` and `Cached`
//! in Y+X and Y-X, which are loose.

use super::field::Fe;
use super::fields::Field;
use adamant_base::Wipe;
use adamant_base::ct::Choice;

/// d = -121665/121666.
pub(super) const D: Fe = Fe::from_bytes(&[
    0xa3, 0x78, 0x59, 0x13, 0xca, 0x4d, 0xeb, 0x75, 0xab, 0xd8, 0x41, 0x41, 0x4d, 0x0a, 0x70, 0x00,
    0x98, 0xe8, 0x79, 0x77, 0x79, 0x40, 0xc7, 0x8c, 0x73, 0xfe, 0x6f, 0x2b, 0xee, 0x6c, 0x03, 0x52,
]);
/// 2d.
pub(super) const D2: Fe = D.add(D).tighten();
/// A square root of -1.
pub(super) const SQRT_M1: Fe = Fe::from_bytes(&[
    0xb0, 0xa0, 0x0e, 0x4a, 0x27, 0x1b, 0xee, 0xc4, 0x78, 0xe4, 0x2f, 0xad, 0x06, 0x18, 0x43, 0x2f,
    0xa7, 0xd7, 0xfb, 0x3d, 0x99, 0x00, 0x4d, 0x2b, 0x0b, 0xdf, 0xc1, 0x4f, 0x80, 0x24, 0x83, 0x2b,
]);
/// The base point: y = 4/5, x even.
pub(super) const BASE: Affine = Affine {
    x: Fe::from_bytes(&[
        0x1a, 0xd5, 0x25, 0x8f, 0x60, 0x2d, 0x56, 0xc9, 0xb2, 0xa7, 0x25, 0x95, 0x60, 0xc7, 0x2c,
        0x69, 0x5c, 0xdc, 0xd6, 0xfd, 0x31, 0xe2, 0xa4, 0xc0, 0xfe, 0x53, 0x6e, 0xcd, 0xd3, 0x36,
        0x69, 0x21,
    ]),
    y: Fe::from_bytes(&[
        0x58, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
        0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
        0x66, 0x66,
    ]),
};

const fn is_zero(x: Fe) -> bool {
    let bytes = x.to_bytes();
    let mut i = 0;
    while i < 32 {
        if bytes[i] != 0 {
            return false;
        }
        i += 1;
    }
    true
}
const _: () = {
    let product = D.const_mul(Fe::small(121_666));
    assert!(is_zero(product.add(Fe::small(121_665))));
    assert!(is_zero(SQRT_M1.const_square().add(Fe::ONE)));
    assert!(is_zero(BASE.y.const_mul(Fe::small(5)).sub(Fe::small(4))));
    let (xx, yy) = (BASE.x.const_square(), BASE.y.const_square());
    let both = xx.const_mul(yy).const_mul(D);
    assert!(is_zero(both.add(Fe::ONE).add(xx).sub(yy)));
    assert!(BASE.x.to_bytes()[0] & 1 == 0);
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
    pub(super) x: F,
    pub(super) y: F,
    pub(super) z: F,
    pub(super) t: F,
}

#[derive(Clone, Copy)]
pub(super) struct Cached<F = Fe> {
    y_plus_x: F,
    y_minus_x: F,
    z2: F,
    t2d: F,
}

/// The right side of a sum: a point or, where `minus` is set, its opposite.
#[derive(Clone, Copy)]
pub struct Signed<'a, F = Fe> {
    pub(super) plus: &'a F,
    pub(super) less: &'a F,
    pub(super) t2d: &'a F,
    /// 2Z where Z is not 1.
    pub(super) z2: Option<&'a F>,
    pub(super) minus: bool,
}

#[derive(Clone, Copy)]
pub struct Niels<F = Fe> {
    pub(super) y_plus_x: F,
    pub(super) y_minus_x: F,
    pub(super) xy2d: F,
}

/// The formulas over a field, which implements them as functions of its own: over a field that is not
/// named, the compiler arranges them otherwise, and they take a tenth longer. Differences with a tight
/// element are of the function `$less`.
macro_rules! formulas {
    ($less:ident) => {
        #[inline(always)]
        fn add_signed_vartime(p: &Extended<Self>, other: &Signed<'_, Self>) -> Completed<Self> {
            let a = p.y.$less(p.x).mul(*other.less);
            let b = p.y.add(p.x).mul(*other.plus);
            let c = p.t.mul(*other.t2d);
            let d = match other.z2 {
                Some(z2) => p.z.mul(*z2),
                None => p.z.add(p.z),
            };
            let (more, less) = (d.add(c), d.$less(c));
            let (z, t) = if other.minus {
                (less, more)
            } else {
                (more, less)
            };
            Completed {
                x: b.$less(a),
                y: b.add(a),
                z,
                t,
            }
        }

        #[inline(always)]
        fn double(p: &Projective<Self>) -> Completed<Self> {
            let xx = p.x.square();
            let yy = p.y.square();
            let zz = p.z.square();
            let sum = p.x.add(p.y).square();
            let y = yy.add(xx);
            Completed {
                x: sum.sub(y),
                y,
                z: yy.$less(xx),
                t: zz.add(zz).add(xx).$less(yy),
            }
        }
    };
}
pub(super) use formulas;

/// Points between the form that keys and signatures have, on the outside, and that of a field.
macro_rules! forms {
    ($($point:ident { $($x:ident),* })*) => {$(
        impl $point {
            /// The point in the form of a field.
            #[inline(always)]
            pub(super) fn inside<F: Field>(&self) -> $point<F> {
                $point { $($x: F::from_outside(self.$x)),* }
            }
        }

        impl<F: Field> $point<F> {
            /// The point on the outside.
            #[inline(always)]
            pub(super) fn outside(&self) -> $point {
                $point { $($x: self.$x.to_outside()),* }
            }
        }
    )*};
}
forms! {
    Affine { x, y }
    Extended { x, y, z, t }
}

impl<F: Field> Affine<F> {
    /// The neutral point.
    pub(super) const NEUTRAL: Self = Affine {
        x: F::ZERO,
        y: F::ONE,
    };

    #[inline(always)]
    pub(super) fn extend(&self) -> Extended<F> {
        self.extend_with(|a, b| a.mul(*b))
    }

    /// The same by the function of an implementation.
    #[inline(always)]
    pub(super) fn extend_with(&self, mul: impl Fn(&F, &F) -> F) -> Extended<F> {
        Extended {
            x: self.x,
            y: self.y,
            z: F::ONE,
            t: mul(&self.x, &self.y),
        }
    }

    /// Whether the point is of small order. Variable time.
    pub(super) fn has_small_order_vartime(&self) -> bool {
        self.extend().projective().has_small_order().declassify()
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
        self.cache_with(|a, b| a.mul(*b))
    }

    /// The same by the function of an implementation.
    #[inline(always)]
    pub(super) fn cache_with(&self, mul: impl Fn(&F, &F) -> F) -> Cached<F> {
        Cached {
            y_plus_x: self.y.add(self.x),
            y_minus_x: self.y.sub(self.x),
            z2: self.z.add(self.z),
            t2d: mul(&self.t, &F::D2),
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

    /// `self + other`: 4 multiplications, and 4 more for the extended result.
    #[inline(always)]
    pub(super) fn add(&self, other: &Cached<F>) -> Completed<F> {
        self.add_or_sub_vartime(other, false)
    }

    /// `self + other`, or `self - other`. Variable time: which of the two is public.
    #[inline(always)]
    pub(super) fn add_or_sub_vartime(&self, other: &Cached<F>, minus: bool) -> Completed<F> {
        self.add_signed_vartime(&other.signed(minus))
    }

    /// The same with one multiplication less, as `other` has Z = 1.
    #[inline(always)]
    pub(super) fn add_or_sub_niels_vartime(&self, other: &Niels<F>, minus: bool) -> Completed<F> {
        self.add_signed_vartime(&other.signed(minus))
    }

    /// The sum with a point of either kind.
    #[inline(always)]
    pub(super) fn add_signed_vartime(&self, other: &Signed<'_, F>) -> Completed<F> {
        F::add_signed_vartime(self, other)
    }

    /// The point in affine coordinates: one inversion.
    #[cfg(test)]
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

    /// `2^n self`, for n of at least one. Nothing but the last doubling needs T, and so a doubling
    /// is in the code once.
    #[inline(always)]
    pub(super) fn double_times(mut self, n: u32) -> Extended<F> {
        let mut left = n;
        loop {
            let twice = self.double();
            self = twice.projective();
            left -= 1;
            if left == 0 {
                let Projective { x, y, z } = self;
                let t = twice.x.mul(twice.y);
                return Extended { x, y, z, t };
            }
        }
    }

    /// Whether the point is of small order, one of the eight that 8 takes to the neutral one.
    pub(super) fn has_small_order(&self) -> Choice {
        self.twice().twice().twice().is_neutral()
    }

    #[inline(never)]
    fn twice(&self) -> Self {
        self.double().projective()
    }

    /// Whether the point is the neutral one.
    #[inline(always)]
    pub(super) fn is_neutral(&self) -> Choice {
        self.x.is_zero().and(self.y.equals(self.z))
    }
}

impl<'a, F: Field> Signed<'a, F> {
    /// Of Y + X and Y - X, 2dT, and 2Z where Z is not 1.
    #[inline(always)]
    const fn new(sides: [&'a F; 2], t2d: &'a F, z2: Option<&'a F>, minus: bool) -> Self {
        let [plus, less] = sides;
        let (plus, less) = if minus { (less, plus) } else { (plus, less) };
        Signed {
            plus,
            less,
            t2d,
            z2,
            minus,
        }
    }

    /// The point itself.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn cached(&self) -> Cached<F> {
        Cached {
            y_plus_x: *self.plus,
            y_minus_x: *self.less,
            z2: self.z2.copied().unwrap_or(F::TWO),
            t2d: if self.minus {
                F::ZERO.sub(*self.t2d)
            } else {
                *self.t2d
            },
        }
    }
}

impl<F: Field> Completed<F> {
    /// The neutral point, (0, 1).
    pub(super) const NEUTRAL: Self = Completed {
        x: F::ZERO,
        y: F::ONE,
        z: F::ONE,
        t: F::ONE,
    };

    #[inline(always)]
    pub(super) fn projective(&self) -> Projective<F> {
        Projective {
            x: self.x.mul(self.t),
            y: self.y.mul(self.z),
            z: self.z.mul(self.t),
        }
    }

    #[inline(always)]
    pub(super) fn extended(&self) -> Extended<F> {
        Extended {
            x: self.x.mul(self.t),
            y: self.y.mul(self.z),
            z: self.z.mul(self.t),
            t: self.x.mul(self.y),
        }
    }
}

impl<F: Field> Cached<F> {
    pub(super) const NEUTRAL: Self = Cached {
        y_plus_x: F::ONE,
        y_minus_x: F::ONE,
        z2: F::TWO,
        t2d: F::ZERO,
    };

    /// All limbs zero, as [`Niels::ZERO`].
    pub(super) const ZERO: Self = Cached {
        y_plus_x: F::ZERO,
        y_minus_x: F::ZERO,
        z2: F::ZERO,
        t2d: F::ZERO,
    };

    /// A point of a table.
    #[inline(always)]
    pub(super) fn from_niels(q: &Niels<F>) -> Cached<F> {
        Cached {
            y_plus_x: q.y_plus_x,
            y_minus_x: q.y_minus_x,
            z2: F::TWO,
            t2d: q.xy2d,
        }
    }

    /// The point as a right side.
    #[inline(always)]
    pub(super) const fn signed(&self, minus: bool) -> Signed<'_, F> {
        Signed::new(
            [&self.y_plus_x, &self.y_minus_x],
            &self.t2d,
            Some(&self.z2),
            minus,
        )
    }

    /// The limbs of the coordinates, in bytes.
    #[inline(always)]
    pub(super) fn to_stored(self) -> [[u8; 40]; 4] {
        [self.y_plus_x, self.y_minus_x, self.z2, self.t2d].map(F::to_stored)
    }

    /// The point of what [`Cached::to_stored`] gave.
    #[inline(always)]
    pub(super) fn from_stored(limbs: [&[u8; 40]; 4]) -> Cached<F> {
        let [y_plus_x, y_minus_x, z2, t2d] = limbs.map(F::from_stored);
        Cached {
            y_plus_x,
            y_minus_x,
            z2,
            t2d,
        }
    }

    /// Ors in `from` where `mask` is all ones.
    #[inline(always)]
    pub(super) fn or_masked(&mut self, mask: u64, from: &Cached<F>) {
        self.y_plus_x.or_masked(mask, &from.y_plus_x);
        self.y_minus_x.or_masked(mask, &from.y_minus_x);
        self.z2.or_masked(mask, &from.z2);
        self.t2d.or_masked(mask, &from.t2d);
    }

    /// Inverts the point where `mask` is all ones. The last coordinate gets loose.
    #[inline(always)]
    pub(super) fn neg_masked(&mut self, mask: u64) {
        let (plus, minus) = (self.y_plus_x, self.y_minus_x);
        self.y_plus_x.assign(mask, minus);
        self.y_minus_x.assign(mask, plus);
        self.t2d.negate_masked(mask);
    }
}

impl Niels {
    /// The point in the form of a field.
    #[inline(always)]
    pub(super) fn inside<F: Field>(&self) -> Niels<F> {
        Niels {
            y_plus_x: F::from_outside(self.y_plus_x),
            y_minus_x: F::from_outside(self.y_minus_x),
            xy2d: F::from_outside(self.xy2d),
        }
    }
}

impl<F: Field> Niels<F> {
    pub(super) const NEUTRAL: Self = Niels {
        y_plus_x: F::ONE,
        y_minus_x: F::ONE,
        xy2d: F::ZERO,
    };

    /// All limbs zero: not a point, but where a table scan starts.
    pub(super) const ZERO: Self = Niels {
        y_plus_x: F::ZERO,
        y_minus_x: F::ZERO,
        xy2d: F::ZERO,
    };

    /// The point as a right side.
    #[inline(always)]
    pub(super) const fn signed(&self, minus: bool) -> Signed<'_, F> {
        Signed::new([&self.y_plus_x, &self.y_minus_x], &self.xy2d, None, minus)
    }

    pub(super) fn new(p: &Affine<F>) -> Niels<F> {
        Niels {
            y_plus_x: p.y.add(p.x).tighten(),
            y_minus_x: p.y.sub(p.x).tighten(),
            xy2d: p.x.mul(p.y).mul(F::D2),
        }
    }

    /// Ors in `from` where `mask` is all ones.
    #[inline(always)]
    pub(super) fn or_masked(&mut self, mask: u64, from: &Niels<F>) {
        self.y_plus_x.or_masked(mask, &from.y_plus_x);
        self.y_minus_x.or_masked(mask, &from.y_minus_x);
        self.xy2d.or_masked(mask, &from.xy2d);
    }

    /// Inverts the point where `mask` is all ones. The third coordinate gets loose.
    #[inline(always)]
    pub(super) fn neg_masked(&mut self, mask: u64) {
        let (plus, minus) = (self.y_plus_x, self.y_minus_x);
        self.y_plus_x.assign(mask, minus);
        self.y_minus_x.assign(mask, plus);
        self.xy2d.negate_masked(mask);
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
