//! Protection of records: sealed and opened in place.

pub(crate) mod tls12;
pub(crate) mod tls13;

use adamant::family::Aead;
use rustls::ConnectionTrafficSecrets;
use rustls::crypto::cipher::{AeadKey, Iv, UnsupportedOperationError};

/// Bytes of the tag of every suite.
const TAG_LEN: usize = 16;

/// An AEAD of the suites: nonces of 12 bytes, tags of 16.
pub(crate) trait Cipher:
    Aead<Nonce = [u8; 12], Tag = [u8; TAG_LEN]> + Send + Sync + 'static
{
    /// The secrets for whoever takes the records over, where rustls has a name for the cipher.
    fn secrets(key: AeadKey, iv: Iv)
    -> Result<ConnectionTrafficSecrets, UnsupportedOperationError>;

    /// The cipher under a key that rustls derived.
    fn with_key(key: &AeadKey) -> Self {
        Self::new(key.as_ref()).expect("keys are derived at the length that the cipher states")
    }
}

macro_rules! ciphers {
    ($($cipher:ty: $secrets:expr;)*) => { $(
        impl Cipher for $cipher {
            fn secrets(
                key: AeadKey,
                iv: Iv,
            ) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
                let secrets: fn(AeadKey, Iv) -> _ = $secrets;
                secrets(key, iv)
            }
        }
    )* };
}

ciphers! {
    adamant::cipher::gcm::Aes128Gcm: |key, iv| Ok(ConnectionTrafficSecrets::Aes128Gcm { key, iv });
    adamant::cipher::gcm::Aes256Gcm: |key, iv| Ok(ConnectionTrafficSecrets::Aes256Gcm { key, iv });
    adamant::cipher::chacha20_poly1305::ChaCha20Poly1305:
        |key, iv| Ok(ConnectionTrafficSecrets::Chacha20Poly1305 { key, iv });
    adamant::cipher::sm4::Sm4Gcm: |_, _| Err(UnsupportedOperationError);
    adamant::cipher::sm4::Sm4Ccm: |_, _| Err(UnsupportedOperationError);
}
