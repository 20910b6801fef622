//! ECB (SP 800-38A, 6.1): each block for itself, so equal blocks stay equal. For protocols that
//! encrypt single blocks, not for messages.

use adamant_base::{BlockCipher, Error};

use super::whole_blocks;

/// Encrypts whole blocks in place.
///
/// ```
/// use adamant_cipher::{aes::Aes128, modes::ecb};
/// let mut data = [0; 32];
/// ecb::encrypt(&Aes128::new(&[0; 16]), &mut data).unwrap();
/// assert_eq!(data[..2], [0x66, 0xe9]);
/// ```
///
/// # Errors
/// [`Error::BadLength`] for anything but whole blocks; `data` is then untouched.
pub fn encrypt<C: BlockCipher>(cipher: &C, data: &mut [u8]) -> Result<(), Error> {
    cipher.encrypt_blocks(whole_blocks(data)?);
    Ok(())
}

/// Decrypts whole blocks in place.
///
/// # Errors
/// As [`encrypt`].
pub fn decrypt<C: BlockCipher>(cipher: &C, data: &mut [u8]) -> Result<(), Error> {
    cipher.decrypt_blocks(whole_blocks(data)?);
    Ok(())
}
