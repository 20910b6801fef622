//! What an engine needs: the line protocol, and the half of it that every engine shares.
//!
//! An engine is a program that lets one library be measured. It depends only on this crate, so
//! that nothing of ours but the protocol is linked beside the rival.
//!
//! | module | holds |
//! |---|---|
//! | [`protocol`] | what the driver and an engine say to each other |
//! | [`buffers`] | where a message and what becomes of it lie |
//! | [`serve`] | the engine's side: bring the operations, this does the rest |
//! | [`answers`] | a test for every engine: known answers, and round trips |
//! | [`der`] | the encodings of keys and signatures, for libraries that know only numbers |
//! | [`family`] | which fields each family of operations takes and gives |
//! | [`op`] | operations made of closures, inputs read by name |
//! | [`stopwatch`] | the clock of every side, which others on the same core do not move |
//! | [`vectors`] | the state in which an operation finds the vector registers |
//! | `nss` | with the feature `nss`: the engine of NSS, loaded at run time |
//! | `openssl` | with the feature `openssl`: the engine of a libcrypto loaded at run time |
//! | `toolkit` | with the feature `toolkit`: a certification authority by a library loaded at run time |

use std::collections::BTreeMap;

pub mod answers;
pub mod buffers;
pub mod der;
pub mod family;
#[cfg(all(feature = "nss", unix))]
pub mod nss;
pub mod op;
#[cfg(feature = "openssl")]
pub mod openssl;
pub mod protocol;
pub mod serve;
pub mod stopwatch;
#[cfg(feature = "tls")]
pub mod tls;
#[cfg(feature = "toolkit")]
pub mod toolkit;
pub mod vectors;

/// The named byte strings of one item of a batch; keys travel encoded.
///
/// | name | holds |
/// |---|---|
/// | `message`, `digest`, `tag` | themselves |
/// | `key`, `ikm`, `salt`, `info`, `okm` | themselves; the last four as in RFC 5869 |
/// | `private_key` | the big-endian scalar for the curves in Weierstrass form, the 32-byte seed for Ed25519 and the 57-byte one for Ed448, the 32 or 56 bytes of RFC 7748 for X25519 and X448 |
/// | `public_key`, `peer_public_key`, `subscriber_public_key` | uncompressed SEC 1 for the curves in Weierstrass form, 32 bytes for Ed25519 and X25519, 57 and 56 for Ed448 and X448 |
/// | `signature` | DER for ECDSA, 64 bytes for Ed25519, 114 for Ed448 |
/// | `scalar`, `point` | as private and public keys |
/// | `shared_secret` | the x-coordinate for ECDH, the 32 or 56 bytes of X25519 and X448 |
/// | `valid` | one byte, 1 where a signature verifies, else 0 |
/// | `certificate`, `issuer`, `subject`, `spki` | DER |
/// | `serial` | the magnitude of a certificate's serial number, big-endian |
pub type Item = BTreeMap<String, Vec<u8>>;

/// The size of one measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Bytes of message or output; 0 where there is neither.
    pub bytes: usize,
    /// Items of a batch; 1 for single operations.
    pub batch: usize,
}
