//! Every row of every table, and what is composed of them, against the plain algorithms of
//! [`crate::reference`]: at the lengths, counters and cuts where any row goes another way
//! ([`adamant_testkit::boundaries`]).
//!
//! Each test has a form with every pair of values, and one with all combinations, which is run by
//! `cargo test -p adamant-cipher --lib -- --ignored exhaustive`.

mod aead;
mod batch;
mod block;
mod gcm;
mod mac;
mod stream;

use adamant_base::{Implementation, cpu::Features};
use adamant_testkit::TestRng;
use adamant_testkit::boundaries::{self, in_place};
use core::fmt::Debug;

use crate::hazmat::AnyLengths;

/// Lengths of associated data: blocks and parts of them, and where kernels of hashes go other ways.
const HEADERS: [usize; 11] = [0, 1, 15, 16, 17, 33, 65, 255, 512, 529, 1040];

/// Cuts of updates: all at once, or this many bytes at a time.
const PIECES: [usize; 9] = [0, 1, 7, 15, 16, 17, 64, 129, 520];

/// Lengths of messages where those of something else are what a test is about.
const SHORT: [usize; 12] = [0, 1, 15, 16, 17, 48, 64, 100, 255, 256, 512, 1000];

/// Distances to where a counter runs over, for rows that have no groups.
const NEAR: [usize; 10] = [1, 2, 3, 16, 17, 31, 32, 33, 255, 256];

/// The numbers below.
fn below(count: usize) -> Vec<usize> {
    (0..count).collect()
}

/// A way of its own for what is not a table: from this length on, and at its multiples.
const fn composed(steps: &'static [usize]) -> Implementation {
    Implementation::new("composed", Features::NONE).steps(steps)
}

/// What counters from every place in a group are tried on: for all rows, all lengths and some
/// distances; for each row that has groups, its lengths and all distances.
fn with_counters<T>(
    unit: usize,
    implementations: impl Iterator<Item = &'static Implementation>,
    rows: &[(String, T)],
) -> Vec<(&[(String, T)], Vec<usize>, Vec<usize>)> {
    let implementations: Vec<_> = implementations.collect();
    let all = boundaries::lengths(unit, implementations.iter().copied());
    let mut parts = vec![(rows, all, NEAR.to_vec())];
    for implementation in implementations {
        if implementation.counters.is_empty() {
            continue;
        }
        let place = rows
            .iter()
            .position(|(name, _)| *name == implementation.name);
        if let Some(place) = place {
            let distances = boundaries::distances(boundaries::group([implementation]));
            let lengths = boundaries::lengths(unit, [implementation]);
            parts.push((&rows[place..=place], lengths, distances));
        }
    }
    parts
}

/// One of each row, with the row's name.
fn each<B: Debug + Copy, T>(
    rows: impl Iterator<Item = B>,
    new: impl Fn(B) -> T,
) -> Vec<(String, T)> {
    rows.map(|row| (format!("{row:?}"), new(row))).collect()
}

/// A message for an AEAD, and what the reference makes of it.
struct Sealed {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    plain: Vec<u8>,
    cipher: Vec<u8>,
    tag: Vec<u8>,
}

impl Sealed {
    /// A random message with tags of 16 bytes, by the reference.
    fn new(
        rng: &mut TestRng,
        nonce: Vec<u8>,
        (aad, len): (usize, usize),
        seal: impl FnOnce(&[u8], &[u8], &mut [u8]) -> [u8; 16],
    ) -> Self {
        let (aad, plain) = (rng.bytes(aad), rng.bytes(len));
        let mut cipher = plain.clone();
        let tag = seal(&nonce, &aad, &mut cipher).to_vec();
        Sealed {
            nonce,
            aad,
            plain,
            cipher,
            tag,
        }
    }

    /// Every row makes the same, and opens it; and does not with another tag.
    fn check<A: AnyLengths>(&self, rows: &[(String, A)], offset: usize, case: &dyn Debug) {
        for (row, aead) in rows {
            let (mut data, mut tag) = (self.plain.clone(), vec![0; self.tag.len()]);
            in_place(&mut data, offset, |data| {
                aead.seal_any(&self.nonce, &self.aad, data, &mut tag)
                    .unwrap();
                assert!(*data == self.cipher[..], "{row} {case:?}: ciphertext");
                assert_eq!(tag, self.tag, "{row} {case:?}: tag");
                let opened = aead.open_any(&self.nonce, &self.aad, data, &tag);
                assert!(
                    opened.is_ok() && *data == self.plain[..],
                    "{row} {case:?}: opened"
                );
                if offset == 0 {
                    data.copy_from_slice(&self.cipher);
                    let at = self.plain.len() % tag.len();
                    tag[at] ^= 1 << (self.aad.len() % 8);
                    assert!(aead.open_any(&self.nonce, &self.aad, data, &tag).is_err());
                    assert!(data.iter().all(|byte| *byte == 0), "{row} {case:?}: left");
                }
            });
        }
    }
}
