//! Key exchange: the groups.

#[cfg(feature = "batching")]
mod batched;
mod classic;
mod hybrid;

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use adamant::Error as CryptoError;
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion};

#[cfg(feature = "batching")]
pub(crate) use batched::batched;
pub use classic::{CURVE_SM2, SECP256R1, SECP384R1, SECP521R1, X448, X25519};
pub use hybrid::{SECP256R1MLKEM768, SECP384R1MLKEM1024, X25519MLKEM768};

/// The groups of [`default_provider`](crate::default_provider), in its order: a client sends a
/// share for the first, and with it one for its classic half.
pub static DEFAULT_KX_GROUPS: &[&dyn SupportedKxGroup] = &[
    X25519MLKEM768,
    X25519,
    SECP256R1,
    SECP384R1,
    SECP256R1MLKEM768,
    SECP384R1MLKEM1024,
    SECP521R1,
    X448,
];

/// The groups of [`sm_provider`](crate::sm_provider).
pub static SM_KX_GROUPS: &[&dyn SupportedKxGroup] = &[CURVE_SM2];

/// A private key for one exchange; that of the client, where the sides differ.
trait Exchange: Send + Sync + Sized + 'static {
    const NAME: NamedGroup;
    /// Whether TLS 1.2 has the group.
    const TLS12: bool;
    /// Of a hybrid, the curve and where its share lies in the client's.
    const CURVE: Option<(NamedGroup, Range<usize>)> = None;
    /// The share that travels.
    type Share: AsRef<[u8]> + Send + Sync;

    fn new() -> Result<Self, CryptoError>;
    fn share(&self) -> Self::Share;
    /// The secret shared with the peer.
    fn complete(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError>;
    /// Only the secret of the curve.
    fn complete_curve(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
        self.complete(peer)
    }
    /// The server's secret and share.
    fn answer(peer: &[u8]) -> Result<(SharedSecret, Vec<u8>), CryptoError> {
        let key = Self::new()?;
        Ok((key.complete(peer)?, key.share().as_ref().to_vec()))
    }
}

/// A group.
struct Group<K>(PhantomData<fn() -> K>);

/// An own key, and its share.
struct Started<K: Exchange> {
    key: K,
    share: K::Share,
}

impl<K: Exchange> fmt::Debug for Group<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        K::NAME.fmt(f)
    }
}

impl<K: Exchange> SupportedKxGroup for Group<K> {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let key = K::new().map_err(|error| match error {
            CryptoError::NoEntropy => Error::FailedToGetRandomBytes,
            error => Error::General(error.to_string()),
        })?;
        let share = key.share();
        Ok(Box::new(Started { key, share }))
    }

    fn start_and_complete(&self, peer_pub_key: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let (secret, pub_key) = K::answer(peer_pub_key).map_err(refused)?;
        Ok(CompletedKeyExchange {
            group: K::NAME,
            pub_key,
            secret,
        })
    }

    fn name(&self) -> NamedGroup {
        K::NAME
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        K::TLS12 || version == ProtocolVersion::TLSv1_3
    }
}

impl<K: Exchange> ActiveKeyExchange for Started<K> {
    fn complete(self: Box<Self>, peer_pub_key: &[u8]) -> Result<SharedSecret, Error> {
        self.key.complete(peer_pub_key).map_err(refused)
    }

    fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
        let (curve, place) = K::CURVE?;
        Some((curve, &self.share.as_ref()[place]))
    }

    fn complete_hybrid_component(
        self: Box<Self>,
        peer_pub_key: &[u8],
    ) -> Result<SharedSecret, Error> {
        self.key.complete_curve(peer_pub_key).map_err(refused)
    }

    fn pub_key(&self) -> &[u8] {
        self.share.as_ref()
    }

    fn group(&self) -> NamedGroup {
        K::NAME
    }
}

/// A failure that the peer's share caused, but for want of randomness.
fn refused(error: CryptoError) -> Error {
    match error {
        CryptoError::NoEntropy => Error::FailedToGetRandomBytes,
        _ => PeerMisbehaved::InvalidKeyShare.into(),
    }
}

fn shared(secret: &[u8]) -> SharedSecret {
    SharedSecret::from(secret)
}
