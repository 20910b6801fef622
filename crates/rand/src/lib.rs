//! System entropy and a fast key-erasure generator.
//!
//! [`SystemRng`] asks the operating system each time. [`FastRng`] asks it for a seed and then
//! makes random bytes at the speed of ChaCha20.
#![cfg_attr(not(test), no_std)]

#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "fast")]
mod fast;
#[cfg(feature = "std")]
mod system;

#[cfg(feature = "fast")]
pub use fast::FastRng;
#[cfg(feature = "std")]
pub use system::SystemRng;
