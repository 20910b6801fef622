//! Products and squares of eight limbs, as the text of assembly.
//!
//! Their columns are those of the portable field, and so is what these are brought to: column k is the
//! words `{lk}` and `{hk}`, modulo 2^128. With L from the low halves, H from the high ones and B from the
//! sums of both, column k < 4 of the result is L_k - L_(k+4) + H_k + B_(k+4), and column k + 4 is
//! B_k - L_k + H_(k+4) + B_(k+4).
//!
//! 1. All is in registers. L_0 to L_3 stay in columns 4 to 7, which are the other way round until they are
//!    taken from a product; column 3, before it has a value, and column `t` are for what is added in two
//!    places.
//! 2. As in the portable field, products of four limbs are made of p, q and s, and each of their columns
//!    is added where the result has it.

#![allow(unsafe_code)] // assembly

use core::arch::asm;
use core::mem::MaybeUninit;

/// Column `$k` is the product of two limbs.
#[rustfmt::skip] // an instruction a line
macro_rules! first {
    ($k:literal: $a:literal $b:literal) => {
        concat!(
            "mul {l", $k, "}, {", $a, "}, {", $b, "}\n",
            "umulh {h", $k, "}, {", $a, "}, {", $b, "}\n",
        )
    };
}

/// Products are added to column `$k`.
#[rustfmt::skip] // an instruction a line
macro_rules! more {
    ($k:literal: $($a:literal $b:literal),+) => {
        concat!($(
            "mul {x}, {", $a, "}, {", $b, "}\n",
            "adds {l", $k, "}, {l", $k, "}, {x}\n",
            "umulh {x}, {", $a, "}, {", $b, "}\n",
            "adc {h", $k, "}, {h", $k, "}, {x}\n",
        )+)
    };
}

/// A product is taken from column `$k`.
#[rustfmt::skip] // an instruction a line
macro_rules! less {
    ($k:literal: $a:literal $b:literal) => {
        concat!(
            "mul {x}, {", $a, "}, {", $b, "}\n",
            "subs {l", $k, "}, {l", $k, "}, {x}\n",
            "umulh {x}, {", $a, "}, {", $b, "}\n",
            "sbc {h", $k, "}, {h", $k, "}, {x}\n",
        )
    };
}

/// Column `$k` is taken from a product.
#[rustfmt::skip] // an instruction a line
macro_rules! rest {
    ($k:literal: $a:literal $b:literal) => {
        concat!(
            "mul {x}, {", $a, "}, {", $b, "}\n",
            "subs {l", $k, "}, {x}, {l", $k, "}\n",
            "umulh {x}, {", $a, "}, {", $b, "}\n",
            "sbc {h", $k, "}, {x}, {h", $k, "}\n",
        )
    };
}

/// Columns are added to column `$k`, or taken from it, or it is the difference of two.
#[rustfmt::skip] // an instruction a line
macro_rules! columns {
    ($k:literal: + $($j:literal)+) => {
        concat!($(
            "adds {l", $k, "}, {l", $k, "}, {l", $j, "}\n",
            "adc {h", $k, "}, {h", $k, "}, {h", $j, "}\n",
        )+)
    };
    ($k:literal: - $($j:literal)+) => {
        concat!($(columns!($k: $k - $j),)+)
    };
    ($k:literal: $i:literal - $j:literal) => {
        concat!(
            "subs {l", $k, "}, {l", $i, "}, {l", $j, "}\n",
            "sbc {h", $k, "}, {h", $i, "}, {h", $j, "}\n",
        )
    };
}

/// The sums of these limbs, in the place of the first.
#[rustfmt::skip] // an instruction a line
macro_rules! sums {
    ($($to:literal $with:literal),+) => {
        concat!($("add {", $to, "}, {", $to, "}, {", $with, "}\n",)+)
    };
}

/// Columns of what is below 2^120 become limbs below 2^56 + 2^8.
#[rustfmt::skip] // an instruction a line
macro_rules! reduction {
    () => {
        concat!(
            reduction!(0 1), reduction!(4 5),
            reduction!(1 2), reduction!(5 6),
            reduction!(2 3), reduction!(6 7),
            "extr {x}, {h3}, {l3}, #56\n",
            "extr {lt}, {h7}, {l7}, #56\n",
            reduction!(3), reduction!(7),
            "add {l4}, {l4}, {x}\n",
            "add {l0}, {l0}, {lt}\n",
            "add {l4}, {l4}, {lt}\n",
            "add {l1}, {l1}, {l0}, lsr #56\n",
            "add {l5}, {l5}, {l4}, lsr #56\n",
            reduction!(0), reduction!(4),
            "stp {l0}, {l1}, [{limbs}]\n",
            "stp {l2}, {l3}, [{limbs}, #16]\n",
            "stp {l4}, {l5}, [{limbs}, #32]\n",
            "stp {l6}, {l7}, [{limbs}, #48]\n",
        )
    };
    ($k:literal $j:literal) => {
        concat!(
            "extr {x}, {h", $k, "}, {l", $k, "}, #56\n",
            reduction!($k),
            "adds {l", $j, "}, {l", $j, "}, {x}\n",
            "adc {h", $j, "}, {h", $j, "}, xzr\n",
        )
    };
    ($k:literal) => {
        concat!("and {l", $k, "}, {l", $k, "}, #0xffffffffffffff\n")
    };
}

/// The text on columns and limbs, from pointers in `{lt}` and `{ht}`.
macro_rules! operation {
    ([$($pointers:tt)*] $($text:tt)*) => {{
        let mut limbs = MaybeUninit::uninit();
        // SAFETY: reads the eight limbs after the pointers, which are those of references, and writes
        // registers and the eight limbs of the result.
        unsafe {
            asm!(
                concat!($($text)* reduction!()),
                $($pointers)*
                limbs = in(reg) limbs.as_mut_ptr(),
                a0 = out(reg) _,
                a1 = out(reg) _,
                a2 = out(reg) _,
                a3 = out(reg) _,
                b0 = out(reg) _,
                b1 = out(reg) _,
                b2 = out(reg) _,
                b3 = out(reg) _,
                l0 = out(reg) _,
                l1 = out(reg) _,
                l2 = out(reg) _,
                l3 = out(reg) _,
                l4 = out(reg) _,
                l5 = out(reg) _,
                l6 = out(reg) _,
                l7 = out(reg) _,
                h0 = out(reg) _,
                h1 = out(reg) _,
                h2 = out(reg) _,
                h3 = out(reg) _,
                h4 = out(reg) _,
                h5 = out(reg) _,
                h6 = out(reg) _,
                h7 = out(reg) _,
                x = out(reg) _,
                options(nostack),
            );
            limbs.assume_init()
        }
    }};
}

/// `a * b`, for loose limbs.
#[inline(always)]
#[rustfmt::skip] // a column a line
pub(super) fn multiply(a: &[u64; 8], b: &[u64; 8]) -> [u64; 8] {
    operation! { [lt = inout(reg) a.as_ptr() => _, ht = inout(reg) b.as_ptr() => _,]
        // L
        "ldp {a0}, {a1}, [{lt}]\n",
        "ldp {a2}, {a3}, [{lt}, #16]\n",
        "ldp {b0}, {b1}, [{ht}]\n",
        "ldp {b2}, {b3}, [{ht}, #16]\n",
        first!(4: "a0" "b0"),
        first!(5: "a0" "b1"), more!(5: "a1" "b0"),
        first!(6: "a1" "b1"),
        first!(0: "a2" "b2"),
        first!(1: "a2" "b3"), more!(1: "a3" "b2"),
        first!(2: "a3" "b3"),
        sums!("a0" "a2", "a1" "a3", "b0" "b2", "b1" "b3"),
        columns!(6: - 0), // d
        first!(7: "a0" "b1"), more!(7: "a1" "b0"), columns!(7: - 5 1),
        first!(0: "a1" "b1"), columns!(0: - 2 6),
        more!(6: "a0" "b0"), columns!(6: - 4),
        columns!(0: 4 - 0),
        columns!(1: 5 - 1),
        columns!(2: 6 - 2),
        // H
        "ldp {a0}, {a1}, [{lt}, #32]\n",
        "ldp {a2}, {a3}, [{lt}, #48]\n",
        "ldp {b0}, {b1}, [{ht}, #32]\n",
        "ldp {b2}, {b3}, [{ht}, #48]\n",
        first!(3: "a0" "b0"), columns!(0: + 3), columns!(2: - 3),
        first!(3: "a1" "b1"), less!(3: "a2" "b2"), columns!(2: + 3), columns!(4: + 3), // d
        first!(3: "a3" "b3"), columns!(4: + 3), columns!(6: 3 - 6),
        first!(3: "a0" "b1"), more!(3: "a1" "b0"), columns!(1: + 3), columns!(5: + 3),
        more!(3: "a2" "b3", "a3" "b2"), columns!(5: 3 - 5), columns!(3: 7 - 3),
        sums!("a0" "a2", "a1" "a3", "b0" "b2", "b1" "b3"),
        more!(2: "a0" "b0"),
        more!(3: "a0" "b1", "a1" "b0"),
        rest!(4: "a1" "b1"),
        // B
        "ldp {a0}, {a1}, [{lt}]\n",
        "ldp {b0}, {b1}, [{lt}, #32]\n",
        "ldp {a2}, {a3}, [{lt}, #16]\n",
        "ldp {b2}, {b3}, [{lt}, #48]\n",
        sums!("a0" "b0", "a1" "b1", "a2" "b2", "a3" "b3"),
        "ldp {b0}, {b1}, [{ht}]\n",
        "ldp {x}, {lt}, [{ht}, #32]\n",
        "ldp {b2}, {b3}, [{ht}, #16]\n",
        sums!("b0" "x", "b1" "lt"),
        "ldp {x}, {lt}, [{ht}, #48]\n",
        sums!("b2" "x", "b3" "lt"),
        first!("t": "a0" "b0"), columns!(4: + "t"), columns!(6: - "t"),
        first!("t": "a2" "b3"), more!("t": "a3" "b2"), columns!(1: + "t"),
        more!("t": "a0" "b1", "a1" "b0"), columns!(5: + "t"), columns!(7: + "t"),
        first!("t": "a3" "b3"), columns!(2: + "t"),
        more!("t": "a1" "b1"), less!("t": "a2" "b2"), columns!(6: + "t"), // d, after q2
        sums!("a0" "a2", "a1" "a3", "b0" "b2", "b1" "b3"),
        more!(6: "a0" "b0"),
        rest!(7: "a0" "b1"), more!(7: "a1" "b0"),
        rest!("t": "a1" "b1"), columns!(0: + "t"), columns!(4: + "t"),
    }
}

/// `a^2`, for loose limbs, of four limbs column by column: a limb is doubled after its square.
#[inline(always)]
#[rustfmt::skip] // a column a line
pub(super) fn square(a: &[u64; 8]) -> [u64; 8] {
    operation! { [lt = inout(reg) a.as_ptr() => _, ht = out(reg) _,]
        "ldp {a0}, {a1}, [{lt}]\n",
        "ldp {b0}, {b1}, [{lt}, #32]\n",
        "ldp {a2}, {a3}, [{lt}, #16]\n",
        "ldp {b2}, {b3}, [{lt}, #48]\n",
        sums!("b0" "a0", "b1" "a1", "b2" "a2", "b3" "a3"),
        // L
        first!(4: "a0" "a0"),
        first!(6: "a1" "a1"),
        first!(0: "a2" "a2"),
        first!(2: "a3" "a3"),
        sums!("a0" "a0"),
        first!(5: "a0" "a1"),
        more!(6: "a0" "a2"),
        first!(7: "a0" "a3"),
        sums!("a1" "a1"),
        more!(7: "a1" "a2"),
        more!(0: "a1" "a3"),
        sums!("a2" "a2"),
        first!(1: "a2" "a3"),
        columns!(0: 4 - 0),
        columns!(1: 5 - 1),
        columns!(2: 6 - 2),
        // H
        "ldp {a0}, {a1}, [{lt}, #32]\n",
        "ldp {a2}, {a3}, [{lt}, #48]\n",
        more!(0: "a0" "a0"),
        more!(2: "a1" "a1"),
        rest!(4: "a2" "a2"),
        rest!(6: "a3" "a3"),
        sums!("a0" "a0"),
        more!(1: "a0" "a1"),
        more!(2: "a0" "a2"),
        first!(3: "a0" "a3"),
        sums!("a1" "a1"),
        more!(3: "a1" "a2"), columns!(3: + 7),
        more!(4: "a1" "a3"),
        sums!("a2" "a2"),
        rest!(5: "a2" "a3"),
        // B
        more!(4: "b0" "b0"),
        more!(6: "b1" "b1"),
        first!("t": "b3" "b3"), columns!(2: + "t"), columns!(6: + "t"),
        first!("t": "b2" "b2"),
        sums!("b0" "b0"),
        more!(5: "b0" "b1"),
        more!(6: "b0" "b2"),
        rest!(7: "b0" "b3"),
        sums!("b1" "b1"),
        more!(7: "b1" "b2"),
        more!("t": "b1" "b3"), columns!(0: + "t"), columns!(4: + "t"),
        sums!("b2" "b2"),
        first!("t": "b2" "b3"), columns!(1: + "t"), columns!(5: + "t"),
    }
}
