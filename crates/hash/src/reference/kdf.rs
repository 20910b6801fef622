//! HMAC (RFC 2104), SipHash and what derives keys or nonces with HMAC, over any function.

/// A hash as a function, with the bytes of its block.
#[derive(Clone, Copy)]
pub(crate) struct Hash<'a> {
    pub(crate) digest: &'a dyn Fn(&[u8]) -> Vec<u8>,
    pub(crate) block: usize,
}

impl Hash<'_> {
    /// RFC 2104, 2.
    pub(crate) fn hmac(self, key: &[u8], message: &[u8]) -> Vec<u8> {
        let mut key = if key.len() > self.block {
            (self.digest)(key)
        } else {
            key.to_vec()
        };
        key.resize(self.block, 0);
        let padded = |pad: u8| -> Vec<u8> { key.iter().map(|byte| byte ^ pad).collect() };
        let inner = (self.digest)(&[padded(0x36), message.to_vec()].concat());
        (self.digest)(&[padded(0x5c), inner].concat())
    }

    /// RFC 8018, 5.2.
    pub(crate) fn pbkdf2(
        self,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        len: usize,
    ) -> Vec<u8> {
        let mut out = Vec::new();
        for i in 1u32.. {
            if out.len() >= len {
                break;
            }
            let mut u = self.hmac(password, &[salt, &i.to_be_bytes()].concat());
            let mut t = u.clone();
            for _ in 1..iterations {
                u = self.hmac(password, &u);
                t.iter_mut().zip(&u).for_each(|(t, u)| *t ^= u);
            }
            out.extend(t);
        }
        out.truncate(len);
        out
    }

    /// RFC 6979, 3.2, b to h: candidates of `len` bytes until `accept` takes one.
    pub(crate) fn rfc6979(
        self,
        x: &[u8],
        h1: &[u8],
        len: usize,
        accept: &dyn Fn(&[u8]) -> bool,
    ) -> Vec<u8> {
        let size = (self.digest)(b"").len();
        let (mut v, mut k) = (vec![1; size], vec![0; size]);
        for separator in [0, 1] {
            k = self.hmac(&k, &[&v, &[separator][..], x, h1].concat());
            v = self.hmac(&k, &v);
        }
        loop {
            let mut t = Vec::new();
            while t.len() < len {
                v = self.hmac(&k, &v);
                t.extend(&v);
            }
            t.truncate(len);
            if accept(&t) {
                return t;
            }
            k = self.hmac(&k, &[&v, &[0][..]].concat());
            v = self.hmac(&k, &v);
        }
    }
}

/// SipHash-`c`-`d` (Aumasson and Bernstein, 2.2 to 2.4) with tags of 8 or 16 bytes.
pub(crate) fn siphash(c: usize, d: usize, key: &[u8; 16], message: &[u8], len: usize) -> Vec<u8> {
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
    let (k0, k1) = (word(&key[..8]), word(&key[8..]));
    let name = b"somepseudorandomlygeneratedbytes".chunks(8);
    let name: Vec<u64> = name
        .map(|b| u64::from_be_bytes(b.try_into().unwrap()))
        .collect();
    let mut v = [k0 ^ name[0], k1 ^ name[1], k0 ^ name[2], k1 ^ name[3]];
    let rounds = |v: &mut [u64; 4], count: usize| {
        // The two halves of a SipRound: which words meet, and the rotations.
        let half = |v: &mut [u64; 4], a: usize, c: usize, r: u32, s: u32| {
            v[a] = v[a].wrapping_add(v[1]);
            v[c] = v[c].wrapping_add(v[3]);
            v[1] = v[1].rotate_left(r) ^ v[a];
            v[3] = v[3].rotate_left(s) ^ v[c];
            v[a] = v[a].rotate_left(32);
        };
        for _ in 0..count {
            half(v, 0, 2, 13, 16);
            half(v, 2, 0, 17, 21);
        }
    };
    if len == 16 {
        v[1] ^= 0xee;
    }
    let mut padded = message.to_vec();
    padded.resize(message.len() / 8 * 8 + 7, 0);
    padded.push(message.len() as u8);
    for m in padded.chunks(8).map(word) {
        v[3] ^= m;
        rounds(&mut v, c);
        v[0] ^= m;
    }
    v[2] ^= if len == 16 { 0xee } else { 0xff };
    let mut tag = Vec::new();
    while tag.len() < len {
        rounds(&mut v, d);
        tag.extend((v[0] ^ v[1] ^ v[2] ^ v[3]).to_le_bytes());
        v[1] ^= 0xdd;
    }
    tag
}
