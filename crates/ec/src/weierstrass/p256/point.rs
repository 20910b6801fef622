//! Points of P-256, y^2 = x^3 - 3 x + b, and the formulas to add them.
//!
//! The sum of two points in [`Jacobian`] or [`Extended`] coordinates is by formulas that fail for
//! equal points and for the point at infinity; each caller shows why these do not occur, or uses
//! the variants in `_vartime`, which look. Formulas: Cohen, Miyaji, Ono, "Efficient elliptic curve
//! exponentiation using mixed coordinates" (1998), and Sutherland's XYZZ in the Explicit-Formulas
//! Database.

use super::field::Fe;
use super::limbs::Limbs;
use adamant_base::ct::Choice;

/// The coefficient b, in Montgomery's form.
pub(super) const B: Fe = Fe([
    0xd89c_df62_29c4_bddf,
    0xacf0_05cd_7884_3090,
    0xe5a2_20ab_f721_2ed6,
    0xdc30_061d_0487_4834,
]);

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

/// The right side of the equation of the curve: x^3 - 3 x + b.
pub(super) fn right_side(x: &Fe) -> Fe {
    let three_x = x.double().add(x);
    x.square().mul(x).sub(&three_x).add(&B)
}

impl Affine {
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
    pub(super) fn double(&self) -> Extended {
        let u = self.y.double();
        let v = u.square();
        let w = u.mul(&v);
        let s = self.x.mul(&v);
        let x2 = self.x.square().sub(&Fe::ONE);
        let m = x2.double().add(&x2); // 3 x^2 + a
        let x = m.square().sub(&s.double());
        Extended {
            x,
            y: m.mul(&s.sub(&x)).sub(&w.mul(&self.y)),
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
    #[inline]
    pub(super) fn add(&self, q: &Affine) -> (Extended, Choice) {
        let h = q.x.mul(&self.zz).sub(&self.x);
        let r = q.y.mul(&self.zzz).sub(&self.y);
        let hh = h.square();
        let hhh = h.mul(&hh);
        let v = self.x.mul(&hh);
        let x = r.square().sub(&hhh).sub(&v.double());
        let sum = Extended {
            x,
            y: r.mul(&v.sub(&x)).sub(&self.y.mul(&hhh)),
            zz: self.zz.mul(&hh),
            zzz: self.zzz.mul(&hhh),
        };
        (sum, h.is_zero())
    }

    /// Becomes `other` where the choice is true.
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

    /// `2 self`, for every point (there is none of order 2): four multiplications, four squares.
    #[inline]
    pub(super) fn double(&self) -> Jacobian {
        let y2 = self.y.double();
        let yy4 = y2.square();
        let s = yy4.mul(&self.x); // 4 x y^2
        let half = yy4.square().halve(); // 8 y^4
        let zz = self.z.square();
        let m = self.x.add(&zz).mul(&self.x.sub(&zz));
        let m = m.double().add(&m); // 3 x^2 + a z^4
        let x = m.square().sub(&s.double());
        Jacobian {
            x,
            y: m.mul(&s.sub(&x)).sub(&half),
            z: y2.mul(&self.z),
        }
    }

    /// `self + q`, and whether both have the same x, for which the sum is wrong.
    #[inline]
    pub(super) fn add(&self, q: &Jacobian) -> (Jacobian, Choice) {
        let zz1 = self.z.square();
        let zz2 = q.z.square();
        let u1 = self.x.mul(&zz2);
        let s1 = self.y.mul(&zz2).mul(&q.z);
        let h = q.x.mul(&zz1).sub(&u1);
        let r = q.y.mul(&zz1).mul(&self.z).sub(&s1);
        let hh = h.square();
        let hhh = h.mul(&hh);
        let v = u1.mul(&hh);
        let x = r.square().sub(&hhh).sub(&v.double());
        let sum = Jacobian {
            x,
            y: r.mul(&v.sub(&x)).sub(&s1.mul(&hhh)),
            z: self.z.mul(&q.z).mul(&h),
        };
        (sum, h.is_zero())
    }

    /// `self + q`, for every pair of points.
    pub(super) fn add_affine_vartime(&self, q: &Affine) -> Jacobian {
        if self.z.is_zero().declassify() {
            return Jacobian::from_affine(q);
        }
        let zz = self.z.square();
        let h = q.x.mul(&zz).sub(&self.x);
        let r = q.y.mul(&zz).mul(&self.z).sub(&self.y);
        if h.is_zero().declassify() {
            return if r.is_zero().declassify() {
                self.double()
            } else {
                Jacobian::INFINITY
            };
        }
        let hh = h.square();
        let hhh = h.mul(&hh);
        let v = self.x.mul(&hh);
        let x = r.square().sub(&hhh).sub(&v.double());
        Jacobian {
            x,
            y: r.mul(&v.sub(&x)).sub(&self.y.mul(&hhh)),
            z: self.z.mul(&h),
        }
    }

    /// Becomes `other` where the choice is true.
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
