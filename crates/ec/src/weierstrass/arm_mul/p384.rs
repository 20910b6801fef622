//! The field of P-384: a product of six words by six, and Montgomery's reduction by two words at a time.

#![allow(unsafe_code)] // assembly

use core::arch::asm;

/// What clears the two lowest words: with x = 2^32, p is -1 + x - x^3 - x^4 + x^12, and for the words t
/// the multiple is m p with m = (1 + x + x^2) t mod x^4, as (1 + x + x^2) (1 - x + x^3) = 1 + x^5. So
/// x^12 m is added, in the place of t, and of (1 - x + x^3 + x^4) m what is above x^4 is taken away: what
/// is below is t.
#[rustfmt::skip] // an instruction a line
macro_rules! clear {
    ($t0:literal $t1:literal $t2:literal $t3:literal $t4:literal $t5:literal) => {
        concat!(
            "lsr {w}, ", $t0, ", #32\n",
            "add ", $t1, ", ", $t1, ", ", $t1, ", lsl #32\n",
            "add ", $t1, ", ", $t1, ", ", $t0, "\n",
            "adds ", $t0, ", ", $t0, ", ", $t0, ", lsl #32\n",
            "adc ", $t1, ", ", $t1, ", {w}\n",
            "extr {w}, ", $t1, ", ", $t0, ", #32\n",
            "lsr {x}, ", $t1, ", #32\n",
            // (1 - x + x^4) m from its second word on, then x^3 m.
            "cmp ", $t0, ", ", $t0, ", lsl #32\n",
            "sbcs {y}, ", $t1, ", {w}\n",
            "sbcs {z}, ", $t0, ", {x}\n",
            "sbcs {u}, ", $t1, ", xzr\n",
            "sbc {v}, xzr, xzr\n",
            "cmn {y}, ", $t0, ", lsl #32\n",
            "adcs {z}, {z}, {w}\n",
            "adcs {u}, {u}, {x}\n",
            "adc {v}, {v}, xzr\n",
            "subs ", $t2, ", ", $t2, ", {z}\n",
            "sbcs ", $t3, ", ", $t3, ", {u}\n",
            "sbcs ", $t4, ", ", $t4, ", {v}\n",
            "sbcs ", $t5, ", ", $t5, ", xzr\n",
            "sbcs ", $t0, ", ", $t0, ", xzr\n",
            "sbc ", $t1, ", ", $t1, ", xzr\n",
        )
    };
}

/// `t / 2^384` mod p for the product t in `{t0}` to `{t11}`, in `{t0}` to `{t5}`. What is left of the
/// lower half is at most p + 1, then at most p.
#[rustfmt::skip] // an instruction a line
macro_rules! reduction {
    () => {
        concat!(
            clear!("{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}"),
            clear!("{t2}" "{t3}" "{t4}" "{t5}" "{t0}" "{t1}"),
            clear!("{t4}" "{t5}" "{t0}" "{t1}" "{t2}" "{t3}"),
            "mov {x}, #0xffffffff\n", // p, with three words of ones above.
            "mov {y}, #0xffffffff00000000\n",
            "mov {z}, #-2\n",
            "adds {t0}, {t0}, {t6}\n",
            "adcs {t1}, {t1}, {t7}\n",
            "adcs {t2}, {t2}, {t8}\n",
            "adcs {t3}, {t3}, {t9}\n",
            "adcs {t4}, {t4}, {t10}\n",
            "adcs {t5}, {t5}, {t11}\n",
            "adc {w}, xzr, xzr\n",
            "subs {t6}, {t0}, {x}\n",
            "sbcs {t7}, {t1}, {y}\n",
            "sbcs {t8}, {t2}, {z}\n",
            "adcs {t9}, {t3}, xzr\n", // Less 2^64 - 1 and a borrow is what the carry adds.
            "adcs {t10}, {t4}, xzr\n",
            "adcs {t11}, {t5}, xzr\n",
            "sbcs xzr, {w}, xzr\n",
            "csel {t0}, {t6}, {t0}, hs\n",
            "csel {t1}, {t7}, {t1}, hs\n",
            "csel {t2}, {t8}, {t2}, hs\n",
            "csel {t3}, {t9}, {t3}, hs\n",
            "csel {t4}, {t10}, {t4}, hs\n",
            "csel {t5}, {t11}, {t5}, hs\n",
        )
    };
}

/// The text on the words of `a`, with more operands.
macro_rules! operation {
    ([$($text:tt)*] $a:ident, $($operands:tt)*) => {{
        let [t0, t1, t2, t3, t4, t5]: [u64; 6];
        // SAFETY: reads the words after `b`, if there is one, and writes registers alone.
        unsafe {
            asm!(
                concat!($($text)*, reduction!()),
                a0 = in(reg) $a[0],
                a1 = in(reg) $a[1],
                a2 = in(reg) $a[2],
                a3 = in(reg) $a[3],
                a4 = in(reg) $a[4],
                a5 = in(reg) $a[5],
                t0 = out(reg) t0,
                t1 = out(reg) t1,
                t2 = out(reg) t2,
                t3 = out(reg) t3,
                t4 = out(reg) t4,
                t5 = out(reg) t5,
                t6 = out(reg) _,
                t7 = out(reg) _,
                t8 = out(reg) _,
                t9 = out(reg) _,
                t10 = out(reg) _,
                t11 = out(reg) _,
                w = out(reg) _,
                x = out(reg) _,
                y = out(reg) _,
                z = out(reg) _,
                u = out(reg) _,
                v = out(reg) _,
                $($operands)*
            );
        }
        [t0, t1, t2, t3, t4, t5]
    }};
}

/// `a * b`.
#[inline(always)]
pub(crate) fn multiply(a: &[u64; 6], b: &[u64; 6]) -> [u64; 6] {
    operation!([product!(6)] a, b = in(reg) b, options(pure, readonly, nostack),)
}

/// `a^2`.
#[inline(always)]
pub(crate) fn square(a: &[u64; 6]) -> [u64; 6] {
    operation!([square!(6)] a, options(pure, nomem, nostack),)
}
