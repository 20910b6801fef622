//! A certification authority by a library of the same language as this: what a pipeline of
//! certificates is compared with, built apart and loaded at run time.
//!
//! The library's side implements [`Toolkit`] and exports its [`Functions`], which have the calling
//! convention of C, so that both sides may be compiled apart:
//!
//! ```ignore
//! #[unsafe(no_mangle)]
//! pub static ADAMANT_TOOLKIT: Functions = Functions::of::<Mine>();
//! ```
//!
//! The other side has them from [`Library::load`].

mod functions;
mod library;

pub use functions::Functions;
pub use library::{Authority, Key, Library, Verifier};

/// What an authority's documents say, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// Of the authority's name.
    pub organization: &'a str,
    /// Of the authority's name.
    pub common_name: &'a str,
    /// Seconds since 1970.
    pub now: i64,
    /// Seconds that the authority's certificate, a subscriber's, a list and a response are good
    /// for.
    pub periods: [i64; 4],
}

/// A kind of signed item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A certificate.
    Certificate,
    /// A list of revoked certificates.
    Crl,
    /// An OCSP response.
    Response,
}

/// Whether a document is wanted whole, or only the part that is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The part that is signed, and no signature.
    Tbs,
    /// The whole.
    Signed,
}

/// The library's side. Algorithms go by their names in the protocol: `ecdsa-p256`, `rsa-2048`.
///
/// A failure gives a sentence. Objects are used by several threads.
pub trait Toolkit: 'static {
    /// A private key.
    type Key: Send + Sync;
    /// An authority with its key.
    type Authority: Send + Sync;
    /// A public key that is ready to verify.
    type Verifier: Send + Sync;

    /// The name in reports, with the version.
    fn name() -> String;

    /// Whether it has the algorithm.
    fn has(algorithm: &str) -> bool;

    /// Makes a key.
    ///
    /// # Errors
    /// A sentence; so everywhere.
    fn generate(algorithm: &str) -> Result<Self::Key, String>;

    /// The public key as SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// As all.
    fn spki(key: &Self::Key) -> Result<Vec<u8>, String>;

    /// An authority with this key.
    ///
    /// # Errors
    /// As all.
    fn authority(
        algorithm: &str,
        key: Self::Key,
        facts: &Facts<'_>,
    ) -> Result<Self::Authority, String>;

    /// The authority's own certificate.
    ///
    /// # Errors
    /// As all.
    fn self_sign(authority: &Self::Authority) -> Result<Vec<u8>, String>;

    /// The certificate of a server with this serial number and name.
    ///
    /// # Errors
    /// As all.
    fn issue(
        authority: &Self::Authority,
        number: u64,
        host: &str,
        key: &Self::Key,
    ) -> Result<Vec<u8>, String>;

    /// The list that has the serial numbers from 1 to the last.
    ///
    /// # Errors
    /// As all.
    fn crl(authority: &Self::Authority, last: u64, extent: Extent) -> Result<Vec<u8>, String>;

    /// The response that the certificate with this serial number is good.
    ///
    /// # Errors
    /// As all.
    fn response(
        authority: &Self::Authority,
        number: u64,
        extent: Extent,
    ) -> Result<Vec<u8>, String>;

    /// Reads a SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// As all.
    fn verifier(spki: &[u8]) -> Result<Self::Verifier, String>;

    /// Reads an item, and tells whether its signature holds.
    ///
    /// # Errors
    /// As all.
    fn verify(verifier: &Self::Verifier, item: Item, der: &[u8]) -> Result<bool, String>;
}
