//! Hybrids of a curve and ML-KEM (draft-ietf-tls-ecdhe-mlkem): only TLS 1.3.
//!
//! A client whose server knows only the curve goes on with the curve's half of its key: rustls
//! sends that half as a share of its own.

use std::marker::PhantomData;
use std::ops::Range;

use adamant::Error as CryptoError;
use adamant::hazmat::base::exactly;
use adamant::hybrid::tls;
use rustls::NamedGroup;
use rustls::crypto::{SharedSecret, SupportedKxGroup};

use super::classic::{point, x25519};
use super::{Exchange, Group, shared};
use crate::random::Random;

macro_rules! hybrids {
    ($($module:ident: $name:expr, $classic:expr, $place:expr, $peer:ident;)*) => { $(
        impl Exchange for tls::$module::DecapsulationKey {
            const NAME: NamedGroup = $name;
            const TLS12: bool = false;
            const CURVE: Option<(NamedGroup, Range<usize>)> = Some(($classic, $place));
            type Share = [u8; tls::$module::ENCAPSULATION_KEY_LEN];

            fn new() -> Result<Self, CryptoError> {
                Self::generate(&mut Random)
            }
            fn share(&self) -> Self::Share {
                self.encapsulation_key().to_bytes()
            }
            fn complete(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                let ciphertext = exactly(peer)?;
                Ok(shared(self.decapsulate(ciphertext)?.as_ref()))
            }
            fn complete_curve(&self, peer: &[u8]) -> Result<SharedSecret, CryptoError> {
                let peer = $peer(peer, $place.len())?;
                Ok(shared(&*self.classic().agree(&peer)?))
            }
            fn answer(peer: &[u8]) -> Result<(SharedSecret, Vec<u8>), CryptoError> {
                let key = tls::$module::EncapsulationKey::try_from(peer)?;
                let (share, secret) = key.encapsulate(&mut Random)?;
                Ok((shared(secret.as_ref()), share.to_vec()))
            }
        }
    )* };
}

hybrids! {
    x25519mlkem768: NamedGroup::X25519MLKEM768, NamedGroup::X25519, 1184..1216, x25519;
    secp256r1mlkem768: NamedGroup::secp256r1MLKEM768, NamedGroup::secp256r1, 0..65, point;
    secp384r1mlkem1024: NamedGroup::Unknown(0x11ed), NamedGroup::secp384r1, 0..97, point;
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
