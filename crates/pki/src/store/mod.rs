//! Where certificates, CRLs and OCSP responses are kept.
//!
//! A [`Store`] keeps items of three [`Kind`]s under their [`Number`]s: the serial number of the
//! certificate or response, the CRL number of the list. Numbers are never made by the store.
//!
//! That is what the measured pipeline asks of a store. A certification authority asks for more:
//! [`ca`].

pub mod ca;
mod sqlite;

use std::fmt;

use adamant::x509::SerialNumber;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

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

/// When a commit is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Synchronous {
    /// The system has it: it survives the end of the process, not that of the machine.
    Normal,
    /// The medium has it.
    Full,
}

impl Synchronous {
    /// `normal` or `full`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Synchronous::Normal => "normal",
            Synchronous::Full => "full",
        }
    }
}

impl fmt::Display for Synchronous {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A serial number or CRL number: 20 octets, big-endian, so that octets and numbers have the same
/// order.
///
/// ```
/// use adamant_pki::store::Number;
/// assert!(Number::from(255) < Number::from(256));
/// assert_eq!(Number::new(&[1, 0])?, Number::from(256));
/// assert!(Number::new(&[1; 21]).is_err());
/// # Ok::<(), adamant_pki::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number([u8; Number::LEN]);

impl Number {
    /// Octets of a number.
    pub const LEN: usize = 20;

    /// The number with this magnitude.
    ///
    /// # Errors
    /// [`Error::NumberTooLong`].
    pub fn new(magnitude: &[u8]) -> Result<Self> {
        let mut number = [0; Self::LEN];
        let start = Self::LEN
            .checked_sub(magnitude.len())
            .ok_or(Error::NumberTooLong(magnitude.len()))?;
        number[start..].copy_from_slice(magnitude);
        Ok(Number(number))
    }

    /// The octets.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; Self::LEN] {
        &self.0
    }
}

impl From<u64> for Number {
    fn from(number: u64) -> Self {
        let mut octets = [0; Self::LEN];
        octets[Self::LEN - 8..].copy_from_slice(&number.to_be_bytes());
        Number(octets)
    }
}

impl TryFrom<&SerialNumber> for Number {
    type Error = Error;

    fn try_from(serial: &SerialNumber) -> Result<Self> {
        Number::new(serial.as_bytes())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zeros = self.0.iter().take_while(|&&octet| octet == 0).count();
        let significant = &self.0[zeros.min(Self::LEN - 1)..];
        significant
            .iter()
            .try_for_each(|octet| write!(f, "{octet:02x}"))
    }
}

/// A database of certificates, CRLs and OCSP responses.
///
/// ```
/// use adamant_pki::store::{Kind, Number, Sqlite, Store};
/// let mut store = Sqlite::in_memory()?;
/// store.insert(Kind::Crl, &mut [(Number::from(1), &b"DER"[..])].into_iter())?;
/// assert_eq!(store.read(Kind::Crl)?, [b"DER"]);
/// # Ok::<(), adamant_pki::Error>(())
/// ```
pub trait Store {
    /// Says when commits are over, from the next one on.
    ///
    /// # Errors
    /// [`Error::Store`].
    fn set_synchronous(&mut self, synchronous: Synchronous) -> Result<()>;

    /// Inserts items in one transaction: all or none.
    ///
    /// # Errors
    /// [`Error::Duplicate`] for a number that is there already, and [`Error::Store`]; nothing is
    /// inserted then.
    fn insert(
        &mut self,
        kind: Kind,
        items: &mut dyn Iterator<Item = (Number, &[u8])>,
    ) -> Result<()>;

    /// All items of a kind in the order of their numbers.
    ///
    /// # Errors
    /// [`Error::Store`].
    fn read(&mut self, kind: Kind) -> Result<Vec<Vec<u8>>>;

    /// Removes all items of a kind.
    ///
    /// # Errors
    /// [`Error::Store`].
    fn clear(&mut self, kind: Kind) -> Result<()>;
}
