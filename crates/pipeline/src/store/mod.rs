//! Where the pipeline keeps certificates, CRLs and OCSP responses.
//!
//! A [`Store`] keeps items of three [`Kind`]s under their [`Number`]s: the serial number of the
//! certificate or response, the CRL number of the list. Numbers are never made by the store.

mod sqlite;

use crate::Result;

pub use adamant_pki::store::{Number, Synchronous};
pub use sqlite::Sqlite;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A certificate, under its serial number.
    Certificate,
    /// A list of revoked certificates, under its CRL number.
    Crl,
    /// An OCSP response, under the serial number of its certificate.
    OcspResponse,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Certificate, Kind::Crl, Kind::OcspResponse];
}

/// A database of certificates, CRLs and OCSP responses.
///
/// ```
/// use adamant_pipeline::store::{Kind, Number, Sqlite, Store};
/// let mut store = Sqlite::in_memory()?;
/// store.insert(Kind::Crl, &mut [(Number::from(1), &b"DER"[..])].into_iter())?;
/// assert_eq!(store.read(Kind::Crl)?, [b"DER"]);
/// # Ok::<(), adamant_pipeline::Error>(())
/// ```
pub trait Store {
    /// Says when commits are over, from the next one on.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn set_synchronous(&mut self, synchronous: Synchronous) -> Result<()>;

    /// Inserts items in one transaction: all or none.
    ///
    /// # Errors
    /// [`Error::Duplicate`](crate::Error::Duplicate) for a number that is there already, and
    /// [`Error::Store`](crate::Error::Store); nothing is inserted then.
    fn insert(
        &mut self,
        kind: Kind,
        items: &mut dyn Iterator<Item = (Number, &[u8])>,
    ) -> Result<()>;

    /// All items of a kind in the order of their numbers.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn read(&mut self, kind: Kind) -> Result<Vec<Vec<u8>>>;

    /// Removes all items of a kind.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn clear(&mut self, kind: Kind) -> Result<()>;
}
