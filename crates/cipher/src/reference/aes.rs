//! AES (FIPS 197).

/// A product modulo x^8 + x^4 + x^3 + x + 1 (4.2).
const fn times(a: u8, b: u8) -> u8 {
    let (mut a, mut product, mut i) = (a as u16, 0, 0);
    while i < 8 {
        if b >> i & 1 == 1 {
            product ^= a;
        }
        a <<= 1;
        if a & 0x100 != 0 {
            a ^= 0x11b;
        }
        i += 1;
    }
    product as u8
}

/// The S-box (5.1.1) and its inverse.
const BOXES: [[u8; 256]; 2] = {
    let (mut boxes, mut x) = ([[0; 256]; 2], 0);
    while x < 256 {
        let mut inverse = 0;
        while x != 0 && times(inverse, x as u8) != 1 {
            inverse += 1;
        }
        let b = inverse;
        let y = b ^ b.rotate_left(1) ^ b.rotate_left(2) ^ b.rotate_left(3) ^ b.rotate_left(4);
        boxes[0][x] = y ^ 0x63;
        boxes[1][(y ^ 0x63) as usize] = x as u8;
        x += 1;
    }
    boxes
};

/// The products with the coefficients of MixColumns (5.1.3) and of its inverse (5.3.3).
const MIXED: [[[u8; 256]; 4]; 2] = {
    let coefficients = [[2, 3, 1, 1], [14, 11, 13, 9]];
    let (mut mixed, mut i) = ([[[0; 256]; 4]; 2], 0);
    while i < 8 * 256 {
        let (which, k, x) = (i / 1024, i / 256 % 4, i % 256);
        mixed[which][k][x] = times(coefficients[which][k], x as u8);
        i += 1;
    }
    mixed
};

/// What a byte of a row adds to its column in SubBytes and MixColumns.
const COLUMNS: [[u32; 256]; 4] = {
    let (mut columns, mut i) = ([[0; 256]; 4], 0);
    while i < 4 * 4 * 256 {
        let (from, to, x) = (i / 1024, i / 256 % 4, i % 256);
        let product = MIXED[0][(from + 4 - to) % 4][BOXES[0][x] as usize];
        columns[from][x] |= (product as u32) << (8 * to);
        i += 1;
    }
    columns
};

type State = [u8; 16];

fn mix(state: State, inverse: usize) -> State {
    let product = |k: usize, x: u8| MIXED[inverse][k][usize::from(x)];
    core::array::from_fn(|at| {
        let (row, column) = (at % 4, at / 4 * 4);
        (0..4).fold(0, |sum, k| sum ^ product(k, state[column + (row + k) % 4]))
    })
}

/// SubBytes and ShiftRows (5.1.1, 5.1.2), or their inverses.
fn substitute(state: State, inverse: usize) -> State {
    core::array::from_fn(|at| {
        let (row, column) = (at % 4, at / 4);
        let from = if inverse == 0 {
            column + row
        } else {
            column + 4 - row
        };
        BOXES[inverse][usize::from(state[4 * (from % 4) + row])]
    })
}

fn add(state: State, key: &State) -> State {
    core::array::from_fn(|i| state[i] ^ key[i])
}

/// AES under one key.
pub(crate) struct Aes(Vec<State>);

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
        Aes(words.as_flattened().as_chunks().0.to_vec())
    }

    /// Cipher (5.1).
    pub(crate) fn encrypt(&self, block: State) -> State {
        let [first, middle @ .., last] = &self.0[..] else {
            unreachable!()
        };
        let mut state = add(block, first);
        for key in middle {
            let mut next = *key;
            for (column, to) in next.as_chunks_mut().0.iter_mut().enumerate() {
                // ShiftRows: row r comes from r columns further on.
                let of =
                    |row: usize| COLUMNS[row][usize::from(state[(4 * (column + row) + row) % 16])];
                let sum = of(0) ^ of(1) ^ of(2) ^ of(3) ^ u32::from_le_bytes(*to);
                *to = sum.to_le_bytes();
            }
            state = next;
        }
        add(substitute(state, 0), last)
    }

    /// InvCipher (5.3).
    pub(crate) fn decrypt(&self, block: State) -> State {
        let [first, middle @ .., last] = &self.0[..] else {
            unreachable!()
        };
        let rounds = middle.iter().rev().fold(add(block, last), |state, key| {
            mix(add(substitute(state, 1), key), 1)
        });
        add(substitute(rounds, 1), first)
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
