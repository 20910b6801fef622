//! Every row of every table at the inputs where rows go other ways
//! ([`adamant_testkit::boundaries`]), against the algorithms as their standards write them
//! ([`reference`](crate::reference)). Each check has two forms: cases in which every two values
//! meet, and all combinations, which take minutes and are ignored.

mod blake;
mod blake3;
mod kdf;
mod keccak;
mod merkle_damgard;

use adamant_base::Implementation;
use adamant_base::family::Hash;
use adamant_testkit::boundaries::{Cover, OFFSETS, in_place, lengths, pieces};
use adamant_testkit::{Table, TestRng};
use core::fmt::Debug;
use std::collections::BTreeMap;

/// Updates of a message: besides pieces of this many bytes, these ways.
const ONE_SHOT: usize = usize::MAX;
const PARTS: usize = usize::MAX - 1;

/// The ways for blocks of this many bytes.
fn ways(block: usize) -> Vec<usize> {
    vec![
        ONE_SHOT,
        PARTS,
        0,
        1,
        7,
        block - 1,
        block,
        block + 1,
        3 * block + 1,
    ]
}

/// Checks functions of a message on every row of a table: of every length in question, from every
/// offset, in every way.
pub(crate) fn stream<B: Copy + Debug>(
    cover: Cover,
    (table, lengths): (&Table<B>, &[usize]),
    ways: &[usize],
    run: &dyn Fn(B, &[u8], usize) -> Vec<u8>,
    expected: &dyn Fn(&[u8]) -> Vec<u8>,
) {
    let for_each = |check: &mut dyn FnMut(&dyn Fn(&[u8], usize) -> Vec<u8>)| {
        table.for_each(|backend| check(&|message, way| run(backend, message, way)));
    };
    stream_of(cover, lengths, ways, &for_each, expected);
}

/// [`stream`] of the functions that `for_each` calls a check with.
fn stream_of(
    cover: Cover,
    lengths: &[usize],
    ways: &[usize],
    for_each: &dyn Fn(&mut dyn FnMut(&dyn Fn(&[u8], usize) -> Vec<u8>)),
    expected: &dyn Fn(&[u8]) -> Vec<u8>,
) {
    let longest = lengths.iter().max().expect("lengths are not empty");
    let data = TestRng::new(1).bytes(*longest);
    let expected: BTreeMap<usize, Vec<u8>> = lengths
        .iter()
        .map(|len| (*len, expected(&data[..*len])))
        .collect();
    for [len, way, offset] in cover.cases([lengths, ways, &OFFSETS]) {
        let mut message = data[..len].to_vec();
        for_each(&mut |run| {
            let got = in_place(&mut message, offset, |message| run(message, way));
            assert!(
                got == expected[&len],
                "{len} bytes, {offset} after a line, way {way}"
            );
        });
    }
}

/// [`stream`] of a hash.
pub(crate) fn hash<B: Copy + Debug, H: Hash>(
    cover: Cover,
    table: &Table<B>,
    rows: impl Iterator<Item = &'static Implementation>,
    new: impl Fn(B) -> H,
    one_shot: impl Fn(B, &[u8]) -> H::Output,
    expected: &dyn Fn(&[u8]) -> Vec<u8>,
) {
    let lengths = lengths(H::BLOCK_LEN, rows);
    let run = |backend, message: &[u8], way| {
        let digest = match way {
            ONE_SHOT => one_shot(backend, message),
            PARTS => {
                let (head, tail) = message.split_at(message.len() / 3);
                new(backend).finish_with(&[head, b"", tail])
            }
            piece => {
                let mut hash = new(backend);
                pieces(message, piece).for_each(|piece| hash.update(piece));
                hash.finalize()
            }
        };
        digest.as_ref().to_vec()
    };
    stream(
        cover,
        (table, &lengths),
        &ways(H::BLOCK_LEN),
        &run,
        expected,
    );
    // Of parts, what is left at the end is put together by its length.
    let data = TestRng::new(2).bytes(2 * H::BLOCK_LEN);
    for len in 0..=data.len() {
        let message = &data[..len];
        let expected = expected(message);
        table.for_each(|backend| assert!(run(backend, message, PARTS) == expected, "{len} bytes"));
    }
}

/// What a batch has at one index.
pub(crate) struct Item {
    pub(crate) key: Vec<u8>,
    pub(crate) message: Vec<u8>,
    /// Bytes of output, where they can be chosen.
    pub(crate) output: usize,
}

pub(crate) fn keys(items: &[Item]) -> Vec<&[u8]> {
    items.iter().map(|item| &item.key[..]).collect()
}

pub(crate) fn messages(items: &[Item]) -> Vec<&[u8]> {
    items.iter().map(|item| &item.message[..]).collect()
}

/// How the lengths of a batch's messages relate, by numbers.
const PATTERNS: usize = 10;

/// The lengths of `count` messages for blocks of `block` bytes.
fn pattern(number: usize, count: usize, block: usize) -> Vec<usize> {
    let of = |length: &dyn Fn(usize) -> usize| (0..count).map(length).collect();
    let mut rng = TestRng::new(number as u64);
    match number {
        0 => of(&|_| 0),
        1 => of(&|_| block - 17), // padding and any length fit after it
        2 => of(&|_| block),
        3 => of(&|_| 2 * block + 1),
        // One that is longer than the others together; the last one; one alone of them all.
        4 => of(&|i| if i == 0 { count * block + 5 } else { 0 }),
        5 => of(&|i| if i + 1 == count { 9 * block } else { block }),
        6 => of(&|i| if i == count / 2 { 0 } else { 3 * block }),
        7 => of(&|i| i * block / 4),
        8 => of(&|i| {
            let edges = [0, 1, 8, 9, 16, 17, 18];
            i % 3 * block + block - edges[i % 7]
        }),
        _ => (0..count).map(|_| rng.below(4 * block)).collect(),
    }
}

/// Checks a function of many messages on every row of a table of lanes: of every number of items,
/// with lengths of every pattern, in three orders, with keys (of every length, or all of one) and
/// outputs.
pub(crate) fn batch<B: Copy + Debug>(
    cover: Cover,
    (table, counts): (&Table<B>, &[usize]),
    block: usize,
    run: &dyn Fn(B, &[Item]) -> Vec<Vec<u8>>,
    expected: &dyn Fn(&Item) -> Vec<u8>,
) {
    let for_each = |check: &mut dyn FnMut(&dyn Fn(&[Item]) -> Vec<Vec<u8>>)| {
        table.for_each(|backend| check(&|items| run(backend, items)));
    };
    batch_of(cover, counts, block, &for_each, expected);
}

/// [`batch`] of the functions that `for_each` calls a check with.
fn batch_of(
    cover: Cover,
    counts: &[usize],
    block: usize,
    for_each: &dyn Fn(&mut dyn FnMut(&dyn Fn(&[Item]) -> Vec<Vec<u8>>)),
    expected: &dyn Fn(&Item) -> Vec<u8>,
) {
    let patterns: Vec<usize> = (0..PATTERNS).collect();
    let of_keys = [0, block - 1, block, block + 1, usize::MAX];
    for [count, number, order, of_keys, of_outputs] in
        cover.cases([counts, &patterns, &[0, 1, 2], &of_keys, &[0, 1, 2]])
    {
        let mut rng = TestRng::new((count * PATTERNS + number) as u64);
        let mut lengths = pattern(number, count, block);
        match order {
            1 => lengths.reverse(),
            2 => (1..count).for_each(|i| lengths.swap(i, rng.below(i + 1))),
            _ => {}
        }
        let mut items = Vec::new();
        for (i, len) in lengths.iter().enumerate() {
            let key = if of_keys == usize::MAX {
                i * (2 * block + 1) / count
            } else {
                of_keys
            };
            let output = match of_outputs {
                0 => 32,
                1 => block + i % 3 - 1,
                _ => i * 3 * block / count,
            };
            let (key, message) = (rng.bytes(key), rng.bytes(*len));
            items.push(Item {
                key,
                message,
                output,
            });
        }
        let expected: Vec<Vec<u8>> = items.iter().map(expected).collect();
        for_each(&mut |run| {
            let got = run(&items);
            for (i, (got, expected)) in got.iter().zip(&expected).enumerate() {
                assert!(
                    got == expected,
                    "{i} of {count} items, pattern {number}, order {order}, keys {of_keys}"
                );
            }
            assert_eq!(got.len(), count);
        });
    }
}
