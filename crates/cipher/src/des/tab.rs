//! DES with tables, as software used to have it: an S-box and the permutation after it are one
//! look-up, whose place tells of the key and the data to whoever watches the cache. For comparison
//! only.

use adamant_base::Block;

use super::RoundKeys;
use super::serial::{enter, leave};
use super::tables::{TARGET, substitute};

/// For each S-box and its six inputs: its outputs, where the permutation puts them.
static TABLES: [[u32; 64]; 8] = {
    let (mut tables, mut s) = ([[0; 64]; 8], 0);
    while s < 8 {
        let mut x = 0;
        while x < 64 {
            let mut o = 0;
            while o < 4 {
                let bit = substitute(s, x) >> (3 - o) & 1;
                tables[s][x] |= (bit as u32) << (31 - TARGET[s][o]);
                o += 1;
            }
            x += 1;
        }
        s += 1;
    }
    tables
};

/// The inputs of each S-box in a round key, the first highest.
fn inputs(key: &[u32; 6]) -> [usize; 8] {
    core::array::from_fn(|s| {
        key.iter()
            .fold(0, |x, word| x << 1 | (word >> (28 - 4 * s) & 1) as usize)
    })
}

fn f(r: u32, key: &[usize; 8]) -> u32 {
    let mut sum = 0;
    for (s, table) in TABLES.iter().enumerate() {
        let selected = r.rotate_left((4 * s as u32 + 5) % 32) as usize & 63;
        sum ^= table[selected ^ key[s]];
    }
    sum
}

/// The round keys of a key, as the tables want them.
struct Inputs {
    keys: [[usize; 8]; 48],
    passes: usize,
}

impl Inputs {
    fn new(keys: &RoundKeys) -> Self {
        Inputs {
            keys: core::array::from_fn(|i| inputs(&keys.serial[i])),
            passes: keys.passes,
        }
    }

    fn crypt<const DECRYPT: bool>(&self, block: [u8; 8]) -> [u8; 8] {
        let [mut l, mut r] = enter(u64::from_be_bytes(block));
        let rounds = 16 * self.passes;
        for i in 0..rounds {
            let key = &self.keys[if DECRYPT { rounds - 1 - i } else { i }];
            (l, r) = (r, l ^ f(r, key));
            if i % 16 == 15 {
                (l, r) = (r, l);
            }
        }
        leave([l, r]).to_be_bytes()
    }
}

pub(super) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 8]]) {
    let keys = Inputs::new(keys);
    for block in blocks {
        *block = keys.crypt::<false>(*block);
    }
}

pub(super) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 8]]) {
    let keys = Inputs::new(keys);
    for block in blocks {
        *block = keys.crypt::<true>(*block);
    }
}

pub(super) fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 8], blocks: &mut [[u8; 8]]) {
    let keys = Inputs::new(keys);
    for block in blocks {
        *block = keys.crypt::<false>(block.xor(*iv));
        *iv = *block;
    }
}

pub(super) fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 8], blocks: &[[u8; 8]]) {
    let keys = Inputs::new(keys);
    for block in blocks {
        *sum = keys.crypt::<false>(sum.xor(*block));
    }
}

crate::loops::from_blocks! { RoundKeys, 8, 64, []: ctr(counter, width) cbc_decrypt(iv) }
