//! ChaCha20 in the instructions of ARMv6-M, which every 32-bit Arm with Thumb has.
//!
//! Only eight registers can be rotated, and only by amounts in these. Four hold the amounts 16, 20, 24
//! and 25, of which the lowest five bits count, so that one counts the rounds too. The words a and two of
//! the words c, which are added to and never rotated, are in registers that additions reach; the others
//! are on the stack, and the quarter rounds come in an order in which five words of a double round stay
//! in registers from one to the next.
//!
//! The text is that of ARM's other instructions as well: where Rust compiles to those, as for Linux on
//! ARMv7, they are what it becomes.

use core::arch::naked_asm;

pub(crate) use super::portable::{MOST_AT_FIRST, first};
use adamant_base::Secret;

/// A quarter round where c is in a register that cannot be rotated, or in one that can.
#[rustfmt::skip] // an instruction a line
macro_rules! quarter_round {
    ($a:literal $b:literal ($c:literal) $d:literal) => {
        quarter_round!(
            $a, $b, $d,
            concat!("add ", $c, ", ", $d, "\n", "mov r2, ", $c, "\n", "eors ", $b, ", r2\n")
        )
    };
    ($a:literal $b:literal $c:literal $d:literal) => {
        quarter_round!(
            $a, $b, $d,
            concat!("adds ", $c, ", ", $c, ", ", $d, "\n", "eors ", $b, ", ", $c, "\n")
        )
    };
    ($a:literal, $b:literal, $d:literal, $of_c:expr) => {
        concat!(
            "add ", $a, ", ", $b, "\n",
            "mov r2, ", $a, "\n",
            "eors ", $d, ", r2\n",
            "rors ", $d, ", r4\n",
            $of_c,
            "rors ", $b, ", r5\n",
            "add ", $a, ", ", $b, "\n",
            "mov r2, ", $a, "\n",
            "eors ", $d, ", r2\n",
            "rors ", $d, ", r6\n",
            $of_c,
            "rors ", $b, ", r7\n",
        )
    };
}

/// Adds four words of the state before the rounds, at r0, to those that are in registers or on the stack,
/// and the sums by exclusive or to data, at r1.
#[rustfmt::skip] // an instruction a line
macro_rules! finish {
    ($($of:literal)*) => {
        concat!(
            "ldm r0!, {{r2, r3, r4, r5}}\n",
            $($of, "\n",)*
            "ldr r6, [r1]\n",
            "eors r2, r6\n",
            "ldr r6, [r1, #4]\n",
            "eors r3, r6\n",
            "ldr r6, [r1, #8]\n",
            "eors r4, r6\n",
            "ldr r6, [r1, #12]\n",
            "eors r5, r6\n",
            "stm r1!, {{r2, r3, r4, r5}}\n",
        )
    };
}

/// Takes the exclusive or of `blocks` blocks of data, at least one, and the key stream of a state, whose
/// counter is then that of the next block.
///
/// Words b are at 0, d at 16, c2 and c3 at 32 of the stack; above them the arguments.
#[unsafe(naked)]
#[allow(unsafe_code)] // In assembly.
unsafe extern "C" fn xor_blocks(state: *mut [u32; 16], data: *mut [u32; 16], blocks: usize) {
    naked_asm!(
        "push {{r4, r5, r6, r7, lr}}",
        "mov r4, r8",
        "mov r5, r9",
        "mov r6, r10",
        "mov r7, r11",
        "push {{r4, r5, r6, r7}}",
        "sub sp, #52",
        "str r1, [sp, #44]",
        "str r2, [sp, #48]",
        "2:",
        "str r0, [sp, #40]",
        "mov r6, sp",
        "ldm r0!, {{r1, r2, r3, r4}}",
        "mov r8, r1",
        "mov r9, r2",
        "mov r10, r3",
        "mov r11, r4",
        "ldm r0!, {{r1, r2, r3, r4}}",
        "stm r6!, {{r1, r2, r3, r4}}",
        "movs r5, r4",
        "ldm r0!, {{r1, r2, r3, r4}}",
        "mov r12, r1",
        "mov lr, r2",
        "str r3, [sp, #32]",
        "str r4, [sp, #36]",
        "ldm r0!, {{r1, r2, r3, r4}}",
        "stm r6!, {{r1, r2, r3, r4}}",
        "movs r0, r5",
        "movs r1, r4",
        "movs r4, #16",
        "movs r5, #20",
        "movs r6, #24",
        // 25 + 32 · 9
        "movs r7, #153",
        "adds r7, #160",
        // b3 is in r0, d3 in r1.
        "3:",
        "ldr r3, [sp, #36]",
        quarter_round!("r11" "r0" "r3" "r1"),
        "str r0, [sp, #12]",
        "str r3, [sp, #36]",
        "str r1, [sp, #28]",
        "ldr r0, [sp, #4]",
        "ldr r1, [sp, #20]",
        quarter_round!("r9" "r0" ("lr") "r1"),
        "str r0, [sp, #4]",
        "str r1, [sp, #20]",
        "ldr r0, [sp, #8]",
        "ldr r1, [sp, #24]",
        "ldr r3, [sp, #32]",
        quarter_round!("r10" "r0" "r3" "r1"),
        "str r0, [sp, #8]",
        "str r3, [sp, #32]",
        "ldr r0, [sp, #0]",
        "ldr r3, [sp, #16]",
        quarter_round!("r8" "r0" ("r12") "r3"),
        // The diagonals. b0 is in r0, d0 in r3, d2 in r1.
        quarter_round!("r11" "r0" ("lr") "r1"),
        "str r0, [sp, #0]",
        "str r1, [sp, #24]",
        "ldr r0, [sp, #8]",
        "ldr r1, [sp, #36]",
        quarter_round!("r9" "r0" "r1" "r3"),
        "str r0, [sp, #8]",
        "str r1, [sp, #36]",
        "str r3, [sp, #16]",
        "ldr r0, [sp, #4]",
        "ldr r3, [sp, #32]",
        "ldr r1, [sp, #28]",
        quarter_round!("r8" "r0" "r3" "r1"),
        "str r0, [sp, #4]",
        "str r3, [sp, #32]",
        "ldr r0, [sp, #12]",
        "ldr r3, [sp, #20]",
        quarter_round!("r10" "r0" ("r12") "r3"),
        "str r3, [sp, #20]",
        "subs r7, #32",
        "bmi 4f",
        "b 3b",
        "4:",
        "str r0, [sp, #12]",
        "str r1, [sp, #28]",
        "ldr r0, [sp, #40]",
        "ldr r1, [sp, #44]",
        finish!("add r2, r8" "add r3, r9" "add r4, r10" "add r5, r11"),
        finish!(
            "ldr r6, [sp, #0]" "adds r2, r2, r6"
            "ldr r6, [sp, #4]" "adds r3, r3, r6"
            "ldr r6, [sp, #8]" "adds r4, r4, r6"
            "ldr r6, [sp, #12]" "adds r5, r5, r6"
        ),
        finish!(
            "add r2, r12"
            "add r3, lr"
            "ldr r6, [sp, #32]" "adds r4, r4, r6"
            "ldr r6, [sp, #36]" "adds r5, r5, r6"
        ),
        "movs r7, r0",
        finish!(
            "adds r6, r2, #1" "str r6, [r7]"
            "ldr r6, [sp, #16]" "adds r2, r2, r6"
            "ldr r6, [sp, #20]" "adds r3, r3, r6"
            "ldr r6, [sp, #24]" "adds r4, r4, r6"
            "ldr r6, [sp, #28]" "adds r5, r5, r6"
        ),
        "str r1, [sp, #44]",
        "subs r0, #64",
        "ldr r2, [sp, #48]",
        "subs r2, r2, #1",
        "str r2, [sp, #48]",
        "beq 5f",
        "b 2b",
        "5:",
        "add sp, #52",
        "pop {{r4, r5, r6, r7}}",
        "mov r8, r4",
        "mov r9, r5",
        "mov r10, r6",
        "mov r11, r7",
        "pop {{r4, r5, r6, r7}}",
        "pop {{r3}}",
        "bx r3",
    )
}

#[allow(unsafe_code)] // In assembly.
pub(crate) fn xor(key: &[u32; 8], counter: u32, nonce: &[u32; 3], data: &mut [u8]) {
    let mut state = Secret::new(super::state(key, counter, nonce));
    // SAFETY: bytes are words.
    let (before, blocks, _) = unsafe { data.align_to_mut::<[u32; 16]>() };
    let mut done = 0;
    if before.is_empty() && !blocks.is_empty() {
        // SAFETY: there are so many blocks, one at least, and each is aligned as words are.
        unsafe { xor_blocks(&raw mut *state, blocks.as_mut_ptr(), blocks.len()) };
        done = 64 * blocks.len();
    }
    for data in data[done..].chunks_mut(64) {
        let mut stream = Secret::new([0; 16]);
        // SAFETY: it is one block.
        unsafe { xor_blocks(&raw mut *state, &raw mut *stream, 1) };
        for (bytes, word) in data.chunks_mut(4).zip(&*stream) {
            for (byte, s) in bytes.iter_mut().zip(word.to_le_bytes()) {
                *byte ^= s;
            }
        }
    }
}
