//! One block at a time, for chains: the eight S-boxes side by side in the bits of a word.
//!
//! The S-boxes are polynomials over GF(2) in their six inputs. Bit `(s, o)` of a word, where the
//! standard has output o of S-box s, belongs to that polynomial: six words hold the inputs, each
//! bit four times over, 64 words the coefficients, and Horner's rule gives all 32 outputs. Words of
//! 64 bits hold two coefficients: the high half is that of a product with the first input.

use adamant_base::Block;
use adamant_base::simd::from_fn;

use super::RoundKeys;
use super::tables::{INITIAL, PERMUTATION, polynomial};

/// The coefficients: bit i of the index stands for input `5 - i`.
const COEFFICIENTS: [u64; 32] = {
    let (mut words, mut s) = ([0; 32], 0);
    while s < 8 {
        let mut o = 0;
        while o < 4 {
            let (terms, mut m) = (polynomial(s, o), 0);
            while m < 32 {
                let place = 31 - (4 * s + o);
                words[m] |= (terms >> m & 1) << place | (terms >> (m + 32) & 1) << (place + 32);
                m += 1;
            }
            o += 1;
        }
        s += 1;
    }
    words
};

/// The lowest bit of every S-box's four.
const LOWEST: u32 = 0x1111_1111;

/// A round key for [`crypt`], its bits given as masks: a word for each input, with the bit of
/// S-box s in the lowest of its four.
#[inline]
pub(super) fn round_key(bit: impl Fn(usize) -> u64) -> [u32; 6] {
    from_fn(|i| {
        (0..8).fold(0, |word, s| {
            word | (bit(6 * s + i) as u32 & 1) << (28 - 4 * s)
        })
    })
}

/// The function f of a round, and P.
#[inline(always)]
fn f(r: u32, key: &[u32; 6]) -> u32 {
    // The selection E: input i of S-box s comes from bit 4 s + i - 1.
    let input = |i: usize| {
        let bits = (r.rotate_right((36 - i as u32) % 32) & LOWEST) ^ key[i];
        u64::from(bits) * 0x0000_000f_0000_000f
    };
    // Each step halves the words: a coefficient, and that of the product with the input.
    macro_rules! horner {
        ($x:expr, $c:expr, $len:literal) => {{
            let (x, c, mut sums) = ($x, $c, [0; $len]);
            let mut i = 0;
            while i < $len {
                sums[i] = c[2 * i] ^ (x & c[2 * i + 1]);
                i += 1;
            }
            sums
        }};
    }
    let c = horner!(input(5), COEFFICIENTS, 16);
    let c = horner!(input(4), c, 8);
    let c = horner!(input(3), c, 4);
    let c = horner!(input(2), c, 2);
    let c = horner!(input(1), c, 1);
    let outputs = c[0] as u32 ^ (input(0) as u32 & (c[0] >> 32) as u32);
    let mut permuted = 0;
    for (rotation, mask) in PERMUTATION.into_iter().enumerate() {
        permuted |= outputs.rotate_left(rotation as u32) & mask;
    }
    permuted
}

/// The steps of the initial permutation: `(from, shift, mask)`, where bits of the mask in the other
/// half change places with those `shift` above them in the half `from`.
const STEPS: [(usize, u32, u32); 5] = [
    (0, 4, 0x0f0f_0f0f),
    (0, 16, 0x0000_ffff),
    (1, 2, 0x3333_3333),
    (1, 8, 0x00ff_00ff),
    (0, 1, 0x5555_5555),
];

#[inline(always)]
const fn exchange(halves: &mut [u32; 2], (from, shift, mask): (usize, u32, u32)) {
    let t = (halves[from] >> shift ^ halves[1 - from]) & mask;
    halves[1 - from] ^= t;
    halves[from] ^= t << shift;
}

/// L and R of a block.
#[inline(always)]
pub(super) const fn enter(block: u64) -> [u32; 2] {
    let mut halves = [(block >> 32) as u32, block as u32];
    let mut i = 0;
    while i < STEPS.len() {
        exchange(&mut halves, STEPS[i]);
        i += 1;
    }
    halves
}

/// The block of L and R.
#[inline(always)]
pub(super) const fn leave(mut halves: [u32; 2]) -> u64 {
    let mut i = STEPS.len();
    while i > 0 {
        i -= 1;
        exchange(&mut halves, STEPS[i]);
    }
    (halves[0] as u64) << 32 | halves[1] as u64
}

// The steps are the permutation, and backwards its inverse.
const _: () = {
    let mut i = 0;
    while i < 64 {
        let block = (1u64 << INITIAL[i]).swap_bytes();
        let halves = enter(block);
        assert!(halves[i / 32] == 1 << (31 - i % 32) && halves[1 - i / 32] == 0);
        assert!(leave(halves) == block);
        i += 1;
    }
};

/// All rounds on a block, a big-endian number.
#[inline]
fn crypt<'a>(block: u64, keys: impl Iterator<Item = &'a [[u32; 6]; 16]>, backwards: bool) -> u64 {
    let [mut l, mut r] = enter(block);
    for keys in keys {
        for i in 0..8 {
            let [even, odd] = [2 * i, 2 * i + 1].map(|i| &keys[if backwards { 15 - i } else { i }]);
            l ^= f(r, even);
            r ^= f(l, odd);
        }
        (l, r) = (r, l);
    }
    leave([l, r])
}

/// The round keys of each pass.
fn passes(keys: &RoundKeys) -> &[[[u32; 6]; 16]] {
    &keys.serial.as_chunks().0[..keys.passes]
}

/// Encrypts a block.
fn encrypt(keys: &RoundKeys, block: [u8; 8]) -> [u8; 8] {
    crypt(u64::from_be_bytes(block), passes(keys).iter(), false).to_be_bytes()
}

/// Decrypts a block.
fn decrypt(keys: &RoundKeys, block: [u8; 8]) -> [u8; 8] {
    crypt(u64::from_be_bytes(block), passes(keys).iter().rev(), true).to_be_bytes()
}

/// Encrypts or decrypts blocks one by one.
pub(super) fn crypt_each<const DECRYPT: bool>(keys: &RoundKeys, blocks: &mut [[u8; 8]]) {
    for block in blocks {
        *block = if DECRYPT {
            decrypt(keys, *block)
        } else {
            encrypt(keys, *block)
        };
    }
}

pub(super) fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 8], blocks: &mut [[u8; 8]]) {
    for block in blocks {
        *block = encrypt(keys, block.xor(*iv));
        *iv = *block;
    }
}

pub(super) fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 8], blocks: &[[u8; 8]]) {
    for block in blocks {
        *sum = encrypt(keys, sum.xor(*block));
    }
}
