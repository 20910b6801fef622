//! ChaCha20 with NEON: six blocks at once.
//!
//! 1. Of four blocks vector `i` holds word `i`, so a quarter round on vectors is four quarter
//!    rounds. After the rounds, four 4 × 4 transpositions bring each block's words together.
//! 2. The other two lie in four rows each: a quarter round on rows is that of all columns, and
//!    turning three of the rows makes columns of the diagonals. Cores with four vector units have
//!    time for them while the quarter rounds of the four wait for each other.
//! 3. Rotations by 16 and 8 bits move whole bytes, which one instruction does.

use super::state;
use adamant_base::Secret;
use adamant_base::simd::{load_u8, load_u32, store_u8, store_u32};
use core::arch::aarch64::{
    uint8x16_t, uint32x4_t, vaddq_u32, vdupq_laneq_u32, vdupq_n_u32, veorq_u8, veorq_u32,
    vextq_u32, vqtbl1q_u8, vreinterpretq_u8_u32, vreinterpretq_u16_u32, vreinterpretq_u32_u8,
    vreinterpretq_u32_u16, vreinterpretq_u32_u64, vreinterpretq_u64_u32, vrev32q_u16, vshrq_n_u32,
    vsliq_n_u32, vzip1q_u32, vzip1q_u64, vzip2q_u32, vzip2q_u64,
};

/// What is worked on at once.
pub(crate) const AT_ONCE: usize = 6;

/// For `tbl`: rotates each 32-bit word left by 8 bits.
static BY_8: [u8; 16] = [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14];

/// The state of the next block before the rounds, in rows.
pub(crate) struct Start(Secret<[[u32; 4]; 4]>);

impl Start {
    #[inline]
    pub(crate) fn new(key: &[u32; 8], counter: u32, nonce: &[u32; 3]) -> Self {
        let words = Secret::new(state(key, counter, nonce));
        let mut rows = Secret::new([[0; 4]; 4]);
        rows.as_flattened_mut().copy_from_slice(&*words);
        Start(rows)
    }

    /// The rows of a block so far ahead.
    #[inline]
    #[target_feature(enable = "neon")]
    fn rows(&self, ahead: u32) -> [uint32x4_t; 4] {
        let [a, b, c, d] = self.0.each_ref().map(|row| load_u32(row));
        [a, b, c, vaddq_u32(d, load_u32(&[ahead, 0, 0, 0]))]
    }

    /// The words of four blocks.
    #[inline]
    #[target_feature(enable = "neon")]
    fn words(&self) -> [uint32x4_t; 16] {
        let mut words = [vdupq_n_u32(0); 16];
        for (words, row) in words.as_chunks_mut().0.iter_mut().zip(self.rows(0)) {
            *words = [
                vdupq_laneq_u32::<0>(row),
                vdupq_laneq_u32::<1>(row),
                vdupq_laneq_u32::<2>(row),
                vdupq_laneq_u32::<3>(row),
            ];
        }
        words[12] = vaddq_u32(words[12], load_u32(&[0, 1, 2, 3]));
        words
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn advance(&mut self, blocks: usize) {
        let [.., counter] = self.rows(blocks as u32);
        store_u32(&mut self.0[3], counter);
    }
}

/// The states of four blocks by words, if `FOURS` is 1, and then of `ROWS` by rows.
pub(crate) struct Blocks<const FOURS: usize, const ROWS: usize> {
    fours: [[uint32x4_t; 16]; FOURS],
    rows: [[uint32x4_t; 4]; ROWS],
}

#[inline]
#[target_feature(enable = "neon")]
fn rotate_16(x: uint32x4_t) -> uint32x4_t {
    vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x)))
}

#[inline]
#[target_feature(enable = "neon")]
fn rotate_8(x: uint32x4_t, by_8: uint8x16_t) -> uint32x4_t {
    vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), by_8))
}

/// Of the two ways to insert, compilers take the other for a rotation and make of it a shift that
/// adds, which is slower.
#[inline]
#[target_feature(enable = "neon")]
fn rotate_left<const LEFT: i32, const RIGHT: i32>(x: uint32x4_t) -> uint32x4_t {
    const { assert!(LEFT + RIGHT == 32) };
    vsliq_n_u32::<LEFT>(vshrq_n_u32::<RIGHT>(x), x)
}

/// Transposes a 4 × 4 matrix of words, given as its rows.
#[inline]
#[target_feature(enable = "neon")]
fn transpose([r0, r1, r2, r3]: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
    let low = |a, b| {
        let (a, b) = (vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b));
        vreinterpretq_u32_u64(vzip1q_u64(a, b))
    };
    let high = |a, b| {
        let (a, b) = (vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b));
        vreinterpretq_u32_u64(vzip2q_u64(a, b))
    };
    let (a0, a1) = (vzip1q_u32(r0, r1), vzip2q_u32(r0, r1));
    let (b0, b1) = (vzip1q_u32(r2, r3), vzip2q_u32(r2, r3));
    [low(a0, b0), high(a0, b0), low(a1, b1), high(a1, b1)]
}

/// A quarter of a quarter round, on the four by words and on all rows.
macro_rules! quarter {
    (
        $blocks:ident,
        [$(($a:literal $b:literal $d:literal))*],
        $ra:literal $rb:literal $rd:literal,
        $rotate:expr
    ) => {
        for v in &mut $blocks.fours {
            $( v[$a] = vaddq_u32(v[$a], v[$b]); )*
            $( v[$d] = $rotate(veorq_u32(v[$d], v[$a])); )*
        }
        for v in &mut $blocks.rows {
            v[$ra] = vaddq_u32(v[$ra], v[$rb]);
            v[$rd] = $rotate(veorq_u32(v[$rd], v[$ra]));
        }
    };
}

macro_rules! quarter_rounds {
    ($blocks:ident $by_8:ident, $(($a:literal $b:literal $c:literal $d:literal))*) => {
        quarter!($blocks, [$(($a $b $d))*], 0 1 3, rotate_16);
        quarter!($blocks, [$(($c $d $b))*], 2 3 1, rotate_left::<12, 20>);
        quarter!($blocks, [$(($a $b $d))*], 0 1 3, |x| rotate_8(x, $by_8));
        quarter!($blocks, [$(($c $d $b))*], 2 3 1, rotate_left::<7, 25>);
    };
}

/// Two rounds, and something after each.
macro_rules! double_round {
    ($blocks:ident, $first:expr, $second:expr) => {{
        let by_8 = load_u8(&BY_8);
        quarter_rounds!($blocks by_8, (0 4 8 12) (1 5 9 13) (2 6 10 14) (3 7 11 15));
        for [_, b, c, d] in &mut $blocks.rows {
            *b = vextq_u32::<1>(*b, *b);
            *c = vextq_u32::<2>(*c, *c);
            *d = vextq_u32::<3>(*d, *d);
        }
        $first;
        quarter_rounds!($blocks by_8, (0 5 10 15) (1 6 11 12) (2 7 8 13) (3 4 9 14));
        for [_, b, c, d] in &mut $blocks.rows {
            *b = vextq_u32::<3>(*b, *b);
            *c = vextq_u32::<2>(*c, *c);
            *d = vextq_u32::<1>(*d, *d);
        }
        $second;
    }};
}

impl<const FOURS: usize, const ROWS: usize> Blocks<FOURS, ROWS> {
    /// The blocks after their rounds. With each of the first double rounds, `beside` is done on two of
    /// at most twenty `parts`: after each round, or, where two blocks by rows take many registers, after
    /// both.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn new<T>(start: &Start, parts: &[[T; 2]], mut beside: impl FnMut(&T)) -> Self {
        debug_assert!(parts.len() <= 10);
        const { assert!(FOURS <= 1) };
        let mut rows = [start.rows(0); ROWS];
        for (i, rows) in rows.iter_mut().enumerate() {
            *rows = start.rows((4 * FOURS + i) as u32);
        }
        let fours = [start.words(); FOURS];
        let mut blocks = Blocks { fours, rows };
        for [first, second] in parts {
            let crowded = ROWS == 2;
            double_round!(
                blocks,
                if !crowded {
                    beside(first);
                },
                {
                    if crowded {
                        beside(first);
                    }
                    beside(second);
                }
            );
        }
        for _ in parts.len()..10 {
            double_round!(blocks, {}, {});
        }
        blocks
    }

    /// Takes the exclusive or of the data, as many blocks or more, and the key stream.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn add_to(self, start: &Start, data: &mut [[u8; 64]]) {
        let (four, others) = data[..4 * FOURS + ROWS].split_at_mut(4 * FOURS);
        for mut words in self.fours {
            words[12] = vaddq_u32(words[12], load_u32(&[0, 1, 2, 3]));
            let first = start.rows(0);
            for (i, words) in words.as_chunks::<4>().0.iter().enumerate() {
                for (block, row) in four.iter_mut().zip(transpose(*words)) {
                    let quarter = &mut block.as_chunks_mut().0[i];
                    add_row(quarter, vaddq_u32(row, first[i]));
                }
            }
        }
        for (j, (block, rows)) in others.iter_mut().zip(self.rows).enumerate() {
            let first = start.rows((4 * FOURS + j) as u32);
            for (i, quarter) in block.as_chunks_mut().0.iter_mut().enumerate() {
                add_row(quarter, vaddq_u32(rows[i], first[i]));
            }
        }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn add_row(data: &mut [u8; 16], row: uint32x4_t) {
    store_u8(data, veorq_u8(load_u8(data), vreinterpretq_u8_u32(row)));
}

/// As many blocks as the first ones by words and by rows are.
#[inline]
#[target_feature(enable = "neon")]
fn group<const FOURS: usize, const ROWS: usize>(start: &Start, data: &mut [[u8; 64]; AT_ONCE]) {
    Blocks::<FOURS, ROWS>::new(start, &[[(); 2]; 0], |()| {}).add_to(start, data);
}

#[target_feature(enable = "neon")]
pub(crate) fn xor(key: &[u32; 8], counter: u32, nonce: &[u32; 3], data: &mut [u8]) {
    let mut start = Start::new(key, counter, nonce);
    let (groups, _) = data.as_chunks_mut::<64>().0.as_chunks_mut::<AT_ONCE>();
    let done = size_of_val(groups);
    for blocks in groups {
        group::<1, 2>(&start, blocks);
        start.advance(AT_ONCE);
    }
    let rest = &mut data[done..];
    if rest.is_empty() {
        return;
    }
    let mut last = Secret::new([[0; 64]; AT_ONCE]);
    last.as_flattened_mut()[..rest.len()].copy_from_slice(rest);
    match rest.len().div_ceil(64) {
        ..=2 => group::<0, 2>(&start, &mut last),
        3..=4 => group::<1, 0>(&start, &mut last),
        5 => group::<1, 1>(&start, &mut last),
        _ => group::<1, 2>(&start, &mut last),
    }
    rest.copy_from_slice(&last.as_flattened()[..rest.len()]);
}
