//! Eight points side by side.
//!
//! Formulas: Bernstein and Lange, Explicit-Formulas Database: `dbl-2001-b` and `dbl-2009-l` in
//! Jacobian coordinates, `dbl-2008-s-1`, `madd-2008-s` and `add-2008-s` in extended ones (of the curves with
//! xyzz coordinates), the additions of Meloni (2007) for points that share their z.
//!
//! Coordinates x and y are below [`Of::BOUND`] p between calls, z below 4p, or 6p where nothing folds,
//! products and what is
//! made of them alone below 2p; the comments count multiples of p where it is close.

use super::field::Eight;
use super::prime::{Of, Prime};
use core::arch::x86_64::__mmask8;

/// The coefficient a of y^2 = x^3 + a x + b.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum A {
    /// 0.
    Zero,
    /// -3.
    Minus3,
}

/// A field with what the formulas know of the curve.
pub(in super::super) trait Form<const L: usize>: Prime<L> {
    /// The coefficient of the curve that is computed on.
    const A: A;
}

/// The points (x, y).
#[derive(Clone, Copy)]
pub(super) struct Affine<F, const L: usize> {
    pub(super) x: Eight<F, L>,
    pub(super) y: Eight<F, L>,
}

/// The points (x / z^2, y / z^3).
#[derive(Clone, Copy)]
pub(super) struct Jacobian<F, const L: usize> {
    pub(super) x: Eight<F, L>,
    pub(super) y: Eight<F, L>,
    pub(super) z: Eight<F, L>,
}

/// The points (x / zz, y / zzz) with zz^3 = zzz^2.
#[derive(Clone, Copy)]
pub(super) struct Extended<F, const L: usize> {
    pub(super) x: Eight<F, L>,
    pub(super) y: Eight<F, L>,
    pub(super) zz: Eight<F, L>,
    pub(super) zzz: Eight<F, L>,
}

/// x and y of a sum, from what all formulas for it share: `h` and `r`, the differences of the
/// coordinates over a common z, and `u` and `s`, the coordinates of one of the points. With it come
/// h^2 and h^3.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn sum<F: Form<L>, const L: usize>(
    h: &Eight<F, L>,
    r: &Eight<F, L>,
    u: &Eight<F, L>,
    s: &Eight<F, L>,
) -> [Eight<F, L>; 4] {
    let bound = Of::<F, L>::BOUND;
    let hh = h.square();
    let hhh = h.mul(&hh);
    let v = u.mul(&hh);
    let x = r.squared().minus(hhh.sum()).minus(v.sum().shift::<1>());
    let x = x.settle(6);
    let y = r.product(&v.sum().minus(x.sum()).carry(bound));
    let y = y.minus(s.product(&hhh)).settle(2);
    [x, y, hh, hhh]
}

impl<F: Form<L>, const L: usize> Affine<F, L> {
    /// `-self` in the lanes of the mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn negate_if(&self, lanes: __mmask8) -> Self {
        Affine {
            x: self.x,
            y: self.y.negate_if(lanes),
        }
    }

    /// Takes a point (x / z^2, y / z^3) by the inverse of its z to the point itself.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn scale(&mut self, inverse: &Eight<F, L>) {
        let square = inverse.square_once();
        self.x = self.x.mul_once(&square);
        self.y = self.y.mul_once(&square.mul_once(inverse));
    }

    /// The slope of the tangent times 2y.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn tangent(&self) -> Eight<F, L> {
        let m = match F::A {
            A::Zero => self.x.product_once(&self.x),
            A::Minus3 => {
                let one = Eight::<F, L>::one().sum();
                let less = self.x.sum().minus(one).carry(1);
                less.product_once(&self.x.sum().plus(one).carry(0))
            }
        };
        m.plus(m.shift::<1>()).settle(0)
    }

    /// `self` and `2 self`, x and y of each over the z that they share, and that.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn double(&self) -> ([Eight<F, L>; 2], Jacobian<F, L>) {
        let bound = Of::<F, L>::BOUND;
        let z = self.y.sum().shift::<1>().carry(0);
        let zz = z.square_once();
        let s = self.x.mul_once(&zz); // 4 x y^2
        let m = self.tangent();
        let x = m.product_once(&m).minus(s.sum().shift::<1>()).settle(4);
        let y = m.product_once(&s.sum().minus(x.sum()).carry(bound));
        let t = zz.mul_once(&z).mul_once(&self.y); // 8 y^4
        let y = y.minus(t.sum()).settle(2);
        ([s, t], Jacobian { x, y, z })
    }
}

impl<F: Form<L>, const L: usize> Extended<F, L> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_affine(p: &Affine<F, L>) -> Self {
        let one = Eight::one();
        Extended {
            x: p.x,
            y: p.y,
            zz: one,
            zzz: one,
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_jacobian(p: &Jacobian<F, L>) -> Self {
        let zz = p.z.square_once();
        Extended {
            x: p.x,
            y: p.y,
            zz,
            zzz: zz.mul_once(&p.z),
        }
    }

    /// Becomes `self + q`; gives the difference of their x over a common z: where it is 0 the sum
    /// is wrong.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add_affine(&mut self, q: &Affine<F, L>) -> Eight<F, L> {
        let bound = Of::<F, L>::BOUND;
        let h = q.x.product(&self.zz).minus(self.x.sum()).carry(bound);
        let r = q.y.product(&self.zzz).minus(self.y.sum()).carry(bound);
        let [x, y, hh, hhh] = sum(&h, &r, &self.x, &self.y);
        (self.x, self.y) = (x, y);
        self.zz = self.zz.mul(&hh);
        self.zzz = self.zzz.mul(&hhh);
        h
    }

    /// Becomes `self + q`; gives the difference of their x over a common z: where it is 0 the sum
    /// is wrong.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add(&mut self, q: &Self) -> Eight<F, L> {
        let u = self.x.mul_once(&q.zz);
        let s = self.y.mul_once(&q.zzz);
        let h = q.x.product_once(&self.zz).minus(u.sum()).carry(2);
        let r = q.y.product_once(&self.zzz).minus(s.sum()).carry(2);
        let [x, y, hh, hhh] = sum(&h, &r, &u, &s);
        (self.x, self.y) = (x, y);
        self.zz = self.zz.mul_once(&q.zz).mul_once(&hh);
        self.zzz = self.zzz.mul_once(&q.zzz).mul_once(&hhh);
        h
    }

    /// `2 self`, by formulas that are there for few points: `dbl-2008-s-1`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn double(&self) -> Self {
        let bound = Of::<F, L>::BOUND;
        let u = self.y.sum().shift::<1>().carry(0);
        let v = u.square_once();
        let w = u.mul_once(&v);
        let s = self.x.mul_once(&v);
        let m = match F::A {
            A::Zero => self.x.square_once(),
            A::Minus3 => {
                let less = self.x.sum().minus(self.zz.sum()).carry(2);
                less.mul_once(&self.x.sum().plus(self.zz.sum()).carry(0))
            }
        };
        let m = m.sum().plus(m.sum().shift::<1>()).settle(0); // 3 x^2 + a zz^2
        let x = m.square_once().sum().minus(s.sum().shift::<1>()).settle(4);
        let y = m.mul_once(&s.sum().minus(x.sum()).carry(bound));
        let y = y.sum().minus(w.mul_once(&self.y).sum()).settle(2);
        Extended {
            x,
            y,
            zz: self.zz.mul_once(&v),
            zzz: self.zzz.mul_once(&w),
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

impl<F: Form<L>, const L: usize> Jacobian<F, L> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn from_affine(p: &Affine<F, L>) -> Self {
        Jacobian {
            x: p.x,
            y: p.y,
            z: Eight::one(),
        }
    }

    /// Becomes `2 self`: in place, as points this large are copied for every value returned.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn double(&mut self) {
        let bound = Of::<F, L>::BOUND;
        let (x, y, z) = (&self.x, &self.y, &self.z);
        let yy = y.squared();
        let (m, yz) = match F::A {
            A::Zero => (x.squared(), y.product(z).shift::<1>().carry(0)),
            A::Minus3 => {
                let zz = z.square().sum();
                let less = x.sum().minus(zz).carry(2);
                let m = less.product(&x.sum().plus(zz).carry(0));
                // A square costs less than a product, where there is room for the sum's: 14p.
                let yz = if Of::<F, L>::FOLDS {
                    y.product(z).shift::<1>().carry(0)
                } else {
                    let sum = y.sum().plus(z.sum()).carry(0);
                    sum.squared().minus(yy).minus(zz).carry(4)
                };
                (m, yz)
            }
        };
        let m = m.plus(m.shift::<1>()).settle(0); // 3 x^2 + a z^4
        let yy = yy.shift::<1>().carry(0); // 2 y^2
        let s = x.mul(&yy).sum(); // 2 x y^2
        let z = yz;
        let x = m.squared().minus(s.shift::<2>()).settle(6);
        let y = m.product(&s.shift::<1>().minus(x.sum()).carry(bound));
        let y = y.minus(yy.squared().shift::<1>()).settle(4);
        (self.x, self.y, self.z) = (x, y, z);
    }

    /// Becomes `self + q`; gives the difference of their x over a common z: where it is 0 the sum
    /// is wrong.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn add_affine(&mut self, q: &Affine<F, L>) -> Eight<F, L> {
        let bound = Of::<F, L>::BOUND;
        let zz = self.z.square();
        let h = q.x.product(&zz).minus(self.x.sum()).carry(bound);
        let r = q.y.product(&zz.mul(&self.z)).minus(self.y.sum());
        let r = r.carry(bound);
        let [x, y, ..] = sum(&h, &r, &self.x, &self.y);
        self.z = self.z.mul(&h);
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
