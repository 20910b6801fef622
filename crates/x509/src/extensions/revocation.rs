//! Extensions of lists of revoked certificates, of their entries, and of OCSP messages.

use core::fmt;

use adamant_der::{ErrorKind as Der, Leniency, Oid, Reader, Tag, Time, Tlv, Writer, oid};

use super::ExtensionValue;
use super::locations::{DistributionPointName, ReasonFlags};
use crate::element::{optional, sequence};
use crate::{Element, Result, SerialNumber};

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident = $oid:literal, $critical:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(
            /// The number: like a serial number, of at most 20 octets.
            pub SerialNumber,
        );

        impl<'a> Element<'a> for $name {
            fn read(r: &mut Reader<'a>) -> Result<Self> {
                SerialNumber::read(r).map(Self)
            }

            fn write(&self, w: &mut Writer) {
                self.0.write(w);
            }
        }

        impl ExtensionValue<'_> for $name {
            const OID: Oid = oid!($oid);
            const CRITICAL: bool = $critical;
        }
    )* };
}

numbers! {
    /// The number of a list, which grows with each list of an issuer (RFC 5280, 5.2.3).
    CrlNumber = "2.5.29.20", false;
    /// The number of the full list that a list of changes starts from (RFC 5280, 5.2.4).
    DeltaCrlIndicator = "2.5.29.27", true;
}

macro_rules! reasons {
    ($($variant:ident = $code:literal, $text:literal;)*) => {
        /// Why a certificate was revoked (RFC 5280, 5.3.1).
        ///
        /// ```
        /// use adamant_x509::extensions::RevocationReason;
        ///
        /// assert_eq!(RevocationReason::from_code(1), Some(RevocationReason::KeyCompromise));
        /// assert_eq!(RevocationReason::from_code(7), None);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum RevocationReason {
            $(#[doc = concat!("`", $text, "`.")] $variant = $code,)*
        }

        impl RevocationReason {
            /// The reason with this code.
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The name in the standard.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }
    };
}

reasons! {
    Unspecified = 0, "unspecified";
    KeyCompromise = 1, "keyCompromise";
    CaCompromise = 2, "cACompromise";
    AffiliationChanged = 3, "affiliationChanged";
    Superseded = 4, "superseded";
    CessationOfOperation = 5, "cessationOfOperation";
    CertificateHold = 6, "certificateHold";
    RemoveFromCrl = 8, "removeFromCRL";
    PrivilegeWithdrawn = 9, "privilegeWithdrawn";
    AaCompromise = 10, "aACompromise";
}

impl RevocationReason {
    /// The code.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl fmt::Display for RevocationReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<'a> Element<'a> for RevocationReason {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let tlv = Reader::read(&mut r.clone(), Tag::ENUMERATED)?;
        let code = r.enumerated()?;
        let unknown = Der::UnexpectedValue("unknown reason for revocation");
        Self::from_code(code).ok_or(tlv.value_error(unknown).into())
    }

    fn write(&self, w: &mut Writer) {
        w.enumerated(self.code());
    }
}

impl ExtensionValue<'_> for RevocationReason {
    const OID: Oid = oid!("2.5.29.21");
    const CRITICAL: bool = false;
}

/// Since when the key of a revoked certificate is suspect (RFC 5280, 5.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidityDate(
    /// The time.
    pub Time,
);

impl<'a> Element<'a> for InvalidityDate {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Ok(Self(r.generalized_time()?))
    }

    fn write(&self, w: &mut Writer) {
        w.generalized_time(self.0);
    }
}

impl ExtensionValue<'_> for InvalidityDate {
    const OID: Oid = oid!("2.5.29.24");
    const CRITICAL: bool = false;
}

/// The scope of a list (RFC 5280, 5.2.5); critical.
///
/// At most one of the `only_*` is true, which is not enforced here.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IssuingDistributionPoint<'a> {
    /// Where the list is found.
    pub name: Option<DistributionPointName<'a>>,
    /// Only certificates of end entities.
    pub only_user_certs: bool,
    /// Only certificates of CAs.
    pub only_ca_certs: bool,
    /// Only these reasons.
    pub only_some_reasons: Option<ReasonFlags>,
    /// Entries may be of other issuers.
    pub indirect: bool,
    /// Only attribute certificates.
    pub only_attribute_certs: bool,
}

impl IssuingDistributionPoint<'_> {
    /// Whether it says nothing, which no list may (RFC 5280, 5.2.5).
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl<'a> Element<'a> for IssuingDistributionPoint<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let flag = |r: &mut Reader<'a>, number| {
            optional(r, Tag::context(number), read_flag).map(|flag| flag.unwrap_or(false))
        };
        sequence(r, |r| {
            Ok(Self {
                name: DistributionPointName::read_optional(r)?,
                only_user_certs: flag(r, 1)?,
                only_ca_certs: flag(r, 2)?,
                only_some_reasons: optional(r, Tag::context(3), |tlv| {
                    ReasonFlags::from(tlv.named_bits()?)
                })?,
                indirect: flag(r, 4)?,
                only_attribute_certs: flag(r, 5)?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        let flag = |w: &mut Writer, number, value| {
            if value {
                w.tlv(Tag::context(number), &[0xff]);
            }
        };
        w.sequence(|w| {
            if let Some(name) = self.name {
                name.write(w);
            }
            flag(w, 1, self.only_user_certs);
            flag(w, 2, self.only_ca_certs);
            if let Some(reasons) = self.only_some_reasons {
                reasons.write_as(Tag::context(3), w);
            }
            flag(w, 4, self.indirect);
            flag(w, 5, self.only_attribute_certs);
        });
    }
}

/// A `BOOLEAN DEFAULT FALSE` that is there, so that it is TRUE but with
/// [`Leniency::ENCODED_DEFAULTS`].
fn read_flag(tlv: &Tlv<'_>) -> Result<bool> {
    match tlv.boolean()? {
        false if !tlv.lets_pass(Leniency::ENCODED_DEFAULTS) => {
            Err(tlv.error(Der::ExplicitDefault).into())
        }
        flag => Ok(flag),
    }
}

impl<'a> ExtensionValue<'a> for IssuingDistributionPoint<'a> {
    const OID: Oid = oid!("2.5.29.28");
    const CRITICAL: bool = true;
}

/// Octets that tie a response to a request (RFC 9654, 2.1): 1 to 128.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OcspNonce<'a>(
    /// The octets.
    pub &'a [u8],
);

impl<'a> Element<'a> for OcspNonce<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let tlv = r.read(Tag::OCTET_STRING)?;
        match tlv.value.len() {
            1..=128 => Ok(Self(tlv.value)),
            _ => {
                let kind = Der::UnexpectedValue("nonce that is empty or above 128 octets");
                Err(tlv.value_error(kind).into())
            }
        }
    }

    fn write(&self, w: &mut Writer) {
        w.octet_string(self.0);
    }
}

impl<'a> ExtensionValue<'a> for OcspNonce<'a> {
    const OID: Oid = oid!("1.3.6.1.5.5.7.48.1.2");
    const CRITICAL: bool = false;
}
