//! Types described as an ASN.1 module describes them (X.680): [`asn1!`](crate::asn1!) makes
//! readers and writers of strict DER from the description.
//!
//! ```
//! use adamant_der::asn1::{GeneralizedTime, SetOf, Type, decode, encode};
//! use adamant_der::{ErrorKind, Oid, asn1, oid};
//!
//! // Account ::= SEQUENCE {
//! //     version  [0] EXPLICIT INTEGER DEFAULT 0,
//! //     kind     OBJECT IDENTIFIER,
//! //     owner    Owner,
//! //     opened   GeneralizedTime,
//! //     state    State,
//! //     limit    [1] IMPLICIT INTEGER OPTIONAL,
//! //     keys     SEQUENCE OF OCTET STRING,
//! //     marks    [2] IMPLICIT SET OF UTF8String }
//! // Owner ::= CHOICE { name UTF8String, number [0] IMPLICIT INTEGER }
//! // State ::= ENUMERATED { open (0), closed (1) }
//! asn1! {
//!     /// What somebody has with us.
//!     #[derive(Clone, Debug, PartialEq)]
//!     pub struct Account<'a>: SEQUENCE {
//!         /// The version.
//!         [0] EXPLICIT version: u32 = 0,
//!         kind: Oid,
//!         owner: Owner<'a>,
//!         opened: GeneralizedTime,
//!         state: State,
//!         [1] IMPLICIT limit: Option<u64>,
//!         keys: Vec<&'a [u8]>,
//!         [2] IMPLICIT marks: SetOf<&'a str>,
//!     }
//!
//!     #[derive(Clone, Debug, PartialEq)]
//!     pub enum Owner<'a>: CHOICE {
//!         Name(&'a str),
//!         [0] IMPLICIT Number(u64),
//!     }
//!
//!     #[derive(Clone, Copy, Debug, PartialEq)]
//!     pub enum State: ENUMERATED {
//!         Open = 0,
//!         Closed = 1,
//!     }
//! }
//!
//! let account = Account {
//!     version: 0,
//!     kind: oid!("1.3.6.1.4.1.99999.1"),
//!     owner: Owner::Number(7),
//!     opened: GeneralizedTime("2026-01-01".parse()?),
//!     state: State::Open,
//!     limit: Some(300),
//!     keys: vec![b"first", b"second"],
//!     marks: SetOf(vec!["new", "a"]),
//! };
//! let der = encode(&account);
//! let read: Account = decode(&der)?;
//! // A SET OF has DER's order, whatever it was made in.
//! assert_eq!(read.marks, SetOf(vec!["a", "new"]));
//! assert_eq!(Account { marks: account.marks.clone(), ..read }, account);
//!
//! // One encoding for each value: a version of 0 is not written, and not read.
//! let mut twice = der.clone();
//! twice.splice(2..2, [0xa0, 3, 2, 1, 0]);
//! twice[1] += 5;
//! assert_eq!(decode::<Account>(&twice).unwrap_err().kind(), ErrorKind::ExplicitDefault);
//! # Ok::<(), adamant_der::Error>(())
//! ```
//!
//! | ASN.1 | Rust |
//! |---|---|
//! | `BOOLEAN`, `NULL` | `bool`, `()` |
//! | `INTEGER` that is not negative | `u32`, `u64`; of any size [`Unsigned`] |
//! | `INTEGER` | [`Integer`], as its octets |
//! | `OCTET STRING`, `BIT STRING` | `&[u8]`, [`BitString`](crate::BitString) |
//! | `OBJECT IDENTIFIER` | [`Oid`](crate::Oid) |
//! | `UTF8String`, `PrintableString`, `IA5String` | `&str`, [`PrintableString`], [`Ia5String`] |
//! | `GeneralizedTime`, the `Time` of RFC 5280 | [`GeneralizedTime`], [`Time`](crate::Time) |
//! | `SEQUENCE OF`, `SET OF` | `Vec`, [`SetOf`] |
//! | `ANY` | [`Tlv`] |
//! | `T OPTIONAL`, `T DEFAULT v` | `Option<T>`, `T = v` |
//!
//! A type that is none of these, or has rules beyond its form, implements [`Tagged`] by hand (or
//! [`Type`], if it begins with one of several tags), and appears in descriptions like the others.

mod macros;
mod types;

use crate::{Error, ErrorKind, Reader, Result, Tag, Tlv, Writer};

pub use types::{GeneralizedTime, Ia5String, Integer, PrintableString, SetOf, Unsigned};

/// A type that reads and writes itself where its place gives it no tag.
pub trait Type<'a>: Sized {
    /// Whether an element with this tag is one.
    fn fits(tag: Tag) -> bool;

    /// Takes the next element.
    ///
    /// # Errors
    /// [`Error`] with the position of what is wrong.
    fn read(r: &mut Reader<'a>) -> Result<Self>;

    /// Appends the element.
    fn write(&self, w: &mut Writer);

    /// Takes the next element, which is one within `[number] EXPLICIT`.
    ///
    /// # Errors
    /// [`Error`] with the position of what is wrong.
    fn read_explicit(r: &mut Reader<'a>, number: u8) -> Result<Self> {
        r.explicit(number, Self::read)
    }

    /// Appends the element within `[number] EXPLICIT`.
    fn write_explicit(&self, number: u8, w: &mut Writer) {
        w.explicit(number, |w| self.write(w));
    }
}

/// A type with one tag, which an implicit one replaces.
pub trait Tagged<'a>: Sized {
    /// The tag.
    const TAG: Tag;

    /// Reads the contents; the tag of `tlv` is [`Tagged::TAG`], whatever it was.
    ///
    /// # Errors
    /// [`Error`] with the position of what is wrong.
    fn read_value(tlv: &Tlv<'a>) -> Result<Self>;

    /// Appends an element with this tag.
    fn write_as(&self, tag: Tag, w: &mut Writer);
}

impl<'a, T: Tagged<'a>> Type<'a> for T {
    fn fits(tag: Tag) -> bool {
        tag == T::TAG
    }

    fn read(r: &mut Reader<'a>) -> Result<Self> {
        T::read_value(&r.read(T::TAG)?)
    }

    fn write(&self, w: &mut Writer) {
        self.write_as(T::TAG, w);
    }
}

/// A type that can be under an implicit tag.
pub trait Implicit<'a>: Sized {
    /// Takes the next element, which has `[number]` for its tag.
    ///
    /// # Errors
    /// [`Error`] with the position of what is wrong.
    fn read_implicit(r: &mut Reader<'a>, number: u8) -> Result<Self>;

    /// Appends the element with `[number]` for its tag.
    fn write_implicit(&self, number: u8, w: &mut Writer);
}

const fn implicit(of: Tag, number: u8) -> Tag {
    if of.is_constructed() {
        Tag::context_constructed(number)
    } else {
        Tag::context(number)
    }
}

impl<'a, T: Tagged<'a>> Implicit<'a> for T {
    fn read_implicit(r: &mut Reader<'a>, number: u8) -> Result<Self> {
        let tlv = r.read(implicit(T::TAG, number))?;
        T::read_value(&Tlv { tag: T::TAG, ..tlv })
    }

    fn write_implicit(&self, number: u8, w: &mut Writer) {
        self.write_as(implicit(T::TAG, number), w);
    }
}

/// `OPTIONAL`.
impl<'a, T: Type<'a>> Type<'a> for Option<T> {
    fn fits(tag: Tag) -> bool {
        T::fits(tag)
    }

    fn read(r: &mut Reader<'a>) -> Result<Self> {
        if r.peek_tag().is_some_and(T::fits) {
            T::read(r).map(Some)
        } else {
            Ok(None)
        }
    }

    fn write(&self, w: &mut Writer) {
        if let Some(value) = self {
            value.write(w);
        }
    }

    fn read_explicit(r: &mut Reader<'a>, number: u8) -> Result<Self> {
        r.optional_explicit(number, T::read)
    }

    fn write_explicit(&self, number: u8, w: &mut Writer) {
        if let Some(value) = self {
            value.write_explicit(number, w);
        }
    }
}

impl<'a, T: Tagged<'a>> Implicit<'a> for Option<T> {
    fn read_implicit(r: &mut Reader<'a>, number: u8) -> Result<Self> {
        if r.peek_tag() == Some(implicit(T::TAG, number)) {
            T::read_implicit(r, number).map(Some)
        } else {
            Ok(None)
        }
    }

    fn write_implicit(&self, number: u8, w: &mut Writer) {
        if let Some(value) = self {
            value.write_implicit(number, w);
        }
    }
}

/// Reads all of `input` as one value.
///
/// # Errors
/// [`Error`] with the position of what is wrong.
pub fn decode<'a, T: Type<'a>>(input: &'a [u8]) -> Result<T> {
    crate::parse(input, T::read)
}

/// The encoding of a value.
pub fn encode<'a, T: Type<'a>>(value: &T) -> alloc::vec::Vec<u8> {
    let mut w = Writer::new();
    value.write(&mut w);
    w.finish()
}

/// What [`asn1!`](crate::asn1!) calls.
#[doc(hidden)]
pub mod support {
    use super::{Error, ErrorKind, Reader, Result};

    /// A value that is there and not the default, or the default.
    pub fn default<T: PartialEq>(before: &Reader<'_>, read: Option<T>, default: T) -> Result<T> {
        match read {
            Some(value) if value == default => Err(before.error(ErrorKind::ExplicitDefault)),
            Some(value) => Ok(value),
            None => Ok(default),
        }
    }

    /// A value that is to be written: one that is not the default.
    pub fn unless_default<T: PartialEq>(value: &T, default: T) -> Option<&T> {
        (*value != default).then_some(value)
    }

    /// No alternative of a choice begins here.
    pub const fn no_alternative(r: &Reader<'_>) -> Error {
        r.error(if r.is_empty() {
            ErrorKind::Truncated
        } else {
            ErrorKind::UnexpectedValue("an element that is none of the alternatives")
        })
    }
}
