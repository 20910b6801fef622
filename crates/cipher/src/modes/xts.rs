//! XTS (IEEE 1619, NIST SP 800-38E): encryption of sectors of storage, in place and of any length
//! from a block on, by stealing ciphertext.

use adamant_base::{BlockCipher, Error, ct};

use crate::aes::{Aes, Backend, tweaks};

/// A cipher under two keys: one for data, one for the sectors' numbers.
///
/// ```
/// use adamant_cipher::{aes::Aes128, modes::xts::Xts};
/// let disk = Xts::with_ciphers(Aes128::new(&[1; 16]), Aes128::new(&[2; 16]));
/// let mut sector = *b"a sector of some 23 bytes";
/// disk.encrypt(&9u128.to_le_bytes(), &mut sector).unwrap();
/// disk.decrypt(&9u128.to_le_bytes(), &mut sector).unwrap();
/// assert_eq!(&sector, b"a sector of some 23 bytes");
/// ```
pub struct Xts<C> {
    data: C,
    tweak: C,
}

/// XTS with AES-128: 32 bytes of keys.
pub type XtsAes128 = Xts<Aes<16>>;
/// XTS with AES-256: 64 bytes of keys.
pub type XtsAes256 = Xts<Aes<32>>;

/// Blocks in the longest data unit (SP 800-38E, 4).
const MAX_BLOCKS: usize = 1 << 20;

impl<const KEY_LEN: usize> Xts<Aes<KEY_LEN>> {
    /// XTS under two keys, on the best implementation of this CPU: `data` for data, `tweak` for the
    /// sectors' numbers. `TryFrom<&[u8]>` reads them joined, in this order.
    ///
    /// ```
    /// use adamant_cipher::modes::xts::XtsAes256;
    /// let disk = XtsAes256::new(&[1; 32], &[2; 32]).unwrap();
    /// let mut sector = [0; 512];
    /// disk.encrypt(&9u128.to_le_bytes(), &mut sector).unwrap();
    /// let keys = [[1; 32], [2; 32]].concat();
    /// let disk = XtsAes256::try_from(&keys[..]).unwrap();
    /// disk.decrypt(&9u128.to_le_bytes(), &mut sector).unwrap();
    /// assert_eq!(sector, [0; 512]);
    /// ```
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] when the keys are equal.
    pub fn new(data: &[u8; KEY_LEN], tweak: &[u8; KEY_LEN]) -> Result<Self, Error> {
        Self::new_on(data, tweak, Backend::best())
    }

    /// [`Self::new`] on this implementation.
    ///
    /// # Errors
    /// As there.
    pub fn new_on(
        data: &[u8; KEY_LEN],
        tweak: &[u8; KEY_LEN],
        backend: Backend,
    ) -> Result<Self, Error> {
        // Whoever brought the keys may learn that they are equal.
        if ct::eq(data, tweak).declassify() {
            return Err(Error::BadPrivateKey);
        }
        Ok(Self::with_ciphers(
            Aes::new_on(data, backend),
            Aes::new_on(tweak, backend),
        ))
    }
}

/// By `new`, from the key for data and the other behind it, with [`Error::BadLength`] for another
/// length.
impl<const KEY_LEN: usize> TryFrom<&[u8]> for Xts<Aes<KEY_LEN>> {
    type Error = Error;

    fn try_from(keys: &[u8]) -> Result<Self, Error> {
        let ([data, tweak], []) = keys.as_chunks() else {
            return Err(Error::BadLength {
                expected: 2 * KEY_LEN,
                actual: keys.len(),
            });
        };
        Self::new(data, tweak)
    }
}

impl<C: BlockCipher<Block = [u8; 16]>> Xts<C> {
    /// XTS over two ciphers, which have their keys: `data` for data, `tweak` for the numbers.
    #[must_use]
    pub fn with_ciphers(data: C, tweak: C) -> Self {
        Xts { data, tweak }
    }

    /// Encrypts a data unit in place. Its number is little-endian, and no two units share one.
    ///
    /// # Errors
    /// [`Error::BadLength`] for less than a block or more than 2^20 blocks; `data` is then
    /// untouched.
    pub fn encrypt(&self, number: &[u8; 16], data: &mut [u8]) -> Result<(), Error> {
        let (whole, rest) = check(data)?;
        let mut tweak = self.first_tweak(number);
        self.data.xts_encrypt(&mut tweak, whole);
        if let Some(last) = whole.last_mut().filter(|_| !rest.is_empty()) {
            // What is missing of the last block is stolen from the one before.
            last[..rest.len()].swap_with_slice(rest);
            self.data
                .xts_encrypt(&mut tweak, core::slice::from_mut(last));
        }
        Ok(())
    }

    /// Decrypts a data unit in place.
    ///
    /// # Errors
    /// As [`Self::encrypt`].
    pub fn decrypt(&self, number: &[u8; 16], data: &mut [u8]) -> Result<(), Error> {
        let (whole, rest) = check(data)?;
        let mut tweak = self.first_tweak(number);
        if rest.is_empty() {
            self.data.xts_decrypt(&mut tweak, whole);
        } else if let Some((last, before)) = whole.split_last_mut() {
            self.data.xts_decrypt(&mut tweak, before);
            // The last two blocks were encrypted with their tweaks the other way round.
            let [mut first, mut second] = tweaks(&tweak);
            self.data
                .xts_decrypt(&mut second, core::slice::from_mut(last));
            last[..rest.len()].swap_with_slice(rest);
            self.data
                .xts_decrypt(&mut first, core::slice::from_mut(last));
        }
        Ok(())
    }

    fn first_tweak(&self, number: &[u8; 16]) -> [u8; 16] {
        let mut tweak = [*number];
        self.tweak.encrypt_blocks(&mut tweak);
        tweak[0]
    }
}

#[inline]
fn check(data: &mut [u8]) -> Result<(&mut [[u8; 16]], &mut [u8]), Error> {
    let actual = data.len();
    if (16..=16 * MAX_BLOCKS).contains(&actual) {
        Ok(data.as_chunks_mut())
    } else {
        Err(Error::BadLength {
            expected: actual.clamp(16, 16 * MAX_BLOCKS),
            actual,
        })
    }
}
