//! SHA-256 with POWER8's instructions, little-endian.
//!
//! a to h are the first words of `v0` to `v7`, whose other words have no meaning; they change names from
//! round to round. `vshasigmaw` makes any of the four functions of a sum of rotations, `vsel` ch and, where
//! a and b differ, maj. The schedule's last sixteen words are in `v8` to `v11`, and four at once are made.

use super::K;
use core::arch::asm;

/// A round, with W\[t\] + K\[t\] first in `v12`.
#[rustfmt::skip] // an instruction a line
macro_rules! round {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
        concat!(
            "vadduwm ", $h, ", ", $h, ", 12\n",
            "vsel 13, ", $g, ", ", $f, ", ", $e, "\n",
            "vshasigmaw 14, ", $e, ", 1, 15\n",
            "vadduwm ", $h, ", ", $h, ", 13\n",
            "vxor 13, ", $a, ", ", $b, "\n",
            "vadduwm ", $h, ", ", $h, ", 14\n",
            "vsel 13, ", $b, ", ", $c, ", 13\n",
            "vadduwm ", $d, ", ", $d, ", ", $h, "\n",
            "vshasigmaw 14, ", $a, ", 1, 0\n",
            "vadduwm ", $h, ", ", $h, ", 13\n",
            "vadduwm ", $h, ", ", $h, ", 14\n",
        )
    };
}

/// Four rounds of the words `$w`, with their constants `$at` bytes after `{k}`: the first four of eight, after
/// which the variables have their names again, or the others.
#[rustfmt::skip] // a round a line
macro_rules! four {
    ($w:literal $at:literal, even) => {
        concat!(
            "lxvw4x 44, ", $at, ", {k}\n",
            "vadduwm 12, 12, ", $w, "\n",
            round!("0" "1" "2" "3" "4" "5" "6" "7"),
            "vsldoi 12, 12, 12, 4\n",
            round!("7" "0" "1" "2" "3" "4" "5" "6"),
            "vsldoi 12, 12, 12, 4\n",
            round!("6" "7" "0" "1" "2" "3" "4" "5"),
            "vsldoi 12, 12, 12, 4\n",
            round!("5" "6" "7" "0" "1" "2" "3" "4"),
        )
    };
    ($w:literal $at:literal, odd) => {
        concat!(
            "lxvw4x 44, ", $at, ", {k}\n",
            "vadduwm 12, 12, ", $w, "\n",
            round!("4" "5" "6" "7" "0" "1" "2" "3"),
            "vsldoi 12, 12, 12, 4\n",
            round!("3" "4" "5" "6" "7" "0" "1" "2"),
            "vsldoi 12, 12, 12, 4\n",
            round!("2" "3" "4" "5" "6" "7" "0" "1"),
            "vsldoi 12, 12, 12, 4\n",
            round!("1" "2" "3" "4" "5" "6" "7" "0"),
        )
    };
}

/// Four words of the schedule in place of those sixteen before. The last two need the first two: each
/// pair takes σ1 of the two words before it, beside zeros, of which it is zero.
#[rustfmt::skip] // an instruction a line
macro_rules! schedule {
    ($w0:literal $w1:literal $w2:literal $w3:literal) => {
        concat!(
            "vsldoi 13, ", $w0, ", ", $w1, ", 4\n",
            "vsldoi 14, ", $w2, ", ", $w3, ", 4\n",
            "vshasigmaw 13, 13, 0, 0\n",
            "vsldoi 15, ", $w3, ", 17, 8\n",
            "vadduwm ", $w0, ", ", $w0, ", 14\n",
            "vshasigmaw 15, 15, 0, 15\n",
            "vadduwm ", $w0, ", ", $w0, ", 13\n",
            "vadduwm ", $w0, ", ", $w0, ", 15\n",
            "vsldoi 15, 17, ", $w0, ", 8\n",
            "vshasigmaw 15, 15, 0, 15\n",
            "vadduwm ", $w0, ", ", $w0, ", 15\n",
        )
    };
}

#[rustfmt::skip] // what belongs together on a line
#[allow(unsafe_code)] // In assembly.
pub(super) fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    if blocks.is_empty() {
        return;
    }
    // SAFETY: the row is chosen on CPUs with these instructions. The block reads and writes the state,
    // and reads the blocks and the constants, all of them at any address.
    unsafe {
        asm!(
            // The order of the bytes in words of big-endian blocks, zeros, and the state.
            "lvsl 16, 0, {x16}",
            "vspltisb 17, 3",
            "vxor 16, 16, 17",
            "vxor 17, 17, 17",
            "lxvw4x 50, 0, {state}",
            "lxvw4x 51, {x16}, {state}",
            "2:",
            "lxvw4x 40, 0, {block}",
            "lxvw4x 41, {x16}, {block}",
            "lxvw4x 42, {x32}, {block}",
            "lxvw4x 43, {x48}, {block}",
            "addi {block}, {block}, 64",
            "vperm 8, 8, 8, 16",
            "vperm 9, 9, 9, 16",
            "vperm 10, 10, 10, 16",
            "vperm 11, 11, 11, 16",
            "vmr 0, 18",
            "vsldoi 1, 18, 18, 4",
            "vsldoi 2, 18, 18, 8",
            "vsldoi 3, 18, 18, 12",
            "vmr 4, 19",
            "vsldoi 5, 19, 19, 4",
            "vsldoi 6, 19, 19, 8",
            "vsldoi 7, 19, 19, 12",
            "li {times}, 3",
            "mtctr {times}",
            "3:",
            four!("8" "0", even), schedule!("8" "9" "10" "11"),
            four!("9" "{x16}", odd), schedule!("9" "10" "11" "8"),
            four!("10" "{x32}", even), schedule!("10" "11" "8" "9"),
            four!("11" "{x48}", odd), schedule!("11" "8" "9" "10"),
            "addi {k}, {k}, 64",
            "bdnz 3b",
            four!("8" "0", even),
            four!("9" "{x16}", odd),
            four!("10" "{x32}", even),
            four!("11" "{x48}", odd),
            "addi {k}, {k}, -192",
            "vmrghw 0, 0, 2",
            "vmrghw 1, 1, 3",
            "vmrghw 4, 4, 6",
            "vmrghw 5, 5, 7",
            "vmrghw 0, 0, 1",
            "vmrghw 4, 4, 5",
            "vadduwm 18, 18, 0",
            "vadduwm 19, 19, 4",
            "addic. {blocks}, {blocks}, -1",
            "bne 2b",
            "stxvw4x 50, 0, {state}",
            "stxvw4x 51, {x16}, {state}",
            state = in(reg_nonzero) state,
            block = inout(reg_nonzero) blocks.as_ptr() => _,
            k = inout(reg_nonzero) &K => _,
            blocks = inout(reg) blocks.len() => _,
            x16 = in(reg_nonzero) 16,
            x32 = in(reg_nonzero) 32,
            x48 = in(reg_nonzero) 48,
            times = out(reg) _,
            out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _, out("v6") _,
            out("v7") _, out("v8") _, out("v9") _, out("v10") _, out("v11") _, out("v12") _, out("v13") _,
            out("v14") _, out("v15") _, out("v16") _, out("v17") _, out("v18") _, out("v19") _,
            out("ctr") _, out("cr0") _, out("xer") _,
            options(nostack),
        );
    }
}

pub(super) fn compress_pair(states: &mut [[u32; 8]; 2], blocks: &[[u8; 64]; 2]) {
    for (state, block) in states.iter_mut().zip(blocks) {
        compress(state, core::slice::from_ref(block));
    }
}
