//! Keys that sign many handshakes at a time: see [`with_batching`](crate::with_batching).

use std::sync::Arc;

use adamant::base::family::{Signer, Verifier};
use adamant::batcher::{self, RsaPkcs1Sign, RsaPssSign};
use adamant::hash::{Sha256, Sha384, Sha512};
use adamant::x509::PrivateKey;
use adamant::{Error, rsa};
use rustls::SignatureScheme as Scheme;

use super::Sign;
use crate::batching::{Shared, shared};

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
        PrivateKey::Rsa(key) => Arc::new(BatchedRsa(Arc::new(key))),
        key => Arc::new(key),
    }
}

struct Batched<K>(Arc<K>);

impl<K> Sign for Batched<K>
where
    K: Signer,
    batcher::Sign<K>:
        Shared<Item = (Arc<K>, Vec<u8>), Output = <K::Verifier as Verifier>::Signature>,
{
    fn sign(&self, _scheme: Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        let signature = shared::<batcher::Sign<K>>((Arc::clone(&self.0), message.to_vec()));
        // TLS has them as certificates do.
        Ok(K::Verifier::signature_to_x509(&signature))
    }
}

struct BatchedRsa(Arc<rsa::PrivateKey>);

impl Sign for BatchedRsa {
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
