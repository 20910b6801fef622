//! Many messages over the eight lanes: a lane that is done takes the next message at once.

use super::{Backend, Blocks, States};
use crate::keccak::{self, Rate, Rounds, Sponge, State};
use adamant_base::{Error, Secret, Wipe, same_length};

/// A function of the SHA-3 family with `RATE` bytes in a block.
#[derive(Clone, Copy)]
pub struct Function<const RATE: usize> {
    /// The bits after a message, then the first one of the padding: 0x1f of SHAKE.
    pub suffix: u8,
    /// The rounds of the permutation.
    pub rounds: Rounds,
}

/// What the kernels work on, aligned for their loads.
#[repr(align(64))]
struct Room {
    states: States,
    blocks: Blocks,
}

impl Wipe for Room {
    fn wipe(&mut self) {
        self.states.wipe();
        self.blocks.wipe();
    }
}

/// The message in a lane.
struct Lane<'a, 'b> {
    /// The state that it begins with.
    start: &'a State,
    /// What of it is not taken in yet.
    rest: &'a [u8],
    /// Whether the last block, with the padding, was taken in.
    padded: bool,
    /// What of the output is still missing.
    out: &'b mut [u8],
}

impl<const RATE: usize> Function<RATE> {
    /// Fills each place of `out` with output for the message of the same index.
    ///
    /// # Errors
    /// [`Error::BadLength`] when there are not as many places as messages; `out` is then
    /// untouched.
    pub fn batch<O: AsMut<[u8]>>(
        self,
        backend: Backend,
        messages: &[&[u8]],
        out: &mut [O],
    ) -> Result<(), Error> {
        self.batch_from(backend, &[[0; 25]], messages, out)
    }

    /// As [`Self::batch`], from these states instead of zeros: one for each message, or the same
    /// for all.
    ///
    /// # Errors
    /// As for [`Self::batch`].
    pub(crate) fn batch_from<O: AsMut<[u8]>>(
        self,
        backend: Backend,
        starts: &[State],
        messages: &[&[u8]],
        out: &mut [O],
    ) -> Result<(), Error> {
        same_length(messages.len(), out.len())?;
        let starts = starts.iter().cycle();
        let lanes = messages.iter().zip(out).zip(starts);
        let mut queue = lanes.map(|((message, out), start)| Lane {
            start,
            rest: message,
            padded: false,
            out: out.as_mut(),
        });
        let mut lanes: [Option<Lane>; 8] = [const { None }; 8];
        let mut room = Secret::new(Room {
            states: [[0; 8]; 25],
            blocks: [[0; 192]; 8],
        });
        let Room { states, blocks } = &mut *room;
        loop {
            for (i, lane) in lanes.iter_mut().enumerate().filter(|(_, l)| l.is_none()) {
                *lane = queue.next();
                let start = lane.as_ref().map_or(&[0; 25], |lane| lane.start);
                for (row, word) in states.iter_mut().zip(start) {
                    row[i] = *word;
                }
            }
            if lanes.iter().flatten().count() < backend.break_even() {
                break;
            }
            self.whole_blocks(backend, states, &mut lanes);
            for (lane, block) in lanes.iter_mut().zip(blocks.iter_mut()) {
                if let Some(lane) = lane {
                    self.next_block(lane, block.first_chunk_mut().expect("RATE <= 192"));
                }
            }
            backend.absorb(states, blocks, self.rounds);
            for (i, place) in lanes.iter_mut().enumerate() {
                if let Some(lane) = place.as_mut().filter(|lane| lane.padded) {
                    lane.read::<RATE>(states, i);
                    if lane.out.is_empty() {
                        *place = None;
                    }
                }
            }
        }
        // Too few are left to fill the lanes.
        let one = keccak::Backend::best();
        for (i, lane) in lanes.into_iter().enumerate() {
            if let Some(lane) = lane {
                let at = if lane.padded { RATE } else { 0 };
                let state = adamant_base::simd::from_fn(|k| states[k][i]);
                self.finish(lane, Sponge::resume(state, at, one, self.rounds));
            }
        }
        for lane in queue {
            let sponge = Sponge::resume(*lane.start, 0, one, self.rounds);
            self.finish(lane, sponge);
        }
        Ok(())
    }

    /// Takes in the blocks that every message at hand still has, straight from where they lie.
    #[inline]
    fn whole_blocks(self, backend: Backend, states: &mut States, lanes: &mut [Option<Lane>; 8]) {
        let rest = |lane: &Lane| if lane.padded { 0 } else { lane.rest.len() };
        let Some(shortest) = lanes.iter().flatten().min_by_key(|lane| rest(lane)) else {
            return;
        };
        let len = rest(shortest) / RATE * RATE;
        if len == 0 {
            return;
        }
        // An idle lane goes along with any message.
        let mut messages = [&shortest.rest[..len]; 8];
        for (message, lane) in messages.iter_mut().zip(lanes) {
            if let Some(lane) = lane {
                (*message, lane.rest) = lane.rest.split_at(len);
            }
        }
        let rate = const { Rate::new(RATE).unwrap() };
        backend.absorb_messages(states, &messages, rate, self.rounds);
    }

    /// The next block of a lane: of the message, the last one with the padding, or, once that was
    /// taken in, zeros.
    #[inline]
    fn next_block(self, lane: &mut Lane, block: &mut [u8; RATE]) {
        if let Some((head, rest)) = lane.rest.split_first_chunk() {
            *block = *head;
            lane.rest = rest;
            return;
        }
        *block = [0; RATE];
        if !lane.padded {
            block[..lane.rest.len()].copy_from_slice(lane.rest);
            block[lane.rest.len()] = self.suffix;
            block[RATE - 1] |= 0x80;
            (lane.rest, lane.padded) = (&[], true);
        }
    }

    /// Does the rest of a lane's message on its own.
    fn finish(self, lane: Lane, mut sponge: Sponge<RATE>) {
        if !lane.padded {
            sponge.absorb(lane.rest);
            sponge.finish(self.suffix);
        }
        sponge.squeeze(lane.out);
    }
}

impl Lane<'_, '_> {
    /// Fills up to a block of the output from state `i`.
    #[inline]
    fn read<const RATE: usize>(&mut self, states: &States, i: usize) {
        let out = core::mem::take(&mut self.out);
        let (now, later) = out.split_at_mut(out.len().min(RATE));
        for (bytes, row) in now.chunks_mut(8).zip(states) {
            bytes.copy_from_slice(&row[i].to_le_bytes()[..bytes.len()]);
        }
        self.out = later;
    }
}
