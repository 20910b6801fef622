//! Points of P-256, y^2 = x^3 - 3 x + b, and the formulas to add them.
//!
//! The sum of two points in [`Jacobian`] or [`Extended`] coordinates is by formulas that fail for
//! equal points and for the point at infinity; each caller shows why these do not occur, or uses
//! the variants in `_vartime`, which look. Formulas: Cohen, Miyaji, Ono, "Efficient elliptic curve
//! exponentiation using mixed coordinates" (1998), and Sutherland's XYZZ in the Explicit-Formulas
//! Database.

use super::field::{Fe, Multiply};
use super::limbs::Limbs;
use adamant_base::ct::Choice;

/// The point (x, y).
#[derive(Clone, Copy)]
pub(super) struct Affine {
    pub(super) x: Fe,
    pub(super) y: Fe,
}

/// The point (x / z^2, y / z^3); infinity where z = 0.
#[derive(Clone, Copy)]
pub(super) struct Jacobian {
    pub(super) x: Fe,
    pub(super) y: Fe,
    pub(super) z: Fe,
}

/// The point (x / zz, y / zzz) with zz^3 = zzz^2: cheapest where affine points are added and
/// nothing is doubled.
#[derive(Clone, Copy)]
pub(super) struct Extended {
    x: Fe,
    y: Fe,
    zz: Fe,
    zzz: Fe,
}

impl Affine {
    /// No point: to fill arrays with.
    pub(super) const ZERO: Affine = Affine {
        x: Fe::ZERO,
        y: Fe::ZERO,
    };

    /// The point with these coordinates, integers below p.
    pub(super) fn from_integers([x, y]: &[Limbs; 2]) -> Affine {
        Affine {
            x: Fe::from_integer(x),
            y: Fe::from_integer(y),
        }
    }

    /// The coordinates as integers below p.
    pub(super) fn to_integers(self) -> [Limbs; 2] {
        [self.x.to_integer(), self.y.to_integer()]
    }

    /// `self`, or `-self` where the choice is true.
    #[inline(always)]
    pub(super) fn negate_if(&self, choice: Choice) -> Affine {
        Affine {
            x: self.x,
            y: self.y.negate_if(choice),
        }
    }

    /// `2 self`: mdbl-2008-s-1.
    #[inline(always)]
    pub(super) fn double(&self, f: &impl Multiply) -> Extended {
        let u = self.y.double();
        let v = f.square(&u);
        let w = f.mul(&u, &v);
        let s = f.mul(&self.x, &v);
        let x2 = f.square(&self.x).sub(&Fe::ONE);
        let m = x2.double().add(&x2); // 3 x^2 + a
        let x = f.square(&m).sub(&s).sub(&s);
        Extended {
            x,
            y: f.mul(&m, &s.sub(&x)).sub(&f.mul(&w, &self.y)),
            zz: v,
            zzz: w,
        }
    }
}

impl Extended {
    /// The same point.
    pub(super) fn from_affine(p: &Affine) -> Extended {
        Extended {
            x: p.x,
            y: p.y,
            zz: Fe::ONE,
            zzz: Fe::ONE,
        }
    }

    /// `self + q`, and whether both have the same x, for which the sum is wrong: madd-2008-s.
    #[inline(always)]
    pub(super) fn add(&self, q: &Affine, f: &impl Multiply) -> (Extended, Choice) {
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
    pub(super) fn assign_if(&mut self, choice: Choice, other: &Extended) {
        choice.assign(&mut self.x.0, &other.x.0);
        choice.assign(&mut self.y.0, &other.y.0);
        choice.assign(&mut self.zz.0, &other.zz.0);
        choice.assign(&mut self.zzz.0, &other.zzz.0);
    }

    /// The affine point; (0, 0) for infinity.
    pub(super) fn to_affine(self) -> Affine {
        let zzz_inverse = self.zzz.invert();
        // z^-2 = z^4 z^-6
        let zz_inverse = self.zz.mul(&zzz_inverse).square();
        Affine {
            x: self.x.mul(&zz_inverse),
            y: self.y.mul(&zzz_inverse),
        }
    }
}

impl Jacobian {
    /// The point at infinity.
    pub(super) const INFINITY: Jacobian = Jacobian {
        x: Fe::ONE,
        y: Fe::ONE,
        z: Fe::ZERO,
    };

    /// The same point.
    pub(super) fn from_affine(p: &Affine) -> Jacobian {
        Jacobian {
            x: p.x,
            y: p.y,
            z: Fe::ONE,
        }
    }

    /// x, y and z one behind the other.
    pub(super) fn to_words(self) -> [u64; 12] {
        let mut words = [0; 12];
        for (to, from) in words
            .as_chunks_mut::<4>()
            .0
            .iter_mut()
            .zip([self.x, self.y, self.z])
        {
            *to = from.0;
        }
        words
    }

    /// The inverse of [`Jacobian::to_words`].
    #[inline(always)]
    pub(super) fn from_words(words: &[u64; 12]) -> Jacobian {
        let [x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3] = *words;
        Jacobian {
            x: Fe([x0, x1, x2, x3]),
            y: Fe([y0, y1, y2, y3]),
            z: Fe([z0, z1, z2, z3]),
        }
    }

    /// `2 self`, for every point (there is none of order 2): four multiplications, four squares.
    #[inline(always)]
    pub(super) fn double(&self, f: &impl Multiply) -> Jacobian {
        let y2 = self.y.double();
        let yy4 = f.square(&y2);
        let s = f.mul(&yy4, &self.x); // 4 x y^2
        let half = f.square(&yy4).halve(); // 8 y^4
        let zz = f.square(&self.z);
        let m = f.mul(&self.x.add(&zz), &self.x.sub(&zz));
        let m = m.double().add(&m); // 3 x^2 + a z^4
        let x = f.square(&m).sub(&s).sub(&s);
        Jacobian {
            x,
            y: f.mul(&m, &s.sub(&x)).sub(&half),
            z: f.mul(&y2, &self.z),
        }
    }

    /// `2^n self`.
    #[inline(always)]
    pub(super) fn double_n(&self, n: usize, f: &impl Multiply) -> Jacobian {
        let mut p = *self;
        for _ in 0..n {
            p = p.double(f);
        }
        p
    }

    /// `self + q`, and whether both have the same x, for which the sum is wrong.
    #[inline(always)]
    pub(super) fn add(&self, q: &Jacobian, f: &impl Multiply) -> (Jacobian, Choice) {
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

    /// `self + q`, for every pair of points.
    #[inline(always)]
    pub(super) fn add_affine_vartime(&self, q: &Affine, f: &impl Multiply) -> Jacobian {
        if self.z.is_zero().declassify() {
            return Jacobian::from_affine(q);
        }
        let zz = f.square(&self.z);
        let h = f.mul(&q.x, &zz).sub(&self.x);
        let r = f.mul(&f.mul(&q.y, &zz), &self.z).sub(&self.y);
        if h.is_zero().declassify() {
            return if r.is_zero().declassify() {
                self.double(f)
            } else {
                Jacobian::INFINITY
            };
        }
        let hh = f.square(&h);
        let hhh = f.mul(&h, &hh);
        let v = f.mul(&self.x, &hh);
        let x = f.square(&r).sub(&hhh).sub(&v).sub(&v);
        Jacobian {
            x,
            y: f.mul(&r, &v.sub(&x)).sub(&f.mul(&self.y, &hhh)),
            z: f.mul(&self.z, &h),
        }
    }

    /// Becomes `other` where the choice is true.
    #[inline(always)]
    pub(super) fn assign_if(&mut self, choice: Choice, other: &Jacobian) {
        choice.assign(&mut self.x.0, &other.x.0);
        choice.assign(&mut self.y.0, &other.y.0);
        choice.assign(&mut self.z.0, &other.z.0);
    }

    /// The affine point of z's inverse.
    pub(super) fn scale(&self, z_inverse: &Fe) -> Affine {
        let zz_inverse = z_inverse.square();
        Affine {
            x: self.x.mul(&zz_inverse),
            y: self.y.mul(&zz_inverse).mul(z_inverse),
        }
    }
}
