//! Hashes of many short inputs, eight at once.
//!
//! All that lattice schemes hash has a length known beforehand, and most of it does not wait for
//! the rest. So an operation lists its hashes as [`Job`]s, of any functions of the SHA-3 family
//! side by side, and [`run`] puts them through the lanes of [`keccak::lanes`]: a lane that is done
//! takes the next job at once, and a long hash is one lane among others. Long jobs go first.

use adamant_base::{Secret, Wipe};
use adamant_hash::keccak::lanes::{self, Blocks, States};
use adamant_hash::keccak::{self, Rounds, State};

/// Bytes of a block and the bits that end the message.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    rate: usize,
    suffix: u8,
}

/// H of ML-KEM.
pub(crate) const SHA3_256: Function = Function {
    rate: 136,
    suffix: 0x06,
};
/// G of ML-KEM.
pub(crate) const SHA3_512: Function = Function {
    rate: 72,
    suffix: 0x06,
};
/// The XOF that matrices are drawn from.
pub(crate) const SHAKE128: Function = Function {
    rate: 168,
    suffix: 0x1f,
};
/// PRF and J of ML-KEM, H of ML-DSA.
pub(crate) const SHAKE256: Function = Function {
    rate: 136,
    suffix: 0x1f,
};

/// The implementations of the permutation, of one state and of eight.
#[derive(Clone, Copy)]
pub(crate) struct Keccak {
    pub(crate) one: keccak::Backend,
    pub(crate) eight: lanes::Backend,
}

/// One hash: the input is the parts and the tail in a row.
pub(crate) struct Job<'a> {
    function: Function,
    parts: [&'a [u8]; 4],
    tail: [u8; 2],
    tail_len: usize,
    /// Whether the last block, with the padding, was taken in.
    padded: bool,
    /// What of the output is still missing.
    out: &'a mut [u8],
}

impl<'a> Job<'a> {
    /// Fills `out` with the hash of the parts in a row.
    #[inline]
    pub(crate) fn new<const N: usize>(
        function: Function,
        parts: [&'a [u8]; N],
        out: &'a mut [u8],
    ) -> Self {
        const { assert!(N <= 4) };
        let mut all: [&[u8]; 4] = [&[]; 4];
        all[..N].copy_from_slice(&parts);
        Job {
            function,
            parts: all,
            tail: [0; 2],
            tail_len: 0,
            padded: false,
            out,
        }
    }

    /// The same with a few bytes behind the parts.
    #[inline]
    pub(crate) fn tail<const N: usize>(mut self, tail: [u8; N]) -> Self {
        const { assert!(N <= 2) };
        self.tail[..N].copy_from_slice(&tail);
        self.tail_len = N;
        self
    }

    /// Writes the next block of the input, with zeros behind it.
    #[inline]
    fn next_block(&mut self, block: &mut [u8; 192]) {
        let rate = self.function.rate;
        *block = [0; 192];
        let mut at = 0;
        for part in &mut self.parts {
            let (now, later) = part.split_at(part.len().min(rate - at));
            block[at..at + now.len()].copy_from_slice(now);
            at += now.len();
            *part = later;
        }
        while at < rate && self.tail_len > 0 {
            block[at] = self.tail[0];
            self.tail[0] = self.tail[1];
            self.tail_len -= 1;
            at += 1;
        }
        if at < rate {
            block[at] = self.function.suffix;
            block[rate - 1] |= 0x80;
            self.padded = true;
        }
    }

    /// Takes up to a block of output from lanes in order.
    #[inline]
    fn read(&mut self, lane: impl Fn(usize) -> u64) {
        let out = core::mem::take(&mut self.out);
        let (now, later) = out.split_at_mut(out.len().min(self.function.rate));
        let (words, rest) = now.as_chunks_mut::<8>();
        let count = words.len();
        for (i, word) in words.iter_mut().enumerate() {
            *word = lane(i).to_le_bytes();
        }
        if !rest.is_empty() {
            let len = rest.len();
            rest.copy_from_slice(&lane(count).to_le_bytes()[..len]);
        }
        self.out = later;
    }

    /// Does the rest on a state of its own.
    fn finish(mut self, one: keccak::Backend, state: &mut State, block: &mut [u8; 192]) {
        while !self.padded {
            self.next_block(block);
            for (lane, word) in state.iter_mut().zip(block.as_chunks().0) {
                *lane ^= u64::from_le_bytes(*word);
            }
            one.permute(state, Rounds::ALL);
            if self.padded {
                self.read(|i| state[i]);
            }
        }
        while !self.out.is_empty() {
            one.permute(state, Rounds::ALL);
            self.read(|i| state[i]);
        }
    }
}

/// What the kernels work on, aligned for their loads.
#[repr(align(64))]
struct Room {
    states: States,
    blocks: Blocks,
    state: State,
}

impl Wipe for Room {
    fn wipe(&mut self) {
        self.states.as_flattened_mut().wipe();
        self.blocks.as_flattened_mut().wipe();
        self.state.wipe();
    }
}

/// Does one job, which needs no lanes.
fn run_alone(keccak: Keccak, job: Job) {
    let mut state: Secret<State> = Secret::new([0; 25]);
    let mut block = Secret::new([0; 192]);
    job.finish(keccak.one, &mut state, &mut block);
}

/// Does every job. Their outputs must not be empty.
pub(crate) fn run<'a>(keccak: Keccak, jobs: impl IntoIterator<Item = Job<'a>>) {
    let mut jobs = jobs.into_iter().fuse();
    let pair = (jobs.next(), jobs.next());
    let (Some(first), Some(second)) = pair else {
        if let Some(job) = pair.0 {
            run_alone(keccak, job);
        }
        return;
    };
    let mut jobs = [first, second].into_iter().chain(jobs);
    let mut lanes: [Option<Job>; 8] = [const { None }; 8];
    let mut room = Secret::new(Room {
        states: [[0; 8]; 25],
        blocks: [[0; 192]; 8],
        state: [0; 25],
    });
    let Room {
        states,
        blocks,
        state,
    } = &mut *room;
    // Which lanes had a job, and which blocks hold a message still, where zeros are due.
    let (mut used, mut dirty) = ([false; 8], [false; 8]);
    loop {
        for (i, lane) in lanes.iter_mut().enumerate().filter(|(_, l)| l.is_none()) {
            *lane = jobs.next();
            if lane.is_none() {
                break;
            }
            if core::mem::replace(&mut used[i], true) {
                for row in states.iter_mut() {
                    row[i] = 0;
                }
            }
        }
        let active = lanes.iter().flatten().count();
        if active < keccak.eight.break_even() {
            break;
        }
        let mut absorb = false;
        for (i, lane) in lanes.iter_mut().enumerate() {
            match lane {
                Some(job) if !job.padded => {
                    job.next_block(&mut blocks[i]);
                    (absorb, dirty[i]) = (true, true);
                }
                _ if dirty[i] => (blocks[i], dirty[i]) = ([0; 192], false),
                _ => {}
            }
        }
        if absorb {
            keccak.eight.absorb(states, blocks, Rounds::ALL);
        } else {
            keccak.eight.permute(states, Rounds::ALL);
        }
        for (i, place) in lanes.iter_mut().enumerate() {
            if let Some(job) = place.as_mut().filter(|job| job.padded) {
                job.read(|word| states[word][i]);
                if job.out.is_empty() {
                    *place = None;
                }
            }
        }
    }
    // Too few are left to fill the lanes.
    for (i, lane) in lanes.into_iter().enumerate() {
        if let Some(job) = lane {
            *state = states.map(|row| row[i]);
            job.finish(keccak.one, state, &mut blocks[i]);
        }
    }
    for job in jobs {
        *state = [0; 25];
        job.finish(keccak.one, state, &mut blocks[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_hash::{Sha3_256, Shake128, Shake256, sha3::Sha3_512};
    use adamant_testkit::{TestRng, table};

    /// Jobs of every length around a block's edges, cut into parts, many at once.
    #[test]
    fn jobs_agree_with_the_hashes() {
        let mut rng = TestRng::new(1);
        table!(lanes::Backend).for_each(|eight| {
            for count in [1, 2, 7, 8, 9, 30] {
                let inputs: Vec<(usize, Vec<u8>, [u8; 2])> = (0..count)
                    .map(|i| {
                        let edge = [72, 136, 168, 272][rng.below(4)] + 2 - rng.below(5);
                        (i % 4, rng.bytes(edge), rng.array())
                    })
                    .collect();
                let mut outs: Vec<Vec<u8>> = (0..count)
                    .map(|i| vec![0; [32, 64, 400, 300][i % 4]])
                    .collect();
                let keccak = Keccak {
                    one: keccak::Backend::portable(),
                    eight,
                };
                let jobs = inputs
                    .iter()
                    .zip(&mut outs)
                    .map(|((which, input, tail), out)| {
                        let function = [SHA3_256, SHA3_512, SHAKE128, SHAKE256][*which];
                        let (a, b) = input.split_at(input.len() / 3);
                        Job::new(function, [a, b], out).tail(*tail)
                    });
                run(keccak, jobs);
                for ((which, input, tail), out) in inputs.iter().zip(&outs) {
                    let whole = [&input[..], tail].concat();
                    let mut expected = vec![0; out.len()];
                    match which {
                        0 => expected.copy_from_slice(&Sha3_256::digest(&whole)),
                        1 => expected.copy_from_slice(&Sha3_512::digest(&whole)),
                        2 => Shake128::digest(&whole, &mut expected),
                        _ => Shake256::digest(&whole, &mut expected),
                    }
                    assert_eq!(*out, expected);
                }
            }
        });
    }
}
