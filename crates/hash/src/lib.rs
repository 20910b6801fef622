//! Hashes, MACs and key derivation.
//!
//! ```
//! use adamant_hash::{Hmac, Sha256};
//! let digest = Sha256::digest(b"abc");
//! assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
//! let tag = Hmac::<Sha256>::mac(b"key", b"message");
//! assert_ne!(tag, digest);
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`sha256`] | SHA-256 and SHA-224 (FIPS 180-4) |
//! | [`sha512`] | SHA-512, SHA-384 and SHA-512/256 (FIPS 180-4) |
//! | [`sha3`] | SHA-3, SHAKE (FIPS 202), cSHAKE (SP 800-185) and TurboSHAKE (RFC 9861) |
//! | [`sm3`] | SM3 (GB/T 32905) |
//! | [`blake2b`], [`blake2s`] | BLAKE2b and BLAKE2s, keyed too (RFC 7693) |
//! | [`blake3`] | BLAKE3: hash, keyed hash, key derivation, output of any length |
//! | [`sha1`], [`md5`] | SHA-1 (FIPS 180-4) and MD5 (RFC 1321), both legacy |
//! | [`hmac`] | HMAC over any hash (RFC 2104) |
//! | [`HmacDrbg`] | HMAC_DRBG over any hash: random bytes from a seed (SP 800-90A) |
//! | [`kmac`] | KMAC and KMACXOF (SP 800-185) |
//! | [`siphash`] | SipHash-2-4, SipHash-1-3 (Aumasson and Bernstein) |
//! | [`hkdf`] | HKDF over any hash (RFC 5869) |
//! | [`pbkdf2`] | PBKDF2 over any hash (RFC 8018) |
//! | `scrypt` | scrypt (RFC 7914) |
//! | `argon2` | Argon2id, Argon2i and Argon2d (RFC 9106) |
//! | [`x963`] | the KDF of ANSI X9.63 over any hash (SEC 1) |
//! | [`sp800_108`] | KDF in counter mode with HMAC (SP 800-108) |
//! | [`tls_prf`] | the pseudorandom function of TLS 1.2 (RFC 5246) |
//! | [`hazmat`] | implementations by name; compression functions and permutations, and lanes of them |
//!
//! With the feature `std`, hashes and MACs are `std::io::Write`: `std::io::copy` hashes a file.
//!
//! | feature | brings, beside SHA-2 and what is over any hash |
//! |---|---|
//! | `sha3` | [`sha3`], [`kmac`] |
//! | `blake` | [`blake2b`], [`blake2s`], [`blake3`] |
//! | `sm3` | [`sm3`] |
//! | `legacy` | [`sha1`], [`md5`] |
//! | `password` | `scrypt` and `argon2`, which need memory: of the heap (`alloc`) or the caller's |
//! | `own` | compression functions of one's own ([`hazmat`]) |
//!
//! Nothing here branches on the bytes of a message or key, or uses them as an index, except scrypt,
//! Argon2d and Argon2id, which are made to; lengths are public. Hash states are wiped when dropped.
#![cfg_attr(not(test), no_std)]
// Code that several of them share is unused without them.
#![cfg_attr(
    not(all(
        feature = "std",
        feature = "sha3",
        feature = "blake",
        feature = "sm3",
        feature = "legacy",
        feature = "password"
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "password")]
pub mod argon2;
#[cfg(feature = "blake")]
mod blake2;
#[cfg(feature = "blake")]
pub mod blake2b;
#[cfg(feature = "blake")]
pub mod blake2s;
#[cfg(feature = "blake")]
pub mod blake3;
#[cfg(test)]
mod boundaries;
mod hasher;
pub mod hazmat;
pub mod hkdf;
pub mod hmac;
mod hmac_drbg;
#[cfg(feature = "std")]
mod io;
#[cfg(feature = "sha3")]
mod keccak;
#[cfg(feature = "sha3")]
pub mod kmac;
mod lanes;
#[cfg(feature = "legacy")]
pub mod md5;
mod merkle_damgard;
#[cfg(test)]
mod monte_carlo;
#[cfg(all(feature = "own", feature = "alloc"))]
mod own;
pub mod pbkdf2;
#[cfg(test)]
mod reference;
mod roots;
#[cfg(feature = "password")]
pub mod scrypt;
#[cfg(feature = "legacy")]
pub mod sha1;
pub mod sha256;
#[cfg(target_arch = "aarch64")]
mod sha2_neon;
#[cfg(feature = "sha3")]
pub mod sha3;
pub mod sha512;
pub mod siphash;
#[cfg(feature = "sm3")]
pub mod sm3;
pub mod sp800_108;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(
        feature = "lab",
        not(any(target_has_atomic = "ptr", feature = "small"))
    )
))]
mod thumb;
pub mod tls_prf;
mod word64;
pub mod x963;

#[cfg(feature = "blake")]
pub use blake2b::Blake2b;
#[cfg(feature = "blake")]
pub use blake2s::Blake2s;
#[cfg(feature = "blake")]
pub use blake3::Blake3;
pub use hmac::Hmac;
pub use hmac_drbg::HmacDrbg;
#[cfg(feature = "sha3")]
pub use kmac::{Kmac128, Kmac256};
#[cfg(feature = "legacy")]
pub use md5::Md5;
#[cfg(feature = "legacy")]
pub use sha1::Sha1;
#[cfg(feature = "sha3")]
pub use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};
pub use sha256::{Sha224, Sha256};
pub use sha512::{Sha384, Sha512, Sha512_256};
#[cfg(feature = "sm3")]
pub use sm3::Sm3;
