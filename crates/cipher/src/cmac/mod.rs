//! CMAC (NIST SP 800-38B, RFC 4493): a MAC from a block cipher with blocks of 8 or 16 bytes.

#[cfg(test)]
mod tests;

use adamant_base::{Block, BlockCipher, Error, Wipe, ct, ct::Choice, family::Mac};

use crate::aes::Aes;

/// CMAC under one key.
///
/// ```
/// use adamant_cipher::{aes::Aes128, cmac::Cmac};
/// let mut mac = Cmac::with_cipher(Aes128::new(&[7; 16]));
/// mac.update(b"attack ");
/// mac.update(b"at dawn");
/// let tag = mac.finalize();
/// let mut mac = Cmac::with_cipher(Aes128::new(&[7; 16]));
/// mac.update(b"attack at dawn");
/// mac.verify(&tag).unwrap();
/// ```
#[derive(Clone)]
pub struct Cmac<C: BlockCipher> {
    cipher: C,
    /// For a last block that is whole, and for one that is not (6.1).
    subkeys: [C::Block; 2],
    sum: C::Block,
    /// The last bytes: they are held back until it is known whether more come.
    held: C::Block,
    len: usize,
}

/// CMAC with AES-128.
pub type CmacAes128 = Cmac<Aes<16>>;
/// CMAC with AES-192.
pub type CmacAes192 = Cmac<Aes<24>>;
/// CMAC with AES-256.
pub type CmacAes256 = Cmac<Aes<32>>;

/// Times x in the field of 2^64 or 2^128 elements.
fn double<B: Block>(mut block: B) -> B {
    let bytes = block.as_mut();
    let reduction = if bytes.len() == 8 { 0x1b } else { 0x87 };
    let carry = Choice::from_bit(u64::from(bytes[0] >> 7));
    let mut low = carry.select_u64(reduction, 0) as u8;
    for byte in bytes.iter_mut().rev() {
        let high = *byte >> 7;
        *byte = *byte << 1 ^ low;
        low = high;
    }
    block
}

impl<C: BlockCipher> Cmac<C> {
    /// CMAC over `cipher`, which has its key.
    #[must_use]
    pub fn with_cipher(cipher: C) -> Self {
        const {
            assert!(size_of::<C::Block>() == 8 || size_of::<C::Block>() == 16);
        }
        let mut l = [C::Block::ZERO];
        cipher.encrypt_blocks(&mut l);
        let whole = double(l[0]);
        let mac = Cmac {
            cipher,
            subkeys: [whole, double(whole)],
            sum: C::Block::ZERO,
            held: C::Block::ZERO,
            len: 0,
        };
        l[0].as_mut().wipe();
        mac
    }

    /// The tag of a whole message. What [`Self::update`] has taken in does not count.
    ///
    /// ```
    /// use adamant_cipher::{aes::Aes128, cmac::Cmac};
    /// let mac = Cmac::with_cipher(Aes128::new(&[7; 16]));
    /// let tag = mac.tag(b"attack at dawn");
    /// assert_ne!(mac.tag(b"attack at dusk"), tag);
    /// ```
    #[must_use]
    pub fn tag(&self, message: &[u8]) -> C::Block {
        let mut sum = C::Block::ZERO;
        let rest = take_whole(&self.cipher, &mut sum, message);
        let mut held = C::Block::ZERO;
        match C::Block::split(rest) {
            ([block, ..], _) => held = *block,
            _ => held.as_mut()[..rest.len()].copy_from_slice(rest),
        }
        take_last(&self.cipher, &self.subkeys, &mut sum, &mut held, rest.len());
        held.as_mut().wipe();
        sum
    }

    /// CMAC under the same key, with nothing taken in.
    pub(crate) fn another(&self) -> Cmac<&C> {
        Cmac {
            cipher: &self.cipher,
            subkeys: self.subkeys,
            sum: C::Block::ZERO,
            held: C::Block::ZERO,
            len: 0,
        }
    }

    /// The cipher.
    pub(crate) fn cipher(&self) -> &C {
        &self.cipher
    }

    /// Takes in more of the message.
    pub fn update(&mut self, mut data: &[u8]) {
        let block = self.held.as_ref().len();
        if self.len + data.len() > block && self.len > 0 {
            let (head, rest) = data.split_at(block - self.len);
            self.held.as_mut()[self.len..].copy_from_slice(head);
            self.cipher.cbc_mac(&mut self.sum, &[self.held]);
            (data, self.len) = (rest, 0);
        }
        data = take_whole(&self.cipher, &mut self.sum, data);
        self.held.as_mut()[self.len..][..data.len()].copy_from_slice(data);
        self.len += data.len();
    }

    /// The tag of everything taken in.
    #[must_use]
    pub fn finalize(mut self) -> C::Block {
        let Cmac {
            cipher,
            subkeys,
            sum,
            held,
            len,
        } = &mut self;
        take_last(cipher, subkeys, sum, held, *len);
        *sum
    }

    /// Compares the tag of everything taken in with `tag`, in constant time. Only whole tags
    /// count.
    ///
    /// # Errors
    /// [`Error::BadTag`] when they differ.
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        // Whether a tag is right is public.
        if ct::eq(self.finalize().as_ref(), tag).declassify() {
            Ok(())
        } else {
            Err(Error::BadTag)
        }
    }
}

/// Takes in all whole blocks but the last, which may be the last of the message; the rest.
#[inline]
fn take_whole<'d, C: BlockCipher>(cipher: &C, sum: &mut C::Block, data: &'d [u8]) -> &'d [u8] {
    let block = size_of::<C::Block>();
    if data.len() <= block {
        return data;
    }
    let (whole, rest) = data.split_at((data.len() - 1) / block * block);
    cipher.cbc_mac(sum, C::Block::split(whole).0);
    rest
}

/// Takes in the last `len` bytes, which are in `held`.
#[inline]
fn take_last<C: BlockCipher>(
    cipher: &C,
    subkeys: &[C::Block; 2],
    sum: &mut C::Block,
    held: &mut C::Block,
    len: usize,
) {
    let mut subkey = &subkeys[0];
    if let Some([marker, zeros @ ..]) = held.as_mut().get_mut(len..) {
        *marker = 0x80;
        zeros.fill(0);
        subkey = &subkeys[1];
    }
    cipher.cbc_mac(sum, &[held.xor(*subkey)]);
}

impl<C: BlockCipher> Drop for Cmac<C> {
    fn drop(&mut self) {
        for block in [&mut self.held].into_iter().chain(&mut self.subkeys) {
            block.as_mut().wipe();
        }
    }
}

impl<const KEY_LEN: usize> Mac for Cmac<Aes<KEY_LEN>> {
    type Output = [u8; 16];

    fn new(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::with_cipher(Aes::try_from(key)?))
    }
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }
    fn finalize(self) -> [u8; 16] {
        Self::finalize(self)
    }
}
