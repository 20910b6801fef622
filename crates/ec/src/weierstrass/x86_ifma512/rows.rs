//! The rows of the curves.

/// The module of a row: of a curve, its words and limbs, the implementation of single
/// multiplications, the width of the base point's windows and, where it needs one, its twist.
macro_rules! row {
    (
        $module:ident: $curve:ident, $w:literal, $l:literal, $single:path;
        $a:ident, $width:literal $(, $z:expr)?
    ) => {
        pub(in super::super) mod $module {
            use super::super::{Lanes, batch, point, prime, table};
            use super::super::super::{Check, $module::$curve};
            use std::sync::OnceLock;
            use std::vec::Vec;
            use $single as single;

            pub(in super::super::super) use single::{has_x_vartime, mul, mul_base};

            impl prime::Prime<$l> for $curve {
                const P: &'static [u64] = &<$curve as super::super::super::Curve<$w>>::P;
            }

            impl point::Form<$l> for $curve {
                const A: point::A = point::A::$a;
            }

            impl Lanes<$w, $l> for $curve {
                const WIDTH: usize = $width;
                $(const Z: Option<[u64; $w]> = Some($z);)?

                fn table() -> &'static OnceLock<Vec<table::Line>> {
                    static TABLE: OnceLock<Vec<table::Line>> = OnceLock::new();
                    &TABLE
                }

                fn has_x_vartime(
                    u1: &[u64; $w],
                    u2: &[u64; $w],
                    q: &[[u64; $w]; 2],
                    r: &[u64; $w],
                ) -> bool {
                    single::has_x_vartime(u1, u2, q, r)
                }
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

row!(p256: P256, 4, 5, super::super::super::p256; Minus3, 7);
row!(p384: P384, 6, 8, super::super::super::p384; Minus3, 7);
row!(p521: P521, 9, 11, super::super::super::p521; Minus3, 6);
row!(p224: P224, 4, 5, super::super::super::p224; Minus3, 7);
row!(secp256k1: Secp256k1, 4, 5, super::super::super::secp256k1; Zero, 7);
row!(sm2: Sm2, 4, 5, super::super::super::sm2; Minus3, 7);
row!(brainpool256: BrainpoolP256r1, 4, 5, super::super::super::brainpool256; Minus3, 7, [0xf655668dfc150ef0, 0xcf5cf20a2c852d10, 0x9ae7aa669cab9837, 0x3e2d4bd9597b5863]);
row!(brainpool384: BrainpoolP384r1, 6, 8, super::super::super::brainpool384; Minus3, 7, [0xcc5da39e8589291c, 0xd2d63dbc87bccddc, 0xe1f378f41ecbae97, 0xd0d2bcdb7d068e44, 0x166a66076734a89c, 0x41dfe8dd399331f7]);
row!(brainpool512: BrainpoolP512r1, 8, 10, super::super::super::brainpool512; Minus3, 6, [0xb0f35dbd29d922ab, 0xfea2220f01eba5ee, 0x85c3f1d2a64e3be8, 0xe585d90bce13761f, 0xe60a80bedb212b64, 0x6e27695716054092, 0x9782136f0f2d3ba0, 0x12ee58e6764838b6]);
