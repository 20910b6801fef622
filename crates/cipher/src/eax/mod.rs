//! EAX (Bellare, Rogaway and Wagner, "The EAX mode of operation", FSE 2004): counter mode and
//! CMAC over any cipher with blocks of 16 bytes.
//!
//! No nonce may serve two messages under one key. Nonces have 12 bytes and tags 16; nonces of any
//! other length, and shorter tags, are in [`hazmat`](crate::hazmat).

#[cfg(test)]
mod tests;

use adamant_base::{BlockCipher, Error, ct};

use crate::aead::{self, aead};
use crate::aes::Aes;
use crate::cmac::Cmac;
use crate::hazmat::AnyLengths;
use crate::modes::ctr::Ctr;

/// EAX over a block cipher.
///
/// ```
/// use adamant_cipher::{aes::Aes128, eax::Eax};
/// let cipher = Eax::with_cipher(Aes128::new(&[7; 16]));
/// let mut data = *b"attack at dawn";
/// let tag = cipher.seal(&[1; 12], b"header", &mut data).unwrap();
/// cipher.open(&[1; 12], b"header", &mut data, &tag).unwrap();
/// assert_eq!(&data, b"attack at dawn");
/// ```
pub struct Eax<C: BlockCipher>(Cmac<C>);

/// EAX with AES under a key of `KEY_LEN` bytes.
pub type AesEax<const KEY_LEN: usize> = Eax<Aes<KEY_LEN>>;

/// Bytes worked on before the other half has its turn: they stay in the first cache.
pub(crate) const AT_ONCE: usize = 4096;

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

    /// Encrypts `data` in place; the tag. `nonce` must be new for every message.
    ///
    /// # Errors
    /// None: every length of message will do.
    pub fn seal(&self, nonce: &[u8; 12], aad: &[u8], data: &mut [u8]) -> Result<[u8; 16], Error> {
        Ok(self.crypt::<false>(nonce, aad, data))
    }

    /// Decrypts `data` in place if the tag is right.
    ///
    /// # Errors
    /// [`Error::BadTag`]: whatever was changed; `data` is then zeroed.
    pub fn open(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; 16],
    ) -> Result<(), Error> {
        self.open_any(nonce, aad, data, tag)
    }
}

/// Nonces of any length, tags of 8 to 16 bytes.
impl<C: BlockCipher<Block = [u8; 16]>> AnyLengths for Eax<C> {
    fn seal_any(
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

    fn open_any(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        check_tag(tag)?;
        let whole = self.crypt::<true>(nonce, aad, data);
        aead::check(&whole, tag, data)
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

aead! {
    [const KEY_LEN: usize] AesEax<KEY_LEN>, key KEY_LEN, nonce 12,
    |key| Ok(Self::with_cipher(Aes::try_from(key)?))
}
