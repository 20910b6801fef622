//! The types that ASN.1 has, as Rust's.

use alloc::vec::Vec;

use super::{Tagged, Type};
use crate::string::is_printable;
use crate::{BitString, Error, ErrorKind, Oid, Reader, Result, Tag, Time, Tlv, Writer};

/// `GeneralizedTime`, without fractions of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GeneralizedTime(
    /// The time.
    pub Time,
);

/// `INTEGER`, in two's complement, big-endian, as short as it can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer<'a>(
    /// The octets; redundant ones in front are not written.
    pub &'a [u8],
);

/// `INTEGER` that is not negative: the magnitude, big-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsigned<'a>(
    /// The octets; zeros in front are not written.
    pub &'a [u8],
);

/// `IA5String`: ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ia5String<'a>(&'a str);

/// `PrintableString`: letters, digits, space and `'()+,-./:=?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintableString<'a>(&'a str);

/// `SET OF`, in the order of the encodings when it was read, in any before it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetOf<T>(
    /// The elements.
    pub Vec<T>,
);

macro_rules! strings {
    ($($name:ident: $allows:expr;)*) => { $(
        impl<'a> $name<'a> {
            /// The string, if the type has all its characters.
            pub fn new(text: &'a str) -> Option<Self> {
                text.bytes().all($allows).then_some(Self(text))
            }

            /// The text.
            pub const fn as_str(&self) -> &'a str {
                self.0
            }
        }
    )* };
}

strings! {
    Ia5String: |octet| octet.is_ascii();
    PrintableString: is_printable;
}

macro_rules! tagged {
    ($($type:ty: $tag:ident, |$tlv:ident| $read:expr, |$value:ident, $as:ident, $w:ident| $write:expr;)*) => { $(
        impl<'a> Tagged<'a> for $type {
            const TAG: Tag = Tag::$tag;

            fn read_value($tlv: &Tlv<'a>) -> Result<Self> {
                $read
            }

            fn write_as(&self, $as: Tag, $w: &mut Writer) {
                let $value = self;
                $write;
            }
        }
    )* };
}

tagged! {
    bool: BOOLEAN, |tlv| tlv.boolean(),
        |value, tag, w| w.tlv(tag, &[if *value { 0xff } else { 0 }]);
    (): NULL, |tlv| match tlv.value {
            [] => Ok(()),
            _ => Err(tlv.value_error(ErrorKind::BadNull)),
        },
        |_value, tag, w| w.tlv(tag, &[]);
    u32: INTEGER, |tlv| tlv.small(4).map(|n| n as u32),
        |value, tag, w| w.tlv_unsigned(tag, &value.to_be_bytes());
    u64: INTEGER, |tlv| tlv.small(8),
        |value, tag, w| w.tlv_unsigned(tag, &value.to_be_bytes());
    Unsigned<'a>: INTEGER, |tlv| tlv.unsigned().map(Self),
        |value, tag, w| w.tlv_unsigned(tag, value.0);
    Integer<'a>: INTEGER, |tlv| tlv.integer_bytes().map(Self),
        |value, tag, w| {
            let mut octets = value.0;
            while let [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..] = octets {
                octets = &octets[1..];
            }
            w.tlv(tag, if octets.is_empty() { &[0] } else { octets });
        };
    &'a [u8]: OCTET_STRING, |tlv| Ok(tlv.value), |value, tag, w| w.tlv(tag, value);
    BitString<'a>: BIT_STRING, |tlv| tlv.bit_string(),
        |value, tag, w| w.nested(tag, |w| {
            w.raw(&[value.unused_bits]);
            w.raw(value.bytes);
        });
    Oid: OID, |tlv| tlv.oid(), |value, tag, w| w.tlv(tag, value.as_bytes());
    &'a str: UTF8_STRING, |tlv| tlv.str(), |value, tag, w| w.tlv(tag, value.as_bytes());
    Ia5String<'a>: IA5_STRING, |tlv| tlv.str().map(Self),
        |value, tag, w| w.tlv(tag, value.0.as_bytes());
    PrintableString<'a>: PRINTABLE_STRING, |tlv| tlv.str().map(Self),
        |value, tag, w| w.tlv(tag, value.0.as_bytes());
    GeneralizedTime: GENERALIZED_TIME, |tlv| tlv.time().map(Self),
        |value, tag, w| w.tlv(tag, &value.0.generalized_octets());
}

/// `SEQUENCE OF`.
impl<'a, T: Type<'a>> Tagged<'a> for Vec<T> {
    const TAG: Tag = Tag::SEQUENCE;

    fn read_value(tlv: &Tlv<'a>) -> Result<Self> {
        tlv.parse(|r| {
            let mut elements = Self::new();
            while !r.is_empty() {
                elements.push(read_element(r)?);
            }
            Ok(elements)
        })
    }

    fn write_as(&self, tag: Tag, w: &mut Writer) {
        w.nested(tag, |w| self.iter().for_each(|element| element.write(w)));
    }
}

impl<'a, T: Type<'a>> Tagged<'a> for SetOf<T> {
    const TAG: Tag = Tag::SET;

    fn read_value(tlv: &Tlv<'a>) -> Result<Self> {
        tlv.parse(|r| {
            let mut elements = Vec::new();
            let mut previous: Option<&[u8]> = None;
            while !r.is_empty() {
                let before = *r;
                elements.push(read_element(r)?);
                let raw = &before.rest()[..r.position() - before.position()];
                if previous.is_some_and(|previous| raw < previous) {
                    return Err(before.error(ErrorKind::UnsortedSet));
                }
                previous = Some(raw);
            }
            Ok(Self(elements))
        })
    }

    fn write_as(&self, tag: Tag, w: &mut Writer) {
        w.nested_set_of(tag, &self.0, |w, element| element.write(w));
    }
}

/// Takes an element: a type that takes nothing, as an optional one may, has no place in a list.
fn read_element<'a, T: Type<'a>>(r: &mut Reader<'a>) -> Result<T> {
    let before = r.position();
    let element = T::read(r)?;
    if r.position() == before {
        return Err(Error::new(ErrorKind::TrailingData, before));
    }
    Ok(element)
}

/// `Time` (RFC 5280, 4.1.2.5): `UTCTime` through the year 2049, `GeneralizedTime` from 2050 on.
impl<'a> Type<'a> for Time {
    fn fits(tag: Tag) -> bool {
        matches!(tag, Tag::UTC_TIME | Tag::GENERALIZED_TIME)
    }

    fn read(r: &mut Reader<'a>) -> Result<Self> {
        r.time_rfc5280()
    }

    fn write(&self, w: &mut Writer) {
        w.time(*self);
    }
}

/// `ANY`.
impl<'a> Type<'a> for Tlv<'a> {
    fn fits(_: Tag) -> bool {
        true
    }

    fn read(r: &mut Reader<'a>) -> Result<Self> {
        r.read_any()
    }

    fn write(&self, w: &mut Writer) {
        w.raw(self.raw);
    }
}
