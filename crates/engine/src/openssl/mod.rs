//! The engine of OpenSSL: of the one found on the machine, loaded at run time (`openssl-system`),
//! or of one that the program is linked with.
//!
//! It uses OpenSSL as a well-written program does. Of the ways that its manual recommends, the
//! fastest was taken (measured on 3.0, nanoseconds for 64 bytes where there is a message):
//!
//! | operation | here | left aside |
//! |---|---|---|
//! | digest | a context used again, `EVP_DigestInit_ex` with a fetched digest: 133 | `EVP_Digest`: 179; `SHA256()`: 436; the deprecated `SHA256_Init`: 77 |
//! | HMAC | a context used again, `EVP_MAC_init` with the key it has: 273 | a copy of the context: 639; the deprecated `HMAC_Init_ex`: 230 |
//! | HKDF | a context used again, salt, key and info given each time: 2532 | digest given each time: 2823; the deprecated `EVP_PKEY_derive`: 4475 |
//! | cipher, AEAD | a context used again, `EVP_CipherInit_ex` with the nonce | |
//! | ECDSA, SM2, RSA | digest as above, then `EVP_PKEY_sign` on a context used again: 14600 | `EVP_DigestSign`: 14900 without and 15900 with its initialisation |
//! | ECDH, X25519, DH | `EVP_PKEY_derive` on a context that has its peer | |
//! | Ed25519, ML-DSA, SLH-DSA | `EVP_DigestSign` on a context used again | |
//! | ML-KEM | `EVP_PKEY_encapsulate` on a context used again | |
//! | key generation | `EVP_PKEY_keygen` on a context used again | |
//!
//! Keys are parsed, and peers' keys checked, outside the timing; `verify-encoded`,
//! `derive-encoded` and `encapsulate-encoded` start from the bytes of the public key. What a
//! version does not have is left out: 1.1.1 has no MAC and no key derivation of this interface,
//! those before 3.5 no ML-KEM, ML-DSA and SLH-DSA.

pub mod authority;
mod curves;
mod exchange;
mod ffi;
mod groups;
mod hashes;
mod keygen;
mod signatures;
mod symmetric;

use std::path::Path;

use crate::serve::Engine;

pub use self::ffi::Libcrypto;

/// The name of the engine of the OpenSSL found on the machine.
pub const NAME: &str = "openssl-system";

/// What the library of `openssl-vendored` was configured with.
#[cfg(feature = "openssl-vendored")]
pub const OPTIONS: &str = env!("OPENSSL_OPTIONS");

/// The engine of the library at `path`, or of the first that the system finds.
///
/// # Errors
/// A sentence if there is none.
pub fn engine(path: Option<&Path>) -> Result<Engine, String> {
    Ok(engine_of(NAME, Libcrypto::load(path)?, ""))
}

/// The engine of a library under a name; `options` are what it was configured with, which it
/// does not tell.
#[must_use]
pub fn engine_of(name: &str, lib: Libcrypto, options: &str) -> Engine {
    let told = [lib.build(), options.to_owned()];
    let build = told.iter().filter(|part| !part.is_empty());
    let build: Vec<_> = build.map(String::as_str).collect();
    let mut engine = Engine::new(name, &lib.version(), &build.join("; "));
    hashes::register(&mut engine, lib);
    symmetric::register(&mut engine, lib);
    signatures::register(&mut engine, lib);
    exchange::register(&mut engine, lib);
    groups::register(&mut engine, lib);
    engine
}

/// Room for what has a length of its own, and how much of it is used.
struct Buffer<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Buffer<N> {
    fn new() -> Self {
        Buffer {
            bytes: [0; N],
            len: 0,
        }
    }
    fn get(&self) -> &[u8] {
        &self.bytes[..self.len.min(N)]
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        match super::engine(None) {
            Ok(engine) => crate::answers::check(&engine).unwrap(),
            Err(why) => println!("skipped: {why}"),
        }
    }
}
