//! Encryption RSAES-OAEP (RFC 8017, 7.1), with MGF1.

use crate::hashes::Hasher;
use crate::key::{bytes, public_bytes};
use crate::mgf::mgf1_xor;
use crate::primitive::{self, number_below};
use crate::{MIN_BITS, PrivateKey, PublicKey, SecretBytes};
use adamant_base::ct::{self, Choice};
use adamant_base::family::Hash;
use adamant_base::{Error, Rng};
use adamant_bignum::Number;
use alloc::vec::Vec;

impl PublicKey {
    /// Encrypts `message`, of at most `size - 2 digest - 2` bytes, with the hash and the mask of
    /// `H`: [`PublicKey::size`] bytes.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a longer message; [`Error::NoEntropy`] from the generator;
    /// [`Error::BadPublicKey`] for a key that may only verify.
    pub fn encrypt_oaep<H: Hash>(
        &self,
        message: &[u8],
        label: &[u8],
        rng: &mut impl Rng,
    ) -> Result<Vec<u8>, Error> {
        self.encrypt_oaep_with::<H, H>(message, label, rng)
    }

    /// As [`PublicKey::encrypt_oaep`], with the mask of the hash `M`.
    ///
    /// # Errors
    /// As there.
    pub fn encrypt_oaep_with<H: Hash, M: Hash>(
        &self,
        message: &[u8],
        label: &[u8],
        rng: &mut impl Rng,
    ) -> Result<Vec<u8>, Error> {
        if self.bits() < MIN_BITS {
            return Err(Error::BadPublicKey);
        }
        let (size, hash) = (self.size(), H::OUTPUT_LEN);
        let most = size - 2 * hash - 2;
        if message.len() > most {
            return Err(Error::BadLength {
                expected: most,
                actual: message.len(),
            });
        }
        // 00, seed, H(label) 00 … 00 01 message.
        let mut padded = SecretBytes::zeros(size);
        let (seed, data) = padded[1..].split_at_mut(hash);
        rng.fill(seed)?;
        data[..hash].copy_from_slice(H::digest(label).as_ref());
        let start = data.len() - message.len();
        data[start - 1] = 1;
        data[start..].copy_from_slice(message);
        mgf1_xor::<M>(seed, data);
        mgf1_xor::<M>(data, seed);
        self.encrypt_padded(&padded)
    }

    /// The ciphertext of a padded message, which begins with a zero.
    pub(crate) fn encrypt_padded(&self, padded: &[u8]) -> Result<Vec<u8>, Error> {
        let number = Number::from_be_bytes(padded, self.n.len()).ok_or(Error::BadPublicKey)?;
        let out = primitive::public(&[self], &[number]);
        Ok(public_bytes(&out[0], self))
    }
}

/// EME-OAEP decoding (RFC 8017, 7.1.2, step 3), without a hint at what is wrong.
fn decode(
    padded: &mut [u8],
    hash: Hasher,
    mask: Hasher,
    label: &[u8],
) -> Result<SecretBytes, Error> {
    let (first, rest) = padded.split_at_mut(1);
    let (seed, data) = rest.split_at_mut(hash.len);
    (mask.mask)(data, seed);
    (mask.mask)(seed, data);
    let (label_hash, data) = data.split_at(hash.len);
    let mut good = ct::eq(label_hash, &hash.digest(&[label])[..hash.len]);
    good = good.and(Choice::eq_u64(u64::from(first[0]), 0));
    // The first byte that is not zero has to be 1; the message begins after it.
    let (mut found, mut start) = (Choice::FALSE, 0);
    for (i, byte) in (0..).zip(data) {
        let byte = u64::from(*byte);
        let here = Choice::nonzero(byte).and(!found);
        good = good.and(!here.and(!Choice::eq_u64(byte, 1)));
        start = here.select_u64(i + 1, start);
        found = found.or(here);
    }
    good = good.and(found);
    // Whether it is well-formed is told to the caller, and where it is so is the length.
    if !good.declassify() {
        return Err(Error::BadTag);
    }
    ct::mark_public_value(&mut start);
    Ok(SecretBytes::from(data[start as usize..].to_vec()))
}

impl PrivateKey {
    /// Decrypts what [`PublicKey::encrypt_oaep`] encrypted under the same label.
    ///
    /// # Errors
    /// [`Error::BadTag`] for whatever is wrong with the ciphertext; [`Error::NoEntropy`] from the
    /// generator; [`Error::BadPrivateKey`] where the public key does not confirm the result.
    pub fn decrypt_oaep<H: Hash>(
        &self,
        ciphertext: &[u8],
        label: &[u8],
        rng: &mut impl Rng,
    ) -> Result<SecretBytes, Error> {
        self.decrypt_oaep_with::<H, H>(ciphertext, label, rng)
    }

    /// As [`PrivateKey::decrypt_oaep`], with the mask of the hash `M`.
    ///
    /// # Errors
    /// As there.
    pub fn decrypt_oaep_with<H: Hash, M: Hash>(
        &self,
        ciphertext: &[u8],
        label: &[u8],
        rng: &mut impl Rng,
    ) -> Result<SecretBytes, Error> {
        let number = self.ciphertext(ciphertext).ok_or(Error::BadTag)?;
        let opened = primitive::private(&[self], &[number], rng)?;
        self.decode_oaep::<H, M>(&opened[0], label)
    }

    fn decode_oaep<H: Hash, M: Hash>(
        &self,
        opened: &Number,
        label: &[u8],
    ) -> Result<SecretBytes, Error> {
        let size = self.public().size();
        if size < 2 * H::OUTPUT_LEN + 2 {
            return Err(Error::BadTag);
        }
        let mut padded = SecretBytes::from(bytes(opened, size));
        decode(&mut padded, Hasher::of::<H>(), Hasher::of::<M>(), label)
    }

    /// A ciphertext's number.
    pub(crate) fn ciphertext(&self, ciphertext: &[u8]) -> Option<Number> {
        let key = self.public();
        if ciphertext.len() != key.size() {
            return None;
        }
        number_below(key, ciphertext)
    }
}

/// The message of each ciphertext, as [`PrivateKey::decrypt_oaep`] gives it, without labels. The
/// implementation is that of the first key. Nothing is written to memory of the caller's, as only
/// decryption tells how long a message is.
///
/// # Errors
/// [`Error::NoEntropy`] and [`Error::BadPrivateKey`], for all of them.
pub fn decrypt_oaep_batch<H: Hash>(
    items: &[(&PrivateKey, &[u8])],
    rng: &mut impl Rng,
) -> Result<Vec<Result<SecretBytes, Error>>, Error> {
    decrypt_batch(items, rng, |i, opened| match opened {
        Some(opened) => items[i].0.decode_oaep::<H, H>(opened, &[]),
        None => Err(Error::BadTag),
    })
}

/// Opens every ciphertext that is a number below its modulus, and gives what `decode` makes of it.
pub(crate) fn decrypt_batch<T>(
    items: &[(&PrivateKey, &[u8])],
    rng: &mut impl Rng,
    decode: impl Fn(usize, Option<&Number>) -> T,
) -> Result<Vec<T>, Error> {
    let numbers: Vec<_> = items
        .iter()
        .map(|(key, ciphertext)| key.ciphertext(ciphertext))
        .collect();
    let keys: Vec<_> = (items.iter().zip(&numbers))
        .filter_map(|((key, _), number)| number.as_ref().map(|_| *key))
        .collect();
    let inputs: Vec<_> = numbers.iter().flatten().cloned().collect();
    let opened = primitive::private(&keys, &inputs, rng)?;
    let mut opened = opened.iter();
    Ok(numbers
        .iter()
        .enumerate()
        .map(|(i, number)| decode(i, number.as_ref().and_then(|_| opened.next())))
        .collect())
}
