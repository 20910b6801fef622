//! SHA-512 with POWER8's instructions, little-endian.
//!
//! a to h are the first words of `v0` to `v7`, whose other words have no meaning; they change names from
//! round to round. `vshasigmad` makes any of the four functions of a sum of rotations, `vsel` ch and, where
//! a and b differ, maj. The schedule's last sixteen words are in `v8` to `v15`, and two at once are made.

use super::K;
use core::arch::asm;

/// A round, with W\[t\] + K\[t\] first in `v16`.
#[rustfmt::skip] // an instruction a line
macro_rules! round {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
        concat!(
            "vaddudm ", $h, ", ", $h, ", 16\n",
            "vsel 17, ", $g, ", ", $f, ", ", $e, "\n",
            "vshasigmad 18, ", $e, ", 1, 15\n",
            "vaddudm ", $h, ", ", $h, ", 17\n",
            "vxor 17, ", $a, ", ", $b, "\n",
            "vaddudm ", $h, ", ", $h, ", 18\n",
            "vsel 17, ", $b, ", ", $c, ", 17\n",
            "vaddudm ", $d, ", ", $d, ", ", $h, "\n",
            "vshasigmad 18, ", $a, ", 1, 0\n",
            "vaddudm ", $h, ", ", $h, ", 17\n",
            "vaddudm ", $h, ", ", $h, ", 18\n",
        )
    };
}

/// Two rounds of the words `$w`, with their constants `$at` bytes after `{k}`.
#[rustfmt::skip] // a round a line
macro_rules! two {
    ($w:literal $at:literal, $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
        concat!(
            "lxvd2x 48, ", $at, ", {k}\n",
            "vaddudm 16, 16, ", $w, "\n",
            round!($a $b $c $d $e $f $g $h),
            "vsldoi 16, 16, 16, 8\n",
            round!($h $a $b $c $d $e $f $g),
        )
    };
}

/// Two words of the schedule in place of those sixteen before.
#[rustfmt::skip] // an instruction a line
macro_rules! schedule {
    ($w0:literal $w1:literal, $w4:literal $w5:literal, $w7:literal) => {
        concat!(
            "vsldoi 17, ", $w0, ", ", $w1, ", 8\n",
            "vsldoi 18, ", $w4, ", ", $w5, ", 8\n",
            "vshasigmad 17, 17, 0, 0\n",
            "vaddudm ", $w0, ", ", $w0, ", 18\n",
            "vshasigmad 18, ", $w7, ", 0, 15\n",
            "vaddudm ", $w0, ", ", $w0, ", 17\n",
            "vaddudm ", $w0, ", ", $w0, ", 18\n",
        )
    };
}

/// Sixteen rounds, each two with words of the schedule for those sixteen later, or with none.
#[rustfmt::skip] // two rounds a line
macro_rules! sixteen {
    ($($words:ident)?) => {
        concat!(
            two!("8" "0", "0" "1" "2" "3" "4" "5" "6" "7"),
            sixteen!(@ "8" "9", "12" "13", "15" $($words)?),
            two!("9" "{x16}", "6" "7" "0" "1" "2" "3" "4" "5"),
            sixteen!(@ "9" "10", "13" "14", "8" $($words)?),
            two!("10" "{x32}", "4" "5" "6" "7" "0" "1" "2" "3"),
            sixteen!(@ "10" "11", "14" "15", "9" $($words)?),
            two!("11" "{x48}", "2" "3" "4" "5" "6" "7" "0" "1"),
            sixteen!(@ "11" "12", "15" "8", "10" $($words)?),
            two!("12" "{x64}", "0" "1" "2" "3" "4" "5" "6" "7"),
            sixteen!(@ "12" "13", "8" "9", "11" $($words)?),
            two!("13" "{x80}", "6" "7" "0" "1" "2" "3" "4" "5"),
            sixteen!(@ "13" "14", "9" "10", "12" $($words)?),
            two!("14" "{x96}", "4" "5" "6" "7" "0" "1" "2" "3"),
            sixteen!(@ "14" "15", "10" "11", "13" $($words)?),
            two!("15" "{x112}", "2" "3" "4" "5" "6" "7" "0" "1"),
            sixteen!(@ "15" "8", "11" "12", "14" $($words)?),
        )
    };
    (@ $w0:literal $w1:literal, $w4:literal $w5:literal, $w7:literal) => { "" };
    (@ $w0:literal $w1:literal, $w4:literal $w5:literal, $w7:literal words) => {
        schedule!($w0 $w1, $w4 $w5, $w7)
    };
}

#[rustfmt::skip] // what belongs together on a line
#[allow(unsafe_code)] // In assembly.
pub(super) fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    if blocks.is_empty() {
        return;
    }
    // SAFETY: the row is chosen on CPUs with these instructions. The block reads and writes the state,
    // and reads the blocks and the constants, all of them at any address.
    unsafe {
        asm!(
            // The order of the bytes in words of big-endian blocks.
            "lvsl 19, 0, {x16}",
            "vspltisb 18, 7",
            "vxor 19, 19, 18",
            "2:",
            "lxvd2x 40, 0, {block}",
            "lxvd2x 41, {x16}, {block}",
            "lxvd2x 42, {x32}, {block}",
            "lxvd2x 43, {x48}, {block}",
            "lxvd2x 44, {x64}, {block}",
            "lxvd2x 45, {x80}, {block}",
            "lxvd2x 46, {x96}, {block}",
            "lxvd2x 47, {x112}, {block}",
            "addi {block}, {block}, 128",
            "vperm 8, 8, 8, 19",
            "vperm 9, 9, 9, 19",
            "vperm 10, 10, 10, 19",
            "vperm 11, 11, 11, 19",
            "vperm 12, 12, 12, 19",
            "vperm 13, 13, 13, 19",
            "vperm 14, 14, 14, 19",
            "vperm 15, 15, 15, 19",
            "lxvd2x 32, 0, {state}",
            "lxvd2x 34, {x16}, {state}",
            "lxvd2x 36, {x32}, {state}",
            "lxvd2x 38, {x48}, {state}",
            "vsldoi 1, 0, 0, 8",
            "vsldoi 3, 2, 2, 8",
            "vsldoi 5, 4, 4, 8",
            "vsldoi 7, 6, 6, 8",
            "li {times}, 4",
            "mtctr {times}",
            "3:",
            sixteen!(words),
            "addi {k}, {k}, 128",
            "bdnz 3b",
            sixteen!(),
            "addi {k}, {k}, -512",
            "xxpermdi 32, 32, 33, 0",
            "xxpermdi 34, 34, 35, 0",
            "xxpermdi 36, 36, 37, 0",
            "xxpermdi 38, 38, 39, 0",
            "lxvd2x 33, 0, {state}",
            "lxvd2x 35, {x16}, {state}",
            "lxvd2x 37, {x32}, {state}",
            "lxvd2x 39, {x48}, {state}",
            "vaddudm 0, 0, 1",
            "vaddudm 2, 2, 3",
            "vaddudm 4, 4, 5",
            "vaddudm 6, 6, 7",
            "stxvd2x 32, 0, {state}",
            "stxvd2x 34, {x16}, {state}",
            "stxvd2x 36, {x32}, {state}",
            "stxvd2x 38, {x48}, {state}",
            "addic. {blocks}, {blocks}, -1",
            "bne 2b",
            state = in(reg_nonzero) state,
            block = inout(reg_nonzero) blocks.as_ptr() => _,
            k = inout(reg_nonzero) &K => _,
            blocks = inout(reg) blocks.len() => _,
            x16 = in(reg_nonzero) 16,
            x32 = in(reg_nonzero) 32,
            x48 = in(reg_nonzero) 48,
            x64 = in(reg_nonzero) 64,
            x80 = in(reg_nonzero) 80,
            x96 = in(reg_nonzero) 96,
            x112 = in(reg_nonzero) 112,
            times = out(reg) _,
            out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _, out("v6") _,
            out("v7") _, out("v8") _, out("v9") _, out("v10") _, out("v11") _, out("v12") _, out("v13") _,
            out("v14") _, out("v15") _, out("v16") _, out("v17") _, out("v18") _, out("v19") _,
            out("ctr") _, out("cr0") _, out("xer") _,
            options(nostack),
        );
    }
}
