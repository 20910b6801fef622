//! A toolkit that is built apart, such as that of `engines/synta-pki`.

use std::ops::Range;
use std::path::Path;

use adamant::der::Time;
use adamant_engine::toolkit::{Authority, Extent, Item, Key, Library, Verifier};

use super::{Blobs, Fault, Toolkit, verify_each};
use crate::profile::{facts, host, number};
use crate::store::Kind;
use crate::{Algorithm, Error, Result};

/// A library that is loaded at run time, whose documents are its own.
///
/// Each item is one call, and is copied when it is given; it allocates where it does.
pub struct Loaded {
    library: Library,
    name: String,
}

impl Loaded {
    /// The library in a file.
    ///
    /// # Errors
    /// [`Error::Library`] if there is none.
    pub fn load(path: &Path) -> Result<Self> {
        let library = Library::load(path).map_err(Error::Library)?;
        let name = library.name();
        Ok(Loaded { library, name })
    }
}

/// What a library makes, one after another.
fn all<T>(items: impl Iterator<Item = Result<T, String>>) -> Result<Vec<T>> {
    items.collect::<Result<_, _>>().map_err(Error::Library)
}

impl Toolkit for Loaded {
    type Key = Key;
    type Authority = Authority;
    type Verifier = Verifier;

    fn name(&self) -> &str {
        &self.name
    }

    fn has(&self, algorithm: Algorithm) -> bool {
        self.library.has(algorithm.name())
    }

    fn generate(&self, algorithm: Algorithm, count: usize) -> Result<Vec<Key>> {
        all((0..count).map(|_| self.library.generate(algorithm.name())))
    }

    fn spki(&self, key: &Key) -> Result<Vec<u8>> {
        key.spki().map_err(Error::Library)
    }

    fn authority(&self, algorithm: Algorithm, key: Key, now: Time) -> Result<Authority> {
        let made = self.library.authority(algorithm.name(), key, &facts(now));
        made.map_err(Error::Library)
    }

    fn self_sign(&self, authority: &mut Authority) -> Result<Vec<u8>> {
        authority.self_sign().map_err(Error::Library)
    }

    fn issue(&self, authority: &Authority, first: usize, keys: &[Key]) -> Result<Blobs> {
        let items = (first..).zip(keys);
        all(items.map(|(item, key)| authority.issue(number(item), &host(item), key)))
    }

    fn crl_tbs(&self, authority: &Authority, batch: usize) -> Result<Vec<u8>> {
        let made = authority.crl(batch as u64, Extent::Tbs);
        made.map_err(Error::Library)
    }

    fn crl(&self, authority: &Authority, batch: usize) -> Result<Vec<u8>> {
        let made = authority.crl(batch as u64, Extent::Signed);
        made.map_err(Error::Library)
    }

    fn responses_tbs(&self, authority: &Authority, items: Range<usize>) -> Result<Blobs> {
        all(items.map(|item| authority.response(number(item), Extent::Tbs)))
    }

    fn responses(&self, authority: &Authority, items: Range<usize>) -> Result<Blobs> {
        all(items.map(|item| authority.response(number(item), Extent::Signed)))
    }

    fn verifier(&self, _: Algorithm, spki: &[u8]) -> Result<Verifier> {
        self.library.verifier(spki).map_err(Error::Library)
    }

    fn verify(&self, verifier: &Verifier, kind: Kind, items: &[Vec<u8>]) -> Result<Option<Fault>> {
        let item = match kind {
            Kind::Certificate => Item::Certificate,
            Kind::Crl => Item::Crl,
            Kind::OcspResponse => Item::Response,
        };
        verify_each(items, |der| verifier.verify(item, der))
    }
}
