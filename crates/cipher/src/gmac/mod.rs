//! GMAC (NIST SP 800-38D): GCM without a plaintext, a MAC with a nonce, over any cipher with
//! blocks of 16 bytes.
//!
//! A nonce must never serve two messages under one key: with two tags under one nonce, tags for
//! other messages can be forged. Nonces that are not 12 bytes long, which are hashed first, are in
//! [`hazmat`](crate::hazmat).

#[cfg(test)]
mod tests;

use adamant_base::{BlockCipher, Error, Wipe, ct};

use crate::aes::Aes;
use crate::{gcm, ghash};

/// GMAC under one key.
///
/// ```
/// use adamant_cipher::{aes::Aes128, gmac::Gmac};
/// let gmac = Gmac::with_cipher(Aes128::new(&[7; 16]));
/// let tag = gmac.tag(&[1; 12], b"attack at dawn");
/// let mut message = gmac.message(&[1; 12]);
/// message.update(b"attack ");
/// message.update(b"at dawn");
/// message.verify(&tag).unwrap();
/// ```
pub struct Gmac<C> {
    cipher: C,
    key: ghash::Key,
}

/// GMAC with AES-128.
pub type GmacAes128 = Gmac<Aes<16>>;
/// GMAC with AES-192.
pub type GmacAes192 = Gmac<Aes<24>>;
/// GMAC with AES-256.
pub type GmacAes256 = Gmac<Aes<32>>;

impl<C: BlockCipher<Block = [u8; 16]>> Gmac<C> {
    /// GMAC over `cipher`, which has its key, on the best implementation of GHASH.
    #[must_use]
    pub fn with_cipher(cipher: C) -> Self {
        Self::with_cipher_on(cipher, ghash::Backend::best())
    }

    /// The same on this implementation of GHASH.
    #[must_use]
    pub fn with_cipher_on(cipher: C, backend: ghash::Backend) -> Self {
        let mut h = [[0; 16]];
        cipher.encrypt_blocks(&mut h);
        let key = ghash::Key::new_on(&h[0], backend);
        h.wipe();
        Gmac { cipher, key }
    }

    /// The tag of a message. `nonce` must be new for every message.
    #[must_use]
    pub fn tag(&self, nonce: &[u8; 12], message: &[u8]) -> [u8; 16] {
        let mut sum = [0; 16];
        self.key.finish(&mut sum, message, (message.len(), 0));
        self.mask(first_block(nonce), sum)
    }

    /// The tag: the sum and the first counter block encrypted.
    fn mask(&self, first: [u8; 16], sum: [u8; 16]) -> [u8; 16] {
        let mut mask = [first];
        self.cipher.encrypt_blocks(&mut mask);
        core::array::from_fn(|i| sum[i] ^ mask[0][i])
    }

    /// Compares the tag of a message with `tag`, in constant time. Only whole tags count.
    ///
    /// # Errors
    /// [`Error::BadTag`] when they differ.
    pub fn verify(&self, nonce: &[u8; 12], message: &[u8], tag: &[u8]) -> Result<(), Error> {
        check(&self.tag(nonce, message), tag)
    }

    /// A message that comes in pieces. `nonce` must be new for every message.
    #[must_use]
    pub fn message(&self, nonce: &[u8; 12]) -> Message<'_, C> {
        self.start(first_block(nonce))
    }

    /// [`crate::hazmat::gmac_message`]
    pub(crate) fn any_message(&self, nonce: &[u8]) -> Result<Message<'_, C>, Error> {
        if let Ok(nonce) = nonce.try_into() {
            return Ok(self.start(first_block(nonce)));
        }
        if nonce.is_empty() {
            return Err(Error::BadLength {
                expected: 12,
                actual: 0,
            });
        }
        let mut hash = Pieces::new(&self.key);
        hash.update(nonce);
        Ok(self.start(hash.finalize(0, nonce.len())))
    }

    fn start(&self, first: [u8; 16]) -> Message<'_, C> {
        Message {
            gmac: self,
            first,
            hash: Pieces::new(&self.key),
        }
    }
}

/// The first counter block of a nonce of 12 bytes (7.1, step 2).
pub(crate) fn first_block(nonce: &[u8; 12]) -> [u8; 16] {
    gcm::start(nonce).to_be_bytes()
}

/// GHASH of data in pieces.
pub(crate) struct Pieces<'a> {
    key: &'a ghash::Key,
    sum: [u8; 16],
    /// The start of a block.
    held: [u8; 16],
    /// Bytes since the last padding.
    len: usize,
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(key: &'a ghash::Key) -> Self {
        Pieces {
            key,
            sum: [0; 16],
            held: [0; 16],
            len: 0,
        }
    }

    /// Takes in more.
    pub(crate) fn update(&mut self, mut data: &[u8]) {
        let held = self.len % 16;
        self.len += data.len();
        if held > 0 {
            let (head, rest) = data.split_at(data.len().min(16 - held));
            self.held[held..][..head.len()].copy_from_slice(head);
            if held + head.len() < 16 {
                return;
            }
            self.key.update(&mut self.sum, &[self.held]);
            data = rest;
        }
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            self.key.update(&mut self.sum, blocks);
        }
        self.held[..rest.len()].copy_from_slice(rest);
    }

    /// Takes in the last block, filled up with zeros; the bytes since the last time.
    pub(crate) fn pad(&mut self) -> usize {
        let held = self.len % 16;
        if held > 0 {
            self.held[held..].fill(0);
            self.key.update(&mut self.sum, &[self.held]);
        }
        core::mem::take(&mut self.len)
    }

    /// The sum of everything and these lengths; nothing comes after it.
    pub(crate) fn finalize(&mut self, aad: usize, text: usize) -> [u8; 16] {
        let held = &self.held[..self.len % 16];
        self.key.finish(&mut self.sum, held, (aad, text));
        self.sum
    }
}

/// A message under one nonce.
pub struct Message<'a, C> {
    gmac: &'a Gmac<C>,
    /// The first counter block.
    first: [u8; 16],
    hash: Pieces<'a>,
}

impl<C: BlockCipher<Block = [u8; 16]>> Message<'_, C> {
    /// Takes in more of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.hash.update(data);
    }

    /// The tag of everything taken in.
    #[must_use]
    pub fn finalize(mut self) -> [u8; 16] {
        let len = self.hash.len;
        let sum = self.hash.finalize(len, 0);
        self.gmac.mask(self.first, sum)
    }

    /// Compares the tag of everything taken in with `tag`, in constant time. Only whole tags
    /// count.
    ///
    /// # Errors
    /// [`Error::BadTag`] when they differ.
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        check(&self.finalize(), tag)
    }
}

/// Whether the tags are equal, which is public.
fn check(right: &[u8; 16], tag: &[u8]) -> Result<(), Error> {
    if ct::eq(right, tag).declassify() {
        Ok(())
    } else {
        Err(Error::BadTag)
    }
}
