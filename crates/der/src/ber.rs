//! BER (X.690, 8) made DER, for files of others that are not in DER.
//!
//! Nothing else here reads BER: callers that have to ask for it by calling [`to_der`] first.

use adamant_base::Wipe;
use alloc::vec::Vec;

use crate::{Error, ErrorKind, MAX_DEPTH, Result, Tag, Writer};

/// The elements in `ber`, in DER: lengths are definite and short, strings in one piece, the
/// elements of a SET in order, TRUE is FF and unused bits are zero.
///
/// ```
/// use adamant_der::ber::to_der;
///
/// // SEQUENCE { OCTET STRING "abc", in two pieces, BOOLEAN TRUE }, of indefinite lengths
/// let ber = [0x30, 0x80, 0x24, 0x80, 4, 1, b'a', 4, 2, b'b', b'c', 0, 0, 1, 1, 1, 0, 0];
/// assert_eq!(to_der(&ber)?, [0x30, 8, 4, 3, b'a', b'b', b'c', 1, 1, 0xff]);
/// // DER stays as it is.
/// assert_eq!(to_der(&[0x30, 0])?, [0x30, 0]);
/// # Ok::<(), adamant_der::Error>(())
/// ```
///
/// Anything that only a description of the types can tell stays as well: a default that is encoded,
/// a string in pieces under an implicit tag. Contents of strings are not looked at.
///
/// The result does not allocate again while it grows: of secrets no copy is left behind, but for
/// those in a SET that is out of order.
///
/// # Errors
/// [`Error`] with the position in `ber` of what BER does not allow either.
pub fn to_der(ber: &[u8]) -> Result<Vec<u8>> {
    // Two things take more octets in DER, and of each no more than by a half: a string of bits in no
    // pieces, three for two; a definite length of 64 KiB and more, up to six with its tag for the four
    // of an indefinite one and its end.
    let mut w = Writer::with_capacity(ber.len() + ber.len() / 2);
    let mut source = Source {
        rest: ber,
        position: 0,
    };
    let mut result = Ok(());
    while result.is_ok() && !source.rest.is_empty() {
        result = source.element(0, &mut w);
    }
    let mut der = w.finish();
    if result.is_err() {
        der.wipe();
    }
    result.map(|()| der)
}

/// The rest of the input, and where it begins.
struct Source<'a> {
    rest: &'a [u8],
    position: usize,
}

/// The beginning of an element.
struct Header {
    tag: Tag,
    /// None is indefinite.
    length: Option<usize>,
    position: usize,
}

impl Header {
    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.position)
    }
}

/// The tag of the whole, of a universal string in pieces.
const fn whole(tag: Tag) -> Option<Tag> {
    match (tag.octet() & 0xe0, tag.number()) {
        (0x20, 3 | 4 | 7 | 12 | 18..=28 | 30) => Tag::from_octet(tag.octet() & 0x1f),
        _ => None,
    }
}

impl<'a> Source<'a> {
    /// Takes octets of the element that begins at `start`.
    fn take(&mut self, len: usize, start: usize) -> Result<&'a [u8]> {
        let truncated = Error::new(ErrorKind::Truncated, start);
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(truncated)?;
        self.rest = rest;
        self.position += len;
        Ok(taken)
    }

    fn octet(&mut self, start: usize) -> Result<u8> {
        self.take(1, start).map(|octets| octets[0])
    }

    /// Takes identifier and length (8.1.2, 8.1.3).
    fn header(&mut self, depth: u8) -> Result<Header> {
        let start = self.position;
        let error = |kind| Error::new(kind, start);
        let tag = Tag::from_octet(self.octet(start)?).ok_or(error(ErrorKind::HighTagNumber))?;
        if !tag.is_allowed() && whole(tag).is_none() {
            return Err(error(ErrorKind::InvalidTag));
        }
        if depth > MAX_DEPTH {
            return Err(error(ErrorKind::NestingTooDeep));
        }
        let bad_length = |kind| Error::new(kind, start + 1);
        let length = match self.octet(start)? {
            short @ 0..=0x7f => Some(usize::from(short)),
            0x80 if tag.is_constructed() => None,
            0x80 => return Err(bad_length(ErrorKind::IndefiniteLength)),
            long => {
                let octets = self.take(usize::from(long & 0x7f), start)?;
                let length = octets.iter().try_fold(0_u32, |n, &octet| {
                    Some(n.checked_mul(256)? | u32::from(octet))
                });
                let length = length.and_then(|length| usize::try_from(length).ok());
                Some(length.ok_or(bad_length(ErrorKind::LengthTooLarge))?)
            }
        };
        Ok(Header {
            tag,
            length,
            position: start,
        })
    }

    /// Calls `each` before every element of the contents.
    fn contents(
        &mut self,
        header: &Header,
        mut each: impl FnMut(&mut Source<'a>) -> Result<()>,
    ) -> Result<()> {
        if let Some(length) = header.length {
            let position = self.position;
            let rest = self.take(length, header.position)?;
            let mut inner = Source { rest, position };
            while !inner.rest.is_empty() {
                each(&mut inner)?;
            }
            return Ok(());
        }
        while !self.rest.starts_with(&[0, 0]) {
            each(self)?;
        }
        self.take(2, header.position).map(drop)
    }

    /// Takes an element that `depth` others enclose, and appends it.
    fn element(&mut self, depth: u8, w: &mut Writer) -> Result<()> {
        let header = self.header(depth)?;
        let tag = header.tag;
        match (whole(tag), header.length) {
            (Some(Tag::BIT_STRING), _) => w.bit_string_in_pieces(|w, unused| {
                // All pieces but the last have whole octets (8.6.4).
                let mut append = |piece: &'a [u8], at| match piece {
                    [here @ 0..=7, octets @ ..]
                        if *unused == 0 && (*here == 0 || !octets.is_empty()) =>
                    {
                        *unused = *here;
                        w.raw(octets);
                        Ok(())
                    }
                    _ => Err(Error::new(ErrorKind::BadBitString, at)),
                };
                self.pieces(&header, Tag::BIT_STRING, depth, &mut append)
            }),
            // Pieces of all other strings are OCTET STRINGs (8.21, 8.23).
            (Some(whole), _) => w.nested(whole, |w| {
                self.pieces(&header, Tag::OCTET_STRING, depth, &mut |piece, _| {
                    w.raw(piece);
                    Ok(())
                })
            }),
            (None, _) if tag == Tag::SET => w.nested(tag, |w| {
                let mut elements = Vec::new();
                self.contents(&header, |source| {
                    let from = w.len();
                    source.element(depth + 1, w)?;
                    elements.push(from..w.len());
                    Ok(())
                })?;
                w.sort(elements);
                Ok(())
            }),
            (None, Some(length)) if !tag.is_constructed() => {
                let value = self.take(length, header.position)?;
                match (tag, value) {
                    (Tag::BOOLEAN, [octet]) => w.boolean(*octet != 0),
                    (Tag::BIT_STRING, [unused @ 1..=7, bits @ ..]) if !bits.is_empty() => {
                        w.bit_string(bits, *unused);
                    }
                    _ => w.tlv(tag, value),
                }
                Ok(())
            }
            (None, _) => w.nested(tag, |w| {
                self.contents(&header, |source| source.element(depth + 1, w))
            }),
        }
    }

    /// Hands on the contents of all pieces of a string, which have the tag `piece`, each with its
    /// position.
    fn pieces(
        &mut self,
        header: &Header,
        piece: Tag,
        depth: u8,
        append: &mut dyn FnMut(&'a [u8], usize) -> Result<()>,
    ) -> Result<()> {
        self.contents(header, |source| {
            let header = source.header(depth + 1)?;
            match header.length {
                Some(length) if header.tag == piece => {
                    let position = source.position;
                    append(source.take(length, header.position)?, position)
                }
                _ if whole(header.tag) == Some(piece) => {
                    source.pieces(&header, piece, depth + 1, append)
                }
                _ => Err(header.error(ErrorKind::UnexpectedTag {
                    expected: piece,
                    actual: header.tag,
                })),
            }
        })
    }
}
