//! Every implementation against the portable one: lengths around block edges, misaligned buffers,
//! split updates.
//!
//! Lengths run through three blocks (so that a loop over blocks starts, goes on and ends), and up to
//! nine whole ones, each at 16 misalignments; updates are cut at and beside every block edge.

use crate::{Table, TestRng};
use adamant_base::family::Hash;
use core::fmt::{self, Debug};

/// Bytes beyond the third block that still belong to the edge.
const BEYOND: usize = 9;
/// The alignment against which misalignments count.
const LINE: usize = 64;

/// Every length up to three blocks and a bit; for blocks above 256 bytes, those beside an edge; and
/// four to nine whole blocks.
///
/// ```
/// use adamant_testkit::equivalence::edge_lengths;
/// let lengths: Vec<_> = (0..=21).chain([24, 28, 32, 36]).collect();
/// assert_eq!(edge_lengths(4).collect::<Vec<_>>(), lengths);
/// assert!(edge_lengths(1024).any(|len| len == 1023));
/// assert!(!edge_lengths(1024).any(|len| len == 500));
/// ```
pub fn edge_lengths(block_len: usize) -> impl Iterator<Item = usize> {
    let short = 3 * block_len + BEYOND;
    let beside_an_edge = move |len: &usize| {
        let past = len % block_len;
        block_len <= 256 || past <= BEYOND || block_len - past <= BEYOND
    };
    let whole = (4..=9).map(move |blocks| blocks * block_len);
    (0..=short)
        .filter(beside_an_edge)
        .chain(whole.filter(move |len| *len > short))
}

/// Compares hash functions: `new` gives the empty state on an implementation.
///
/// # Panics
/// At the first difference.
pub fn hash<B: Copy + Debug, H: Hash>(table: &Table<B>, new: impl Fn(B) -> H) {
    streaming(table, H::BLOCK_LEN, new, H::update, H::finalize);
}

/// Compares functions that take their input piecewise: `new` gives the empty state on an
/// implementation, `block_len` is the number of bytes that it works on at once.
///
/// # Panics
/// At the first difference, with the implementation, the length, the misalignment or the cuts.
pub fn streaming<B: Copy + Debug, S, O: PartialEq + Debug>(
    table: &Table<B>,
    block_len: usize,
    new: impl Fn(B) -> S,
    update: impl Fn(&mut S, &[u8]),
    finalize: impl Fn(S) -> O,
) {
    let run = |backend, pieces: &[&[u8]]| {
        let mut state = new(backend);
        for piece in pieces {
            update(&mut state, piece);
        }
        finalize(state)
    };
    in_place(table, edge_lengths(block_len), |backend, data| {
        run(backend, &[data])
    });

    let data = TestRng::new(1).bytes(3 * block_len + BEYOND);
    let expected = run(table.portable(), &[&data]);
    table.for_each(|backend| {
        in_pieces(&data, block_len, &mut |pieces, cuts| {
            assert_eq!(run(backend, pieces), expected, "{cuts}");
        });
    });
}

/// Calls `compare` with the data cut in three at and beside the edges of blocks, and in bytes.
fn in_pieces(data: &[u8], block_len: usize, compare: &mut dyn FnMut(&[&[u8]], fmt::Arguments<'_>)) {
    let mut cuts: Vec<usize> = (0..=3)
        .flat_map(|blocks| [-1, 0, 1].map(|d| (blocks * block_len).checked_add_signed(d)))
        .flatten()
        .collect();
    cuts.sort_unstable();
    for (i, &a) in cuts.iter().enumerate() {
        for &b in &cuts[i..] {
            let pieces = [&data[..a], &data[a..b], &data[b..]];
            compare(&pieces, format_args!("cut at {a} and {b}"));
        }
    }
    let bytes: Vec<&[u8]> = data.chunks(1).collect();
    compare(&bytes, format_args!("byte by byte"));
}

/// Compares functions of one buffer, which they may change: `run` is called with pseudo-random
/// bytes of each of the lengths at each of 16 misalignments. Its result and the bytes that it
/// leaves must be the portable implementation's, and the bytes around the buffer untouched.
///
/// A kernel over whole blocks takes `data.as_chunks_mut()`; one with further state starts it from
/// constants in `run` and returns it.
///
/// # Panics
/// At the first difference, with the implementation, the length and the misalignment.
pub fn in_place<B: Copy + Debug, O: PartialEq + Debug>(
    table: &Table<B>,
    lengths: impl IntoIterator<Item = usize>,
    run: impl Fn(B, &mut [u8]) -> O,
) {
    let mut buffers = Buffers::new(lengths.into_iter().collect());
    let mut expected = vec![];
    let after = buffers.copies(&mut |data| expected.push(run(table.portable(), data)));
    table.for_each(|backend| {
        buffers.misaligned(&after, &mut |i, data, place| {
            assert_eq!(run(backend, data), expected[i], "{place}");
        });
    });
}

/// The buffers of [`in_place`].
struct Buffers {
    lengths: Vec<usize>,
    content: Vec<u8>,
    buffer: Vec<u8>,
}

impl Buffers {
    fn new(lengths: Vec<usize>) -> Self {
        let longest = lengths.iter().max().copied().unwrap_or(0);
        let content = TestRng::new(2).bytes(longest + 3 * LINE);
        Buffers {
            lengths,
            buffer: content.clone(),
            content,
        }
    }

    /// What `run` leaves of a buffer of each length.
    fn copies(&self, run: &mut dyn FnMut(&mut [u8])) -> Vec<Vec<u8>> {
        let copies = self.lengths.iter().map(|&len| {
            let mut data = self.content[..len].to_vec();
            run(&mut data);
            data
        });
        copies.collect()
    }

    /// Calls `compare` with the number of each length and a buffer at each misalignment, and checks
    /// that it leaves in it what is in `after`, and around it what was there.
    fn misaligned(
        &mut self,
        after: &[Vec<u8>],
        compare: &mut dyn FnMut(usize, &mut [u8], fmt::Arguments<'_>),
    ) {
        let (content, buffer) = (&self.content, &mut self.buffer);
        let aligned = buffer.as_ptr().align_offset(LINE);
        for (i, (&len, after)) in self.lengths.iter().zip(after).enumerate() {
            for misalignment in 0..16 {
                let start = aligned + misalignment;
                let end = start + len;
                buffer.copy_from_slice(content);
                buffer[start..end].copy_from_slice(&content[..len]);
                let place = format_args!("length {len}, misalignment {misalignment}");
                compare(i, &mut buffer[start..end], place);
                assert!(buffer[start..end] == after[..], "other bytes: {place}");
                let around = buffer[..start] == content[..start] && buffer[end..] == content[end..];
                assert!(around, "wrote outside its buffer: {place}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    /// Stands in for a backend: what is wrong with it.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Bug {
        None,
        LongRuns,
        Misaligned,
        Split,
        Contents,
    }

    fn table(bug: Bug) -> Table<Bug> {
        Table::new([bug, Bug::None], [], Bug::None)
    }

    /// A sum with weights over 16-byte blocks.
    struct Sum {
        bug: Bug,
        sum: u64,
        len: usize,
    }

    impl Sum {
        fn update(&mut self, data: &[u8]) {
            for &byte in data {
                self.len += 1;
                self.sum = self.sum.wrapping_mul(31).wrapping_add(u64::from(byte));
            }
            self.sum ^= match self.bug {
                Bug::LongRuns if data.len() == 33 => 1,
                Bug::Misaligned if data.as_ptr() as usize % 16 == 5 => 1,
                Bug::Split if self.len == 17 && data.len() == 1 => 1,
                _ => 0,
            };
        }
    }

    fn compare_streaming(bug: Bug) {
        let new = |bug| Sum {
            bug,
            sum: 0,
            len: 0,
        };
        streaming(&table(bug), 16, new, Sum::update, |s| (s.sum, s.len));
    }

    fn compare_in_place(bug: Bug) {
        in_place(&table(bug), [0, 16, 32], |bug, data| {
            let (blocks, _) = data.as_chunks_mut::<16>();
            for block in blocks {
                block.reverse();
                block[3] ^= u8::from(bug == Bug::Contents);
            }
        });
    }

    #[test]
    fn equal_implementations_pass() {
        compare_streaming(Bug::None);
        compare_in_place(Bug::None);
    }

    #[test]
    fn each_bug_is_found() {
        for bug in [Bug::LongRuns, Bug::Misaligned, Bug::Split] {
            assert!(catch_unwind(|| compare_streaming(bug)).is_err(), "{bug:?}");
        }
        assert!(catch_unwind(|| compare_in_place(Bug::Contents)).is_err());
    }
}
