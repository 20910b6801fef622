//! The tree of chunks, built as the message comes in (2.1, 2.4 and 5.1).
//!
//! Whole subtrees are on a stack, the largest first: after n chunks, one for each bit of n that is
//! set. Two of equal size are joined late, when something follows, as the last join of all is the
//! root and has a flag of its own. So the two halves of the newest subtree may both be there.

use super::{Backend, CHUNK, CHUNK_END, CHUNK_START, PARENT, ROOT, words};
use adamant_base::Wipe;

/// Chunks of the largest subtree that is compressed at once.
pub(super) const MAX_SUBTREE: usize = 64;

/// Chunks of a message for which there are fewer places.
pub(super) const FEW: usize = 16;

/// A message has fewer than 2^64 bytes: 2^54 chunks. One place more for two halves.
const MAX_DEPTH: usize = 55;

#[derive(Clone)]
pub(super) struct Tree {
    backend: Backend,
    key: [u32; 8],
    /// Those of the mode, in every compression.
    flags: u32,
    stack: [[u32; 8]; MAX_DEPTH],
    depth: usize,
    /// Chunks before the one at hand.
    t: u64,
    /// The chaining value of the chunk at hand.
    h: [u32; 8],
    /// The last bytes of it, then zeros: a whole block too, as long as it may be the last.
    block: [u8; 64],
    used: usize,
    /// Bytes of it compressed.
    compressed: usize,
}

/// The inputs of the last compression of a chunk or of a parent.
#[derive(Clone)]
pub(super) struct Node {
    backend: Backend,
    h: [u32; 8],
    m: [u32; 16],
    t: u64,
    len: u32,
    flags: u32,
}

impl Node {
    fn chaining_value(&self) -> [u32; 8] {
        let v = self
            .backend
            .compress(&self.h, &self.m, self.t, self.len, self.flags);
        [v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]]
    }

    /// The output block of this number (2.6), when this is the root.
    pub(super) fn output(&self, number: u64) -> [u32; 16] {
        let flags = self.flags | ROOT;
        self.backend
            .compress(&self.h, &self.m, number, self.len, flags)
    }
}

/// The first output block of a message that is no longer than a chunk.
pub(super) fn single_chunk(backend: Backend, key: &[u32; 8], data: &[u8]) -> [u32; 16] {
    chunk(backend, key, data, 0, CHUNK_END | ROOT)
}

/// The output of the last block of chunk `t`, which has these flags.
fn chunk(backend: Backend, key: &[u32; 8], data: &[u8], t: u64, end: u32) -> [u32; 16] {
    debug_assert!(data.len() <= CHUNK);
    let mut h = *key;
    // The last block waits, be it whole.
    let (blocks, last) = data.split_at(data.len().saturating_sub(1) / 64 * 64);
    let mut start = CHUNK_START;
    if !blocks.is_empty() {
        backend.blocks(&mut h, blocks.as_chunks().0, t, 0, start, 0);
        start = 0;
    }
    let mut block = [0; 64];
    block[..last.len()].copy_from_slice(last);
    let mut m: [u32; 16] = words(&block);
    let output = backend.compress(&h, &m, t, last.len() as u32, start | end);
    h.wipe();
    block.wipe();
    m.wipe();
    output
}

/// The first output block of a message of more than one chunk and at most `N`.
pub(super) fn few_chunks<const N: usize>(
    backend: Backend,
    key: &[u32; 8],
    data: &[u8],
) -> [u32; 16] {
    debug_assert!(CHUNK < data.len() && data.len() <= N * CHUNK);
    let (chunks, last) = data.as_chunks();
    let (mut values, mut room) = ([[0; 8]; N], [[0; 8]; N]);
    let mut count = chunks.len();
    backend.chunks(key, chunks, 0, 0, &mut values[..count]);
    if !last.is_empty() {
        let output = chunk(backend, key, last, count as u64, CHUNK_END);
        values[count].copy_from_slice(&output[..8]);
        count += 1;
    }
    let used = count;
    // On each level the last one may be left over: it goes up as it is.
    while count > 2 {
        join_pairs(backend, key, &mut values[..count], 0, &mut room);
        count = count.div_ceil(2);
    }
    let root = values[..2].as_flattened().as_chunks().0;
    let output = backend.compress(key, &root[0], 0, 64, PARENT | ROOT);
    values[..used].as_flattened_mut().wipe();
    output
}

/// The values of one level up, from each two of these; a last one alone goes up as it is. They
/// come first; `room` has places for half of these at least.
fn join_pairs(
    backend: Backend,
    key: &[u32; 8],
    values: &mut [[u32; 8]],
    flags: u32,
    room: &mut [[u32; 8]],
) {
    let (pairs, odd) = values.as_flattened().as_chunks::<16>();
    let parents = &mut room[..pairs.len()];
    backend.parents(key, pairs, flags | PARENT, parents);
    let odd: Option<[u32; 8]> = odd.first_chunk().copied();
    values[..parents.len()].copy_from_slice(parents);
    if let Some(odd) = odd {
        values[parents.len()] = odd;
    }
}

impl Tree {
    pub(super) fn new(backend: Backend, key: [u32; 8], flags: u32) -> Self {
        Tree {
            backend,
            key,
            flags,
            stack: [[0; 8]; MAX_DEPTH],
            depth: 0,
            t: 0,
            h: key,
            block: [0; 64],
            used: 0,
            compressed: 0,
        }
    }

    /// The implementation of a tree without a key and a mode that has taken nothing in.
    pub(super) fn unused(&self) -> Option<Backend> {
        let taken = self.flags as usize + self.depth + self.compressed + self.used;
        (taken == 0).then_some(self.backend)
    }

    /// Puts `t` chunks before the first one, as subtrees with these values: the largest first, one
    /// for each bit of `t`.
    #[cfg(test)]
    pub(super) fn set_behind(&mut self, values: &[[u32; 8]], t: u64) {
        assert_eq!(values.len(), t.count_ones() as usize);
        self.stack[..values.len()].copy_from_slice(values);
        self.depth = values.len();
        self.next_chunk(t);
    }

    pub(super) fn update(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            let mut len = self.compressed + self.used;
            if len == CHUNK {
                let chunk = self.chunk().chaining_value();
                self.push(chunk, self.t);
                self.next_chunk(self.t + 1);
                len = 0;
            }
            if len == 0 && data.len() > CHUNK {
                data = self.subtrees(data);
            } else {
                let (head, rest) = data.split_at(data.len().min(CHUNK - len));
                self.update_chunk(head);
                data = rest;
            }
        }
    }

    /// Puts whole chunks on the stack, up to where a subtree of the largest size would end, and
    /// gives what is left of the data, of which there is more than a chunk.
    fn subtrees<'a>(&mut self, data: &'a [u8]) -> &'a [u8] {
        let place = self.t as usize % MAX_SUBTREE;
        let count = (data.len() / CHUNK).min(MAX_SUBTREE - place);
        let (head, rest) = data.split_at(count * CHUNK);
        let mut values = [[0; 8]; MAX_SUBTREE];
        let (backend, key, flags) = (self.backend, self.key, self.flags);
        let chunks = head.as_chunks().0;
        backend.chunks(&key, chunks, self.t, flags, &mut values[..count]);

        let mut room = [[0; 8]; MAX_SUBTREE / 2];
        let mut values = &mut values[..count];
        while !values.is_empty() {
            // The largest one that may start here.
            let aligned = 1 << self.t.trailing_zeros().min(MAX_SUBTREE.ilog2());
            let size = aligned.min(1 << values.len().ilog2());
            let (subtree, later) = values.split_at_mut(size);
            let mut width = size;
            while width > 2 {
                join_pairs(backend, &key, &mut subtree[..width], flags, &mut room);
                width /= 2;
            }
            self.push(subtree[0], self.t);
            if width == 2 {
                self.push(subtree[1], self.t + size as u64 / 2);
            }
            self.next_chunk(self.t + size as u64);
            values = later;
        }
        rest
    }

    /// Puts a subtree on the stack, before which there are `before` chunks.
    fn push(&mut self, value: [u32; 8], before: u64) {
        self.join(before);
        self.stack[self.depth] = value;
        self.depth += 1;
    }

    /// Joins the subtrees of equal size, of `chunks` chunks in all.
    fn join(&mut self, chunks: u64) {
        while self.depth > chunks.count_ones() as usize {
            let right = self.stack[self.depth - 1];
            let left = self.stack[self.depth - 2];
            self.depth -= 1;
            self.stack[self.depth - 1] = self.parent(left, right).chaining_value();
        }
    }

    fn next_chunk(&mut self, t: u64) {
        self.t = t;
        self.h = self.key;
        self.block = [0; 64];
        self.used = 0;
        self.compressed = 0;
    }

    /// Takes in more of the chunk at hand.
    fn update_chunk(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            if self.used == 64 {
                let block = Node {
                    flags: self.flags | self.start(),
                    ..self.chunk()
                };
                self.h = block.chaining_value();
                self.compressed += 64;
                self.block = [0; 64];
                self.used = 0;
            }
            if self.used == 0 && data.len() > 64 {
                // The last block waits, be it whole.
                let (blocks, last) = data.split_at((data.len() - 1) / 64 * 64);
                let (t, start) = (self.t, self.start());
                let blocks = blocks.as_chunks().0;
                self.backend
                    .blocks(&mut self.h, blocks, t, self.flags, start, 0);
                self.compressed += 64 * blocks.len();
                data = last;
            }
            let (head, rest) = data.split_at(data.len().min(64 - self.used));
            self.block[self.used..][..head.len()].copy_from_slice(head);
            self.used += head.len();
            data = rest;
        }
    }

    /// The flag of a chunk's first block.
    fn start(&self) -> u32 {
        if self.compressed == 0 { CHUNK_START } else { 0 }
    }

    /// The chunk at hand, if it ends here.
    fn chunk(&self) -> Node {
        Node {
            backend: self.backend,
            h: self.h,
            m: words(&self.block),
            t: self.t,
            len: self.used as u32,
            flags: self.flags | self.start() | CHUNK_END,
        }
    }

    fn parent(&self, left: [u32; 8], right: [u32; 8]) -> Node {
        let mut m = [0; 16];
        m[..8].copy_from_slice(&left);
        m[8..].copy_from_slice(&right);
        Node {
            backend: self.backend,
            h: self.key,
            m,
            t: 0,
            len: 64,
            flags: self.flags | PARENT,
        }
    }

    /// The root of the tree, if the message ends here.
    pub(super) fn root(&mut self) -> Node {
        let empty = self.compressed + self.used == 0;
        let (mut node, mut depth) = if empty && self.depth >= 2 {
            let [left, right] = [self.stack[self.depth - 2], self.stack[self.depth - 1]];
            (self.parent(left, right), self.depth - 2)
        } else {
            self.join(self.t);
            (self.chunk(), self.depth)
        };
        while depth > 0 {
            depth -= 1;
            node = self.parent(self.stack[depth], node.chaining_value());
        }
        node
    }
}

impl Wipe for Tree {
    fn wipe(&mut self) {
        self.key.wipe();
        self.stack[..].as_flattened_mut().wipe();
        self.h.wipe();
        self.block.wipe();
        self.t.wipe();
        self.depth.wipe();
        self.used.wipe();
        self.compressed.wipe();
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // Places of the stack that were never used hold nothing.
        self.key.wipe();
        self.stack[..self.depth].as_flattened_mut().wipe();
        self.h.wipe();
        self.block.wipe();
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.h.wipe();
        self.m.wipe();
    }
}
