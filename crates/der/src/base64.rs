//! Base64 (RFC 4648, 4), with the secret content of private keys in mind: eight characters at a
//! time are translated in the bytes of a word by arithmetic over the five ranges of the alphabet,
//! without a table or a branch on them. Lengths are public, and so is where a text is invalid.

use adamant_base::Wipe;
use adamant_base::ct::{self, Choice, barrier};
use alloc::string::String;
use alloc::vec::Vec;

use crate::{Error, ErrorKind, Result};

/// The same byte in all eight places.
pub(crate) const fn each(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// FF in the places whose byte is from `low` to `high`, 00 in the others. All bytes, and `high`,
/// are below 80.
#[inline(always)]
fn within(bytes: u64, low: u8, high: u8) -> u64 {
    // The top bit of byte + (80 - bound) says whether the byte reaches the bound; no place
    // carries into the next.
    let reaches = |bound| bytes + each(0x80 - bound);
    let inside = (reaches(low) & !reaches(high + 1)) & each(0x80);
    barrier((inside >> 7) * 0xff)
}

/// A range of sextets: the first and last of them, and the character of the first.
const ALPHABET: [(u8, u8, u8); 5] = [
    (0, 25, b'A'),
    (26, 51, b'a'),
    (52, 61, b'0'),
    (62, 62, b'+'),
    (63, 63, b'/'),
];

/// The sextets of eight characters, and in a second word a bit for each character that has none.
#[inline]
fn sextets(characters: u64) -> (u64, u64) {
    let ascii = characters & each(0x7f);
    let (mut offset, mut valid) = (0, 0);
    for (first, last, character) in ALPHABET {
        let range = within(ascii, character, character + (last - first));
        // The distance from character to sextet modulo 80, so that the sum below carries nothing.
        offset |= range & each((0x80 + first - character) & 0x7f);
        valid |= range;
    }
    (
        (ascii + offset) & each(0x3f),
        (!valid | characters) & each(0x80),
    )
}

/// The characters of eight sextets.
#[inline]
fn characters(sextets: u64) -> u64 {
    let mut offset = 0;
    for (first, last, character) in ALPHABET {
        offset |= within(sextets, first, last) & each((0x80 + character - first) & 0x7f);
    }
    (sextets + offset) & each(0x7f)
}

/// The text of some octets, with padding and on one line.
///
/// ```
/// assert_eq!(adamant_der::base64::encode(b"light w"), "bGlnaHQgdw==");
/// ```
pub fn encode(octets: &[u8]) -> String {
    let mut text = Vec::with_capacity(octets.len().div_ceil(3) * 4);
    encode_to(octets, &mut text);
    ct::ascii(text)
}

pub(crate) fn encode_to(octets: &[u8], text: &mut Vec<u8>) {
    for chunk in octets.chunks(6) {
        let mut word = [0; 8];
        word[2..][..chunk.len()].copy_from_slice(chunk);
        let bits = u64::from_be_bytes(word);
        let sextets = (0..8).fold(0, |word, i| word << 8 | bits >> (42 - 6 * i) & 0x3f);
        let length = (chunk.len() * 8).div_ceil(6);
        text.extend_from_slice(&characters(sextets).to_be_bytes()[..length]);
        text.extend_from_slice(&b"=="[..(6 - chunk.len()) % 3]);
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

/// How many of the last two characters are padding, which says no more than the length does.
fn padding(line: &[u8]) -> usize {
    let ends = line.iter().rev().take(2);
    let is_padding = |&&c: &&u8| Choice::eq_u64(u64::from(c), u64::from(b'=')).declassify();
    ends.take_while(is_padding).count()
}

/// Decodes a text in pieces. Its contents are wiped when it is dropped.
pub(crate) struct Decoder {
    octets: Vec<u8>,
    /// The sextets that do not make a group of four yet.
    group: u32,
    pending: usize,
}

impl Decoder {
    /// A decoder with room for all that `characters` characters can say.
    pub(crate) fn with_capacity(characters: usize) -> Self {
        Self {
            octets: Vec::with_capacity(characters / 4 * 3 + 3),
            group: 0,
            pending: 0,
        }
    }

    /// Decodes a line up to its padding, which may be `=` or `==`, and returns how many
    /// characters precede that.
    pub(crate) fn line(&mut self, line: &[u8], position: usize) -> Result<usize> {
        let body = &line[..line.len() - padding(line)];
        let mut invalid = 0;
        for chunk in body.chunks(8) {
            let mut word = [b'A'; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let (sextets, wrong) = sextets(u64::from_be_bytes(word));
            invalid |= wrong;
            let sextets = sextets.to_be_bytes();
            if (self.pending, chunk.len()) == (0, 8) {
                let bits = sextets
                    .iter()
                    .fold(0, |n, &sextet| n << 6 | u64::from(sextet));
                self.octets.extend_from_slice(&bits.to_be_bytes()[2..]);
            } else {
                sextets[..chunk.len()]
                    .iter()
                    .for_each(|&sextet| self.push(sextet));
            }
        }
        // A text that encodes nothing has no secret.
        if Choice::nonzero(invalid).declassify() {
            let is_base64 = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'+' | b'/');
            let at = body
                .iter()
                .position(|c| !is_base64(c))
                .unwrap_or(body.len());
            return Err(Error::new(ErrorKind::BadBase64, position + at));
        }
        Ok(body.len())
    }

    fn push(&mut self, sextet: u8) {
        self.group = self.group << 6 | u32::from(sextet);
        self.pending += 1;
        if self.pending == 4 {
            let [_, group @ ..] = self.group.to_be_bytes();
            self.octets.extend_from_slice(&group);
            self.pending = 0;
        }
    }

    /// The octets, given how many padding characters there were and where.
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
            // They are zero in every text that encodes something.
            if Choice::nonzero(u64::from(bytes[octets])).declassify() {
                return Err(Error::new(ErrorKind::BadBase64Padding, position - 1));
            }
            self.octets.extend_from_slice(&bytes[..octets]);
        }
        Ok(core::mem::take(&mut self.octets))
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        self.octets.wipe();
        self.group.wipe();
    }
}
