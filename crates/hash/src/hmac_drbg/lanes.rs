//! Generators in step on the lanes of a hash of the MD4 family: HMAC with keys that stay as their
//! two states, of messages as long as each other.

use super::MAX_OUTPUT;
use crate::hmac::batch::pad_key;
use crate::lanes::backend::Lanes;
use crate::merkle_damgard::MerkleDamgard;
use adamant_base::{Secret, Wipe};
use core::ops::Range;

/// Generators in step: as many as the widest implementation of a hash has lanes for.
pub(crate) const CHUNK: usize = 32;
/// Blocks of the longest message, V, the separator, a private key and a digest, with its padding.
const MAX_BLOCKS: usize = 4;

/// Takes these of its blocks into each state.
fn compress<H: MerkleDamgard<N>, const N: usize>(
    backend: H::Lanes,
    states: &mut [H::State],
    blocks: &[[[u8; N]; MAX_BLOCKS]],
    range: Range<usize>,
) {
    let mut messages: [&[[u8; N]]; CHUNK] = [&[]; CHUNK];
    for (message, blocks) in messages.iter_mut().zip(blocks) {
        *message = &blocks[range.clone()];
    }
    match backend.for_states(states.len()) {
        Some(kernel) => kernel.compress(states, &messages[..states.len()]),
        None => {
            for (state, blocks) in states.iter_mut().zip(messages) {
                H::Lanes::alone(state, blocks);
            }
        }
    }
}

/// Writes `from` to the beginning of `to`, in pieces whose length is known when compiling.
#[inline]
fn copy(from: &[u8], to: &mut [u8]) {
    let (pieces, rest) = from.as_chunks::<16>();
    let (to, end) = to[..from.len()].as_chunks_mut::<16>();
    for (to, piece) in to.iter_mut().zip(pieces) {
        *to = *piece;
    }
    for (to, byte) in end.iter_mut().zip(rest) {
        *to = *byte;
    }
}

/// The generators of a chunk.
struct Generators<H: MerkleDamgard<N>, const N: usize> {
    backend: H::Lanes,
    /// The states after the padded keys.
    inner: [H::State; CHUNK],
    outer: [H::State; CHUNK],
    /// What the last HMAC gave, as states.
    tags: [H::State; CHUNK],
    v: [[u8; MAX_OUTPUT]; CHUNK],
    blocks: [[[u8; N]; MAX_BLOCKS]; CHUNK],
}

impl<H: MerkleDamgard<N>, const N: usize> Wipe for Generators<H, N> {
    fn wipe(&mut self) {
        self.inner.wipe();
        self.outer.wipe();
        self.tags.wipe();
        self.v.wipe();
        self.blocks.wipe();
    }
}

impl<H: MerkleDamgard<N>, const N: usize> Generators<H, N> {
    /// Steps b and c of RFC 6979, 3.2, which are the same for all.
    fn new(backend: H::Lanes) -> Self {
        let state = |pad| {
            let mut state = H::INITIAL;
            H::Lanes::alone(&mut state, &[[pad; N]]);
            [state; CHUNK]
        };
        Generators {
            backend,
            inner: state(0x36),
            outer: state(0x5c),
            tags: [H::INITIAL; CHUNK],
            v: [[1; MAX_OUTPUT]; CHUNK],
            blocks: [[[0; N]; MAX_BLOCKS]; CHUNK],
        }
    }

    /// K of each: the tags that [`Self::mac`] left.
    fn set_keys(&mut self, count: usize) {
        let (inner, outer) = (&mut self.inner[..count], &mut self.outer[..count]);
        let blocks = &mut self.blocks[..count];
        for (blocks, tag) in blocks.iter_mut().zip(&self.tags) {
            let mut key = H::output(tag);
            for (block, pad) in blocks.iter_mut().zip([0x36, 0x5c]) {
                pad_key::<H, N>(key.as_ref(), pad, block);
            }
            key.as_mut().wipe();
        }
        inner.fill(H::INITIAL);
        outer.fill(H::INITIAL);
        compress::<H, N>(self.backend, inner, blocks, 0..1);
        compress::<H, N>(self.backend, outer, blocks, 1..2);
    }

    /// Leaves the HMAC under K of V and these parts of each generator, which are as long for all, in
    /// `tags`.
    fn mac<'a>(&mut self, count: usize, parts: impl Fn(usize) -> [&'a [u8]; 3]) {
        let blocks = &mut self.blocks[..count];
        let length = H::OUTPUT_LEN + parts(0).iter().map(|part| part.len()).sum::<usize>();
        let (whole, tail) = (length / N, length % N);
        // What follows the message is the same for all.
        let mut last = [[0; N]; 2];
        let end = whole + H::pad(&[0; N][..tail], (N + length) as u64, &mut last);
        let padding = &last.as_flattened()[tail..];
        for (i, (blocks, v)) in blocks.iter_mut().zip(&self.v).enumerate() {
            let bytes = &mut blocks.as_flattened_mut()[..end * N];
            bytes[..H::OUTPUT_LEN].copy_from_slice(&v[..H::OUTPUT_LEN]);
            let mut at = H::OUTPUT_LEN;
            for part in parts(i) {
                copy(part, &mut bytes[at..]);
                at += part.len();
            }
            let rest = &mut bytes[length..];
            rest.copy_from_slice(&padding[..rest.len()]);
        }
        let states = &mut self.tags[..count];
        states.copy_from_slice(&self.inner[..count]);
        compress::<H, N>(self.backend, states, blocks, 0..end);
        H::pad(
            &[0; N][..H::OUTPUT_LEN],
            (N + H::OUTPUT_LEN) as u64,
            &mut last,
        );
        for (blocks, state) in blocks.iter_mut().zip(&*states) {
            let mut digest = H::output(state);
            blocks[0] = last[0];
            blocks[0][..H::OUTPUT_LEN].copy_from_slice(digest.as_ref());
            digest.as_mut().wipe();
        }
        states.copy_from_slice(&self.outer[..count]);
        compress::<H, N>(self.backend, states, blocks, 0..1);
    }

    /// V = HMAC(K, V) of each.
    fn next_values(&mut self, count: usize) {
        self.mac(count, |_| [&[], &[], &[]]);
        for (v, tag) in self.v[..count].iter_mut().zip(&self.tags) {
            let mut value = H::output(tag);
            v[..H::OUTPUT_LEN].copy_from_slice(value.as_ref());
            value.as_mut().wipe();
        }
    }

    /// The next candidates of the generators, from the first on, each to its place.
    fn candidates(&mut self, places: &[usize], out: &mut [&mut [u8]]) {
        let len = out.iter().map(|out| out.len()).max().unwrap_or(0);
        for at in (0..len).step_by(H::OUTPUT_LEN) {
            self.next_values(places.len());
            for (&place, value) in places.iter().zip(&self.v) {
                let Some(out) = out[place].get_mut(at..) else {
                    continue;
                };
                copy(&value[..out.len().min(H::OUTPUT_LEN)], out);
            }
        }
    }

    /// Puts a copy of a generator in the place of another.
    fn copy(&mut self, from: usize, to: usize) {
        self.inner[to] = self.inner[from];
        self.outer[to] = self.outer[from];
        self.v[to] = self.v[from];
    }
}

/// [`accepted_candidates`](super::accepted_candidates) of a chunk of at least one item, whose private
/// keys and digests are all as long as the first's and make a message of at most [`MAX_BLOCKS`].
pub(crate) fn accepted_candidates<H: MerkleDamgard<N>, const N: usize>(
    backend: H::Lanes,
    items: &[(&[u8], &[u8])],
    out: &mut [&mut [u8]],
    accept: &dyn Fn(&[u8]) -> bool,
) {
    let mut count = items.len();
    let mut generators = Secret::new(Generators::<H, N>::new(backend));
    // Steps d to g of RFC 6979, 3.2.
    for separator in [&[0][..], &[1]] {
        generators.mac(count, |i| [separator, items[i].0, items[i].1]);
        generators.set_keys(count);
        generators.next_values(count);
    }
    // Step h, for the generators whose candidates go here.
    let mut places: [usize; CHUNK] = core::array::from_fn(|i| i);
    loop {
        generators.candidates(&places[..count], out);
        let mut refused = 0;
        for i in 0..count {
            if !accept(out[places[i]]) {
                generators.copy(i, refused);
                places[refused] = places[i];
                refused += 1;
            }
        }
        if refused == 0 {
            return;
        }
        count = refused;
        generators.mac(count, |_| [&[0], &[], &[]]);
        generators.set_keys(count);
        generators.next_values(count);
    }
}

/// Whether messages of these items fit, with 17 bytes of padding at least.
pub(crate) fn fits<H: MerkleDamgard<N>, const N: usize>(items: &[(&[u8], &[u8])]) -> bool {
    let lengths = |(x, h): &(&[u8], &[u8])| (x.len(), h.len());
    let (x, h) = items.first().map_or((0, 0), lengths);
    let alike = items.iter().all(|item| lengths(item) == (x, h));
    let len = x.saturating_add(h).saturating_add(H::OUTPUT_LEN + 1 + 17);
    alike && len <= MAX_BLOCKS * N
}
