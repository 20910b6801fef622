//! The field of P-521: the product of nine words by nine, then the sum of its lower 521 bits and those
//! above.

#![allow(unsafe_code)] // assembly

use core::arch::asm;
use core::mem::MaybeUninit;

/// The lower eight words of a product, which the assembly keeps in memory.
type Low = MaybeUninit<[u64; 8]>;

/// The product modulo p, with its lower words in memory, in the registers of the others.
#[rustfmt::skip] // an instruction a line
macro_rules! reduction {
    (
        $t0:literal $t1:literal $t2:literal $t3:literal $t4:literal $t5:literal $t6:literal $t7:literal
        $t8:literal
    ) => {
        concat!(
            "and {w}, ", $t0, ", #511\n",
            "extr ", $t0, ", ", $t1, ", ", $t0, ", #9\n",
            "extr ", $t1, ", ", $t2, ", ", $t1, ", #9\n",
            "extr ", $t2, ", ", $t3, ", ", $t2, ", #9\n",
            "extr ", $t3, ", ", $t4, ", ", $t3, ", #9\n",
            "extr ", $t4, ", ", $t5, ", ", $t4, ", #9\n",
            "extr ", $t5, ", ", $t6, ", ", $t5, ", #9\n",
            "extr ", $t6, ", ", $t7, ", ", $t6, ", #9\n",
            "extr ", $t7, ", ", $t8, ", ", $t7, ", #9\n",
            "lsr ", $t8, ", ", $t8, ", #9\n",
            // One more than the sum has bit 521 set exactly if the sum is not below p.
            "cmp xzr, xzr\n", // Sets the carry.
            "ldp {x}, {y}, [{low}]\n",
            "adcs ", $t0, ", ", $t0, ", {x}\n",
            "adcs ", $t1, ", ", $t1, ", {y}\n",
            "ldp {x}, {y}, [{low}, #16]\n",
            "adcs ", $t2, ", ", $t2, ", {x}\n",
            "adcs ", $t3, ", ", $t3, ", {y}\n",
            "ldp {x}, {y}, [{low}, #32]\n",
            "adcs ", $t4, ", ", $t4, ", {x}\n",
            "adcs ", $t5, ", ", $t5, ", {y}\n",
            "ldp {x}, {y}, [{low}, #48]\n",
            "adcs ", $t6, ", ", $t6, ", {x}\n",
            "adcs ", $t7, ", ", $t7, ", {y}\n",
            "adc ", $t8, ", ", $t8, ", {w}\n",
            "cmp ", $t8, ", #512\n",
            "sbcs ", $t0, ", ", $t0, ", xzr\n",
            "sbcs ", $t1, ", ", $t1, ", xzr\n",
            "sbcs ", $t2, ", ", $t2, ", xzr\n",
            "sbcs ", $t3, ", ", $t3, ", xzr\n",
            "sbcs ", $t4, ", ", $t4, ", xzr\n",
            "sbcs ", $t5, ", ", $t5, ", xzr\n",
            "sbcs ", $t6, ", ", $t6, ", xzr\n",
            "sbcs ", $t7, ", ", $t7, ", xzr\n",
            "sbc ", $t8, ", ", $t8, ", xzr\n",
            "and ", $t8, ", ", $t8, ", #511\n",
        )
    };
}

/// A row of the product.
macro_rules! row {
    ($($new:ident)? $b:literal; $($t:literal)*, $top:literal) => {
        arm_long_row!(
            $($new)? $b;
            "{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}" "{a7}", "{a8}"; $($t)*, $top
        )
    };
}

/// `a * b`.
#[inline(always)]
pub(crate) fn multiply(a: &[u64; 9], b: &[u64; 9]) -> [u64; 9] {
    let mut low = Low::uninit();
    let [t0, t1, t2, t3, t4, t5, t6, t7, t8]: [u64; 9];
    // SAFETY: reads the nine words after `b`, and writes registers and the eight words of `low`.
    unsafe {
        asm!(
            concat!(
                "ldp {u}, {v}, [{b}]\n",
                row!(new "{u}"; "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}", "{t9}"),
                row!("{v}"; "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}" "{t9}", "{t10}"),
                "stp {t0}, {t1}, [{low}]\n",
                "ldp {u}, {v}, [{b}, #16]\n",
                row!("{u}"; "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}" "{t9}" "{t10}", "{t0}"),
                row!("{v}"; "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}" "{t9}" "{t10}" "{t0}", "{t1}"),
                "stp {t2}, {t3}, [{low}, #16]\n",
                "ldp {u}, {v}, [{b}, #32]\n",
                row!("{u}"; "{t4}" "{t5}" "{t6}" "{t7}" "{t8}" "{t9}" "{t10}" "{t0}" "{t1}", "{t2}"),
                row!("{v}"; "{t5}" "{t6}" "{t7}" "{t8}" "{t9}" "{t10}" "{t0}" "{t1}" "{t2}", "{t3}"),
                "stp {t4}, {t5}, [{low}, #32]\n",
                "ldp {u}, {v}, [{b}, #48]\n",
                row!("{u}"; "{t6}" "{t7}" "{t8}" "{t9}" "{t10}" "{t0}" "{t1}" "{t2}" "{t3}", "{t4}"),
                row!("{v}"; "{t7}" "{t8}" "{t9}" "{t10}" "{t0}" "{t1}" "{t2}" "{t3}" "{t4}", "{t5}"),
                "stp {t6}, {t7}, [{low}, #48]\n",
                "ldr {u}, [{b}, #64]\n",
                // The product ends within 17 words.
                arm_halves!("mul" "{u}" "adds";
                    ["{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}" "{a7}" "{a8}"]
                    ["{t8}" "{t9}" "{t10}" "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}"]),
                arm_halves!("umulh" "{u}" "adds";
                    ["{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}" "{a7}"]
                    ["{t9}" "{t10}" "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}"]),
                reduction!("{t8}" "{t9}" "{t10}" "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}"),
            ),
            a0 = in(reg) a[0],
            a1 = in(reg) a[1],
            a2 = in(reg) a[2],
            a3 = in(reg) a[3],
            a4 = in(reg) a[4],
            a5 = in(reg) a[5],
            a6 = in(reg) a[6],
            a7 = in(reg) a[7],
            a8 = in(reg) a[8],
            b = in(reg) b,
            low = in(reg) low.as_mut_ptr(),
            t0 = out(reg) t3,
            t1 = out(reg) t4,
            t2 = out(reg) t5,
            t3 = out(reg) t6,
            t4 = out(reg) t7,
            t5 = out(reg) t8,
            t6 = out(reg) _,
            t7 = out(reg) _,
            t8 = out(reg) t0,
            t9 = out(reg) t1,
            t10 = out(reg) t2,
            u = out(reg) _,
            v = out(reg) _,
            w = out(reg) _,
            x = out(reg) _,
            y = out(reg) _,
            options(nostack),
        );
    }
    [t0, t1, t2, t3, t4, t5, t6, t7, t8]
}

/// [`low_square`] in the place of `$t0` and `$t1`, from these and `$above`.
#[rustfmt::skip] // an instruction a line
macro_rules! high_square {
    ($a:literal, $t0:literal $t1:literal $above:literal) => {
        concat!(
            "extr ", $t0, ", ", $t1, ", ", $t0, ", #63\n",
            "mul {w}, ", $a, ", ", $a, "\n",
            "extr ", $t1, ", ", $above, ", ", $t1, ", #63\n",
            "umulh {x}, ", $a, ", ", $a, "\n",
            "adcs ", $t0, ", ", $t0, ", {w}\n",
            "adcs ", $t1, ", ", $t1, ", {x}\n",
        )
    };
}

/// `a^2`: each product of two different words once, doubled, and the squares of the words.
#[inline(always)]
pub(crate) fn square(a: &[u64; 9]) -> [u64; 9] {
    let mut low = Low::uninit();
    let [t0, t1, t2, t3, t4, t5, t6, t7, t8]: [u64; 9];
    // SAFETY: writes registers and the eight words of `low`, and reads of these what it wrote.
    unsafe {
        asm!(
            concat!(
                // Words 1 and 2 are in the registers of words 15 and 16 first.
                arm_long_row!(new "{a0}"; "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}" "{a7}", "{a8}";
                    "{t15}" "{t16}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}", "{t9}"),
                "stp {t15}, {t16}, [{low}]\n",
                arm_long_row!("{a1}"; "{a2}" "{a3}" "{a4}" "{a5}" "{a6}" "{a7}", "{a8}";
                    "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}" "{t9}", "{t10}"),
                arm_long_row!("{a2}"; "{a3}" "{a4}" "{a5}" "{a6}" "{a7}", "{a8}";
                    "{t5}" "{t6}" "{t7}" "{t8}" "{t9}" "{t10}", "{t11}"),
                arm_long_row!("{a3}"; "{a4}" "{a5}" "{a6}" "{a7}", "{a8}";
                    "{t7}" "{t8}" "{t9}" "{t10}" "{t11}", "{t12}"),
                arm_long_row!("{a4}"; "{a5}" "{a6}" "{a7}", "{a8}";
                    "{t9}" "{t10}" "{t11}" "{t12}", "{t13}"),
                arm_long_row!("{a5}"; "{a6}" "{a7}", "{a8}"; "{t11}" "{t12}" "{t13}", "{t14}"),
                arm_long_row!("{a6}"; "{a7}", "{a8}"; "{t13}" "{t14}", "{t15}"),
                arm_long_row!("{a7}"; , "{a8}"; "{t15}", "{t16}"),
                first_squares!("{t3}"),
                low_square!("{a2}", "{t3}" "{t4}" "{t5}", "#32"),
                low_square!("{a3}", "{t5}" "{t6}" "{t7}", "#48"),
                high_square!("{a4}", "{t7}" "{t8}" "{t9}"),
                high_square!("{a5}", "{t9}" "{t10}" "{t11}"),
                high_square!("{a6}", "{t11}" "{t12}" "{t13}"),
                high_square!("{a7}", "{t13}" "{t14}" "{t15}"),
                "extr {t15}, {t16}, {t15}, #63\n",
                "mul {w}, {a8}, {a8}\n",
                "adc {t15}, {t15}, {w}\n", // The square ends within 17 words.
                reduction!("{t7}" "{t8}" "{t9}" "{t10}" "{t11}" "{t12}" "{t13}" "{t14}" "{t15}"),
            ),
            a0 = inout(reg) a[0] => _,
            a1 = inout(reg) a[1] => _,
            a2 = inout(reg) a[2] => _,
            a3 = inout(reg) a[3] => _,
            a4 = in(reg) a[4],
            a5 = in(reg) a[5],
            a6 = in(reg) a[6],
            a7 = in(reg) a[7],
            a8 = in(reg) a[8],
            low = in(reg) low.as_mut_ptr(),
            t3 = out(reg) _,
            t4 = out(reg) _,
            t5 = out(reg) _,
            t6 = out(reg) _,
            t7 = out(reg) t0,
            t8 = out(reg) t1,
            t9 = out(reg) t2,
            t10 = out(reg) t3,
            t11 = out(reg) t4,
            t12 = out(reg) t5,
            t13 = out(reg) t6,
            t14 = out(reg) t7,
            t15 = out(reg) t8,
            t16 = out(reg) _,
            w = out(reg) _,
            x = out(reg) _,
            y = out(reg) _,
            options(nostack),
        );
    }
    [t0, t1, t2, t3, t4, t5, t6, t7, t8]
}
