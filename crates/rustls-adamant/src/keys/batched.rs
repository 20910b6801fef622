//! Keys that sign many handshakes at a time: see [`with_batching`](crate::with_batching).

use std::sync::Arc;

use adamant::batcher;
use adamant::family::{Signer, Verifier};
use adamant::hash::{Sha256, Sha384, Sha512};
use adamant::x509::PrivateKey;
use adamant::{Error, ec, pq, rsa};
use rustls::SignatureScheme as Scheme;

use super::Sign;
use crate::batching::{Shared, batchers, shared};

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

macro_rules! keys {
    (
        ecdsa { $({ $curve:ident $cm:ident $ecdsa:ident })* }
        eddsa { $({ $ed:ident $em:ident $eddsa:ident })* }
        rsa { $({ $rsa:ident $sign:ident $verify:ident $batch:ident $hash:ident })* }
        ml_dsa { $({ $ml:ident $mm:ident $ml_dsa:ident })* }
    ) => {
        batchers! {
            $(batcher::Sign<ec::$cm::PrivateKey>)*
            $(batcher::Sign<ec::$em::PrivateKey>)*
            $(batcher::Sign<pq::$mm::PrivateKey>)*
            $(batcher::$batch<$hash>)*
        }

        /// The key on its own, whose kind has no batch.
        pub(super) fn signing(key: PrivateKey) -> Arc<dyn Sign> {
            match key {
                $(PrivateKey::$curve(key) => Arc::new(Batched(Arc::new(key))),)*
                $(PrivateKey::$ed(key) => Arc::new(Batched(Arc::new(key))),)*
                $(PrivateKey::$ml(key) => Arc::new(Batched(Arc::new(key))),)*
                PrivateKey::Rsa(key) => Arc::new(BatchedRsa(Arc::new(key))),
                key => Arc::new(key),
            }
        }

        impl Sign for BatchedRsa {
            fn sign(&self, scheme: Scheme, message: &[u8]) -> Result<Vec<u8>, Error> {
                let item = (Arc::clone(&self.0), message.to_vec());
                match scheme {
                    $(Scheme::$rsa => shared::<batcher::$batch<$hash>>(item),)*
                    _ => Err(Error::BadParameter("scheme")),
                }
            }
        }
    };
}
super::signatures!(keys);
