//! A certification authority as OpenSSL makes one: keys, certificates, lists and responses by its
//! own encoders, parsers and signatures.
//!
//! Of the ways that its manual shows, those are taken that cost least for many items: names,
//! times, extensions and the identifier of the issuer are made once for an authority, and what
//! was parsed of a key stays so. The signed part by itself, without a signature, comes from a
//! template: an item without entries, signed once and decoded for each.

mod authority;
pub(super) mod functions;
mod signing;
mod verifier;

use std::ffi::c_int;

use super::evp::{Owned, to_der};
use super::keys::Key;
use super::load::Libcrypto;

pub use authority::Authority;
pub(in super::super) use authority::request;
use functions::Functions;
pub(in super::super) use signing::Signing;
pub use verifier::{Item, Verifier};

/// A private key, or only its public part.
pub struct PrivateKey(pub(in super::super) Key);

// SAFETY: OpenSSL's keys may be used by several threads at once as long as none changes them, and
// after their making nothing here does.
unsafe impl Send for PrivateKey {}
// SAFETY: as above.
unsafe impl Sync for PrivateKey {}

impl PrivateKey {
    /// The public key as SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// A sentence where the library fails, or has no certificates.
    pub fn spki(&self) -> Result<Vec<u8>, String> {
        let encode = functions(self.0.lib)?.i2d_PUBKEY;
        // SAFETY: the key is valid, and this is a function of its type.
        unsafe { to_der(self.0.lib, "i2d_PUBKEY", self.0.key.get(), encode) }
    }

    /// Reads a private key in PKCS #8 or its type's own DER.
    ///
    /// # Errors
    /// A sentence where the library cannot read it.
    pub fn from_der(lib: Libcrypto, der: &[u8]) -> Result<Self, String> {
        Key::private_der(lib, der).map(PrivateKey)
    }

    /// The private key in PKCS #8.
    ///
    /// # Errors
    /// A sentence where the library fails, or has no certificates.
    pub fn to_pkcs8(&self) -> Result<Vec<u8>, String> {
        let (lib, f) = (self.0.lib, functions(self.0.lib)?);
        // SAFETY: the key is valid.
        let info = unsafe { (f.EVP_PKEY2PKCS8)(self.0.key.get()) };
        let info = own(lib, "EVP_PKEY2PKCS8", info, f.PKCS8_PRIV_KEY_INFO_free)?;
        let call = "i2d_PKCS8_PRIV_KEY_INFO";
        // SAFETY: what was made is valid, and this is a function of its type.
        unsafe { to_der(lib, call, info.get(), f.i2d_PKCS8_PRIV_KEY_INFO) }
    }
}

/// The functions of this folder.
fn functions(lib: Libcrypto) -> Result<&'static Functions, String> {
    lib.x509
        .ok_or_else(|| "this OpenSSL lacks functions for certificates".into())
}

/// Takes over what a call made.
fn own<T>(
    lib: Libcrypto,
    call: &str,
    made: *mut T,
    free: unsafe extern "C" fn(*mut T),
) -> Result<Owned<T>, String> {
    Owned::new(made, free).ok_or_else(|| lib.failure(call))
}

/// Of calls that give a length, or the size of what they made.
fn positive(lib: Libcrypto, call: &str, result: c_int) -> Result<(), String> {
    super::evp::ok(lib, call, c_int::from(result > 0))
}
