//! BLAKE3: numbers of chunks around the lanes and the subtrees of every row, with every kind of last
//! chunk; outputs; and the counters of chunks and of output blocks where they carry.

use crate::blake3::{Backend, Blake3, on};
use crate::reference::Blake3 as Reference;
use adamant_base::family::Hash;
use adamant_testkit::boundaries::{self, Cover, OFFSETS, before_wrap, counts, in_place, pieces};
use adamant_testkit::{TestRng, table};
use std::collections::BTreeMap;

boundaries::tests! { at_once updates kernels far_chunks outputs }

const CHUNK: usize = 1024;

/// What may follow whole chunks.
const LAST: [usize; 9] = [0, 1, 63, 64, 65, 128, 960, 961, 1023];

const CONTEXT: &str = "BLAKE3 boundaries";

/// Numbers of chunks around the lanes, and around subtrees of the largest size.
fn counts_of_chunks() -> Vec<usize> {
    let mut counts = counts(Backend::implementations());
    counts.retain(|count| *count <= 35 || (count + 1) % 32 <= 2);
    counts
}

/// Whole chunks and a last one: each number of them with each of these.
fn at_once(cover: Cover) {
    let counts = counts_of_chunks();
    let data = TestRng::new(5).bytes((counts.last().unwrap() + 1) * CHUNK);
    for [count, last] in cover.cases([&counts, &LAST]) {
        let message = &data[..count * CHUNK + last];
        let expected = Reference::HASH.output(message, 0, 32);
        table!(Backend).for_each(|backend| {
            let digest = Blake3::new_on(backend).finish_with(&[message]);
            assert!(digest[..] == expected, "{count} chunks and {last} bytes");
        });
    }
}

/// Whole chunks and a last one, in three modes and in updates.
fn updates(cover: Cover) {
    let counts = counts_of_chunks();
    let ways = [
        0,
        1,
        63,
        64,
        65,
        1023,
        1024,
        1025,
        2048,
        3 * CHUNK + 1,
        15 * CHUNK + 64,
        64 * CHUNK,
        65 * CHUNK,
    ];
    let data = TestRng::new(1).bytes((counts.last().unwrap() + 1) * CHUNK);
    let key = [7; 32];
    let modes = [
        Reference::HASH,
        Reference::keyed(&key),
        Reference::derive_key(CONTEXT),
    ];
    let mut known = BTreeMap::new();
    for [count, last, way, offset, mode] in
        cover.cases([&counts, &LAST, &ways, &OFFSETS, &[0, 1, 2]])
    {
        let len = count * CHUNK + last;
        let expected = known
            .entry((len, mode))
            .or_insert_with(|| modes[mode].output(&data[..len], 0, 32))
            .clone();
        let mut message = data[..len].to_vec();
        table!(Backend).for_each(|backend| {
            let digest = in_place(&mut message, offset, |message| {
                let mut hash = match mode {
                    0 => Blake3::new_on(backend),
                    1 => on::keyed_on(&key, backend),
                    _ => on::derive_key_on(CONTEXT, backend),
                };
                pieces(message, way).for_each(|piece| hash.update(piece));
                hash.finalize()
            });
            assert!(
                digest[..] == expected,
                "{count} chunks and {last} bytes by {way}, {offset} after a line, mode {mode}"
            );
        });
    }
}

/// Chunks of any number and nodes, as many as come.
fn kernels(cover: Cover) {
    let mut rng = TestRng::new(2);
    let counts = counts_of_chunks();
    let data = rng.bytes(counts.last().unwrap() * CHUNK);
    let mut children: Vec<[u32; 16]> = vec![];
    for _ in 0..*counts.last().unwrap() {
        children.push(core::array::from_fn(|_| rng.next_u64() as u32));
    }
    let before = [0, 1, 3, 15, 33];
    for [count, bits, before, flags] in cover.cases([&counts, &[0, 32, 53], &before, &[0, 16, 64]])
    {
        let reference = Reference {
            flags: flags as u32,
            ..Reference::keyed(&[9; 32])
        };
        let t = if bits == 0 {
            before as u64
        } else {
            before_wrap(1 << bits, bits, before) as u64
        };
        let (chunks, _) = data[..count * CHUNK].as_chunks();
        let values = |i: usize| reference.chunk_value(&chunks[i], t + i as u64);
        let expected: Vec<[u32; 8]> = (0..count).map(values).collect();
        let node = |i: usize| {
            let (left, right) = children[i].split_at(8);
            reference.parent_value(left.try_into().unwrap(), right.try_into().unwrap())
        };
        let nodes: Vec<[u32; 8]> = (0..count).map(node).collect();
        table!(Backend).for_each(|backend| {
            let mut out = vec![[0; 8]; count];
            backend.chunks(&reference.key, chunks, t, reference.flags, &mut out);
            assert!(
                out == expected,
                "{count} chunks, {before} before chunk 2^{bits}"
            );
            backend.parents(
                &reference.key,
                &children[..count],
                reference.flags | 4,
                &mut out,
            );
            assert!(out == nodes, "{count} nodes");
        });
    }
}

/// Messages after so many chunks that the counter carries into its upper word.
fn far_chunks(cover: Cover) {
    let mut rng = TestRng::new(3);
    let (before, counts) = ([0, 1, 2, 3, 31, 33, 64, 65], [0, 1, 2, 3, 17, 64, 66, 130]);
    let of_pieces = [0, 1000, CHUNK, 3 * CHUNK, 33 * CHUNK + 64];
    for [bits, before, count, last, piece] in
        cover.cases([&[6, 32, 40], &before, &counts, &LAST[1..], &of_pieces])
    {
        let t = before_wrap(3 << bits, bits, before) as u64;
        let mut values: Vec<[u32; 8]> = vec![];
        for _ in 0..t.count_ones() {
            values.push(core::array::from_fn(|_| rng.next_u64() as u32));
        }
        let message = rng.bytes(count * CHUNK + last);
        let expected = Reference::HASH.output_behind(&values, t, &message, 0, 32);
        table!(Backend).for_each(|backend| {
            let mut hash = Blake3::behind(backend, &values, t);
            pieces(&message, piece).for_each(|piece| hash.update(piece));
            assert!(
                hash.finalize()[..] == expected,
                "{count} chunks and {last} bytes by {piece}, {before} before chunk 2^{bits}"
            );
        });
    }
}

/// Output from any position on, read in pieces, where its counter carries too.
fn outputs(cover: Cover) {
    let messages = [0, 1, 64, 1023, CHUNK, CHUNK + 1, 5 * CHUNK];
    let data = TestRng::new(4).bytes(5 * CHUNK);
    let of_pieces = [0, 1, 31, 63, 64, 65, 128];
    let lengths = [0, 1, 32, 63, 64, 65, 127, 128, 129, 200];
    // 2^38 bytes are 2^32 blocks.
    for [len, bits, before, output, piece] in cover.cases([
        &messages,
        &[8, 38, 63],
        &[0, 1, 63, 64, 65, 128],
        &lengths,
        &of_pieces,
    ]) {
        let position = before_wrap(1 << bits, bits, before) as u64;
        let expected = Reference::HASH.output(&data[..len], position, output);
        table!(Backend).for_each(|backend| {
            let mut hash = Blake3::new_on(backend);
            hash.update(&data[..len]);
            let mut reader = hash.finalize_xof();
            reader.set_position(position);
            let mut out = vec![0; output];
            for part in boundaries::pieces_mut(&mut out, piece) {
                reader.read(part);
            }
            assert!(
                out == expected,
                "{output} bytes by {piece} for {len}, {before} before byte 2^{bits}"
            );
        });
    }
}
