//! SHA-1 in the instructions of ARMv6-M, which every 32-bit ARM core with Thumb has.
//!
//! a to e are in `r3` to `r7`, which change names from round to round; the message schedule is on the
//! stack and goes by at `r2`, and what twenty rounds add is in `r8`.

use super::K;
use crate::thumb::aligned;
use core::arch::naked_asm;

/// Word t of the schedule from those 16, 14, 8 and 3 before it, at `r2`.
#[rustfmt::skip] // an instruction a line
macro_rules! schedule {
    () => {
        concat!(
            "ldr r3, [r2]\n",
            "ldr r4, [r2, #4*2]\n",
            "eors r3, r4\n",
            "ldr r4, [r2, #4*8]\n",
            "eors r3, r4\n",
            "ldr r4, [r2, #4*13]\n",
            "eors r3, r4\n",
            "rors r3, r5\n",
            "str r3, [r2, #4*16]\n",
            "adds r2, #4\n",
        )
    };
}

/// A round: the next one calls this one's e its a. `$f` puts the function of b, c and d in `r0`.
#[rustfmt::skip] // an instruction a line
macro_rules! round {
    ($f:ident, $a:literal $b:literal $c:literal $d:literal $e:literal) => {
        concat!(
            round!($f $b $c $d),
            "add ", $e, ", r8\n",
            "adds ", $e, ", ", $e, ", r0\n",
            "ldm r2!, {{r0}}\n",
            "adds ", $e, ", ", $e, ", r0\n",
            "movs r0, #27\n",
            "movs r1, ", $a, "\n",
            "rors r1, r0\n",
            "adds ", $e, ", ", $e, ", r1\n",
            "movs r0, #2\n",
            "rors ", $b, ", r0\n",
        )
    };
    (ch $x:literal $y:literal $z:literal) => {
        concat!("movs r0, ", $y, "\n", "eors r0, ", $z, "\n", "ands r0, ", $x, "\n", "eors r0, ", $z, "\n")
    };
    (parity $x:literal $y:literal $z:literal) => {
        concat!("movs r0, ", $x, "\n", "eors r0, ", $y, "\n", "eors r0, ", $z, "\n")
    };
    (maj $x:literal $y:literal $z:literal) => {
        concat!(
            "movs r0, ", $x, "\n", "orrs r0, ", $y, "\n", "ands r0, ", $z, "\n",
            "movs r1, ", $x, "\n", "ands r1, ", $y, "\n", "orrs r0, r1\n",
        )
    };
}

/// Five rounds four times, with the constant that is next, at an address above the schedule.
#[rustfmt::skip] // a round a line
macro_rules! twenty_rounds {
    ($label:literal, $f:ident) => {
        concat!(
            "ldr r0, [sp, #324]\n",
            "ldm r0!, {{r1}}\n",
            "mov r8, r1\n",
            "str r0, [sp, #324]\n",
            "movs r0, r2\n",
            "adds r0, #80\n",
            "mov r12, r0\n",
            $label, ":\n",
            round!($f, "r3" "r4" "r5" "r6" "r7"),
            round!($f, "r7" "r3" "r4" "r5" "r6"),
            round!($f, "r6" "r7" "r3" "r4" "r5"),
            round!($f, "r5" "r6" "r7" "r3" "r4"),
            round!($f, "r4" "r5" "r6" "r7" "r3"),
            "cmp r2, r12\n",
            "bne ", $label, "b\n",
        )
    };
}

/// Takes a block into the state.
#[rustfmt::skip] // an instruction a line
#[unsafe(naked)]
#[allow(unsafe_code)] // In assembly.
unsafe extern "C" fn compress_block(
    state: *mut [u32; 5],
    block: *const [u32; 16],
    constants: *const [u32; 4],
) {
    naked_asm!(
        "push {{r4, r5, r6, r7, lr}}",
        "mov r4, r8",
        "push {{r0, r2, r4}}",
        "sub sp, #320",
        "mov r2, sp",
        "movs r0, r2",
        "adds r0, #64",
        "2:",
        "ldm r1!, {{r3, r4, r5, r6}}",
        "rev r3, r3",
        "rev r4, r4",
        "rev r5, r5",
        "rev r6, r6",
        "stm r2!, {{r3, r4, r5, r6}}",
        "cmp r2, r0",
        "bne 2b",
        "mov r2, sp",
        "movs r0, r2",
        "adds r0, #255",
        "adds r0, #1",
        "movs r5, #31",
        "3:",
        schedule!(), schedule!(), schedule!(), schedule!(),
        "cmp r2, r0",
        "bne 3b",
        "mov r2, sp",
        "ldr r0, [sp, #320]",
        "ldm r0!, {{r3, r4, r5, r6, r7}}",
        twenty_rounds!("4", ch),
        twenty_rounds!("5", parity),
        twenty_rounds!("6", maj),
        twenty_rounds!("7", parity),
        "add sp, #320",
        "pop {{r0, r1}}",
        "ldr r1, [r0]",
        "adds r3, r3, r1",
        "ldr r1, [r0, #4]",
        "adds r4, r4, r1",
        "ldr r1, [r0, #8]",
        "adds r5, r5, r1",
        "ldr r1, [r0, #12]",
        "adds r6, r6, r1",
        "ldr r1, [r0, #16]",
        "adds r7, r7, r1",
        "stm r0!, {{r3, r4, r5, r6, r7}}",
        "pop {{r4}}",
        "mov r8, r4",
        "pop {{r4, r5, r6, r7, pc}}",
    )
}

#[allow(unsafe_code)] // In assembly.
pub(super) fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    for block in blocks {
        // SAFETY: it reads and writes the state, and reads the block, which is aligned, and the constants.
        aligned(block, |block| unsafe { compress_block(state, block, &K) });
    }
}
