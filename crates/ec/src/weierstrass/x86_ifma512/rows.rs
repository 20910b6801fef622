//! The rows of the curves.

use super::{point, prime};
use crate::weierstrass::Curve;

/// The field of a curve, of its name, its numbers' words and limbs and the coefficient a that is
/// computed with.
macro_rules! field {
    ($module:ident: $curve:ident, $w:literal, $l:literal, $a:ident) => {
        impl prime::Prime<$l> for crate::weierstrass::$module::$curve {
            const P: &'static [u64] = &<Self as Curve<$w>>::P;
        }

        impl point::Form<$l> for crate::weierstrass::$module::$curve {
            const A: point::A = point::A::$a;
        }
    };
}

/// The operations of a curve: of its name, its numbers' words and limbs, the coefficient a that is
/// computed with, the width of the base point's windows, where it needs one the z of its twist in
/// hexadecimal, the limbs of a single multiplication, and the items that lanes are for.
macro_rules! row {
    (
        $module:ident: $curve:ident, $w:literal, $l:literal, $a:ident, $width:literal $(, $z:expr)?
        ; $m:literal; $base:literal, $point:literal, $check:literal
    ) => {
        field!($module: $curve, $w, $l, $a);

        pub(in super::super) mod $module {
            use super::super::super::{Check, $module::$curve};
            use super::super::{Fewest, Lanes, Table, batch, in_lanes, single};

            impl Lanes<$w, $l> for $curve {
                const WIDTH: usize = $width;
                $(const Z: Option<[u64; $w]> = Some(super::super::super::words::from_hex($z));)?

                const FEWEST: Fewest = Fewest { base: $base, point: $point, check: $check };

                fn lines() -> &'static Table {
                    static TABLE: Table = Table::new();
                    &TABLE
                }
            }

            #[target_feature(enable = "avx512f,avx512ifma")]
            pub(in super::super::super) fn mul_base(k: &[u64; $w]) -> [[u64; $w]; 2] {
                single::mul_base::<$curve, $w, $l>(k)
            }

            #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
            pub(in super::super::super) fn mul(
                k: &[u64; $w],
                point: &[[u64; $w]; 2],
            ) -> [[u64; $w]; 2] {
                single::mul::<$curve, $w, $l, $m>(k, point)
            }

            #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
            pub(in super::super::super) fn has_x_vartime(
                u1: &[u64; $w],
                u2: &[u64; $w],
                q: &[[u64; $w]; 2],
                r: &[u64; $w],
            ) -> bool {
                single::has_x_vartime::<$curve, $w, $l, $m>(u1, u2, q, r)
            }

            #[cfg_attr(not(feature = "lab"), inline)]
            #[target_feature(enable = "avx512f,avx512ifma")]
            pub(in super::super::super) fn mul_base_batch(
                ks: &[[u64; $w]],
                out: &mut [[[u64; $w]; 2]],
            ) {
                let lanes = in_lanes(ks.len(), <$curve as Lanes<$w, $l>>::FEWEST.base);
                let (ks, rest) = ks.split_at(lanes);
                let (out, after) = out.split_at_mut(lanes);
                batch::mul_base_batch::<$curve, $w, $l>(ks, out);
                for (k, product) in rest.iter().zip(&mut after[..rest.len()]) {
                    *product = mul_base(k);
                }
            }

            #[cfg_attr(not(feature = "lab"), inline)]
            #[target_feature(enable = "avx512f,avx512ifma,avx512vl")]
            pub(in super::super::super) fn mul_batch(
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
            pub(in super::super::super) fn has_x_batch_vartime(
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
        }
    };
}

row!(p224: P224, 4, 5, Minus3, 7; 5; 2, 3, 3);
row!(p256: P256, 4, 5, Minus3, 7; 6; 2, 2, 2);
row!(sm2p256v1: Sm2P256v1, 4, 5, Minus3, 7; 6; 2, 2, 2);
row!(p384: P384, 6, 8, Minus3, 7; 8; 3, 3, 3);
row!(p521: P521, 9, 11, Minus3, 6; 11; 3, 3, 3);
row!(secp256k1: Secp256k1, 4, 5, Zero, 7; 6; 2, 3, 3);

// The twists of RFC 5639, 3.
row!(
    brainpoolp256r1: BrainpoolP256r1, 4, 5, Minus3, 7,
    "3e2d4bd9 597b5863 9ae7aa66 9cab9837 cf5cf20a 2c852d10 f655668d fc150ef0";
    6; 3, 2, 2
);
row!(
    brainpoolp384r1: BrainpoolP384r1, 6, 8, Minus3, 7,
    "41dfe8dd 399331f7 166a6607 6734a89c d0d2bcdb 7d068e44 e1f378f4 1ecbae97 \
     d2d63dbc 87bccddc cc5da39e 8589291c";
    8; 3, 3, 3
);
row!(
    brainpoolp512r1: BrainpoolP512r1, 8, 10, Minus3, 6,
    "12ee58e6 764838b6 9782136f 0f2d3ba0 6e276957 16054092 e60a80be db212b64 \
     e585d90b ce13761f 85c3f1d2 a64e3be8 fea2220f 01eba5ee b0f35dbd 29d922ab";
    10; 4, 3, 3
);

field!(p256: P256, 4, 6, Minus3);
field!(sm2p256v1: Sm2P256v1, 4, 6, Minus3);
field!(secp256k1: Secp256k1, 4, 6, Zero);
field!(brainpoolp256r1: BrainpoolP256r1, 4, 6, Minus3);
