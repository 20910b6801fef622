//! Floor 0 of adamant: what every algorithm is built on.
//!
//! | module | holds |
//! |---|---|
//! | [`cpu`] | the CPU's features, detected once; recorded profiles of well-known CPUs |
//! | [`backends!`] | the table of implementations of one operation |
//! | [`simd`] | safe loads and stores of vector registers |
//! | [`ct`] | constant-time choices, mask barriers, secrecy marks |
//! | `lazy` | values made at first use (feature `alloc`) |
//! | `memory` | memory on huge pages, or on pages that no core dump has; wiped when dropped (feature `alloc`) |
//! | `process` | whether this process came out of a fork or a snapshot, its core, its core dumps (feature `std`) |
//! | `random` | generators of `rand_core` (feature `rand_core`) |
//! | [`shared`] | values with several owners |
//! | [`secret`] | values that are wiped when dropped |
//! | [`error`] | the one error type of the primitives |
//! | [`schemes!`] | the list of the schemes that sign, agree and encapsulate |
//! | [`hashes!`], [`aeads!`] | those of the hashes and of the AEADs |
//! | [`family`] | traits: hash, XOF, MAC, block cipher, AEAD, KEM, key agreement, signer, verifier, generator |
//! | [`hazmat`] | traits: what takes a computation to make, on an implementation of the caller's choice |
//!
//! Most `unsafe` code of the primitives is in this crate, and each block says why it is sound; CONTRIBUTING.md
//! lists the other places.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod backends;
pub mod cpu;
pub mod ct;
pub mod error;
pub mod family;
pub mod hazmat;
#[cfg(feature = "std")]
mod io;
#[cfg(feature = "alloc")]
pub mod lazy;
#[cfg(feature = "alloc")]
pub mod memory;
mod own;
#[cfg(feature = "std")]
pub mod process;
#[cfg(feature = "rand_core")]
pub mod random;
mod schemes;
pub mod secret;
pub mod shared;
pub mod simd;
#[doc(hidden)] // What macros expand to has to be reachable in other crates.
pub mod support;
mod symmetric;

pub use backends::Implementation;
pub use error::{Error, exactly, same_length};
pub use family::{Aead, Block, BlockCipher, Rng};
pub use secret::{Secret, Wipe};
#[cfg(feature = "alloc")]
pub use secret::{SecretBytes, SecretVec};
