//! Points of edwards25519 side by side: the formulas of the scalar
//! [`edwards`](super::super::edwards), which says where they are from.
//!
//! Coordinates are sums: whoever multiplies with them carries them. Y and Z of a `Point` hold a
//! `P24` more, so that X can be subtracted from Y, and a product from 2Z.

/// See the module.
macro_rules! point {
    ($(#[$attribute:meta])*) => {
        use super::field::{Factor, Mask, NONE, P24, P48, Sum};

        /// X:Y:Z:T, x = X/Z, y = Y/Z, xy = T/Z.
        #[derive(Clone, Copy)]
        pub(super) struct Point {
            pub(super) x: Sum,
            pub(super) y: Sum,
            pub(super) z: Sum,
            pub(super) t: Sum,
        }

        /// y+x, y-x, 2dxy: the right side of a sum, for an affine point.
        #[derive(Clone, Copy)]
        pub(super) struct Niels {
            pub(super) y_plus_x: Factor,
            pub(super) y_minus_x: Factor,
            pub(super) xy2d: Factor,
        }

        impl Point {
            /// The neutral point, (0, 1).
            #[inline]
            $(#[$attribute])*
            pub(super) fn neutral() -> Point {
                let one = Sum::constant(&P24).plus(&Sum::one());
                let zero = Sum::constant(&NONE);
                Point {
                    x: zero,
                    y: one,
                    z: one,
                    t: zero,
                }
            }

            /// Becomes the sum or double with these E, F, G, H: X = E F, Y = G H, Z = F G, T = E H.
            #[inline(never)]
            $(#[$attribute])*
            fn complete(&mut self, [e, f, g, h]: &[Factor; 4]) {
                self.t = e.mul(h, NONE);
                self.x = e.mul(f, NONE);
                self.y = g.mul(h, P24);
                self.z = f.mul(g, P24);
            }

            /// E, F, G, H of `2 self`.
            #[inline]
            $(#[$attribute])*
            fn double(&self) -> [Factor; 4] {
                let xx = self.x.carry().square(NONE);
                let yy = self.y.carry().square(P24);
                let s = self.x.plus(&self.y).carry().square(P48);
                let zz = self.z.carry().square(P24);
                // E = 2xy, H = xx + yy, G = yy - xx, F = 2zz - G
                let h = xx.plus(&yy);
                let e = s.minus(&h);
                let g = yy.minus(&xx);
                let f = zz.plus(&zz).plus(&xx).minus(&yy);
                [e.carry(), f.carry(), g.carry(), h.carry()]
            }

            /// Becomes `2^n self`; n is not 0. T is computed in the last step alone.
            #[inline(never)]
            $(#[$attribute])*
            pub(super) fn double_times(&mut self, n: u32) {
                for _ in 1..n {
                    let [e, f, g, h] = self.double();
                    self.y = g.mul(&h, P24);
                    self.x = e.mul(&f, NONE);
                    self.z = f.mul(&g, P24);
                }
                self.complete(&self.double());
            }

            /// E, F, G, H: `negative` are the lanes in which `other` is to be subtracted; then its
            /// first two coordinates change places, and what the last one is added to and subtracted from.
            #[inline(never)]
            $(#[$attribute])*
            fn sum(&self, other: &Niels, d: &Sum, negative: Mask) -> [Factor; 4] {
                let plus = other.y_plus_x.blend(negative, &other.y_minus_x);
                let minus = other.y_minus_x.blend(negative, &other.y_plus_x);
                let a = self.y.minus(&self.x).carry().mul(&minus, NONE);
                let b = self.y.plus(&self.x).carry().mul(&plus, P24);
                let c = self.t.carry().mul(&other.xy2d, NONE);
                let (more, less) = (d.plus(&c), d.minus(&c));
                let (f, g) = (less.blend(negative, &more), more.blend(negative, &less));
                let (e, h) = (b.minus(&a), b.plus(&a));
                [e.carry(), f.carry(), g.carry(), h.carry()]
            }

            /// Becomes `self + other`, or `self - other` in the lanes of the mask, where `d` is twice the
            /// product of both Z.
            #[inline]
            $(#[$attribute])*
            pub(super) fn add_with(&mut self, other: &Niels, d: &Sum, negative: Mask) {
                self.complete(&self.sum(other, d, negative));
            }

            /// Becomes `self + other`, or `self - other` in the lanes of the mask.
            #[inline(never)]
            $(#[$attribute])*
            pub(super) fn add_niels(&mut self, other: &Niels, negative: Mask) {
                self.add_with(other, &self.z.plus(&self.z), negative);
            }
        }
    };
}
pub(in crate::curve25519) use point;
