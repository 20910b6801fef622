//! Multiplications in assembly for fields of four words. All is in registers, so that where it is inlined
//! nothing goes through memory.

#![allow(unsafe_code)] // assembly

use super::p256::P256;
use super::secp256k1::Secp256k1;
use super::sm2p256v1::Sm2P256v1;

/// `t / 2^256` mod p for the product t in `{t0}` to `{t7}`, in `{t0}` to `{t3}`: a word at a time is
/// cleared in the way of the curve, then p subtracted, or not, by selections. The lowest word of p is
/// 2^64 - 1; the others are `{p1}`, what this instruction takes away, and `{p3}`.
#[rustfmt::skip] // an instruction a line
macro_rules! montgomery {
    ($step:ident, $third:literal) => {
        concat!(
            $step!("{t0}" "{t1}" "{t2}" "{t3}"),
            $step!("{t1}" "{t2}" "{t3}" "{t0}"),
            $step!("{t2}" "{t3}" "{t0}" "{t1}"),
            $step!("{t3}" "{t0}" "{t1}" "{t2}"),
            "adds {t0}, {t0}, {t4}\n",
            "adcs {t1}, {t1}, {t5}\n",
            "adcs {t2}, {t2}, {t6}\n",
            "adcs {t3}, {t3}, {t7}\n",
            "adc {z}, xzr, xzr\n",
            "adds {t4}, {t0}, #1\n",
            "sbcs {t5}, {t1}, {p1}\n",
            $third, " {t6}, {t2}, xzr\n",
            "sbcs {t7}, {t3}, {p3}\n",
            choose!(),
        )
    };
}

/// `{t4}` to `{t7}`, which `{t0}` to `{t3}` less p are, where nothing was borrowed from the word above
/// them, `{z}`.
#[rustfmt::skip] // an instruction a line
macro_rules! choose {
    () => {
        concat!(
            "sbcs xzr, {z}, xzr\n",
            "csel {t0}, {t4}, {t0}, hs\n",
            "csel {t1}, {t5}, {t1}, hs\n",
            "csel {t2}, {t6}, {t2}, hs\n",
            "csel {t3}, {t7}, {t3}, hs\n",
        )
    };
}

/// For p of P-256: m = $t0, whose place the new top word takes, adds 2^96 m, and by 2^192 its product
/// with the top word of p, 2^64 - 2^32 + 1.
#[rustfmt::skip] // an instruction a line
macro_rules! p256 {
    ($t0:literal $t1:literal $t2:literal $t3:literal) => {
        concat!(
            "lsr {w}, ", $t0, ", #32\n",
            "subs {x}, ", $t0, ", ", $t0, ", lsl #32\n",
            "sbc {y}, ", $t0, ", {w}\n",
            "adds ", $t1, ", ", $t1, ", ", $t0, ", lsl #32\n",
            "adcs ", $t2, ", ", $t2, ", {w}\n",
            "adcs ", $t3, ", ", $t3, ", {x}\n",
            "adc ", $t0, ", {y}, xzr\n",
        )
    };
}

/// For p of SM2's curve: m = $t0, whose place the new top word takes, adds 2^256 m + 2^64 m, and takes
/// away 2^224 m + 2^96 m.
#[rustfmt::skip] // an instruction a line
macro_rules! sm2p256v1 {
    ($t0:literal $t1:literal $t2:literal $t3:literal) => {
        concat!(
            "lsl {w}, ", $t0, ", #32\n",
            "lsr {x}, ", $t0, ", #32\n",
            "adds ", $t1, ", ", $t1, ", ", $t0, "\n",
            "adcs ", $t2, ", ", $t2, ", xzr\n",
            "adcs ", $t3, ", ", $t3, ", xzr\n",
            "adc ", $t0, ", ", $t0, ", xzr\n", // Past 2^64 for a while.
            "subs ", $t1, ", ", $t1, ", {w}\n",
            "sbcs ", $t2, ", ", $t2, ", {x}\n",
            "sbcs ", $t3, ", ", $t3, ", {w}\n",
            "sbc ", $t0, ", ", $t0, ", {x}\n",
        )
    };
}

/// The product t in `{t0}` to `{t7}` modulo p of secp256k1, in `{t0}` to `{t3}`: 2^256 is `{c}`, twice,
/// and less p is `{c}` more, without the bit above.
#[rustfmt::skip] // an instruction a line
macro_rules! secp256k1 {
    () => {
        concat!(
            arm_row!("{t4}" "{t5}" "{t6}" "{t7}", "{c}", "{t0}" "{t1}" "{t2}" "{t3}" "{z}"),
            "mul {w}, {z}, {c}\n",
            "umulh {x}, {z}, {c}\n",
            "adds {t0}, {t0}, {w}\n",
            "adcs {t1}, {t1}, {x}\n",
            "adcs {t2}, {t2}, xzr\n",
            "adcs {t3}, {t3}, xzr\n",
            "adc {z}, xzr, xzr\n",
            "adds {t4}, {t0}, {c}\n",
            "adcs {t5}, {t1}, xzr\n",
            "adcs {t6}, {t2}, xzr\n",
            "adcs {t7}, {t3}, xzr\n",
            choose!(),
        )
    };
}

/// The text on the words of `a` and these operands.
macro_rules! operation {
    ([$($text:tt)*] $a:ident $($operand:ident = $value:expr),*) => {{
        let [t0, t1, t2, t3]: [u64; 4];
        // SAFETY: works in registers alone.
        unsafe {
            core::arch::asm!(
                concat!($($text)*),
                a0 = in(reg) $a[0],
                a1 = in(reg) $a[1],
                a2 = in(reg) $a[2],
                a3 = in(reg) $a[3],
                $($operand = in(reg) $value,)*
                t0 = out(reg) t0,
                t1 = out(reg) t1,
                t2 = out(reg) t2,
                t3 = out(reg) t3,
                t4 = out(reg) _,
                t5 = out(reg) _,
                t6 = out(reg) _,
                t7 = out(reg) _,
                w = out(reg) _,
                x = out(reg) _,
                y = out(reg) _,
                z = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        [t0, t1, t2, t3]
    }};
}

/// The fields of curves: their reduction, and what it takes.
macro_rules! fields {
    ($($curve:ident by $reduction:ident!($($way:tt)*) with $($operand:ident = $value:expr),*;)*) => { $(
        pub(crate) mod $curve {
            use crate::weierstrass::Curve;

            /// `a * b`.
            #[inline(always)]
            pub(crate) fn multiply(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
                operation!(
                    [arm_product!(), $reduction!($($way)*)]
                    a b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3] $(, $operand = $value)*
                )
            }

            /// `a^2`.
            #[inline(always)]
            pub(crate) fn square(a: &[u64; 4]) -> [u64; 4] {
                operation!([arm_square!(), $reduction!($($way)*)] a $($operand = $value),*)
            }
        }
    )* };
}

fields! {
    p256 by montgomery!(p256, "sbcs") with p1 = super::P256::P[1], p3 = super::P256::P[3];
    // Less 2^64 - 1 and a borrow is what the carry adds.
    sm2p256v1 by montgomery!(sm2p256v1, "adcs")
        with p1 = super::Sm2P256v1::P[1], p3 = super::Sm2P256v1::P[3];
    secp256k1 by secp256k1!() with c = super::Secp256k1::P[0].wrapping_neg();
}
