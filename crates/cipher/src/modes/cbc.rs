//! CBC (SP 800-38A, 6.2), with and without the padding of PKCS #7 (RFC 5652, 6.3).
//!
//! The initialisation vector must be unpredictable. Telling an attacker whether a padding was
//! right reveals the plaintext: authenticate the ciphertext first.

use adamant_base::{Block, BlockCipher, Error, Wipe, ct::Choice};

use super::whole_blocks;
use crate::aes::lanes;

/// Encrypts whole blocks in place.
///
/// ```
/// use adamant_cipher::{aes::Aes128, modes::cbc};
/// let aes = Aes128::new(&[7; 16]);
/// let mut data = [3; 32];
/// cbc::encrypt(&aes, &[1; 16], &mut data).unwrap();
/// cbc::decrypt(&aes, &[1; 16], &mut data).unwrap();
/// assert_eq!(data, [3; 32]);
/// ```
///
/// # Errors
/// [`Error::BadLength`] for anything but whole blocks; `data` is then untouched.
pub fn encrypt<C: BlockCipher>(cipher: &C, iv: &C::Block, data: &mut [u8]) -> Result<(), Error> {
    cipher.cbc_encrypt(&mut { *iv }, whole_blocks(data)?);
    Ok(())
}

/// Encrypts many messages of whole blocks in place, each under a key and an initialisation vector of
/// its own: the chain of one leaves room for those of others.
///
/// ```
/// use adamant_cipher::{aes::Aes128, modes::{Message, cbc}};
/// let (one, two) = (Aes128::new(&[1; 16]), Aes128::new(&[2; 16]));
/// let (mut a, mut b) = ([3; 48], [4; 16]);
/// cbc::encrypt_batch(&mut [
///     Message { cipher: &one, iv: [5; 16], data: &mut a },
///     Message { cipher: &two, iv: [6; 16], data: &mut b },
/// ])
/// .unwrap();
/// cbc::decrypt(&one, &[5; 16], &mut a).unwrap();
/// assert_eq!(a, [3; 48]);
/// ```
///
/// # Errors
/// [`Error::BadLength`] when a message is anything but whole blocks; all are then untouched.
pub fn encrypt_batch<const KEY_LEN: usize>(
    messages: &mut [lanes::Message<'_, KEY_LEN>],
) -> Result<(), Error> {
    lanes::cbc_encrypt_on(messages, lanes::Backend::best())
}

/// Decrypts whole blocks in place.
///
/// # Errors
/// As [`encrypt`].
pub fn decrypt<C: BlockCipher>(cipher: &C, iv: &C::Block, data: &mut [u8]) -> Result<(), Error> {
    cipher.cbc_decrypt(&mut { *iv }, whole_blocks(data)?);
    Ok(())
}

/// The length of a padded message: the next multiple of a block above.
#[must_use]
pub fn padded_len<C: BlockCipher>(message: usize) -> usize {
    let block = C::Block::ZERO.as_ref().len();
    message - message % block + block
}

/// Pads the first `message` bytes of `buffer` and encrypts them in place; gives the ciphertext,
/// [`padded_len`] bytes.
///
/// ```
/// use adamant_cipher::{aes::Aes256, modes::cbc};
/// let aes = Aes256::new(&[7; 32]);
/// let mut buffer = *b"attack at dawn..";
/// let sealed = cbc::encrypt_padded(&aes, &[1; 16], &mut buffer, 14).unwrap();
/// let opened = cbc::decrypt_padded(&aes, &[1; 16], sealed).unwrap();
/// assert_eq!(opened, b"attack at dawn");
/// ```
///
/// # Errors
/// [`Error::BadLength`] when the buffer has no room for the padding; it is then untouched.
pub fn encrypt_padded<'a, C: BlockCipher>(
    cipher: &C,
    iv: &C::Block,
    buffer: &'a mut [u8],
    message: usize,
) -> Result<&'a mut [u8], Error> {
    let expected = padded_len::<C>(message);
    let actual = buffer.len();
    let data = buffer
        .get_mut(..expected)
        .ok_or(Error::BadLength { expected, actual })?;
    let padding = expected - message;
    data[message..].fill(padding as u8);
    encrypt(cipher, iv, data)?;
    Ok(data)
}

/// Decrypts in place and takes the padding off.
///
/// # Errors
/// [`Error::BadTag`] for a wrong padding, whatever is wrong with it; `data` is then zeroed.
/// [`Error::BadLength`] for anything but whole blocks, or none.
pub fn decrypt_padded<'a, C: BlockCipher>(
    cipher: &C,
    iv: &C::Block,
    data: &'a mut [u8],
) -> Result<&'a mut [u8], Error> {
    let block = C::Block::ZERO.as_ref().len();
    if data.is_empty() {
        return Err(Error::BadLength {
            expected: block,
            actual: 0,
        });
    }
    decrypt(cipher, iv, data)?;
    // Every byte of the last block is looked at, whatever the padding says.
    let len = data.len();
    let padding = u64::from(data[len - 1]);
    let mut right = Choice::nonzero(padding).and(Choice::lt_u64(padding, block as u64 + 1));
    for (i, byte) in data.iter().rev().take(block).enumerate() {
        let outside = Choice::lt_u64(padding, i as u64 + 1);
        right = right.and(outside.or(Choice::eq_u64(u64::from(*byte), padding)));
    }
    if right.declassify() {
        // The length of the message is not a secret from its receiver.
        adamant_base::ct::mark_public(&data[len - 1..]);
        let message = len - usize::from(data[len - 1]);
        Ok(&mut data[..message])
    } else {
        data.wipe();
        Err(Error::BadTag)
    }
}
