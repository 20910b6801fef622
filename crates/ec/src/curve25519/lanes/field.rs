//! Field elements side by side, in limbs of 26 and 25 bits, for vectors that multiply 32 bits by 32.

/// The columns of a product, each by `$column` from the limbs of all indices.
macro_rules! columns {
    ($column:ident $arguments:tt) => {
        Sum([
            $crate::curve25519::lanes::$column!($arguments 0: 0 1 2 3 4 5 6 7 8 9),
            $crate::curve25519::lanes::$column!($arguments 1: 0 1 2 3 4 5 6 7 8 9),
            $crate::curve25519::lanes::$column!($arguments 2: 0 1 2 3 4 5 6 7 8 9),
            $crate::curve25519::lanes::$column!($arguments 3: 0 1 2 3 4 5 6 7 8 9),
            $crate::curve25519::lanes::$column!($arguments 4: 0 1 2 3 4 5 6 7 8 9),
            $crate::curve25519::lanes::$column!($arguments 5: 0 1 2 3 4 5 6 7 8 9),
            $crate::curve25519::lanes::$column!($arguments 6: 0 1 2 3 4 5 6 7 8 9),
            $crate::curve25519::lanes::$column!($arguments 7: 0 1 2 3 4 5 6 7 8 9),
            $crate::curve25519::lanes::$column!($arguments 8: 0 1 2 3 4 5 6 7 8 9),
            $crate::curve25519::lanes::$column!($arguments 9: 0 1 2 3 4 5 6 7 8 9),
        ])
    };
}

/// A column of a product. Macros: loops of this size stay loops.
macro_rules! column {
    (($start:ident $a:ident $twice:ident $b:ident $folded:ident) $k:literal: $($i:literal)*) => {{
        let mut sum = set1($start[$k] as i64);
        $(
            let j = ($k + 10 - $i) % 10;
            let left = if $i % 2 == 1 && j % 2 == 1 { $twice[$i] } else { $a[$i] };
            let right = if $i > $k { $folded[j] } else { $b[j] };
            sum = add64(sum, mul32(left, right));
        )*
        sum
    }};
}

/// A column of a square.
macro_rules! column_of_square {
    (
        ($start:ident $a:ident $twice:ident $folded:ident $folded_twice:ident)
        $k:literal: $($i:literal)*
    ) => {{
        let mut sum = set1($start[$k] as i64);
        $(
            let (i, j): (usize, usize) = ($i, ($k + 10 - $i) % 10);
            if i <= j {
                let left = if i < j { $twice[i] } else { $a[i] };
                let right = match (i > $k, i % 2 == 1 && j % 2 == 1) {
                    (false, false) => $a[j],
                    (false, true) => $twice[j],
                    (true, false) => $folded[j],
                    (true, true) => $folded_twice[j],
                };
                sum = add64(sum, mul32(left, right));
            }
        )*
        sum
    }};
}

/// Carries out of a limb, the bits of which stay.
macro_rules! up {
    ($c:ident $masks:ident $i:literal) => {{
        let above = shift_right::<{ bits($i) as i32 }>($c[$i]);
        $c[$i] = and($c[$i], $masks[$i % 2]);
        above
    }};
}
pub(in crate::curve25519) use {column, column_of_square, columns, up};

/// Makes the types and functions over the registers of the module `vector` beside the one that asks.
macro_rules! field {
    ($(#[$attribute:meta])*) => {
        pub(super) use super::vector::Vector;
        use super::vector::{add64, and, mul32, set1, shift_left, shift_right};

        /// The limbs of an element.
        pub(super) type Limbs = [u64; 10];

        /// What products take.
        #[derive(Clone, Copy)]
        pub(super) struct Factor(pub(super) [Vector; 10]);

        /// What products and sums leave.
        #[derive(Clone, Copy)]
        pub(super) struct Sum(pub(super) [Vector; 10]);

        /// What the columns of a product start from.
        pub(super) type Start = Limbs;

        /// Zero.
        pub(super) const NONE: Start = [0; 10];
        /// A multiple of p of which two products can be subtracted.
        pub(super) const P24: Start = multiple(3 << 33);

        /// The bits of limb `i`.
        pub(super) const fn bits(i: usize) -> u32 {
            26 - (i as u32 & 1)
        }

        /// `factor * p`, each column a multiple of it.
        pub(super) const fn multiple(factor: u64) -> Start {
            let mut columns = [0; 10];
            let mut i = 0;
            while i < 10 {
                columns[i] = factor * ((1 << bits(i)) - if i == 0 { 19 } else { 1 });
                i += 1;
            }
            columns
        }

        /// The most that columns of one product are, those of even and of odd index.
        pub(super) const MOST: [u64; 2] = {
            let (even, odd) = ((1 << 26) + (1 << 14), (1 << 25) + (1 << 17));
            [
                even * even + 19 * (4 * even * even + 10 * odd * odd),
                2 * even * odd + 19 * 8 * even * odd,
            ]
        };

        // What differences rely on.
        const _: () = assert!(P24[0] > 2 * MOST[0] && P24[1] > 2 * MOST[1]);

        impl Factor {
            /// `self * other + start`.
            #[inline]
            $(#[$attribute])*
            pub(super) fn mul(&self, other: &Factor, start: Start) -> Sum {
                let (a, b) = (&self.0, &other.0);
                // Limbs of odd index count half a bit more than 2^25.5: products of two of them count twice.
                let twice: [Vector; 10] = core::array::from_fn(|i| add64(a[i], a[i]));
                let nineteen = set1(19);
                let folded: [Vector; 10] = core::array::from_fn(|j| mul32(b[j], nineteen));
                $crate::curve25519::lanes::columns!(column(start a twice b folded))
            }

            /// `self^2 + start`: products of two different limbs once, doubled, and the squares of the
            /// limbs.
            #[inline]
            $(#[$attribute])*
            pub(super) fn square(&self, start: Start) -> Sum {
                let a = &self.0;
                let twice: [Vector; 10] = core::array::from_fn(|i| add64(a[i], a[i]));
                let nineteen = set1(19);
                let folded: [Vector; 10] = core::array::from_fn(|j| mul32(a[j], nineteen));
                let folded_twice: [Vector; 10] =
                    core::array::from_fn(|j| add64(folded[j], folded[j]));
                $crate::curve25519::lanes::columns!(
                    column_of_square(start a twice folded folded_twice)
                )
            }

            /// `self * other`, as a factor.
            #[inline]
            $(#[$attribute])*
            pub(super) fn times(&self, other: &Factor) -> Factor {
                self.mul(other, NONE).carry()
            }

            /// `self^2`, as a factor.
            #[inline]
            $(#[$attribute])*
            pub(super) fn squared(&self) -> Factor {
                self.square(NONE).carry()
            }
        }

        impl Sum {
            /// Carries, in two chains side by side: from limb 0 to 5 and from 5 to 0, and one limb further.
            #[inline]
            $(#[$attribute])*
            pub(super) fn carry(&self) -> Factor {
                use $crate::curve25519::lanes::up;
                let mut c = self.0;
                let masks = [set1((1 << 26) - 1), set1((1 << 25) - 1)];
                c[1] = add64(c[1], up!(c masks 0));
                c[6] = add64(c[6], up!(c masks 5));
                c[2] = add64(c[2], up!(c masks 1));
                c[7] = add64(c[7], up!(c masks 6));
                c[3] = add64(c[3], up!(c masks 2));
                c[8] = add64(c[8], up!(c masks 7));
                c[4] = add64(c[4], up!(c masks 3));
                c[9] = add64(c[9], up!(c masks 8));
                c[5] = add64(c[5], up!(c masks 4));
                // Below 2^38: times 19 = 16 + 2 + 1.
                let above = up!(c masks 9);
                let more = add64(above, shift_left::<1>(above));
                c[0] = add64(c[0], shift_left::<4>(above));
                c[0] = add64(c[0], more);
                c[6] = add64(c[6], up!(c masks 5));
                c[1] = add64(c[1], up!(c masks 0));
                Factor(c)
            }
        }
    };
}
pub(in crate::curve25519) use field;
