//! Bitsliced in planes of 64 bits, four blocks at once.

use adamant_base::BlockCipher;

use super::RoundKeys;
use super::portable::Sliced;
pub(crate) use super::portable::expand;

type Cipher = Sliced<u64>;

pub(crate) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).encrypt_blocks(blocks);
}

pub(crate) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).decrypt_blocks(blocks);
}

pub(crate) fn ctr(keys: &RoundKeys, counter: &mut [u8; 16], width: usize, blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).ctr(counter, width, blocks);
}

pub(crate) fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).cbc_encrypt(iv, blocks);
}

pub(crate) fn cbc_decrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).cbc_decrypt(iv, blocks);
}

pub(crate) fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    Cipher::new(keys).cbc_mac(sum, blocks);
}

pub(crate) fn xts_encrypt(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).xts_encrypt(tweak, blocks);
}

pub(crate) fn xts_decrypt(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
    Cipher::new(keys).xts_decrypt(tweak, blocks);
}
