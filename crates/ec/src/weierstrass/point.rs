//! Points of a curve y^2 = x^3 + a x + b with a = -3 or a = 0, and the formulas to add them.
//!
//! The sum of two points in [`Jacobian`] or [`Extended`] coordinates is by formulas that fail for
//! equal points and for the point at infinity; each caller shows why these do not occur, or uses
//! the variants in `_vartime`, which look. Formulas: Cohen, Miyaji, Ono, "Efficient elliptic curve
//! exponentiation using mixed coordinates" (1998), and Sutherland's XYZZ in the Explicit-Formulas
//! Database.

use super::field::{Fe, Field, Multiply};
use adamant_base::ct::Choice;

/// The point (x, y).
#[derive(Clone, Copy)]
pub(crate) struct Affine<C, const W: usize> {
    pub(crate) x: Fe<C, W>,
    pub(crate) y: Fe<C, W>,
}

/// The point (x / z^2, y / z^3); infinity where z = 0.
#[derive(Clone, Copy)]
pub(crate) struct Jacobian<C, const W: usize> {
    pub(crate) x: Fe<C, W>,
    pub(crate) y: Fe<C, W>,
    pub(crate) z: Fe<C, W>,
}

/// The point (x / zz, y / zzz) with zz^3 = zzz^2: cheapest where affine points are added and
/// nothing is doubled.
#[derive(Clone, Copy)]
pub(crate) struct Extended<C, const W: usize> {
    x: Fe<C, W>,
    y: Fe<C, W>,
    zz: Fe<C, W>,
    zzz: Fe<C, W>,
}

/// The powers of the twist: u, u^2, u^3.
fn twist<C: Field<W>, const W: usize>(f: &impl Multiply<C, W>) -> [Fe<C, W>; 3] {
    let u = Fe::from_integer(&C::TWIST, f);
    let uu = f.square(&u);
    [u, uu, f.mul(&uu, &u)]
}

impl<C: Field<W>, const W: usize> Affine<C, W> {
    /// No point: to fill arrays with.
    pub(crate) const ZERO: Self = Affine {
        x: Fe::ZERO,
        y: Fe::ZERO,
    };

    /// The point with these coordinates, integers below p, on the curve that the kernel calculates
    /// on.
    pub(crate) fn from_integers([x, y]: &[[u64; W]; 2], f: &impl Multiply<C, W>) -> Self {
        let (mut x, mut y) = (Fe::from_integer(x, f), Fe::from_integer(y, f));
        if C::IS_TWISTED {
            let [_, uu, uuu] = twist(f);
            (x, y) = (f.mul(&x, &uu), f.mul(&y, &uuu));
        }
        Affine { x, y }
    }

    /// `self`, or `-self` where the choice is true.
    #[inline(always)]
    pub(crate) fn negate_if(&self, choice: Choice) -> Self {
        Affine {
            x: self.x,
            y: self.y.negate_if(choice),
        }
    }

    /// `2 self`: mdbl-2008-s-1.
    #[inline(always)]
    pub(crate) fn double(&self, f: &impl Multiply<C, W>) -> Extended<C, W> {
        let u = self.y.double();
        let v = f.square(&u);
        let w = f.mul(&u, &v);
        let s = f.mul(&self.x, &v);
        let xx = f.square(&self.x);
        let xx = if C::A_IS_ZERO { xx } else { xx.sub(&Fe::ONE) };
        let m = xx.double().add(&xx); // 3 x^2 + a
        let x = f.square(&m).sub(&s).sub(&s);
        Extended {
            x,
            y: f.mul(&m, &s.sub(&x)).sub(&f.mul(&w, &self.y)),
            zz: v,
            zzz: w,
        }
    }
}

impl<C: Field<W>, const W: usize> Extended<C, W> {
    /// The same point.
    pub(crate) fn from_affine(p: &Affine<C, W>) -> Self {
        Extended {
            x: p.x,
            y: p.y,
            zz: Fe::ONE,
            zzz: Fe::ONE,
        }
    }

    /// `self + q`, and whether both have the same x, for which the sum is wrong: madd-2008-s.
    #[inline(always)]
    pub(crate) fn add(&self, q: &Affine<C, W>, f: &impl Multiply<C, W>) -> (Self, Choice) {
        let h = f.mul(&q.x, &self.zz).sub(&self.x);
        let r = f.mul(&q.y, &self.zzz).sub(&self.y);
        let hh = f.square(&h);
        let hhh = f.mul(&h, &hh);
        let v = f.mul(&self.x, &hh);
        let x = f.square(&r).sub(&hhh).sub(&v).sub(&v);
        let sum = Extended {
            x,
            y: f.mul(&r, &v.sub(&x)).sub(&f.mul(&self.y, &hhh)),
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
    /// (0, 0) for infinity.
    pub(crate) fn to_integers(self, negate: Choice, f: &impl Multiply<C, W>) -> [[u64; W]; 2] {
        let (mut zz, mut zzz) = (self.zz, self.zzz);
        if C::IS_TWISTED {
            let [_, uu, uuu] = twist(f);
            (zz, zzz) = (f.mul(&zz, &uu), f.mul(&zzz, &uuu));
        }
        let zzz_inverse = zzz.invert();
        // z^-2 = z^4 z^-6
        let zz_inverse = f.square(&f.mul(&zz, &zzz_inverse));
        [
            f.mul(&self.x, &zz_inverse).to_integer(f),
            f.mul(&self.y, &zzz_inverse).negate_if(negate).to_integer(f),
        ]
    }
}

impl<C: Field<W>, const W: usize> Jacobian<C, W> {
    /// The point at infinity.
    pub(crate) const INFINITY: Self = Jacobian {
        x: Fe::ONE,
        y: Fe::ONE,
        z: Fe::ZERO,
    };

    /// The same point.
    pub(crate) fn from_affine(p: &Affine<C, W>) -> Self {
        Jacobian {
            x: p.x,
            y: p.y,
            z: Fe::ONE,
        }
    }

    /// `2 self`, for every point (there is none of order 2): four multiplications, four squares; one
    /// multiplication less where a = 0.
    #[inline(always)]
    pub(crate) fn double(&self, f: &impl Multiply<C, W>) -> Self {
        let m = if C::A_IS_ZERO {
            f.square(&self.x)
        } else {
            let zz = f.square(&self.z);
            f.mul(&self.x.add(&zz), &self.x.sub(&zz))
        };
        let m = m.double().add(&m); // 3 x^2 + a z^4
        let y2 = self.y.double();
        let yy4 = f.square(&y2);
        let s = f.mul(&yy4, &self.x); // 4 x y^2
        let half = f.square(&yy4).halve(); // 8 y^4
        let x = f.square(&m).sub(&s).sub(&s);
        Jacobian {
            x,
            y: f.mul(&m, &s.sub(&x)).sub(&half),
            z: f.mul(&y2, &self.z),
        }
    }

    /// `2^n self`.
    #[inline(always)]
    pub(crate) fn double_n(&self, n: usize, f: &impl Multiply<C, W>) -> Self {
        let mut p = *self;
        for _ in 0..n {
            p = p.double(f);
        }
        p
    }

    /// `self + q`, and whether both have the same x, for which the sum is wrong.
    #[inline(always)]
    pub(crate) fn add(&self, q: &Self, f: &impl Multiply<C, W>) -> (Self, Choice) {
        let zz1 = f.square(&self.z);
        let zz2 = f.square(&q.z);
        let u1 = f.mul(&self.x, &zz2);
        let s1 = f.mul(&f.mul(&self.y, &zz2), &q.z);
        let h = f.mul(&q.x, &zz1).sub(&u1);
        let r = f.mul(&f.mul(&q.y, &zz1), &self.z).sub(&s1);
        let hh = f.square(&h);
        let hhh = f.mul(&h, &hh);
        let v = f.mul(&u1, &hh);
        let x = f.square(&r).sub(&hhh).sub(&v).sub(&v);
        let sum = Jacobian {
            x,
            y: f.mul(&r, &v.sub(&x)).sub(&f.mul(&s1, &hhh)),
            z: f.mul(&f.mul(&self.z, &q.z), &h),
        };
        (sum, h.is_zero())
    }

    /// `self + q`, for every pair of points but equal ones, whose sum is a double.
    #[inline(always)]
    pub(crate) fn add_affine_vartime(
        &self,
        q: &Affine<C, W>,
        f: &impl Multiply<C, W>,
    ) -> Option<Self> {
        if self.z.is_zero().declassify() {
            return Some(Jacobian::from_affine(q));
        }
        let zz = f.square(&self.z);
        let h = f.mul(&q.x, &zz).sub(&self.x);
        let r = f.mul(&f.mul(&q.y, &zz), &self.z).sub(&self.y);
        if h.is_zero().declassify() {
            return (!r.is_zero().declassify()).then_some(Jacobian::INFINITY);
        }
        let hh = f.square(&h);
        let hhh = f.mul(&h, &hh);
        let v = f.mul(&self.x, &hh);
        let x = f.square(&r).sub(&hhh).sub(&v).sub(&v);
        Some(Jacobian {
            x,
            y: f.mul(&r, &v.sub(&x)).sub(&f.mul(&self.y, &hhh)),
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
    #[inline(always)]
    pub(crate) fn scale(&self, z_inverse: &Fe<C, W>, f: &impl Multiply<C, W>) -> Affine<C, W> {
        let zz_inverse = f.square(z_inverse);
        Affine {
            x: f.mul(&self.x, &zz_inverse),
            y: f.mul(&f.mul(&self.y, &zz_inverse), z_inverse),
        }
    }

    /// z of the same point where there is no twist.
    pub(crate) fn untwisted_z(&self, f: &impl Multiply<C, W>) -> Fe<C, W> {
        if C::IS_TWISTED {
            f.mul(&self.z, &twist(f)[0])
        } else {
            self.z
        }
    }

    /// The coordinates as integers below p, of the point or, where the choice is true, its negative;
    /// (0, 0) for infinity.
    pub(crate) fn to_integers(self, negate: Choice, f: &impl Multiply<C, W>) -> [[u64; W]; 2] {
        let point = self.scale(&self.untwisted_z(f).invert(), f);
        [
            point.x.to_integer(f),
            point.y.negate_if(negate).to_integer(f),
        ]
    }
}

/// The affine points, with one inversion for all; none may be at infinity.
pub(crate) fn normalize_vartime<C: Field<W>, const W: usize>(
    points: &[Jacobian<C, W>],
    affine: &mut [Affine<C, W>],
    f: &impl Multiply<C, W>,
) {
    let mut product = Fe::ONE;
    for (to, point) in affine.iter_mut().zip(points) {
        to.x = product; // of the z before each
        product = f.mul(&product, &point.z);
    }
    let mut inverse = product.invert_vartime();
    for (to, point) in affine.iter_mut().zip(points).rev() {
        *to = point.scale(&f.mul(&inverse, &to.x), f);
        inverse = f.mul(&inverse, &point.z);
    }
}
