//! Points of a curve y^2 = x^3 + a x + b with a = -3 or a = 0, and the formulas to add them.
//!
//! The sum of two points in [`Jacobian`] or [`Extended`] coordinates is by formulas that fail for
//! equal points and for the point at infinity; each caller shows why these do not occur, or uses
//! the variants in `_vartime`, which look. Formulas: Cohen, Miyaji, Ono, "Efficient elliptic curve
//! exponentiation using mixed coordinates" (1998), and Sutherland's XYZZ in the Explicit-Formulas
//! Database.

use super::field::{Arithmetic, Calls, Fe};
use super::table::Entry;
use adamant_base::ct::Choice;

/// The point (x, y).
#[derive(Clone, Copy)]
pub(crate) struct Affine<const W: usize> {
    pub(crate) x: Fe<W>,
    pub(crate) y: Fe<W>,
}

/// The point (x / z^2, y / z^3); infinity where z = 0.
#[derive(Clone, Copy)]
pub(crate) struct Jacobian<const W: usize> {
    pub(crate) x: Fe<W>,
    pub(crate) y: Fe<W>,
    pub(crate) z: Fe<W>,
}

/// The point (x / zz, y / zzz) with zz^3 = zzz^2: cheapest where affine points are added and
/// nothing is doubled.
#[derive(Clone, Copy)]
pub(crate) struct Extended<const W: usize> {
    x: Fe<W>,
    y: Fe<W>,
    zz: Fe<W>,
    zzz: Fe<W>,
}

impl<const W: usize> Affine<W> {
    /// The point with these coordinates, integers below p, on the curve that the kernel calculates
    /// on.
    pub(crate) fn from_integers([x, y]: &[[u64; W]; 2], f: &Calls<W>) -> Self {
        let (mut x, mut y) = (Fe::from_integer(x, f), Fe::from_integer(y, f));
        if let Some([_, uu, uuu]) = &f.constants.twist {
            (x, y) = (f.mul(&x, uu), f.mul(&y, uuu));
        }
        Affine { x, y }
    }

    /// `self`, or `-self` where the choice is true: y is not 0, as there is no point of order 2.
    #[inline]
    pub(crate) fn negate_if(&self, choice: Choice, f: &Calls<W>) -> Self {
        Affine {
            y: self.y.negate_if(choice, f),
            ..*self
        }
    }

    /// `2 self`: mdbl-2008-s-1.
    pub(crate) fn double(&self, f: &Calls<W>) -> Extended<W> {
        let u = self.y.double(f);
        let v = f.square(&u);
        let w = f.mul(&u, &v);
        let s = f.mul(&self.x, &v);
        let xx = f.square(&self.x);
        let xx = if f.constants.a_is_zero {
            xx
        } else {
            xx.sub(&f.constants.one, f)
        };
        let m = xx.double(f).add(&xx, f); // 3 x^2 + a
        let x = f.square(&m).sub(&s, f).sub(&s, f);
        Extended {
            x,
            y: f.mul(&m, &s.sub(&x, f)).sub(&f.mul(&w, &self.y), f),
            zz: v,
            zzz: w,
        }
    }
}

impl<const W: usize> Entry for Affine<W> {
    const NONE: Self = Affine {
        x: Fe::ZERO,
        y: Fe::ZERO,
    };

    #[inline(always)]
    fn pick(&mut self, other: &Self, mask: u64) {
        self.x.pick(&other.x, mask);
        self.y.pick(&other.y, mask);
    }
}

impl<const W: usize> Extended<W> {
    /// The same point.
    pub(crate) fn from_affine(p: &Affine<W>, f: &Calls<W>) -> Self {
        Extended {
            x: p.x,
            y: p.y,
            zz: f.constants.one,
            zzz: f.constants.one,
        }
    }

    /// `self + q`, and whether both have the same x, for which the sum is wrong: madd-2008-s.
    #[inline(always)]
    pub(crate) fn add(&self, q: &Affine<W>, f: &impl Arithmetic<W>) -> (Self, Choice) {
        let h = f.mul(&q.x, &self.zz).sub(&self.x, f);
        let r = f.mul(&q.y, &self.zzz).sub(&self.y, f);
        let hh = f.square(&h);
        let hhh = f.mul(&h, &hh);
        let v = f.mul(&self.x, &hh);
        let x = f.square(&r).sub(&hhh, f).sub(&v, f).sub(&v, f);
        let sum = Extended {
            x,
            y: f.mul(&r, &v.sub(&x, f)).sub(&f.mul(&self.y, &hhh), f),
            zz: f.mul(&self.zz, &hh),
            zzz: f.mul(&self.zzz, &hhh),
        };
        (sum, h.is_zero())
    }

    /// Becomes `other` where the choice is true.
    #[inline(always)]
    pub(crate) fn assign_if(&mut self, choice: Choice, other: &Self) {
        self.x.assign_if(choice, &other.x);
        self.y.assign_if(choice, &other.y);
        self.zz.assign_if(choice, &other.zz);
        self.zzz.assign_if(choice, &other.zzz);
    }

    /// The coordinates as integers below p, of the point or, where the choice is true, its negative;
    /// (0, 0) for infinity, which is not to be negated.
    pub(crate) fn to_integers(self, negate: Choice, f: &Calls<W>) -> [[u64; W]; 2] {
        let (mut zz, mut zzz) = (self.zz, self.zzz);
        if let Some([_, uu, uuu]) = &f.constants.twist {
            (zz, zzz) = (f.mul(&zz, uu), f.mul(&zzz, uuu));
        }
        let zzz_inverse = zzz.invert(f);
        // z^-2 = z^4 z^-6
        let zz_inverse = f.square(&f.mul(&zz, &zzz_inverse));
        let y = f.mul(&self.y, &zzz_inverse).negate_if(negate, f);
        [f.mul(&self.x, &zz_inverse).to_integer(f), y.to_integer(f)]
    }
}

impl<const W: usize> Jacobian<W> {
    /// The point at infinity.
    #[inline(always)]
    pub(crate) fn infinity(f: &impl Arithmetic<W>) -> Self {
        let one = f.constants().one;
        Jacobian {
            x: one,
            y: one,
            z: Fe::ZERO,
        }
    }

    /// The same point.
    #[inline(always)]
    pub(crate) fn from_affine(p: &Affine<W>, f: &impl Arithmetic<W>) -> Self {
        Jacobian {
            x: p.x,
            y: p.y,
            z: f.constants().one,
        }
    }

    /// `2 self`, for every point (there is none of order 2): four multiplications, four squares; one
    /// multiplication less where a = 0.
    #[inline(always)]
    pub(crate) fn double(&self, f: &impl Arithmetic<W>) -> Self {
        let m = if f.constants().a_is_zero {
            f.square(&self.x)
        } else {
            let zz = f.square(&self.z);
            f.mul(&self.x.add(&zz, f), &self.x.sub(&zz, f))
        };
        let m = m.double(f).add(&m, f); // 3 x^2 + a z^4
        let y2 = self.y.double(f);
        let yy4 = f.square(&y2);
        let s = f.mul(&yy4, &self.x); // 4 x y^2
        let half = f.square(&yy4).halve(f); // 8 y^4
        let x = f.square(&m).sub(&s, f).sub(&s, f);
        Jacobian {
            x,
            y: f.mul(&m, &s.sub(&x, f)).sub(&half, f),
            z: f.mul(&y2, &self.z),
        }
    }

    /// `2^n self`.
    #[inline(always)]
    pub(crate) fn double_n(&self, n: usize, f: &impl Arithmetic<W>) -> Self {
        let mut p = *self;
        for _ in 0..n {
            p = p.double(f);
        }
        p
    }

    /// `self + q`, and whether both have the same x, for which the sum is wrong.
    #[inline(always)]
    pub(crate) fn add(&self, q: &Self, f: &impl Arithmetic<W>) -> (Self, Choice) {
        let zz1 = f.square(&self.z);
        let zz2 = f.square(&q.z);
        let u1 = f.mul(&self.x, &zz2);
        let s1 = f.mul(&f.mul(&self.y, &zz2), &q.z);
        let h = f.mul(&q.x, &zz1).sub(&u1, f);
        let r = f.mul(&f.mul(&q.y, &zz1), &self.z).sub(&s1, f);
        let hh = f.square(&h);
        let hhh = f.mul(&h, &hh);
        let v = f.mul(&u1, &hh);
        let x = f.square(&r).sub(&hhh, f).sub(&v, f).sub(&v, f);
        let sum = Jacobian {
            x,
            y: f.mul(&r, &v.sub(&x, f)).sub(&f.mul(&s1, &hhh), f),
            z: f.mul(&f.mul(&self.z, &q.z), &h),
        };
        (sum, h.is_zero())
    }

    /// `self + q`, for every pair of points but equal ones, whose sum is a double.
    #[inline(always)]
    pub(crate) fn add_affine_vartime(&self, q: &Affine<W>, f: &impl Arithmetic<W>) -> Option<Self> {
        if self.z.is_zero().declassify() {
            return Some(Jacobian::from_affine(q, f));
        }
        let zz = f.square(&self.z);
        let h = f.mul(&q.x, &zz).sub(&self.x, f);
        let r = f.mul(&f.mul(&q.y, &zz), &self.z).sub(&self.y, f);
        if h.is_zero().declassify() {
            return (!r.is_zero().declassify()).then_some(Jacobian::infinity(f));
        }
        let hh = f.square(&h);
        let hhh = f.mul(&h, &hh);
        let v = f.mul(&self.x, &hh);
        let x = f.square(&r).sub(&hhh, f).sub(&v, f).sub(&v, f);
        Some(Jacobian {
            x,
            y: f.mul(&r, &v.sub(&x, f)).sub(&f.mul(&self.y, &hhh), f),
            z: f.mul(&self.z, &h),
        })
    }

    /// Becomes `other` where the choice is true.
    #[inline(always)]
    pub(crate) fn assign_if(&mut self, choice: Choice, other: &Self) {
        self.x.assign_if(choice, &other.x);
        self.y.assign_if(choice, &other.y);
        self.z.assign_if(choice, &other.z);
    }

    /// The affine point of z's inverse.
    pub(crate) fn scale(&self, z_inverse: &Fe<W>, f: &Calls<W>) -> Affine<W> {
        let zz_inverse = f.square(z_inverse);
        Affine {
            x: f.mul(&self.x, &zz_inverse),
            y: f.mul(&f.mul(&self.y, &zz_inverse), z_inverse),
        }
    }

    /// `self`, or `-self` where the choice is true, of a point that is not infinity.
    #[inline]
    pub(crate) fn negate_if(&self, choice: Choice, f: &Calls<W>) -> Self {
        Jacobian {
            y: self.y.negate_if(choice, f),
            ..*self
        }
    }

    /// z of the same point where there is no twist.
    pub(crate) fn untwisted_z(&self, f: &Calls<W>) -> Fe<W> {
        match &f.constants.twist {
            None => self.z,
            Some([u, ..]) => f.mul(&self.z, u),
        }
    }

    /// [`Extended::to_integers`].
    pub(crate) fn to_integers(self, negate: Choice, f: &Calls<W>) -> [[u64; W]; 2] {
        let Jacobian { x, y, z } = self;
        let zz = f.square(&z);
        let zzz = f.mul(&zz, &z);
        Extended { x, y, zz, zzz }.to_integers(negate, f)
    }
}

impl<const W: usize> Entry for Jacobian<W> {
    const NONE: Self = Jacobian {
        x: Fe::ZERO,
        y: Fe::ZERO,
        z: Fe::ZERO,
    };

    #[inline(always)]
    fn pick(&mut self, other: &Self, mask: u64) {
        self.x.pick(&other.x, mask);
        self.y.pick(&other.y, mask);
        self.z.pick(&other.z, mask);
    }
}

/// The affine points, with one inversion for all; none may be at infinity.
pub(crate) fn normalize_vartime<const W: usize>(
    points: &[Jacobian<W>],
    affine: &mut [Affine<W>],
    f: &Calls<W>,
) {
    let mut product = f.constants.one;
    for (to, point) in affine.iter_mut().zip(points) {
        to.x = product; // of the z before each
        product = f.mul(&product, &point.z);
    }
    let mut inverse = product.invert_vartime(f);
    for (to, point) in affine.iter_mut().zip(points).rev() {
        *to = point.scale(&f.mul(&inverse, &to.x), f);
        inverse = f.mul(&inverse, &point.z);
    }
}
