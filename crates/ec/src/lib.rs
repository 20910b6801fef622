//! Elliptic curves: ECDSA, ECDH, Ed25519 and X25519.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod curve25519;
pub mod weierstrass;

pub use curve25519::{ed25519, x25519};
pub use weierstrass::{
    brainpoolp256r1, brainpoolp384r1, brainpoolp512r1, p224, p256, p384, p521, secp256k1, sm2,
    sm2p256v1,
};
