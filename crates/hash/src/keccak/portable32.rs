//! KECCAK-p\[1600, n\] on 32-bit words.
//!
//! A lane is held as two words, of its even bits and of its odd ones (the bit interleaving of the
//! Keccak team's implementation overview, 2.1). A rotation of a lane is then one of each word: by
//! an even number of bits they rotate by half of it, by an odd one they change places too. All the
//! other steps work on the words as they do on lanes.

use super::round::two_rounds;
use super::{RC, Rate, Rounds, State, one_by_one};

/// The even bits and the odd ones.
type Lane = [u32; 2];

/// The lower ones of the groups of bits to exchange with their upper neighbours, to gather what
/// is apart: single bits, pairs, groups of four, eight and sixteen.
const EXCHANGES: [u64; 5] = [
    0x2222_2222_2222_2222,
    0x0c0c_0c0c_0c0c_0c0c,
    0x00f0_00f0_00f0_00f0,
    0x0000_ff00_0000_ff00,
    0x0000_0000_ffff_0000,
];

const fn exchange(x: u64, size: usize) -> u64 {
    let swap = (x ^ (x >> (1 << size))) & EXCHANGES[size];
    x ^ swap ^ (swap << (1 << size))
}

const fn split(mut x: u64) -> Lane {
    let mut size = 0;
    while size < 5 {
        x = exchange(x, size);
        size += 1;
    }
    [x as u32, (x >> 32) as u32]
}

fn join([even, odd]: Lane) -> u64 {
    let x = u64::from(odd) << 32 | u64::from(even);
    (0..5).rev().fold(x, exchange)
}

/// The constants of the rounds, by pairs.
static CONSTANTS: [[Lane; 2]; 12] = {
    let mut constants = [[[0; 2]; 2]; 12];
    let mut round = 0;
    while round < 24 {
        constants[round / 2][round % 2] = split(RC[round]);
        round += 1;
    }
    constants
};

#[inline(always)]
fn xor(a: Lane, b: Lane) -> Lane {
    [a[0] ^ b[0], a[1] ^ b[1]]
}
#[inline(always)]
fn xor3(a: Lane, b: Lane, c: Lane) -> Lane {
    xor(xor(a, b), c)
}
#[inline(always)]
fn chi(a: Lane, b: Lane, c: Lane) -> Lane {
    xor(a, [!b[0] & c[0], !b[1] & c[1]])
}
#[inline(always)]
fn rotate_left([even, odd]: Lane, bits: u32) -> Lane {
    let half = bits / 2;
    if bits.is_multiple_of(2) {
        [even.rotate_left(half), odd.rotate_left(half)]
    } else {
        [odd.rotate_left(half + 1), even.rotate_left(half)]
    }
}
macro_rules! rotate {
    ($a:expr, $bits:literal) => {
        rotate_left($a, $bits)
    };
}
macro_rules! theta {
    ($b:expr, $c:expr) => {
        xor($b, rotate!($c, 1))
    };
}
macro_rules! rho {
    ($a:expr, $sum:expr, $bits:literal) => {
        rotate!(xor($a, $sum), $bits)
    };
}

fn permute_lanes(a: &mut [Lane; 25], rounds: Rounds) {
    let (_, constants) = CONSTANTS.split_at(CONSTANTS.len() - rounds.constants().len());
    let mut lanes = *a;
    for constants in constants {
        two_rounds!(lanes, constants; theta xor rho xor3 chi xor);
    }
    *a = lanes;
}

pub(super) fn permute(state: &mut State, rounds: Rounds) {
    let mut a = state.map(split);
    permute_lanes(&mut a, rounds);
    *state = a.map(join);
}

pub(super) fn absorb(state: &mut State, mut blocks: &[u8], rate: Rate, rounds: Rounds) {
    let mut a = state.map(split);
    while let Some(block) = rate.next(&mut blocks) {
        for (lane, bytes) in a.iter_mut().zip(block) {
            *lane = xor(*lane, split(u64::from_le_bytes(*bytes)));
        }
        permute_lanes(&mut a, rounds);
    }
    *state = a.map(join);
}

one_by_one!();
