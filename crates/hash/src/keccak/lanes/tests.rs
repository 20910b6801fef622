use super::batch::Function;
use super::*;
use crate::reference::keccak as reference;
use adamant_base::Error;
use adamant_testkit::{TestRng, table};

#[test]
fn kernels_agree_with_one_state() {
    let mut rng = TestRng::new(1);
    table!(Backend).for_each(|backend| {
        for rounds in [Rounds::ALL, Rounds::LAST_12] {
            for _ in 0..50 {
                let states: States = core::array::from_fn(|_| rng.words());
                let blocks: Blocks = core::array::from_fn(|_| rng.array());
                let (mut permuted, mut absorbed) = (states, states);
                backend.permute(&mut permuted, rounds);
                backend.absorb(&mut absorbed, &blocks, rounds);
                for i in 0..8 {
                    let mut state = states.map(|row| row[i]);
                    reference::permute(&mut state, 2 * rounds.constants().len());
                    assert_eq!(permuted.map(|row| row[i]), state);
                    let mut state = states.map(|row| row[i]);
                    for (lane, word) in state.iter_mut().zip(blocks[i].as_chunks().0) {
                        *lane ^= u64::from_le_bytes(*word);
                    }
                    reference::permute(&mut state, 2 * rounds.constants().len());
                    assert_eq!(absorbed.map(|row| row[i]), state);
                }
                let mut written = blocks;
                backend.squeeze(&absorbed, &mut written);
                for (i, block) in written.iter().enumerate() {
                    for (word, row) in block.as_chunks().0.iter().zip(&absorbed) {
                        assert_eq!(u64::from_le_bytes(*word), row[i]);
                    }
                }
            }
        }
    });
}

/// Chains, each step by the permutation of one state.
#[test]
fn chains_agree_with_one_state() {
    let mut rng = TestRng::new(5);
    table!(Backend).for_each(|backend| {
        for (words, steps) in [(2, 0), (2, 1), (2, 15), (3, 4), (4, 7)] {
            let chain = Chain {
                at: words + 4,
                words,
                steps,
            };
            let blocks: States = core::array::from_fn(|_| rng.words());
            let keep = core::array::from_fn(|_| rng.below(steps as usize + 2) as u64);
            let (mut got, mut kept) = (blocks, [[0; 8]; 4]);
            backend.chain(&mut got, &mut kept, &keep, chain);
            for i in 0..8 {
                let mut block = blocks.map(|row| row[i]);
                let mut expected = [0; 4];
                for step in 0..=steps {
                    if keep[i] == step {
                        expected[..words].copy_from_slice(&block[chain.at..][..words]);
                    }
                    if step < steps {
                        let mut state = block;
                        reference::permute(&mut state, 24);
                        block[chain.at..][..words].copy_from_slice(&state[..words]);
                        block[chain.at - 1] = block[chain.at - 1].wrapping_add(1 << 56);
                    }
                }
                assert_eq!(got.map(|row| row[i]), block);
                assert_eq!(kept.map(|row| row[i]), expected);
            }
        }
    });
}

#[test]
fn as_many_places_as_messages() {
    let function = Function::<136> {
        suffix: 6,
        rounds: Rounds::ALL,
    };
    let mut out = [[7; 32]; 2];
    let error = function.batch(Backend::best(), &[b"one"], &mut out);
    let expected = Error::BadLength {
        expected: 1,
        actual: 2,
    };
    assert_eq!(error, Err(expected));
    assert_eq!(out, [[7; 32]; 2]);
}
