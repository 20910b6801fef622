//! scrypt (RFC 7914) and Argon2 (RFC 9106).

use super::kdf::Hash;
use super::{BLAKE2B, SHA256};

/// RFC 7914, 3.
fn salsa20_8(b: &[u32; 16]) -> [u32; 16] {
    let mut x = *b;
    for round in 0..8 {
        for i in 0..4 {
            // A column of the matrix in even rounds, else a row, from the diagonal on.
            let at = |j: usize| match round % 2 {
                0 => 4 * ((i + j) % 4) + i,
                _ => 4 * i + (i + j) % 4,
            };
            for (j, r) in [(0, 7), (1, 9), (2, 13), (3, 18)] {
                let sum = x[at(j)].wrapping_add(x[at(j + 3)]);
                x[at(j + 1)] ^= sum.rotate_left(r);
            }
        }
    }
    core::array::from_fn(|i| x[i].wrapping_add(b[i]))
}

/// RFC 7914, 4.
fn block_mix(b: &[[u32; 16]]) -> Vec<[u32; 16]> {
    let mut x = b[b.len() - 1];
    let mut y = Vec::new();
    for block in b {
        x.iter_mut().zip(block).for_each(|(x, b)| *x ^= b);
        x = salsa20_8(&x);
        y.push(x);
    }
    let (even, odd) = (y.iter().step_by(2), y.iter().skip(1).step_by(2));
    even.chain(odd).copied().collect()
}

/// RFC 7914, 5.
pub(crate) fn ro_mix(b: &[[u32; 16]], n: usize) -> Vec<[u32; 16]> {
    let mut x = b.to_vec();
    let mut v = Vec::new();
    for _ in 0..n {
        v.push(x.clone());
        x = block_mix(&x);
    }
    for _ in 0..n {
        let last = x[x.len() - 1];
        let j = (u64::from(last[1]) << 32 | u64::from(last[0])) % n as u64;
        for (x, v) in x.iter_mut().zip(&v[j as usize]) {
            x.iter_mut().zip(v).for_each(|(x, v)| *x ^= v);
        }
        x = block_mix(&x);
    }
    x
}

/// RFC 7914, 6.
pub(crate) fn scrypt(password: &[u8], salt: &[u8], [n, r, p]: [usize; 3], len: usize) -> Vec<u8> {
    let hash = Hash {
        digest: &|data| SHA256.digest(data),
        block: 64,
    };
    let b = hash.pbkdf2(password, salt, 1, 128 * r * p);
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    let words: Vec<u32> = b.chunks(4).map(word).collect();
    let mixed = words.as_chunks().0.chunks(2 * r).flat_map(|b| ro_mix(b, n));
    let b: Vec<u8> = mixed.flatten().flat_map(u32::to_le_bytes).collect();
    hash.pbkdf2(password, &b, 1, len)
}

/// RFC 9106, 3.3.
fn h_prime(len: usize, input: &[u8]) -> Vec<u8> {
    let input = [&(len as u32).to_le_bytes(), input].concat();
    if len <= 64 {
        return BLAKE2B.digest(len, &[], &input);
    }
    let r = len.div_ceil(32) - 2;
    let mut v = BLAKE2B.digest(64, &[], &input);
    let mut out = v[..32].to_vec();
    for _ in 1..r {
        v = BLAKE2B.digest(64, &[], &v);
        out.extend(&v[..32]);
    }
    out.extend(BLAKE2B.digest(len - 32 * r, &[], &v));
    out
}

/// RFC 9106, 3.6.
fn gb(v: &mut [u64; 128], [a, b, c, d]: [usize; 4]) {
    let sum = |x: u64, y: u64| {
        let product = (x & 0xffff_ffff) * (y & 0xffff_ffff);
        x.wrapping_add(y)
            .wrapping_add(product)
            .wrapping_add(product)
    };
    for (r, s) in [(32, 24), (16, 63)] {
        v[a] = sum(v[a], v[b]);
        v[d] = (v[d] ^ v[a]).rotate_right(r);
        v[c] = sum(v[c], v[d]);
        v[b] = (v[b] ^ v[c]).rotate_right(s);
    }
}

/// RFC 9106, 3.5: G, and 3.6: P on the rows of registers and on their columns.
pub(crate) fn g(x: &[u64; 128], y: &[u64; 128]) -> [u64; 128] {
    let r: [u64; 128] = core::array::from_fn(|i| x[i] ^ y[i]);
    let mut z = r;
    for columns in [false, true] {
        for line in 0..8 {
            // The sixteen words of eight registers, two in each.
            let at = |i: usize| match columns {
                false => 16 * line + i,
                true => 16 * (i / 2) + 2 * line + i % 2,
            };
            for i in 0..4 {
                gb(&mut z, [i, 4 + i, 8 + i, 12 + i].map(at));
            }
            for i in 0..4 {
                gb(
                    &mut z,
                    [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4].map(at),
                );
            }
        }
    }
    core::array::from_fn(|i| z[i] ^ r[i])
}

/// The inputs of Argon2 but for the password and the salt; `variant` is 0 for Argon2d, 1 for
/// Argon2i, 2 for Argon2id.
pub(crate) struct Argon2<'a> {
    pub(crate) variant: u32,
    pub(crate) memory: u32,
    pub(crate) passes: u32,
    pub(crate) lanes: u32,
    pub(crate) secret: &'a [u8],
    pub(crate) associated_data: &'a [u8],
}

impl Argon2<'_> {
    /// RFC 9106, 3.2.
    pub(crate) fn derive(&self, password: &[u8], salt: &[u8], len: usize) -> Vec<u8> {
        let mut input = Vec::new();
        for number in [
            self.lanes,
            len as u32,
            self.memory,
            self.passes,
            0x13,
            self.variant,
        ] {
            input.extend(number.to_le_bytes());
        }
        for data in [password, salt, self.secret, self.associated_data] {
            input.extend((data.len() as u32).to_le_bytes());
            input.extend(data);
        }
        let h0 = BLAKE2B.digest(64, &[], &input);

        let (p, segment) = (
            self.lanes as usize,
            (self.memory / (4 * self.lanes)) as usize,
        );
        let q = 4 * segment;
        let mut b = vec![vec![[0; 128]; q]; p];
        for i in 0..p {
            for j in 0..2 {
                let numbers = [(j as u32).to_le_bytes(), (i as u32).to_le_bytes()];
                let bytes = h_prime(1024, &[&h0, numbers.as_flattened()].concat());
                b[i][j] = core::array::from_fn(|k| {
                    u64::from_le_bytes(bytes[8 * k..][..8].try_into().unwrap())
                });
            }
        }
        for pass in 0..self.passes as usize {
            for slice in 0..4 {
                for i in 0..p {
                    for index in 0..segment {
                        let j = slice * segment + index;
                        if pass == 0 && j < 2 {
                            continue;
                        }
                        let previous = b[i][(j + q - 1) % q];
                        let pair = self.pair(pass, slice, i, index, &previous);
                        let (l, z) = self.reference(pass, slice, i, index, pair);
                        let mut block = g(&previous, &b[l][z]);
                        if pass > 0 {
                            block
                                .iter_mut()
                                .zip(b[i][j])
                                .for_each(|(new, old)| *new ^= old);
                        }
                        b[i][j] = block;
                    }
                }
            }
        }
        let sum: [u64; 128] =
            core::array::from_fn(|k| b.iter().fold(0, |sum, lane| sum ^ lane[q - 1][k]));
        h_prime(len, sum.map(u64::to_le_bytes).as_flattened())
    }

    /// RFC 9106, 3.4.1: J_1 and J_2, in one word.
    fn pair(
        &self,
        pass: usize,
        slice: usize,
        lane: usize,
        index: usize,
        previous: &[u64; 128],
    ) -> u64 {
        let public = self.variant == 1 || self.variant == 2 && pass == 0 && slice < 2;
        if !public {
            return previous[0];
        }
        let blocks = self.memory / (4 * self.lanes) * 4 * self.lanes;
        let mut z = [0; 128];
        let numbers = [pass, lane, slice, blocks as usize, self.passes as usize];
        z.iter_mut()
            .zip(numbers)
            .for_each(|(z, number)| *z = number as u64);
        z[5] = u64::from(self.variant);
        z[6] = index as u64 / 128 + 1;
        let zero = [0; 128];
        g(&zero, &g(&zero, &z))[index % 128]
    }

    /// RFC 9106, 3.4.2: the lane and the column of the other block.
    fn reference(
        &self,
        pass: usize,
        slice: usize,
        lane: usize,
        index: usize,
        pair: u64,
    ) -> (usize, usize) {
        let segment = (self.memory / (4 * self.lanes)) as usize;
        let (j1, j2) = (pair & 0xffff_ffff, (pair >> 32) as usize);
        let l = match (pass, slice) {
            (0, 0) => lane,
            _ => j2 % self.lanes as usize,
        };
        // W: the finished segments, of the first pass those before, later the last three, and in
        // this lane what is finished of the segment; the block before never, in another lane the
        // last one neither at a segment's start.
        let segments: Vec<usize> = match pass {
            0 => (0..slice).collect(),
            _ => (1..4).map(|i| (slice + i) % 4).collect(),
        };
        let mut w: Vec<usize> = segments
            .iter()
            .flat_map(|s| s * segment..(s + 1) * segment)
            .collect();
        if l == lane {
            w.extend(slice * segment..slice * segment + index);
            w.pop();
        } else if index == 0 {
            w.pop();
        }
        let x = (j1 * j1) >> 32;
        let y = (w.len() as u64 * x) >> 32;
        (l, w[w.len() - 1 - y as usize])
    }
}
