//! Filling the matrix of blocks (RFC 9106, 3.2 to 3.4).
//!
//! A lane is cut into four segments; those of all lanes that lie above each other make a slice.
//! Blocks lie in memory slice by slice, in it lane by lane: while a slice is filled, a lane writes
//! only to its own segment and reads from this and the other three slices, so that the lanes of a
//! slice are independent, and the borrow checker knows it.

use super::hash::h_prime;
use super::{Argon2, Backend, Block, Variant};
use adamant_base::{Secret, Wipe, ct};

/// Slices of a pass.
const SLICES: usize = 4;

/// What a derivation fills.
pub(super) struct Shape {
    variant: Variant,
    passes: usize,
    lanes: usize,
    /// Blocks of a segment.
    segment: usize,
}

/// A segment that is being filled.
#[derive(Clone, Copy)]
struct Segment<'a> {
    shape: &'a Shape,
    backend: Backend,
    pass: usize,
    slice: usize,
    lane: usize,
    /// The slices before this one and after it.
    before: &'a [Block],
    after: &'a [Block],
}

impl Shape {
    pub(super) fn new(argon2: &Argon2) -> Self {
        let lanes = argon2.lanes as usize;
        Shape {
            variant: argon2.variant,
            passes: argon2.passes as usize,
            lanes,
            segment: argon2.memory as usize / (SLICES * lanes),
        }
    }

    /// m': the memory, cut to whole segments.
    pub(super) fn blocks(&self) -> usize {
        self.slice() * SLICES
    }

    fn slice(&self) -> usize {
        self.segment * self.lanes
    }

    /// Blocks of a lane.
    fn lane(&self) -> usize {
        self.segment * SLICES
    }
}

/// The first two blocks of each lane.
pub(super) fn start(shape: &Shape, backend: Backend, h0: &[u8; 64], memory: &mut [Block]) {
    let mut bytes = Secret::new([0; 1024]);
    for lane in 0..shape.lanes {
        for column in 0..2 {
            let number = |n: usize| (n as u32).to_le_bytes();
            h_prime(&[h0, &number(column), &number(lane)], &mut *bytes);
            let block = &mut memory[lane * shape.segment + column];
            for (word, bytes) in block.iter_mut().zip(bytes.as_chunks().0) {
                *word = u64::from_le_bytes(*bytes);
            }
            backend.arrange(block);
        }
    }
}

/// All passes.
pub(super) fn fill(shape: &Shape, backend: Backend, memory: &mut [Block]) {
    for pass in 0..shape.passes {
        for slice in 0..SLICES {
            let (before, rest) = memory.split_at_mut(slice * shape.slice());
            let (now, after) = rest.split_at_mut(shape.slice());
            let (before, after) = (&*before, &*after);
            let fill = |(lane, blocks): (usize, &mut [Block])| {
                Segment {
                    shape,
                    backend,
                    pass,
                    slice,
                    lane,
                    before,
                    after,
                }
                .fill(blocks);
            };
            #[cfg(feature = "rayon")]
            if shape.lanes > 1 {
                use rayon::prelude::*;
                let segments = now.par_chunks_exact_mut(shape.segment);
                segments.enumerate().for_each(fill);
                continue;
            }
            let segments = now.chunks_exact_mut(shape.segment);
            segments.enumerate().for_each(fill);
        }
    }
}

/// The output: H' of the last column's sum.
pub(super) fn finish(shape: &Shape, backend: Backend, memory: &[Block], out: &mut [u8]) {
    let mut sum = Secret::new([0; 128]);
    let last_slice = &memory[(SLICES - 1) * shape.slice()..];
    for segment in last_slice.chunks_exact(shape.segment) {
        for (sum, word) in sum.iter_mut().zip(&segment[shape.segment - 1]) {
            *sum ^= word;
        }
    }
    backend.restore(&mut sum);
    let mut bytes = [0; 1024];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(*sum) {
        *bytes = word.to_le_bytes();
    }
    h_prime(&[&bytes], out);
    bytes.wipe();
}

impl<'a> Segment<'a> {
    /// RFC 9106, 3.4: fills the blocks of the segment in order.
    fn fill(&self, blocks: &mut [Block]) {
        let public = match self.shape.variant {
            Variant::D => false,
            Variant::I => true,
            Variant::Id => self.pass == 0 && self.slice < SLICES / 2,
        };
        let mut addresses = public.then(|| Addresses::new(self));
        // The first two blocks of a lane are there already.
        let first = if self.pass == 0 && self.slice == 0 {
            2
        } else {
            0
        };
        let len = blocks.len();
        for i in first..len {
            let (done, rest) = blocks.split_at_mut(i);
            let previous = done.last().unwrap_or_else(|| {
                let lane = self.shape.lane();
                self.finished(
                    self.lane,
                    (self.slice * self.shape.segment + lane - 1) % lane,
                )
            });
            let numbers = match &mut addresses {
                Some(addresses) => {
                    let numbers = addresses.at(i);
                    // What the next block will read is known already.
                    if i + 1 < len
                        && let Some(next) = addresses.after(i)
                    {
                        prefetch(self.reference(next, i + 1, done));
                    }
                    numbers
                }
                None => {
                    let mut numbers = previous[0];
                    // Public by design: which blocks Argon2d and Argon2id read is not hidden.
                    ct::mark_public_value(&mut numbers);
                    numbers
                }
            };
            let reference = self.reference(numbers, i, done);
            let xor = self.pass > 0;
            self.backend
                .compress(previous, reference, &mut rest[0], xor);
        }
    }

    /// RFC 9106, 3.4.2: the block that J_1 and J_2, the lower and upper half of `numbers`, choose
    /// for block `i`; `done` are those of this segment that are finished.
    #[inline]
    fn reference<'b>(&self, numbers: u64, i: usize, done: &'b [Block]) -> &'b Block
    where
        'a: 'b,
    {
        let (j1, j2) = (numbers & 0xffff_ffff, (numbers >> 32) as usize);
        let segment = self.shape.segment;
        let lane = if self.pass == 0 && self.slice == 0 {
            self.lane
        } else {
            j2 % self.shape.lanes
        };
        // The finished columns: of the first pass those up to here, later those of three slices.
        // In this lane the segment's too, but for the block before; in others, at its start, all
        // but the last.
        let (start, finished) = if self.pass == 0 {
            (0, self.slice * segment)
        } else {
            ((self.slice + 1) % SLICES * segment, (SLICES - 1) * segment)
        };
        let area = if lane == self.lane {
            finished + i - 1
        } else {
            finished - usize::from(i == 0)
        };
        let x = (j1 * j1) >> 32;
        let y = (area as u64 * x) >> 32;
        let column = (start + area - 1 - y as usize) % self.shape.lane();
        match column.checked_sub(self.slice * segment) {
            Some(own) if own < segment => &done[own],
            _ => self.finished(lane, column),
        }
    }

    /// A block outside this slice.
    #[inline]
    fn finished(&self, lane: usize, column: usize) -> &'a Block {
        let (slice, column) = (column / self.shape.segment, column % self.shape.segment);
        let (blocks, slice) = if slice < self.slice {
            (self.before, slice)
        } else {
            (self.after, slice - self.slice - 1)
        };
        &blocks[slice * self.shape.slice() + lane * self.shape.segment + column]
    }
}

/// RFC 9106, 3.4.1.2: pairs J_1 and J_2 from public numbers, 128 at a time.
struct Addresses {
    backend: Backend,
    input: Block,
    pairs: Block,
}

impl Addresses {
    fn new(segment: &Segment) -> Self {
        let shape = segment.shape;
        let mut input = [0; 128];
        let numbers = [
            segment.pass,
            segment.lane,
            segment.slice,
            shape.blocks(),
            shape.passes,
            shape.variant as usize,
        ];
        for (word, number) in input.iter_mut().zip(numbers) {
            *word = number as u64;
        }
        Addresses {
            backend: segment.backend,
            input,
            pairs: [0; 128],
        }
    }

    /// The pair of block `i`; they are asked for in order.
    fn at(&mut self, i: usize) -> u64 {
        let counter = i as u64 / 128 + 1;
        if self.input[6] != counter {
            self.input[6] = counter;
            let zero = [0; 128];
            let (mut z, mut once) = (self.input, zero);
            self.backend.arrange(&mut z);
            self.backend.compress(&zero, &z, &mut once, false);
            self.backend.compress(&zero, &once, &mut self.pairs, false);
            self.backend.restore(&mut self.pairs);
        }
        self.pairs[i % 128]
    }

    /// The pair after that of block `i`, if it is known already.
    fn after(&self, i: usize) -> Option<u64> {
        self.pairs.get(i % 128 + 1).copied()
    }
}

/// Asks for a block that will be read soon.
#[inline]
fn prefetch(block: &Block) {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    adamant_base::simd::prefetch(block);
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let _ = block;
}
