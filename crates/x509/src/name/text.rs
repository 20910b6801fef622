//! Names as text and back (RFC 4514).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::str::FromStr;

use adamant_der::{Oid, Writer};

use super::build::Value;
use super::{Attribute, DistinguishedName, Name, TYPES, known};
use crate::element::parse;
use crate::untrusted::is_shown;
use crate::{Element, Error, ErrorKind, Result};

impl fmt::Display for Name<'_> {
    /// The text of RFC 4514: the last relative name first. Attributes without a registered short
    /// name, and values that are no text, show as `#` and the hexadecimal of their encoding.
    /// Characters that would not show as themselves (controls, line separators, marks of direction)
    /// are escaped by the hexadecimal of their octets, so that a name is one line of what it says.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rdns: Vec<_> = self.rdns().collect();
        for (i, rdn) in rdns.iter().rev().enumerate() {
            if i > 0 {
                f.write_char(',')?;
            }
            for (i, attribute) in rdn.attributes().enumerate() {
                if i > 0 {
                    f.write_char('+')?;
                }
                attribute.fmt(f)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (known(&self.oid), self.text()) {
            (Some((_, name, _)), Some(text)) => {
                write!(f, "{name}=")?;
                escape(&text, f)
            }
            (known, _) => {
                match known {
                    Some((_, name, _)) => f.write_str(name)?,
                    None => write!(f, "{}", self.oid)?,
                }
                f.write_str("=#")?;
                self.value
                    .raw
                    .iter()
                    .try_for_each(|octet| write!(f, "{octet:02x}"))
            }
        }
    }
}

/// Section 2.4.
fn escape(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let last = text.chars().count().wrapping_sub(1);
    for (i, character) in text.chars().enumerate() {
        match character {
            '"' | '+' | ',' | ';' | '<' | '>' | '\\' => write!(f, "\\{character}")?,
            ' ' if i == 0 || i == last => f.write_str("\\ ")?,
            '#' if i == 0 => f.write_str("\\#")?,
            _ if is_shown(character) => f.write_char(character)?,
            _ => {
                let mut room = [0; 4];
                let mut octets = character.encode_utf8(&mut room).bytes();
                octets.try_for_each(|octet| write!(f, "\\{octet:02x}"))?;
            }
        }
    }
    Ok(())
}

impl FromStr for DistinguishedName {
    type Err = Error;

    /// The text of RFC 4514, such as `CN=server.example,O=Adamant,C=NL`. Short names are those
    /// that names show themselves with, in any case of letters; all other types are dotted
    /// numbers. Spaces around a type, before a value and after a separator are passed over.
    ///
    /// # Errors
    /// [`ErrorKind::BadNameText`] with the position in the text.
    fn from_str(text: &str) -> Result<Self> {
        let mut input = Input { text, position: 0 };
        let mut rdns = Vec::new();
        let mut rdn = Vec::new();
        if text.trim().is_empty() {
            return Ok(Self::new());
        }
        loop {
            let oid = input.attribute_type()?;
            let value = input.value(&oid)?;
            rdn.push((oid, value));
            match input.next() {
                Some('+') => {}
                end => {
                    rdns.push(core::mem::take(&mut rdn));
                    if end.is_none() {
                        break;
                    }
                }
            }
        }
        Ok(rdns.iter().rev().fold(Self::new(), |name, rdn| {
            let values: Vec<_> = rdn
                .iter()
                .map(|(oid, value)| (*oid, value.as_value()))
                .collect();
            name.with_rdn(&values)
        }))
    }
}

/// A value as it was read from text.
enum Parsed {
    Text(String),
    Der(Vec<u8>),
}

impl Parsed {
    fn as_value(&self) -> Value<'_> {
        match self {
            Self::Text(text) => Value::Text(text),
            Self::Der(der) => Value::Der(der.clone()),
        }
    }
}

struct Input<'a> {
    text: &'a str,
    position: usize,
}

impl Input<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.position..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.position += character.len_utf8();
        Some(character)
    }

    fn bad(&self) -> Error {
        ErrorKind::BadNameText.at(self.position)
    }

    fn spaces(&mut self) {
        while self.peek() == Some(' ') {
            self.position += 1;
        }
    }

    /// A short name or a dotted number, and the equals sign.
    fn attribute_type(&mut self) -> Result<Oid> {
        self.spaces();
        let start = self.bad();
        let rest = &self.text[self.position..];
        let (name, _) = rest.split_once('=').ok_or(start)?;
        self.position += name.len() + 1;
        let name = name.trim_end_matches(' ');
        TYPES
            .iter()
            .find(|(_, known, _)| known.eq_ignore_ascii_case(name))
            .map(|(oid, ..)| *oid)
            .or_else(|| name.parse().ok())
            .ok_or(start)
    }

    /// All up to a separator that is not escaped.
    fn value(&mut self, oid: &Oid) -> Result<Parsed> {
        self.spaces();
        if self.peek() == Some('#') {
            return self.hexadecimal(oid);
        }
        let mut octets = Vec::new();
        // Where the value ends if only spaces follow.
        let mut end = 0;
        while let Some(character) = self.peek().filter(|c| !matches!(c, ',' | '+' | ';')) {
            let bad = self.bad();
            self.next();
            match character {
                '\\' => {
                    let escaped = self.peek().ok_or(bad)?;
                    if escaped.is_ascii_hexdigit() {
                        octets.push(self.hex_octet().ok_or(bad)?);
                    } else if "\"+,;<>\\ #=".contains(escaped) {
                        self.next();
                        octets.push(escaped as u8);
                    } else {
                        return Err(bad);
                    }
                    end = octets.len();
                }
                '"' | '<' | '>' | '\0' => return Err(bad),
                _ => {
                    octets.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                    if character != ' ' {
                        end = octets.len();
                    }
                }
            }
        }
        octets.truncate(end);
        match String::from_utf8(octets) {
            Ok(text) => Ok(Parsed::Text(text)),
            Err(_) => Err(self.bad()),
        }
    }

    /// `#` and the hexadecimal of one element.
    fn hexadecimal(&mut self, oid: &Oid) -> Result<Parsed> {
        let start = self.bad();
        self.next();
        let mut der = Vec::new();
        while self.peek().is_some_and(|c| c.is_ascii_hexdigit()) {
            der.push(self.hex_octet().ok_or(start)?);
        }
        self.spaces();
        let ends = self.peek().is_none_or(|c| matches!(c, ',' | '+' | ';'));
        // As the attribute's value it must be one that can be read again.
        let mut w = Writer::new();
        w.sequence(|w| {
            w.oid(oid);
            w.raw(&der);
        });
        if !ends || parse(w.as_bytes(), |r| Attribute::read(r).map(drop)).is_err() {
            return Err(start);
        }
        Ok(Parsed::Der(der))
    }

    fn hex_octet(&mut self) -> Option<u8> {
        let high = self.next()?.to_digit(16)?;
        let low = self.next()?.to_digit(16)?;
        Some((high << 4 | low) as u8)
    }
}
