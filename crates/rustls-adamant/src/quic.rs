//! Protection of QUIC packets (RFC 9001, section 5).

use std::marker::PhantomData;

use adamant::cipher::aes::Aes;
use adamant::cipher::chacha20::ChaCha20;
use adamant::{Secret, family::BlockCipher};
use rustls::Error;
use rustls::crypto::cipher::{AeadKey, Iv, Nonce};
use rustls::quic::{Algorithm, HeaderProtectionKey, PacketKey, Tag};

use crate::record::Cipher;

/// Bytes of the ciphertext that the mask of a header is made from.
const SAMPLE_LEN: usize = 16;
/// Bytes of the mask.
const MASK_LEN: usize = 5;

/// The ciphers of a suite: that of packets and that of headers.
pub(crate) struct Packets<C, M> {
    /// Packets that may be sealed under a key.
    pub(crate) confidentiality_limit: u64,
    /// Packets that may fail to open under a key.
    pub(crate) integrity_limit: u64,
    pub(crate) ciphers: PhantomData<fn() -> (C, M)>,
}

/// The cipher that makes the masks of headers (sections 5.4.3 and 5.4.4).
pub(crate) trait Mask: Send + Sync + Sized + 'static {
    fn with_key(key: &[u8]) -> Option<Self>;
    fn mask(&self, sample: &[u8; SAMPLE_LEN]) -> [u8; MASK_LEN];
}

impl<const KEY_LEN: usize> Mask for Aes<KEY_LEN> {
    fn with_key(key: &[u8]) -> Option<Self> {
        Self::try_from(key).ok()
    }

    fn mask(&self, sample: &[u8; SAMPLE_LEN]) -> [u8; MASK_LEN] {
        let mut block = [*sample];
        self.encrypt_blocks(&mut block);
        let [a, b, c, d, e, ..] = block[0];
        [a, b, c, d, e]
    }
}

/// The key of ChaCha20 for headers.
pub(crate) struct ChaChaMask(Secret<[u8; 32]>);

impl Mask for ChaChaMask {
    fn with_key(key: &[u8]) -> Option<Self> {
        Some(Self(Secret::new(key.try_into().ok()?)))
    }

    fn mask(&self, sample: &[u8; SAMPLE_LEN]) -> [u8; MASK_LEN] {
        let [a, b, c, d, nonce @ ..] = *sample;
        let counter = u32::from_le_bytes([a, b, c, d]);
        let mut mask = [0; MASK_LEN];
        let made = ChaCha20::new(&self.0, &nonce, counter).apply_keystream(&mut mask);
        made.expect("one block from any counter on");
        mask
    }
}

impl<C: Cipher, M: Mask> Algorithm for Packets<C, M> {
    fn packet_key(&self, key: AeadKey, iv: Iv) -> Box<dyn PacketKey> {
        Box::new(Packet {
            cipher: C::with_key(&key),
            iv,
            confidentiality_limit: self.confidentiality_limit,
            integrity_limit: self.integrity_limit,
        })
    }

    fn header_protection_key(&self, key: AeadKey) -> Box<dyn HeaderProtectionKey> {
        let mask = M::with_key(key.as_ref());
        Box::new(Header(mask.expect("keys are derived at this length")))
    }

    fn aead_key_len(&self) -> usize {
        C::KEY_LEN
    }
}

/// The protection of headers in one direction.
struct Header<M>(M);

impl<M: Mask> Header<M> {
    /// Masks the lower bits of the first byte and the packet number, whose length the bare first
    /// byte tells (section 5.4.1).
    fn apply(
        &self,
        sample: &[u8],
        first: &mut u8,
        number: &mut [u8],
        bare: impl FnOnce(u8, u8) -> u8,
    ) -> Result<(), Error> {
        let sample = sample.try_into();
        let sample = sample.map_err(|_| Error::General("a sample of 16 bytes is needed".into()))?;
        if number.len() > MASK_LEN - 1 {
            return Err(Error::General("packet numbers have up to 4 bytes".into()));
        }
        let [mask_first, mask @ ..] = self.0.mask(sample);
        let bits = if *first & 0x80 == 0 { 0x1f } else { 0x0f };
        let masked = *first ^ (mask_first & bits);
        let len = usize::from(bare(*first, masked) & 0x03) + 1;
        *first = masked;
        for (byte, mask) in number.iter_mut().zip(mask).take(len) {
            *byte ^= mask;
        }
        Ok(())
    }
}

impl<M: Mask> HeaderProtectionKey for Header<M> {
    fn encrypt_in_place(
        &self,
        sample: &[u8],
        first: &mut u8,
        packet_number: &mut [u8],
    ) -> Result<(), Error> {
        self.apply(sample, first, packet_number, |before, _| before)
    }

    fn decrypt_in_place(
        &self,
        sample: &[u8],
        first: &mut u8,
        packet_number: &mut [u8],
    ) -> Result<(), Error> {
        self.apply(sample, first, packet_number, |_, after| after)
    }

    fn sample_len(&self) -> usize {
        SAMPLE_LEN
    }
}

/// The protection of packets in one direction.
struct Packet<C> {
    cipher: C,
    iv: Iv,
    confidentiality_limit: u64,
    integrity_limit: u64,
}

impl<C: Cipher> Packet<C> {
    fn seal(&self, nonce: &Nonce, header: &[u8], payload: &mut [u8]) -> Result<Tag, Error> {
        let tag = self.cipher.seal(&nonce.0, header, payload);
        Ok(Tag::from(&tag.map_err(|_| Error::EncryptError)?[..]))
    }

    fn open<'a>(
        &self,
        nonce: &Nonce,
        header: &[u8],
        payload: &'a mut [u8],
    ) -> Result<&'a [u8], Error> {
        let opened = self.cipher.open_appended(&nonce.0, header, payload);
        opened.map(|text| &*text).map_err(|_| Error::DecryptError)
    }
}

impl<C: Cipher> PacketKey for Packet<C> {
    fn encrypt_in_place(
        &self,
        packet_number: u64,
        header: &[u8],
        payload: &mut [u8],
    ) -> Result<Tag, Error> {
        self.seal(&Nonce::new(&self.iv, packet_number), header, payload)
    }

    fn encrypt_in_place_for_path(
        &self,
        path_id: u32,
        packet_number: u64,
        header: &[u8],
        payload: &mut [u8],
    ) -> Result<Tag, Error> {
        let nonce = Nonce::for_path(path_id, &self.iv, packet_number);
        self.seal(&nonce, header, payload)
    }

    fn decrypt_in_place<'a>(
        &self,
        packet_number: u64,
        header: &[u8],
        payload: &'a mut [u8],
    ) -> Result<&'a [u8], Error> {
        self.open(&Nonce::new(&self.iv, packet_number), header, payload)
    }

    fn decrypt_in_place_for_path<'a>(
        &self,
        path_id: u32,
        packet_number: u64,
        header: &[u8],
        payload: &'a mut [u8],
    ) -> Result<&'a [u8], Error> {
        let nonce = Nonce::for_path(path_id, &self.iv, packet_number);
        self.open(&nonce, header, payload)
    }

    fn tag_len(&self) -> usize {
        16
    }

    fn confidentiality_limit(&self) -> u64 {
        self.confidentiality_limit
    }

    fn integrity_limit(&self) -> u64 {
        self.integrity_limit
    }
}
