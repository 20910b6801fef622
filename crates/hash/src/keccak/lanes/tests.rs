use super::batch::Function;
use super::*;
use crate::keccak::Sponge;
use adamant_base::Error;
use adamant_testkit::{TestRng, table};

#[test]
fn kernels_agree_with_one_state() {
    let mut rng = TestRng::new(1);
    let one = crate::keccak::Backend::portable();
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
                    one.permute(&mut state, rounds);
                    assert_eq!(permuted.map(|row| row[i]), state);
                    let mut state = states.map(|row| row[i]);
                    for (lane, word) in state.iter_mut().zip(blocks[i].as_chunks().0) {
                        *lane ^= u64::from_le_bytes(*word);
                    }
                    one.permute(&mut state, rounds);
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
    let one = crate::keccak::Backend::portable();
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
                        one.permute(&mut state, Rounds::ALL);
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

/// Messages of any lengths: as many blocks are taken from each as the shortest has.
#[test]
fn messages_agree_with_one_state() {
    let mut rng = TestRng::new(3);
    let one = crate::keccak::Backend::portable();
    table!(Backend).for_each(|backend| {
        for bytes in (8..=200).step_by(8) {
            let rate = Rate::new(bytes).unwrap();
            for len in [0, bytes - 1, bytes, 3 * bytes, 3 * bytes + 5] {
                let longer = len + rng.below(2 * bytes);
                let messages: [Vec<u8>; 8] =
                    core::array::from_fn(|i| rng.bytes(if i % 3 == 0 { len } else { longer }));
                let messages = messages.each_ref().map(Vec::as_slice);
                let states: States = core::array::from_fn(|_| rng.words());
                let mut absorbed = states;
                backend.absorb_messages(&mut absorbed, &messages, rate, Rounds::ALL);
                for i in 0..8 {
                    let mut state = states.map(|row| row[i]);
                    one.absorb(&mut state, &messages[i][..len], rate, Rounds::ALL);
                    assert_eq!(absorbed.map(|row| row[i]), state, "{bytes} {len}");
                }
            }
        }
    });
}

/// Batches of every size up to 20, of random lengths around block edges and of equal ones, with
/// outputs of random and of equal lengths: bit for bit what one sponge gives.
#[test]
fn batches_agree_with_one_sponge() {
    fn check<const RATE: usize>(function: Function<RATE>) {
        let one = crate::keccak::Backend::portable();
        let mut rng = TestRng::new(2);
        table!(Backend).for_each(|backend| {
            for count in 0..=20 {
                for equal in [None, Some((3 * RATE, 32)), Some((1, 2 * RATE + 1))] {
                    let lengths: Vec<(usize, usize)> = (0..count)
                        .map(|_| {
                            let edge = RATE * rng.below(5) + rng.below(3);
                            equal.unwrap_or((edge.saturating_sub(1), rng.below(3 * RATE)))
                        })
                        .collect();
                    let messages: Vec<Vec<u8>> =
                        lengths.iter().map(|(len, _)| rng.bytes(*len)).collect();
                    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
                    let mut outs: Vec<Vec<u8>> =
                        lengths.iter().map(|(_, len)| vec![0; *len]).collect();
                    function.batch(backend, &messages, &mut outs).unwrap();
                    for (message, out) in messages.iter().zip(outs) {
                        let mut sponge = Sponge::<RATE>::new(one, function.rounds);
                        sponge.absorb(message);
                        sponge.finish(function.suffix);
                        let mut expected = vec![0; out.len()];
                        sponge.squeeze(&mut expected);
                        assert!(out == expected, "{count} messages of {lengths:?}");
                    }
                }
            }
        });
    }
    let rounds = Rounds::ALL;
    check::<168>(Function {
        suffix: 0x1f,
        rounds: Rounds::LAST_12,
    });
    check::<136>(Function { suffix: 6, rounds });
    check::<72>(Function { suffix: 6, rounds });
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
