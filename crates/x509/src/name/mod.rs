//! Distinguished names (RFC 5280, 4.1.2.4): a sequence of sets of attributes.
//!
//! [`Name`] is read from an encoding and borrows from it; [`DistinguishedName`] is made from
//! attributes or from text. Both show themselves as RFC 4514 says.

mod build;
pub(crate) mod compare;
#[cfg(feature = "unicode")]
mod prepare;
mod text;

use alloc::borrow::Cow;
use core::fmt;

use adamant_der::{ErrorKind as Der, Oid, Reader, Tag, Tlv, Writer, oid};

use crate::element::{encodings, sequence, set_of};
use crate::{Element, ErrorKind, Result};

pub use build::DistinguishedName;

/// A distinguished name in an encoding, all attributes of which were read once.
///
/// ```
/// use adamant_x509::{DistinguishedName, Name};
///
/// let owned = DistinguishedName::new().country("NL").organization("Adamant").common_name("CA");
/// let name = owned.as_name();
/// assert_eq!(name.to_string(), "CN=CA,O=Adamant,C=NL");
/// assert_eq!(name.common_name().as_deref(), Some("CA"));
/// assert_eq!(Name::from_der(name.as_der())?, name);
/// # Ok::<(), adamant_x509::Error>(())
/// ```
///
/// Names are equal if their encodings are.
#[derive(Clone, Copy)]
pub struct Name<'a> {
    der: &'a [u8],
    rdns: Reader<'a>,
}

impl<'a> Name<'a> {
    pub(crate) fn read_in(tlv: &Tlv<'a>) -> Result<Self> {
        let rdns = tlv.reader()?;
        let mut rest = rdns;
        while !rest.is_empty() {
            Rdn::read_as(Tag::SET, &mut rest)?;
        }
        Ok(Self { der: tlv.raw, rdns })
    }

    /// The encoding.
    pub const fn as_der(&self) -> &'a [u8] {
        self.der
    }

    /// Whether there is no attribute, as may be where a subject has an alternative name.
    pub const fn is_empty(&self) -> bool {
        self.rdns.is_empty()
    }

    /// The relative names, from the root of the directory on.
    pub const fn rdns(&self) -> Rdns<'a> {
        Rdns { rest: self.rdns }
    }

    /// All attributes.
    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        self.rdns().flat_map(|rdn| rdn.attributes())
    }

    /// The text of the first attribute of this type.
    pub fn get(&self, oid: &Oid) -> Option<Cow<'a, str>> {
        self.attributes()
            .find(|attribute| attribute.oid == *oid)
            .and_then(|attribute| attribute.text())
    }

    /// The text of the first common name.
    pub fn common_name(&self) -> Option<Cow<'a, str>> {
        self.get(&COMMON_NAME)
    }
}

encodings! { Name }

impl<'a> Element<'a> for Name<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Self::read_in(&r.read(Tag::SEQUENCE)?)
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| self.rdns().for_each(|rdn| rdn.write_as(Tag::SET, w)));
    }
}

impl PartialEq for Name<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.der == other.der
    }
}

impl Eq for Name<'_> {}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The relative names of a [`Name`].
#[derive(Clone)]
pub struct Rdns<'a> {
    rest: Reader<'a>,
}

impl<'a> Iterator for Rdns<'a> {
    type Item = Rdn<'a>;

    fn next(&mut self) -> Option<Rdn<'a>> {
        // All were read when the name was: an error is the end.
        let attributes = self.rest.enter(Tag::SET).ok()?;
        Some(Rdn { attributes })
    }
}

/// A relative distinguished name: attributes, nearly always one.
#[derive(Clone, Copy)]
pub struct Rdn<'a> {
    attributes: Reader<'a>,
}

impl<'a> Rdn<'a> {
    /// The attributes, in the order of their encodings.
    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let mut rest = self.attributes;
        core::iter::from_fn(move || Attribute::read(&mut rest).ok())
    }

    /// Reads the set under an implicit tag.
    pub(crate) fn read_as(tag: Tag, r: &mut Reader<'a>) -> Result<Self> {
        let tlv = r.read(tag)?;
        if tlv.value.is_empty() {
            return Err(ErrorKind::Empty.at(tlv.position));
        }
        set_of(&tlv, |r| Attribute::read(r).map(drop))?;
        Ok(Self {
            attributes: tlv.reader()?,
        })
    }

    pub(crate) fn write_as(&self, tag: Tag, w: &mut Writer) {
        w.nested_set_of(tag, self.attributes(), |w, attribute| attribute.write(w));
    }
}

impl PartialEq for Rdn<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.attributes.rest() == other.attributes.rest()
    }
}

/// A type and a value.
///
/// The value of a type that is named here is of a string type. Any will do, as everywhere: X.520
/// has a choice of five for most, but mail addresses are found in UTF8String, and countries too.
/// Types that are not named have values of any kind. A value of a string type has the characters of
/// that type, where OpenSSL looks at no PrintableString and at no IA5String; of T61String any octets
/// are characters.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// The type.
    pub oid: Oid,
    /// The value.
    pub value: Tlv<'a>,
}

impl<'a> Attribute<'a> {
    /// The value as text, if it is of a string type.
    pub fn text(&self) -> Option<Cow<'a, str>> {
        self.value.text().ok()
    }
}

impl<'a> Element<'a> for Attribute<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let oid = r.oid()?;
            let value = r.read_any()?;
            match value.tag {
                // Any octets will do.
                Tag::T61_STRING => {}
                tag if STRING_TYPES.contains(&tag) => drop(value.text()?),
                actual => {
                    if let Some(&(.., expected)) = known(&oid) {
                        return Err(value.error(Der::UnexpectedTag { expected, actual }).into());
                    }
                }
            }
            Ok(Self { oid, value })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.oid(&self.oid);
            w.tlv(self.value.tag, self.value.value);
        });
    }
}

/// The types of strings but T61String.
const STRING_TYPES: [Tag; 7] = [
    Tag::UTF8_STRING,
    Tag::PRINTABLE_STRING,
    Tag::IA5_STRING,
    Tag::VISIBLE_STRING,
    Tag::NUMERIC_STRING,
    Tag::BMP_STRING,
    Tag::UNIVERSAL_STRING,
];

macro_rules! attribute_types {
    ($($name:ident = $oid:literal, $short:literal, $tag:ident;)*) => {
        $(#[doc = concat!("`", $short, "`, ", $oid, ".")] pub const $name: Oid = oid!($oid);)*

        /// Type, name in text, and the string type in which it is written.
        const TYPES: &[(Oid, &str, Tag)] = &[$(($name, $short, Tag::$tag)),*];
    };
}

/// The row of this type.
fn known(oid: &Oid) -> Option<&'static (Oid, &'static str, Tag)> {
    TYPES.iter().find(|(known, ..)| known == oid)
}

// The short names of RFC 4514, section 3, then other registered ones (RFC 4519, 4524).
attribute_types! {
    COMMON_NAME = "2.5.4.3", "CN", UTF8_STRING;
    LOCALITY = "2.5.4.7", "L", UTF8_STRING;
    STATE_OR_PROVINCE = "2.5.4.8", "ST", UTF8_STRING;
    ORGANIZATION = "2.5.4.10", "O", UTF8_STRING;
    ORGANIZATIONAL_UNIT = "2.5.4.11", "OU", UTF8_STRING;
    COUNTRY = "2.5.4.6", "C", PRINTABLE_STRING;
    STREET = "2.5.4.9", "STREET", UTF8_STRING;
    DOMAIN_COMPONENT = "0.9.2342.19200300.100.1.25", "DC", IA5_STRING;
    USER_ID = "0.9.2342.19200300.100.1.1", "UID", UTF8_STRING;
    SURNAME = "2.5.4.4", "SN", UTF8_STRING;
    NAME = "2.5.4.41", "name", UTF8_STRING;
    SERIAL_NUMBER = "2.5.4.5", "serialNumber", PRINTABLE_STRING;
    TITLE = "2.5.4.12", "title", UTF8_STRING;
    BUSINESS_CATEGORY = "2.5.4.15", "businessCategory", UTF8_STRING;
    POSTAL_CODE = "2.5.4.17", "postalCode", UTF8_STRING;
    GIVEN_NAME = "2.5.4.42", "givenName", UTF8_STRING;
    INITIALS = "2.5.4.43", "initials", UTF8_STRING;
    GENERATION_QUALIFIER = "2.5.4.44", "generationQualifier", UTF8_STRING;
    DN_QUALIFIER = "2.5.4.46", "dnQualifier", PRINTABLE_STRING;
    PSEUDONYM = "2.5.4.65", "pseudonym", UTF8_STRING;
    ORGANIZATION_IDENTIFIER = "2.5.4.97", "organizationIdentifier", UTF8_STRING;
    EMAIL_ADDRESS = "1.2.840.113549.1.9.1", "emailAddress", IA5_STRING;
}
