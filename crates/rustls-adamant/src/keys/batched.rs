//! Keys that sign many handshakes at a time: see [`with_batching`](crate::with_batching).

use std::sync::Arc;

use adamant::batcher::{
    Ed448Sign, Ed25519Sign, MlDsa44Sign, MlDsa65Sign, MlDsa87Sign, P256Sign, P384Sign, P521Sign,
    RsaPkcs1Sign, RsaPssSign,
};
use adamant::ec::{ed448, ed25519, p256, p384, p521};
use adamant::hash::{Sha256, Sha384, Sha512};
use adamant::pq::{ml_dsa_44, ml_dsa_65, ml_dsa_87};
use adamant::x509::PrivateKey;
use adamant::{Error, rsa};
use rustls::SignatureScheme as Scheme;

use super::Sign;
use crate::batching::shared;

/// The key on its own, whose kind has no batch.
pub(super) fn signing(key: PrivateKey) -> Arc<dyn Sign> {
    match key {
        PrivateKey::P256(key) => Arc::new(Batched(Arc::new(key))),
        PrivateKey::P384(key) => Arc::new(Batched(Arc::new(key))),
        PrivateKey::P521(key) => Arc::new(Batched(Arc::new(key))),
        PrivateKey::Ed25519(key) => Arc::new(Batched(Arc::new(key))),
        PrivateKey::Ed448(key) => Arc::new(Batched(Arc::new(key))),
        PrivateKey::MlDsa44(key) => Arc::new(Batched(Arc::new(key))),
        PrivateKey::MlDsa65(key) => Arc::new(Batched(Arc::new(key))),
        PrivateKey::MlDsa87(key) => Arc::new(Batched(Arc::new(key))),
        PrivateKey::Rsa(key) => Arc::new(Batched(Arc::new(key))),
        key => Arc::new(key),
    }
}

struct Batched<K>(Arc<K>);

/// Keys of one scheme, with the encoding of their signatures.
macro_rules! keys {
    ($($module:ident: $sign:ident, $encode:ident;)*) => { $(
        impl Sign for Batched<$module::PrivateKey> {
            fn sign(&self, _scheme: Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
                let signature = shared::<$sign>((Arc::clone(&self.0), message.to_vec()));
                Ok(signature.$encode().as_ref().to_vec())
            }
        }
    )* };
}

keys! {
    p256: P256Sign, to_der;
    p384: P384Sign, to_der;
    p521: P521Sign, to_der;
    ed25519: Ed25519Sign, to_bytes;
    ed448: Ed448Sign, to_bytes;
    ml_dsa_44: MlDsa44Sign, to_bytes;
    ml_dsa_65: MlDsa65Sign, to_bytes;
    ml_dsa_87: MlDsa87Sign, to_bytes;
}

impl Sign for Batched<rsa::PrivateKey> {
    fn sign(&self, scheme: Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        let item = (Arc::clone(&self.0), message.to_vec());
        match scheme {
            Scheme::RSA_PSS_SHA256 => shared::<RsaPssSign<Sha256>>(item),
            Scheme::RSA_PSS_SHA384 => shared::<RsaPssSign<Sha384>>(item),
            Scheme::RSA_PSS_SHA512 => shared::<RsaPssSign<Sha512>>(item),
            Scheme::RSA_PKCS1_SHA256 => shared::<RsaPkcs1Sign<Sha256>>(item),
            Scheme::RSA_PKCS1_SHA384 => shared::<RsaPkcs1Sign<Sha384>>(item),
            Scheme::RSA_PKCS1_SHA512 => shared::<RsaPkcs1Sign<Sha512>>(item),
            _ => Err(Error::BadParameter("scheme")),
        }
    }
}
