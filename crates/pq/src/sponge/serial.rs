//! A long hash that goes along with the others.

use super::{Function, take_in};
use adamant_hash::hazmat::keccak::{self, Rate, Rounds, State};

/// Blocks that a [`Serial`] has room for: those of the longest key that is hashed.
const SERIAL: usize = 20 * 136;

/// One long hash of public bytes that become known bit by bit while other hashes fill the lanes:
/// its blocks go along in a lane of its own as soon as they are there.
pub(crate) struct Serial {
    pub(super) rate: usize,
    pub(super) state: State,
    /// The input with its padding.
    input: [u8; SERIAL],
    /// How many bytes of it were taken in, are known, and will be.
    pub(super) taken: usize,
    known: usize,
    len: usize,
}

impl Serial {
    /// A hash of this many bytes.
    pub(crate) fn new(function: Function, len: usize) -> Self {
        let rate = function.rate;
        let mut input = [0; SERIAL];
        input[len] = function.suffix;
        input[(len / rate + 1) * rate - 1] |= 0x80;
        Serial {
            rate,
            state: [0; 25],
            input,
            taken: 0,
            known: 0,
            len,
        }
    }

    /// The next bytes of the input.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.input[self.known..][..bytes.len()].copy_from_slice(bytes);
        self.known += bytes.len();
        if self.known == self.len {
            self.known = (self.len / self.rate + 1) * self.rate;
        }
    }

    /// The next block, if it is known.
    pub(super) fn next(&self) -> Option<&[u8]> {
        self.input[self.taken..self.known].get(..self.rate)
    }

    /// Takes in the next block, if it is known; the state that is to be permuted then.
    pub(super) fn take_block(&mut self) -> Option<&mut State> {
        let block = self.input[self.taken..self.known].get(..self.rate)?;
        take_in(&mut self.state, block);
        self.taken += self.rate;
        Some(&mut self.state)
    }

    /// Does the rest; all bytes must be known.
    pub(crate) fn finish(&mut self, one: keccak::Backend, out: &mut [u8]) {
        let rate = Rate::new(self.rate).expect("a rate of SHA-3");
        let rest = &self.input[self.taken..self.known];
        one.absorb(&mut self.state, rest, rate, Rounds::ALL);
        for (bytes, lane) in out.chunks_mut(8).zip(self.state) {
            bytes.copy_from_slice(&lane.to_le_bytes()[..bytes.len()]);
        }
    }
}
