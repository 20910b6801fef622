//! OpenSSL, with its own encoders, parsers and keys.

use std::ops::Range;
use std::path::Path;

use adamant::der::Time;
use adamant_engine::openssl::Libcrypto;
use adamant_engine::openssl::authority::{self as library, Item, PrivateKey, Scheme};

use super::{Blobs, Fault, Toolkit, verify_each};
use crate::profile::{facts, host, number};
use crate::store::Kind;
use crate::{Algorithm, Error, Result};

/// OpenSSL from version 3.0 on, loaded at run time, or built into the program (the feature
/// `openssl-vendored`).
///
/// Certificates, lists and responses are built, encoded, signed, read and verified only by
/// its functions; it allocates where the program does.
pub struct OpenSsl {
    lib: Libcrypto,
    name: String,
}

impl OpenSsl {
    /// The library at `path`; without one, that of the program, or else the first of the usual
    /// names that the system finds.
    ///
    /// # Errors
    /// [`Error::Library`] if there is none.
    pub fn load(path: Option<&Path>) -> Result<Self> {
        let lib = match path {
            #[cfg(feature = "openssl-vendored")]
            None => Libcrypto::linked_with_allocator(),
            _ => Libcrypto::load_with_allocator(path).map_err(Error::Library)?,
        };
        // "OpenSSL 4.0.3 25 Jan 2026"
        let version = lib.version();
        let number = version.split_whitespace().nth(1).unwrap_or_default();
        let name = format!("openssl {number}");
        Ok(OpenSsl { lib, name })
    }

    fn scheme(&self, algorithm: Algorithm) -> Result<Scheme> {
        Scheme::new(self.lib, algorithm.name()).map_err(Error::Library)
    }
}

impl Toolkit for OpenSsl {
    type Key = PrivateKey;
    type Authority = library::Authority;
    type Verifier = library::Verifier;

    fn name(&self) -> &str {
        &self.name
    }

    fn has(&self, algorithm: Algorithm) -> bool {
        self.scheme(algorithm).is_ok()
    }

    fn generate(&self, algorithm: Algorithm, count: usize) -> Result<Vec<PrivateKey>> {
        let scheme = self.scheme(algorithm)?;
        scheme.generate(count).map_err(Error::Library)
    }

    fn spki(&self, key: &PrivateKey) -> Result<Vec<u8>> {
        key.spki().map_err(Error::Library)
    }

    fn authority(
        &self,
        algorithm: Algorithm,
        key: PrivateKey,
        now: Time,
    ) -> Result<library::Authority> {
        let scheme = self.scheme(algorithm)?;
        scheme.authority(key, facts(now)).map_err(Error::Library)
    }

    fn self_sign(&self, authority: &mut library::Authority) -> Result<Vec<u8>> {
        authority.self_sign().map_err(Error::Library)
    }

    fn issue(
        &self,
        authority: &library::Authority,
        first: usize,
        keys: &[PrivateKey],
    ) -> Result<Blobs> {
        let made = (first..)
            .zip(keys)
            .map(|(item, key)| authority.issue(number(item), &host(item), key));
        made.collect::<Result<_, _>>().map_err(Error::Library)
    }

    fn crl_tbs(&self, authority: &library::Authority, batch: usize) -> Result<Vec<u8>> {
        let serials = (0..batch).map(number);
        authority.crl_tbs(serials).map_err(Error::Library)
    }

    fn crl(&self, authority: &library::Authority, batch: usize) -> Result<Vec<u8>> {
        authority
            .crl((0..batch).map(number))
            .map_err(Error::Library)
    }

    fn responses_tbs(&self, authority: &library::Authority, items: Range<usize>) -> Result<Blobs> {
        let made = authority.responses_tbs(items.map(number));
        made.map_err(Error::Library)
    }

    fn responses(&self, authority: &library::Authority, items: Range<usize>) -> Result<Blobs> {
        let made = authority.responses(items.map(number));
        made.map_err(Error::Library)
    }

    fn verifier(&self, algorithm: Algorithm, spki: &[u8]) -> Result<library::Verifier> {
        library::verifier(self.lib, algorithm.name(), spki).map_err(Error::Library)
    }

    fn verify(
        &self,
        verifier: &library::Verifier,
        kind: Kind,
        items: &[Vec<u8>],
    ) -> Result<Option<Fault>> {
        let item = match kind {
            Kind::Certificate => Item::Certificate,
            Kind::Crl => Item::Crl,
            Kind::OcspResponse => Item::Response,
        };
        verify_each(items, |der| verifier.verify(item, der))
    }
}
