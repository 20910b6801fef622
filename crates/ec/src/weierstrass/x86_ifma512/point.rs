//! Eight points side by side.
//!
//! Formulas: Bernstein and Lange, Explicit-Formulas Database: `dbl-2001-b` and `dbl-2009-l` in
//! Jacobian coordinates, `dbl-2008-s-1`, `madd-2008-s` and `add-2008-s` in extended ones (of the curves with
//! xyzz coordinates), the additions of Meloni (2007) for points that share their z.
//!
//! Coordinates x and y are below [`Of::BOUND`] p between calls, z below 4p, or 6p where nothing folds,
//! products and what is
//! made only of them below 2p; the comments count multiples of p where it is close.

use super::field::{Calls, Eight};
use super::prime::{Of, Prime};
use adamant_base::simd::arch::__mmask8;

/// The points (x, y).
#[derive(Clone, Copy)]
pub(super) struct Affine<const L: usize> {
    pub(super) x: Eight<L>,
    pub(super) y: Eight<L>,
}

/// The points (x / z^2, y / z^3).
#[derive(Clone, Copy)]
pub(super) struct Jacobian<const L: usize> {
    pub(super) x: Eight<L>,
    pub(super) y: Eight<L>,
    pub(super) z: Eight<L>,
}

/// The points (x / zz, y / zzz) with zz^3 = zzz^2.
#[derive(Clone, Copy)]
pub(super) struct Extended<const L: usize> {
    pub(super) x: Eight<L>,
    pub(super) y: Eight<L>,
    pub(super) zz: Eight<L>,
    pub(super) zzz: Eight<L>,
}

/// x and y of a sum, from what all formulas for it share: `h` and `r`, the differences of the
/// coordinates over a common z, and `u` and `s`, the coordinates of one of the points. With it come
/// h^2 and h^3.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn sum<F: Prime<L>, const L: usize>(
    h: &Eight<L>,
    r: &Eight<L>,
    u: &Eight<L>,
    s: &Eight<L>,
    f: Of<F, L>,
) -> [Eight<L>; 4] {
    let bound = Of::<F, L>::BOUND;
    let hh = h.square(f);
    let hhh = h.mul(&hh, f);
    let v = u.mul(&hh, f);
    let x = r.squared(f).minus(hhh.sum()).minus(v.sum().shift::<1>());
    let x = x.settle(6, f);
    let y = r.product(&v.sum().minus(x.sum()).carry(bound, f), f);
    let y = y.minus(s.product(&hhh, f)).settle(2, f);
    [x, y, hh, hhh]
}

impl<const L: usize> Affine<L> {
    /// `-self` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn negate_if(&self, lanes: __mmask8, f: &Calls<L>) -> Self {
        Affine {
            x: self.x,
            y: self.y.negate_if(lanes, f),
        }
    }

    /// Takes a point (x / z^2, y / z^3) by the inverse of its z to the point itself.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn scale(&mut self, inverse: &Eight<L>, f: &Calls<L>) {
        let square = f.square(inverse);
        self.x = f.mul(&self.x, &square);
        self.y = f.mul(&self.y, &f.mul(&square, inverse));
    }

    /// The slope of the tangent times 2y.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn tangent(&self, f: &Calls<L>) -> Eight<L> {
        let m = if f.constants.a_is_zero {
            f.product(&self.x, &self.x)
        } else {
            let one = f.one().sum();
            let less = self.x.sum().minus(one).carry(1, f);
            f.product(&less, &self.x.sum().plus(one).carry(0, f))
        };
        m.plus(m.shift::<1>()).settle(0, f)
    }

    /// `self` and `2 self`, x and y of each over the z that they share, and that.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn double(&self, f: &Calls<L>) -> ([Eight<L>; 2], Jacobian<L>) {
        let bound = f.constants.bound;
        let z = self.y.sum().shift::<1>().carry(0, f);
        let zz = f.square(&z);
        let s = f.mul(&self.x, &zz); // 4 x y^2
        let m = self.tangent(f);
        let x = f.product(&m, &m).minus(s.sum().shift::<1>()).settle(4, f);
        let y = f.product(&m, &s.sum().minus(x.sum()).carry(bound, f));
        let t = f.mul(&f.mul(&zz, &z), &self.y); // 8 y^4
        let y = y.minus(t.sum()).settle(2, f);
        ([s, t], Jacobian { x, y, z })
    }
}

impl<const L: usize> Extended<L> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_affine(p: &Affine<L>, f: &Calls<L>) -> Self {
        let one = f.one();
        Extended {
            x: p.x,
            y: p.y,
            zz: one,
            zzz: one,
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_jacobian(p: &Jacobian<L>, f: &Calls<L>) -> Self {
        let zz = f.square(&p.z);
        Extended {
            x: p.x,
            y: p.y,
            zz,
            zzz: f.mul(&zz, &p.z),
        }
    }

    /// Becomes `self + q`; gives the difference of their x over a common z: where it is 0 the sum
    /// is wrong.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add_affine<F: Prime<L>>(&mut self, q: &Affine<L>) -> Eight<L> {
        let (f, bound) = (Of::<F, L>::PRIME, Of::<F, L>::BOUND);
        let h = q.x.product(&self.zz, f).minus(self.x.sum()).carry(bound, f);
        let r = q.y.product(&self.zzz, f).minus(self.y.sum());
        let r = r.carry(bound, f);
        let [x, y, hh, hhh] = sum(&h, &r, &self.x, &self.y, f);
        (self.x, self.y) = (x, y);
        self.zz = self.zz.mul(&hh, f);
        self.zzz = self.zzz.mul(&hhh, f);
        h
    }

    /// Becomes `self + q`; gives the difference of their x over a common z: where it is 0 the sum
    /// is wrong.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add<F: Prime<L>>(&mut self, q: &Self, f: &Calls<L>) -> Eight<L> {
        let u = f.mul(&self.x, &q.zz);
        let s = f.mul(&self.y, &q.zzz);
        let h = f.product(&q.x, &self.zz).minus(u.sum()).carry(2, f);
        let r = f.product(&q.y, &self.zzz).minus(s.sum()).carry(2, f);
        let [x, y, hh, hhh] = sum(&h, &r, &u, &s, Of::<F, L>::PRIME);
        (self.x, self.y) = (x, y);
        self.zz = f.mul(&f.mul(&self.zz, &q.zz), &hh);
        self.zzz = f.mul(&f.mul(&self.zzz, &q.zzz), &hhh);
        h
    }

    /// `2 self`, by formulas that are there for few points: `dbl-2008-s-1`.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn double(&self, f: &Calls<L>) -> Self {
        let u = self.y.sum().shift::<1>().carry(0, f);
        let v = f.square(&u);
        let w = f.mul(&u, &v);
        let s = f.mul(&self.x, &v);
        let m = if f.constants.a_is_zero {
            f.square(&self.x)
        } else {
            let less = self.x.sum().minus(self.zz.sum()).carry(2, f);
            f.mul(&less, &self.x.sum().plus(self.zz.sum()).carry(0, f))
        };
        let m = m.sum().plus(m.sum().shift::<1>()).settle(0, f); // 3 x^2 + a zz^2
        let x = f.product(&m, &m).minus(s.sum().shift::<1>()).settle(4, f);
        let less = s.sum().minus(x.sum()).carry(f.constants.bound, f);
        let y = f.product(&m, &less).minus(f.product(&w, &self.y));
        Extended {
            x,
            y: y.settle(2, f),
            zz: f.mul(&self.zz, &v),
            zzz: f.mul(&self.zzz, &w),
        }
    }

    /// Becomes `other` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn assign_if(&mut self, lanes: __mmask8, other: &Self) {
        self.x = self.x.blend(&other.x, lanes);
        self.y = self.y.blend(&other.y, lanes);
        self.zz = self.zz.blend(&other.zz, lanes);
        self.zzz = self.zzz.blend(&other.zzz, lanes);
    }
}

impl<const L: usize> Jacobian<L> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_affine(p: &Affine<L>, f: &Calls<L>) -> Self {
        Jacobian {
            x: p.x,
            y: p.y,
            z: f.one(),
        }
    }

    /// Becomes `2 self`: in place, as points this large are copied for every value returned.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn double<F: Prime<L>>(&mut self) {
        let (f, bound) = (Of::<F, L>::PRIME, Of::<F, L>::BOUND);
        let (x, y, z) = (&self.x, &self.y, &self.z);
        let yy = y.squared(f);
        let (m, yz) = if F::A_IS_ZERO {
            (x.squared(f), y.product(z, f).shift::<1>().carry(0, f))
        } else {
            let zz = z.square(f).sum();
            let less = x.sum().minus(zz).carry(2, f);
            let m = less.product(&x.sum().plus(zz).carry(0, f), f);
            // A square costs less than a product, where there is room for the sum's: 14p.
            let yz = if Of::<F, L>::FOLDS {
                y.product(z, f).shift::<1>().carry(0, f)
            } else {
                let sum = y.sum().plus(z.sum()).carry(0, f);
                sum.squared(f).minus(yy).minus(zz).carry(4, f)
            };
            (m, yz)
        };
        let m = m.plus(m.shift::<1>()).settle(0, f); // 3 x^2 + a z^4
        let yy = yy.shift::<1>().carry(0, f); // 2 y^2
        let s = x.mul(&yy, f).sum(); // 2 x y^2
        let z = yz;
        let x = m.squared(f).minus(s.shift::<2>()).settle(6, f);
        let y = m.product(&s.shift::<1>().minus(x.sum()).carry(bound, f), f);
        let y = y.minus(yy.squared(f).shift::<1>()).settle(4, f);
        (self.x, self.y, self.z) = (x, y, z);
    }

    /// Becomes `self + q`; gives the difference of their x over a common z: where it is 0 the sum
    /// is wrong.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add_affine<F: Prime<L>>(&mut self, q: &Affine<L>) -> Eight<L> {
        let (f, bound) = (Of::<F, L>::PRIME, Of::<F, L>::BOUND);
        let zz = self.z.square(f);
        let h = q.x.product(&zz, f).minus(self.x.sum()).carry(bound, f);
        let r = q.y.product(&zz.mul(&self.z, f), f).minus(self.y.sum());
        let r = r.carry(bound, f);
        let [x, y, ..] = sum(&h, &r, &self.x, &self.y, f);
        self.z = self.z.mul(&h, f);
        (self.x, self.y) = (x, y);
        h
    }

    /// Becomes `other` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn assign_if(&mut self, lanes: __mmask8, other: &Self) {
        self.x = self.x.blend(&other.x, lanes);
        self.y = self.y.blend(&other.y, lanes);
        self.z = self.z.blend(&other.z, lanes);
    }
}
