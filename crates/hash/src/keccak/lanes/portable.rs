//! Eight states, one after the other.

use super::{Blocks, Chain, States};
use crate::keccak::{self, Rate, Rounds, State};
use adamant_base::simd::from_fn;

pub(super) const fn break_even() -> usize {
    9
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn permute(states: &mut States, rounds: Rounds) {
    let one = keccak::Backend::portable();
    for_each(states, |_, state| one.permute(state, rounds));
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn absorb(states: &mut States, blocks: &Blocks, rounds: Rounds) {
    const BLOCK: Rate = Rate::new(192).unwrap();
    let one = keccak::Backend::portable();
    for_each(states, |i, state| {
        one.absorb(state, &blocks[i], BLOCK, rounds);
    });
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn squeeze(states: &States, blocks: &mut Blocks) {
    for (i, block) in blocks.iter_mut().enumerate() {
        for (word, row) in block.as_chunks_mut().0.iter_mut().zip(states) {
            *word = row[i].to_le_bytes();
        }
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn absorb_messages(
    states: &mut States,
    messages: &[&[u8]; 8],
    rate: Rate,
    rounds: Rounds,
) {
    let one = keccak::Backend::portable();
    let shortest = messages.iter().map(|m| m.len()).min().unwrap_or(0);
    for_each(states, |i, state| {
        one.absorb(state, &messages[i][..shortest], rate, rounds);
    });
}

#[cfg_attr(not(feature = "lab"), inline)]
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
            keccak::Backend::portable().permute(&mut state, Rounds::ALL);
            for (row, word) in blocks[node.clone()].iter_mut().zip(state) {
                row[i] = word;
            }
            blocks[count][i] = blocks[count][i].wrapping_add(Chain::ONE);
        }
    }
}

/// The state in a lane; a map over the rows would copy them.
#[cfg_attr(not(feature = "lab"), inline)]
fn state(states: &States, lane: usize) -> State {
    from_fn(|row| states[row][lane])
}

#[cfg_attr(not(feature = "lab"), inline)]
fn for_each(states: &mut States, run: impl Fn(usize, &mut State)) {
    for i in 0..8 {
        let mut state = state(states, i);
        run(i, &mut state);
        for (lanes, lane) in states.iter_mut().zip(state) {
            lanes[i] = lane;
        }
    }
}
