//! Faults that a reader lets pass if it is told to.

use core::ops::BitOr;

/// Faults that some encoders make, and that readers refuse unless they are named: a set, to be
/// combined with `|`, for [`Reader::lenient`](crate::Reader::lenient). The default is none.
///
/// ```
/// use adamant_der::{ErrorKind, Leniency, Reader};
///
/// let encoded_default = [0x01, 1, 0]; // BOOLEAN FALSE, for a BOOLEAN DEFAULT FALSE
/// let mut strict = Reader::new(&encoded_default);
/// assert_eq!(strict.default_false().unwrap_err().kind(), ErrorKind::ExplicitDefault);
/// let mut lenient = Reader::new(&encoded_default).lenient(Leniency::ENCODED_DEFAULTS);
/// assert_eq!(lenient.default_false(), Ok(false));
/// ```
///
/// Of what is read so there may be several encodings: a writer writes the canonical one, which
/// need not be the one that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Leniency(u8);

impl Leniency {
    /// No fault passes.
    pub const NONE: Self = Self(0);
    /// A default is encoded (X.690, 11.5): `critical FALSE`, `cA FALSE`, and the flags of an
    /// IssuingDistributionPoint; version 1 of a certificate or OCSP message; minimum 0 of a
    /// name constraint.
    pub const ENCODED_DEFAULTS: Self = Self(1);
    /// A list of revoked certificates has a GeneralizedTime of a year before 2050 (RFC 5280,
    /// 5.1.2.4). In the validity of certificates, where roots have it, it is not a fault here.
    pub const EARLY_GENERALIZED_TIMES: Self = Self(2);
    /// A serial number has 20 octets and another for its sign (RFC 5280, 4.1.2.2), as one in two of 160
    /// random bits has.
    pub const LONG_SERIALS: Self = Self(4);
    /// A list of revoked certificates that has no entry has an empty list of them (RFC 5280,
    /// 5.1.2.6).
    pub const EMPTY_REVOKED_CERTIFICATES: Self = Self(8);
    /// A name constraint for domains has a dot in front (RFC 5280, 4.2.1.10): it stands for the
    /// hosts below the domain, without the domain itself. Only for paths.
    pub const LEADING_DOTS: Self = Self(16);
    /// All of the above.
    pub const ALL: Self = Self(31);

    /// Whether all of `other` pass.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Leniency {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
