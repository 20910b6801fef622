//! The writer: elements appended to one buffer (X.690, 8 and 10).
//!
//! A length is known after the contents are written. One octet is kept free for it, which does
//! for contents below 128 octets; longer ones are moved up by the octets that are missing. No
//! element needs a buffer of its own.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::ops::Range;

use crate::string::is_printable;
use crate::{Oid, Tag, Time};

/// Appends elements in DER.
///
/// ```
/// use adamant_der::Writer;
///
/// let mut w = Writer::new();
/// w.sequence(|w| {
///     w.integer_u64(65537);
///     w.explicit(0, |w| w.boolean(true));
///     w.bit_string_with(|w| w.null());
/// });
/// let der = [0x30, 15, 0x02, 3, 1, 0, 1, 0xa0, 3, 0x01, 1, 0xff, 0x03, 3, 0, 0x05, 0];
/// assert_eq!(w.finish(), der);
/// ```
///
/// Closures may return something, such as a `Result`, which the call hands on.
///
/// A buffer that grows leaves copies behind: for secrets, start with
/// [`Writer::with_capacity`] for all that will be written.
#[derive(Clone, Default)]
pub struct Writer {
    out: Vec<u8>,
}

impl Writer {
    /// A writer with nothing written.
    pub const fn new() -> Self {
        Self { out: Vec::new() }
    }

    /// A writer that does not allocate again below `capacity` octets.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            out: Vec::with_capacity(capacity),
        }
    }

    /// All that was written.
    pub fn finish(self) -> Vec<u8> {
        self.out
    }

    /// The octets written so far.
    pub fn as_bytes(&self) -> &[u8] {
        &self.out
    }

    /// How many octets have been written so far.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Forgets what was written and keeps the buffer, for the next of many.
    pub fn clear(&mut self) {
        self.out.clear();
    }

    /// Octets that are DER already.
    pub fn raw(&mut self, der: &[u8]) {
        self.out.extend_from_slice(der);
    }

    /// An element with these contents.
    pub fn tlv(&mut self, tag: Tag, value: &[u8]) {
        self.header(tag, value.len());
        self.raw(value);
    }

    /// An element whose contents `write` appends.
    #[inline]
    pub fn nested<R>(&mut self, tag: Tag, write: impl FnOnce(&mut Self) -> R) -> R {
        let start = self.open(tag);
        let result = write(self);
        self.close(start);
        result
    }

    /// Begins an element; gives where its contents start.
    fn open(&mut self, tag: Tag) -> usize {
        self.out.extend_from_slice(&[tag.octet(), 0]);
        self.out.len()
    }

    /// Ends the element whose contents start there: now their length is known.
    fn close(&mut self, start: usize) {
        let (octets, range) = length_octets(self.out.len() - start);
        let (first, more) = octets[range].split_first().expect("a length has an octet");
        self.out[start - 1] = *first;
        if !more.is_empty() {
            let end = self.out.len();
            self.out.extend_from_slice(more);
            self.out.copy_within(start..end, start + more.len());
            self.out[start..start + more.len()].copy_from_slice(more);
        }
    }

    /// A SEQUENCE.
    pub fn sequence<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        self.nested(Tag::SEQUENCE, write)
    }

    /// A SET whose elements `write` appends in the order of their tags; for SET OF there is
    /// [`Writer::set_of`].
    pub fn set<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        self.nested(Tag::SET, write)
    }

    /// A SET OF with one element per item, in DER's order (X.690, 11.6) whatever theirs is.
    ///
    /// ```
    /// let mut w = adamant_der::Writer::new();
    /// w.set_of([300, 2, 1], |w, n| w.integer_u64(n));
    /// assert_eq!(w.finish(), [0x31, 10, 2, 1, 1, 2, 1, 2, 2, 2, 1, 44]);
    /// ```
    pub fn set_of<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        write: impl FnMut(&mut Self, T),
    ) {
        self.nested_set_of(Tag::SET, items, write);
    }

    /// [`Writer::set_of`] under another tag, as in `[0] IMPLICIT SET OF`.
    pub fn nested_set_of<T>(
        &mut self,
        tag: Tag,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.nested(tag, |w| {
            let mut elements = Vec::new();
            for item in items {
                let from = w.out.len();
                write(w, item);
                elements.push(from..w.out.len());
            }
            w.sort(elements);
        });
    }

    /// Brings the elements that were appended last, all within one, into the order of a SET OF.
    pub(crate) fn sort(&mut self, elements: Vec<Range<usize>>) {
        // No element is the beginning of another, so the padding with zeros that the standard's
        // comparison speaks of never decides.
        if !elements.is_sorted_by_key(|range| &self.out[range.clone()]) {
            let start = elements[0].start;
            let unsorted = self.out.split_off(start);
            // A heap is the least code that takes time in proportion.
            let heap: BinaryHeap<_> = elements
                .iter()
                .map(|range| &unsorted[range.start - start..range.end - start])
                .collect();
            for element in heap.into_sorted_vec() {
                self.raw(element);
            }
        }
    }

    /// `[number] EXPLICIT`.
    pub fn explicit<R>(&mut self, number: u8, write: impl FnOnce(&mut Self) -> R) -> R {
        self.nested(Tag::context_constructed(number), write)
    }

    /// An INTEGER that is not negative, from its magnitude in big-endian; leading zeros and no
    /// octets at all (zero) are fine.
    pub fn integer_unsigned(&mut self, magnitude: &[u8]) {
        self.tlv_unsigned(Tag::INTEGER, magnitude);
    }

    /// [`Writer::integer_unsigned`] under another tag.
    pub fn tlv_unsigned(&mut self, tag: Tag, magnitude: &[u8]) {
        let zeros = magnitude.iter().take_while(|&&octet| octet == 0).count();
        let magnitude = &magnitude[zeros..];
        let sign_octet = magnitude.first().is_none_or(|&octet| octet >= 0x80);
        self.header(tag, magnitude.len() + usize::from(sign_octet));
        if sign_octet {
            self.out.push(0);
        }
        self.raw(magnitude);
    }

    /// An INTEGER from two's complement in big-endian; redundant leading octets and no octets
    /// at all (zero) are fine.
    pub fn integer_bytes(&mut self, mut octets: &[u8]) {
        while let [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..] = octets {
            octets = &octets[1..];
        }
        self.tlv(Tag::INTEGER, if octets.is_empty() { &[0] } else { octets });
    }

    /// An INTEGER.
    pub fn integer_u64(&mut self, value: u64) {
        self.integer_unsigned(&value.to_be_bytes());
    }

    /// An ENUMERATED.
    pub fn enumerated(&mut self, value: u8) {
        self.tlv_unsigned(Tag::ENUMERATED, &[value]);
    }

    /// A BOOLEAN.
    pub fn boolean(&mut self, value: bool) {
        self.tlv(Tag::BOOLEAN, &[if value { 0xff } else { 0 }]);
    }

    /// A `BOOLEAN DEFAULT FALSE`, of which DER encodes only TRUE.
    pub fn default_false(&mut self, value: bool) {
        if value {
            self.boolean(true);
        }
    }

    /// A BIT STRING without the last `unused_bits` bits, whatever they are.
    ///
    /// # Panics
    /// If there are more than seven, or any in an empty string.
    pub fn bit_string(&mut self, bytes: &[u8], unused_bits: u8) {
        assert!(
            unused_bits < 8 && (unused_bits == 0 || !bytes.is_empty()),
            "no such bits"
        );
        self.header(Tag::BIT_STRING, bytes.len() + 1);
        self.out.push(unused_bits);
        self.raw(bytes);
        self.clear_bits(unused_bits);
    }

    /// A BIT STRING of the octets that `write` appends, without as many bits of the last of them as it
    /// says: up to seven, and none of no octet.
    pub(crate) fn bit_string_in_pieces<R>(
        &mut self,
        write: impl FnOnce(&mut Self, &mut u8) -> R,
    ) -> R {
        self.nested(Tag::BIT_STRING, |w| {
            let (at, mut unused_bits) = (w.len(), 0);
            w.out.push(0);
            let result = write(w, &mut unused_bits);
            w.out[at] = unused_bits;
            w.clear_bits(unused_bits);
            result
        })
    }

    /// Clears that many of the last octet's low bits.
    fn clear_bits(&mut self, unused_bits: u8) {
        if let (Some(last), 1..) = (self.out.last_mut(), unused_bits) {
            *last &= 0xff << unused_bits;
        }
    }

    /// A BIT STRING of the octets that `write` appends.
    pub fn bit_string_with<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        self.nested(Tag::BIT_STRING, |w| {
            w.out.push(0);
            write(w)
        })
    }

    /// A named bit list, such as KeyUsage: `bits` from the highest bit of the first octet on,
    /// written without the zeros at its end (X.690, 11.2.2).
    pub fn named_bits(&mut self, bits: &[u8]) {
        let len = bits
            .iter()
            .rposition(|&octet| octet != 0)
            .map_or(0, |last| last + 1);
        let bits = &bits[..len];
        self.bit_string(
            bits,
            bits.last().map_or(0, |last| last.trailing_zeros() as u8),
        );
    }

    /// An OCTET STRING.
    pub fn octet_string(&mut self, octets: &[u8]) {
        self.tlv(Tag::OCTET_STRING, octets);
    }

    /// An OCTET STRING of the octets that `write` appends.
    pub fn octet_string_with<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        self.nested(Tag::OCTET_STRING, write)
    }

    /// A NULL.
    pub fn null(&mut self) {
        self.tlv(Tag::NULL, &[]);
    }

    /// An OBJECT IDENTIFIER.
    pub fn oid(&mut self, oid: &Oid) {
        self.tlv(Tag::OID, oid.as_bytes());
    }

    /// A Time of RFC 5280, 4.1.2.5: UTCTime where it can say the year, otherwise GeneralizedTime.
    pub fn time(&mut self, time: Time) {
        match time.utc_octets() {
            Some(octets) => self.tlv(Tag::UTC_TIME, &octets),
            None => self.generalized_time(time),
        }
    }

    /// A GeneralizedTime.
    pub fn generalized_time(&mut self, time: Time) {
        self.tlv(Tag::GENERALIZED_TIME, &time.generalized_octets());
    }

    /// A UTF8String.
    pub fn utf8_string(&mut self, text: &str) {
        self.tlv(Tag::UTF8_STRING, text.as_bytes());
    }

    /// A PrintableString.
    ///
    /// # Panics
    /// If it cannot say the text; [`Writer::can_print`] tells.
    pub fn printable_string(&mut self, text: &str) {
        assert!(Self::can_print(text), "text that PrintableString lacks");
        self.tlv(Tag::PRINTABLE_STRING, text.as_bytes());
    }

    /// Whether all characters are those of PrintableString.
    pub fn can_print(text: &str) -> bool {
        text.bytes().all(is_printable)
    }

    /// An IA5String.
    ///
    /// # Panics
    /// If the text is not ASCII.
    pub fn ia5_string(&mut self, text: &str) {
        assert!(text.is_ascii(), "text that IA5String lacks");
        self.tlv(Tag::IA5_STRING, text.as_bytes());
    }

    fn header(&mut self, tag: Tag, length: usize) {
        let (octets, range) = length_octets(length);
        self.out.push(tag.octet());
        self.out.extend_from_slice(&octets[range]);
    }
}

/// The length octets, right-aligned: the definite form, as short as possible (X.690, 10.1).
fn length_octets(length: usize) -> ([u8; 9], Range<usize>) {
    let mut octets = [0; 9];
    octets[1..].copy_from_slice(&(length as u64).to_be_bytes());
    if length < 0x80 {
        return (octets, 8..9);
    }
    let count = 8 - (length as u64).leading_zeros() as usize / 8;
    octets[8 - count] = 0x80 | count as u8;
    (octets, 8 - count..9)
}
