//! The CA pipeline: providers of keys and signatures, stores, and fifteen measured stages from a
//! CA key to verified OCSP responses.
//!
//! ```
//! use adamant_pki::pipeline::{self, Options};
//! use adamant_pki::store::Sqlite;
//! use adamant_pki::Adamant;
//!
//! let options = Options {
//!     algorithms: vec!["ed25519".parse()?],
//!     sizes: vec![4],
//!     min_seconds: 0.0,
//!     ..Options::default()
//! };
//! let rows = pipeline::run(&Adamant, &mut Sqlite::in_memory()?, &options, &mut ())?;
//! let row = rows.iter().find(|row| row.stage == "cert_verify").unwrap();
//! assert_eq!(row.batch, 4);
//! # Ok::<(), adamant_pki::Error>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`ca`] | a certification authority that a person runs |
//! | [`pipeline`] | the stages, how they are run and timed, the [`Row`](pipeline::Row)s that come out |
//! | [`provider`] | the [`Provider`] trait: where keys live and signatures are made; [`Adamant`], this project's; libraries that also encode ([`Toolkit`](provider::Toolkit)) |
//! | `serve` | OCSP and lists over HTTP (feature `serve`) |
//! | [`store`] | the [`Store`](store::Store) trait; [`Sqlite`](store::Sqlite); the [store of a CA](store::ca) |
//! | `algorithm` | the algorithms of CA keys by name |
//!
//! Private keys stay in the provider's types; nothing else here touches a secret.

mod algorithm;
pub mod ca;
mod error;
pub mod pipeline;
pub mod provider;
#[cfg(feature = "serve")]
pub mod serve;
pub mod store;

pub use algorithm::Algorithm;
pub use error::{Error, Result};
pub use provider::{Adamant, Provider};
