//! The key schedule (RFC 9180, section 5.1) and the contexts that it gives (5.2, 5.3).

use super::kem::SharedSecret;
use super::labeled::{Digest, Labeled};
use super::{Aead, Suite};
use adamant_base::{Aead as _, Error, Secret};
use adamant_cipher::chacha20_poly1305::ChaCha20Poly1305;
use adamant_cipher::gcm::{Aes128Gcm, Aes256Gcm};
use alloc::vec::Vec;

/// The shortest pre-shared key: what a guesser faces should be no less than elsewhere.
const MIN_PSK_LEN: usize = 32;

/// A key that both sides share already, and its name.
#[derive(Clone, Copy)]
pub struct Psk<'a> {
    /// The key: at least 32 bytes with the entropy of as many.
    pub key: &'a [u8],
    /// Its name, which is not empty.
    pub id: &'a [u8],
}

/// How the sender is authenticated: `K` is the sender's private key at the sender, the public one
/// at the receiver.
pub enum Mode<'a, K> {
    /// Not at all.
    Base,
    /// By a key that both share.
    Psk(Psk<'a>),
    /// By the sender's key.
    Auth(&'a K),
    /// By both.
    AuthPsk(&'a K, Psk<'a>),
}

impl<K> Clone for Mode<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Mode<'_, K> {}

impl<'a, K> Mode<'a, K> {
    pub(super) fn key(&self) -> Option<&'a K> {
        match self {
            Mode::Auth(key) | Mode::AuthPsk(key, _) => Some(key),
            Mode::Base | Mode::Psk(_) => None,
        }
    }

    pub(super) fn psk(&self) -> Option<Psk<'a>> {
        match self {
            Mode::Psk(psk) | Mode::AuthPsk(_, psk) => Some(*psk),
            Mode::Base | Mode::Auth(_) => None,
        }
    }

    pub(super) fn number(&self) -> u8 {
        match self {
            Mode::Base => 0,
            Mode::Psk(_) => 1,
            Mode::Auth(_) => 2,
            Mode::AuthPsk(..) => 3,
        }
    }
}

/// The AEAD that seals and opens.
enum Cipher {
    Aes128Gcm(Aes128Gcm),
    Aes256Gcm(Aes256Gcm),
    ChaCha20Poly1305(ChaCha20Poly1305),
    None,
}

const TAG_LEN: usize = 16;

/// The state that both sides share after the set-up.
pub struct Context {
    suite: Suite,
    cipher: Cipher,
    base_nonce: Secret<[u8; 12]>,
    sequence: u64,
    exporter: Digest,
}

/// The sender's context.
pub struct Sender(pub(super) Context);

/// The receiver's context.
pub struct Receiver(pub(super) Context);

impl Context {
    /// `KeySchedule`.
    pub(super) fn new(
        suite: &Suite,
        secret: &SharedSecret,
        info: &[u8],
        mode: u8,
        psk: Option<Psk<'_>>,
    ) -> Result<Self, Error> {
        if psk.is_some_and(|psk| psk.key.len() < MIN_PSK_LEN || psk.id.is_empty()) {
            return Err(Error::BadParameter("psk"));
        }
        let Psk { key: psk, id } = psk.unwrap_or(Psk { key: b"", id: b"" });
        let suite_id = suite.id();
        let labeled = Labeled {
            kdf: suite.kdf,
            suite: &suite_id,
        };
        let psk_id_hash = labeled.extract(b"", "psk_id_hash", id);
        let info_hash = labeled.extract(b"", "info_hash", info);
        let context = [&[mode], psk_id_hash.as_bytes(), info_hash.as_bytes()].concat();
        let secret = labeled.extract(secret.as_bytes(), "secret", psk);
        let mut key = Secret::new([0; 32]);
        let mut base_nonce = Secret::new([0; 12]);
        let len = match suite.aead {
            Aead::Aes128Gcm => 16,
            Aead::Aes256Gcm | Aead::ChaCha20Poly1305 => 32,
            Aead::ExportOnly => 0,
        };
        let key = &mut key[..len];
        let nonce = &mut *base_nonce;
        labeled.expand(secret.as_bytes(), "key", &context, key)?;
        labeled.expand(secret.as_bytes(), "base_nonce", &context, nonce)?;
        let cipher = match suite.aead {
            Aead::Aes128Gcm => Cipher::Aes128Gcm(adamant_base::Aead::new(key)?),
            Aead::Aes256Gcm => Cipher::Aes256Gcm(adamant_base::Aead::new(key)?),
            Aead::ChaCha20Poly1305 => Cipher::ChaCha20Poly1305(adamant_base::Aead::new(key)?),
            Aead::ExportOnly => Cipher::None,
        };
        let mut exporter = secret.clone();
        let out = exporter.as_mut_bytes();
        labeled.expand(secret.as_bytes(), "exp", &context, out)?;
        Ok(Context {
            suite: *suite,
            cipher,
            base_nonce,
            sequence: 0,
            exporter,
        })
    }

    /// The nonce of the next message.
    fn nonce(&self) -> [u8; 12] {
        let mut nonce = *self.base_nonce;
        for (byte, s) in nonce[4..].iter_mut().zip(self.sequence.to_be_bytes()) {
            *byte ^= s;
        }
        nonce
    }

    /// Counts on; the last number is never reached.
    fn count(&mut self) -> Result<(), Error> {
        let next = self.sequence.checked_add(1);
        self.sequence = next.ok_or(Error::BadParameter("sequence number"))?;
        Ok(())
    }

    /// A secret of its own for another purpose, of `out.len()` bytes (section 5.3).
    ///
    /// # Errors
    /// [`Error::BadLength`] for more than 255 digests.
    pub fn export(&self, exporter_context: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let suite_id = self.suite.id();
        let labeled = Labeled {
            kdf: self.suite.kdf,
            suite: &suite_id,
        };
        labeled.expand(self.exporter.as_bytes(), "sec", exporter_context, out)
    }

    #[cfg(test)]
    pub(super) fn skip_to(&mut self, sequence: u64) {
        self.sequence = sequence;
    }
}

impl core::ops::Deref for Sender {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.0
    }
}

impl core::ops::Deref for Receiver {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.0
    }
}

impl Sender {
    /// Seals the next message: ciphertext and tag.
    ///
    /// # Errors
    /// [`Error::BadParameter`] in a suite that seals nothing, and after 2^64 - 1 messages;
    /// [`Error::BadLength`] for a message beyond what the AEAD takes.
    pub fn seal(&mut self, aad: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        let context = &mut self.0;
        let nonce = context.nonce();
        let mut sealed = Vec::with_capacity(message.len() + TAG_LEN);
        sealed.extend_from_slice(message);
        sealed.resize(message.len() + TAG_LEN, 0);
        match &context.cipher {
            Cipher::Aes128Gcm(cipher) => cipher.seal_appended(&nonce, aad, &mut sealed),
            Cipher::Aes256Gcm(cipher) => cipher.seal_appended(&nonce, aad, &mut sealed),
            Cipher::ChaCha20Poly1305(cipher) => cipher.seal_appended(&nonce, aad, &mut sealed),
            Cipher::None => Err(Error::BadParameter("aead")),
        }?;
        context.count()?;
        Ok(sealed)
    }
}

impl Receiver {
    /// Opens the next message. After an error, it is still the next.
    ///
    /// # Errors
    /// [`Error::BadTag`]; [`Error::BadLength`] where not even the tag is there;
    /// [`Error::BadParameter`] as [`Sender::seal`].
    pub fn open(&mut self, aad: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let context = &mut self.0;
        let nonce = context.nonce();
        let mut buffer = sealed.to_vec();
        let opened = match &context.cipher {
            Cipher::Aes128Gcm(cipher) => cipher.open_appended(&nonce, aad, &mut buffer),
            Cipher::Aes256Gcm(cipher) => cipher.open_appended(&nonce, aad, &mut buffer),
            Cipher::ChaCha20Poly1305(cipher) => cipher.open_appended(&nonce, aad, &mut buffer),
            Cipher::None => Err(Error::BadParameter("aead")),
        };
        let len = opened?.len();
        context.count()?;
        buffer.truncate(len);
        Ok(buffer)
    }
}
