//! What `SECURITY.md` advises for messages that 22e72e3 sealed wrongly gives their plaintext back.

use core::iter::zip;

use adamant_base::BlockCipher;

use super::*;
use crate::aes::{Aes128, Aes192, Aes256};
use crate::hazmat::AnyLengths;
use crate::modes::ctr::Ctr;

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().as_chunks::<2>().0.iter();
    let byte = |pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(|pair| byte(pair)).collect()
}

/// SP 800-38D, 7.1, step 2, for a nonce that is not 12 bytes long.
fn j0(cipher: &impl BlockCipher<Block = [u8; 16]>, nonce: &[u8]) -> [u8; 16] {
    let mut h = [[0; 16]];
    cipher.encrypt_blocks(&mut h);
    let mut blocks: Vec<[u8; 16]> = Vec::new();
    for part in nonce.chunks(16) {
        let mut block = [0; 16];
        block[..part.len()].copy_from_slice(part);
        blocks.push(block);
    }
    blocks.push((8 * nonce.len() as u128).to_be_bytes());
    let mut sum = [0; 16];
    ghash::Key::new(&h[0]).update(&mut sum, &blocks);
    sum
}

/// The advice, step by step, to one message; the number of its J0 modulo 32.
fn recover(
    cipher: &impl BlockCipher<Block = [u8; 16]>,
    gcm: &impl AnyLengths,
    (nonce, aad, sealed): (&[u8], &[u8], &[u8]),
    plain: &[u8],
) -> u32 {
    let (ciphertext, tag) = sealed.split_at(512);
    let j0 = j0(cipher, nonce);
    let (fixed, number) = j0.split_at(12);
    let number = u32::from_be_bytes(number.try_into().unwrap());

    // Open it: the tag is right, the bytes are wrong.
    let mut data = ciphertext.to_vec();
    gcm.open_any(nonce, aad, &mut data, tag).unwrap();
    assert_eq!(data == plain, number % 32 == 1);
    // Seal the result: the ciphertext is back.
    let mut again = [0; 16];
    gcm.seal_any(nonce, aad, &mut data, &mut again).unwrap();
    assert!(data == ciphertext && again == tag);
    // The key stream from J0 with its low five bits cleared, plus 2.
    let first = (number & !31).wrapping_add(2);
    let mut block = [0; 16];
    block[..12].copy_from_slice(fixed);
    block[12..].copy_from_slice(&first.to_be_bytes());
    Ctr::new(cipher, block, 4)
        .apply_keystream(&mut data)
        .unwrap();
    assert!(data == plain);

    // What the consequence rests on: the tag's mask, E(J0), is a block of that key stream.
    let mut mask = [j0];
    cipher.encrypt_blocks(&mut mask);
    let stream: Vec<u8> = zip(ciphertext, plain).map(|(a, b)| a ^ b).collect();
    let used = stream.as_chunks().0.contains(&mask[0]);
    assert_eq!(used, number % 32 > 1);
    number % 32
}

#[test]
fn what_was_sealed_wrongly_is_recovered() {
    let lines = include_str!("advisory.txt").lines();
    let mut count = 0;
    for (n, line) in lines.filter(|line| !line.starts_with('#')).enumerate() {
        let fields: Vec<_> = line.split(' ').map(|text| text.trim_matches('-')).collect();
        let [key, nonce, aad, sealed] = *fields.as_slice() else {
            panic!("message {n}");
        };
        let (key, nonce, aad, sealed) = (bytes(key), bytes(nonce), bytes(aad), bytes(sealed));
        let plain: Vec<u8> = (0..512).map(|i| ((7 * i + n) % 251) as u8).collect();
        let message = (&nonce[..], &aad[..], &sealed[..]);
        for backend in Backend::available() {
            macro_rules! of {
                ($cipher:ty) => {{
                    let key = key[..].try_into().unwrap();
                    let gcm = AesGcm::new_on(key, backend);
                    recover(&<$cipher>::new(key), &gcm, message, &plain)
                }};
            }
            let number = match key.len() {
                16 => of!(Aes128),
                24 => of!(Aes192),
                _ => of!(Aes256),
            };
            assert_eq!(number as usize, n, "{backend:?}");
        }
        count += 1;
    }
    assert_eq!(count, 32);
}
