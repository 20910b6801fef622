//! The numbers of certificates and lists.

use std::fmt;

use adamant::x509::SerialNumber;

use crate::{Error, Result};

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
