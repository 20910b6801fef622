//! Base64 (RFC 4648, 4), with the secret content of private keys in mind: characters and sextets
//! are translated by arithmetic over all ranges of the alphabet, without a table or a branch on
//! them. Lengths are public, and so is where an invalid text is invalid.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{Error, ErrorKind, Result};

/// All ones where `low <= value <= high`, zero elsewhere; values below 2^15.
const fn within(value: i32, low: i32, high: i32) -> i32 {
    !((value - low) | (high - value)) >> 31 & -1
}

/// The sextet of a character, or -1.
#[inline]
fn sextet(character: u8) -> i32 {
    let c = i32::from(core::hint::black_box(character));
    // The ranges are disjoint: at most one term differs from zero.
    (within(c, 0x41, 0x5a) & (c - 0x41 + 1))
        + (within(c, 0x61, 0x7a) & (c - 0x61 + 26 + 1))
        + (within(c, 0x30, 0x39) & (c - 0x30 + 52 + 1))
        + (within(c, 0x2b, 0x2b) & (62 + 1))
        + (within(c, 0x2f, 0x2f) & (63 + 1))
        - 1
}

/// The character of a sextet.
#[inline]
fn character(sextet: u8) -> u8 {
    let s = i32::from(core::hint::black_box(sextet));
    let c = (within(s, 0, 25) & (s + 0x41))
        + (within(s, 26, 51) & (s - 26 + 0x61))
        + (within(s, 52, 61) & (s - 52 + 0x30))
        + (within(s, 62, 62) & 0x2b)
        + (within(s, 63, 63) & 0x2f);
    c as u8
}

/// The text of some octets, with padding and on one line.
///
/// ```
/// assert_eq!(adamant_der::base64::encode(b"light w"), "bGlnaHQgdw==");
/// ```
pub fn encode(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len().div_ceil(3) * 4);
    encode_to(octets, &mut text);
    text
}

pub(crate) fn encode_to(octets: &[u8], text: &mut String) {
    for chunk in octets.chunks(3) {
        let group = chunk.iter().fold(0, |n, &b| n << 8 | u32::from(b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let sextet = (group >> (18 - 6 * i)) as u8 & 0x3f;
            text.push(if i <= chunk.len() { char::from(character(sextet)) } else { '=' });
        }
    }
}

/// The octets of a text on one line.
///
/// ```
/// use adamant_der::{ErrorKind, base64};
///
/// assert_eq!(base64::decode("bGlnaHQgdw==").unwrap(), b"light w");
/// assert_eq!(base64::decode("bGln*HQgdw==").unwrap_err().position(), 4);
/// assert_eq!(base64::decode("bGlnaHQgdw").unwrap_err().kind(), ErrorKind::BadBase64Padding);
/// ```
///
/// # Errors
/// [`ErrorKind::BadBase64`] at the first character that is none, [`ErrorKind::BadBase64Padding`]
/// for padding that is missing, excessive or covers bits that are not zero.
pub fn decode(text: impl AsRef<[u8]>) -> Result<Vec<u8>> {
    let text = text.as_ref();
    let mut decoder = Decoder::with_capacity(text.len());
    let characters = decoder.line(text, 0)?;
    decoder.finish(text.len() - characters, characters)
}

/// Decodes a text in pieces.
pub(crate) struct Decoder {
    octets: Vec<u8>,
    /// The sextets that do not make a group of four yet.
    group: u32,
    pending: usize,
}

impl Decoder {
    /// A decoder with room for all that `characters` characters can say.
    pub(crate) fn with_capacity(characters: usize) -> Self {
        Self { octets: Vec::with_capacity(characters / 4 * 3 + 3), group: 0, pending: 0 }
    }

    /// Decodes a line up to its padding, which may be `=` or `==`, and returns how many
    /// characters precede that.
    pub(crate) fn line(&mut self, line: &[u8], position: usize) -> Result<usize> {
        let body = line.strip_suffix(b"=").unwrap_or(line);
        let body = body.strip_suffix(b"=").unwrap_or(body);
        let mut invalid = 0;
        for &c in body {
            let value = sextet(c);
            invalid |= value;
            self.group = self.group << 6 | (value & 0x3f) as u32;
            self.pending += 1;
            if self.pending == 4 {
                let [_, group @ ..] = self.group.to_be_bytes();
                self.octets.extend_from_slice(&group);
                self.pending = 0;
            }
        }
        if invalid < 0 {
            // The text is no key, whose characters could be secret: look for the first wrong one.
            let at = body.iter().position(|&c| sextet(c) < 0).unwrap_or(body.len());
            return Err(Error::new(ErrorKind::BadBase64, position + at));
        }
        Ok(body.len())
    }

    /// The octets, given how many padding characters there were and where they stood.
    pub(crate) fn finish(mut self, padding: usize, position: usize) -> Result<Vec<u8>> {
        let octets = match (self.pending, padding) {
            (0, 0) => 0,
            (2, 2) => 1,
            (3, 1) => 2,
            _ => return Err(Error::new(ErrorKind::BadBase64Padding, position)),
        };
        if octets > 0 {
            let group = self.group << (6 * (4 - self.pending));
            let [_, bytes @ ..] = group.to_be_bytes();
            if bytes[octets] != 0 {
                return Err(Error::new(ErrorKind::BadBase64Padding, position - 1));
            }
            self.octets.extend_from_slice(&bytes[..octets]);
        }
        Ok(self.octets)
    }
}
