//! CCM (NIST SP 800-38C, RFC 3610): counter mode and CBC-MAC over any cipher with blocks of 16
//! bytes.
//!
//! Nonces have 12 bytes, which leaves messages 2^24 - 1, and tags 16. The shorter the nonce, of 7 to
//! 13 bytes, the longer a message may be: the rest of the block up to 15 bytes holds its length.
//! Other nonces, and shorter tags, are in [`hazmat`](crate::hazmat).

#[cfg(test)]
mod tests;

use adamant_base::{BlockCipher, Error};

use crate::aead::{self, aead};
use crate::aes::Aes;
use crate::hazmat::AnyLengths;

/// CCM over a block cipher.
///
/// ```
/// use adamant_cipher::{aes::Aes128, ccm::Ccm};
/// let cipher = Ccm::with_cipher(Aes128::new(&[7; 16]));
/// let mut data = *b"attack at dawn";
/// let tag = cipher.seal(&[1; 12], b"header", &mut data).unwrap();
/// cipher.open(&[1; 12], b"header", &mut data, &tag).unwrap();
/// assert_eq!(&data, b"attack at dawn");
/// ```
pub struct Ccm<C>(C);

/// CCM with AES under a key of `KEY_LEN` bytes.
pub type AesCcm<const KEY_LEN: usize> = Ccm<Aes<KEY_LEN>>;

/// Bytes worked on before the other half has its turn: few, as a CPU that looks ahead then does the
/// counter mode beside the chain.
pub(crate) const AT_ONCE: usize = 1024;

/// The CBC-MAC of a message while it grows.
struct Authentication<'a, C> {
    cipher: &'a C,
    sum: [u8; 16],
}

impl<C: BlockCipher<Block = [u8; 16]>> Authentication<'_, C> {
    /// Takes data in, the last block filled up with zeros.
    fn absorb(&mut self, data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        self.cipher.cbc_mac(&mut self.sum, blocks);
        if !rest.is_empty() {
            let mut last = [0; 16];
            last[..rest.len()].copy_from_slice(rest);
            self.cipher.cbc_mac(&mut self.sum, &[last]);
        }
    }

    /// Takes the associated data in, its length before it.
    fn absorb_header(&mut self, aad: &[u8]) {
        if aad.is_empty() {
            return;
        }
        let (prefix, width) = prefix(aad.len() as u64);
        let prefix = &prefix[..width];
        let mut first = [0; 16];
        let (head, rest) = aad.split_at(aad.len().min(16 - prefix.len()));
        first[..prefix.len()].copy_from_slice(prefix);
        first[prefix.len()..][..head.len()].copy_from_slice(head);
        self.absorb(&first);
        self.absorb(rest);
    }
}

/// How associated data of this length begin (A.2.2), and how many of these bytes count.
fn prefix(len: u64) -> ([u8; 10], usize) {
    let bytes = len.to_be_bytes();
    let mut prefix = [0xff; 10];
    let width = match len {
        0..0xff00 => {
            prefix[..2].copy_from_slice(&bytes[6..]);
            2
        }
        0xff00..0x1_0000_0000 => {
            prefix[1] = 0xfe;
            prefix[2..6].copy_from_slice(&bytes[4..]);
            6
        }
        _ => {
            prefix[2..].copy_from_slice(&bytes);
            10
        }
    };
    (prefix, width)
}

impl<C: BlockCipher<Block = [u8; 16]>> Ccm<C> {
    /// CCM over `cipher`, which has its key.
    #[must_use]
    pub fn with_cipher(cipher: C) -> Self {
        Ccm(cipher)
    }

    /// Refuses lengths that the standard does not have.
    fn check(nonce: usize, data: usize, tag: usize) -> Result<(), Error> {
        let bad = |expected, actual| Err(Error::BadLength { expected, actual });
        if !(7..=13).contains(&nonce) {
            return bad(13, nonce);
        }
        if !matches!(tag, 4 | 6 | 8 | 10 | 12 | 14 | 16) {
            return bad(16, tag);
        }
        let bits = 8 * (15 - nonce as u32);
        let most = 1u64.checked_shl(bits).map_or(u64::MAX, |n| n - 1);
        if data as u64 > most {
            return bad(usize::try_from(most).unwrap_or(usize::MAX), data);
        }
        Ok(())
    }

    /// The first block of the CBC-MAC (A.2.1), and the first counter (A.3).
    fn start(nonce: &[u8], aad: &[u8], len: usize, tag: usize) -> [[u8; 16]; 2] {
        let width = 15 - nonce.len();
        let mut first = [0; 16];
        first[8..].copy_from_slice(&(len as u64).to_be_bytes());
        first[1..=nonce.len()].copy_from_slice(nonce);
        first[0] = u8::from(!aad.is_empty()) << 6 | (((tag - 2) / 2) << 3 | (width - 1)) as u8;
        let mut counter = [0; 16];
        counter[0] = (width - 1) as u8;
        counter[1..=nonce.len()].copy_from_slice(nonce);
        [first, counter]
    }

    /// Counter mode on any number of bytes.
    fn ctr(&self, counter: &mut [u8; 16], width: usize, data: &mut [u8]) {
        let (blocks, rest) = data.as_chunks_mut();
        self.0.ctr(counter, width, blocks);
        if !rest.is_empty() {
            let mut last = [[0; 16]];
            last[0][..rest.len()].copy_from_slice(rest);
            self.0.ctr(counter, width, &mut last);
            rest.copy_from_slice(&last[0][..rest.len()]);
        }
    }

    /// Encrypts or decrypts in place; the whole tag.
    fn crypt<const DECRYPT: bool>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: usize,
    ) -> [u8; 16] {
        let width = 15 - nonce.len();
        let [first, mut counter] = Self::start(nonce, aad, data.len(), tag);
        let mut mask = [[0; 16]];
        self.0.ctr(&mut counter, width, &mut mask);
        let mut authentication = Authentication {
            cipher: &self.0,
            sum: [0; 16],
        };
        authentication.absorb(&first);
        authentication.absorb_header(aad);
        for data in data.chunks_mut(AT_ONCE) {
            if DECRYPT {
                self.ctr(&mut counter, width, data);
                authentication.absorb(data);
            } else {
                authentication.absorb(data);
                self.ctr(&mut counter, width, data);
            }
        }
        core::array::from_fn(|i| authentication.sum[i] ^ mask[0][i])
    }

    /// Encrypts `data` in place; the tag. `nonce` must be new for every message.
    ///
    /// # Errors
    /// [`Error::BadLength`] for 2^24 bytes and more; `data` is then untouched.
    pub fn seal(&self, nonce: &[u8; 12], aad: &[u8], data: &mut [u8]) -> Result<[u8; 16], Error> {
        Self::check(nonce.len(), data.len(), 16)?;
        Ok(self.crypt::<false>(nonce, aad, data, 16))
    }

    /// Decrypts `data` in place if the tag is right.
    ///
    /// # Errors
    /// [`Error::BadTag`]: whatever was changed; `data` is then zeroed. [`Error::BadLength`] as for
    /// [`Self::seal`].
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

/// Nonces of 7 to 13 bytes, tags of 4, 6, 8, 10, 12, 14 or 16.
impl<C: BlockCipher<Block = [u8; 16]>> AnyLengths for Ccm<C> {
    fn seal_any(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        Self::check(nonce.len(), data.len(), tag.len())?;
        let whole = self.crypt::<false>(nonce, aad, data, tag.len());
        tag.copy_from_slice(&whole[..tag.len()]);
        Ok(())
    }

    fn open_any(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        Self::check(nonce.len(), data.len(), tag.len())?;
        let whole = self.crypt::<true>(nonce, aad, data, tag.len());
        aead::check(&whole, tag, data)
    }
}

aead! {
    [const KEY_LEN: usize] AesCcm<KEY_LEN>, key KEY_LEN, nonce 12,
    |key| Ok(Self::with_cipher(Aes::try_from(key)?))
}
