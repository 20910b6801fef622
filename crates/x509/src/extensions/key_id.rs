//! Which key a certificate or list is about: SubjectKeyIdentifier, AuthorityKeyIdentifier.

use adamant_der::{ErrorKind as Der, Oid, Reader, Tag, Writer, oid};

use super::{ExtensionValue, GeneralNames};
use crate::element::{optional, sequence};
use crate::{Element, List, Result, SerialNumber, serial};

/// A short name of the subject's key (RFC 5280, 4.2.1.2).
///
/// ```
/// use adamant_x509::extensions::SubjectKeyIdentifier;
///
/// let id = SubjectKeyIdentifier::hash(b"the octets of a public key");
/// assert_eq!(SubjectKeyIdentifier(&id).0.len(), 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubjectKeyIdentifier<'a>(
    /// The octets.
    pub &'a [u8],
);

impl SubjectKeyIdentifier<'_> {
    /// Method 1 of RFC 7093, section 2: the leftmost 160 bits of SHA-256 of the contents of the
    /// key's BIT STRING.
    pub fn hash(key: &[u8]) -> [u8; 20] {
        let mut id = [0; 20];
        id.copy_from_slice(&adamant_hash::Sha256::digest(key)[..20]);
        id
    }
}

impl<'a> Element<'a> for SubjectKeyIdentifier<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Ok(Self(r.octet_string()?))
    }

    fn write(&self, w: &mut Writer) {
        w.octet_string(self.0);
    }
}

impl<'a> ExtensionValue<'a> for SubjectKeyIdentifier<'a> {
    const OID: Oid = oid!("2.5.29.14");
    const CRITICAL: bool = false;
}

/// The issuer's key (RFC 5280, 4.2.1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AuthorityKeyIdentifier<'a> {
    /// The key's identifier in the issuer's certificate.
    pub key_id: Option<&'a [u8]>,
    /// The issuer's issuer and serial number.
    pub issuer: Option<(GeneralNames<'a>, SerialNumber)>,
}

impl<'a> AuthorityKeyIdentifier<'a> {
    /// The key with this identifier.
    pub const fn new(key_id: &'a [u8]) -> Self {
        Self {
            key_id: Some(key_id),
            issuer: None,
        }
    }
}

impl<'a> Element<'a> for AuthorityKeyIdentifier<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let key_id = r.optional(Tag::context(0))?.map(|tlv| tlv.value);
            let here = r.position();
            let issuer = optional(r, Tag::context_constructed(1), List::read_in)?;
            let serial = optional(r, Tag::context(2), serial::read_contents)?;
            let issuer = match (issuer, serial) {
                (Some(issuer), Some(serial)) => Some((issuer, serial)),
                (None, None) => None,
                _ => {
                    let kind = Der::UnexpectedValue("issuer without serial number or reverse");
                    return Err(adamant_der::Error::new(kind, here).into());
                }
            };
            Ok(Self { key_id, issuer })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            if let Some(key_id) = self.key_id {
                w.tlv(Tag::context(0), key_id);
            }
            if let Some((issuer, serial)) = self.issuer {
                issuer.write_as(Tag::context_constructed(1), w);
                w.tlv_unsigned(Tag::context(2), serial.as_bytes());
            }
        });
    }
}

impl<'a> ExtensionValue<'a> for AuthorityKeyIdentifier<'a> {
    const OID: Oid = oid!("2.5.29.35");
    const CRITICAL: bool = false;
}
