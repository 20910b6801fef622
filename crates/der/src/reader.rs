//! The reader: elements taken one after another from a borrowed input (X.690, 8.1 and 10).
//!
//! A reader is the rest of an input and the offset of that rest in the outermost one, so that
//! every error has its absolute position. Entering an element yields a reader over its contents.

use crate::{BitString, Error, ErrorKind, Leniency, Oid, Result, Tag, Time, Tlv};

/// How many elements may enclose one another.
pub const MAX_DEPTH: u8 = 64;

/// Reads all of `input` with `read`, and refuses what `read` leaves over.
///
/// ```
/// assert_eq!(adamant_der::parse(&[0x02, 0x01, 0x2a], |r| r.u64()), Ok(42));
/// ```
pub fn parse<'a, T>(input: &'a [u8], read: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Result<T> {
    let mut reader = Reader::new(input);
    let value = read(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// A position in a DER input, and what follows it.
///
/// ```
/// use adamant_der::{Reader, Tag};
///
/// // SEQUENCE { INTEGER 5, [0] { BOOLEAN TRUE } }
/// let der = [0x30, 8, 0x02, 1, 5, 0xa0, 3, 0x01, 1, 0xff];
/// let mut r = Reader::new(&der);
/// let (version, flag) = r.sequence(|r| Ok((r.u8()?, r.explicit(0, |r| r.boolean())?)))?;
/// assert_eq!((version, flag), (5, true));
/// assert!(r.is_empty());
/// # Ok::<(), adamant_der::Error>(())
/// ```
///
/// Closures return this crate's [`Result`]; a caller with errors of its own takes the reader
/// over the contents from [`Reader::enter`] and calls [`Reader::finish`] itself.
///
/// Where a call without a closure fails, the reader stays before the element.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    position: usize,
    depth: u8,
    leniency: Leniency,
}

impl<'a> Reader<'a> {
    /// A reader over an outermost input.
    pub const fn new(input: &'a [u8]) -> Self {
        Self::at(input, 0)
    }

    /// A reader over a part of a larger input that begins at `position` there.
    pub const fn at(input: &'a [u8], position: usize) -> Self {
        Self {
            rest: input,
            position,
            depth: 0,
            leniency: Leniency::NONE,
        }
    }

    /// The same reader, letting these faults pass, here and in all that is entered from here.
    #[must_use]
    pub const fn lenient(mut self, leniency: Leniency) -> Self {
        self.leniency = leniency;
        self
    }

    /// Whether these faults pass.
    #[must_use]
    pub const fn lets_pass(&self, faults: Leniency) -> bool {
        self.leniency.contains(faults)
    }

    /// A reader over the contents of an element that `depth` others enclose.
    pub(crate) fn inside(
        contents: &'a [u8],
        position: usize,
        depth: u8,
        leniency: Leniency,
    ) -> Option<Self> {
        (depth < MAX_DEPTH).then(|| Self {
            rest: contents,
            position,
            depth: depth + 1,
            leniency,
        })
    }

    /// The offset of the next byte in the outermost input.
    pub const fn position(&self) -> usize {
        self.position
    }

    /// Whether nothing is left.
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The rest of the input.
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// An error of this kind at the next byte.
    pub const fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.position)
    }

    /// Refuses what is left ([`ErrorKind::TrailingData`]).
    pub const fn finish(self) -> Result<()> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(self.error(ErrorKind::TrailingData))
        }
    }

    /// The tag of the next element, or nothing at the end or before a malformed tag.
    pub const fn peek_tag(&self) -> Option<Tag> {
        match self.rest {
            [octet, ..] => Tag::from_octet(*octet),
            [] => None,
        }
    }

    /// The next element, whatever it is.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline)]
    pub fn read_any(&mut self) -> Result<Tlv<'a>> {
        let tag = match self.peek_tag() {
            Some(tag) if tag.is_allowed() => tag,
            _ => return Err(self.judge(None)),
        };
        self.element(tag)
    }

    /// The next element, which must have this tag.
    #[inline]
    pub fn read(&mut self, expected: Tag) -> Result<Tlv<'a>> {
        self.read_inline(expected)
    }

    /// [`Reader::read`] as a part of the caller: for what is read so often that a call costs.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline(always))]
    pub fn read_inline(&mut self, expected: Tag) -> Result<Tlv<'a>> {
        match self.rest.first() {
            Some(&octet) if octet == expected.octet() && expected.is_allowed() => {
                self.element(expected)
            }
            _ => Err(self.judge(Some(expected))),
        }
    }

    /// The next element if it has this tag.
    #[cfg_attr(feature = "small", inline(always))]
    #[cfg_attr(not(feature = "small"), inline)]
    pub fn optional(&mut self, tag: Tag) -> Result<Option<Tlv<'a>>> {
        if self.peek_tag() == Some(tag) {
            self.read(tag).map(Some)
        } else {
            Ok(None)
        }
    }

    /// The error for the next tag, which is not the one expected here.
    #[cold]
    #[inline(never)]
    fn judge(self, expected: Option<Tag>) -> Error {
        let kind = match (self.rest.first(), self.peek_tag(), expected) {
            (None, ..) => ErrorKind::Truncated,
            (_, None, _) => ErrorKind::HighTagNumber,
            (_, Some(actual), Some(expected)) if actual.is_allowed() => {
                ErrorKind::UnexpectedTag { expected, actual }
            }
            _ => ErrorKind::InvalidTag,
        };
        self.error(kind)
    }

    /// Takes the element whose tag has been read but not passed.
    #[cfg_attr(feature = "small", inline(never))]
    #[cfg_attr(not(feature = "small"), inline(always))]
    fn element(&mut self, tag: Tag) -> Result<Tlv<'a>> {
        // The forms that nearly all elements have; what they are not is judged at leisure.
        let (header, length) = match *self.rest {
            [_, short @ 0..=0x7f, ..] => (2, usize::from(short)),
            [_, 0x81, n @ 0x80..=0xff, ..] => (3, usize::from(n)),
            [_, 0x82, high @ 1..=0xff, low, ..] => {
                (4, usize::from(u16::from_be_bytes([high, low])))
            }
            _ => self.long_header()?,
        };
        let Some((raw, rest)) = self.rest.split_at_checked(header + length) else {
            return Err(self.error(ErrorKind::Truncated));
        };
        let tlv = Tlv {
            tag,
            value: &raw[header..],
            raw,
            position: self.position,
            depth: self.depth,
            leniency: self.leniency,
        };
        self.rest = rest;
        self.position += raw.len();
        Ok(tlv)
    }

    /// The octets of the next element's tag and length, and of its contents.
    #[cold]
    #[inline(never)]
    fn long_header(self) -> Result<(usize, usize)> {
        let truncated = self.error(ErrorKind::Truncated);
        let bad_length = |kind| Error::new(kind, self.position + 1);
        match *self.rest.get(1).ok_or(truncated)? {
            0x80 => Err(bad_length(ErrorKind::IndefiniteLength)),
            // The short form is none that comes here.
            long => {
                let count = usize::from(long & 0x7f);
                // Judge the octets present even where others are missing: a padded length is wrong
                // however the input goes on.
                match self.rest.get(2) {
                    Some(0) => return Err(bad_length(ErrorKind::NonCanonicalLength)),
                    _ if count > 4 => return Err(bad_length(ErrorKind::LengthTooLarge)),
                    _ => {}
                }
                let octets = self.rest.get(2..2 + count).ok_or(truncated)?;
                let length = octets.iter().fold(0_u32, |n, &b| n << 8 | u32::from(b));
                if length < 0x80 {
                    return Err(bad_length(ErrorKind::NonCanonicalLength));
                }
                let (header, length) = (
                    2 + count,
                    usize::try_from(length).map_err(|_| bad_length(ErrorKind::LengthTooLarge))?,
                );
                // So that the sum of both is a number.
                if length > self.rest.len() - header {
                    return Err(truncated);
                }
                Ok((header, length))
            }
        }
    }

    /// A reader over the contents of the next element, which must have this tag. The caller
    /// finishes it.
    pub fn enter(&mut self, tag: Tag) -> Result<Reader<'a>> {
        self.read(tag)?.reader()
    }

    /// Reads all contents of the next element, which must have this tag. Any tag will do: an
    /// OCTET STRING that wraps DER is read with `nested(Tag::OCTET_STRING, …)`.
    pub fn nested<T>(
        &mut self,
        tag: Tag,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
    ) -> Result<T> {
        self.read(tag)?.parse(read)
    }

    /// Reads all contents of a SEQUENCE.
    pub fn sequence<T>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Result<T> {
        self.nested(Tag::SEQUENCE, read)
    }

    /// Reads all contents of a SET. The order of its elements is the caller's to know; see
    /// [`Reader::set_of`] for SET OF.
    pub fn set<T>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Result<T> {
        self.nested(Tag::SET, read)
    }

    /// Reads a SEQUENCE OF, calling `read` for each element until none is left. A `read` that
    /// takes nothing has met an element which does not belong there.
    pub fn sequence_of(
        &mut self,
        mut read: impl FnMut(&mut Reader<'a>) -> Result<()>,
    ) -> Result<()> {
        self.sequence(|r| {
            while !r.is_empty() {
                let before = r.position;
                read(r)?;
                if r.position == before {
                    return Err(r.error(ErrorKind::TrailingData));
                }
            }
            Ok(())
        })
    }

    /// Reads a SET OF, calling `read` on each element, which must be in DER's order.
    pub fn set_of(&mut self, read: impl FnMut(&mut Reader<'a>) -> Result<()>) -> Result<()> {
        self.nested_set_of(Tag::SET, read)
    }

    /// [`Reader::set_of`] under another tag, as in `[0] IMPLICIT SET OF`.
    pub fn nested_set_of(
        &mut self,
        tag: Tag,
        mut read: impl FnMut(&mut Reader<'a>) -> Result<()>,
    ) -> Result<()> {
        self.nested(tag, |r| {
            let mut previous: Option<&[u8]> = None;
            while !r.is_empty() {
                let mut element = *r;
                let tlv = r.read_any()?;
                if previous.is_some_and(|previous| tlv.raw < previous) {
                    return Err(tlv.error(ErrorKind::UnsortedSet));
                }
                previous = Some(tlv.raw);
                element.rest = tlv.raw;
                read(&mut element)?;
                element.finish()?;
            }
            Ok(())
        })
    }

    /// Reads all contents of `[number] EXPLICIT`.
    pub fn explicit<T>(
        &mut self,
        number: u8,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
    ) -> Result<T> {
        self.nested(Tag::context_constructed(number), read)
    }

    /// Reads all contents of `[number] EXPLICIT … OPTIONAL` if it is there.
    pub fn optional_explicit<T>(
        &mut self,
        number: u8,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
    ) -> Result<Option<T>> {
        match self.optional(Tag::context_constructed(number))? {
            Some(tlv) => tlv.parse(read).map(Some),
            None => Ok(None),
        }
    }

    /// An INTEGER in two's complement, big-endian, without redundant octets; never empty.
    pub fn integer_bytes(&mut self) -> Result<&'a [u8]> {
        self.take(Tag::INTEGER, Tlv::integer_bytes)
    }

    /// The magnitude of an INTEGER that is not negative, big-endian. Zero is one zero octet;
    /// otherwise the first octet is not zero.
    pub fn unsigned(&mut self) -> Result<&'a [u8]> {
        self.take(Tag::INTEGER, Tlv::unsigned)
    }

    /// [`Reader::unsigned`] with at most `max` octets of contents (a sign octet counts):
    /// RFC 5280 allows serial numbers 20.
    pub fn unsigned_bounded(&mut self, max: usize) -> Result<&'a [u8]> {
        self.take(Tag::INTEGER, |tlv| {
            let magnitude = tlv.unsigned()?;
            if tlv.value.len() > max {
                Err(tlv.value_error(ErrorKind::IntegerTooLong))
            } else {
                Ok(magnitude)
            }
        })
    }

    /// An INTEGER from 0 to 2^8 - 1.
    pub fn u8(&mut self) -> Result<u8> {
        self.take(Tag::INTEGER, |tlv| tlv.small(1)).map(|n| n as u8)
    }

    /// An INTEGER from 0 to 2^32 - 1.
    pub fn u32(&mut self) -> Result<u32> {
        self.take(Tag::INTEGER, |tlv| tlv.small(4))
            .map(|n| n as u32)
    }

    /// An INTEGER from 0 to 2^64 - 1.
    pub fn u64(&mut self) -> Result<u64> {
        self.take(Tag::INTEGER, |tlv| tlv.small(8))
    }

    /// An ENUMERATED from 0 to 2^8 - 1.
    pub fn enumerated(&mut self) -> Result<u8> {
        self.take(Tag::ENUMERATED, |tlv| tlv.small(1))
            .map(|n| n as u8)
    }

    /// A BOOLEAN.
    pub fn boolean(&mut self) -> Result<bool> {
        self.take(Tag::BOOLEAN, Tlv::boolean)
    }

    /// A `BOOLEAN DEFAULT FALSE`: absent or TRUE, since DER does not encode defaults. FALSE passes
    /// with [`Leniency::ENCODED_DEFAULTS`].
    pub fn default_false(&mut self) -> Result<bool> {
        if self.peek_tag() != Some(Tag::BOOLEAN) {
            return Ok(false);
        }
        let before = *self;
        if self.boolean()? {
            Ok(true)
        } else if self.lets_pass(Leniency::ENCODED_DEFAULTS) {
            Ok(false)
        } else {
            *self = before;
            Err(self.error(ErrorKind::ExplicitDefault))
        }
    }

    /// A BIT STRING.
    pub fn bit_string(&mut self) -> Result<BitString<'a>> {
        self.take(Tag::BIT_STRING, Tlv::bit_string)
    }

    /// A BIT STRING of whole octets, as signatures and public keys are.
    #[cfg_attr(feature = "small", inline(always))]
    pub fn bit_string_octets(&mut self) -> Result<BitString<'a>> {
        self.take(Tag::BIT_STRING, |tlv| {
            let bits = tlv.bit_string()?;
            if bits.unused_bits == 0 {
                Ok(bits)
            } else {
                Err(tlv.value_error(ErrorKind::BadBitString))
            }
        })
    }

    /// A BIT STRING that is a named bit list, such as KeyUsage: it ends in a one, or is empty.
    pub fn named_bits(&mut self) -> Result<BitString<'a>> {
        self.take(Tag::BIT_STRING, Tlv::named_bits)
    }

    /// An OCTET STRING.
    pub fn octet_string(&mut self) -> Result<&'a [u8]> {
        self.read(Tag::OCTET_STRING).map(|tlv| tlv.value)
    }

    /// A NULL.
    pub fn null(&mut self) -> Result<()> {
        self.take(Tag::NULL, |tlv| match tlv.value {
            [] => Ok(()),
            _ => Err(tlv.value_error(ErrorKind::BadNull)),
        })
    }

    /// An OBJECT IDENTIFIER.
    #[cfg_attr(feature = "small", inline(always))]
    pub fn oid(&mut self) -> Result<Oid> {
        self.take(Tag::OID, Tlv::oid)
    }

    /// A UTCTime or GeneralizedTime.
    pub fn time(&mut self) -> Result<Time> {
        if self.peek_tag() == Some(Tag::GENERALIZED_TIME) {
            self.generalized_time()
        } else {
            self.utc_time()
        }
    }

    /// A Time of RFC 5280, 4.1.2.5: UTCTime through the year 2049, GeneralizedTime from 2050 on. One
    /// of before passes with [`Leniency::EARLY_GENERALIZED_TIMES`].
    pub fn time_rfc5280(&mut self) -> Result<Time> {
        if self.peek_tag() != Some(Tag::GENERALIZED_TIME) {
            return self.utc_time();
        }
        let early = self.lets_pass(Leniency::EARLY_GENERALIZED_TIMES);
        self.take(Tag::GENERALIZED_TIME, |tlv| match tlv.time()? {
            time if time.fits_utc_time() && !early => Err(tlv.error(ErrorKind::WrongTimeType)),
            time => Ok(time),
        })
    }

    /// A UTCTime, whose years are 1950 to 2049.
    pub fn utc_time(&mut self) -> Result<Time> {
        self.take(Tag::UTC_TIME, Tlv::time)
    }

    /// A GeneralizedTime, without fractions of seconds (RFC 5280, 4.1.2.5.2).
    pub fn generalized_time(&mut self) -> Result<Time> {
        self.take(Tag::GENERALIZED_TIME, Tlv::time)
    }

    /// A UTF8String.
    pub fn utf8_string(&mut self) -> Result<&'a str> {
        self.take(Tag::UTF8_STRING, Tlv::str)
    }

    /// A PrintableString.
    pub fn printable_string(&mut self) -> Result<&'a str> {
        self.take(Tag::PRINTABLE_STRING, Tlv::str)
    }

    /// An IA5String, which is ASCII.
    pub fn ia5_string(&mut self) -> Result<&'a str> {
        self.take(Tag::IA5_STRING, Tlv::str)
    }

    /// Reads an element and interprets it; stays before it where that fails.
    fn take<T>(&mut self, tag: Tag, interpret: impl FnOnce(&Tlv<'a>) -> Result<T>) -> Result<T> {
        let mut after = *self;
        let value = interpret(&after.read(tag)?)?;
        *self = after;
        Ok(value)
    }
}
