//! Constraints on the certificates below a CA: names, and how policies must be treated.

use adamant_der::{ErrorKind as Der, Leniency, Oid, Reader, Tag, Writer, oid};

use super::{ExtensionValue, GeneralName};
use crate::element::{optional, sequence};
use crate::{Element, ErrorKind, List, Result};

/// A name and all names below it (RFC 5280, 4.2.1.10): the base of a tree. Its minimum is zero
/// and its maximum absent, as the RFC demands.
///
/// A domain with a dot in front is no base of the RFC's. With [`Leniency::LEADING_DOTS`] it can be
/// read, and stands for the hosts below the domain, as with a resource's host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralSubtree<'a>(
    /// The base.
    pub GeneralName<'a>,
);

impl<'a> Element<'a> for GeneralSubtree<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let position = r.position();
            let base = GeneralName::read_with(r, [8, 32])?;
            let dot = matches!(base, GeneralName::Dns(domain) if domain.starts_with('.'));
            if dot && !r.lets_pass(Leniency::LEADING_DOTS) {
                let kind = Der::UnexpectedValue("constraint for domains with a dot in front");
                return Err(ErrorKind::Der(kind).at(position));
            }
            let zero = r.peek_tag() == Some(Tag::context(0)) && r.rest().starts_with(&[0x80, 1, 0]);
            if zero && r.lets_pass(Leniency::ENCODED_DEFAULTS) {
                r.read(Tag::context(0))?;
            }
            if !r.is_empty() {
                let kind = Der::UnexpectedValue("subtree with a minimum or maximum");
                return Err(r.error(kind).into());
            }
            Ok(Self(base))
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| self.0.write(w));
    }
}

/// Which names certificates below may have (RFC 5280, 4.2.1.10).
///
/// ```
/// use adamant_x509::extensions::{GeneralName, GeneralSubtree, NameConstraints};
///
/// let permitted = [GeneralSubtree(GeneralName::Dns("adamant.example"))];
/// let constraints = NameConstraints { permitted: Some((&permitted).into()), excluded: None };
/// assert_eq!(constraints.permitted.unwrap().iter().count(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NameConstraints<'a> {
    /// Of a form that is listed, only these.
    pub permitted: Option<List<'a, GeneralSubtree<'a>>>,
    /// None of these.
    pub excluded: Option<List<'a, GeneralSubtree<'a>>>,
}

impl<'a> Element<'a> for NameConstraints<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            Ok(Self {
                permitted: optional(r, Tag::context_constructed(0), List::read_in)?,
                excluded: optional(r, Tag::context_constructed(1), List::read_in)?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            if let Some(permitted) = self.permitted {
                permitted.write_as(Tag::context_constructed(0), w);
            }
            if let Some(excluded) = self.excluded {
                excluded.write_as(Tag::context_constructed(1), w);
            }
        });
    }
}

impl<'a> ExtensionValue<'a> for NameConstraints<'a> {
    const OID: Oid = oid!("2.5.29.30");
    const CRITICAL: bool = true;
}

/// After how many certificates policies are demanded and mappings are not (RFC 5280, 4.2.1.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyConstraints {
    /// After this many, an acceptable policy is demanded.
    pub require_explicit: Option<u32>,
    /// After this many, mappings are not allowed.
    pub inhibit_mapping: Option<u32>,
}

impl<'a> Element<'a> for PolicyConstraints {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let count =
            |r: &mut Reader<'a>, number| optional(r, Tag::context(number), |tlv| Ok(small(tlv)?));
        sequence(r, |r| {
            Ok(Self {
                require_explicit: count(r, 0)?,
                inhibit_mapping: count(r, 1)?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            if let Some(count) = self.require_explicit {
                w.tlv_unsigned(Tag::context(0), &count.to_be_bytes());
            }
            if let Some(count) = self.inhibit_mapping {
                w.tlv_unsigned(Tag::context(1), &count.to_be_bytes());
            }
        });
    }
}

fn small(tlv: &adamant_der::Tlv<'_>) -> adamant_der::Result<u32> {
    let magnitude = tlv.unsigned()?;
    if magnitude.len() > 4 {
        return Err(tlv.value_error(Der::IntegerTooLong));
    }
    Ok(magnitude.iter().fold(0, |n, &b| n << 8 | u32::from(b)))
}

impl ExtensionValue<'_> for PolicyConstraints {
    const OID: Oid = oid!("2.5.29.36");
    const CRITICAL: bool = true;
}

/// After how many certificates `anyPolicy` no longer stands for all (RFC 5280, 4.2.1.14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InhibitAnyPolicy(
    /// How many.
    pub u32,
);

impl<'a> Element<'a> for InhibitAnyPolicy {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Ok(Self(r.u32()?))
    }

    fn write(&self, w: &mut Writer) {
        w.integer_u64(self.0.into());
    }
}

impl ExtensionValue<'_> for InhibitAnyPolicy {
    const OID: Oid = oid!("2.5.29.54");
    const CRITICAL: bool = true;
}
