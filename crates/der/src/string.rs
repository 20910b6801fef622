//! Character strings (X.680, 41; X.690, 8.23): which octets each type allows, and their text.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String};

use crate::{Error, ErrorKind, Result, Tag, Tlv};

/// PrintableString: letters, digits, space and `'()+,-./:=?` (X.680, table 10).
const PRINTABLE: [bool; 256] = {
    let mut table = [false; 256];
    let mut octet = 0;
    while octet < 128 {
        let c = octet as u8;
        table[octet] = c.is_ascii_alphanumeric()
            || matches!(
                c,
                b' ' | b'\'' | b'(' | b')' | b'+' | b',' | b'-' | b'.' | b'/' | b':' | b'=' | b'?'
            );
        octet += 1;
    }
    table
};

/// Whether PrintableString has the character. Names are public: the table may be indexed by them.
pub(crate) const fn is_printable(octet: u8) -> bool {
    PRINTABLE[octet as usize]
}

impl<'a> Tlv<'a> {
    /// The contents of a string type whose octets are UTF-8 too: UTF8String, PrintableString,
    /// IA5String, VisibleString and NumericString. Any other tag, such as that of an implicitly
    /// tagged IA5String in a GeneralName, is read as IA5String.
    pub fn str(&self) -> Result<&'a str> {
        let wrong = match self.tag {
            Tag::UTF8_STRING => None,
            Tag::PRINTABLE_STRING => self.value.iter().position(|&b| !is_printable(b)),
            Tag::NUMERIC_STRING => {
                let allowed = |b: u8| b == b' ' || b.is_ascii_digit();
                self.value.iter().position(|&b| !allowed(b))
            }
            Tag::VISIBLE_STRING => {
                let allowed = |b| matches!(b, 0x20..=0x7e);
                self.value.iter().position(|&b| !allowed(b))
            }
            _ if self.value.is_ascii() => None,
            _ => self.value.iter().position(|b| !b.is_ascii()),
        };
        match wrong {
            Some(at) => Err(self.bad_string(at)),
            None => core::str::from_utf8(self.value).map_err(|e| self.bad_string(e.valid_up_to())),
        }
    }

    fn bad_string(&self, at: usize) -> Error {
        Error::new(ErrorKind::BadString, self.value_position() + at)
    }
}

#[cfg(feature = "alloc")]
impl<'a> Tlv<'a> {
    /// The text of any string type, as a name has them: those of [`Tlv::str`], BMPString,
    /// UniversalString, and T61String, whose octets are taken for ISO 8859-1 as everyone does.
    pub fn text(&self) -> Result<Cow<'a, str>> {
        match self.tag {
            Tag::T61_STRING => Ok(Cow::Owned(
                self.value.iter().map(|&b| char::from(b)).collect(),
            )),
            Tag::BMP_STRING => self.wide(2),
            Tag::UNIVERSAL_STRING => self.wide(4),
            Tag::UTF8_STRING
            | Tag::PRINTABLE_STRING
            | Tag::IA5_STRING
            | Tag::VISIBLE_STRING
            | Tag::NUMERIC_STRING => self.str().map(Cow::Borrowed),
            actual => Err(self.error(ErrorKind::UnexpectedTag {
                expected: Tag::UTF8_STRING,
                actual,
            })),
        }
    }

    /// Characters of `width` octets, big-endian; surrogates are none.
    fn wide(&self, width: usize) -> Result<Cow<'a, str>> {
        let mut text = String::with_capacity(self.value.len() / width);
        for (i, octets) in self.value.chunks(width).enumerate() {
            let code = octets.iter().fold(0, |n, &b| n << 8 | u32::from(b));
            let character = if octets.len() == width {
                char::from_u32(code)
            } else {
                None
            };
            text.push(character.ok_or(self.bad_string(i * width))?);
        }
        Ok(Cow::Owned(text))
    }
}
