//! Names that are made here.

use alloc::vec::Vec;
use core::fmt;

use adamant_der::{Oid, Reader, Tag, Writer};

use super::{
    COMMON_NAME, COUNTRY, LOCALITY, Name, ORGANIZATION, ORGANIZATIONAL_UNIT, Rdn,
    STATE_OR_PROVINCE, known,
};

/// A distinguished name of its own, one attribute added after another.
///
/// ```
/// use adamant_x509::DistinguishedName;
///
/// let name = DistinguishedName::new().country("NL").organization("Adamant").common_name("CA");
/// assert_eq!(name.to_string(), "CN=CA,O=Adamant,C=NL");
/// assert_eq!("CN=CA,O=Adamant,C=NL".parse(), Ok(name));
/// ```
///
/// Texts are written as RFC 5280 wants them: PrintableString for countries and serial numbers,
/// IA5String for mail addresses and domain components, UTF8String for all others; and UTF8String
/// too where the former types do not have a character.
#[derive(Clone, PartialEq, Eq)]
pub struct DistinguishedName {
    der: Vec<u8>,
}

impl DistinguishedName {
    /// The name without attributes.
    pub fn new() -> Self {
        Self {
            der: alloc::vec![Tag::SEQUENCE.octet(), 0],
        }
    }

    /// Adds a common name below the existing attributes.
    pub fn common_name(self, text: &str) -> Self {
        self.with(COMMON_NAME, text)
    }

    /// Adds an organization below the existing attributes.
    pub fn organization(self, text: &str) -> Self {
        self.with(ORGANIZATION, text)
    }

    /// Adds a part of an organization below the existing attributes.
    pub fn organizational_unit(self, text: &str) -> Self {
        self.with(ORGANIZATIONAL_UNIT, text)
    }

    /// Adds a country, two letters of ISO 3166, below the existing attributes.
    pub fn country(self, text: &str) -> Self {
        self.with(COUNTRY, text)
    }

    /// Adds a state or province below the existing attributes.
    pub fn state_or_province(self, text: &str) -> Self {
        self.with(STATE_OR_PROVINCE, text)
    }

    /// Adds a locality below the existing attributes.
    pub fn locality(self, text: &str) -> Self {
        self.with(LOCALITY, text)
    }

    /// Adds an attribute of this type below the existing attributes.
    pub fn with(self, oid: Oid, text: &str) -> Self {
        self.with_rdn(&[(oid, Value::Text(text))])
    }

    /// Adds a relative name below the existing attributes.
    pub(super) fn with_rdn(self, attributes: &[(Oid, Value<'_>)]) -> Self {
        let mut w = Writer::with_capacity(self.der.len() + 64);
        w.sequence(|w| {
            w.raw(self.contents().rest());
            w.set_of(attributes, |w, (oid, value)| {
                w.sequence(|w| {
                    w.oid(oid);
                    value.write(oid, w);
                });
            });
        });
        Self { der: w.finish() }
    }

    /// Adds a relative name below the existing attributes, as it was read.
    pub(crate) fn with_relative(self, rdn: &Rdn<'_>) -> Self {
        let mut w = Writer::with_capacity(self.der.len() + 64);
        w.sequence(|w| {
            w.raw(self.contents().rest());
            rdn.write_as(Tag::SET, w);
        });
        Self { der: w.finish() }
    }

    /// The name as readers have it.
    pub fn as_name(&self) -> Name<'_> {
        Name {
            der: &self.der,
            rdns: self.contents(),
        }
    }

    /// The encoding.
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }

    fn contents(&self) -> Reader<'_> {
        Reader::new(&self.der)
            .enter(Tag::SEQUENCE)
            .expect("a sequence was written")
    }
}

/// A value before it is written.
pub(super) enum Value<'a> {
    Text(&'a str),
    /// An element as it is.
    Der(Vec<u8>),
}

impl Value<'_> {
    fn write(&self, oid: &Oid, w: &mut Writer) {
        let text = match self {
            Self::Text(text) => text,
            Self::Der(der) => return w.raw(der),
        };
        let tag = match known(oid).map_or(Tag::UTF8_STRING, |(.., tag)| *tag) {
            Tag::PRINTABLE_STRING if !Writer::can_print(text) => Tag::UTF8_STRING,
            Tag::IA5_STRING if !text.is_ascii() => Tag::UTF8_STRING,
            tag => tag,
        };
        w.tlv(tag, text.as_bytes());
    }
}

impl Default for DistinguishedName {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Name<'_>> for DistinguishedName {
    fn from(name: Name<'_>) -> Self {
        Self {
            der: name.as_der().to_vec(),
        }
    }
}

impl fmt::Display for DistinguishedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_name().fmt(f)
    }
}

impl fmt::Debug for DistinguishedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
