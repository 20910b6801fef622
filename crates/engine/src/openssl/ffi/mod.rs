//! OpenSSL's `libcrypto`, loaded at run time: [`load`] finds it, [`functions`] declares what it has, the
//! other modules wrap that safely on what [`evp`] and [`params`] give.
//!
//! This is the one place of the crate with `unsafe` code: functions of a library that is found
//! while the program runs have no other way in. The declarations follow OpenSSL's manual pages;
//! what has to be there exists in 1.1.1 already, what came later may be absent.
#![allow(unsafe_code)]

pub(super) mod cipher;
mod evp;
mod functions;
pub(super) mod keys;
mod load;
mod memory;
pub(super) mod messages;
pub(super) mod numbers;
pub(super) mod params;
pub(super) mod symmetric;
pub(super) mod x509;

pub use load::Libcrypto;
