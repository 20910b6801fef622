//! Keys for two: hybrid KEMs, which hold as long as one of their halves does, and HPKE, public key
//! encryption of messages.
//!
//! | module | holds |
//! |---|---|
//! | [`tls`] | X25519MLKEM768, SecP256r1MLKEM768, SecP384r1MLKEM1024: the hybrid groups of TLS 1.3 |
//! | [`x_wing`] | X-Wing: X25519 and ML-KEM-768 as one KEM |
//! | [`hpke`] | hybrid public key encryption (RFC 9180) |

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod classic;
pub mod hpke;
pub mod tls;
pub mod x_wing;
