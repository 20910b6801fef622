//! A certification authority: its rules, its stores, its servers.
//!
//! ```
//! use adamant_pki::{Adamant, Provider};
//! let keys = Adamant.generate_batch("ed25519".parse()?, 2)?;
//! let signatures = Adamant.sign_batch(&keys[0], &[b"first", b"second"])?;
//! assert_eq!(signatures.len(), 2);
//! # Ok::<(), adamant_pki::Error>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`ca`] | the certification authority |
//! | [`provider`] | the [`Provider`] trait: where keys live and signatures are made; [`Adamant`], this project's |
//! | `serve` | OCSP and lists over HTTP (feature `serve`) |
//! | [`store`] | its durable records: [`CaStore`](store::CaStore), in SQLite and PostgreSQL |
//! | `algorithm` | the algorithms of CA keys by name |
//!
//! Private keys stay in the provider's types; nothing else here touches a secret.

mod algorithm;
pub mod ca;
mod error;
pub mod provider;
#[cfg(feature = "serve")]
pub mod serve;
pub mod store;

pub use algorithm::Algorithm;
pub use error::{Error, Result};
pub use provider::{Adamant, Provider};
