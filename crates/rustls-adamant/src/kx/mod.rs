//! Key exchange: the groups.

mod classic;
mod hybrid;

use rustls::crypto::{SharedSecret, SupportedKxGroup};
use rustls::{Error, PeerMisbehaved};

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

/// A failure of the own side.
fn own(error: adamant::Error) -> Error {
    match error {
        adamant::Error::NoEntropy => Error::FailedToGetRandomBytes,
        error => Error::General(error.to_string()),
    }
}

/// A failure that the peer's share caused.
fn theirs(error: adamant::Error) -> Error {
    match error {
        adamant::Error::NoEntropy => Error::FailedToGetRandomBytes,
        _ => PeerMisbehaved::InvalidKeyShare.into(),
    }
}

fn shared(secret: &[u8]) -> SharedSecret {
    SharedSecret::from(secret)
}
