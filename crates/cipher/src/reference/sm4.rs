//! SM4 (GB/T 32907).

use std::sync::LazyLock;

/// A product modulo x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1.
fn times(a: u8, b: u8) -> u8 {
    let (mut a, mut product) = (u16::from(a), 0);
    for i in 0..8 {
        if b >> i & 1 == 1 {
            product ^= a;
        }
        a <<= 1;
        if a & 0x100 != 0 {
            a ^= 0x1f5;
        }
    }
    product as u8
}

/// The map around the inversion: a cyclic matrix, and a constant.
fn affine(x: u8) -> u8 {
    let mut y = 0;
    for i in 0..8 {
        // Row i of the matrix.
        let row = 0xa7u8.rotate_left(i);
        y |= ((x & row).count_ones() as u8 & 1) << i;
    }
    y ^ 0xd3
}

/// The S-box (6.2).
static S_BOX: LazyLock<[u8; 256]> = LazyLock::new(|| {
    let inverse = |x: u8| (1..=255).find(|y| times(*y, x) == 1).unwrap_or(0);
    std::array::from_fn(|x| affine(inverse(affine(x as u8))))
});

fn tau(word: u32) -> u32 {
    u32::from_be_bytes(word.to_be_bytes().map(|x| S_BOX[usize::from(x)]))
}

fn words(block: [u8; 16]) -> [u32; 4] {
    let words = block.as_chunks().0;
    [0, 1, 2, 3].map(|i| u32::from_be_bytes(words[i]))
}

/// SM4 under one key.
pub(crate) struct Sm4([u32; 32]);

impl Sm4 {
    /// The key schedule (7.3).
    pub(crate) fn new(key: [u8; 16]) -> Self {
        let system = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];
        let mut k = words(key).to_vec();
        (0..4).for_each(|i| k[i] ^= system[i]);
        for i in 0..32 {
            let constant = (0..4).fold(0, |word, j| word << 8 | ((4 * i + j) * 7 % 256));
            let i = i as usize;
            let b = tau(k[i + 1] ^ k[i + 2] ^ k[i + 3] ^ constant);
            k.push(k[i] ^ b ^ b.rotate_left(13) ^ b.rotate_left(23));
        }
        Sm4(core::array::from_fn(|i| k[4 + i]))
    }

    fn crypt(&self, block: [u8; 16], round_key: impl Fn(usize) -> u32) -> [u8; 16] {
        let mut x = [0; 36];
        x[..4].copy_from_slice(&words(block));
        for i in 0..32 {
            let b = tau(x[i + 1] ^ x[i + 2] ^ x[i + 3] ^ round_key(i));
            let l = [2, 10, 18, 24]
                .into_iter()
                .fold(b, |sum, by| sum ^ b.rotate_left(by));
            x[i + 4] = x[i] ^ l;
        }
        let mut out = [0; 16];
        for (to, word) in out.as_chunks_mut().0.iter_mut().zip(x[32..].iter().rev()) {
            *to = word.to_be_bytes();
        }
        out
    }

    /// 7.1.
    pub(crate) fn encrypt(&self, block: [u8; 16]) -> [u8; 16] {
        self.crypt(block, |i| self.0[i])
    }

    /// 7.2.
    pub(crate) fn decrypt(&self, block: [u8; 16]) -> [u8; 16] {
        self.crypt(block, |i| self.0[31 - i])
    }
}

/// GB/T 32907, A.1, and again and again.
#[test]
fn gb_t_32907() {
    use hex_literal::hex;
    let plain = hex!("0123456789abcdeffedcba9876543210");
    let sealed = hex!("681edf34d206965e86b3e94f536e4246");
    let sm4 = Sm4::new(plain);
    assert_eq!((sm4.encrypt(plain), sm4.decrypt(sealed)), (sealed, plain));
    assert_eq!((S_BOX[0], S_BOX[0x71], S_BOX[0xff]), (0xd6, 0x00, 0x48));
}
