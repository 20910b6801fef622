//! The fault of an input, and its byte.

use core::fmt;

use crate::Tag;

/// The result of reading.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// A refused input: the reason, and the byte offset in the outermost input.
///
/// ```
/// use adamant_der::{ErrorKind, Tag, parse};
///
/// // SEQUENCE { INTEGER 1 } where SEQUENCE { BOOLEAN } was wanted.
/// let error = parse(&[0x30, 3, 2, 1, 1], |r| r.sequence(|r| r.boolean())).unwrap_err();
/// let kind = ErrorKind::UnexpectedTag { expected: Tag::BOOLEAN, actual: Tag::INTEGER };
/// assert_eq!((error.kind(), error.position()), (kind, 2));
/// assert_eq!(error.to_string(), "expected BOOLEAN, found INTEGER at byte 2");
/// ```
///
/// The position is that of the first byte that is wrong: the tag for errors about tags and for
/// an element that does not fit into what is left of the input, the length octets for errors
/// about them, and the contents (where one byte can be blamed, that byte) for errors about values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    kind: ErrorKind,
    position: usize,
}

impl Error {
    /// An error of this kind at this byte offset.
    pub const fn new(kind: ErrorKind, position: usize) -> Self {
        Self { kind, position }
    }

    /// The kind of fault.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Where, in bytes from the start of the outermost input.
    pub const fn position(&self) -> usize {
        self.position
    }
}

/// The reasons for refusing an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The element begins here and ends after the end of the input that holds it.
    Truncated,
    /// Another element than the one that is expected here.
    UnexpectedTag {
        /// The tag expected here.
        expected: Tag,
        /// The tag found.
        actual: Tag,
    },
    /// A tag number above 30, in the multi-byte form; no structure of PKIX uses one.
    HighTagNumber,
    /// A universal type in the wrong one of primitive and constructed form, or the reserved tag 0.
    InvalidTag,
    /// A length in more octets than it needs (X.690, 10.1).
    NonCanonicalLength,
    /// The indefinite form of a length, which only BER has.
    IndefiniteLength,
    /// A length in more than four octets.
    LengthTooLarge,
    /// Something follows the last element.
    TrailingData,
    /// An INTEGER without octets, or with more than it needs (X.690, 8.3.2).
    NonCanonicalInteger,
    /// A negative INTEGER where none is allowed.
    NegativeInteger,
    /// An INTEGER that is longer than its place allows.
    IntegerTooLong,
    /// A BOOLEAN other than the single octets 00 and FF (X.690, 11.1).
    BadBoolean,
    /// A value that equals its DEFAULT and is encoded nonetheless (X.690, 11.5).
    ExplicitDefault,
    /// A BIT STRING without its first octet, with more than seven unused bits, with unused bits
    /// that are not zero (X.690, 11.2.1), or not in whole octets where it must be.
    BadBitString,
    /// A named bit list that ends in a zero bit (X.690, 11.2.2).
    NonCanonicalBitList,
    /// An OBJECT IDENTIFIER that is empty, stops within an arc, or pads an arc (X.690, 8.19.2).
    BadOid,
    /// An OBJECT IDENTIFIER of more than [`Oid::MAX_LEN`](crate::Oid::MAX_LEN) octets.
    OidTooLong,
    /// A time in another form than DER's, or a date that is not in the calendar.
    BadTime,
    /// A time in the wrong one of UTCTime and GeneralizedTime (RFC 5280, 4.1.2.5).
    WrongTimeType,
    /// A character that the string type does not have, or a broken one.
    BadString,
    /// A NULL with contents.
    BadNull,
    /// The elements of a SET OF, out of order (X.690, 11.6).
    UnsortedSet,
    /// More than [`MAX_DEPTH`](crate::MAX_DEPTH) elements within each other.
    NestingTooDeep,
    /// A well-formed value that its place forbids; the text says which.
    UnexpectedValue(&'static str),
    /// A character outside the base64 alphabet.
    BadBase64,
    /// Base64 whose padding is missing, excessive, or covers bits that are not zero.
    BadBase64Padding,
    /// A line that begins like a PEM boundary and is none.
    BadPemBoundary,
    /// A PEM label at END other than the one at BEGIN.
    PemLabelMismatch,
    /// A PEM block that the text ends within.
    PemUnterminated,
    /// A PEM block with header lines (RFC 1421), as in the old forms of encrypted keys.
    PemHeaders,
    /// There is no PEM block with the label that was asked for.
    PemMissing,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::UnexpectedTag { expected, actual } => {
                return write!(f, "expected {expected}, found {actual}");
            }
            Self::UnexpectedValue(what) => what,
            Self::Truncated => "element ends after the end of its input",
            Self::HighTagNumber => "tag number above 30",
            Self::InvalidTag => "tag that DER does not allow",
            Self::NonCanonicalLength => "length in more octets than it needs",
            Self::IndefiniteLength => "indefinite length",
            Self::LengthTooLarge => "length in more than four octets",
            Self::TrailingData => "data after the last element",
            Self::NonCanonicalInteger => "INTEGER that is empty or padded",
            Self::NegativeInteger => "negative INTEGER",
            Self::IntegerTooLong => "INTEGER too long",
            Self::BadBoolean => "BOOLEAN that is neither 00 nor FF",
            Self::ExplicitDefault => "default value that is encoded",
            Self::BadBitString => "malformed BIT STRING",
            Self::NonCanonicalBitList => "named bit list that ends in a zero bit",
            Self::BadOid => "malformed OBJECT IDENTIFIER",
            Self::OidTooLong => "OBJECT IDENTIFIER too long",
            Self::BadTime => "malformed time",
            Self::WrongTimeType => "wrong one of UTCTime and GeneralizedTime",
            Self::BadString => "character that the string type lacks",
            Self::BadNull => "NULL with contents",
            Self::UnsortedSet => "SET OF out of order",
            Self::NestingTooDeep => "elements nested too deep",
            Self::BadBase64 => "character outside base64",
            Self::BadBase64Padding => "wrong base64 padding",
            Self::BadPemBoundary => "malformed PEM boundary",
            Self::PemLabelMismatch => "PEM labels at BEGIN and END differ",
            Self::PemUnterminated => "PEM block without an end",
            Self::PemHeaders => "PEM block with header lines",
            Self::PemMissing => "no PEM block of the wanted kind",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.position)
    }
}

impl core::error::Error for Error {}
