//! The parts of an encoding: elements that read and write themselves, and lists of them.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::fmt;

use adamant_der::{ErrorKind as Der, Leniency, Oid, Reader, Tag, Tlv, Writer};

use crate::{Error, ErrorKind, Result};

/// A type that reads itself from DER and writes itself as DER.
///
/// ```
/// use adamant_der::{Oid, Reader, Writer, oid};
/// use adamant_x509::Element;
///
/// let mut w = Writer::new();
/// oid!("2.5.4.3").write(&mut w);
/// let der = w.finish();
/// assert_eq!(Oid::read(&mut Reader::new(&der)), Ok(oid!("2.5.4.3")));
/// ```
///
/// An element that was read writes the same octets again, unless a [`Leniency`] let it pass.
pub trait Element<'a>: Copy + 'a {
    /// Takes the next element.
    ///
    /// # Errors
    /// [`crate::Error`] with the position of what is wrong.
    fn read(r: &mut Reader<'a>) -> Result<Self>;

    /// Appends the element.
    fn write(&self, w: &mut Writer);
}

impl<'a> Element<'a> for Oid {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Ok(r.oid()?)
    }

    fn write(&self, w: &mut Writer) {
        w.oid(self);
    }
}

/// A SEQUENCE OF: elements in an encoding that were all read once, or elements to be written.
///
/// ```
/// use adamant_der::{Oid, oid};
/// use adamant_x509::List;
///
/// let purposes = [oid!("1.3.6.1.5.5.7.3.1"), oid!("1.3.6.1.5.5.7.3.2")];
/// let list = List::new(&purposes);
/// assert!(list.iter().eq(purposes));
/// ```
#[derive(Clone, Copy)]
pub struct List<'a, T> {
    source: Source<'a, T>,
}

#[derive(Clone, Copy)]
enum Source<'a, T> {
    Der(Reader<'a>),
    Items(&'a [T]),
}

impl<'a, T: Element<'a>> List<'a, T> {
    /// The list of these elements.
    pub const fn new(items: &'a [T]) -> Self {
        Self {
            source: Source::Items(items),
        }
    }

    /// The elements, one after another.
    pub const fn iter(&self) -> ListIter<'a, T> {
        ListIter {
            source: self.source,
        }
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        match self.source {
            Source::Der(reader) => reader.is_empty(),
            Source::Items(items) => items.is_empty(),
        }
    }

    /// About how long it takes to go through the list: its octets if it was read, and what stands
    /// for them of elements that are to be written.
    pub(crate) const fn octets(&self) -> usize {
        match self.source {
            Source::Der(reader) => reader.rest().len(),
            Source::Items(items) => core::mem::size_of_val(items),
        }
    }

    /// The list in this element's contents, under whatever tag, which may be empty.
    pub(crate) fn read_any(tlv: &Tlv<'a>) -> Result<Self> {
        let reader = tlv.reader()?;
        let mut rest = reader;
        while !rest.is_empty() {
            T::read(&mut rest)?;
        }
        Ok(Self {
            source: Source::Der(reader),
        })
    }

    /// The list in this element's contents, under whatever tag, which has an element at least.
    pub(crate) fn read_in(tlv: &Tlv<'a>) -> Result<Self> {
        if tlv.value.is_empty() {
            return Err(ErrorKind::Empty.at(tlv.position));
        }
        Self::read_any(tlv)
    }

    /// The list under an implicit tag.
    pub(crate) fn write_as(&self, tag: Tag, w: &mut Writer) {
        w.nested(tag, |w| {
            for item in self.iter() {
                item.write(w);
            }
        });
    }
}

impl<'a, T: Element<'a>> Element<'a> for List<'a, T> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Self::read_in(&r.read(Tag::SEQUENCE)?)
    }

    fn write(&self, w: &mut Writer) {
        self.write_as(Tag::SEQUENCE, w);
    }
}

impl<'a, T: Element<'a>, const N: usize> From<&'a [T; N]> for List<'a, T> {
    fn from(items: &'a [T; N]) -> Self {
        Self::new(items)
    }
}

impl<'a, T: Element<'a> + PartialEq> PartialEq for List<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'a, T: Element<'a> + fmt::Debug> fmt::Debug for List<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T: Element<'a>> IntoIterator for List<'a, T> {
    type Item = T;
    type IntoIter = ListIter<'a, T>;

    fn into_iter(self) -> ListIter<'a, T> {
        self.iter()
    }
}

/// The elements of a [`List`].
#[derive(Clone)]
pub struct ListIter<'a, T> {
    source: Source<'a, T>,
}

impl<'a, T: Element<'a>> Iterator for ListIter<'a, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match &mut self.source {
            // All elements were read when the list was: none fails now.
            Source::Der(reader) if !reader.is_empty() => T::read(reader).ok(),
            Source::Der(_) => None,
            Source::Items(items) => {
                let (first, rest) = items.split_first()?;
                *items = rest;
                Some(*first)
            }
        }
    }
}

/// Encodings of a type that borrows from what it was read from, with a label also as PEM.
macro_rules! encodings {
    ($type:ident $(, $label:literal)?) => {
        impl<'a> $type<'a> {
            /// Reads an encoding that is all there is.
            ///
            /// # Errors
            /// [`crate::Error`] with the position of what is wrong.
            pub fn from_der(der: &'a [u8]) -> crate::Result<Self> {
                crate::element::parse(der, <Self as crate::Element>::read)
            }

            /// The encoding: what was read is written again octet for octet, unless a
            /// [`Leniency`](crate::Leniency) let it pass.
            pub fn to_der(&self) -> alloc::vec::Vec<u8> {
                let mut w = adamant_der::Writer::new();
                crate::Element::write(self, &mut w);
                w.finish()
            }

            $(
                #[doc = concat!("Reads the first `", $label, "` of a text, whose octets are put into `der`.")]
                ///
                /// # Errors
                /// [`crate::Error`]; the position is one in the text, or in the decoded block.
                pub fn from_pem(text: &str, der: &'a mut alloc::vec::Vec<u8>) -> crate::Result<Self> {
                    *der = adamant_der::pem::decode_first(text, &[$label])?.into_der();
                    Self::from_der(der)
                }

                #[doc = concat!("The encoding as a `", $label, "` of PEM.")]
                pub fn to_pem(&self) -> alloc::string::String {
                    adamant_der::pem::encode($label, &self.to_der())
                }
            )?
        }
    };
}
pub(crate) use encodings;

/// Reads all of `input` as one element.
pub(crate) fn parse<'a, T>(
    input: &'a [u8],
    read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
) -> Result<T> {
    within(Reader::new(input), read)
}

/// Reads all that is left.
pub(crate) fn within<'a, T>(
    mut inner: Reader<'a>,
    read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
) -> Result<T> {
    // The value may be large: it stays in its place.
    let mut value = read(&mut inner);
    if value.is_ok()
        && let Err(error) = inner.finish()
    {
        value = Err(error.into());
    }
    value
}

/// Reads all contents of the next element, which must have this tag.
pub(crate) fn nested<'a, T>(
    r: &mut Reader<'a>,
    tag: Tag,
    read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
) -> Result<T> {
    within(r.enter(tag)?, read)
}

/// Reads all contents of a SEQUENCE.
pub(crate) fn sequence<'a, T>(
    r: &mut Reader<'a>,
    read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
) -> Result<T> {
    nested(r, Tag::SEQUENCE, read)
}

/// Reads `[number] EXPLICIT … OPTIONAL`.
pub(crate) fn optional_explicit<'a, T>(
    r: &mut Reader<'a>,
    number: u8,
    read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
) -> Result<Option<T>> {
    match r.optional(Tag::context_constructed(number))? {
        Some(tlv) => within(tlv.reader()?, read).map(Some),
        None => Ok(None),
    }
}

/// Reads the elements of a SET OF, which must be in DER's order (X.690, 11.6), in this
/// element's contents.
pub(crate) fn set_of<'a>(
    tlv: &Tlv<'a>,
    mut read: impl FnMut(&mut Reader<'a>) -> Result<()>,
) -> Result<()> {
    let mut rest = tlv.reader()?;
    let mut previous: Option<&[u8]> = None;
    while !rest.is_empty() {
        let start = rest;
        read(&mut rest)?;
        let element = &start.rest()[..rest.position() - start.position()];
        if previous.is_some_and(|previous| element < previous) {
            return Err(start.error(Der::UnsortedSet).into());
        }
        previous = Some(element);
    }
    Ok(())
}

/// `[0] EXPLICIT INTEGER DEFAULT v1`: the number, which is not written where it is zero.
pub(crate) fn default_version(r: &mut Reader<'_>, max: u8) -> Result<u8> {
    let version = optional_explicit(r, 0, |r| {
        let tlv = r.read(Tag::INTEGER)?;
        match *tlv.value {
            [0] if !tlv.lets_pass(Leniency::ENCODED_DEFAULTS) => {
                Err(tlv.value_error(Der::ExplicitDefault).into())
            }
            [n] if n <= max => Ok(n),
            _ => Err(bad_integer(&tlv).unwrap_or(ErrorKind::BadVersion.at(tlv.value_position()))),
        }
    })?;
    Ok(version.unwrap_or(0))
}

/// An INTEGER that must have this value: a version that is always written.
pub(crate) fn version(r: &mut Reader<'_>, allowed: &[u8]) -> Result<u8> {
    let tlv = r.read(Tag::INTEGER)?;
    match *tlv.value {
        [n] if allowed.contains(&n) => Ok(n),
        _ => Err(bad_integer(&tlv).unwrap_or(ErrorKind::BadVersion.at(tlv.value_position()))),
    }
}

fn bad_integer(tlv: &Tlv<'_>) -> Option<Error> {
    tlv.integer_bytes().err().map(Error::from)
}

/// Reads an implicitly tagged element if it is there.
pub(crate) fn optional<'a, T>(
    r: &mut Reader<'a>,
    tag: Tag,
    read: impl FnOnce(&Tlv<'a>) -> Result<T>,
) -> Result<Option<T>> {
    r.optional(tag)?.map(|tlv| read(&tlv)).transpose()
}

/// In order. A heap is a tenth of the code of the library's sorts, and no input takes it long.
pub(crate) fn sorted<T: Ord>(items: Vec<T>) -> Vec<T> {
    BinaryHeap::from(items).into_sorted_vec()
}

/// Whether these are the octets of a known identifier. They are few: comparing them one by one
/// is quicker than a call of the library's comparison, from the end on, where identifiers of one
/// family differ.
#[inline(always)]
pub(crate) fn is_oid(octets: &[u8], known: &[u8]) -> bool {
    if cfg!(feature = "small") {
        return octets == known;
    }
    let mut pairs = octets.iter().rev().zip(known.iter().rev());
    octets.len() == known.len() && pairs.all(|(a, b)| a == b)
}
