//! Inverses of field elements side by side.

/// See the module.
macro_rules! inverse {
    ($(#[$attribute:meta])*) => {
        use super::convert::{join, split};
        use super::field::Factor;
        use super::LANES;
        use crate::curve25519::field::Fe;
        use crate::curve25519::fields::Field;

        /// Replaces each element by its inverse, with one inversion for all; none may be zero.
        /// `before` is a working space, at least as long.
        #[cfg_attr(feature = "lab", inline(never))]
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(super) fn invert(elements: &mut [Factor], before: &mut [Factor]) {
            let mut all = Factor::one();
            for (before, element) in before.iter_mut().zip(&*elements) {
                *before = all;
                all = all.times(element);
            }
            // The same across the lanes, with scalar arithmetic.
            let lanes = split(&all);
            let mut lanes_before = [Fe::ONE; LANES];
            for i in 1..LANES {
                lanes_before[i] = lanes_before[i - 1].mul(lanes[i - 1]);
            }
            let mut inverse = lanes_before[LANES - 1].mul(lanes[LANES - 1]).invert();
            let mut inverses = [Fe::ONE; LANES];
            for i in (0..LANES).rev() {
                inverses[i] = inverse.mul(lanes_before[i]);
                inverse = inverse.mul(lanes[i]);
            }
            let mut inverse = join(&inverses).carry();
            for (element, before) in elements.iter_mut().zip(&*before).rev() {
                let next = inverse.times(element);
                *element = inverse.times(before);
                inverse = next;
            }
        }
    };
}
pub(in crate::curve25519) use inverse;
