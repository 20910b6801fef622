//! Generators in step on the lanes of a hash of the MD4 family: HMAC with keys that stay as their
//! two states, of messages as long as each other.

use super::{MAX_OUTPUT, batch::CHUNK};
use crate::lanes::batch::{Lanes, pad_key};
use crate::merkle_damgard::MerkleDamgard;
use adamant_base::{Secret, Wipe};

/// Blocks of the longest message, V, the separator, a private key and a digest, with its padding.
const MAX_BLOCKS: usize = 4;

/// Takes `count` blocks into each state.
fn compress<H: MerkleDamgard<N>, const N: usize>(
    backend: H::Lanes,
    states: &mut [H::State],
    blocks: &[[[u8; N]; MAX_BLOCKS]],
    count: usize,
) {
    let mut messages: [&[[u8; N]]; CHUNK] = [&[]; CHUNK];
    for (message, blocks) in messages.iter_mut().zip(blocks) {
        *message = &blocks[..count];
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

/// The generators of a chunk.
struct Generators<H: MerkleDamgard<N>, const N: usize> {
    backend: H::Lanes,
    /// The states behind the padded keys.
    inner: [H::State; CHUNK],
    outer: [H::State; CHUNK],
    v: [[u8; MAX_OUTPUT]; CHUNK],
    blocks: [[[u8; N]; MAX_BLOCKS]; CHUNK],
}

impl<H: MerkleDamgard<N>, const N: usize> Wipe for Generators<H, N> {
    fn wipe(&mut self) {
        self.inner.wipe();
        self.outer.wipe();
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
            v: [[1; MAX_OUTPUT]; CHUNK],
            blocks: [[[0; N]; MAX_BLOCKS]; CHUNK],
        }
    }

    /// K of each.
    fn set_keys(&mut self, keys: &[[u8; MAX_OUTPUT]]) {
        let count = keys.len();
        for (states, pad) in [(&mut self.inner, 0x36), (&mut self.outer, 0x5c)] {
            for (blocks, key) in self.blocks.iter_mut().zip(keys) {
                pad_key::<H, N>(&key[..H::OUTPUT_LEN], pad, &mut blocks[0]);
            }
            *states = [H::INITIAL; CHUNK];
            compress::<H, N>(self.backend, &mut states[..count], &self.blocks[..count], 1);
        }
    }

    /// HMAC under K of V and these parts of each generator, which are as long for all.
    fn mac<'a>(
        &mut self,
        count: usize,
        parts: impl Fn(usize) -> [&'a [u8]; 3],
        out: &mut [[u8; MAX_OUTPUT]; CHUNK],
    ) {
        let mut last = Secret::new([[0; N]; 2]);
        let mut end = 0;
        for (i, blocks) in self.blocks[..count].iter_mut().enumerate() {
            let bytes = blocks.as_flattened_mut();
            let [a, b, c] = parts(i);
            let mut length = 0;
            for part in [&self.v[i][..H::OUTPUT_LEN], a, b, c] {
                bytes[length..][..part.len()].copy_from_slice(part);
                length += part.len();
            }
            let whole = length / N;
            let padding = H::pad(&bytes[whole * N..length], (N + length) as u64, &mut last);
            blocks[whole..][..padding].copy_from_slice(&last[..padding]);
            end = whole + padding;
        }
        let mut states = Secret::new(self.inner);
        compress::<H, N>(
            self.backend,
            &mut states[..count],
            &self.blocks[..count],
            end,
        );
        for (blocks, state) in self.blocks.iter_mut().zip(&states[..count]) {
            let mut digest = H::output(state);
            H::pad(digest.as_ref(), (N + H::OUTPUT_LEN) as u64, &mut last);
            blocks[0] = last[0];
            digest.as_mut().wipe();
        }
        *states = self.outer;
        compress::<H, N>(self.backend, &mut states[..count], &self.blocks[..count], 1);
        for (out, state) in out.iter_mut().zip(&states[..count]) {
            let mut tag = H::output(state);
            out[..H::OUTPUT_LEN].copy_from_slice(tag.as_ref());
            tag.as_mut().wipe();
        }
    }

    /// V = HMAC(K, V) of each.
    fn next_values(&mut self, count: usize) {
        let mut next = Secret::new([[0; MAX_OUTPUT]; CHUNK]);
        self.mac(count, |_| [&[], &[], &[]], &mut next);
        self.v = *next;
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
                let len = out.len().min(H::OUTPUT_LEN);
                out[..len].copy_from_slice(&value[..len]);
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
    let mut k = Secret::new([[0; MAX_OUTPUT]; CHUNK]);
    // Steps d to g of RFC 6979, 3.2.
    for separator in [&[0][..], &[1]] {
        generators.mac(count, |i| [separator, items[i].0, items[i].1], &mut k);
        generators.set_keys(&k[..count]);
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
        generators.mac(count, |_| [&[0], &[], &[]], &mut k);
        generators.set_keys(&k[..count]);
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
