//! Where to find more: CRL distribution points, authority and subject information access.

use core::fmt;

use adamant_der::{BitString, Error as DerError, ErrorKind as Der, Oid, Reader, Tag, Writer, oid};

use super::{ExtensionValue, GeneralName, GeneralNames};
use crate::element::{optional, sequence, within};
use crate::name::Rdn;
use crate::{Element, List, Result};

/// Where a list is found, which reasons it has, and who issues it (RFC 5280, 4.2.1.13).
///
/// ```
/// use adamant_x509::extensions::{CrlDistributionPoints, DistributionPoint, GeneralName};
///
/// let name = [GeneralName::Uri("http://crl.adamant.example/ca.crl")];
/// let points = [DistributionPoint::at((&name).into())];
/// assert_eq!(CrlDistributionPoints((&points).into()).0.iter().count(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DistributionPoint<'a> {
    /// Its names.
    pub name: Option<DistributionPointName<'a>>,
    /// The reasons of the list; all if absent.
    pub reasons: Option<ReasonFlags>,
    /// The list's issuer where it is not the certificate's.
    pub crl_issuer: Option<GeneralNames<'a>>,
}

impl<'a> DistributionPoint<'a> {
    /// The point with these names, for all reasons, with the certificate's issuer.
    pub const fn at(names: GeneralNames<'a>) -> Self {
        Self {
            name: Some(DistributionPointName::Full(names)),
            reasons: None,
            crl_issuer: None,
        }
    }

    /// Whether it says where the list is or who issues it, as it must (RFC 5280, 4.2.1.13).
    pub(crate) const fn names_a_list(&self) -> bool {
        self.name.is_some() || self.crl_issuer.is_some()
    }
}

impl<'a> Element<'a> for DistributionPoint<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            Ok(Self {
                name: DistributionPointName::read_optional(r)?,
                reasons: optional(r, Tag::context(1), |tlv| {
                    ReasonFlags::from(tlv.named_bits()?)
                })?,
                crl_issuer: optional(r, Tag::context_constructed(2), List::read_in)?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            if let Some(name) = self.name {
                name.write(w);
            }
            if let Some(reasons) = self.reasons {
                reasons.write_as(Tag::context(1), w);
            }
            if let Some(issuer) = self.crl_issuer {
                issuer.write_as(Tag::context_constructed(2), w);
            }
        });
    }
}

/// The names of a distribution point.
#[derive(Clone, Copy, PartialEq)]
pub enum DistributionPointName<'a> {
    /// Names of the point.
    Full(GeneralNames<'a>),
    /// The part that follows the name of the list's issuer.
    Relative(Rdn<'a>),
}

impl<'a> DistributionPointName<'a> {
    /// `[0] DistributionPointName OPTIONAL`; the tag is explicit, as that of every choice.
    pub(super) fn read_optional(r: &mut Reader<'a>) -> Result<Option<Self>> {
        const FULL: Tag = Tag::context_constructed(0);
        optional(r, Tag::context_constructed(0), |tlv| {
            within(tlv.reader()?, |r| {
                if r.peek_tag() == Some(FULL) {
                    List::read_in(&r.read(FULL)?).map(Self::Full)
                } else {
                    Rdn::read_as(Tag::context_constructed(1), r).map(Self::Relative)
                }
            })
        })
    }

    pub(super) fn write(&self, w: &mut Writer) {
        w.explicit(0, |w| match self {
            Self::Full(names) => names.write_as(Tag::context_constructed(0), w),
            Self::Relative(rdn) => rdn.write_as(Tag::context_constructed(1), w),
        });
    }
}

impl fmt::Debug for DistributionPointName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full(names) => names.fmt(f),
            Self::Relative(rdn) => f.debug_list().entries(rdn.attributes()).finish(),
        }
    }
}

/// A set of reasons for revocation (RFC 5280, 4.2.1.13), as a list or point covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReasonFlags(u16);

impl ReasonFlags {
    /// The set with these bits, the first the highest: `keyCompromise` is bit 1,
    /// `aACompromise` bit 8.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & 0xff80)
    }

    /// The bits.
    pub const fn bits(self) -> u16 {
        self.0
    }

    pub(super) fn from(bits: BitString<'_>) -> Result<Self> {
        match *bits.bytes {
            [] => Ok(Self(0)),
            [low] => Ok(Self(u16::from(low) << 8)),
            [low, high @ 0x80] => Ok(Self(u16::from_be_bytes([low, high]))),
            _ => {
                let kind = Der::UnexpectedValue("unknown reason for revocation");
                Err(DerError::new(kind, bits.position).into())
            }
        }
    }

    pub(super) fn write_as(self, tag: Tag, w: &mut Writer) {
        // A named bit list under another tag: the writer makes one, its tag is replaced.
        let mut bits = Writer::new();
        bits.named_bits(&self.0.to_be_bytes());
        w.tlv(tag, &bits.as_bytes()[2..]);
    }
}

/// A way to information or a service, and its place (RFC 5280, 4.2.2.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccessDescription<'a> {
    /// The kind of information found there.
    pub method: Oid,
    /// Where.
    pub location: GeneralName<'a>,
}

impl<'a> AccessDescription<'a> {
    /// `id-ad-ocsp`: a responder.
    pub const OCSP: Oid = oid!("1.3.6.1.5.5.7.48.1");
    /// `id-ad-caIssuers`: certificates of the issuer.
    pub const CA_ISSUERS: Oid = oid!("1.3.6.1.5.5.7.48.2");

    /// A responder at this address.
    pub const fn ocsp(uri: &'a str) -> Self {
        Self {
            method: Self::OCSP,
            location: GeneralName::Uri(uri),
        }
    }

    /// The issuer's certificate at this address.
    pub const fn ca_issuers(uri: &'a str) -> Self {
        Self {
            method: Self::CA_ISSUERS,
            location: GeneralName::Uri(uri),
        }
    }
}

impl<'a> Element<'a> for AccessDescription<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            Ok(Self {
                method: r.oid()?,
                location: GeneralName::read(r)?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.oid(&self.method);
            self.location.write(w);
        });
    }
}

macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident($item:ident) = $oid:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name<'a>(
            /// The items, one at least.
            pub List<'a, $item<'a>>,
        );

        impl<'a> Element<'a> for $name<'a> {
            fn read(r: &mut Reader<'a>) -> Result<Self> {
                List::read(r).map(Self)
            }

            fn write(&self, w: &mut Writer) {
                self.0.write(w);
            }
        }

        impl<'a> ExtensionValue<'a> for $name<'a> {
            const OID: Oid = oid!($oid);
            const CRITICAL: bool = false;
        }
    )* };
}

lists! {
    /// Where lists of revoked certificates are found (RFC 5280, 4.2.1.13).
    CrlDistributionPoints(DistributionPoint) = "2.5.29.31";
    /// Where lists of changes since a full list are found (RFC 5280, 4.2.1.15).
    FreshestCrl(DistributionPoint) = "2.5.29.46";
    /// Responders and certificates of the issuer (RFC 5280, 4.2.2.1).
    AuthorityInfoAccess(AccessDescription) = "1.3.6.1.5.5.7.1.1";
    /// Services of the subject (RFC 5280, 4.2.2.2).
    SubjectInfoAccess(AccessDescription) = "1.3.6.1.5.5.7.1.11";
}
