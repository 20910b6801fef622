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

/// An array of what the macro makes of 0, 1, …: rotations are to be constants, which the bodies of
/// loops do not have.
macro_rules! array {
    (5 $of:ident) => {
        [$of!(0), $of!(1), $of!(2), $of!(3), $of!(4)]
    };
    (25 $of:ident) => {
        [
            $of!(0),
            $of!(1),
            $of!(2),
            $of!(3),
            $of!(4),
            $of!(5),
            $of!(6),
            $of!(7),
            $of!(8),
            $of!(9),
            $of!(10),
            $of!(11),
            $of!(12),
            $of!(13),
            $of!(14),
            $of!(15),
            $of!(16),
            $of!(17),
            $of!(18),
            $of!(19),
            $of!(20),
            $of!(21),
            $of!(22),
            $of!(23),
            $of!(24),
        ]
    };
}

/// One round on words that are kept as [`KEPT`] says.
#[inline(always)]
fn round(words: &State, constant: u64) -> State {
    macro_rules! kept {
        ($i:literal) => {
            Lane {
                word: words[$i],
                bits: const { KEPT[$i].bits },
            }
        };
    }
    let a: [Lane; 25] = array!(25 kept);
    macro_rules! parity {
        ($x:literal) => {
            a[$x]
                .xor(a[$x + 5])
                .xor(a[$x + 10])
                .xor(a[$x + 15])
                .xor(a[$x + 20])
        };
    }
    let c: [Lane; 5] = array!(5 parity);
    macro_rules! theta {
        ($x:literal) => {
            c[($x + 4) % 5].xor(c[($x + 1) % 5].rotate_left(1))
        };
    }
    let d: [Lane; 5] = array!(5 theta);
    macro_rules! rho_pi {
        ($i:literal) => {
            a[const { FROM[$i] }]
                .xor(d[const { FROM[$i] % 5 }])
                .rotate_left(const { ROTATIONS[FROM[$i]] })
        };
    }
    let b: [Lane; 25] = array!(25 rho_pi);
    macro_rules! chi {
        ($i:literal) => {{
            let (b0, b1) = (b[$i], b[$i / 5 * 5 + ($i + 1) % 5]);
            let product = b[$i / 5 * 5 + ($i + 2) % 5].and_not(b1);
            let sum = match const { KEPT[$i].as_b2 } {
                true => product.xor(b0),
                false => b0.xor(product),
            };
            sum.word
        }};
    }
    let mut new: State = array!(25 chi);
    new[0] ^= constant;
    new
}

#[inline(never)] // In `absorb` a call costs nothing.
#[target_feature(enable = "neon")]
pub(super) fn permute(state: &mut State, rounds: Rounds) {
    macro_rules! keep {
        ($i:literal) => {
            state[$i].rotate_right(const { KEPT[$i].bits })
        };
    }
    let mut a: State = array!(25 keep);
    // Six in a row: at the end of the body each lane is moved to where it was.
    for constants in rounds.by_sixes() {
        let [[c0, c1], [c2, c3], [c4, c5]] = *constants;
        a = round(&round(&a, c0), c1);
        a = round(&round(&a, c2), c3);
        a = round(&round(&a, c4), c5);
    }
    macro_rules! rotate {
        ($i:literal) => {
            a[$i].rotate_left(const { KEPT[$i].bits })
        };
    }
    *state = array!(25 rotate);
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
