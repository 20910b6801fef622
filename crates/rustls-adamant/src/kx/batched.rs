//! The groups for many handshakes at once: see [`with_batching`](crate::with_batching).

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use adamant::batcher::{Agree, Decapsulate, Encapsulate, Operation};
use adamant::ec::{p256, p384, p521, x448, x25519};
use adamant::family::KeyAgreement;
use adamant::hazmat::base::exactly;
use adamant::hybrid::tls::{secp256r1mlkem768, secp384r1mlkem1024, x25519mlkem768};
use adamant::{Error as CryptoError, Secret};
use rustls::NamedGroup;
use rustls::crypto::{SharedSecret, SupportedKxGroup};

use super::classic::{point, x448 as share_x448, x25519 as share_x25519};
use super::{Exchange, Group, shared};
use crate::batching::shared as gathered;
use crate::random::Random;

/// What a key of its own has of the exchange of its kind.
macro_rules! as_one {
    ($key:ty) => {
        const NAME: NamedGroup = <$key>::NAME;
        const TLS12: bool = <$key>::TLS12;
        const CURVE: Option<(NamedGroup, Range<usize>)> = <$key>::CURVE;
        type Share = <$key as Exchange>::Share;

        fn share(&self) -> Self::Share {
            Exchange::share(&*self.0)
        }
    };
}

/// New keys.
struct Keygen<K>(PhantomData<fn(K)>);

impl<K: KeyAgreement + Clone + 'static> Operation for Keygen<K> {
    type Item = ();
    type Output = Result<K, CryptoError>;

    fn one((): &()) -> Self::Output {
        K::generate(&mut Random)
    }

    fn many(items: &[&()]) -> Vec<Self::Output> {
        match K::generate_batch(items.len(), &mut Random) {
            Ok(keys) => keys.into_iter().map(Ok).collect(),
            Err(_) => items.iter().map(|item| Self::one(item)).collect(),
        }
    }
}

/// A new key and the secret it shares with a peer's: the server's part.
struct Answer<K>(PhantomData<fn(K)>);

impl<K> Operation for Answer<K>
where
    K: KeyAgreement<PublicKey: Clone + 'static, SharedSecret: 'static> + 'static,
{
    type Item = K::PublicKey;
    type Output = Result<(Secret<K::SharedSecret>, K::PublicKey), CryptoError>;

    fn one(peer: &Self::Item) -> Self::Output {
        let key = K::generate(&mut Random)?;
        Ok((key.agree(peer)?, key.public_key()))
    }

    fn many(peers: &[&Self::Item]) -> Vec<Self::Output> {
        let Ok(keys) = K::generate_batch(peers.len(), &mut Random) else {
            return peers.iter().map(|peer| Self::one(peer)).collect();
        };
        let pairs: Vec<_> = keys
            .iter()
            .zip(peers)
            .map(|(key, peer)| (key, *peer))
            .collect();
        let secrets = K::agree_batch(&pairs).into_iter();
        let answer =
            |(secret, key): (Result<_, _>, &K)| secret.map(|secret| (secret, key.public_key()));
        secrets.zip(&keys).map(answer).collect()
    }
}

macro_rules! curves {
    ($($module:ident: $name:ident, $peer:ident, $len:literal, $encode:ident;)*) => { $(
        crate::batching::batchers! { Keygen<$module::PrivateKey> Answer<$module::PrivateKey> }

        struct $name(Arc<$module::PrivateKey>);

        impl Exchange for $name {
            as_one!($module::PrivateKey);

            fn new() -> Result<Self, CryptoError> {
                Ok($name(Arc::new(gathered::<Keygen<$module::PrivateKey>>(())?)))
            }
            fn complete(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                let item = (Arc::clone(&self.0), $peer(peer, $len)?);
                Ok(shared(&*gathered::<Agree<$module::PrivateKey>>(item)?))
            }
            fn answer(peer: &[u8]) -> Result<(SharedSecret, Vec<u8>), CryptoError> {
                let (secret, public) = gathered::<Answer<$module::PrivateKey>>($peer(peer, $len)?)?;
                Ok((shared(&*secret), public.$encode().to_vec()))
            }
        }
    )* };
}

curves! {
    x25519: X25519, share_x25519, 32, to_bytes;
    x448: X448, share_x448, 56, to_bytes;
    p256: P256, point, 65, to_sec1;
    p384: P384, point, 97, to_sec1;
    p521: P521, point, 133, to_sec1;
}

macro_rules! hybrids {
    ($($module:ident: $name:ident;)*) => { $(
        struct $name(Arc<$module::DecapsulationKey>);

        impl Exchange for $name {
            as_one!($module::DecapsulationKey);

            fn new() -> Result<Self, CryptoError> {
                Ok($name(Arc::new(Exchange::new()?)))
            }
            fn complete(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                let item = (Arc::clone(&self.0), Box::new(*exactly(peer)?));
                Ok(shared(gathered::<Decapsulate<$module::Hybrid>>(item)?.as_ref()))
            }
            fn complete_curve(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                self.0.complete_curve(peer)
            }
            fn answer(peer: &[u8]) -> Result<(SharedSecret, Vec<u8>), CryptoError> {
                let key = $module::EncapsulationKey::try_from(peer)?;
                let (share, secret) = gathered::<Encapsulate<$module::Hybrid>>(Arc::new(key))?;
                Ok((shared(secret.as_ref()), share.to_vec()))
            }
        }
    )* };
}

hybrids! {
    x25519mlkem768: X25519MlKem768;
    secp256r1mlkem768: Secp256r1MlKem768;
    secp384r1mlkem1024: Secp384r1MlKem1024;
}

/// The groups.
static GROUPS: &[&dyn SupportedKxGroup] = &[
    &Group::<X25519MlKem768>(PhantomData),
    &Group::<X25519>(PhantomData),
    &Group::<P256>(PhantomData),
    &Group::<P384>(PhantomData),
    &Group::<Secp256r1MlKem768>(PhantomData),
    &Group::<Secp384r1MlKem1024>(PhantomData),
    &Group::<P521>(PhantomData),
    &Group::<X448>(PhantomData),
];

/// The group of this name.
pub(crate) fn batched(name: NamedGroup) -> Option<&'static dyn SupportedKxGroup> {
    GROUPS.iter().copied().find(|group| group.name() == name)
}
