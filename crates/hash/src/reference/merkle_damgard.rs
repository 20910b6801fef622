//! MD5 (RFC 1321), SHA-1 and SHA-2 (FIPS 180-4), SM3 (GB/T 32905).

use crate::roots::{CUBE_ROOTS, SQUARE_ROOTS};

/// A word of 32 or 64 bits.
pub(crate) trait Word: Copy {
    /// Its bytes, the highest first.
    fn bytes(self) -> Vec<u8>;
}
impl Word for u32 {
    fn bytes(self) -> Vec<u8> {
        self.to_be_bytes().to_vec()
    }
}
impl Word for u64 {
    fn bytes(self) -> Vec<u8> {
        self.to_be_bytes().to_vec()
    }
}

/// A hash of the MD4 family.
pub(crate) struct Function<W, const WORDS: usize> {
    iv: [W; WORDS],
    /// Takes a block into the state.
    pub(crate) compress: fn(&mut [W; WORDS], &[u8]),
    /// Bytes of a block, of the field with the message's length, and of the digest.
    pub(crate) block: usize,
    length: usize,
    pub(crate) output: usize,
    little_endian: bool,
}

impl<W: Word, const WORDS: usize> Function<W, WORDS> {
    pub(crate) fn digest(&self, message: &[u8]) -> Vec<u8> {
        self.digest_from(self.iv, 0, message)
    }

    /// The digest of a message of which `before` bytes, whole blocks, led to `state`.
    pub(crate) fn digest_from(
        &self,
        mut state: [W; WORDS],
        before: u128,
        message: &[u8],
    ) -> Vec<u8> {
        let mut padded = message.to_vec();
        padded.push(0x80);
        while !(padded.len() + self.length).is_multiple_of(self.block) {
            padded.push(0);
        }
        let bits = before.wrapping_add(message.len() as u128).wrapping_mul(8);
        let mut field = bits.to_be_bytes()[16 - self.length..].to_vec();
        if self.little_endian {
            field.reverse();
        }
        padded.extend(field);
        for block in padded.chunks(self.block) {
            (self.compress)(&mut state, block);
        }
        let mut digest = Vec::new();
        for word in state {
            let mut bytes = word.bytes();
            if self.little_endian {
                bytes.reverse();
            }
            digest.extend(bytes);
        }
        digest.truncate(self.output);
        digest
    }
}

pub(crate) static MD5: Function<u32, 4> = Function {
    iv: crate::md5::IV,
    compress: md5,
    block: 64,
    length: 8,
    output: 16,
    little_endian: true,
};
pub(crate) static SHA1: Function<u32, 5> = Function {
    iv: crate::sha1::IV,
    compress: sha1,
    block: 64,
    length: 8,
    output: 20,
    little_endian: false,
};
pub(crate) static SHA256: Function<u32, 8> = Function {
    iv: crate::sha256::IV,
    compress: sha256,
    block: 64,
    length: 8,
    output: 32,
    little_endian: false,
};
pub(crate) static SHA224: Function<u32, 8> = Function {
    // FIPS 180-4, 5.3.2.
    iv: [
        0xc105_9ed8,
        0x367c_d507,
        0x3070_dd17,
        0xf70e_5939,
        0xffc0_0b31,
        0x6858_1511,
        0x64f9_8fa7,
        0xbefa_4fa4,
    ],
    output: 28,
    ..SHA256
};
pub(crate) static SHA512: Function<u64, 8> = Function {
    iv: crate::sha512::IV,
    compress: sha512,
    block: 128,
    length: 16,
    output: 64,
    little_endian: false,
};
pub(crate) static SHA384: Function<u64, 8> = Function {
    iv: *SQUARE_ROOTS.last_chunk().unwrap(),
    output: 48,
    ..SHA512
};
pub(crate) static SHA512_256: Function<u64, 8> = Function {
    // FIPS 180-4, 5.3.6.2.
    iv: [
        0x2231_2194_fc2b_f72c,
        0x9f55_5fa3_c84c_64c2,
        0x2393_b86b_6f53_b151,
        0x9638_7719_5940_eabd,
        0x9628_3ee2_a88e_ffe3,
        0xbe5e_1e25_5386_3992,
        0x2b01_99fc_2c85_b8aa,
        0x0eb7_2ddc_81c5_2ca2,
    ],
    output: 32,
    ..SHA512
};
pub(crate) static SM3: Function<u32, 8> = Function {
    iv: crate::sm3::IV,
    compress: sm3,
    block: 64,
    length: 8,
    output: 32,
    little_endian: false,
};

fn words32(block: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
    block.chunks(4).map(word).collect()
}

/// RFC 1321, 3.4.
fn md5(state: &mut [u32; 4], block: &[u8]) {
    let x: Vec<u32> = words32(block).into_iter().map(u32::swap_bytes).collect();
    let [mut a, mut b, mut c, mut d] = *state;
    for i in 0..64 {
        let (f, k) = match i / 16 {
            0 => ((b & c) | (!b & d), i),
            1 => ((b & d) | (c & !d), 5 * i + 1),
            2 => (b ^ c ^ d, 3 * i + 5),
            _ => (c ^ (b | !d), 7 * i),
        };
        let s = [
            [7, 12, 17, 22],
            [5, 9, 14, 20],
            [4, 11, 16, 23],
            [6, 10, 15, 21],
        ][i / 16][i % 4];
        // The whole part of 2^32 |sin(i + 1)|, i + 1 in radians.
        let t = (((i + 1) as f64).sin().abs() * 4_294_967_296.0) as u32;
        let sum = a.wrapping_add(f).wrapping_add(x[k % 16]).wrapping_add(t);
        (a, b, c, d) = (d, b.wrapping_add(sum.rotate_left(s)), b, c);
    }
    for (word, x) in state.iter_mut().zip([a, b, c, d]) {
        *word = word.wrapping_add(x);
    }
}

/// FIPS 180-4, 6.1.2.
fn sha1(state: &mut [u32; 5], block: &[u8]) {
    let mut w = words32(block);
    for t in 16..80 {
        w.push((w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1));
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (t, w) in w.into_iter().enumerate() {
        let (f, k) = match t / 20 {
            0 => ((b & c) ^ (!b & d), 0x5a82_7999),
            1 => (b ^ c ^ d, 0x6ed9_eba1),
            2 => ((b & c) ^ (b & d) ^ (c & d), 0x8f1b_bcdc),
            _ => (b ^ c ^ d, 0xca62_c1d6_u32),
        };
        let sum = [f, e, k, w]
            .into_iter()
            .fold(a.rotate_left(5), u32::wrapping_add);
        (a, b, c, d, e) = (sum, a, b.rotate_left(30), c, d);
    }
    for (word, x) in state.iter_mut().zip([a, b, c, d, e]) {
        *word = word.wrapping_add(x);
    }
}

/// FIPS 180-4, 6.2.2 and 6.4.2, for words of either width: Σ0, Σ1, σ0 and σ1 by their rotations,
/// the last number of a σ being a shift.
macro_rules! sha2 {
    ($name:ident, $word:ty, $rounds:literal, |$root:ident| $k:expr,
        $big0:expr, $big1:expr, $small0:expr, $small1:expr) => {
        fn $name(state: &mut [$word; 8], block: &[u8]) {
            let big = |x: $word, [a, b, c]: [u32; 3]| {
                x.rotate_right(a) ^ x.rotate_right(b) ^ x.rotate_right(c)
            };
            let small =
                |x: $word, [a, b, c]: [u32; 3]| x.rotate_right(a) ^ x.rotate_right(b) ^ (x >> c);
            let word = |bytes: &[u8]| <$word>::from_be_bytes(bytes.try_into().unwrap());
            let mut w: Vec<$word> = block.chunks(size_of::<$word>()).map(word).collect();
            for t in 16..$rounds {
                let sum = small(w[t - 2], $small1).wrapping_add(w[t - 7]);
                let sum = sum.wrapping_add(small(w[t - 15], $small0));
                w.push(sum.wrapping_add(w[t - 16]));
            }
            let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
            for t in 0..$rounds {
                let $root = CUBE_ROOTS[t];
                let t1 = h
                    .wrapping_add(big(e, $big1))
                    .wrapping_add((e & f) ^ (!e & g))
                    .wrapping_add($k)
                    .wrapping_add(w[t]);
                let t2 = big(a, $big0).wrapping_add((a & b) ^ (a & c) ^ (b & c));
                (h, g, f, e) = (g, f, e, d.wrapping_add(t1));
                (d, c, b, a) = (c, b, a, t1.wrapping_add(t2));
            }
            for (word, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
                *word = word.wrapping_add(x);
            }
        }
    };
}
sha2!(
    sha256,
    u32,
    64,
    |root| (root >> 32) as u32,
    [2, 13, 22],
    [6, 11, 25],
    [7, 18, 3],
    [17, 19, 10]
);
sha2!(
    sha512,
    u64,
    80,
    |root| root,
    [28, 34, 39],
    [14, 18, 41],
    [1, 8, 7],
    [19, 61, 6]
);

/// GB/T 32905, 5.3.
fn sm3(state: &mut [u32; 8], block: &[u8]) {
    let p0 = |x: u32| x ^ x.rotate_left(9) ^ x.rotate_left(17);
    let p1 = |x: u32| x ^ x.rotate_left(15) ^ x.rotate_left(23);
    let mut w = words32(block);
    for j in 16..68 {
        let x = p1(w[j - 16] ^ w[j - 9] ^ w[j - 3].rotate_left(15));
        w.push(x ^ w[j - 13].rotate_left(7) ^ w[j - 6]);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for j in 0..64 {
        let t: u32 = if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a };
        let sum = a
            .rotate_left(12)
            .wrapping_add(e)
            .wrapping_add(t.rotate_left(j as u32 % 32));
        let ss1 = sum.rotate_left(7);
        let ss2 = ss1 ^ a.rotate_left(12);
        let (ff, gg) = if j < 16 {
            (a ^ b ^ c, e ^ f ^ g)
        } else {
            ((a & b) | (a & c) | (b & c), (e & f) | (!e & g))
        };
        let tt1 = ff
            .wrapping_add(d)
            .wrapping_add(ss2)
            .wrapping_add(w[j] ^ w[j + 4]);
        let tt2 = gg.wrapping_add(h).wrapping_add(ss1).wrapping_add(w[j]);
        (d, c, b, a) = (c, b.rotate_left(9), a, tt1);
        (h, g, f, e) = (g, f.rotate_left(19), e, p0(tt2));
    }
    for (word, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word ^= x;
    }
}
