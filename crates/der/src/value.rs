//! Elements, and their contents as values: integers, bit strings, booleans (X.690, 8.2 to 8.6 and
//! 11.1 to 11.2). Identifiers, times and strings have modules of their own.

use crate::{Error, ErrorKind, Leniency, Oid, Reader, Result, Tag};

/// One element: tag, length and contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tlv<'a> {
    /// The identifier octet.
    pub tag: Tag,
    /// The contents.
    pub value: &'a [u8],
    /// The whole element, from its tag on: what a signature covers.
    pub raw: &'a [u8],
    /// The offset of the tag in the outermost input.
    pub position: usize,
    /// How many elements enclose this one.
    pub(crate) depth: u8,
    /// What passes in the contents.
    pub(crate) leniency: Leniency,
}

/// The contents of a BIT STRING.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitString<'a> {
    /// How many of the last octet's low bits are no part of the string (they are zero).
    pub unused_bits: u8,
    /// The bits, first bit highest.
    pub bytes: &'a [u8],
    /// The offset of `bytes` in the outermost input.
    pub position: usize,
    /// How many elements enclose this one.
    pub(crate) depth: u8,
    /// What passes in the contents.
    pub(crate) leniency: Leniency,
}

/// The contents as values. These do not look at the tag, so that they serve implicit tagging too.
impl<'a> Tlv<'a> {
    /// The offset of the contents in the outermost input.
    pub const fn value_position(&self) -> usize {
        self.position + self.raw.len() - self.value.len()
    }

    /// An error of this kind at the tag.
    pub const fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.position)
    }

    /// An error of this kind at the first octet of the contents.
    pub const fn value_error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.value_position())
    }

    /// A reader over the contents. The caller finishes it.
    pub fn reader(&self) -> Result<Reader<'a>> {
        let (here, depth) = (self.value_position(), self.depth);
        Reader::inside(self.value, here, depth, self.leniency)
            .ok_or(self.error(ErrorKind::NestingTooDeep))
    }

    /// Whether these faults pass: see [`Reader::lenient`].
    #[must_use]
    pub const fn lets_pass(&self, faults: Leniency) -> bool {
        self.leniency.contains(faults)
    }

    /// Reads all of the contents.
    pub fn parse<T>(&self, read: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Result<T> {
        let mut inner = self.reader()?;
        let value = read(&mut inner)?;
        inner.finish()?;
        Ok(value)
    }

    /// See [`Reader::integer_bytes`].
    #[cfg_attr(feature = "small", inline(always))]
    pub fn integer_bytes(&self) -> Result<&'a [u8]> {
        match *self.value {
            [] | [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..] => {
                Err(self.value_error(ErrorKind::NonCanonicalInteger))
            }
            _ => Ok(self.value),
        }
    }

    /// See [`Reader::unsigned`].
    pub fn unsigned(&self) -> Result<&'a [u8]> {
        match self.integer_bytes()? {
            [0x80..=0xff, ..] => Err(self.value_error(ErrorKind::NegativeInteger)),
            [0x00, magnitude @ ..] if !magnitude.is_empty() => Ok(magnitude),
            magnitude => Ok(magnitude),
        }
    }

    /// The value of an integer that is not negative and has a magnitude of this many octets at
    /// most.
    pub(crate) fn small(&self, octets: usize) -> Result<u64> {
        let magnitude = self.unsigned()?;
        if magnitude.len() > octets {
            return Err(self.value_error(ErrorKind::IntegerTooLong));
        }
        Ok(magnitude.iter().fold(0, |n, &b| n << 8 | u64::from(b)))
    }

    /// See [`Reader::boolean`].
    pub fn boolean(&self) -> Result<bool> {
        match self.value {
            [0x00] => Ok(false),
            [0xff] => Ok(true),
            _ => Err(self.value_error(ErrorKind::BadBoolean)),
        }
    }

    /// See [`Reader::bit_string`].
    #[cfg_attr(feature = "small", inline(always))]
    pub fn bit_string(&self) -> Result<BitString<'a>> {
        let bad = self.value_error(ErrorKind::BadBitString);
        let (&unused_bits, bytes) = self.value.split_first().ok_or(bad)?;
        let fits = match bytes.last() {
            Some(last) => unused_bits < 8 && last & ((1 << unused_bits) - 1) == 0,
            None => unused_bits == 0,
        };
        if !fits {
            return Err(bad);
        }
        Ok(BitString {
            unused_bits,
            bytes,
            position: self.value_position() + 1,
            depth: self.depth,
            leniency: self.leniency,
        })
    }

    /// See [`Reader::named_bits`].
    pub fn named_bits(&self) -> Result<BitString<'a>> {
        let bits = self.bit_string()?;
        match bits.bytes.last() {
            Some(last) if last >> bits.unused_bits & 1 == 0 => {
                Err(self.value_error(ErrorKind::NonCanonicalBitList))
            }
            _ => Ok(bits),
        }
    }

    /// See [`Reader::oid`].
    #[cfg_attr(feature = "small", inline(always))]
    pub fn oid(&self) -> Result<Oid> {
        Oid::from_der_at(self.value, self.value_position())
    }
}

impl<'a> BitString<'a> {
    /// How many bits there are.
    pub const fn len(&self) -> usize {
        self.bytes.len() * 8 - self.unused_bits as usize
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether the bit is one; bits after the end are not. Bit 0 is the first, the highest of
    /// its octet.
    pub fn bit(&self, index: usize) -> bool {
        self.bytes
            .get(index / 8)
            .is_some_and(|octet| octet >> (7 - index % 8) & 1 == 1)
    }

    /// Reads all of the octets as DER, as in the public key of RSA.
    pub fn parse<T>(&self, read: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Result<T> {
        let here = |kind| Error::new(kind, self.position);
        if self.unused_bits != 0 {
            return Err(here(ErrorKind::BadBitString));
        }
        let mut inner = Reader::inside(self.bytes, self.position, self.depth, self.leniency)
            .ok_or(here(ErrorKind::NestingTooDeep))?;
        let value = read(&mut inner)?;
        inner.finish()?;
        Ok(value)
    }
}
