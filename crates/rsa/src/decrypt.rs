//! Encryption RSAES-PKCS1-v1_5 (RFC 8017, 7.2), for protocols that still have it.
//!
//! Decryption never says that the padding is wrong: it then gives another message, which depends
//! only on the key and the ciphertext and which nobody without the key can tell from a right one
//! (implicit rejection, draft-irtf-cfrg-rsa-guidance).

use crate::key::bytes;
use crate::oaep::decrypt_batch;
use crate::primitive;
use crate::{MIN_BITS, PrivateKey, PublicKey, SecretBytes};
use adamant_base::ct::{self, Choice};
use adamant_base::{Error, Rng, Secret};
use adamant_bignum::Number;
use adamant_hash::{Hmac, Sha256};
use alloc::vec::Vec;

/// Bytes of padding at least: `00 02`, eight that are not zero, `00`.
const PADDING: usize = 11;

impl PublicKey {
    /// Encrypts `message`, of at most `size - 11` bytes: [`PublicKey::size`] bytes.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a longer message; [`Error::NoEntropy`] from the generator;
    /// [`Error::BadPublicKey`] for a key that may only verify.
    pub fn encrypt_pkcs1(&self, message: &[u8], rng: &mut impl Rng) -> Result<Vec<u8>, Error> {
        if self.bits() < MIN_BITS {
            return Err(Error::BadPublicKey);
        }
        let most = self.size() - PADDING;
        if message.len() > most {
            return Err(Error::BadLength {
                expected: most,
                actual: message.len(),
            });
        }
        let mut padded = SecretBytes::zeros(self.size());
        let start = padded.len() - message.len();
        padded[1] = 2;
        padded[start..].copy_from_slice(message);
        let mut spare = Secret::new([0; 64]);
        let mut left = 0;
        for byte in &mut padded[2..start - 1] {
            // Zeros are drawn again: that there was one says nothing about the others.
            while *byte == 0 {
                if left == 0 {
                    rng.fill(&mut *spare)?;
                    left = spare.len();
                }
                left -= 1;
                let drawn = spare[left];
                let zero = Choice::eq_u64(u64::from(drawn), 0);
                if !zero.declassify() {
                    *byte = drawn;
                    break;
                }
            }
        }
        self.encrypt_padded(&padded)
    }
}

/// The pseudo-random function of implicit rejection: blocks of HMAC over a counter, the label and
/// the length in bits.
fn expand(key: &[u8; 32], label: &[u8], out: &mut [u8]) {
    let bits = (8 * out.len()) as u16;
    for (counter, block) in (0u16..).zip(out.chunks_mut(32)) {
        let mut mac = Hmac::<Sha256>::new(key);
        mac.update(&counter.to_be_bytes());
        mac.update(label);
        mac.update(&bits.to_be_bytes());
        let tag = mac.finalize();
        block.copy_from_slice(&tag.as_ref()[..block.len()]);
    }
}

impl PrivateKey {
    /// Decrypts a message of unknown length. Where the padding is wrong, the message is a
    /// pseudo-random one of pseudo-random length.
    ///
    /// # Errors
    /// [`Error::BadTag`] for a ciphertext of another length than the modulus or a number not below
    /// it; [`Error::NoEntropy`] from the generator; [`Error::BadPrivateKey`] where the public key
    /// does not confirm the result.
    pub fn decrypt_pkcs1(
        &self,
        ciphertext: &[u8],
        rng: &mut impl Rng,
    ) -> Result<SecretBytes, Error> {
        let number = self.ciphertext(ciphertext).ok_or(Error::BadTag)?;
        let opened = primitive::private(&[self], &[number], rng)?;
        Ok(self.decode_pkcs1(&opened[0], ciphertext))
    }

    /// The message, or what is given in its place.
    fn decode_pkcs1(&self, opened: &Number, ciphertext: &[u8]) -> SecretBytes {
        let size = self.public().size();
        let padded = SecretBytes::from(bytes(opened, size));
        let (other, other_start) = self.rejection(ciphertext);
        let mut good = Choice::eq_u64(u64::from(padded[0]), 0);
        good = good.and(Choice::eq_u64(u64::from(padded[1]), 2));
        // The first zero after them, and where.
        let (mut found, mut start) = (Choice::FALSE, 0);
        for (i, byte) in (0..).zip(&*padded).skip(2) {
            let here = Choice::eq_u64(u64::from(*byte), 0).and(!found);
            start = here.select_u64(i + 1, start);
            found = found.or(here);
        }
        good = good.and(found).and(!Choice::lt_u64(start, PADDING as u64));
        // Both are looked at in full; the length of what is chosen is what the caller gets to see.
        let mut start = good.select_u64(start, other_start);
        ct::mark_public_value(&mut start);
        let chosen = padded.iter().zip(&*other);
        let chosen = chosen.map(|(a, b)| good.select_u64(u64::from(*a), u64::from(*b)) as u8);
        let message: Vec<u8> = chosen.skip(start as usize).collect();
        SecretBytes::from(message)
    }

    /// The message that stands in for a wrong one, and where it starts.
    fn rejection(&self, ciphertext: &[u8]) -> (SecretBytes, u64) {
        let size = self.public().size();
        let d = SecretBytes::from(bytes(&self.inner.d, size));
        let hashed = Secret::new(Sha256::digest(&d));
        let mut mac = Hmac::<Sha256>::new(&*hashed);
        mac.update(ciphertext);
        let key = Secret::new(mac.finalize());
        let mut message = SecretBytes::zeros(size);
        expand(&key, b"message", &mut message);
        let mut lengths = Secret::new([0; 256]);
        expand(&key, b"length", &mut *lengths);
        // The last of 128 candidates that is short enough.
        let most = (size - PADDING) as u64;
        let mask = u64::MAX >> most.leading_zeros();
        let mut length = 0;
        for candidate in lengths.as_chunks::<2>().0 {
            let candidate = u64::from(u16::from_be_bytes(*candidate)) & mask;
            length = Choice::lt_u64(most, candidate).select_u64(length, candidate);
        }
        (message, size as u64 - length)
    }
}

/// The message of each ciphertext, as [`PrivateKey::decrypt_pkcs1`] gives it. The implementation
/// is that of the first key. Nothing is written to memory of the caller's, as only decryption tells
/// how long a message is.
///
/// # Errors
/// [`Error::NoEntropy`] and [`Error::BadPrivateKey`], for all of them.
pub fn decrypt_pkcs1_batch(
    items: &[(&PrivateKey, &[u8])],
    rng: &mut impl Rng,
) -> Result<Vec<Result<SecretBytes, Error>>, Error> {
    decrypt_batch(items, rng, |i, opened| {
        let (key, ciphertext) = items[i];
        let opened = opened.ok_or(Error::BadTag)?;
        Ok(key.decode_pkcs1(opened, ciphertext))
    })
}
