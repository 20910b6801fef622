//! MD5 in the instructions of ARMv6-M, which every 32-bit ARM core with Thumb has.
//!
//! a to d are in `r4` to `r7`, the words of the block at `r1`, and the table goes by at `r0`.

use super::T;
use crate::thumb::aligned;
use core::arch::naked_asm;

/// Step `[abcd k s i]` of the standard, of which `$f` puts the function of b, c and d in `r2`.
#[rustfmt::skip] // an instruction a line
macro_rules! step {
    ($f:ident, $a:literal $b:literal $c:literal $d:literal, $k:expr, $right:literal) => {
        concat!(
            step!($f $b $c $d),
            "ldr r3, [r1, #4*(", $k, ")]\n",
            "adds ", $a, ", ", $a, ", r2\n",
            "adds ", $a, ", ", $a, ", r3\n",
            "ldm r0!, {{r3}}\n",
            "adds ", $a, ", ", $a, ", r3\n",
            "movs r2, #", $right, "\n",
            "rors ", $a, ", r2\n",
            "adds ", $a, ", ", $a, ", ", $b, "\n",
        )
    };
    (f $b:literal $c:literal $d:literal) => {
        concat!("movs r2, ", $c, "\n", "eors r2, ", $d, "\n", "ands r2, ", $b, "\n", "eors r2, ", $d, "\n")
    };
    (g $b:literal $c:literal $d:literal) => {
        step!(f $d $b $c)
    };
    (h $b:literal $c:literal $d:literal) => {
        concat!("movs r2, ", $b, "\n", "eors r2, ", $c, "\n", "eors r2, ", $d, "\n")
    };
    (i $b:literal $c:literal $d:literal) => {
        concat!("mvns r2, ", $d, "\n", "orrs r2, ", $b, "\n", "eors r2, ", $c, "\n")
    };
}

/// A round: sixteen steps, whose words of the block begin at `$k` and go on by `$by`. Rotations are to the
/// right.
#[rustfmt::skip] // four steps in a row
macro_rules! round {
    ($f:ident, $k:literal $by:literal, $s0:literal $s1:literal $s2:literal $s3:literal) => {
        concat!(
            round!(@ $f, $k $by, "0", $s0 $s1 $s2 $s3),
            round!(@ $f, $k $by, "4", $s0 $s1 $s2 $s3),
            round!(@ $f, $k $by, "8", $s0 $s1 $s2 $s3),
            round!(@ $f, $k $by, "12", $s0 $s1 $s2 $s3),
        )
    };
    (@ $f:ident, $k:literal $by:literal, $j:literal, $s0:literal $s1:literal $s2:literal $s3:literal) => {
        concat!(
            step!($f, "r4" "r5" "r6" "r7", concat!("(", $k, "+", $by, "*(", $j, "+0))&15"), $s0),
            step!($f, "r7" "r4" "r5" "r6", concat!("(", $k, "+", $by, "*(", $j, "+1))&15"), $s1),
            step!($f, "r6" "r7" "r4" "r5", concat!("(", $k, "+", $by, "*(", $j, "+2))&15"), $s2),
            step!($f, "r5" "r6" "r7" "r4", concat!("(", $k, "+", $by, "*(", $j, "+3))&15"), $s3),
        )
    };
}

/// Takes a block into the state.
#[unsafe(naked)]
#[allow(unsafe_code)] // In assembly.
unsafe extern "C" fn compress_block(
    state: *mut [u32; 4],
    block: *const [u32; 16],
    table: *const [u32; 64],
) {
    naked_asm!(
        "push {{r0, r4, r5, r6, r7, lr}}",
        "ldm r0!, {{r4, r5, r6, r7}}",
        "movs r0, r2",
        round!(f, "0" "1", "25" "20" "15" "10"),
        round!(g, "1" "5", "27" "23" "18" "12"),
        round!(h, "5" "3", "28" "21" "16" "9"),
        round!(i, "0" "7", "26" "22" "17" "11"),
        "pop {{r0}}",
        "ldr r1, [r0]",
        "adds r4, r4, r1",
        "ldr r1, [r0, #4]",
        "adds r5, r5, r1",
        "ldr r1, [r0, #8]",
        "adds r6, r6, r1",
        "ldr r1, [r0, #12]",
        "adds r7, r7, r1",
        "stm r0!, {{r4, r5, r6, r7}}",
        "pop {{r4, r5, r6, r7, pc}}",
    )
}

#[allow(unsafe_code)] // In assembly.
pub(super) fn compress(state: &mut [u32; 4], blocks: &[[u8; 64]]) {
    for block in blocks {
        // SAFETY: it reads and writes the state, and reads the block, which is aligned, and the table.
        aligned(block, |block| unsafe { compress_block(state, block, &T) });
    }
}
