//! Montgomery's multiplication modulo any odd number of four, five, six or eight words: for fields whose
//! prime has no form of its own, and for the orders of the curves.

#![allow(unsafe_code)] // assembly

use crate::weierstrass::modulus::Modulus;
use crate::weierstrass::words::By64;

/// `a b / 2^(64 W)` mod m.
#[inline(always)]
pub(crate) fn multiply<const W: usize>(m: &Modulus<W>, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
    match W {
        4 => *same(&four::multiply(same(a), same(b), same(&m.words), m.n0)),
        5 => *same(&five::multiply(same(a), same(b), same(&m.words), m.n0)),
        6 => *same(&six::multiply(same(a), same(b), same(&m.words), m.n0)),
        8 => *same(&eight::multiply(same(a), same(b), same(&m.words), m.n0)),
        _ => m.mul_inline::<By64>(a, b),
    }
}

/// `a^2 / 2^(64 W)` mod m.
#[inline(always)]
pub(crate) fn square<const W: usize>(m: &Modulus<W>, a: &[u64; W]) -> [u64; W] {
    match W {
        4 => *same(&four::square(same(a), same(&m.words), m.n0)),
        5 => *same(&five::square(same(a), same(&m.words), m.n0)),
        6 => *same(&six::square(same(a), same(&m.words), m.n0)),
        8 => *same(&eight::square(same(a), same(&m.words), m.n0)),
        _ => m.square_inline::<By64>(a),
    }
}

/// The words, by a length that is the same.
#[inline(always)]
fn same<const W: usize, const N: usize>(words: &[u64; W]) -> &[u64; N] {
    match words.as_slice().try_into() {
        Ok(words) => words,
        Err(_) => unreachable!("{W} words are not {N}"),
    }
}

/// A step of the reduction: of the multiple of m that clears `$t0`, the other words, and the one above
/// them in its place.
#[rustfmt::skip] // an instruction a line
macro_rules! clear {
    ($m0:literal $($m:literal)*, $last:literal; $t0:literal $($t:literal)*) => {
        concat!(
            "mul {z}, ", $t0, ", {n0}\n",
            "cmp ", $t0, ", #1\n", // With the low half of z m0 it is 0, or 2^64: then there is a carry.
            arm_halves!("mul" "{z}" "adcs"; [$($m)* $last] [$($t)*]),
            "umulh ", $t0, ", ", $last, ", {z}\n",
            "adc ", $t0, ", ", $t0, ", xzr\n",
            arm_halves!("umulh" "{z}" "adds"; [$m0 $($m)*] [$($t)*]),
            "adc ", $t0, ", ", $t0, ", xzr\n",
        )
    };
}

/// The words `$t` and those above `$h` are added, and m is subtracted, or not.
#[rustfmt::skip] // an instruction a line
macro_rules! finish {
    ($t0:literal $h0:literal $m0:literal, $($t:literal $h:literal $m:literal),*) => {
        concat!(
            "adds ", $t0, ", ", $t0, ", ", $h0, "\n",
            $("adcs ", $t, ", ", $t, ", ", $h, "\n",)*
            "adc {w}, xzr, xzr\n",
            "subs ", $h0, ", ", $t0, ", ", $m0, "\n",
            $("sbcs ", $h, ", ", $t, ", ", $m, "\n",)*
            "sbcs xzr, {w}, xzr\n",
            "csel ", $t0, ", ", $h0, ", ", $t0, ", hs\n",
            $("csel ", $t, ", ", $h, ", ", $t, ", hs\n",)*
        )
    };
}

/// The text on the words of `a`, then the reduction; with more operands.
macro_rules! operation {
    (
        $w:tt [$($a:ident)*] [$($t:ident)*] [$($h:ident)*] [$reduction:expr]
        $text:expr, $from:ident $m:ident $n0:ident, $($operands:tt)*
    ) => {{
        let [$($a),*] = *$from;
        let [$($t),*]: [u64; $w];
        // SAFETY: reads as many words after `m` and after `b`, if there is one, and writes registers alone.
        unsafe {
            core::arch::asm!(
                concat!($text, $reduction),
                $($a = inout(reg) $a => _,)*
                $($t = out(reg) $t,)*
                $($h = out(reg) _,)*
                m = in(reg) $m,
                n0 = in(reg) $n0,
                w = out(reg) _,
                x = out(reg) _,
                y = out(reg) _,
                z = out(reg) _,
                $($operands)*
                options(pure, readonly, nostack),
            );
        }
        [$($t),*]
    }};
}

/// Multiplications modulo m of so many words; the reduction has m in the place of the factor.
macro_rules! montgomery {
    ($name:ident $w:tt $($lists_and_reduction:tt)*) => {
        mod $name {
            #[inline(always)]
            pub(super) fn multiply(a: &[u64; $w], b: &[u64; $w], m: &[u64; $w], n0: u64) -> [u64; $w] {
                operation!(
                    $w $($lists_and_reduction)* product!($w), a m n0,
                    b = in(reg) b, u = out(reg) _, v = out(reg) _,
                )
            }

            #[inline(always)]
            pub(super) fn square(a: &[u64; $w], m: &[u64; $w], n0: u64) -> [u64; $w] {
                operation!($w $($lists_and_reduction)* square!($w), a m n0,)
            }
        }
    };
}

montgomery! { four 4 [a0 a1 a2 a3] [t0 t1 t2 t3] [t4 t5 t6 t7] [concat!(
    "ldp {a0}, {a1}, [{m}]\n",
    "ldp {a2}, {a3}, [{m}, #16]\n",
    clear!("{a0}" "{a1}" "{a2}", "{a3}"; "{t0}" "{t1}" "{t2}" "{t3}"),
    clear!("{a0}" "{a1}" "{a2}", "{a3}"; "{t1}" "{t2}" "{t3}" "{t0}"),
    clear!("{a0}" "{a1}" "{a2}", "{a3}"; "{t2}" "{t3}" "{t0}" "{t1}"),
    clear!("{a0}" "{a1}" "{a2}", "{a3}"; "{t3}" "{t0}" "{t1}" "{t2}"),
    finish!(
        "{t0}" "{t4}" "{a0}", "{t1}" "{t5}" "{a1}", "{t2}" "{t6}" "{a2}",
        "{t3}" "{t7}" "{a3}"
    ),
)] }
montgomery! { five 5 [a0 a1 a2 a3 a4] [t0 t1 t2 t3 t4] [t5 t6 t7 t8 t9] [concat!(
    "ldp {a0}, {a1}, [{m}]\n",
    "ldp {a2}, {a3}, [{m}, #16]\n",
    "ldr {a4}, [{m}, #32]\n",
    clear!("{a0}" "{a1}" "{a2}" "{a3}", "{a4}"; "{t0}" "{t1}" "{t2}" "{t3}" "{t4}"),
    clear!("{a0}" "{a1}" "{a2}" "{a3}", "{a4}"; "{t1}" "{t2}" "{t3}" "{t4}" "{t0}"),
    clear!("{a0}" "{a1}" "{a2}" "{a3}", "{a4}"; "{t2}" "{t3}" "{t4}" "{t0}" "{t1}"),
    clear!("{a0}" "{a1}" "{a2}" "{a3}", "{a4}"; "{t3}" "{t4}" "{t0}" "{t1}" "{t2}"),
    clear!("{a0}" "{a1}" "{a2}" "{a3}", "{a4}"; "{t4}" "{t0}" "{t1}" "{t2}" "{t3}"),
    finish!(
        "{t0}" "{t5}" "{a0}", "{t1}" "{t6}" "{a1}", "{t2}" "{t7}" "{a2}",
        "{t3}" "{t8}" "{a3}", "{t4}" "{t9}" "{a4}"
    ),
)] }
montgomery! { six 6 [a0 a1 a2 a3 a4 a5] [t0 t1 t2 t3 t4 t5] [t6 t7 t8 t9 t10 t11] [concat!(
    "ldp {a0}, {a1}, [{m}]\n",
    "ldp {a2}, {a3}, [{m}, #16]\n",
    "ldp {a4}, {a5}, [{m}, #32]\n",
    clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}"; "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}"),
    clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}"; "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t0}"),
    clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}"; "{t2}" "{t3}" "{t4}" "{t5}" "{t0}" "{t1}"),
    clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}"; "{t3}" "{t4}" "{t5}" "{t0}" "{t1}" "{t2}"),
    clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}"; "{t4}" "{t5}" "{t0}" "{t1}" "{t2}" "{t3}"),
    clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}", "{a5}"; "{t5}" "{t0}" "{t1}" "{t2}" "{t3}" "{t4}"),
    finish!(
        "{t0}" "{t6}" "{a0}", "{t1}" "{t7}" "{a1}", "{t2}" "{t8}" "{a2}",
        "{t3}" "{t9}" "{a3}", "{t4}" "{t10}" "{a4}", "{t5}" "{t11}" "{a5}"
    ),
)] }

/// Of eight words: the product goes through memory, as it and its factors are more than there are registers.
mod eight {
    use core::mem::MaybeUninit;

    /// The words of a product.
    type Product = MaybeUninit<[u64; 16]>;

    /// The reduction of the product in memory.
    #[rustfmt::skip] // an instruction or a row a line
    macro_rules! reduction {
        () => {
            concat!(
                "ldp {a0}, {a1}, [{m}]\n",
                "ldp {a2}, {a3}, [{m}, #16]\n",
                "ldp {a4}, {a5}, [{m}, #32]\n",
                "ldp {a6}, {a7}, [{m}, #48]\n",
                "ldp {t0}, {t1}, [{low}]\n",
                "ldp {t2}, {t3}, [{low}, #16]\n",
                "ldp {t4}, {t5}, [{low}, #32]\n",
                "ldp {t6}, {t7}, [{low}, #48]\n",
                clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}"),
                clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t0}"),
                clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t0}" "{t1}"),
                clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t0}" "{t1}" "{t2}"),
                clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t4}" "{t5}" "{t6}" "{t7}" "{t0}" "{t1}" "{t2}" "{t3}"),
                clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t5}" "{t6}" "{t7}" "{t0}" "{t1}" "{t2}" "{t3}" "{t4}"),
                clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t6}" "{t7}" "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}"),
                clear!("{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t7}" "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}"),
                "ldp {x}, {y}, [{low}, #64]\n",
                "adds {t0}, {t0}, {x}\n",
                "adcs {t1}, {t1}, {y}\n",
                "ldp {x}, {y}, [{low}, #80]\n",
                "adcs {t2}, {t2}, {x}\n",
                "adcs {t3}, {t3}, {y}\n",
                "ldp {x}, {y}, [{low}, #96]\n",
                "adcs {t4}, {t4}, {x}\n",
                "adcs {t5}, {t5}, {y}\n",
                "ldp {x}, {y}, [{low}, #112]\n",
                "adcs {t6}, {t6}, {x}\n",
                "adcs {t7}, {t7}, {y}\n",
                "adc {w}, xzr, xzr\n",
                "subs {a0}, {t0}, {a0}\n",
                "sbcs {a1}, {t1}, {a1}\n",
                "sbcs {a2}, {t2}, {a2}\n",
                "sbcs {a3}, {t3}, {a3}\n",
                "sbcs {a4}, {t4}, {a4}\n",
                "sbcs {a5}, {t5}, {a5}\n",
                "sbcs {a6}, {t6}, {a6}\n",
                "sbcs {a7}, {t7}, {a7}\n",
                "sbcs xzr, {w}, xzr\n",
                "csel {t0}, {a0}, {t0}, hs\n",
                "csel {t1}, {a1}, {t1}, hs\n",
                "csel {t2}, {a2}, {t2}, hs\n",
                "csel {t3}, {a3}, {t3}, hs\n",
                "csel {t4}, {a4}, {t4}, hs\n",
                "csel {t5}, {a5}, {t5}, hs\n",
                "csel {t6}, {a6}, {t6}, hs\n",
                "csel {t7}, {a7}, {t7}, hs\n",
            )
        };
    }

    /// The text on the words of `a`, then the reduction; with more operands.
    macro_rules! operation {
        ([$($text:tt)*] $a:ident $m:ident $n0:ident, $($operands:tt)*) => {{
            let [a0, a1, a2, a3, a4, a5, a6, a7] = *$a;
            let [t0, t1, t2, t3, t4, t5, t6, t7]: [u64; 8];
            let mut product = Product::uninit();
            // SAFETY: reads the eight words after `m` and after `b`, if there is one, and writes
            // registers and the sixteen words of the product, of which it reads what it wrote.
            unsafe {
                core::arch::asm!(
                    concat!($($text)*, reduction!()),
                    a0 = inout(reg) a0 => _,
                    a1 = inout(reg) a1 => _,
                    a2 = inout(reg) a2 => _,
                    a3 = inout(reg) a3 => _,
                    a4 = inout(reg) a4 => _,
                    a5 = inout(reg) a5 => _,
                    a6 = inout(reg) a6 => _,
                    a7 = inout(reg) a7 => _,
                    m = in(reg) $m,
                    n0 = in(reg) $n0,
                    low = in(reg) product.as_mut_ptr(),
                    t0 = out(reg) t0,
                    t1 = out(reg) t1,
                    t2 = out(reg) t2,
                    t3 = out(reg) t3,
                    t4 = out(reg) t4,
                    t5 = out(reg) t5,
                    t6 = out(reg) t6,
                    t7 = out(reg) t7,
                    t8 = out(reg) _,
                    t9 = out(reg) _,
                    w = out(reg) _,
                    x = out(reg) _,
                    y = out(reg) _,
                    z = out(reg) _,
                    $($operands)*
                    options(nostack),
                );
            }
            [t0, t1, t2, t3, t4, t5, t6, t7]
        }};
    }

    #[inline(always)]
    #[rustfmt::skip] // an instruction or a row a line
    pub(super) fn multiply(a: &[u64; 8], b: &[u64; 8], m: &[u64; 8], n0: u64) -> [u64; 8] {
        operation!(
            [
                "ldp {z}, {v}, [{b}]\n",
                arm_long_row!(new "{z}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}", "{t8}"),
                arm_long_row!("{v}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}", "{t9}"),
                "stp {t0}, {t1}, [{low}]\n",
                "ldp {z}, {v}, [{b}, #16]\n",
                arm_long_row!("{z}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}" "{t9}", "{t0}"),
                arm_long_row!("{v}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t3}" "{t4}" "{t5}" "{t6}" "{t7}" "{t8}" "{t9}" "{t0}", "{t1}"),
                "stp {t2}, {t3}, [{low}, #16]\n",
                "ldp {z}, {v}, [{b}, #32]\n",
                arm_long_row!("{z}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t4}" "{t5}" "{t6}" "{t7}" "{t8}" "{t9}" "{t0}" "{t1}", "{t2}"),
                arm_long_row!("{v}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t5}" "{t6}" "{t7}" "{t8}" "{t9}" "{t0}" "{t1}" "{t2}", "{t3}"),
                "stp {t4}, {t5}, [{low}, #32]\n",
                "ldp {z}, {v}, [{b}, #48]\n",
                arm_long_row!("{z}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t6}" "{t7}" "{t8}" "{t9}" "{t0}" "{t1}" "{t2}" "{t3}", "{t4}"),
                arm_long_row!("{v}"; "{a0}" "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t7}" "{t8}" "{t9}" "{t0}" "{t1}" "{t2}" "{t3}" "{t4}", "{t5}"),
                "stp {t6}, {t7}, [{low}, #48]\n",
                "stp {t8}, {t9}, [{low}, #64]\n",
                "stp {t0}, {t1}, [{low}, #80]\n",
                "stp {t2}, {t3}, [{low}, #96]\n",
                "stp {t4}, {t5}, [{low}, #112]\n"
            ]
            a m n0, b = in(reg) b, v = out(reg) _,
        )
    }

    #[inline(always)]
    #[rustfmt::skip] // an instruction or a row a line
    pub(super) fn square(a: &[u64; 8], m: &[u64; 8], n0: u64) -> [u64; 8] {
        operation!(
            [
                // Word 3 is the lowest in registers; 1 and 2 are in those of words 13 and 14 first.
                arm_long_row!(new "{a0}"; "{a1}" "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t10}" "{t11}" "{t0}" "{t1}" "{t2}" "{t3}" "{t4}", "{t5}"),
                "stp {t10}, {t11}, [{low}]\n",
                arm_long_row!("{a1}"; "{a2}" "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t0}" "{t1}" "{t2}" "{t3}" "{t4}" "{t5}", "{t6}"),
                arm_long_row!("{a2}"; "{a3}" "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t2}" "{t3}" "{t4}" "{t5}" "{t6}", "{t7}"),
                arm_long_row!("{a3}"; "{a4}" "{a5}" "{a6}", "{a7}";
                    "{t4}" "{t5}" "{t6}" "{t7}", "{t8}"),
                arm_long_row!("{a4}"; "{a5}" "{a6}", "{a7}";
                    "{t6}" "{t7}" "{t8}", "{t9}"),
                arm_long_row!("{a5}"; "{a6}", "{a7}"; "{t8}" "{t9}", "{t10}"),
                arm_long_row!("{a6}"; , "{a7}"; "{t10}", "{t11}"),
                first_squares!("{t0}"),
                low_square!("{a2}", "{t0}" "{t1}" "{t2}", "#32"),
                low_square!("{a3}", "{t2}" "{t3}" "{t4}", "#48"),
                low_square!("{a4}", "{t4}" "{t5}" "{t6}", "#64"),
                low_square!("{a5}", "{t6}" "{t7}" "{t8}", "#80"),
                low_square!("{a6}", "{t8}" "{t9}" "{t10}", "#96"),
                low_square!("{a7}", "{t10}" "{t11}" "xzr", "#112")
            ]
            a m n0, t10 = out(reg) _, t11 = out(reg) _,
        )
    }
}
