//! KECCAK-p\[1600, n\] where operands of logical instructions are rotated for nothing.
//!
//! A lane is kept rotated: what was computed from lanes that have yet to be rotated by `r` bits
//! has to be rotated by `r` itself, and where two are to be rotated by different amounts, an
//! instruction rotates its second operand by the difference. So χ's result, b0 ⊕ (¬b1 ∧ b2), is kept
//! as b0 or as b2 is; one of the two for each lane, such that after a round every lane is
//! kept as it was before ([`KEPT`]). That this can be follows from lane (0, 0), which ρ and π leave
//! alone: a lane kept as one that is kept as … as that one is fixed. No instruction of a round is
//! then a rotation.

use super::portable64::ROTATIONS;
use super::{Rate, Rounds, State};
use adamant_base::simd::from_fn;

/// The place from which π takes each lane.
const FROM: [usize; 25] = {
    let mut from = [0; 25];
    let mut i = 0;
    while i < 25 {
        let (x, y) = (i % 5, i / 5);
        from[y + 5 * ((2 * x + 3 * y) % 5)] = i;
        i += 1;
    }
    from
};

/// How far a lane is still to be rotated to the left, and whether it is kept as b2 is.
#[derive(Clone, Copy)]
struct Kept {
    bits: u32,
    as_b2: bool,
}

const KEPT: [Kept; 25] = {
    let first = Kept {
        bits: 0,
        as_b2: false,
    };
    let mut kept = [None; 25];
    kept[0] = Some(first);
    let mut known = 1;
    while known < 25 {
        let mut i = 1;
        while i < 25 {
            let (b0, b2) = (FROM[i], FROM[(i + 2) % 5 + i / 5 * 5]);
            if kept[i].is_none() {
                kept[i] = match (kept[b0], kept[b2]) {
                    (Some(Kept { bits, .. }), _) => Some(Kept {
                        bits: (bits + ROTATIONS[b0]) % 64,
                        as_b2: false,
                    }),
                    (None, Some(Kept { bits, .. })) => Some(Kept {
                        bits: (bits + ROTATIONS[b2]) % 64,
                        as_b2: true,
                    }),
                    (None, None) => None,
                };
                known += kept[i].is_some() as usize;
            }
            i += 1;
        }
    }
    let mut all = [first; 25];
    let mut i = 0;
    while i < 25 {
        all[i] = kept[i].unwrap();
        i += 1;
    }
    all
};

/// A word that is still to be rotated by `bits` to the left.
#[derive(Clone, Copy)]
struct Lane {
    word: u64,
    bits: u32,
}

impl Lane {
    /// The word of `other`, rotated so that it is to be rotated as `self` is.
    #[inline(always)]
    fn align(self, other: Lane) -> u64 {
        other.word.rotate_left((64 + other.bits - self.bits) % 64)
    }

    #[inline(always)]
    fn xor(self, other: Lane) -> Lane {
        Lane {
            word: self.word ^ self.align(other),
            bits: self.bits,
        }
    }

    #[inline(always)]
    fn and_not(self, other: Lane) -> Lane {
        Lane {
            word: self.word & !self.align(other),
            bits: self.bits,
        }
    }

    #[inline(always)]
    fn rotate_left(self, bits: u32) -> Lane {
        Lane {
            word: self.word,
            bits: (self.bits + bits) % 64,
        }
    }
}

/// One round on words that are kept as [`KEPT`] says.
#[inline(always)]
fn round(words: &State, constant: u64) -> State {
    let a: [Lane; 25] = from_fn(|i| Lane {
        word: words[i],
        bits: KEPT[i].bits,
    });
    let c: [Lane; 5] = from_fn(|x| {
        a[x].xor(a[x + 5])
            .xor(a[x + 10])
            .xor(a[x + 15])
            .xor(a[x + 20])
    });
    let d: [Lane; 5] = from_fn(|x| c[(x + 4) % 5].xor(c[(x + 1) % 5].rotate_left(1)));
    let b: [Lane; 25] = from_fn(|i| {
        let from = FROM[i];
        a[from].xor(d[from % 5]).rotate_left(ROTATIONS[from])
    });
    let mut new = from_fn(|i| {
        let row = i / 5 * 5;
        let (b0, b1, b2) = (b[i], b[row + (i + 1) % 5], b[row + (i + 2) % 5]);
        let product = b2.and_not(b1);
        let lane = if KEPT[i].as_b2 {
            product.xor(b0)
        } else {
            b0.xor(product)
        };
        lane.word
    });
    new[0] ^= constant;
    new
}

#[inline(never)] // In `absorb` a call costs nothing.
#[target_feature(enable = "neon")]
pub(super) fn permute(state: &mut State, rounds: Rounds) {
    let mut a: State = from_fn(|i| state[i].rotate_right(KEPT[i].bits));
    for [first, second] in rounds.constants() {
        a = round(&round(&a, *first), *second);
    }
    *state = from_fn(|i| a[i].rotate_left(KEPT[i].bits));
}

#[target_feature(enable = "neon")]
pub(super) fn absorb(state: &mut State, mut blocks: &[u8], rate: Rate, rounds: Rounds) {
    while let Some(block) = rate.next(&mut blocks) {
        for (lane, bytes) in state.iter_mut().zip(block) {
            *lane ^= u64::from_le_bytes(*bytes);
        }
        permute(state, rounds);
    }
}
