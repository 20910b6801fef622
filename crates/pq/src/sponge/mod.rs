//! Hashes of many short inputs, eight at once.
//!
//! All that lattice schemes hash has a length known beforehand, and most of it does not wait for
//! the rest. So an operation lists its hashes as [`Job`]s, of any functions of the SHA-3 family
//! side by side, and [`run`] puts them through the lanes of [`keccak::lanes`]: a lane that is done
//! takes the next job at once, and a long hash is one lane among others. Long jobs go first.

mod serial;
#[cfg(test)]
mod tests;

use adamant_base::{Secret, Wipe};
use adamant_hash::hazmat::keccak::lanes::{self, Blocks, States};
use adamant_hash::hazmat::keccak::{self, Rate, Rounds, State};
use core::ops::Range;
pub(crate) use serial::Serial;

/// Bytes of a block and the bits that end the message.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    rate: usize,
    suffix: u8,
}

impl Function {
    /// Bytes of a block.
    pub(crate) const fn rate(self) -> usize {
        self.rate
    }
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
    place: Place<'a>,
}

/// Where the output of a job goes.
enum Place<'a> {
    Bytes(&'a mut [u8]),
    Drawn(Drawn),
}

/// A polynomial that a [`Sink`] draws, in the making.
pub(crate) struct Drawn {
    pub(crate) kind: Kind,
    /// The number of its key among those at hand, and its own.
    pub(crate) key: usize,
    pub(crate) at: usize,
    /// How much is known.
    pub(crate) count: usize,
}

/// What is drawn.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// A polynomial of a matrix.
    Uniform,
    /// One with short coefficients.
    Short,
}

/// The polynomials of keys, range by range: those of the first for every key, then of the next.
pub(crate) struct InTurn {
    keys: usize,
    ranges: [(Kind, Range<usize>); 4],
    /// The next one.
    range: usize,
    key: usize,
    at: usize,
}

impl InTurn {
    pub(crate) fn new(keys: usize, ranges: [(Kind, Range<usize>); 4]) -> Self {
        InTurn {
            keys,
            at: ranges[0].1.start,
            ranges,
            range: 0,
            key: 0,
        }
    }
}

impl Iterator for InTurn {
    type Item = (Kind, usize, usize);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (kind, range) = self.ranges.get(self.range)?;
            if self.at < range.end && self.key < self.keys {
                self.at += 1;
                return Some((*kind, self.key, self.at - 1));
            }
            self.key += 1;
            if self.key >= self.keys {
                self.key = 0;
                self.range += 1;
            }
            self.at = self.ranges.get(self.range)?.1.start;
        }
    }
}

/// What draws polynomials.
pub(crate) trait Sink {
    /// Takes the next block of a job's output; whether it needs no more.
    fn take(&mut self, drawn: &mut Drawn, block: &[u8]) -> bool;

    /// The hash that goes along in a lane when it can.
    fn serial(&mut self) -> Option<&mut Serial> {
        None
    }
}

/// Where all outputs are bytes.
struct Nothing;

impl Sink for Nothing {
    fn take(&mut self, _: &mut Drawn, _: &[u8]) -> bool {
        true
    }
}

impl Place<'_> {
    /// Takes the next block of the output; whether no more is needed.
    #[inline]
    fn take(&mut self, block: &[u8], sink: &mut dyn Sink) -> bool {
        match self {
            Place::Bytes(place) => {
                let out = core::mem::take(place);
                let (now, later) = out.split_at_mut(out.len().min(block.len()));
                now.copy_from_slice(&block[..now.len()]);
                *place = later;
                place.is_empty()
            }
            Place::Drawn(drawn) => sink.take(drawn, block),
        }
    }
}

impl<'a> Job<'a> {
    /// Fills `out`, which is not empty, with the hash of the parts in a row.
    #[inline]
    pub(crate) fn new<const N: usize>(
        function: Function,
        parts: [&'a [u8]; N],
        out: &'a mut [u8],
    ) -> Self {
        Job::to(function, parts, Place::Bytes(out))
    }

    /// Draws a polynomial from the hash of the parts in a row.
    #[inline]
    pub(crate) fn draw<const N: usize>(
        function: Function,
        parts: [&'a [u8]; N],
        kind: Kind,
        key: usize,
        at: usize,
    ) -> Self {
        let count = 0;
        let drawn = Drawn {
            kind,
            key,
            at,
            count,
        };
        Job::to(function, parts, Place::Drawn(drawn))
    }

    #[inline]
    fn to<const N: usize>(function: Function, parts: [&'a [u8]; N], place: Place<'a>) -> Self {
        const { assert!(N <= 4) };
        let mut all: [&[u8]; 4] = [&[]; 4];
        all[..N].copy_from_slice(&parts);
        Job {
            function,
            parts: all,
            tail: [0; 2],
            tail_len: 0,
            padded: false,
            place,
        }
    }

    /// The same with a few bytes after the parts.
    #[inline]
    pub(crate) fn tail<const N: usize>(mut self, tail: [u8; N]) -> Self {
        const { assert!(N <= 2) };
        self.tail[..N].copy_from_slice(&tail);
        self.tail_len = N;
        self
    }

    /// Takes all of the input, if it is whole words and fits into one block, into a state of zeros.
    #[inline]
    fn take_all(&mut self, states: &mut States, i: usize) {
        let rate = self.function.rate;
        let words: usize = self.parts.iter().map(|part| part.len()).sum();
        if words + self.tail_len >= rate || self.parts.iter().any(|part| part.len() % 8 != 0) {
            return;
        }
        let mut rows = states.iter_mut();
        for part in &mut self.parts {
            for (word, row) in part.as_chunks().0.iter().zip(&mut rows) {
                row[i] = u64::from_le_bytes(*word);
            }
            *part = &[];
        }
        let suffix = u64::from(self.function.suffix) << (8 * self.tail_len);
        if let Some(row) = rows.next() {
            // Not by way of bytes in memory, which the processor would wait for.
            row[i] = u64::from(u16::from_le_bytes(self.tail)) | suffix;
        }
        states[rate / 8 - 1][i] ^= 1 << 63;
        self.tail_len = 0;
        self.padded = true;
    }

    /// Writes the next block of the input, with zeros after it.
    #[inline]
    fn next_block(&mut self, block: &mut [u8; 192]) {
        let rate = self.function.rate;
        *block = [0; 192];
        let mut at = 0;
        for part in self.parts.iter_mut().filter(|part| !part.is_empty()) {
            let (now, later) = part.split_at(part.len().min(rate - at));
            match (<&[u8; 32]>::try_from(now), block[at..].first_chunk_mut()) {
                (Ok(now), Some(to)) => *to = *now,
                _ => block[at..at + now.len()].copy_from_slice(now),
            }
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

    /// Does the rest on a state of its own, beside the blocks of the sink's hash that are known.
    fn finish(
        mut self,
        one: keccak::Backend,
        state: &mut State,
        block: &mut [u8; 192],
        sink: &mut dyn Sink,
    ) {
        loop {
            if !self.padded {
                self.next_block(block);
                take_in(state, block);
            }
            match sink.serial().and_then(Serial::take_block) {
                Some(other) => one.permute_two(state, other, Rounds::ALL),
                None => one.permute(state, Rounds::ALL),
            }
            if self.padded {
                write_out(state, block);
                if self.place.take(&block[..self.function.rate], sink) {
                    return;
                }
            }
        }
    }
}

/// A block into the state by exclusive or.
fn take_in(state: &mut State, block: &[u8]) {
    for (lane, word) in state.iter_mut().zip(block.as_chunks().0) {
        *lane ^= u64::from_le_bytes(*word);
    }
}

/// The first lanes of a state.
fn write_out(state: &State, block: &mut [u8; 192]) {
    for (word, lane) in block.as_chunks_mut().0.iter_mut().zip(state) {
        *word = lane.to_le_bytes();
    }
}

/// What the kernels work on, aligned for their loads.
#[repr(align(64))]
struct Room {
    states: States,
    blocks: Blocks,
    outs: Blocks,
}

impl Wipe for Room {
    fn wipe(&mut self) {
        self.states.as_flattened_mut().wipe();
        self.blocks.as_flattened_mut().wipe();
        self.outs.as_flattened_mut().wipe();
    }
}

/// The jobs to come, for lanes to take.
trait Jobs<'a> {
    /// Puts the next jobs into the lanes of the mask; says into which.
    fn fill(&mut self, lanes: &mut Lanes<'a>, free: u32) -> u32;
}

type Lanes<'a> = [Option<Job<'a>>; 8];

/// The mask of all lanes.
const ALL: u32 = 0xff;

impl<'a, I: Iterator<Item = Job<'a>>> Jobs<'a> for I {
    // There is one of these for each list of jobs, so it is small: what makes a job is there once.
    fn fill(&mut self, lanes: &mut Lanes<'a>, mut free: u32) -> u32 {
        let all = free;
        while let Some(lane) = lanes.get_mut(free.trailing_zeros() as usize) {
            let Some(job) = self.next() else {
                break;
            };
            *lane = Some(job);
            free &= free - 1;
        }
        all & !free
    }
}

/// What is left of the jobs.
struct Rest<'j, 'a> {
    jobs: &'j mut dyn Jobs<'a>,
    done: bool,
}

impl<'a> Rest<'_, 'a> {
    /// Puts the next jobs into the lanes of the mask, which have none; says into which.
    #[inline]
    fn fill(&mut self, lanes: &mut Lanes<'a>, free: u32) -> u32 {
        if self.done || free == 0 {
            return 0;
        }
        let fresh = self.jobs.fill(lanes, free);
        self.done = fresh != free;
        fresh
    }
}

/// Does every job. Their outputs must not be empty.
#[inline]
pub(crate) fn run<'a>(keccak: Keccak, jobs: impl IntoIterator<Item = Job<'a>>) {
    do_all(keccak, &mut jobs.into_iter(), &mut Nothing);
}

/// Does every job, with polynomials that the sink draws.
#[inline]
pub(crate) fn run_to<'a>(
    keccak: Keccak,
    jobs: impl IntoIterator<Item = Job<'a>>,
    sink: &mut dyn Sink,
) {
    do_all(keccak, &mut jobs.into_iter(), sink);
}

/// Compiled once for all lists of jobs.
#[inline(never)]
fn do_all<'a>(keccak: Keccak, jobs: &mut dyn Jobs<'a>, sink: &mut dyn Sink) {
    let mut lanes: Lanes = [const { None }; 8];
    let mut rest = Rest { jobs, done: false };
    let fresh = rest.fill(&mut lanes, ALL);
    if fresh.count_ones() as usize >= keccak.eight.break_even() {
        side_by_side(keccak, &mut rest, &mut lanes, fresh, sink);
    }
    // Too few are left to fill the lanes, or were there from the beginning.
    let mut state = Secret::new([0; 25]);
    let mut block = Secret::new([0; 192]);
    loop {
        for job in lanes.iter_mut().filter_map(Option::take) {
            *state = [0; 25];
            job.finish(keccak.one, &mut state, &mut block, sink);
        }
        if rest.fill(&mut lanes, ALL) == 0 {
            return;
        }
    }
}

/// Does jobs until there are too few to fill the lanes. Those in lanes have just begun.
#[inline(never)]
fn side_by_side<'a>(
    keccak: Keccak,
    rest: &mut Rest<'_, 'a>,
    lanes: &mut Lanes<'a>,
    mut fresh: u32,
    sink: &mut dyn Sink,
) {
    let mut room = Secret::new(Room {
        states: [[0; 8]; 25],
        blocks: [[0; 192]; 8],
        outs: [[0; 192]; 8],
    });
    let Room {
        states,
        blocks,
        outs,
    } = &mut *room;
    let mut busy = fresh;
    // Which blocks hold a message still, where zeros are due.
    let mut dirty = [false; 8];
    // The lane of the hash that goes along.
    let mut guest: Option<usize> = None;
    loop {
        for (i, lane) in lanes.iter_mut().enumerate() {
            if let (Some(job), 1) = (lane, fresh >> i & 1) {
                job.take_all(states, i);
            }
        }
        whole_blocks(keccak, states, lanes);
        let mut absorb = guest.is_some();
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
        if let (Some(i), Some(serial)) = (guest, sink.serial()) {
            for (row, lane) in states.iter_mut().zip(&serial.state) {
                row[i] = *lane;
            }
            let block = serial.next().expect("a known block");
            blocks[i][..block.len()].copy_from_slice(block);
            dirty[i] = true;
        }
        if absorb {
            keccak.eight.absorb(states, blocks, Rounds::ALL);
        } else {
            keccak.eight.permute(states, Rounds::ALL);
        }
        if let (Some(i), Some(serial)) = (guest, sink.serial()) {
            copy_lane(&mut serial.state, states, i);
            serial.taken += serial.rate;
        }
        if lanes.iter().flatten().any(|job| job.padded) {
            keccak.eight.squeeze(states, outs);
        }
        for (i, (place, out)) in lanes.iter_mut().zip(&*outs).enumerate() {
            if let Some(job) = place.as_mut().filter(|job| job.padded)
                && job.place.take(&out[..job.function.rate], sink)
            {
                *place = None;
                busy &= !(1 << i);
            }
        }
        let known = sink.serial().is_some_and(|serial| serial.next().is_some());
        let idle = (!busy).trailing_zeros() as usize;
        guest = (known && idle < 8).then_some(idle);
        let kept = guest.map_or(0, |i| 1 << i);
        fresh = rest.fill(lanes, ALL & !(busy | kept));
        clear(states, busy, fresh);
        busy |= fresh;
        let active = busy.count_ones() as usize;
        if active == 0 && guest.is_none() {
            return;
        }
        if active + usize::from(guest.is_some()) < keccak.eight.break_even() {
            break;
        }
    }
    let mut state = Secret::new([0; 25]);
    for (i, lane) in lanes.iter_mut().enumerate() {
        if let Some(job) = lane.take() {
            copy_lane(&mut state, states, i);
            job.finish(keccak.one, &mut state, &mut blocks[i], sink);
        }
    }
}

/// The state in a lane.
fn copy_lane(state: &mut State, states: &States, i: usize) {
    for (word, row) in state.iter_mut().zip(states) {
        *word = row[i];
    }
}

/// Zeros in the states of lanes that begin, beside those that go on.
#[inline]
fn clear(states: &mut States, go_on: u32, mut fresh: u32) {
    if fresh != 0 && go_on == 0 {
        *states = [[0; 8]; 25];
        return;
    }
    while fresh != 0 {
        let i = fresh.trailing_zeros() as usize % 8;
        for row in states.iter_mut() {
            row[i] = 0;
        }
        fresh &= fresh - 1;
    }
}

/// Takes in the whole blocks that every one of eight inputs of the same rate has, straight from
/// where they lie.
#[inline]
fn whole_blocks(keccak: Keccak, states: &mut States, lanes: &mut Lanes) {
    let Some(Job { function, .. }) = &lanes[0] else {
        return;
    };
    let rate = function.rate;
    let mut parts: [&[u8]; 8] = [&[]; 8];
    let mut len = usize::MAX;
    for (part, lane) in parts.iter_mut().zip(&*lanes) {
        let fits = |job: &&Job| !job.padded && job.function.rate == rate;
        let Some(job) = lane.as_ref().filter(fits) else {
            return;
        };
        let first = job.parts.iter().find(|part| !part.is_empty());
        *part = first.copied().unwrap_or_default();
        len = len.min(part.len() / rate * rate);
    }
    if len == 0 {
        return;
    }
    for (part, lane) in parts.iter_mut().zip(lanes) {
        let mut parts = lane.iter_mut().flat_map(|job| &mut job.parts);
        if let Some(rest) = parts.find(|part| !part.is_empty()) {
            (*part, *rest) = rest.split_at(len);
        }
    }
    let rate = Rate::new(rate).expect("a rate of SHA-3");
    keccak
        .eight
        .absorb_messages(states, &parts, rate, Rounds::ALL);
}
