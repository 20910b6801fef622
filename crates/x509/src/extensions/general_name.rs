//! General names (RFC 5280, 4.2.1.6), and the alternative names of subject and issuer.

use core::fmt;

use adamant_der::{ErrorKind as Der, Oid, Reader, Tag, Writer, oid};

use super::ExtensionValue;
use crate::element::within;
use crate::{Element, List, Name, Result, Untrusted};

/// A name of one of the forms that X.509 has.
///
/// ```
/// use adamant_x509::extensions::GeneralName;
///
/// assert_eq!(GeneralName::Dns("adamant.example").to_string(), "DNS:adamant.example");
/// assert_eq!(GeneralName::Ip(&[192, 0, 2, 1]).to_string(), "IP:192.0.2.1");
/// ```
///
/// It shows itself with escapes ([`Untrusted`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GeneralName<'a> {
    /// A name of a type that others define; `value` is an element.
    Other {
        /// The type.
        oid: Oid,
        /// The element.
        value: &'a [u8],
    },
    /// A mail address, or in constraints a host or domain of addresses.
    Email(&'a str),
    /// A domain.
    Dns(&'a str),
    /// An address of X.400: the contents, unread.
    X400(&'a [u8]),
    /// A distinguished name.
    Directory(Name<'a>),
    /// A name of electronic data interchange: the contents, unread.
    EdiParty(&'a [u8]),
    /// A resource identifier.
    Uri(&'a str),
    /// An address of 4 or 16 octets; in constraints, twice as many for address and mask.
    Ip(&'a [u8]),
    /// An object identifier.
    RegisteredId(Oid),
}

const OTHER: Tag = Tag::context_constructed(0);
const EMAIL: Tag = Tag::context(1);
const DNS: Tag = Tag::context(2);
const X400: Tag = Tag::context_constructed(3);
const DIRECTORY: Tag = Tag::context_constructed(4);
const EDI_PARTY: Tag = Tag::context_constructed(5);
const URI: Tag = Tag::context(6);
const IP: Tag = Tag::context(7);
const REGISTERED_ID: Tag = Tag::context(8);

impl<'a> GeneralName<'a> {
    /// Reads a name whose address, if it is one, has one of these lengths.
    pub(super) fn read_with(r: &mut Reader<'a>, addresses: [usize; 2]) -> Result<Self> {
        let tlv = r.read_any()?;
        Ok(match tlv.tag {
            OTHER => within(tlv.reader()?, |r| {
                let oid = r.oid()?;
                let value = within(r.enter(Tag::context_constructed(0))?, |r| {
                    Ok(r.read_any()?.raw)
                })?;
                Ok(Self::Other { oid, value })
            })?,
            EMAIL => Self::Email(tlv.str()?),
            DNS => Self::Dns(tlv.str()?),
            X400 => Self::X400(tlv.value),
            DIRECTORY => Self::Directory(within(tlv.reader()?, Name::read)?),
            EDI_PARTY => Self::EdiParty(tlv.value),
            URI => Self::Uri(tlv.str()?),
            IP if addresses.contains(&tlv.value.len()) => Self::Ip(tlv.value),
            IP => {
                let kind = Der::UnexpectedValue("IP address of a wrong length");
                return Err(tlv.value_error(kind).into());
            }
            REGISTERED_ID => Self::RegisteredId(tlv.oid()?),
            actual => {
                let expected = DNS;
                return Err(tlv.error(Der::UnexpectedTag { expected, actual }).into());
            }
        })
    }
}

impl<'a> Element<'a> for GeneralName<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Self::read_with(r, [4, 16])
    }

    fn write(&self, w: &mut Writer) {
        match *self {
            Self::Other { oid, value } => w.nested(OTHER, |w| {
                w.oid(&oid);
                w.explicit(0, |w| w.raw(value));
            }),
            Self::Email(text) => w.tlv(EMAIL, text.as_bytes()),
            Self::Dns(text) => w.tlv(DNS, text.as_bytes()),
            Self::X400(contents) => w.tlv(X400, contents),
            Self::Directory(name) => w.nested(DIRECTORY, |w| name.write(w)),
            Self::EdiParty(contents) => w.tlv(EDI_PARTY, contents),
            Self::Uri(text) => w.tlv(URI, text.as_bytes()),
            Self::Ip(octets) => w.tlv(IP, octets),
            Self::RegisteredId(oid) => w.tlv(REGISTERED_ID, oid.as_bytes()),
        }
    }
}

impl fmt::Display for GeneralName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Other { oid, .. } => write!(f, "other:{oid}"),
            Self::Email(text) => write!(f, "email:{}", Untrusted::new(text).escaped()),
            Self::Dns(text) => write!(f, "DNS:{}", Untrusted::new(text).escaped()),
            Self::X400(_) => f.write_str("X400"),
            Self::Directory(name) => write!(f, "DN:{name}"),
            Self::EdiParty(_) => f.write_str("EDI"),
            Self::Uri(text) => write!(f, "URI:{}", Untrusted::new(text).escaped()),
            Self::Ip(octets) => write_ip(octets, f),
            Self::RegisteredId(oid) => write!(f, "RID:{oid}"),
        }
    }
}

fn write_ip(octets: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use core::net::{Ipv4Addr, Ipv6Addr};

    let address = |octets: &[u8], f: &mut fmt::Formatter<'_>| {
        if let Ok(octets) = <[u8; 4]>::try_from(octets) {
            return write!(f, "{}", Ipv4Addr::from(octets));
        }
        match <[u8; 16]>::try_from(octets) {
            Ok(octets) => write!(f, "{}", Ipv6Addr::from(octets)),
            Err(_) => write!(f, "{octets:02x?}"),
        }
    };
    f.write_str("IP:")?;
    match octets.len() {
        8 | 32 => {
            let (base, mask) = octets.split_at(octets.len() / 2);
            address(base, f)?;
            f.write_str("/")?;
            address(mask, f)
        }
        _ => address(octets, f),
    }
}

/// Names of one subject.
pub type GeneralNames<'a> = List<'a, GeneralName<'a>>;

macro_rules! alternative_names {
    ($($(#[$doc:meta])* $name:ident = $oid:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name<'a>(
            /// The names, one at least.
            pub GeneralNames<'a>,
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

alternative_names! {
    /// Further names of the subject (RFC 5280, 4.2.1.6), critical where it has no other.
    ///
    /// ```
    /// use adamant_x509::extensions::{GeneralName, SubjectAltName};
    ///
    /// let names = [GeneralName::Dns("adamant.example"), GeneralName::Ip(&[192, 0, 2, 1])];
    /// assert_eq!(SubjectAltName((&names).into()).0.iter().count(), 2);
    /// ```
    SubjectAltName = "2.5.29.17";
    /// Further names of the issuer (RFC 5280, 4.2.1.7).
    IssuerAltName = "2.5.29.18";
    /// The issuer of a revoked certificate, where a list has entries of several (RFC 5280,
    /// 5.3.3); critical.
    CertificateIssuer = "2.5.29.29";
}
