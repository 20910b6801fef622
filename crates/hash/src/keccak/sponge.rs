//! The sponge of FIPS 202, 4: input is taken into the first `RATE` bytes of the state, output is
//! read from them, with a permutation between blocks.

use super::{Backend, Rate, Rounds, State};
use adamant_base::Wipe;

/// A sponge: first it absorbs, and from [`Sponge::finish`] on it is squeezed.
#[derive(Clone)]
pub(crate) struct Sponge<const RATE: usize> {
    state: State,
    /// Bytes of the block at hand taken in (then fewer than `RATE`) or given out.
    at: usize,
    rounds: Rounds,
    backend: Backend,
}

impl<const RATE: usize> Sponge<RATE> {
    const BLOCK: Rate = Rate::new(RATE).unwrap();

    pub(crate) const fn new(backend: Backend, rounds: Rounds) -> Self {
        Self::resume([0; 25], 0, backend, rounds)
    }

    /// The sponge that has this state after the first `at` bytes of a block.
    pub(crate) const fn resume(state: State, at: usize, backend: Backend, rounds: Rounds) -> Self {
        Sponge {
            state,
            at,
            rounds,
            backend,
        }
    }

    /// The state, if it lies between two blocks of the input.
    #[inline]
    pub(crate) fn between_blocks(&self) -> Option<&State> {
        (self.at == 0).then_some(&self.state)
    }

    /// Takes in `data`.
    #[inline]
    pub(crate) fn absorb(&mut self, mut data: &[u8]) {
        debug_assert!(self.at < RATE);
        if self.at > 0 {
            let Some((head, rest)) = data.split_at_checked(RATE - self.at) else {
                xor_bytes(&mut self.state, self.at, data);
                self.at += data.len();
                return;
            };
            xor_bytes(&mut self.state, self.at, head);
            self.permute();
            data = rest;
        }
        let (blocks, rest) = data.as_chunks::<RATE>();
        if !blocks.is_empty() {
            self.backend.absorb(
                &mut self.state,
                blocks.as_flattened(),
                Self::BLOCK,
                self.rounds,
            );
        }
        xor_bytes(&mut self.state, 0, rest);
        self.at = rest.len();
    }

    /// Goes on with the next block, if any of this one was taken in: zeros fill it up.
    #[inline]
    pub(crate) fn next_block(&mut self) {
        if self.at > 0 {
            self.permute();
        }
    }

    /// Ends the input: `suffix` holds, from the lowest bit, the bits after the message that keep
    /// functions apart, and the first one of the padding 10*1 (FIPS 202, 5.1 and B.2).
    #[inline]
    pub(crate) fn finish(&mut self, suffix: u8) {
        debug_assert!(self.at < RATE && suffix != 0);
        self.state[self.at / 8] ^= u64::from(suffix) << (8 * (self.at % 8));
        self.state[RATE / 8 - 1] ^= 0x80 << 56;
        self.permute();
    }

    /// Gives out the next bytes.
    #[inline]
    pub(crate) fn squeeze(&mut self, mut out: &mut [u8]) {
        debug_assert!(self.at <= RATE);
        loop {
            let (now, later) = out.split_at_mut(out.len().min(RATE - self.at));
            copy_bytes(&self.state, self.at, now);
            self.at += now.len();
            if later.is_empty() {
                return;
            }
            self.permute();
            out = later;
        }
    }

    #[inline]
    fn permute(&mut self) {
        self.backend.permute(&mut self.state, self.rounds);
        self.at = 0;
    }
}

/// Takes `data` into the bytes of the state from `at` on.
#[inline]
fn xor_bytes(state: &mut State, at: usize, data: &[u8]) {
    let head = data.len().min(at.wrapping_neg() % 8);
    let (head, data) = data.split_at(head);
    let (words, tail) = data.as_chunks();
    let word = at.div_ceil(8);
    // Bytes of one lane go there together: each by itself would wait for the one before.
    let single = |state: &mut State, at: usize, bytes: &[u8]| {
        if !bytes.is_empty() {
            let places = (at..).map(|at| 8 * (at % 8));
            let bits = bytes
                .iter()
                .zip(places)
                .map(|(byte, place)| u64::from(*byte) << place);
            state[at / 8] ^= bits.fold(0, |word, bits| word | bits);
        }
    };
    single(state, at, head);
    for (lane, bytes) in state[word..].iter_mut().zip(words) {
        *lane ^= u64::from_le_bytes(*bytes);
    }
    single(state, 8 * (word + words.len()), tail);
}

/// Copies bytes of the state from `at` on.
#[inline]
fn copy_bytes(state: &State, at: usize, out: &mut [u8]) {
    let head = out.len().min(at.wrapping_neg() % 8);
    let (head, out) = out.split_at_mut(head);
    let (words, tail) = out.as_chunks_mut();
    let word = at.div_ceil(8);
    let single = |at: usize, bytes: &mut [u8]| {
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = (state[(at + i) / 8] >> (8 * ((at + i) % 8))) as u8;
        }
    };
    single(at, head);
    for (bytes, lane) in words.iter_mut().zip(&state[word..]) {
        *bytes = lane.to_le_bytes();
    }
    single(8 * (word + words.len()), tail);
}

impl<const RATE: usize> Wipe for Sponge<RATE> {
    #[inline]
    fn wipe(&mut self) {
        self.state.wipe();
        self.at = 0;
    }
}

impl<const RATE: usize> Drop for Sponge<RATE> {
    #[inline]
    fn drop(&mut self) {
        self.wipe();
    }
}
