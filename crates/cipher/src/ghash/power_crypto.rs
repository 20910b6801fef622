//! GHASH with `vpmsumd`, which adds the product of two low halves to that of the high ones: eight blocks
//! with eight powers of H, and one reduction for all; those left one by one.
//!
//! Of two blocks `vperm` makes a vector of their high halves and one of the low ones, with the bytes of
//! each in order: so one instruction has a product of both blocks. A load gives two words of eight bytes,
//! each with its last byte first, and powers are kept as they are loaded.

use super::reversed::{POLYNOMIAL, first_power};
use super::{PLACES, Powers, finish_by};
use core::arch::asm;

/// Blocks with one reduction.
pub(crate) const WIDE: usize = 8;
/// What is kept: of the powers of two blocks the high halves, the low ones and their sums; of H the high
/// half, the low one, and both in the other order.
pub(super) const KEPT: usize = 3 * WIDE / 2 + 3;

/// The polynomial; the bytes of words in the other order, for `vpermxor`; those of first words of two
/// vectors, and of second ones, for `vperm`; the two words in the other order, for `vpermxor`.
static CONSTANTS: [[u64; 2]; 5] = [
    [0, POLYNOMIAL],
    [0x7061_5243_3425_1607, 0xf8e9_dacb_bcad_9e8f],
    [0x0706_0504_0302_0100, 0x1716_1514_1312_1110],
    [0x0f0e_0d0c_0b0a_0908, 0x1f1e_1d1c_1b1a_1918],
    [0x8091_a2b3_c4d5_e6f7, 0x0819_2a3b_4c5d_6e7f],
];

/// The halves of two blocks in `v26` and `v27`, and their sum in `v24`; the sum before, in `v20`, is in
/// the first pair.
#[rustfmt::skip] // an instruction a line
macro_rules! halves {
    ($first:literal $second:literal $(, $sum:literal)?) => {
        concat!(
            "lxvd2x 56, ", $first, ", {block}\n",
            "lxvd2x 57, ", $second, ", {block}\n",
            $("vpermxor 24, ", $sum, ", 24, 16\n",)?
            "vperm 26, 24, 25, 17\n",
            "vperm 27, 24, 25, 18\n",
            "vxor 24, 26, 27\n",
        )
    };
}

/// Adds the products of two blocks.
#[rustfmt::skip] // an instruction a line
macro_rules! pair {
    ($first:literal $second:literal, $high:literal $low:literal $middle:literal) => {
        concat!(
            halves!($first $second),
            "vpmsumd 26, 26, ", $high, "\n",
            "vpmsumd 27, 27, ", $low, "\n",
            "vpmsumd 24, 24, ", $middle, "\n",
            "vxor 21, 21, 26\n",
            "vxor 22, 22, 27\n",
            "vxor 23, 23, 24\n",
        )
    };
}

/// The remainder of products `v21`, `v22` and, 64 bits up, `v23`: the lowest word goes up by 64 bits,
/// twice, as a multiple of the polynomial.
#[rustfmt::skip] // an instruction a line
macro_rules! reduce {
    () => {
        concat!(
            "vpmsumd 24, 22, 15\n",
            "vpermxor 23, 22, 23, 19\n",
            "vxor 23, 23, 24\n",
            "vpmsumd 24, 23, 15\n",
            "vpermxor 20, 23, 21, 19\n",
            "vxor 20, 20, 24\n",
        )
    };
}

pub(crate) fn init(h: &[u8; 16], key: &mut Powers) {
    let words = |first: u64, second: u64| {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&first.to_le_bytes());
        bytes[8..].copy_from_slice(&second.to_le_bytes());
        bytes
    };
    let mut power = u128::from_le_bytes(first_power(h));
    let (high, low) = ((power >> 64) as u64, power as u64);
    key.power[KEPT - 3] = words(high, 0);
    key.power[KEPT - 2] = words(0, low);
    key.power[KEPT - 1] = words(low, high);
    for i in (0..WIDE / 2).rev() {
        let second = power;
        let first = next(power, key);
        power = next(first, key);
        let high = [first >> 64, second >> 64].map(|half| half as u64);
        let low = [first, second].map(|half| half as u64);
        key.power[3 * i] = words(high[0], high[1]);
        key.power[3 * i + 1] = words(low[0], low[1]);
        key.power[3 * i + 2] = words(high[0] ^ low[0], high[1] ^ low[1]);
    }
}

/// The power after this one.
fn next(power: u128, key: &Powers) -> u128 {
    let mut sum = [0; 16];
    update(key, &mut sum, &[power.to_be_bytes()]);
    u128::from_be_bytes(sum)
}

#[rustfmt::skip] // what belongs together on a line
#[allow(unsafe_code)] // In assembly.
pub(crate) fn update(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    const { assert!(KEPT <= PLACES) };
    let kept = &key.power;
    // SAFETY: the row is chosen on CPUs with these instructions. The block reads the first KEPT vectors
    // of the key, the constants and the blocks, and reads and writes the sum, all of them at any address.
    unsafe {
        asm!(
            ".irp v,15,16,17,18,19",
            "lxvd2x 32+\\v, 0, {constant}",
            "addi {constant}, {constant}, 16",
            ".endr",
            "lxvd2x 52, 0, {sum}",
            "vxor 24, 24, 24",
            "vpermxor 20, 20, 24, 16",
            "cmpdi {eights}, 0",
            "beq 3f",
            "mtctr {eights}",
            ".irp v,0,1,2,3,4,5,6,7,8,9,10,11",
            "lxvd2x 32+\\v, 0, {key}",
            "addi {key}, {key}, 16",
            ".endr",
            "2:",
            halves!("0" "{x16}", "20"),
            "vpmsumd 21, 26, 0",
            "vpmsumd 22, 27, 1",
            "vpmsumd 23, 24, 2",
            pair!("{x32}" "{x48}", "3" "4" "5"),
            pair!("{x64}" "{x80}", "6" "7" "8"),
            pair!("{x96}" "{x112}", "9" "10" "11"),
            "addi {block}, {block}, 128",
            "vxor 23, 23, 21",
            "vxor 23, 23, 22",
            reduce!(),
            "bdnz 2b",
            "3:",
            "cmpdi {ones}, 0",
            "beq 5f",
            "mtctr {ones}",
            "lxvd2x 44, 0, {one}",
            "lxvd2x 45, {x16}, {one}",
            "lxvd2x 46, {x32}, {one}",
            "4:",
            "lxvd2x 56, 0, {block}",
            "addi {block}, {block}, 16",
            "vpermxor 20, 24, 20, 16",
            "vpmsumd 21, 20, 12",
            "vpmsumd 22, 20, 13",
            "vpmsumd 23, 20, 14",
            reduce!(),
            "bdnz 4b",
            "5:",
            "vxor 24, 24, 24",
            "vpermxor 20, 20, 24, 16",
            "stxvd2x 52, 0, {sum}",
            constant = inout(reg_nonzero) &CONSTANTS => _,
            key = inout(reg_nonzero) kept => _,
            one = in(reg_nonzero) &kept[KEPT - 3],
            sum = in(reg_nonzero) sum,
            block = inout(reg_nonzero) blocks.as_ptr() => _,
            eights = in(reg) blocks.len() / WIDE,
            ones = in(reg) blocks.len() % WIDE,
            x16 = in(reg_nonzero) 16,
            x32 = in(reg_nonzero) 32,
            x48 = in(reg_nonzero) 48,
            x64 = in(reg_nonzero) 64,
            x80 = in(reg_nonzero) 80,
            x96 = in(reg_nonzero) 96,
            x112 = in(reg_nonzero) 112,
            out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _, out("v6") _,
            out("v7") _, out("v8") _, out("v9") _, out("v10") _, out("v11") _, out("v12") _, out("v13") _,
            out("v14") _, out("v15") _, out("v16") _, out("v17") _, out("v18") _, out("v19") _, out("v20") _,
            out("v21") _, out("v22") _, out("v23") _, out("v24") _, out("v25") _, out("v26") _, out("v27") _,
            out("ctr") _, out("cr0") _,
            options(nostack),
        );
    }
}

pub(crate) fn finish(key: &Powers, sum: &mut [u8; 16], data: &[u8], lengths: u128) {
    finish_by(|sum, blocks| update(key, sum, blocks), sum, data, lengths);
}
