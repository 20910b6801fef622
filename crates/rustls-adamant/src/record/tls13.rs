//! Records of TLS 1.3 (RFC 8446, section 5.2).

use std::marker::PhantomData;

use rustls::crypto::cipher::{
    AeadKey, InboundOpaqueMessage, InboundPlainMessage, Iv, MessageDecrypter, MessageEncrypter,
    Nonce, OutboundOpaqueMessage, OutboundPlainMessage, PrefixedPayload, Tls13AeadAlgorithm,
    UnsupportedOperationError, make_tls13_aad,
};
use rustls::{ConnectionTrafficSecrets, ContentType, Error, ProtocolVersion};

use super::{Cipher, TAG_LEN};

/// A cipher for records.
pub(crate) struct Records<C>(PhantomData<fn() -> C>);

impl<C> Records<C> {
    pub(crate) const NEW: Self = Records(PhantomData);
}

/// One direction of a connection.
struct Direction<C> {
    cipher: C,
    iv: Iv,
}

impl<C: Cipher> Tls13AeadAlgorithm for Records<C> {
    fn encrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageEncrypter> {
        let cipher = C::with_key(&key);
        Box::new(Direction { cipher, iv })
    }

    fn decrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageDecrypter> {
        let cipher = C::with_key(&key);
        Box::new(Direction { cipher, iv })
    }

    fn key_len(&self) -> usize {
        C::KEY_LEN
    }

    fn extract_keys(
        &self,
        key: AeadKey,
        iv: Iv,
    ) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        C::secrets(key, iv)
    }
}

impl<C: Cipher> MessageEncrypter for Direction<C> {
    fn encrypt(
        &mut self,
        msg: OutboundPlainMessage<'_>,
        seq: u64,
    ) -> Result<OutboundOpaqueMessage, Error> {
        let total = self.encrypted_payload_len(msg.payload.len());
        let mut payload = PrefixedPayload::with_capacity(total);
        payload.extend_from_chunks(&msg.payload);
        payload.extend_from_slice(&[u8::from(msg.typ)]);
        let nonce = Nonce::new(&self.iv, seq).0;
        let aad = make_tls13_aad(total);
        let tag = self.cipher.seal(&nonce, &aad, payload.as_mut());
        payload.extend_from_slice(&tag.map_err(|_| Error::EncryptError)?);
        Ok(OutboundOpaqueMessage::new(
            ContentType::ApplicationData,
            ProtocolVersion::TLSv1_2,
            payload,
        ))
    }

    fn encrypted_payload_len(&self, payload_len: usize) -> usize {
        payload_len + 1 + TAG_LEN
    }
}

impl<C: Cipher> MessageDecrypter for Direction<C> {
    fn decrypt<'a>(
        &mut self,
        mut msg: InboundOpaqueMessage<'a>,
        seq: u64,
    ) -> Result<InboundPlainMessage<'a>, Error> {
        let aad = make_tls13_aad(msg.payload.len());
        let nonce = Nonce::new(&self.iv, seq).0;
        let opened = self.cipher.open_appended(&nonce, &aad, &mut msg.payload);
        let len = opened.map_err(|_| Error::DecryptError)?.len();
        msg.payload.truncate(len);
        msg.into_tls13_unpadded_message()
    }
}
