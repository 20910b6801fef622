//! EAX (Bellare, Rogaway and Wagner, "The EAX mode of operation", FSE 2004): counter mode and
//! CMAC over any cipher with blocks of 16 bytes.
//!
//! Nonces may have any length; none may serve two messages under one key. Tags have 8 to 16 bytes,
//! the start of the whole one.

#[cfg(test)]
mod tests;

use adamant_base::{Aead, BlockCipher, Error, ct};

use crate::aes::Aes;
use crate::cmac::Cmac;
use crate::modes::ctr::Ctr;
use crate::tag;

/// EAX over a block cipher.
///
/// ```
/// use adamant_base::Aead;
/// use adamant_cipher::eax::AesEax;
/// let cipher = <AesEax<16> as Aead>::new(&[7; 16]).unwrap();
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
/// cipher.seal(&[1; 16], b"header", &mut data, &mut tag).unwrap();
/// cipher.open(&[1; 16], b"header", &mut data, &tag).unwrap();
/// assert_eq!(&data, b"attack at dawn");
/// ```
pub struct Eax<C: BlockCipher>(Cmac<C>);

/// EAX with AES under a key of `KEY_LEN` bytes.
pub type AesEax<const KEY_LEN: usize> = Eax<Aes<KEY_LEN>>;

/// Bytes worked on before the other half has its turn: they stay in the first cache.
const AT_ONCE: usize = 4096;

impl<C: BlockCipher<Block = [u8; 16]>> Eax<C> {
    /// EAX over `cipher`, which has its key.
    #[must_use]
    pub fn with_cipher(cipher: C) -> Self {
        Eax(Cmac::with_cipher(cipher))
    }

    /// OMAC with a block that holds the number `tweak` in front.
    fn omac(&self, tweak: u8) -> Cmac<&C> {
        let mut block = [0; 16];
        block[15] = tweak;
        let mut mac = self.0.another();
        mac.update(&block);
        mac
    }

    /// Encrypts or decrypts in place; the whole tag.
    fn crypt<const DECRYPT: bool>(&self, nonce: &[u8], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
        let mut mac = self.omac(0);
        mac.update(nonce);
        let first = mac.finalize();
        let mut mac = self.omac(1);
        mac.update(aad);
        let header = mac.finalize();
        let mut mac = self.omac(2);
        // The counter mode branches on where its counter wraps around, so its time tells whether
        // the first is that near to the end: one in 2^64 / blocks is.
        let mut start = first;
        ct::mark_public_value(&mut start);
        let mut stream = Ctr::new(self.0.cipher(), start, 16);
        for data in data.chunks_mut(AT_ONCE) {
            // It is the ciphertext that is authenticated.
            if DECRYPT {
                mac.update(data);
            }
            // No message has 2^128 blocks.
            let _ = stream.apply_keystream(data);
            if !DECRYPT {
                mac.update(data);
            }
        }
        let text = mac.finalize();
        core::array::from_fn(|i| first[i] ^ header[i] ^ text[i])
    }

    /// As [`Aead::seal`], with a nonce of any length and a tag of 8 to 16 bytes.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a tag of another length; `data` is then untouched.
    pub fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        check_tag(tag)?;
        let whole = self.crypt::<false>(nonce, aad, data);
        tag.copy_from_slice(&whole[..tag.len()]);
        Ok(())
    }

    /// As [`Aead::open`].
    ///
    /// # Errors
    /// [`Error::BadTag`]; `data` is then zeroed. [`Error::BadLength`] as for [`Self::seal`].
    pub fn open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        check_tag(tag)?;
        let whole = self.crypt::<true>(nonce, aad, data);
        tag::check(&whole, tag, data)
    }
}

fn check_tag(tag: &[u8]) -> Result<(), Error> {
    match tag.len() {
        8..=16 => Ok(()),
        actual => Err(Error::BadLength {
            expected: 16,
            actual,
        }),
    }
}

/// Nonces of any length, tags of 8 to 16 bytes.
impl<const KEY_LEN: usize> Aead for AesEax<KEY_LEN> {
    const KEY_LEN: usize = KEY_LEN;
    const NONCE_LEN: usize = 12;
    const TAG_LEN: usize = 16;

    fn new(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::with_cipher(Aes::from_slice(key)?))
    }
    fn seal(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
        Self::seal(self, nonce, aad, data, tag)
    }
    fn open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        Self::open(self, nonce, aad, data, tag)
    }
}
