//! AES Key Wrap, KW (RFC 3394) and KWP (RFC 5649), both also in NIST SP 800-38F, over any cipher
//! with blocks of 16 bytes.
//!
//! They encrypt keys under a key, without a nonce: the same key gives the same ciphertext. A
//! changed ciphertext does not unwrap, and every failure gives the same error.

#[cfg(test)]
mod tests;

use adamant_base::{BlockCipher, Error, Wipe, ct, ct::Choice};

use crate::aes::Aes;

/// Half a block: what the algorithms call a semiblock.
type Half = [u8; 8];

/// KW and KWP over a block cipher.
///
/// ```
/// use adamant_cipher::{aes::Aes128, key_wrap::KeyWrap};
/// let kek = KeyWrap::with_cipher(Aes128::new(&[7; 16]));
/// let (mut wrapped, mut key) = ([0; 40], [0; 32]);
/// kek.wrap(&[1; 32], &mut wrapped).unwrap();
/// kek.unwrap(&wrapped, &mut key).unwrap();
/// assert_eq!(key, [1; 32]);
///
/// // With padding any number of bytes but zero will do.
/// let (mut wrapped, mut key) = ([0; 32], [0; 24]);
/// kek.wrap_padded(b"seventeen bytes..", &mut wrapped).unwrap();
/// assert_eq!(kek.unwrap_padded(&wrapped, &mut key).unwrap(), b"seventeen bytes..");
/// ```
pub struct KeyWrap<C>(C);

/// Key wrap with AES under a key of `KEY_LEN` bytes.
pub type AesKeyWrap<const KEY_LEN: usize> = KeyWrap<Aes<KEY_LEN>>;

/// ICV1: what KW puts in front (RFC 3394, 2.2.3.1).
const ICV1: Half = [0xa6; 8];
/// ICV2: what KWP puts in front, before the length (RFC 5649, 3).
const ICV2: [u8; 4] = [0xa6, 0x59, 0x59, 0xa6];

impl<C: BlockCipher<Block = [u8; 16]>> KeyWrap<C> {
    /// Key wrap over `cipher`, which has its key.
    #[must_use]
    pub fn with_cipher(cipher: C) -> Self {
        KeyWrap(cipher)
    }

    /// KW-AE: wraps `key`, a multiple of 8 bytes and at least 16, into `wrapped`, which has 8 bytes
    /// more.
    ///
    /// # Errors
    /// [`Error::BadLength`] for other lengths; `wrapped` is then untouched.
    pub fn wrap(&self, key: &[u8], wrapped: &mut [u8]) -> Result<(), Error> {
        check_multiple(key.len(), 16)?;
        check(wrapped.len(), key.len() + 8)?;
        wrapped[..8].copy_from_slice(&ICV1);
        wrapped[8..].copy_from_slice(key);
        self.w(wrapped.as_chunks_mut().0);
        Ok(())
    }

    /// KW-AD: unwraps into `key`, which has 8 bytes less than `wrapped`.
    ///
    /// # Errors
    /// [`Error::BadTag`] when this is not what [`Self::wrap`] made under this key; `key` is then
    /// zeroed. [`Error::BadLength`] for a `wrapped` that is not a multiple of 8 bytes or shorter than
    /// 24, and for a `key` of another length; it is then untouched.
    pub fn unwrap(&self, wrapped: &[u8], key: &mut [u8]) -> Result<(), Error> {
        check_multiple(wrapped.len(), 24)?;
        check(key.len(), wrapped.len() - 8)?;
        let mut first = [0; 8];
        first.copy_from_slice(&wrapped[..8]);
        key.copy_from_slice(&wrapped[8..]);
        self.w_inverse(&mut first, key.as_chunks_mut().0);
        // Whether it unwraps is public.
        if ct::eq(&first, &ICV1).declassify() {
            Ok(())
        } else {
            key.wipe();
            Err(Error::BadTag)
        }
    }

    /// KWP-AE: wraps `key`, of 1 to 2^32 - 1 bytes, into `wrapped`, which has its length, rounded
    /// up to a multiple of 8, and 8 bytes more.
    ///
    /// # Errors
    /// [`Error::BadLength`] for other lengths; `wrapped` is then untouched.
    pub fn wrap_padded(&self, key: &[u8], wrapped: &mut [u8]) -> Result<(), Error> {
        let len = match u32::try_from(key.len()) {
            Ok(len) if len > 0 => len,
            Ok(_) => return Err(bad_length(1, 0)),
            Err(_) => return Err(bad_length(u32::MAX as usize, key.len())),
        };
        check(wrapped.len(), key.len().next_multiple_of(8) + 8)?;
        wrapped[..4].copy_from_slice(&ICV2);
        wrapped[4..8].copy_from_slice(&len.to_be_bytes());
        let (text, padding) = wrapped[8..].split_at_mut(key.len());
        text.copy_from_slice(key);
        padding.fill(0);
        match wrapped.as_chunks_mut() {
            (block @ [_], []) => self.0.encrypt_blocks(block),
            _ => self.w(wrapped.as_chunks_mut().0),
        }
        Ok(())
    }

    /// KWP-AD: unwraps into `key`, which has 8 bytes less than `wrapped`; what was wrapped, which
    /// is the start of `key`.
    ///
    /// # Errors
    /// [`Error::BadTag`] when this is not what [`Self::wrap_padded`] made under this key; `key` is
    /// then zeroed. [`Error::BadLength`] for a `wrapped` that is not a multiple of 8 bytes or shorter
    /// than 16, and for a `key` of another length; it is then untouched.
    pub fn unwrap_padded<'a>(
        &self,
        wrapped: &[u8],
        key: &'a mut [u8],
    ) -> Result<&'a mut [u8], Error> {
        check_multiple(wrapped.len(), 16)?;
        check(key.len(), wrapped.len() - 8)?;
        let mut first = [0; 8];
        if let ([block], []) = wrapped.as_chunks() {
            let mut block = [*block];
            self.0.decrypt_blocks(&mut block);
            first.copy_from_slice(&block[0][..8]);
            key.copy_from_slice(&block[0][8..]);
            block.wipe();
        } else {
            first.copy_from_slice(&wrapped[..8]);
            key.copy_from_slice(&wrapped[8..]);
            self.w_inverse(&mut first, key.as_chunks_mut().0);
        }
        let (icv, len) = first.split_at(4);
        let mut len = u64::from(u32::from_be_bytes([len[0], len[1], len[2], len[3]]));
        let room = key.len() as u64;
        let mut right = ct::eq(icv, &ICV2)
            .and(Choice::lt_u64(room, len + 8))
            .and(!Choice::lt_u64(room, len));
        // What lies after the length must be zero.
        for (byte, at) in key[key.len() - 8..].iter().zip(room - 8..) {
            let inside = Choice::lt_u64(at, len);
            right = right.and(inside.or(!Choice::nonzero(u64::from(*byte))));
        }
        // Whether it unwraps is public, and with it the length.
        if right.declassify() {
            ct::mark_public_value(&mut len);
            Ok(&mut key[..len as usize])
        } else {
            key.wipe();
            Err(Error::BadTag)
        }
    }

    /// W (SP 800-38F, 6.1), the function of n semiblocks, n at least 3.
    fn w(&self, halves: &mut [Half]) {
        let [first, rest @ ..] = halves else {
            return;
        };
        let mut step = 0u64;
        for _ in 0..6 {
            for half in &mut *rest {
                let mut block = [join(*first, *half)];
                self.0.encrypt_blocks(&mut block);
                [*first, *half] = split(block[0]);
                step += 1;
                add(first, step);
            }
        }
    }

    /// W^-1 (6.1).
    fn w_inverse(&self, first: &mut Half, rest: &mut [Half]) {
        let mut step = 6 * rest.len() as u64;
        for _ in 0..6 {
            for half in rest.iter_mut().rev() {
                add(first, step);
                let mut block = [join(*first, *half)];
                self.0.decrypt_blocks(&mut block);
                [*first, *half] = split(block[0]);
                step -= 1;
            }
        }
    }
}

#[inline(always)]
fn join(a: Half, b: Half) -> [u8; 16] {
    (u128::from(u64::from_be_bytes(a)) << 64 | u128::from(u64::from_be_bytes(b))).to_be_bytes()
}

#[inline(always)]
fn split(block: [u8; 16]) -> [Half; 2] {
    let block = u128::from_be_bytes(block);
    [(block >> 64) as u64, block as u64].map(u64::to_be_bytes)
}

/// Adds the number of the step.
#[inline(always)]
fn add(half: &mut Half, step: u64) {
    *half = (u64::from_be_bytes(*half) ^ step).to_be_bytes();
}

fn bad_length(expected: usize, actual: usize) -> Error {
    Error::BadLength { expected, actual }
}

#[inline]
fn check(actual: usize, expected: usize) -> Result<(), Error> {
    if actual == expected {
        Ok(())
    } else {
        Err(bad_length(expected, actual))
    }
}

/// Multiples of a half block, from `least` on.
#[inline]
fn check_multiple(len: usize, least: usize) -> Result<(), Error> {
    if len < least {
        Err(bad_length(least, len))
    } else {
        check(len, len - len % 8)
    }
}
