//! Bitsliced in planes of 64 bits, four blocks at once.

use adamant_base::BlockCipher;

use super::RoundKeys;
use super::portable::Sliced;
pub(super) use super::portable::expand;

type Cipher = Sliced<u64>;

pub(super) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).encrypt_blocks(blocks);
}

pub(super) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).decrypt_blocks(blocks);
}

pub(super) fn ctr(keys: &RoundKeys, counter: &mut [u8; 16], width: usize, blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).ctr(counter, width, blocks);
}

pub(super) fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).cbc_encrypt(iv, blocks);
}

pub(super) fn cbc_decrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).cbc_decrypt(iv, blocks);
}
