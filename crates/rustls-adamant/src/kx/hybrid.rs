//! Hybrids of a curve and ML-KEM (draft-ietf-tls-ecdhe-mlkem): TLS 1.3 alone.
//!
//! A client whose server knows the curve alone goes on with the curve's half of its key: rustls
//! sends that half as a share of its own.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use adamant::Error as CryptoError;
use adamant::ec::weierstrass;
use adamant::hybrid::tls;
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::{Error, NamedGroup, ProtocolVersion};

use super::{own, shared, theirs};
use crate::random::Random;

/// The client's key.
trait Exchange: Send + Sync + Sized + 'static {
    const NAME: NamedGroup;
    /// The curve, and where its share lies in the client's.
    const CLASSIC: NamedGroup;
    const PLACE: Range<usize>;
    type Share: AsRef<[u8]> + Send + Sync;

    fn new() -> Result<Self, CryptoError>;
    fn share(&self) -> Self::Share;
    fn decapsulate(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError>;
    fn agree(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError>;
    /// The server's part: its secret and its share.
    fn encapsulate(peer: &[u8]) -> Result<(SharedSecret, Vec<u8>), CryptoError>;
}

macro_rules! hybrids {
    ($($module:ident: $name:expr, $classic:expr, $place:expr, $peer:ident;)*) => { $(
        impl Exchange for tls::$module::DecapsulationKey {
            const NAME: NamedGroup = $name;
            const CLASSIC: NamedGroup = $classic;
            const PLACE: Range<usize> = $place;
            type Share = [u8; tls::$module::ENCAPSULATION_KEY_LEN];

            fn new() -> Result<Self, CryptoError> {
                Self::generate(&mut Random)
            }
            fn share(&self) -> Self::Share {
                self.encapsulation_key().to_bytes()
            }
            fn decapsulate(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                Ok(shared(tls::$module::DecapsulationKey::decapsulate(self, peer)?.as_ref()))
            }
            fn agree(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                let peer = $peer(peer, $place.len())?;
                Ok(shared(&*self.classic().agree(&peer)?))
            }
            fn encapsulate(peer: &[u8]) -> Result<(SharedSecret, Vec<u8>), CryptoError> {
                let key = tls::$module::EncapsulationKey::from_bytes(peer)?;
                let (secret, share) = key.encapsulate(&mut Random)?;
                Ok((shared(secret.as_ref()), share.to_vec()))
            }
        }
    )* };
}

/// The peer's share of X25519.
fn x25519(bytes: &[u8], _len: usize) -> Result<adamant::ec::x25519::PublicKey, CryptoError> {
    adamant::ec::x25519::PublicKey::from_bytes(bytes)
}

/// The peer's share on a curve: uncompressed points alone.
fn point<C: weierstrass::Curve<W>, const W: usize>(
    bytes: &[u8],
    len: usize,
) -> Result<weierstrass::PublicKey<C, W>, CryptoError> {
    if bytes.len() != len {
        return Err(CryptoError::BadPublicKey);
    }
    weierstrass::PublicKey::from_sec1(bytes)
}

hybrids! {
    x25519mlkem768: NamedGroup::X25519MLKEM768, NamedGroup::X25519, 1184..1216, x25519;
    secp256r1mlkem768: NamedGroup::secp256r1MLKEM768, NamedGroup::secp256r1, 0..65, point;
    secp384r1mlkem1024: NamedGroup::Unknown(0x11ed), NamedGroup::secp384r1, 0..97, point;
}

/// A group.
struct Group<K>(PhantomData<fn() -> K>);

/// The client's key and its share.
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
        let key = K::new().map_err(own)?;
        let share = key.share();
        Ok(Box::new(Started { key, share }))
    }

    fn start_and_complete(&self, peer_pub_key: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let (secret, pub_key) = K::encapsulate(peer_pub_key).map_err(theirs)?;
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
        version == ProtocolVersion::TLSv1_3
    }
}

impl<K: Exchange> ActiveKeyExchange for Started<K> {
    fn complete(self: Box<Self>, peer_pub_key: &[u8]) -> Result<SharedSecret, Error> {
        self.key.decapsulate(peer_pub_key).map_err(theirs)
    }

    fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
        Some((K::CLASSIC, &self.share.as_ref()[K::PLACE]))
    }

    fn complete_hybrid_component(
        self: Box<Self>,
        peer_pub_key: &[u8],
    ) -> Result<SharedSecret, Error> {
        self.key.agree(peer_pub_key).map_err(theirs)
    }

    fn pub_key(&self) -> &[u8] {
        self.share.as_ref()
    }

    fn group(&self) -> NamedGroup {
        K::NAME
    }
}

/// X25519MLKEM768: 0x11ec.
pub static X25519MLKEM768: &dyn SupportedKxGroup =
    &Group::<tls::x25519mlkem768::DecapsulationKey>(PhantomData);
/// SecP256r1MLKEM768: 0x11eb.
pub static SECP256R1MLKEM768: &dyn SupportedKxGroup =
    &Group::<tls::secp256r1mlkem768::DecapsulationKey>(PhantomData);
/// SecP384r1MLKEM1024: 0x11ed.
pub static SECP384R1MLKEM1024: &dyn SupportedKxGroup =
    &Group::<tls::secp384r1mlkem1024::DecapsulationKey>(PhantomData);
