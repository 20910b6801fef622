//! Elliptic curves: ECDSA, ECDH, Ed25519 and X25519.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod weierstrass;

pub use weierstrass::p256;
