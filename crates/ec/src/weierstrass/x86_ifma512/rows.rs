//! The rows of the curves.

/// The batches of a curve: of its name, its numbers' words and limbs, the coefficient a that is
/// computed with, the width of the base point's windows and, where it needs one, its twist.
macro_rules! row {
    ($module:ident: $curve:ident, $w:literal, $l:literal, $a:ident, $width:literal $(, $z:expr)?) => {
        pub(in super::super) mod $module {
            use super::super::super::{Check, Curve, $module::$curve};
            use super::super::{Lanes, Table, batch, point, prime, single};

            impl prime::Prime<$l> for $curve {
                const P: &'static [u64] = &<$curve as Curve<$w>>::P;
            }

            impl point::Form<$l> for $curve {
                const A: point::A = point::A::$a;
            }

            impl Lanes<$w, $l> for $curve {
                const WIDTH: usize = $width;
                $(const Z: Option<[u64; $w]> = Some($z);)?

                fn table() -> &'static Table {
                    static TABLE: Table = Table::new();
                    &TABLE
                }
            }

            #[target_feature(enable = "avx512f,avx512ifma")]
            pub(in super::super::super) fn mul_base(k: &[u64; $w]) -> [[u64; $w]; 2] {
                single::mul_base::<$curve, $w, $l>(k)
            }

            #[target_feature(enable = "avx512f,avx512ifma")]
            pub(in super::super::super) fn mul_base_batch(
                ks: &[[u64; $w]],
                out: &mut [[[u64; $w]; 2]],
            ) {
                batch::mul_base_batch::<$curve, $w, $l>(ks, out);
            }

            #[target_feature(enable = "avx512f,avx512ifma")]
            pub(in super::super::super) fn mul_batch(
                ks: &[[u64; $w]],
                points: &[[[u64; $w]; 2]],
                out: &mut [[[u64; $w]; 2]],
            ) {
                batch::mul_batch::<$curve, $w, $l>(ks, points, out);
            }

            #[target_feature(enable = "avx512f,avx512ifma")]
            pub(in super::super::super) fn has_x_batch_vartime(
                items: &[Check<$w>],
                out: &mut [bool],
            ) {
                batch::has_x_batch_vartime::<$curve, $w, $l>(items, out);
            }
        }
    };
}

row!(p256: P256, 4, 5, Minus3, 7);
row!(sm2p256v1: Sm2P256v1, 4, 5, Minus3, 7);
