//! CFB (SP 800-38A, 6.3) with segments of a whole block; the last may be short.

use adamant_base::{Block, BlockCipher};

use super::xor;

/// Blocks decrypted at once.
const AT_ONCE: usize = 32;

/// Encrypts in place.
///
/// ```
/// use adamant_cipher::{aes::Aes128, modes::cfb};
/// let aes = Aes128::new(&[7; 16]);
/// let mut data = *b"attack at dawn, not before";
/// cfb::encrypt(&aes, &[1; 16], &mut data);
/// cfb::decrypt(&aes, &[1; 16], &mut data);
/// assert_eq!(&data, b"attack at dawn, not before");
/// ```
pub fn encrypt<C: BlockCipher>(cipher: &C, iv: &C::Block, data: &mut [u8]) {
    let mut state = *iv;
    let (blocks, rest) = C::Block::split_mut(data);
    for block in blocks {
        cipher.encrypt_blocks(core::slice::from_mut(&mut state));
        *block = block.xor(state);
        state = *block;
    }
    if !rest.is_empty() {
        cipher.encrypt_blocks(core::slice::from_mut(&mut state));
        xor(rest, state.as_ref());
    }
}

/// Decrypts in place.
pub fn decrypt<C: BlockCipher>(cipher: &C, iv: &C::Block, data: &mut [u8]) {
    let mut previous = *iv;
    let (blocks, rest) = C::Block::split_mut(data);
    for blocks in blocks.chunks_mut(AT_ONCE) {
        // The stream is made of the ciphertext, which is all there.
        let mut stream = [C::Block::ZERO; AT_ONCE];
        let stream = &mut stream[..blocks.len()];
        for (stream, block) in stream.iter_mut().zip(&*blocks) {
            *stream = previous;
            previous = *block;
        }
        cipher.encrypt_blocks(stream);
        for (block, stream) in blocks.iter_mut().zip(stream) {
            *block = block.xor(*stream);
        }
    }
    if !rest.is_empty() {
        cipher.encrypt_blocks(core::slice::from_mut(&mut previous));
        xor(rest, previous.as_ref());
    }
}
