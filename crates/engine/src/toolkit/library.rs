//! The side that loads a library and uses its objects.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::path::Path;

use super::functions::{ABI, Bytes, Functions, RawFacts, Sink};
use super::{Extent, Facts, Item};

/// A loaded toolkit, which stays for as long as the program runs.
#[derive(Clone, Copy)]
pub struct Library(&'static Functions);

/// A private key.
pub struct Key(Owned);

/// An authority with its key.
pub struct Authority(Owned);

/// A public key that is ready to verify.
pub struct Verifier(Owned);

/// An object of the library's, and what ends it.
struct Owned {
    object: *mut c_void,
    functions: &'static Functions,
    end: unsafe extern "C" fn(*mut c_void),
}

// SAFETY: `Toolkit` demands it of the objects.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the object is of this function's kind, and nothing follows.
        unsafe { (self.end)(self.object) };
    }
}

/// Appends what the library gives to the bytes at `to`.
unsafe extern "C" fn append(to: *mut c_void, bytes: Bytes) {
    // SAFETY: `collect` made it of its own bytes, and the library's are there for the call.
    unsafe { (*to.cast::<Vec<u8>>()).extend_from_slice(bytes.get()) };
}

/// What a call returns, and the bytes that it gave.
fn collect<T>(call: impl FnOnce(Sink) -> T) -> (T, Vec<u8>) {
    let mut bytes = Vec::new();
    let to = (&raw mut bytes).cast();
    let returned = call(Sink { to, give: append });
    (returned, bytes)
}

fn sentence(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The bytes of a call that tells whether it succeeded.
fn bytes(call: impl FnOnce(Sink) -> bool) -> Result<Vec<u8>, String> {
    match collect(call) {
        (true, bytes) => Ok(bytes),
        (false, bytes) => Err(sentence(&bytes)),
    }
}

impl Library {
    /// The toolkit in a file.
    ///
    /// # Errors
    /// A sentence if there is none, or one of another time.
    pub fn load(path: &Path) -> Result<Self, String> {
        let failed = |e: libloading::Error| format!("{}: {e}", path.display());
        // SAFETY: the file is said to be a toolkit; what it does when it is loaded is its own.
        let library = unsafe { libloading::Library::new(path) }.map_err(failed)?;
        // SAFETY: under this name a toolkit has its table.
        let table = unsafe { library.get::<*const Functions>(b"ADAMANT_TOOLKIT\0") };
        let table = *table.map_err(failed)?;
        // SAFETY: as above; the library is not unloaded.
        let functions = unsafe { &*table };
        std::mem::forget(library);
        match functions.abi {
            ABI => Ok(Library(functions)),
            other => Err(format!("a toolkit of form {other}, where {ABI} is known")),
        }
    }

    /// The name in reports.
    #[must_use]
    pub fn name(&self) -> String {
        // SAFETY: a function of the table, with a sink of here; so with all below, whose objects
        // came from the same table.
        let ((), name) = collect(|sink| unsafe { (self.0.name)(sink) });
        sentence(&name)
    }

    /// Whether it has the algorithm.
    #[must_use]
    pub fn has(&self, algorithm: &str) -> bool {
        // SAFETY: see `name`.
        unsafe { (self.0.has)(Bytes::of(algorithm.as_bytes())) }
    }

    fn owned(
        &self,
        end: unsafe extern "C" fn(*mut c_void),
        call: impl FnOnce(Sink) -> *mut c_void,
    ) -> Result<Owned, String> {
        let (object, bytes) = collect(call);
        if object.is_null() {
            return Err(sentence(&bytes));
        }
        Ok(Owned {
            object,
            functions: self.0,
            end,
        })
    }

    /// Makes a key.
    ///
    /// # Errors
    /// The library's sentence; so everywhere.
    pub fn generate(&self, algorithm: &str) -> Result<Key, String> {
        let name = Bytes::of(algorithm.as_bytes());
        // SAFETY: see `name`.
        let make = |sink| unsafe { (self.0.generate)(name, sink) };
        self.owned(self.0.drop_key, make).map(Key)
    }

    /// An authority with this key.
    ///
    /// # Errors
    /// As all.
    pub fn authority(
        &self,
        algorithm: &str,
        key: Key,
        facts: &Facts<'_>,
    ) -> Result<Authority, String> {
        let key = std::mem::ManuallyDrop::new(key);
        let name = Bytes::of(algorithm.as_bytes());
        let facts = RawFacts::of(facts);
        // SAFETY: see `name`; the library ends the key.
        let make = |sink| unsafe { (self.0.authority)(name, key.0.object, &raw const facts, sink) };
        self.owned(self.0.drop_authority, make).map(Authority)
    }

    /// Reads a SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// As all.
    pub fn verifier(&self, spki: &[u8]) -> Result<Verifier, String> {
        // SAFETY: see `name`.
        let make = |sink| unsafe { (self.0.verifier)(Bytes::of(spki), sink) };
        self.owned(self.0.drop_verifier, make).map(Verifier)
    }
}

impl Key {
    /// The public key as SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// The library's sentence.
    pub fn spki(&self) -> Result<Vec<u8>, String> {
        // SAFETY: see `Library::name`.
        bytes(|sink| unsafe { (self.0.functions.spki)(self.0.object, sink) })
    }
}

impl Authority {
    /// The authority's own certificate.
    ///
    /// # Errors
    /// The library's sentence; so everywhere.
    pub fn self_sign(&self) -> Result<Vec<u8>, String> {
        // SAFETY: see `Library::name`.
        bytes(|sink| unsafe { (self.0.functions.self_sign)(self.0.object, sink) })
    }

    /// The certificate of a server.
    ///
    /// # Errors
    /// As all.
    pub fn issue(&self, number: u64, host: &str, key: &Key) -> Result<Vec<u8>, String> {
        let (issue, host) = (self.0.functions.issue, Bytes::of(host.as_bytes()));
        // SAFETY: see `Library::name`.
        bytes(|sink| unsafe { issue(self.0.object, number, host, key.0.object, sink) })
    }

    /// The list that has the serial numbers from 1 to the last.
    ///
    /// # Errors
    /// As all.
    pub fn crl(&self, last: u64, extent: Extent) -> Result<Vec<u8>, String> {
        let (crl, signed) = (self.0.functions.crl, extent == Extent::Signed);
        // SAFETY: see `Library::name`.
        bytes(|sink| unsafe { crl(self.0.object, last, signed, sink) })
    }

    /// The response that the certificate with this number is good.
    ///
    /// # Errors
    /// As all.
    pub fn response(&self, number: u64, extent: Extent) -> Result<Vec<u8>, String> {
        let (response, signed) = (self.0.functions.response, extent == Extent::Signed);
        // SAFETY: see `Library::name`.
        bytes(|sink| unsafe { response(self.0.object, number, signed, sink) })
    }
}

impl Verifier {
    /// Reads an item, and tells whether its signature holds.
    ///
    /// # Errors
    /// The library's sentence.
    pub fn verify(&self, item: Item, der: &[u8]) -> Result<bool, String> {
        let der = Bytes::of(der);
        // SAFETY: see `Library::name`.
        let (valid, said) = collect(|sink| unsafe {
            (self.0.functions.verify)(self.0.object, item as u32, der, sink)
        });
        match valid {
            0 | 1 => Ok(valid == 1),
            _ => Err(sentence(&said)),
        }
    }
}
