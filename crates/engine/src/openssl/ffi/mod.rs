//! OpenSSL's `libcrypto`, loaded at run time: [`load`] finds it and holds its functions,
//! [`symmetric`], [`keys`] and [`messages`] wrap them safely on what [`evp`] gives.
//!
//! This is the one place of the crate with `unsafe` code: functions of a library that is found
//! while the program runs have no other way in. The declarations follow OpenSSL's manual pages;
//! what is asked for exists in 1.1.1 already, but for the MACs and key derivations of 3.0, which
//! may be absent.
#![allow(unsafe_code)]

mod evp;
pub(super) mod keys;
mod load;
pub(super) mod messages;
pub(super) mod symmetric;

pub use load::Libcrypto;
