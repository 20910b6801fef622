//! Elliptic curves: ECDSA, ECDH, Ed25519, X25519, Ed448 and X448.
//!
//! Without the feature `alloc` no allocator is linked: what then lacks is batches into vectors, SM2, points
//! and Ristretto, and the multiples of the base point that ECDSA and ECDH otherwise compute once.
#![cfg_attr(not(test), no_std)]
// Without detection the tables have no rows for most implementations, and small ones have one.
#![cfg_attr(
    any(not(feature = "std"), feature = "small"),
    allow(dead_code, unused_imports, unused_macros)
)]

#[cfg(feature = "alloc")]
extern crate alloc;

// Assembly is text before names are looked up.
#[cfg(target_arch = "aarch64")]
#[macro_use]
mod arm_words;
mod chain;
pub mod curve25519;
#[cfg(feature = "curve448")]
pub mod curve448;
mod eddsa;
#[cfg(test)]
mod files;
pub mod hazmat;
#[cfg(any(feature = "weierstrass", target_arch = "aarch64"))]
mod invert;
mod limbs;
#[cfg(feature = "own")]
mod own;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    not(feature = "small"),
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
mod thumb_words;
#[cfg(feature = "weierstrass")]
pub mod weierstrass;
mod xdh;

#[cfg(feature = "curve448")]
pub use curve448::{ed448, x448};
pub use curve25519::{ed25519, x25519};
#[cfg(all(feature = "weierstrass", feature = "alloc"))]
pub use weierstrass::sm2;
#[cfg(feature = "weierstrass")]
pub use weierstrass::sm2p256v1;

/// The curves of the list of the schemes.
#[cfg(feature = "weierstrass")]
macro_rules! curves {
    (curves { $({ $feature:tt $curve:ident $module:ident $($_c:tt)* })* } $($_groups:tt)*) => {
        pub use weierstrass::{$($module),*};
    };
}
#[cfg(feature = "weierstrass")]
adamant_base::schemes!(curves);
