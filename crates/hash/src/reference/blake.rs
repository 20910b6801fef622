//! BLAKE2 (RFC 7693) and BLAKE3 (its paper, chapter 2).

use crate::blake2::SIGMA;

/// Words of `bits` bits, held in 64.
#[derive(Clone, Copy)]
struct Words {
    bits: u32,
    rotations: [u32; 4],
}

impl Words {
    fn add(self, terms: &[u64]) -> u64 {
        let sum = terms
            .iter()
            .fold(0, |sum: u64, term| sum.wrapping_add(*term));
        sum & (u64::MAX >> (64 - self.bits))
    }

    fn rotate_right(self, x: u64, n: u32) -> u64 {
        self.add(&[x >> n | x << (self.bits - n)])
    }

    /// RFC 7693, 3.1.
    fn g(self, v: &mut [u64; 16], [a, b, c, d]: [usize; 4], x: u64, y: u64) {
        for (r, word) in [(0, x), (2, y)] {
            v[a] = self.add(&[v[a], v[b], word]);
            v[d] = self.rotate_right(v[d] ^ v[a], self.rotations[r]);
            v[c] = self.add(&[v[c], v[d]]);
            v[b] = self.rotate_right(v[b] ^ v[c], self.rotations[r + 1]);
        }
    }

    /// The eight calls of a round, on the words of the message in their order for it.
    fn round(self, v: &mut [u64; 16], m: &[u64; 16]) {
        for i in 0..4 {
            self.g(v, [i, 4 + i, 8 + i, 12 + i], m[2 * i], m[2 * i + 1]);
        }
        for i in 0..4 {
            let diagonal = [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4];
            self.g(v, diagonal, m[8 + 2 * i], m[9 + 2 * i]);
        }
    }

    fn read(self, bytes: &[u8]) -> Vec<u64> {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |x, b| x << 8 | u64::from(*b));
        bytes.chunks(self.bits as usize / 8).map(word).collect()
    }

    fn write(self, words: &[u64]) -> Vec<u8> {
        let bytes = |word: &u64| word.to_le_bytes()[..self.bits as usize / 8].to_vec();
        words.iter().flat_map(bytes).collect()
    }
}

/// BLAKE2b or BLAKE2s.
pub(crate) struct Blake2 {
    words: Words,
    rounds: usize,
    iv: fn() -> [u64; 8],
}

pub(crate) static BLAKE2B: Blake2 = Blake2 {
    words: Words {
        bits: 64,
        rotations: [32, 24, 16, 63],
    },
    rounds: 12,
    iv: || crate::sha512::IV,
};
pub(crate) static BLAKE2S: Blake2 = Blake2 {
    words: Words {
        bits: 32,
        rotations: [16, 12, 8, 7],
    },
    rounds: 10,
    iv: || crate::sha256::IV.map(u64::from),
};

impl Blake2 {
    /// RFC 7693, 3.2: `t` bytes are hashed after this block.
    pub(crate) fn compress(&self, h: &mut [u64; 8], block: &[u8], t: u128, last: bool) {
        let (words, m) = (self.words, self.words.read(block));
        let mut v = [0; 16];
        v[..8].copy_from_slice(h);
        v[8..].copy_from_slice(&(self.iv)());
        v[12] ^= words.add(&[t as u64]);
        v[13] ^= words.add(&[(t >> words.bits) as u64]);
        if last {
            v[14] ^= words.add(&[u64::MAX]);
        }
        for round in 0..self.rounds {
            words.round(&mut v, &SIGMA[round % 10].map(|i| m[i]));
        }
        for i in 0..8 {
            h[i] ^= v[i] ^ v[i + 8];
        }
    }

    /// RFC 7693, 3.3: the digest of `len` bytes.
    pub(crate) fn digest(&self, len: usize, key: &[u8], message: &[u8]) -> Vec<u8> {
        let block = self.words.bits as usize * 2;
        let mut h = (self.iv)();
        h[0] ^= 0x0101_0000 ^ (key.len() as u64) << 8 ^ len as u64;
        let mut data = key.to_vec();
        if !key.is_empty() {
            data.resize(block, 0);
        }
        data.extend(message);
        self.digest_from(h, 0, len, &data)
    }

    /// The digest of data of which `t` bytes, whole blocks, led to the state `h`.
    pub(crate) fn digest_from(
        &self,
        mut h: [u64; 8],
        mut t: u128,
        len: usize,
        data: &[u8],
    ) -> Vec<u8> {
        let block = self.words.bits as usize * 2;
        let mut rest = data;
        while rest.len() > block {
            t = t.wrapping_add(block as u128);
            self.compress(&mut h, &rest[..block], t, false);
            rest = &rest[block..];
        }
        let mut last = rest.to_vec();
        last.resize(block, 0);
        self.compress(&mut h, &last, t.wrapping_add(rest.len() as u128), true);
        self.words.write(&h)[..len].to_vec()
    }
}

/// BLAKE3 under a key, with the flags of a mode.
#[derive(Clone, Copy)]
pub(crate) struct Blake3 {
    pub(crate) key: [u32; 8],
    pub(crate) flags: u32,
}

/// The inputs of a compression but for the counter of output.
struct Node {
    h: [u64; 8],
    m: [u64; 16],
    t: u64,
    len: usize,
    flags: u32,
}

impl Node {
    /// Section 2.2, and 2.6 for the output.
    fn compress(&self, t: u64, flags: u32) -> [u64; 16] {
        let words = BLAKE2S.words;
        let (mut v, mut m) = ([0; 16], self.m);
        v[..8].copy_from_slice(&self.h);
        v[8..12].copy_from_slice(&(BLAKE2S.iv)()[..4]);
        v[12..].copy_from_slice(&[
            t & 0xffff_ffff,
            t >> 32,
            self.len as u64,
            u64::from(self.flags | flags),
        ]);
        for _ in 0..7 {
            words.round(&mut v, &m);
            m = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8].map(|i| m[i]);
        }
        for i in 0..8 {
            v[i] ^= v[i + 8];
            v[i + 8] ^= self.h[i];
        }
        v
    }

    fn value(&self) -> [u64; 8] {
        *self.compress(self.t, 0).first_chunk().unwrap()
    }
}

impl Blake3 {
    pub(crate) const HASH: Self = Blake3 {
        key: crate::sha256::IV,
        flags: 0,
    };

    pub(crate) fn keyed(key: &[u8; 32]) -> Self {
        let words = BLAKE2S.words.read(key);
        Blake3 {
            key: core::array::from_fn(|i| words[i] as u32),
            flags: 16,
        }
    }

    pub(crate) fn derive_key(context: &str) -> Self {
        let context_key = Blake3 {
            flags: 32,
            ..Self::HASH
        }
        .output(context.as_bytes(), 0, 32);
        Blake3 {
            flags: 64,
            ..Self::keyed(&context_key.try_into().unwrap())
        }
    }

    fn key(&self) -> [u64; 8] {
        self.key.map(u64::from)
    }

    /// 2.4: chunk `t`, as far as its last block.
    fn chunk(&self, data: &[u8], t: u64) -> Node {
        let mut blocks: Vec<&[u8]> = data.chunks(64).collect();
        if blocks.is_empty() {
            blocks.push(&[]);
        }
        let mut h = self.key();
        for (i, block) in blocks.iter().enumerate() {
            let mut bytes = block.to_vec();
            bytes.resize(64, 0);
            let last = i + 1 == blocks.len();
            let node = Node {
                h,
                m: BLAKE2S.words.read(&bytes).try_into().unwrap(),
                t,
                len: block.len(),
                flags: self.flags | u32::from(i == 0) | (2 * u32::from(last)),
            };
            if last {
                return node;
            }
            h = node.value();
        }
        unreachable!("a chunk has a block at least")
    }

    /// 2.5.
    fn parent(&self, left: [u64; 8], right: [u64; 8]) -> Node {
        let m = [left, right].as_flattened().try_into().unwrap();
        Node {
            h: self.key(),
            m,
            t: 0,
            len: 64,
            flags: self.flags | 4,
        }
    }

    /// The chaining value of chunk `t`.
    pub(crate) fn chunk_value(&self, data: &[u8], t: u64) -> [u32; 8] {
        self.chunk(data, t).value().map(|word| word as u32)
    }

    /// The chaining value of the node over these two.
    pub(crate) fn parent_value(&self, left: [u32; 8], right: [u32; 8]) -> [u32; 8] {
        let node = self.parent(left.map(u64::from), right.map(u64::from));
        node.value().map(|word| word as u32)
    }

    /// Bytes of the output from `position` on.
    pub(crate) fn output(&self, data: &[u8], position: u64, len: usize) -> Vec<u8> {
        self.output_behind(&[], 0, data, position, len)
    }

    /// The output for data, a byte at least unless it is all, of which `t` chunks went before: full
    /// subtrees with these values, the largest first, one for each bit of `t`.
    pub(crate) fn output_behind(
        &self,
        before: &[[u32; 8]],
        t: u64,
        data: &[u8],
        position: u64,
        len: usize,
    ) -> Vec<u8> {
        // Chunk by chunk (5.1.2): a subtree is joined to one of its size once something follows.
        let mut stack: Vec<[u64; 8]> = before.iter().map(|v| v.map(u64::from)).collect();
        let mut chunks: Vec<&[u8]> = data.chunks(1024).collect();
        let last = chunks.pop().unwrap_or(&[]);
        let mut t = t;
        for chunk in chunks {
            let mut value = self.chunk(chunk, t).value();
            t += 1;
            for _ in 0..t.trailing_zeros() {
                value = self.parent(stack.pop().unwrap(), value).value();
            }
            stack.push(value);
        }
        let mut root = self.chunk(last, t);
        while let Some(left) = stack.pop() {
            root = self.parent(left, root.value());
        }
        let mut out = Vec::new();
        let (first, skip) = (position / 64, position as usize % 64);
        while out.len() < skip + len {
            let number = first.wrapping_add(out.len() as u64 / 64);
            out.extend(BLAKE2S.words.write(&root.compress(number, 8)));
        }
        out[skip..skip + len].to_vec()
    }
}
