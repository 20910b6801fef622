//! Your own block cipher in the modes of this crate: nothing here has to change for it.
//!
//! ```sh
//! cargo run -p adamant-cipher --example own_cipher
//! ```
//!
//! The cipher is XTEA (Needham and Wheeler, 1997), run on both halves of a block of 16 bytes, with
//! the halves exchanged between two passes under different keys. That is a toy, there to have
//! blocks of the length that GCM wants: for a cipher to be relied on take AES or ChaCha20.

use adamant_base::{BlockCipher, Error};
use adamant_cipher::eax::Eax;
use adamant_cipher::gcm::Gcm;
use adamant_cipher::modes::ctr::Ctr;

/// XTEA under one key, on blocks of 8 bytes.
struct Xtea([u32; 4]);

const DELTA: u32 = 0x9e37_79b9;
const ROUNDS: u32 = 32;

impl Xtea {
    fn mix(v: u32) -> u32 {
        ((v << 4) ^ (v >> 5)).wrapping_add(v)
    }

    // Which word of the key a round takes depends on the round alone, never on a secret.
    fn key(&self, sum: u32, shift: u32) -> u32 {
        sum.wrapping_add(self.0[(sum >> shift & 3) as usize])
    }

    fn encrypt(&self, block: [u8; 8]) -> [u8; 8] {
        let (mut a, mut b) = halves(block);
        let mut sum = 0u32;
        for _ in 0..ROUNDS {
            a = a.wrapping_add(Self::mix(b) ^ self.key(sum, 0));
            sum = sum.wrapping_add(DELTA);
            b = b.wrapping_add(Self::mix(a) ^ self.key(sum, 11));
        }
        joined(a, b)
    }

    fn decrypt(&self, block: [u8; 8]) -> [u8; 8] {
        let (mut a, mut b) = halves(block);
        let mut sum = DELTA.wrapping_mul(ROUNDS);
        for _ in 0..ROUNDS {
            b = b.wrapping_sub(Self::mix(a) ^ self.key(sum, 11));
            sum = sum.wrapping_sub(DELTA);
            a = a.wrapping_sub(Self::mix(b) ^ self.key(sum, 0));
        }
        joined(a, b)
    }
}

fn halves(block: [u8; 8]) -> (u32, u32) {
    let whole = u64::from_be_bytes(block);
    ((whole >> 32) as u32, whole as u32)
}

fn joined(a: u32, b: u32) -> [u8; 8] {
    (u64::from(a) << 32 | u64::from(b)).to_be_bytes()
}

/// The words of a block in other places: `abcd` becomes `acbd`, and back.
fn exchange(block: [u8; 16]) -> [u8; 16] {
    let [a, b, c, d] = [0, 4, 8, 12].map(|i| [block[i], block[i + 1], block[i + 2], block[i + 3]]);
    let mut out = [0; 16];
    for (to, word) in out.chunks_mut(4).zip([a, c, b, d]) {
        to.copy_from_slice(&word);
    }
    out
}

/// Two passes over both halves of a block of 16 bytes.
struct Wide([Xtea; 2]);

impl Wide {
    fn new(key: &[u8; 32]) -> Self {
        let word = |i: usize| {
            u32::from_be_bytes([key[4 * i], key[4 * i + 1], key[4 * i + 2], key[4 * i + 3]])
        };
        Wide([0, 4].map(|at| Xtea([word(at), word(at + 1), word(at + 2), word(at + 3)])))
    }
}

fn each_half(block: [u8; 16], crypt: impl Fn([u8; 8]) -> [u8; 8]) -> [u8; 16] {
    let mut out = block;
    for half in out.as_chunks_mut::<8>().0 {
        *half = crypt(*half);
    }
    out
}

// The two methods that every cipher brings. The loops of the modes follow from them; a cipher that
// has quicker ones (many blocks at once, an accelerator) replaces them.
impl BlockCipher for Wide {
    type Block = [u8; 16];

    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        let [first, second] = &self.0;
        for block in blocks {
            let half_way = exchange(each_half(*block, |half| first.encrypt(half)));
            *block = each_half(half_way, |half| second.encrypt(half));
        }
    }

    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        let [first, second] = &self.0;
        for block in blocks {
            let half_way = exchange(each_half(*block, |half| second.decrypt(half)));
            *block = each_half(half_way, |half| first.decrypt(half));
        }
    }
}

fn main() -> Result<(), Error> {
    // XTEA itself, by an answer that is well known.
    let key = [0x0001_0203, 0x0405_0607, 0x0809_0a0b, 0x0c0d_0e0f];
    let block = Xtea(key).encrypt(*b"ABCDEFGH");
    assert_eq!(block, [0x49, 0x7d, 0xf3, 0xd0, 0x72, 0x61, 0x2c, 0xb5]);
    assert_eq!(Xtea(key).decrypt(block), *b"ABCDEFGH");

    let cipher = Wide::new(&[7; 32]);
    let message = *b"attack at dawn, and bring the ladders";

    let mut data = message;
    Ctr::new(&cipher, [1; 16], 4).apply_keystream(&mut data)?;
    assert_ne!(data, message);
    Ctr::new(&cipher, [1; 16], 4).apply_keystream(&mut data)?;
    assert_eq!(data, message);
    println!("CTR: {} bytes there and back", data.len());

    let gcm = Gcm::with_cipher(&cipher);
    let tag = gcm.seal(&[1; 12], b"header", &mut data)?;
    println!("GCM: the tag is {tag:02x?}");
    gcm.open(&[1; 12], b"header", &mut data, &tag)?;
    assert_eq!(data, message);

    let eax = Eax::with_cipher(&cipher);
    let tag = eax.seal(&[1; 12], b"header", &mut data)?;
    data[0] ^= 1;
    let changed = eax.open(&[1; 12], b"header", &mut data, &tag);
    assert_eq!(changed, Err(Error::BadTag));
    println!("EAX: a change was found");
    Ok(())
}
