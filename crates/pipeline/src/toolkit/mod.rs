//! What does the work of the stages: keys, signatures and encodings.

mod loaded;
#[cfg(unix)]
mod nss;
mod openssl;
mod own;

use std::ops::Range;

use adamant::der::Time;
use adamant_pki::Algorithm;

use crate::store::Kind;
use crate::{Error, Result};

pub use loaded::Loaded;
#[cfg(unix)]
pub use nss::Nss;
pub use openssl::OpenSsl;
pub use own::Authority;

/// Items as DER.
pub type Blobs = Vec<Vec<u8>>;

/// The first item whose signature does not hold, with the reason.
pub type Fault = (usize, &'static str);

/// Asks of each item whether its signature holds.
fn verify_each(
    items: &[Vec<u8>],
    verify: impl Fn(&[u8]) -> Result<bool, String>,
) -> Result<Option<Fault>> {
    for (i, der) in items.iter().enumerate() {
        if !verify(der).map_err(Error::Library)? {
            return Ok(Some((i, "the signature does not verify")));
        }
    }
    Ok(None)
}

/// A library that runs a certification authority by itself, with encoders of its own.
///
/// Every [`Provider`](crate::Provider) is one, by the encoders of `adamant::x509`: a provider holds
/// keys, a toolkit writes documents too. What is constant for an authority is made once,
/// with it. The parallel stages ask from many threads at once, for a part of the batch each; item
/// `i` of the batch has the serial number `i + 1`.
pub trait Toolkit: Sync {
    /// A subscriber's private key.
    type Key: Send + Sync;
    /// An authority with its key.
    type Authority: Send + Sync;
    /// An authority's public key that is ready to verify.
    type Verifier: Send + Sync;

    /// The name in reports.
    fn name(&self) -> &str;

    /// Whether it has the algorithm.
    fn has(&self, algorithm: Algorithm) -> bool;

    /// Makes new keys.
    ///
    /// # Errors
    /// Whatever kept it from it; so everywhere.
    fn generate(&self, algorithm: Algorithm, count: usize) -> Result<Vec<Self::Key>>;

    /// The public key as SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// As all.
    fn spki(&self, key: &Self::Key) -> Result<Vec<u8>>;

    /// An authority with this key, at this time.
    ///
    /// # Errors
    /// As all.
    fn authority(&self, algorithm: Algorithm, key: Self::Key, now: Time)
    -> Result<Self::Authority>;

    /// The CA's own certificate.
    ///
    /// # Errors
    /// As all.
    fn self_sign(&self, authority: &mut Self::Authority) -> Result<Vec<u8>>;

    /// The certificates of items from `first` on, one for each key.
    ///
    /// # Errors
    /// As all.
    fn issue(&self, authority: &Self::Authority, first: usize, keys: &[Self::Key])
    -> Result<Blobs>;

    /// The part that is signed of the list with `batch` items.
    ///
    /// # Errors
    /// As all.
    fn crl_tbs(&self, authority: &Self::Authority, batch: usize) -> Result<Vec<u8>>;

    /// The list with `batch` items.
    ///
    /// # Errors
    /// As all.
    fn crl(&self, authority: &Self::Authority, batch: usize) -> Result<Vec<u8>>;

    /// The parts that are signed of the responses for these items.
    ///
    /// # Errors
    /// As all.
    fn responses_tbs(&self, authority: &Self::Authority, items: Range<usize>) -> Result<Blobs>;

    /// The responses for these items.
    ///
    /// # Errors
    /// As all.
    fn responses(&self, authority: &Self::Authority, items: Range<usize>) -> Result<Blobs>;

    /// Reads the SubjectPublicKeyInfo of an authority.
    ///
    /// # Errors
    /// As all.
    fn verifier(&self, algorithm: Algorithm, spki: &[u8]) -> Result<Self::Verifier>;

    /// Reads items and checks their signatures.
    ///
    /// # Errors
    /// Where an item cannot be read, and as all.
    fn verify(
        &self,
        verifier: &Self::Verifier,
        kind: Kind,
        items: &[Vec<u8>],
    ) -> Result<Option<Fault>>;
}
