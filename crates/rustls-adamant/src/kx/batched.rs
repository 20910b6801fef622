//! The groups for many handshakes at once: see [`with_batching`](crate::with_batching).

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use adamant::batcher::{self, Operation};
use adamant::ec::{p256, p384, p521, x448, x25519};
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

macro_rules! curves {
    ($($module:ident: $name:ident, $keygen:ident, $answer:ident, $derive:ident, $peer:ident,
        $len:literal, $encode:ident, $secret:literal;)*) => { $(
        /// New keys.
        enum $keygen {}

        impl Operation for $keygen {
            type Item = ();
            type Output = Result<$module::PrivateKey, CryptoError>;

            fn one((): &()) -> Self::Output {
                $module::PrivateKey::generate(&mut Random)
            }

            fn many(items: &[&()]) -> Vec<Self::Output> {
                match $module::keygen_batch(items.len(), &mut Random) {
                    Ok(keys) => keys.into_iter().map(Ok).collect(),
                    Err(_) => items.iter().map(|item| Self::one(item)).collect(),
                }
            }
        }

        /// A new key and the secret it shares with a peer's: the server's part.
        enum $answer {}

        impl Operation for $answer {
            type Item = $module::PublicKey;
            type Output = Result<(Secret<[u8; $secret]>, $module::PublicKey), CryptoError>;

            fn one(peer: &Self::Item) -> Self::Output {
                let key = $module::PrivateKey::generate(&mut Random)?;
                Ok((key.agree(peer)?, key.public_key()))
            }

            fn many(peers: &[&Self::Item]) -> Vec<Self::Output> {
                let Ok(keys) = $module::keygen_batch(peers.len(), &mut Random) else {
                    return peers.iter().map(|peer| Self::one(peer)).collect();
                };
                let pairs: Vec<_> = keys.iter().zip(peers).map(|(key, peer)| (key, *peer)).collect();
                let mut secrets: Vec<_> =
                    pairs.iter().map(|_| Err(CryptoError::BadPublicKey)).collect();
                $module::agree_batch(&pairs, &mut secrets).expect("as many places");
                let answer = |(secret, key): (Result<_, _>, &$module::PrivateKey)| {
                    secret.map(|secret| (secret, key.public_key()))
                };
                secrets.into_iter().zip(&keys).map(answer).collect()
            }
        }

        crate::batching::batchers! { $keygen $answer }

        struct $name(Arc<$module::PrivateKey>);

        impl Exchange for $name {
            as_one!($module::PrivateKey);

            fn new() -> Result<Self, CryptoError> {
                Ok($name(Arc::new(gathered::<$keygen>(())?)))
            }
            fn complete(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                let item = (Arc::clone(&self.0), $peer(peer, $len)?);
                Ok(shared(&*gathered::<batcher::$derive>(item)?))
            }
            fn answer(peer: &[u8]) -> Result<(SharedSecret, Vec<u8>), CryptoError> {
                let (secret, public) = gathered::<$answer>($peer(peer, $len)?)?;
                Ok((shared(&*secret), public.$encode().to_vec()))
            }
        }
    )* };
}

curves! {
    x25519: X25519, X25519Keygen, X25519Answer, X25519Derive, share_x25519, 32, to_bytes, 32;
    x448: X448, X448Keygen, X448Answer, X448Derive, share_x448, 56, to_bytes, 56;
    p256: P256, P256Keygen, P256Answer, P256Derive, point, 65, to_sec1, 32;
    p384: P384, P384Keygen, P384Answer, P384Derive, point, 97, to_sec1, 48;
    p521: P521, P521Keygen, P521Answer, P521Derive, point, 133, to_sec1, 66;
}

macro_rules! hybrids {
    ($($module:ident: $name:ident, $encapsulate:ident, $decapsulate:ident;)*) => { $(
        struct $name(Arc<$module::DecapsulationKey>);

        impl Exchange for $name {
            as_one!($module::DecapsulationKey);

            fn new() -> Result<Self, CryptoError> {
                Ok($name(Arc::new(Exchange::new()?)))
            }
            fn complete(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                let ciphertext = peer.try_into().map_err(|_| CryptoError::BadPublicKey)?;
                let item = (Arc::clone(&self.0), Box::new(ciphertext));
                Ok(shared(gathered::<batcher::$decapsulate>(item)?.as_ref()))
            }
            fn complete_curve(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                self.0.complete_curve(peer)
            }
            fn answer(peer: &[u8]) -> Result<(SharedSecret, Vec<u8>), CryptoError> {
                let key = $module::EncapsulationKey::from_bytes(peer)?;
                let (secret, share) = gathered::<batcher::$encapsulate>(Arc::new(key))?;
                Ok((shared(secret.as_ref()), share.to_vec()))
            }
        }
    )* };
}

hybrids! {
    x25519mlkem768: X25519MlKem768, X25519MlKem768Encapsulate, X25519MlKem768Decapsulate;
    secp256r1mlkem768:
        Secp256r1MlKem768, Secp256r1MlKem768Encapsulate, Secp256r1MlKem768Decapsulate;
    secp384r1mlkem1024:
        Secp384r1MlKem1024, Secp384r1MlKem1024Encapsulate, Secp384r1MlKem1024Decapsulate;
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
