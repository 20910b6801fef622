//! Reading private keys.

use std::sync::Arc;

use adamant::x509::PrivateKey;
use rustls::Error;
use rustls::crypto::KeyProvider;
use rustls::pki_types::PrivateKeyDer;
use rustls::sign::SigningKey;
use zeroize::Zeroizing;

use super::{Key, Sign, kind};

/// Reads private keys for rustls, and wipes the encoding.
#[derive(Debug)]
pub(crate) struct Loader {
    /// Whether they sign many handshakes at a time.
    pub(crate) batched: bool,
}

impl KeyProvider for Loader {
    fn load_private_key(&self, der: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Error> {
        load(&Zeroizing::new(der), self.batched)
    }
}

/// A private key in PKCS #8, SEC 1 or PKCS #1, as one that signs handshakes: RSA of at least 2048
/// bits, P-256, P-384, P-521, Ed25519, Ed448, ML-DSA, SM2.
///
/// # Errors
/// [`Error::General`] with the reason and the position for anything else.
pub fn load_private_key(der: &PrivateKeyDer<'_>) -> Result<Arc<dyn SigningKey>, Error> {
    load(der, false)
}

fn load(der: &PrivateKeyDer<'_>, batched: bool) -> Result<Arc<dyn SigningKey>, Error> {
    let refused = |reason: String| Error::General(format!("private key: {reason}"));
    let key = match der {
        PrivateKeyDer::Pkcs8(der) => PrivateKey::from_der(der.secret_pkcs8_der()),
        PrivateKeyDer::Sec1(der) => PrivateKey::from_sec1_der(der.secret_sec1_der()),
        PrivateKeyDer::Pkcs1(der) => {
            let key = adamant::rsa::PrivateKey::from_pkcs1_der(der.secret_pkcs1_der());
            Ok(PrivateKey::Rsa(
                key.map_err(|error| refused(error.to_string()))?,
            ))
        }
        _ => return Err(refused("unknown encoding".into())),
    };
    let key = key.map_err(|error| refused(error.to_string()))?;
    if let PrivateKey::Rsa(key) = &key
        && key.public_key().bits() < 2048
    {
        return Err(refused("RSA of less than 2048 bits".into()));
    }
    let kind = kind(&key).ok_or_else(|| refused("not one that signs in TLS".into()));
    let (algorithm, schemes) = kind?;
    Ok(Arc::new(Key {
        public: key.public_key().to_der().into(),
        algorithm,
        schemes,
        key: signing(key, batched),
    }))
}

#[cfg(feature = "batching")]
fn signing(key: PrivateKey, batched: bool) -> Arc<dyn Sign> {
    if batched {
        super::batched::signing(key)
    } else {
        Arc::new(key)
    }
}

#[cfg(not(feature = "batching"))]
fn signing(key: PrivateKey, _batched: bool) -> Arc<dyn Sign> {
    Arc::new(key)
}
