//! A curve's row.

/// The field of a curve, of its numbers' words and limbs.
macro_rules! field {
    ($curve:ident, $w:literal, $l:literal) => {
        impl prime::Prime<$l> for $curve {
            const P: &'static [u64] = &<Self as Curve<$w>>::P;
            const A_IS_ZERO: bool = <Self as Field<$w>>::A_IS_ZERO;
        }
    };
}
pub(in super::super) use field;

/// The operations of a curve: of its numbers' words and limbs, the limbs of a single multiplication
/// where it has others, and the items that lanes are for.
macro_rules! row {
    ($curve:ident, $w:literal, limbs: $l:literal, fewest: $($rest:tt)*) => {
        crate::weierstrass::x86_ifma512::row!(@of $curve, $w, $l, $l, $($rest)*);
    };
    ($curve:ident, $w:literal, limbs: $l:literal, single: $m:literal, fewest: $($rest:tt)*) => {
        crate::weierstrass::x86_ifma512::field!($curve, $w, $m);
        crate::weierstrass::x86_ifma512::row!(@of $curve, $w, $l, $m, $($rest)*);
    };
    (
        @of $curve:ident, $w:literal, $l:literal, $m:literal,
        [$base:literal, $point:literal, $check:literal]
    ) => {
        use super::$curve;
        use crate::weierstrass::field::Field;
        use crate::weierstrass::x86_ifma512::{
            Fewest, Lanes, Row, Table, batch, four, in_lanes, prime, single,
        };
        use crate::weierstrass::{Check, Curve};

        crate::weierstrass::x86_ifma512::field!($curve, $w, $l);

        impl Lanes<$w, $l> for $curve {
            const FEWEST: Fewest = Fewest {
                base: $base,
                point: $point,
                check: $check,
            };

            fn lines() -> &'static Table {
                static TABLE: Table = Table::new();
                &TABLE
            }
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn batches() {
                crate::weierstrass::x86_ifma512::tests::check_batches::<$curve, $w>();
            }

            #[test]
            fn field() {
                crate::weierstrass::x86_ifma512::tests::check_limbs::<$curve, $w, $l>();
            }
        }

        #[target_feature(enable = "avx512f,avx512ifma")]
        pub(super) fn mul_base(k: &[u64; $w]) -> [[u64; $w]; 2] {
            const { assert!(single::is_no_sum(&<$curve as Curve<$w>>::N, $l)) };
            single::mul_base(k, &Row::<$w, $l>::of::<$curve>())
        }

        #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
        pub(super) fn mul(
            k: &[u64; $w],
            point: &[[u64; $w]; 2],
        ) -> [[u64; $w]; 2] {
            let row = Row::<$w, $l>::of::<$curve>();
            single::mul(k, point, &row, &four::Steps::<$w, $m>::of::<$curve>())
        }

        #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
        pub(super) fn has_x_vartime(
            u1: &[u64; $w],
            u2: &[u64; $w],
            q: &[[u64; $w]; 2],
            r: &[u64; $w],
        ) -> bool {
            let row = Row::<$w, $l>::of::<$curve>();
            let steps = four::Steps::<$w, $m>::of::<$curve>();
            let found = single::has_x_vartime(u1, u2, q, r, &row, &steps);
            found.unwrap_or_else(|| {
                <$curve as Curve<$w>>::Group::portable().has_x_vartime(u1, u2, q, r)
            })
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = "avx512f,avx512ifma")]
        pub(super) fn mul_base_batch(
            ks: &[[u64; $w]],
            out: &mut [[[u64; $w]; 2]],
        ) {
            let lanes = in_lanes(ks.len(), <$curve as Lanes<$w, $l>>::FEWEST.base);
            let (ks, rest) = ks.split_at(lanes);
            let (out, after) = out.split_at_mut(lanes);
            batch::mul_base_batch(ks, out, &Row::<$w, $l>::of::<$curve>());
            for (k, product) in rest.iter().zip(&mut after[..rest.len()]) {
                *product = mul_base(k);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
        pub(super) fn mul_batch(
            ks: &[[u64; $w]],
            points: &[[[u64; $w]; 2]],
            out: &mut [[[u64; $w]; 2]],
        ) {
            let lanes = in_lanes(ks.len(), <$curve as Lanes<$w, $l>>::FEWEST.point);
            let (ks, rest) = ks.split_at(lanes);
            let (points, others) = points.split_at(lanes);
            let (out, after) = out.split_at_mut(lanes);
            batch::mul_batch::<$curve, $w, $l>(ks, points, out);
            let items = rest.iter().zip(&others[..rest.len()]);
            for ((k, point), product) in items.zip(&mut after[..rest.len()]) {
                *product = mul(k, point);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
        pub(super) fn has_x_batch_vartime(
            items: &[Check<$w>],
            out: &mut [bool],
        ) {
            let lanes = in_lanes(items.len(), <$curve as Lanes<$w, $l>>::FEWEST.check);
            let (items, rest) = items.split_at(lanes);
            let (out, after) = out.split_at_mut(lanes);
            batch::has_x_batch_vartime::<$curve, $w, $l>(items, out);
            for ((u1, u2, q, r), verdict) in rest.iter().zip(&mut after[..rest.len()]) {
                *verdict = has_x_vartime(u1, u2, q, r);
            }
        }
    };
}
pub(in super::super) use row;
