//! The library that the program was built with.

#[cfg(feature = "adamant")]
#[path = "adamant.rs"]
mod library;
#[cfg(feature = "dalek")]
#[path = "dalek.rs"]
mod library;
#[cfg(feature = "libsodium")]
#[path = "libsodium.rs"]
mod library;

#[allow(unused_imports)] // The name is for those who print.
pub(crate) use library::{Keys, NAME};
