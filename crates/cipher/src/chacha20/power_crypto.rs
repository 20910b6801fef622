//! ChaCha20 with POWER8's vectors, little-endian: four blocks at once.
//!
//! Vector `i` of `v0` to `v15` holds word `i` of the four states, so a quarter round on vectors is four
//! quarter rounds. After the rounds, four 4 × 4 transpositions bring each block's words together, and
//! the state before the rounds, in `v20` to `v23`, is added.

use super::{portable, state};
use adamant_base::Secret;
use core::arch::asm;

/// Up to how many blocks making each alone is as quick as making four.
pub(super) const FEW: usize = 1;

/// A quarter of four quarter rounds: a += b, d ^= a, and d is rotated by as much as `$by` has.
macro_rules! step {
    ($($a:literal $b:literal $d:literal),+; $by:literal) => {
        concat!(
            $("vadduwm ", $a, ", ", $a, ", ", $b, "\n",)+
            $("vxor ", $d, ", ", $d, ", ", $a, "\n",)+
            $("vrlw ", $d, ", ", $d, ", ", $by, "\n",)+
        )
    };
}

/// Of four words of four blocks, the words of each block.
#[rustfmt::skip] // an instruction a line
macro_rules! transpose {
    ($w0:literal $w1:literal $w2:literal $w3:literal) => {
        concat!(
            "vmrghw 24, ", $w0, ", ", $w1, "\n",
            "vmrghw 25, ", $w2, ", ", $w3, "\n",
            "vmrglw 26, ", $w0, ", ", $w1, "\n",
            "vmrglw 27, ", $w2, ", ", $w3, "\n",
            "xxpermdi 32+", $w0, ", 56, 57, 0\n",
            "xxpermdi 32+", $w1, ", 56, 57, 3\n",
            "xxpermdi 32+", $w2, ", 58, 59, 0\n",
            "xxpermdi 32+", $w3, ", 58, 59, 3\n",
        )
    };
}

/// Adds the state before the rounds, and then the stream to the data.
#[rustfmt::skip] // an instruction a line
macro_rules! add {
    ($block:literal: $($word:literal $row:literal $at:literal),+) => {
        concat!($(
            "vadduwm ", $word, ", ", $word, ", ", $row, "\n",
            "lxvw4x 56, ", $at, ", ", $block, "\n",
            "vxor ", $word, ", ", $word, ", 24\n",
            "stxvw4x 32+", $word, ", ", $at, ", ", $block, "\n",
        )+)
    };
}

/// Whole groups of four blocks; the counter of the state goes on by as many.
#[rustfmt::skip] // what belongs together on a line
#[allow(unsafe_code)] // In assembly.
fn fours(start: &mut [u32; 16], data: &mut [[[u8; 64]; 4]]) {
    const LANES: &[u32; 8] = &[0, 1, 2, 3, 1, 0, 0, 0];
    if data.is_empty() {
        return;
    }
    let first: *mut [u8; 64] = data.as_mut_ptr().cast();
    // SAFETY: the row is chosen on CPUs with these instructions. The block reads and writes the state
    // and the data, all of it at any address, and reads the constants.
    unsafe {
        asm!(
            "lxvw4x 52, 0, {start}",
            "lxvw4x 53, {x16}, {start}",
            "lxvw4x 54, {x32}, {start}",
            "lxvw4x 55, {x48}, {start}",
            "lxvw4x 60, 0, {lanes}",
            "lxvw4x 61, {x16}, {lanes}",
            "vspltisw 16, -16",
            "vspltisw 17, 12",
            "vspltisw 18, 8",
            "vspltisw 19, 7",
            "2:",
            ".irp i,0,1,2,3",
            "vspltw \\i, 20, \\i",
            "vspltw 4+\\i, 21, \\i",
            "vspltw 8+\\i, 22, \\i",
            "vspltw 12+\\i, 23, \\i",
            ".endr",
            "vadduwm 12, 12, 28",
            "li {times}, 10",
            "mtctr {times}",
            "3:",
            step!("0" "4" "12", "1" "5" "13", "2" "6" "14", "3" "7" "15"; "16"),
            step!("8" "12" "4", "9" "13" "5", "10" "14" "6", "11" "15" "7"; "17"),
            step!("0" "4" "12", "1" "5" "13", "2" "6" "14", "3" "7" "15"; "18"),
            step!("8" "12" "4", "9" "13" "5", "10" "14" "6", "11" "15" "7"; "19"),
            step!("0" "5" "15", "1" "6" "12", "2" "7" "13", "3" "4" "14"; "16"),
            step!("10" "15" "5", "11" "12" "6", "8" "13" "7", "9" "14" "4"; "17"),
            step!("0" "5" "15", "1" "6" "12", "2" "7" "13", "3" "4" "14"; "18"),
            step!("10" "15" "5", "11" "12" "6", "8" "13" "7", "9" "14" "4"; "19"),
            "bdnz 3b",
            transpose!("0" "1" "2" "3"),
            transpose!("4" "5" "6" "7"),
            transpose!("8" "9" "10" "11"),
            transpose!("12" "13" "14" "15"),
            add!("{b0}": "0" "20" "0", "4" "21" "{x16}", "8" "22" "{x32}", "12" "23" "{x48}"),
            "vadduwm 23, 23, 29",
            add!("{b1}": "1" "20" "0", "5" "21" "{x16}", "9" "22" "{x32}", "13" "23" "{x48}"),
            "vadduwm 23, 23, 29",
            add!("{b2}": "2" "20" "0", "6" "21" "{x16}", "10" "22" "{x32}", "14" "23" "{x48}"),
            "vadduwm 23, 23, 29",
            add!("{b3}": "3" "20" "0", "7" "21" "{x16}", "11" "22" "{x32}", "15" "23" "{x48}"),
            "vadduwm 23, 23, 29",
            "addi {b0}, {b0}, 256",
            "addi {b1}, {b1}, 256",
            "addi {b2}, {b2}, 256",
            "addi {b3}, {b3}, 256",
            "addic. {count}, {count}, -1",
            "bne 2b",
            "stxvw4x 55, {x48}, {start}",
            start = in(reg_nonzero) start,
            lanes = in(reg_nonzero) LANES,
            b0 = inout(reg_nonzero) first => _,
            b1 = inout(reg_nonzero) first.wrapping_add(1) => _,
            b2 = inout(reg_nonzero) first.wrapping_add(2) => _,
            b3 = inout(reg_nonzero) first.wrapping_add(3) => _,
            count = inout(reg) data.len() => _,
            times = out(reg) _,
            x16 = in(reg_nonzero) 16,
            x32 = in(reg_nonzero) 32,
            x48 = in(reg_nonzero) 48,
            out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _, out("v6") _,
            out("v7") _, out("v8") _, out("v9") _, out("v10") _, out("v11") _, out("v12") _, out("v13") _,
            out("v14") _, out("v15") _, out("v16") _, out("v17") _, out("v18") _, out("v19") _, out("v20") _,
            out("v21") _, out("v22") _, out("v23") _, out("v24") _, out("v25") _, out("v26") _, out("v27") _,
            out("v28") _, out("v29") _,
            out("ctr") _, out("cr0") _, out("xer") _,
            options(nostack),
        );
    }
}

/// The most that [`first`] gives.
pub(crate) const MOST_AT_FIRST: usize = 4;

/// Of this many blocks, how many to make at first if they must be made in two calls.
pub(crate) fn first(blocks: usize) -> usize {
    blocks.min(MOST_AT_FIRST)
}

pub(crate) fn xor(key: &[u32; 8], counter: u32, nonce: &[u32; 3], data: &mut [u8]) {
    let mut start = Secret::new(state(key, counter, nonce));
    let (groups, rest) = data.as_chunks_mut::<256>();
    let (blocks, _) = groups.as_flattened_mut().as_chunks_mut();
    fours(&mut start, blocks.as_chunks_mut().0);
    if rest.len() <= 64 * FEW {
        portable::xor(key, start[12], nonce, rest);
    } else {
        let mut stream = Secret::new([[[0; 64]; 4]; 1]);
        fours(&mut start, &mut *stream);
        for (byte, s) in rest.iter_mut().zip(stream.as_flattened().as_flattened()) {
            *byte ^= s;
        }
    }
}
