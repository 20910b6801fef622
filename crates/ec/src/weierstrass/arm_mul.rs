//! Multiplications in assembly for fields. All of those of four words here is in registers, so that where it
//! is inlined nothing goes through memory.

#![allow(unsafe_code)] // assembly

/// The product of the words from `{a0}` on with as many at `{b}`, in the words from `{t0}` on.
#[rustfmt::skip] // an instruction or a row a line
macro_rules! product {
    (4) => {
        concat!(
            "ldp {u}, {v}, [{b}]\n",
            arm_long_row!(new "{u}"; "{a0}" "{a1}" "{a2}", "{a3}";
                "{t0}" "{t1}" "{t2}" "{t3}", "{t4}"),
            arm_long_row!("{v}"; "{a0}" "{a1}" "{a2}", "{a3}";
                "{t1}" "{t2}" "{t3}" "{t4}", "{t5}"),
            "ldp {u}, {v}, [{b}, #16]\n",
            arm_long_row!("{u}"; "{a0}" "{a1}" "{a2}", "{a3}";
                "{t2}" "{t3}" "{t4}" "{t5}", "{t6}"),
            arm_long_row!("{v}"; "{a0}" "{a1}" "{a2}", "{a3}";
                "{t3}" "{t4}" "{t5}" "{t6}", "{t7}"),
        )
    };
    (5) => {
        concat!(
            "ldp {u}, {v}, [{b}]\n",
            arm_long_row!(new "{u}"; "{a0}" "{a1}" "{a2}" "{a3}", "{a4}";
                "{t0}" "{t1}" "{t2}" "{t3}" "{t4}", "{t5}"),
            arm_long_row!("{v}"; "{a0}" "{a1}" "{a2}" "{a3}", "{a4}";
                "{t1}" "{t2}" "{t3}" "{t4}" "{t5}", "{t6}"),
            "ldp {u}, {v}, [{b}, #16]\n",
            arm_long_row!("{u}"; "{a0}" "{a1}" "{a2}" "{a3}", "{a4}";
                "{t2}" "{t3}" "{t4}" "{t5}" "{t6}", "{t7}"),
            arm_long_row!("{v}"; "{a0}" "{a1}" "{a2}" "{a3}", "{a4}";
                "{t3}" "{t4}" "{t5}" "{t6}" "{t7}", "{t8}"),
            "ldr {u}, [{b}, #32]\n",
            arm_long_row!("{u}"; "{a0}" "{a1}" "{a2}" "{a3}", "{a4}";
                "{t4}" "{t5}" "{t6}" "{t7}" "{t8}", "{t9}"),
        )
    };
    (6) => {
        concat!(
            "ldp {u}, {v}, [{b}]\n",
            arm_long_row!(new "{u}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}";
                "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}", "{t6}"),
            arm_long_row!("{v}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}";
                "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}", "{t7}"),
            "ldp {u}, {v}, [{b}, #16]\n",
            arm_long_row!("{u}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}";
                "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}", "{t8}"),
            arm_long_row!("{v}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}";
                "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}", "{t9}"),
            "ldp {u}, {v}, [{b}, #32]\n",
            arm_long_row!("{u}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}";
                "{t4}" "{t5}" "{t6}" "{t7}" "{t8}" "{t9}", "{t10}"),
            arm_long_row!("{v}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}";
                "{t5}" "{t6}" "{t7}" "{t8}" "{t9}" "{t10}", "{t11}"),
        )
    };
}

/// The square of the words from `{a0}` on, in those from `{t0}` on: each product of two different words
/// once, doubled, and the squares of the words.
#[rustfmt::skip] // an instruction or a row a line
macro_rules! square {
    (4) => { arm_square!() };
    (5) => {
        concat!(
            arm_long_row!(new "{a0}"; "{a1}" "{a2}" "{a3}", "{a4}";
                "{t1}" "{t2}" "{t3}" "{t4}", "{t5}"),
            arm_long_row!("{a1}"; "{a2}" "{a3}", "{a4}"; "{t3}" "{t4}" "{t5}", "{t6}"),
            arm_long_row!("{a2}"; "{a3}", "{a4}"; "{t5}" "{t6}", "{t7}"),
            arm_long_row!("{a3}"; , "{a4}"; "{t7}", "{t8}"),
            arm_double!("{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}", "{t9}"),
            arm_squares!("{a0}", "{t0}" "{t1}"; "{a1}" "{t2}" "{t3}", "{a2}" "{t4}" "{t5}",
                "{a3}" "{t6}" "{t7}", "{a4}" "{t8}" "{t9}"),
        )
    };
    (6) => {
        concat!(
            arm_long_row!(new "{a0}"; "{a1}" "{a2}" "{a3}" "{a4}", "{a5}";
                "{t1}" "{t2}" "{t3}" "{t4}" "{t5}", "{t6}"),
            arm_long_row!("{a1}"; "{a2}" "{a3}" "{a4}", "{a5}";
                "{t3}" "{t4}" "{t5}" "{t6}", "{t7}"),
            arm_long_row!("{a2}"; "{a3}" "{a4}", "{a5}"; "{t5}" "{t6}" "{t7}", "{t8}"),
            arm_long_row!("{a3}"; "{a4}", "{a5}"; "{t7}" "{t8}", "{t9}"),
            arm_long_row!("{a4}"; , "{a5}"; "{t9}", "{t10}"),
            arm_double!(
                "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}" "{t9}"
                "{t10}", "{t11}"
            ),
            arm_squares!("{a0}", "{t0}" "{t1}"; "{a1}" "{t2}" "{t3}", "{a2}" "{t4}" "{t5}",
                "{a3}" "{t6}" "{t7}", "{a4}" "{t8}" "{t9}", "{a5}" "{t10}" "{t11}"),
        )
    };
}

/// Two words of the product of different words are doubled, of which `$below` is the word below them, and
/// the square of `$a` is added with the carry; then they are in memory, and `$a` is overwritten.
#[rustfmt::skip] // an instruction a line
macro_rules! low_square {
    ($a:literal, $below:literal $t0:literal $t1:literal, $at:literal) => {
        concat!(
            "extr {x}, ", $t0, ", ", $below, ", #63\n",
            "mul {w}, ", $a, ", ", $a, "\n",
            "extr {y}, ", $t1, ", ", $t0, ", #63\n",
            "umulh ", $a, ", ", $a, ", ", $a, "\n",
            "adcs {w}, {w}, {x}\n",
            "adcs ", $a, ", ", $a, ", {y}\n",
            "stp {w}, ", $a, ", [{low}, ", $at, "]\n",
        )
    };
}

/// The same for the four lowest words and `{a0}` and `{a1}`, from the two in memory that are not 0 and
/// the one above.
#[rustfmt::skip] // an instruction a line
macro_rules! first_squares {
    ($t3:literal) => {
        concat!(
            "ldp {x}, {y}, [{low}]\n",
            "mul {w}, {a0}, {a0}\n",
            "umulh {a0}, {a0}, {a0}\n",
            "adds {a0}, {a0}, {x}, lsl #1\n",
            "stp {w}, {a0}, [{low}]\n",
            "extr {x}, {y}, {x}, #63\n",
            "mul {w}, {a1}, {a1}\n",
            "extr {y}, ", $t3, ", {y}, #63\n",
            "umulh {a1}, {a1}, {a1}\n",
            "adcs {w}, {w}, {x}\n",
            "adcs {a1}, {a1}, {y}\n",
            "stp {w}, {a1}, [{low}, #16]\n",
        )
    };
}

pub(crate) mod any;
#[macro_use]
mod umull;
pub(crate) mod p384;
pub(crate) mod p521;

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

/// The text on the words of `a` and these operands, and vectors.
macro_rules! operation {
    ([$($text:tt)*] $a:ident $($operand:ident = $value:expr),* $(; $($vector:ident)*)?) => {{
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
                $($($vector = out(vreg) _,)*)?
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

            /// [`multiply`] for cores that multiply 64 bits slowly.
            #[inline(always)]
            pub(crate) fn umull_multiply(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
                operation!(
                    [umull_product!(), $reduction!($($way)*)]
                    a b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3] $(, $operand = $value)*;
                    av bv cv al ah mask t u l0 l1 l2 l3 h0 h1 h2 h3
                )
            }

            /// [`square`] for the same.
            #[inline(always)]
            pub(crate) fn umull_square(a: &[u64; 4]) -> [u64; 4] {
                operation!(
                    [umull_square!(), $reduction!($($way)*)] a $($operand = $value),*;
                    av bv al ah bl bh mask t u l0 l1 h0 h1
                )
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

/// The implementation of a curve over these multiplications, of four words inlined in doublings.
macro_rules! implementation {
    (any, $curve:ident, $w:tt) => {
        use crate::weierstrass::arm_mul::any;
        use crate::weierstrass::curve::Derived;

        /// `a * b`.
        #[inline(always)]
        fn multiply(a: &[u64; $w], b: &[u64; $w]) -> [u64; $w] {
            any::multiply($curve::FIELD, a, b)
        }

        /// `a^2`.
        #[inline(always)]
        fn square(a: &[u64; $w]) -> [u64; $w] {
            any::square($curve::FIELD, a)
        }

        crate::weierstrass::rows::implementation!($curve, $w, multiply, square);
    };
    ($field:ident, $curve:ident, umull) => {
        use crate::weierstrass::arm_mul::$field::{
            umull_multiply as multiply, umull_square as square,
        };
        crate::weierstrass::rows::implementation!($curve, 4, multiply, square);
    };
    ($field:ident, $curve:ident, 4) => {
        use crate::weierstrass::arm_mul::$field::{multiply, square};
        crate::weierstrass::rows::implementation!(
            $curve, 4, multiply, square; multiply, square
        );
    };
    ($field:ident, $curve:ident, $w:tt) => {
        use crate::weierstrass::arm_mul::$field::{multiply, square};
        crate::weierstrass::rows::implementation!($curve, $w, multiply, square);
    };
}
pub(crate) use implementation;

#[cfg(test)]
mod tests {
    /// Numbers whose halves of words are at their bounds.
    fn numbers() -> Vec<[u64; 4]> {
        let words = [
            0,
            1,
            u32::MAX.into(),
            1 << 32,
            u64::MAX << 32,
            u64::MAX - 1,
            u64::MAX,
        ];
        let mut rng = adamant_testkit::TestRng::new(4);
        let mut all: Vec<[u64; 4]> = (0..30).map(|_| rng.words()).collect();
        for word in words {
            all.push([word; 4]);
            for i in 0..4 {
                all.push(core::array::from_fn(|k| if k == i { word } else { !word }));
                all.push(core::array::from_fn(|k| if k == i { word } else { 0 }));
            }
        }
        all
    }

    #[test]
    fn halves_of_words() {
        use super::{p256, secp256k1, sm2p256v1};
        let all = numbers();
        for a in &all {
            assert_eq!(p256::umull_square(a), p256::square(a), "{a:x?}");
            assert_eq!(sm2p256v1::umull_square(a), sm2p256v1::square(a), "{a:x?}");
            assert_eq!(secp256k1::umull_square(a), secp256k1::square(a), "{a:x?}");
            for b in &all {
                let (found, expected) = (p256::umull_multiply(a, b), p256::multiply(a, b));
                assert_eq!(found, expected, "{a:x?} {b:x?}");
            }
        }
    }
}
