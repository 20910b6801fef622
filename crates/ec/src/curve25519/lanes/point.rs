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

            /// Becomes `2^n self`; n is not 0. T is computed only in the last step.
            #[cfg_attr(feature = "lab", inline(never))]
            #[cfg_attr(not(feature = "lab"), inline)]
            $(#[$attribute])*
            pub(super) fn double_times(&mut self, n: u32) {
                for left in (0..n).rev() {
                    let [e, f, g, h] = self.double();
                    self.y = g.mul(&h, P24);
                    self.x = e.mul(&f, NONE);
                    self.z = f.mul(&g, P24);
                    if left == 0 {
                        self.t = e.mul(&h, NONE);
                    }
                }
            }

            /// Becomes `self + other`, or `self - other` in the lanes of the mask, where `twice_z`
            /// makes of Z twice the product of both.
            #[inline]
            $(#[$attribute])*
            pub(super) fn add_with(&mut self, other: &Niels, twice_z: impl FnOnce(&Sum) -> Sum, negative: Mask) {
                let plus = other.y_plus_x.blend(negative, &other.y_minus_x);
                let minus = other.y_minus_x.blend(negative, &other.y_plus_x);
                let a = self.y.minus(&self.x).carry().mul(&minus, NONE);
                let b = self.y.plus(&self.x).carry().mul(&plus, P24);
                let c = self.t.carry().mul(&other.xy2d, NONE);
                let d = twice_z(&self.z);
                let (more, less) = (d.plus(&c), d.minus(&c));
                let (f, g) = (less.blend(negative, &more), more.blend(negative, &less));
                let (e, h) = (b.minus(&a), b.plus(&a));
                let (e, f, g, h) = (e.carry(), f.carry(), g.carry(), h.carry());
                *self = Point {
                    x: e.mul(&f, NONE),
                    y: g.mul(&h, P24),
                    z: f.mul(&g, P24),
                    t: e.mul(&h, NONE),
                };
            }

            /// Becomes `self + other`, or `self - other` in the lanes of the mask.
            #[inline]
            $(#[$attribute])*
            pub(super) fn add_niels(&mut self, other: &Niels, negative: Mask) {
                self.add_with(other, |z| z.plus(z), negative);
            }
        }
    };
}
pub(in crate::curve25519) use point;
