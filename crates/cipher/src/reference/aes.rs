//! AES (FIPS 197).

use std::sync::LazyLock;

/// A product modulo x^8 + x^4 + x^3 + x + 1 (4.2).
fn times(a: u8, b: u8) -> u8 {
    let (mut a, mut product) = (u16::from(a), 0);
    for i in 0..8 {
        if b >> i & 1 == 1 {
            product ^= a;
        }
        a <<= 1;
        if a & 0x100 != 0 {
            a ^= 0x11b;
        }
    }
    product as u8
}

/// The S-box (5.1.1) and its inverse.
static BOXES: LazyLock<[[u8; 256]; 2]> = LazyLock::new(|| {
    let mut boxes = [[0; 256]; 2];
    for x in 0..=255 {
        let b = (1..=255).find(|y| times(*y, x) == 1).unwrap_or(0);
        let y = b ^ b.rotate_left(1) ^ b.rotate_left(2) ^ b.rotate_left(3) ^ b.rotate_left(4);
        boxes[0][usize::from(x)] = y ^ 0x63;
        boxes[1][usize::from(y ^ 0x63)] = x;
    }
    boxes
});

/// What a byte of a row adds to its column in SubBytes and MixColumns (5.1.3), and in the inverses of
/// both (5.3.3).
static COLUMNS: LazyLock<[[[u32; 256]; 4]; 2]> = LazyLock::new(|| {
    let coefficients = [[2, 3, 1, 1], [14, 11, 13, 9]];
    let column = |which: usize, from: usize, x: usize| {
        let product = |to: usize| times(coefficients[which][(from + 4 - to) % 4], BOXES[which][x]);
        u32::from_le_bytes([0, 1, 2, 3].map(product))
    };
    [0, 1].map(|which| [0, 1, 2, 3].map(|from| std::array::from_fn(|x| column(which, from, x))))
});

/// Four columns, the first row in the lowest bits.
type State = [u32; 4];

fn state(block: [u8; 16]) -> State {
    let x = u128::from_le_bytes(block);
    [
        x as u32,
        (x >> 32) as u32,
        (x >> 64) as u32,
        (x >> 96) as u32,
    ]
}

fn bytes(state: State) -> [u8; 16] {
    let [a, b, c, d] = state.map(u128::from);
    (d << 96 | c << 64 | b << 32 | a).to_le_bytes()
}

/// What ShiftRows (5.1.2), or its inverse, brings into this column of a row.
fn shifted(state: &State, row: usize, column: usize, inverse: usize) -> usize {
    let from = if inverse == 0 {
        column + row
    } else {
        column + 4 - row
    };
    usize::from((state[from % 4] >> (8 * row)) as u8)
}

/// SubBytes, ShiftRows, MixColumns and AddRoundKey, or the inverses.
fn round(state: State, key: &State, inverse: usize) -> State {
    let mut next = *key;
    for (column, to) in next.iter_mut().enumerate() {
        for (row, products) in COLUMNS[inverse].iter().enumerate() {
            *to ^= products[shifted(&state, row, column, inverse)];
        }
    }
    next
}

/// The same without MixColumns.
fn last_round(state: State, key: &State, inverse: usize) -> State {
    let mut next = *key;
    for (column, to) in next.iter_mut().enumerate() {
        for row in 0..4 {
            let byte = BOXES[inverse][shifted(&state, row, column, inverse)];
            *to ^= u32::from(byte) << (8 * row);
        }
    }
    next
}

/// The first key, the rounds, and the last one.
fn crypt(block: [u8; 16], keys: &[State], inverse: usize) -> [u8; 16] {
    let [first, middle @ .., last] = keys else {
        unreachable!()
    };
    let mut state = state(block);
    for (word, key) in state.iter_mut().zip(first) {
        *word ^= key;
    }
    for key in middle {
        state = round(state, key, inverse);
    }
    bytes(last_round(state, last, inverse))
}

/// AES under one key: the round keys of both directions.
pub(crate) struct Aes([Vec<State>; 2]);

impl Aes {
    /// KeyExpansion (5.2) of a key of 16, 24 or 32 bytes.
    pub(crate) fn new(key: &[u8]) -> Self {
        let nk = key.len() / 4;
        let mut words: Vec<[u8; 4]> = key.as_chunks().0.to_vec();
        let mut constant = 1;
        for i in nk..4 * (nk + 7) {
            let mut word = words[i - 1];
            let sub = |word: [u8; 4]| word.map(|x| BOXES[0][usize::from(x)]);
            if i % nk == 0 {
                word.rotate_left(1);
                word = sub(word);
                word[0] ^= constant;
                constant = times(2, constant);
            } else if nk > 6 && i % nk == 4 {
                word = sub(word);
            }
            words.push(core::array::from_fn(|j| word[j] ^ words[i - nk][j]));
        }
        let words: Vec<u32> = words.into_iter().map(u32::from_le_bytes).collect();
        let encrypt: Vec<State> = words.as_chunks().0.to_vec();
        // The equivalent inverse cipher (5.3.5): all but the outer keys through InvMixColumns.
        let mut decrypt: Vec<State> = encrypt.iter().rev().copied().collect();
        let rounds = decrypt.len() - 1;
        for word in decrypt[1..rounds].as_flattened_mut() {
            let bytes = word.to_le_bytes().into_iter().enumerate();
            *word = bytes.fold(0, |sum, (row, byte)| {
                // The products begin with the inverse S-box.
                sum ^ COLUMNS[1][row][usize::from(BOXES[0][usize::from(byte)])]
            });
        }
        Aes([encrypt, decrypt])
    }

    /// Cipher (5.1).
    pub(crate) fn encrypt(&self, block: [u8; 16]) -> [u8; 16] {
        crypt(block, &self.0[0], 0)
    }

    /// InvCipher (5.3).
    pub(crate) fn decrypt(&self, block: [u8; 16]) -> [u8; 16] {
        crypt(block, &self.0[1], 1)
    }
}

/// FIPS 197, appendix C.
#[test]
fn fips_197() {
    use hex_literal::hex;
    let plain = hex!("00112233445566778899aabbccddeeff");
    let key: [u8; 32] = core::array::from_fn(|i| i as u8);
    for (len, sealed) in [
        (16, hex!("69c4e0d86a7b0430d8cdb78070b4c55a")),
        (24, hex!("dda97ca4864cdfe06eaf70a0ec0d7191")),
        (32, hex!("8ea2b7ca516745bfeafc49904b496089")),
    ] {
        let aes = Aes::new(&key[..len]);
        assert_eq!((aes.encrypt(plain), aes.decrypt(sealed)), (sealed, plain));
    }
}
