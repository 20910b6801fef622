//! Identifier octets (X.690, 8.1.2): class, form and a number up to 30, in one byte.

use core::fmt;

/// An identifier octet.
///
/// ```
/// use adamant_der::Tag;
///
/// assert_eq!(Tag::SEQUENCE.octet(), 0x30);
/// assert_eq!(Tag::context_constructed(3).octet(), 0xa3);
/// assert_eq!(Tag::context(6).to_string(), "[6]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(u8);

macro_rules! universal {
    ($($name:ident = $octet:literal, $text:literal;)*) => {
        impl Tag {
            $(#[doc = concat!("`", $text, "`.")] pub const $name: Self = Self($octet);)*

            const fn universal_name(self) -> Option<&'static str> {
                match self.0 {
                    $($octet => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

universal! {
    BOOLEAN = 0x01, "BOOLEAN";
    INTEGER = 0x02, "INTEGER";
    BIT_STRING = 0x03, "BIT STRING";
    OCTET_STRING = 0x04, "OCTET STRING";
    NULL = 0x05, "NULL";
    OID = 0x06, "OBJECT IDENTIFIER";
    ENUMERATED = 0x0a, "ENUMERATED";
    UTF8_STRING = 0x0c, "UTF8String";
    NUMERIC_STRING = 0x12, "NumericString";
    PRINTABLE_STRING = 0x13, "PrintableString";
    T61_STRING = 0x14, "T61String";
    IA5_STRING = 0x16, "IA5String";
    UTC_TIME = 0x17, "UTCTime";
    GENERALIZED_TIME = 0x18, "GeneralizedTime";
    VISIBLE_STRING = 0x1a, "VisibleString";
    UNIVERSAL_STRING = 0x1c, "UniversalString";
    BMP_STRING = 0x1e, "BMPString";
    SEQUENCE = 0x30, "SEQUENCE";
    SET = 0x31, "SET";
}

/// The number 31 in the low bits announces a number in further octets.
const HIGH_NUMBER: u8 = 0x1f;
const CONSTRUCTED: u8 = 0x20;
const CONTEXT: u8 = 0x80;

impl Tag {
    /// `[number]`, primitive: an implicitly tagged primitive type.
    ///
    /// # Panics
    /// If the number is above 30.
    pub const fn context(number: u8) -> Self {
        assert!(number < HIGH_NUMBER, "tag number above 30");
        Self(CONTEXT | number)
    }

    /// `[number]`, constructed: explicit tagging, or an implicitly tagged SEQUENCE or SET.
    ///
    /// # Panics
    /// If the number is above 30.
    pub const fn context_constructed(number: u8) -> Self {
        assert!(number < HIGH_NUMBER, "tag number above 30");
        Self(CONTEXT | CONSTRUCTED | number)
    }

    /// The tag with this identifier octet, or nothing if the octet announces further ones.
    pub const fn from_octet(octet: u8) -> Option<Self> {
        if octet & HIGH_NUMBER == HIGH_NUMBER {
            None
        } else {
            Some(Self(octet))
        }
    }

    /// The identifier octet.
    pub const fn octet(self) -> u8 {
        self.0
    }

    /// Whether the contents are elements themselves.
    pub const fn is_constructed(self) -> bool {
        self.0 & CONSTRUCTED != 0
    }

    /// Whether the class is context-specific.
    pub const fn is_context(self) -> bool {
        self.0 & 0xc0 == CONTEXT
    }

    /// The number within the class.
    pub const fn number(self) -> u8 {
        self.0 & HIGH_NUMBER
    }

    /// Universal types have one form each in DER: of those with a number below 31, EXTERNAL,
    /// EMBEDDED PDV, SEQUENCE, SET and CHARACTER STRING are constructed, the others primitive
    /// (X.690, 10.2). Number 0 is reserved.
    pub(crate) const fn is_allowed(self) -> bool {
        if self.0 & 0xc0 != 0 {
            return true;
        }
        match self.number() {
            0 => false,
            8 | 11 | 16 | 17 | 29 => self.is_constructed(),
            _ => !self.is_constructed(),
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.universal_name() {
            return f.write_str(name);
        }
        let class = match self.0 >> 6 {
            0 => "UNIVERSAL ",
            1 => "APPLICATION ",
            2 => "",
            _ => "PRIVATE ",
        };
        write!(f, "[{class}{}]", self.number())?;
        if self.is_constructed() {
            f.write_str(" constructed")
        } else {
            Ok(())
        }
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
