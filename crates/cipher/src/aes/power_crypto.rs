//! AES with POWER8's instructions, little-endian: eight blocks side by side, as a round takes some cycles
//! and another block's can start in each.
//!
//! `vcipher` takes its key after MixColumns, as FIPS 197 has it, and `vncipher` before its inverse: the
//! keys of the cipher serve both. They stay in `v0` to `v14`, in the order of their use.
//!
//! A load gives two words of eight bytes, each with its last byte first. `vpermxor`, which adds a
//! vector to another one with its bytes in any order, takes a block from this order, or back to
//! it, and adds the first key, the block before or the text along with that.

use super::RoundKeys;
use super::counter::Counter;
use adamant_base::{BlockCipher, Wipe};
use core::arch::asm;

/// Blocks side by side.
pub(crate) const WIDE: usize = 8;

/// For `vpermxor`: byte i is that of one vector at the other end of its word, plus that of the other at i.
pub(crate) static ORDER: [u64; 2] = [0x7061_5243_3425_1607, 0xf8e9_dacb_bcad_9e8f];

/// The keys, with zeros in `v15` and [`ORDER`] in `v24`.
#[rustfmt::skip] // a line of assembly a line
macro_rules! keys {
    () => {
        concat!(
            "lxvd2x 56, 0, {order}\n",
            "vxor 15, 15, 15\n",
            ".irp k,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14\n",
            ".if \\k <= {rounds}\n",
            "lxvd2x 32+\\k, 0, {key}\n",
            "addi {key}, {key}, {step}\n",
            "vpermxor \\k, \\k, 15, 24\n",
            ".endif\n",
            ".endr\n",
        )
    };
}

/// The rounds of blocks in these registers, after the first key.
#[rustfmt::skip] // a line of assembly a line
macro_rules! rounds {
    ($cipher:literal, $blocks:literal) => {
        concat!(
            ".irp k,1,2,3,4,5,6,7,8,9,10,11,12,13\n",
            ".if \\k < {rounds}\n",
            ".irp b,", $blocks, "\n",
            $cipher, " \\b, \\b, \\k\n",
            ".endr\n",
            ".endif\n",
            ".endr\n",
            ".irp b,", $blocks, "\n",
            $cipher, "last \\b, \\b, {rounds}\n",
            ".endr\n",
        )
    };
}

/// The same text for each of eight blocks, from the last to the first: register, place, and that before.
macro_rules! eight {
    ($each:ident) => {
        concat!(
            $each!("23" "{x112}" "{x96}"),
            $each!("22" "{x96}" "{x80}"),
            $each!("21" "{x80}" "{x64}"),
            $each!("20" "{x64}" "{x48}"),
            $each!("19" "{x48}" "{x32}"),
            $each!("18" "{x32}" "{x16}"),
            $each!("17" "{x16}" "0"),
        )
    };
}

macro_rules! load {
    ($b:literal $at:literal $before:literal) => {
        concat!(
            "lxvd2x 32+",
            $b,
            ", ",
            $at,
            ", {block}\n",
            "vpermxor ",
            $b,
            ", ",
            $b,
            ", 0, 24\n",
        )
    };
}

macro_rules! store {
    ($b:literal $at:literal $before:literal) => {
        concat!(
            "vpermxor ",
            $b,
            ", ",
            $b,
            ", 15, 24\n",
            "stxvd2x 32+",
            $b,
            ", ",
            $at,
            ", {block}\n",
        )
    };
}

/// The text plus the key stream.
macro_rules! add {
    ($b:literal $at:literal $before:literal) => {
        concat!(
            "lxvd2x 58, ",
            $at,
            ", {block}\n",
            "vpermxor ",
            $b,
            ", ",
            $b,
            ", 26, 24\n",
            "stxvd2x 32+",
            $b,
            ", ",
            $at,
            ", {block}\n",
        )
    };
}

/// The block of ciphertext before is still there.
macro_rules! add_before {
    ($b:literal $at:literal $before:literal) => {
        concat!(
            "lxvd2x 59, ",
            $before,
            ", {block}\n",
            "vpermxor ",
            $b,
            ", ",
            $b,
            ", 27, 24\n",
            "stxvd2x 32+",
            $b,
            ", ",
            $at,
            ", {block}\n",
        )
    };
}

/// Blocks eight at a time, and then one by one: `$prepare` after the keys are there, and a vector at
/// `{vector}` in `v25`; then what is done for eight, and for one.
macro_rules! kernel {
    ($(#[$meta:meta])* $name:ident: $prepare:expr, $eight:expr, $one:expr) => {
        $(#[$meta])*
        #[rustfmt::skip] // what belongs together on a line
        #[allow(unsafe_code)] // In assembly.
        fn $name<const ROUNDS: usize, const STEP: i16>(
            keys: &[[u8; 16]; 15],
            vector: &mut u128,
            blocks: &mut [[u8; 16]],
        ) {
            debug_assert!(ROUNDS < keys.len());
            let first = if STEP == FORTH { 0 } else { ROUNDS };
            // SAFETY: the row is chosen on CPUs with these instructions. The block reads the first
            // ROUNDS + 1 keys from one end, and reads and writes the vector and the blocks, all of
            // them at any address.
            unsafe {
                asm!(
                    keys!(),
                    "lxvd2x 57, 0, {vector}",
                    $prepare,
                    "cmpdi {eights}, 0",
                    "beq 3f",
                    "mtctr {eights}",
                    "2:",
                    $eight,
                    "addi {block}, {block}, 128",
                    "bdnz 2b",
                    "3:",
                    "cmpdi {ones}, 0",
                    "beq 5f",
                    "mtctr {ones}",
                    "4:",
                    $one,
                    "addi {block}, {block}, 16",
                    "bdnz 4b",
                    "5:",
                    "stxvd2x 57, 0, {vector}",
                    rounds = const ROUNDS,
                    step = const STEP,
                    key = inout(reg_nonzero) &keys[first] => _,
                    order = in(reg_nonzero) &ORDER,
                    vector = in(reg_nonzero) vector,
                    block = inout(reg_nonzero) blocks.as_mut_ptr() => _,
                    eights = in(reg) blocks.len() / WIDE,
                    ones = in(reg) blocks.len() % WIDE,
                    x16 = in(reg_nonzero) 16,
                    x32 = in(reg_nonzero) 32,
                    x48 = in(reg_nonzero) 48,
                    x64 = in(reg_nonzero) 64,
                    x80 = in(reg_nonzero) 80,
                    x96 = in(reg_nonzero) 96,
                    x112 = in(reg_nonzero) 112,
                    out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _,
                    out("v6") _, out("v7") _, out("v8") _, out("v9") _, out("v10") _, out("v11") _,
                    out("v12") _, out("v13") _, out("v14") _, out("v15") _, out("v16") _, out("v17") _,
                    out("v18") _, out("v19") _, out("v20") _, out("v21") _, out("v22") _, out("v23") _,
                    out("v24") _, out("v25") _, out("v26") _, out("v27") _,
                    out("ctr") _, out("cr0") _,
                    options(nostack),
                );
            }
        }
    };
}

kernel! {
    /// Cipher (FIPS 197, 5.1).
    encrypt: "",
    concat!(
        eight!(load), load!("16" "0" ""),
        rounds!("vcipher", "16,17,18,19,20,21,22,23"),
        eight!(store), store!("16" "0" ""),
    ),
    concat!(load!("16" "0" ""), rounds!("vcipher", "16"), store!("16" "0" ""))
}
kernel! {
    /// InvCipher (5.3).
    decrypt: "",
    concat!(
        eight!(load), load!("16" "0" ""),
        rounds!("vncipher", "16,17,18,19,20,21,22,23"),
        eight!(store), store!("16" "0" ""),
    ),
    concat!(load!("16" "0" ""), rounds!("vncipher", "16"), store!("16" "0" ""))
}
kernel! {
    /// The vector is the first counter, its high half loaded first; the low one does not wrap around.
    add_stream:
    concat!("vspltisw 26, 1\n", "vsldoi 15, 15, 26, 4\n"), // one
    concat!(
        ".irp b,16,17,18,19,20,21,22,23\n",
        "vxor \\b, 25, 0\n",
        "vaddudm 25, 25, 15\n",
        ".endr\n",
        rounds!("vcipher", "16,17,18,19,20,21,22,23"),
        eight!(add), add!("16" "0" ""),
    ),
    concat!(
        "vxor 16, 25, 0\n",
        "vaddudm 25, 25, 15\n",
        rounds!("vcipher", "16"),
        add!("16" "0" ""),
    )
}
kernel! {
    /// The vector is the block before, as it is loaded.
    decrypt_chain: "",
    concat!(
        eight!(load), load!("16" "0" ""),
        "lxvd2x 58, {x112}, {block}\n",
        rounds!("vncipher", "16,17,18,19,20,21,22,23"),
        eight!(add_before),
        "vpermxor 16, 16, 25, 24\n",
        "stxvd2x 48, 0, {block}\n",
        "vmr 25, 26\n",
    ),
    concat!(
        "lxvd2x 58, 0, {block}\n",
        "vpermxor 16, 26, 0, 24\n",
        rounds!("vncipher", "16"),
        "vpermxor 16, 16, 25, 24\n",
        "stxvd2x 48, 0, {block}\n",
        "vmr 25, 26\n",
    )
}

/// A chain, whose state in `v25` has the first key added already: the last one has it in it. In `v26` is
/// the first key in the order of loads; `$each` has the state's block there.
macro_rules! chain {
    ($name:ident, $blocks:ty, $start:ident, $each:expr) => {
        #[rustfmt::skip] // what belongs together on a line
        #[allow(unsafe_code)] // In assembly.
        fn $name<const ROUNDS: usize, const STEP: i16>(
            keys: &[[u8; 16]; 15],
            state: &mut [u8; 16],
            blocks: $blocks,
        ) {
            debug_assert!(ROUNDS < keys.len());
            if blocks.is_empty() {
                return;
            }
            // SAFETY: as above; where the type of the blocks does not let them be written, they are
            // only read.
            unsafe {
                asm!(
                    keys!(),
                    "lxvd2x 57, 0, {state}",
                    "vpermxor 25, 25, 0, 24",
                    "vpermxor 26, 0, 15, 24",
                    "vxor {rounds}, {rounds}, 0",
                    "mtctr {count}",
                    "2:",
                    "lxvd2x 48, 0, {block}",
                    "vpermxor 25, 16, 25, 24",
                    rounds!("vcipher", "25"),
                    $each,
                    "addi {block}, {block}, 16",
                    "bdnz 2b",
                    "vpermxor 25, 25, 26, 24",
                    "stxvd2x 57, 0, {state}",
                    rounds = const ROUNDS,
                    step = const STEP,
                    key = inout(reg_nonzero) keys => _,
                    order = in(reg_nonzero) &ORDER,
                    state = in(reg_nonzero) state,
                    block = inout(reg_nonzero) blocks.$start() => _,
                    count = in(reg) blocks.len(),
                    out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _,
                    out("v6") _, out("v7") _, out("v8") _, out("v9") _, out("v10") _, out("v11") _,
                    out("v12") _, out("v13") _, out("v14") _, out("v15") _, out("v16") _,
                    out("v24") _, out("v25") _, out("v26") _,
                    out("ctr") _,
                    options(nostack),
                );
            }
        }
    };
}
chain!(
    encrypt_chain,
    &mut [[u8; 16]],
    as_mut_ptr,
    concat!("vpermxor 16, 25, 26, 24\n", "stxvd2x 48, 0, {block}",)
);
chain!(sum_chain, &[[u8; 16]], as_ptr, "");

/// From a key to the next, or to the one before.
const FORTH: i16 = 16;
const BACK: i16 = -FORTH;

/// A kernel for this number of rounds, with the keys from the first one on or from the last one back.
macro_rules! by_rounds {
    ($kernel:ident $step:ident, $keys:ident, $($argument:expr),*) => {
        match $keys.rounds {
            10 => $kernel::<10, $step>(&$keys.encrypt, $($argument),*),
            12 => $kernel::<12, $step>(&$keys.encrypt, $($argument),*),
            #[cfg(test)] // The S-box by itself.
            2 => $kernel::<2, $step>(&$keys.encrypt, $($argument),*),
            _ => $kernel::<14, $step>(&$keys.encrypt, $($argument),*),
        }
    };
}

pub(crate) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
    by_rounds!(encrypt FORTH, keys, &mut 0, blocks);
}

pub(crate) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
    by_rounds!(decrypt BACK, keys, &mut 0, blocks);
}

pub(crate) fn ctr(
    keys: &RoundKeys,
    counter: &mut [u8; 16],
    width: usize,
    mut blocks: &mut [[u8; 16]],
) {
    let mut counter = Counter::new(counter, width);
    while let Some((high, low, blocks)) = counter.take(&mut blocks) {
        let mut first = u128::from(low) << 64 | u128::from(high);
        by_rounds!(add_stream FORTH, keys, &mut first, blocks);
    }
}

pub(crate) fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    by_rounds!(encrypt_chain FORTH, keys, iv, blocks);
}

pub(crate) fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    by_rounds!(sum_chain FORTH, keys, sum, blocks);
}

pub(crate) fn cbc_decrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    let mut before = u128::from_le_bytes(*iv);
    by_rounds!(decrypt_chain BACK, keys, &mut before, blocks);
    *iv = before.to_le_bytes();
}

/// XTS in the common way.
struct Blocks<'a>(&'a RoundKeys);

impl BlockCipher for Blocks<'_> {
    type Block = [u8; 16];

    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        encrypt_blocks(self.0, blocks);
    }
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        decrypt_blocks(self.0, blocks);
    }
}

pub(crate) fn xts_encrypt(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    Blocks(keys).xts_encrypt(tweak, blocks);
}

pub(crate) fn xts_decrypt(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    Blocks(keys).xts_decrypt(tweak, blocks);
}

/// KeyExpansion (FIPS 197, 5.2).
pub(crate) fn expand(key: &[u8], keys: &mut RoundKeys) {
    let nk = key.len() / 4;
    keys.rounds = nk + 6;
    let words = keys.encrypt.as_flattened_mut().as_chunks_mut::<4>().0;
    let mut last = [0u32; 8];
    for (i, from) in key.as_chunks().0.iter().enumerate() {
        words[i] = *from;
        last[i] = u32::from_le_bytes(*from);
    }
    let mut constant = 1;
    for (i, to) in words[nk..4 * (nk + 7)].iter_mut().enumerate() {
        let (place, before) = (i % nk, last[(i + nk - 1) % nk]);
        last[place] ^= match place {
            0 => {
                let word = sub_word(before.rotate_right(8)) ^ constant;
                constant = (constant << 1) ^ ((constant >> 7) * 0x11b);
                word
            }
            4 if nk > 6 => sub_word(before),
            _ => before,
        };
        *to = last[place].to_le_bytes();
    }
    last.wipe();
    keys.decrypt[0] = keys.encrypt[keys.rounds];
    keys.decrypt[keys.rounds] = keys.encrypt[0];
    for i in 1..keys.rounds {
        inv_mix_columns(&keys.encrypt[keys.rounds - i], &mut keys.decrypt[i]);
    }
}

/// SubWord.
#[allow(unsafe_code)] // In assembly.
fn sub_word(mut word: u32) -> u32 {
    // SAFETY: the row is chosen on CPUs with these instructions, and they change only registers.
    unsafe {
        asm!(
            "mtvsrwz 32, {word}",
            "vsbox 0, 0",
            "mfvsrwz {word}, 32",
            word = inout(reg) word,
            out("v0") _,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    word
}

/// InvMixColumns: the inverse of a last round, which has none, and then of a round.
#[allow(unsafe_code)] // In assembly.
fn inv_mix_columns(key: &[u8; 16], to: &mut [u8; 16]) {
    // SAFETY: as above, but for the key, which is read, and the place that is written.
    unsafe {
        asm!(
            "lxvd2x 34, 0, {order}",
            "vxor 1, 1, 1",
            "lxvd2x 32, 0, {key}",
            "vpermxor 0, 0, 1, 2",
            "vcipherlast 0, 0, 1",
            "vncipher 0, 0, 1",
            "vpermxor 0, 0, 1, 2",
            "stxvd2x 32, 0, {to}",
            order = in(reg_nonzero) &ORDER,
            key = in(reg_nonzero) key,
            to = in(reg_nonzero) to,
            out("v0") _,
            out("v1") _,
            out("v2") _,
            options(nostack, preserves_flags),
        );
    }
}
