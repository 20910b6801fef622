//! SHA-256 in the instructions of ARMv6-M, which every 32-bit ARM core with Thumb has.
//!
//! a and e are in `r6` and `r7`, the other working variables in registers that are added to and copied, and
//! change names from round to round; the message schedule is on the stack and goes by at `r1`, the
//! constants at `r0`. Of a sum of rotations each is rotated on from the one before.

use super::K;
use crate::thumb::aligned;
use core::arch::naked_asm;

/// Word t of the schedule from those 16, 15, 7 and 2 before it, at `r1`.
#[rustfmt::skip] // an instruction a line
macro_rules! schedule {
    () => {
        concat!(
            "ldr r2, [r1]\n",
            "ldr r3, [r1, #4]\n",
            "movs r4, r3\n",
            "rors r4, r5\n",
            "eors r4, r3\n",
            "rors r4, r6\n",
            "lsrs r3, r3, #3\n",
            "eors r4, r3\n",
            "adds r2, r2, r4\n",
            "ldr r3, [r1, #4*9]\n",
            "adds r2, r2, r3\n",
            "ldr r3, [r1, #4*14]\n",
            "movs r4, r3\n",
            "rors r4, r7\n",
            "eors r4, r3\n",
            "rors r4, r0\n",
            "lsrs r3, r3, #10\n",
            "eors r4, r3\n",
            "adds r2, r2, r4\n",
            "str r2, [r1, #4*16]\n",
            "adds r1, #4\n",
        )
    };
}

/// A round. What was d and h becomes the next round's b and f. `r5` is the exclusive or of b and c, and
/// then that of a and b.
#[rustfmt::skip] // an instruction a line
macro_rules! round {
    ($b:literal $d:literal $f:literal $g:literal $h:literal) => {
        concat!(
            "mov r2, ", $f, "\n",
            "mov r3, ", $g, "\n",
            "eors r2, r3\n",
            "ands r2, r7\n",
            "eors r2, r3\n",
            "add r2, ", $h, "\n",
            "ldm r0!, {{r3}}\n",
            "adds r2, r2, r3\n",
            "ldm r1!, {{r3}}\n",
            "adds r2, r2, r3\n",
            round!("r7", "14" "5" "6"),
            "adds r2, r2, r3\n",
            "mov ", $h, ", r7\n",
            "mov r7, ", $d, "\n",
            "adds r7, r7, r2\n",
            "mov ", $d, ", r6\n",
            // Maj: b, but where b and c differ and a and b do.
            "mov r3, ", $b, "\n",
            "movs r4, r6\n",
            "eors r4, r3\n",
            "ands r5, r4\n",
            "eors r5, r3\n",
            "adds r2, r2, r5\n",
            "movs r5, r4\n",
            round!("r6", "9" "11" "2"),
            "adds r6, r2, r3\n",
        )
    };
    ($x:literal, $first:literal $then:literal $last:literal) => {
        concat!(
            "movs r3, ", $x, "\n",
            "movs r4, #", $first, "\n",
            "rors r3, r4\n",
            "eors r3, ", $x, "\n",
            "movs r4, #", $then, "\n",
            "rors r3, r4\n",
            "eors r3, ", $x, "\n",
            "movs r4, #", $last, "\n",
            "rors r3, r4\n",
        )
    };
}

/// Adds a word of the state to the working variable that it began with.
#[rustfmt::skip] // an instruction a line
macro_rules! add {
    ($at:literal, $x:literal) => {
        concat!("ldr r1, [r0, #4*", $at, "]\n", "add r1, ", $x, "\n", "str r1, [r0, #4*", $at, "]\n")
    };
}

/// Takes a block into the state.
///
/// On the stack are the schedule, and above it the places of the state and the constants, and where the
/// schedule's last word is.
#[rustfmt::skip] // four words a line
#[unsafe(naked)]
#[allow(unsafe_code)] // In assembly.
unsafe extern "C" fn compress_block(
    state: *mut [u32; 8],
    block: *const [u32; 16],
    constants: *const [u32; 64],
) {
    naked_asm!(
        "push {{r4, r5, r6, r7, lr}}",
        "mov r4, r8",
        "mov r5, r9",
        "mov r6, r10",
        "mov r7, r11",
        "push {{r0, r2, r3, r4, r5, r6, r7}}",
        "sub sp, #256",
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
        "mov r1, sp",
        "movs r0, r1",
        "adds r0, #192",
        "mov r12, r0",
        "adds r0, #60",
        "str r0, [sp, #264]",
        "movs r0, #17",
        "movs r5, #11",
        "movs r6, #7",
        "movs r7, #2",
        "3:",
        schedule!(), schedule!(), schedule!(), schedule!(),
        "cmp r1, r12",
        "bne 3b",
        "ldr r0, [sp, #256]",
        "ldm r0!, {{r2, r3, r4, r5}}",
        "movs r6, r2",
        "mov r8, r3",
        "mov r9, r4",
        "mov r10, r5",
        "movs r5, r3",
        "eors r5, r4",
        "ldm r0!, {{r1, r2, r3, r4}}",
        "movs r7, r1",
        "mov r11, r2",
        "mov r12, r3",
        "mov lr, r4",
        "ldr r0, [sp, #260]",
        "mov r1, sp",
        "4:",
        round!("r8" "r10" "r11" "r12" "lr"),
        round!("r10" "r9" "lr" "r11" "r12"),
        round!("r9" "r8" "r12" "lr" "r11"),
        "ldr r3, [sp, #264]",
        "cmp r1, r3",
        "beq 5f",
        "b 4b",
        "5:",
        round!("r8" "r10" "r11" "r12" "lr"),
        "ldr r0, [sp, #256]",
        add!("0", "r6"), add!("1", "r10"), add!("2", "r8"), add!("3", "r9"),
        add!("4", "r7"), add!("5", "lr"), add!("6", "r11"), add!("7", "r12"),
        "add sp, #256",
        "pop {{r0, r2, r3, r4, r5, r6, r7}}",
        "mov r8, r4",
        "mov r9, r5",
        "mov r10, r6",
        "mov r11, r7",
        "pop {{r4, r5, r6, r7, pc}}",
    )
}

#[allow(unsafe_code)] // In assembly.
pub(super) fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    for block in blocks {
        // SAFETY: it reads and writes the state, and reads the block, which is aligned, and the constants.
        aligned(block, |block| unsafe { compress_block(state, block, &K.0) });
    }
}

pub(super) fn compress_pair(states: &mut [[u32; 8]; 2], blocks: &[[u8; 64]; 2]) {
    for (state, block) in states.iter_mut().zip(blocks) {
        compress(state, core::slice::from_ref(block));
    }
}
