//! OFB (SP 800-38A, 6.4): a stream cipher, each block of stream the encryption of the last.

use adamant_base::{Block, BlockCipher, Wipe};

use super::xor;

/// Encrypts or decrypts in place.
///
/// ```
/// use adamant_cipher::{aes::Aes128, modes::ofb};
/// let aes = Aes128::new(&[7; 16]);
/// let mut data = *b"attack at dawn";
/// ofb::apply_keystream(&aes, &[1; 16], &mut data);
/// ofb::apply_keystream(&aes, &[1; 16], &mut data);
/// assert_eq!(&data, b"attack at dawn");
/// ```
pub fn apply_keystream<C: BlockCipher>(cipher: &C, iv: &C::Block, data: &mut [u8]) {
    let mut state = *iv;
    let (blocks, rest) = C::Block::split_mut(data);
    for block in blocks {
        cipher.encrypt_blocks(core::slice::from_mut(&mut state));
        *block = block.xor(state);
    }
    if !rest.is_empty() {
        cipher.encrypt_blocks(core::slice::from_mut(&mut state));
        xor(rest, state.as_ref());
    }
    state.as_mut().wipe();
}
