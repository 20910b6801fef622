//! Authenticated encryption: `aead::Aead`, `aead::AeadInOut`.
//!
//! ```
//! use adamant_traits::aead::Aes256Gcm;
//! use aead::{Aead, KeyInit};
//!
//! let cipher = Aes256Gcm::new(&[7; 32].into());
//! let sealed = cipher.encrypt(&[9; 12].into(), &b"attack at dawn"[..]).unwrap();
//! assert_eq!(cipher.decrypt(&[9; 12].into(), &sealed[..]).unwrap(), b"attack at dawn");
//! ```

use adamant::cipher::hazmat::Lengths;
use adamant::cipher::{ccm, chacha20_poly1305, eax, gcm, gcm_siv, sm4};
use adamant::family::Aead as Ours;
use aead::array::typenum::U;
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use core::fmt;

macro_rules! aeads {
    ($($title:literal: $name:ident($ours:ty);)*) => { $(
        #[doc = concat!($title, ".")]
        pub struct $name(pub $ours);

        impl KeySizeUser for $name {
            type KeySize = U<{ <$ours as Ours>::KEY_LEN }>;
        }

        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                $name(<$ours as Ours>::new(key).expect("a key of the right length"))
            }
        }

        impl AeadCore for $name {
            type NonceSize = U<{ <$ours as Ours>::NONCE_LEN }>;
            type TagSize = U<{ <$ours as Ours>::TAG_LEN }>;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }

        impl AeadInOut for $name {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
            ) -> Result<Tag<Self>, Error> {
                let data = buffer.into_out_with_copied_in();
                match Ours::seal(&self.0, nonce.as_ref(), associated_data, data) {
                    Ok(tag) => Ok(tag.into()),
                    Err(_) => {
                        // The message may be a copy.
                        data.fill(0);
                        Err(Error)
                    }
                }
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
                tag: &Tag<Self>,
            ) -> Result<(), Error> {
                let data = buffer.into_out_with_copied_in();
                Ours::open(&self.0, nonce.as_ref(), associated_data, data, tag.as_ref()).map_err(|_| Error)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }
    )* };
}

aeads! {
    "AES-128-GCM": Aes128Gcm(gcm::AesGcm<16>);
    "AES-192-GCM": Aes192Gcm(gcm::AesGcm<24>);
    "AES-256-GCM": Aes256Gcm(gcm::AesGcm<32>);
    "AES-128-GCM-SIV": Aes128GcmSiv(gcm_siv::AesGcmSiv<16>);
    "AES-256-GCM-SIV": Aes256GcmSiv(gcm_siv::AesGcmSiv<32>);
    "AES-128-CCM": Aes128Ccm(ccm::AesCcm<16>);
    "AES-256-CCM": Aes256Ccm(ccm::AesCcm<32>);
    "AES-128-EAX, with nonces of 16 bytes": Aes128Eax(Lengths<eax::AesEax<16>, 16, 16>);
    "AES-256-EAX, with nonces of 16 bytes": Aes256Eax(Lengths<eax::AesEax<32>, 16, 16>);
    "ChaCha20-Poly1305": ChaCha20Poly1305(chacha20_poly1305::ChaCha20Poly1305);
    "XChaCha20-Poly1305": XChaCha20Poly1305(chacha20_poly1305::XChaCha20Poly1305);
    "SM4-GCM": Sm4Gcm(sm4::Sm4Gcm);
    "SM4-CCM": Sm4Ccm(sm4::Sm4Ccm);
}
