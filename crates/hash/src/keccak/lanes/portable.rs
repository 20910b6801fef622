//! Eight states, one after the other.

use super::{Blocks, Chain, States};
use crate::keccak::{self, Rate, Rounds, State};
use adamant_base::simd::from_fn;

pub(super) const fn break_even() -> usize {
    9
}

/// The functions of the table, by these two of one state.
macro_rules! one_by_one {
    ($permute:expr, $absorb:expr $(, #[$features:meta])*) => {
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$features])*
        pub(super) fn permute(states: &mut States, rounds: Rounds) {
            for_each(states, |_, state| $permute(state, rounds));
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$features])*
        pub(super) fn absorb(states: &mut States, blocks: &Blocks, rounds: Rounds) {
            const BLOCK: Rate = Rate::new(192).unwrap();
            for_each(states, |i, state| {
                $absorb(state, &blocks[i], BLOCK, rounds);
            });
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$features])*
        pub(super) fn squeeze(states: &States, blocks: &mut Blocks) {
            for (i, block) in blocks.iter_mut().enumerate() {
                for (word, row) in block.as_chunks_mut().0.iter_mut().zip(states) {
                    *word = row[i].to_le_bytes();
                }
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$features])*
        pub(super) fn absorb_messages(
            states: &mut States,
            messages: &[&[u8]; 8],
            rate: Rate,
            rounds: Rounds,
        ) {
            let shortest = messages.iter().map(|m| m.len()).min().unwrap_or(0);
            for_each(states, |i, state| {
                $absorb(state, &messages[i][..shortest], rate, rounds);
            });
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$features])*
        pub(super) fn chain(blocks: &mut States, kept: &mut [[u64; 8]; 4], keep: &[u64; 8], chain: Chain) {
            let (count, node) = chain.places();
            for i in 0..8 {
                for step in 0..=chain.steps {
                    if keep[i] == step {
                        for (to, row) in kept.iter_mut().zip(&blocks[node.clone()]) {
                            to[i] = row[i];
                        }
                    }
                    if step == chain.steps {
                        break;
                    }
                    let mut state = state(blocks, i);
                    $permute(&mut state, Rounds::ALL);
                    for (row, word) in blocks[node.clone()].iter_mut().zip(state) {
                        row[i] = word;
                    }
                    blocks[count][i] = blocks[count][i].wrapping_add(Chain::ONE);
                }
            }
        }
    };
}
#[cfg(target_arch = "aarch64")]
pub(super) use one_by_one;

one_by_one!(
    |state: &mut State, rounds| keccak::Backend::portable().permute(state, rounds),
    |state: &mut State, blocks: &[u8], rate, rounds| {
        keccak::Backend::portable().absorb(state, blocks, rate, rounds);
    }
);

/// The state in a lane; a map over the rows would copy them.
#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn state(states: &States, lane: usize) -> State {
    from_fn(|row| states[row][lane])
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn for_each(states: &mut States, run: impl Fn(usize, &mut State)) {
    for i in 0..8 {
        let mut state = state(states, i);
        run(i, &mut state);
        for (lanes, lane) in states.iter_mut().zip(state) {
            lanes[i] = lane;
        }
    }
}
