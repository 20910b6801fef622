//! Records of TLS 1.2: GCM with the half of its nonce that travels (RFC 5288), and
//! ChaCha20-Poly1305, whose nonces do not (RFC 7905).

use std::marker::PhantomData;

use adamant::cipher::chacha20_poly1305::ChaCha20Poly1305;
use adamant::cipher::gcm::AesGcm;
use rustls::crypto::cipher::{
    AeadKey, InboundOpaqueMessage, InboundPlainMessage, Iv, KeyBlockShape, MessageDecrypter,
    MessageEncrypter, NONCE_LEN, Nonce, OutboundOpaqueMessage, OutboundPlainMessage,
    PrefixedPayload, Tls12AeadAlgorithm, UnsupportedOperationError, make_tls12_aad,
};
use rustls::{ConnectionTrafficSecrets, Error};

use super::{Cipher, TAG_LEN};

/// Bytes of the longest plaintext of a record (RFC 5246, section 6.2.1).
const MAX_FRAGMENT_LEN: usize = 1 << 14;

/// A cipher for records.
pub(crate) struct Records<C>(PhantomData<fn() -> C>);

impl<C> Records<C> {
    pub(crate) const NEW: Self = Records(PhantomData);
}

/// How the nonce of a record comes about.
pub(crate) trait Nonces: Cipher {
    /// Bytes of it that come from the key schedule.
    const FIXED_LEN: usize;
    /// Bytes of it that are in front of the record.
    const EXPLICIT_LEN: usize = NONCE_LEN - Self::FIXED_LEN;
}

impl<const KEY_LEN: usize> Nonces for AesGcm<KEY_LEN>
where
    AesGcm<KEY_LEN>: Cipher,
{
    const FIXED_LEN: usize = 4;
}

impl Nonces for ChaCha20Poly1305 {
    const FIXED_LEN: usize = NONCE_LEN;
}

/// One direction of a connection.
struct Direction<C> {
    cipher: C,
    /// The nonce of the first record; of GCM, for the reader, what does not travel alone.
    iv: Iv,
}

/// The parts in a row, filled up with zeros.
fn iv(fixed: &[u8], explicit: &[u8]) -> Iv {
    let mut iv = [0; NONCE_LEN];
    iv[..fixed.len()].copy_from_slice(fixed);
    iv[fixed.len()..fixed.len() + explicit.len()].copy_from_slice(explicit);
    Iv::new(iv)
}

impl<C: Nonces> Tls12AeadAlgorithm for Records<C> {
    fn encrypter(&self, key: AeadKey, fixed: &[u8], explicit: &[u8]) -> Box<dyn MessageEncrypter> {
        let cipher = C::with_key(&key);
        let iv = iv(fixed, explicit);
        Box::new(Direction { cipher, iv })
    }

    fn decrypter(&self, key: AeadKey, fixed: &[u8]) -> Box<dyn MessageDecrypter> {
        let cipher = C::with_key(&key);
        let iv = iv(fixed, &[]);
        Box::new(Direction { cipher, iv })
    }

    fn key_block_shape(&self) -> KeyBlockShape {
        KeyBlockShape {
            enc_key_len: C::KEY_LEN,
            fixed_iv_len: C::FIXED_LEN,
            explicit_nonce_len: C::EXPLICIT_LEN,
        }
    }

    fn extract_keys(
        &self,
        key: AeadKey,
        fixed: &[u8],
        explicit: &[u8],
    ) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        C::secrets(key, iv(fixed, explicit))
    }
}

impl<C: Nonces> MessageEncrypter for Direction<C> {
    fn encrypt(
        &mut self,
        msg: OutboundPlainMessage<'_>,
        seq: u64,
    ) -> Result<OutboundOpaqueMessage, Error> {
        let mut payload =
            PrefixedPayload::with_capacity(self.encrypted_payload_len(msg.payload.len()));
        let nonce = Nonce::new(&self.iv, seq).0;
        payload.extend_from_slice(&nonce[C::FIXED_LEN..]);
        payload.extend_from_chunks(&msg.payload);
        let aad = make_tls12_aad(seq, msg.typ, msg.version, msg.payload.len());
        let text = &mut payload.as_mut()[C::EXPLICIT_LEN..];
        let tag = self.cipher.seal(&nonce, &aad, text);
        payload.extend_from_slice(&tag.map_err(|_| Error::EncryptError)?);
        Ok(OutboundOpaqueMessage::new(msg.typ, msg.version, payload))
    }

    fn encrypted_payload_len(&self, payload_len: usize) -> usize {
        C::EXPLICIT_LEN + payload_len + TAG_LEN
    }
}

impl<C: Nonces> MessageDecrypter for Direction<C> {
    fn decrypt<'a>(
        &mut self,
        mut msg: InboundOpaqueMessage<'a>,
        seq: u64,
    ) -> Result<InboundPlainMessage<'a>, Error> {
        let payload = &mut *msg.payload;
        let overhead = C::EXPLICIT_LEN + TAG_LEN;
        let len = payload.len().checked_sub(overhead);
        let len = len.ok_or(Error::DecryptError)?;
        let (explicit, text) = payload.split_at_mut(C::EXPLICIT_LEN);
        let nonce = if explicit.is_empty() {
            Nonce::new(&self.iv, seq).0
        } else {
            let mut nonce = [0; NONCE_LEN];
            nonce[..C::FIXED_LEN].copy_from_slice(&self.iv.as_ref()[..C::FIXED_LEN]);
            nonce[C::FIXED_LEN..].copy_from_slice(explicit);
            nonce
        };
        let aad = make_tls12_aad(seq, msg.typ, msg.version, len);
        let opened = self.cipher.open_appended(&nonce, &aad, text);
        opened.map_err(|_| Error::DecryptError)?;
        if len > MAX_FRAGMENT_LEN {
            return Err(Error::PeerSentOversizedRecord);
        }
        Ok(msg.into_plain_message_range(C::EXPLICIT_LEN..C::EXPLICIT_LEN + len))
    }
}
