//! DES (FIPS 46-3) and triple DES (SP 800-67).

use std::array::from_fn;
use std::sync::LazyLock;

const IP: [u8; 64] = [
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4, 62, 54, 46, 38, 30, 22, 14, 6,
    64, 56, 48, 40, 32, 24, 16, 8, 57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3, 61,
    53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7,
];
const FINAL: [u8; 64] = [
    40, 8, 48, 16, 56, 24, 64, 32, 39, 7, 47, 15, 55, 23, 63, 31, 38, 6, 46, 14, 54, 22, 62, 30,
    37, 5, 45, 13, 53, 21, 61, 29, 36, 4, 44, 12, 52, 20, 60, 28, 35, 3, 43, 11, 51, 19, 59, 27,
    34, 2, 42, 10, 50, 18, 58, 26, 33, 1, 41, 9, 49, 17, 57, 25,
];
const E: [u8; 48] = [
    32, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, 8, 9, 10, 11, 12, 13, 12, 13, 14, 15, 16, 17, 16, 17, 18,
    19, 20, 21, 20, 21, 22, 23, 24, 25, 24, 25, 26, 27, 28, 29, 28, 29, 30, 31, 32, 1,
];
const P: [u8; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19,
    13, 30, 6, 22, 11, 4, 25,
];
const PC1: [u8; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60,
    52, 44, 36, 63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29,
    21, 13, 5, 28, 20, 12, 4,
];
const PC2: [u8; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52,
    31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];
/// The S-boxes, row by row, a hexadecimal digit each.
const S: [&str; 8] = [
    "e4d12fb83a6c59070f74e2d1a6cb953841e8d62bfc973a50fc8249175b3ea06d",
    "f18e6b34972dc05a3d47f28ec01a69b50e7ba4d158c6932fd8a13f42b67c05e9",
    "a09e63f51dc7b428d709346a285ecbf1d6498f30b12c5ae71ad069874fe3b52c",
    "7de3069a1285bc4fd8b56f03472c1ae9a690cb7df13e52843f06a1d8945bc72e",
    "2c417ab6853fd0e9eb2c47d150fa3986421bad78f9c5630eb8c71e2d6f09a453",
    "c1af92680d34e75baf427c9561de0b389ef528c3704a1db6432c95fabe17608d",
    "4b2ef08d3c975a61d0b7491ae35c2f8614bdc37eaf6805926bd814a7950fe23c",
    "d2846fb1a93e50c71fd8a374c56b0e927b419ce206adf35821e74a8dfc90356b",
];

/// The bits of `x`, of which there are `of`, at these places, counted from 1 for the highest.
fn select(x: u64, of: u32, places: &[u8]) -> u64 {
    let bit = |place: &u8| x >> (of - u32::from(*place)) & 1;
    places.iter().fold(0, |bits, place| bits << 1 | bit(place))
}

/// What each byte of a number adds to its selection, the lowest byte first.
fn by_bytes<const LEN: usize>(places: &[u8]) -> [[u64; 256]; LEN] {
    let of = |at, byte| select((byte as u64) << (8 * at), 8 * LEN as u32, places);
    from_fn(|at| from_fn(|byte| of(at, byte)))
}

static BY_IP: LazyLock<[[u64; 256]; 8]> = LazyLock::new(|| by_bytes(&IP));
static BY_FINAL: LazyLock<[[u64; 256]; 8]> = LazyLock::new(|| by_bytes(&FINAL));
static BY_E: LazyLock<[[u64; 256]; 4]> = LazyLock::new(|| by_bytes(&E));

/// What six bits add to the result of f in their S-box and P.
static BY_S: LazyLock<[[u64; 64]; 8]> = LazyLock::new(|| {
    let of = |table: usize, six: usize| {
        // The outer bits are the row, the others the column.
        let at = (six >> 4 & 2 | six & 1) * 16 + (six >> 1 & 15);
        let digit = char::from(S[table].as_bytes()[at]).to_digit(16).unwrap();
        select(u64::from(digit) << (28 - 4 * table), 32, &P)
    };
    from_fn(|table| from_fn(|six| of(table, six)))
});

fn selected(x: u64, by_bytes: &[[u64; 256]]) -> u64 {
    let mut selected = 0;
    for (i, by_byte) in by_bytes.iter().enumerate() {
        selected |= by_byte[usize::from((x >> (8 * i)) as u8)];
    }
    selected
}

/// The round keys of a key.
fn schedule(key: [u8; 8]) -> [u64; 16] {
    let both = select(u64::from_be_bytes(key), 64, &PC1);
    let (mut c, mut d) = (both >> 28, both & 0xfff_ffff);
    [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1].map(|by| {
        let rotate = |x: u64| (x << by | x >> (28 - by)) & 0xfff_ffff;
        (c, d) = (rotate(c), rotate(d));
        select(c << 28 | d, 56, &PC2)
    })
}

fn f(r: u64, key: u64) -> u64 {
    let x = selected(r, &*BY_E) ^ key;
    let mut out = 0;
    for (i, by_six) in BY_S.iter().enumerate() {
        out |= by_six[(x >> (42 - 6 * i) & 63) as usize];
    }
    out
}

fn rounds(block: u64, keys: &[u64; 16]) -> u64 {
    let start = selected(block, &*BY_IP);
    let (mut l, mut r) = (start >> 32, start & 0xffff_ffff);
    for key in keys {
        (l, r) = (r, l ^ f(r, *key));
    }
    selected(r << 32 | l, &*BY_FINAL)
}

/// The passes of encryption or decryption, one after the other.
fn crypt(block: [u8; 8], passes: &[[u64; 16]]) -> [u8; 8] {
    let mut block = u64::from_be_bytes(block);
    for keys in passes {
        block = rounds(block, keys);
    }
    block.to_be_bytes()
}

/// DES, or triple DES, under a key of 8, 16 or 24 bytes.
pub(crate) struct Des {
    encrypt: Vec<[u64; 16]>,
    decrypt: Vec<[u64; 16]>,
}

impl Des {
    pub(crate) fn new(key: &[u8]) -> Self {
        let mut encrypt: Vec<_> = key.as_chunks().0.iter().map(|key| schedule(*key)).collect();
        if let [a, _] = encrypt[..] {
            encrypt.push(a);
        }
        // The second pass is a decryption: its keys go backwards.
        if let Some(second) = encrypt.get_mut(1) {
            second.reverse();
        }
        let mut decrypt = encrypt.clone();
        decrypt.as_flattened_mut().reverse();
        Des { encrypt, decrypt }
    }

    pub(crate) fn encrypt(&self, block: [u8; 8]) -> [u8; 8] {
        crypt(block, &self.encrypt)
    }

    pub(crate) fn decrypt(&self, block: [u8; 8]) -> [u8; 8] {
        crypt(block, &self.decrypt)
    }
}

/// SP 800-17, table 4, and SP 800-67, appendix B.
#[test]
fn sp_800_67() {
    use hex_literal::hex;
    let des = Des::new(&hex!("7ca110454a1a6e57"));
    assert_eq!(
        des.encrypt(hex!("01a1d6d039776742")),
        hex!("690f5b0d9a26939b")
    );
    assert_eq!(
        des.decrypt(hex!("690f5b0d9a26939b")),
        hex!("01a1d6d039776742")
    );
    let key = hex!("0123456789abcdef23456789abcdef01456789abcdef0123");
    let three = Des::new(&key);
    let (plain, sealed) = (*b"The qufc", hex!("a826fd8ce53b855f"));
    assert_eq!(
        (three.encrypt(plain), three.decrypt(sealed)),
        (sealed, plain)
    );
}
