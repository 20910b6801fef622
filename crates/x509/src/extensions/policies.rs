//! The policies that a certificate was issued under, and which of them equal others.

use alloc::borrow::Cow;

use adamant_der::{ErrorKind as Der, Oid, Reader, Tag, Tlv, Writer, oid};

use super::ExtensionValue;
use crate::element::{parse, sequence};
use crate::{Element, List, Result};

/// A policy and what its issuer says about it (RFC 5280, 4.2.1.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyInformation<'a> {
    /// The policy.
    pub oid: Oid,
    /// The qualifiers.
    pub qualifiers: Option<List<'a, PolicyQualifier<'a>>>,
}

impl PolicyInformation<'_> {
    /// `anyPolicy`.
    pub const ANY: Oid = oid!("2.5.29.32.0");

    /// A policy of which nothing more is said.
    pub const fn new(oid: Oid) -> Self {
        Self {
            oid,
            qualifiers: None,
        }
    }
}

impl<'a> Element<'a> for PolicyInformation<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let oid = r.oid()?;
            let qualifiers = if r.is_empty() {
                None
            } else {
                Some(List::read(r)?)
            };
            Ok(Self { oid, qualifiers })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.oid(&self.oid);
            if let Some(qualifiers) = self.qualifiers {
                qualifiers.write(w);
            }
        });
    }
}

/// Something said about a policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PolicyQualifier<'a> {
    /// The address of the certification practice statement.
    Cps(&'a str),
    /// A notice to be shown: the element, checked.
    UserNotice(UserNotice<'a>),
    /// Of a type that others define; `value` is an element.
    Other {
        /// The type.
        oid: Oid,
        /// The element.
        value: &'a [u8],
    },
}

const CPS: Oid = oid!("1.3.6.1.5.5.7.2.1");
const USER_NOTICE: Oid = oid!("1.3.6.1.5.5.7.2.2");

impl<'a> Element<'a> for PolicyQualifier<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| match r.oid()? {
            CPS => Ok(Self::Cps(r.ia5_string()?)),
            USER_NOTICE => UserNotice::read(r).map(Self::UserNotice),
            oid => Ok(Self::Other {
                oid,
                value: r.read_any()?.raw,
            }),
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| match *self {
            Self::Cps(uri) => {
                w.oid(&CPS);
                w.tlv(Tag::IA5_STRING, uri.as_bytes());
            }
            Self::UserNotice(notice) => {
                w.oid(&USER_NOTICE);
                notice.write(w);
            }
            Self::Other { oid, value } => {
                w.oid(&oid);
                w.raw(value);
            }
        });
    }
}

/// A notice to those who rely on a certificate (RFC 5280, 4.2.1.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserNotice<'a> {
    /// An organization and numbers of notices that it prepared: the element, checked.
    reference: Option<&'a [u8]>,
    text: Option<Tlv<'a>>,
}

impl<'a> UserNotice<'a> {
    /// The text that is to be shown.
    pub fn text(&self) -> Option<Cow<'a, str>> {
        self.text.and_then(|text| text.text().ok())
    }

    /// The organization that prepared a notice, and the notice's numbers.
    pub fn reference(&self) -> Option<(Cow<'a, str>, List<'a, NoticeNumber>)> {
        parse(self.reference?, read_reference).ok()
    }
}

fn read_reference<'a>(r: &mut Reader<'a>) -> Result<(Cow<'a, str>, List<'a, NoticeNumber>)> {
    sequence(r, |r| {
        Ok((
            display_text(r)?.text()?,
            List::read_any(&r.read(Tag::SEQUENCE)?)?,
        ))
    })
}

/// `DisplayText`: one of four string types. How long it may be is not enforced: real notices
/// exceed 200 characters.
fn display_text<'a>(r: &mut Reader<'a>) -> Result<Tlv<'a>> {
    let text = r.read_any()?;
    match text.tag {
        Tag::UTF8_STRING | Tag::IA5_STRING | Tag::VISIBLE_STRING | Tag::BMP_STRING => {
            text.text()?;
            Ok(text)
        }
        actual => {
            let expected = Tag::UTF8_STRING;
            Err(text.error(Der::UnexpectedTag { expected, actual }).into())
        }
    }
}

impl<'a> Element<'a> for UserNotice<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let reference = if r.peek_tag() == Some(Tag::SEQUENCE) {
                let start = *r;
                read_reference(r)?;
                Some(&start.rest()[..r.position() - start.position()])
            } else {
                None
            };
            let text = if r.is_empty() {
                None
            } else {
                Some(display_text(r)?)
            };
            Ok(Self { reference, text })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.raw(self.reference.unwrap_or_default());
            if let Some(text) = self.text {
                w.tlv(text.tag, text.value);
            }
        });
    }
}

/// The number of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoticeNumber(
    /// The number.
    pub u64,
);

impl<'a> Element<'a> for NoticeNumber {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Ok(Self(r.u64()?))
    }

    fn write(&self, w: &mut Writer) {
        w.integer_u64(self.0);
    }
}

/// The policies a certificate was issued under (RFC 5280, 4.2.1.4).
///
/// ```
/// use adamant_der::oid;
/// use adamant_x509::extensions::{CertificatePolicies, PolicyInformation};
///
/// let domain_validated = [PolicyInformation::new(oid!("2.23.140.1.2.1"))];
/// assert_eq!(CertificatePolicies((&domain_validated).into()).0.iter().count(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CertificatePolicies<'a>(
    /// The policies, one at least.
    pub List<'a, PolicyInformation<'a>>,
);

impl<'a> Element<'a> for CertificatePolicies<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        List::read(r).map(Self)
    }

    fn write(&self, w: &mut Writer) {
        self.0.write(w);
    }
}

impl<'a> ExtensionValue<'a> for CertificatePolicies<'a> {
    const OID: Oid = oid!("2.5.29.32");
    const CRITICAL: bool = false;
}

/// A policy of the issuer that a policy of the subject equals (RFC 5280, 4.2.1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyMapping {
    /// The issuer's.
    pub issuer: Oid,
    /// The subject's.
    pub subject: Oid,
}

impl<'a> Element<'a> for PolicyMapping {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            Ok(Self {
                issuer: r.oid()?,
                subject: r.oid()?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.oid(&self.issuer);
            w.oid(&self.subject);
        });
    }
}

/// Which policies equal which (RFC 5280, 4.2.1.5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyMappings<'a>(
    /// The pairs, one at least.
    pub List<'a, PolicyMapping>,
);

impl<'a> Element<'a> for PolicyMappings<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        List::read(r).map(Self)
    }

    fn write(&self, w: &mut Writer) {
        self.0.write(w);
    }
}

impl<'a> ExtensionValue<'a> for PolicyMappings<'a> {
    const OID: Oid = oid!("2.5.29.33");
    const CRITICAL: bool = true;
}
