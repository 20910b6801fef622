//! Base64 (RFC 4648, 4), with the secret content of private keys in mind: eight characters at a
//! time are translated in the bytes of a word by arithmetic over the five ranges of the alphabet,
//! without a table or a branch on them. Lengths are public, and so is where a text is invalid.

use adamant_base::Wipe;
use adamant_base::ct::{self, Choice, barrier};
use alloc::string::String;
use alloc::vec::Vec;
use core::slice;

use crate::{Error, ErrorKind, Result};

/// The same byte in all eight places.
const fn each(byte: u8) -> u64 {
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

/// Up to eight characters, the first in the highest bits, before as many `A` as are missing.
#[inline]
fn word(characters: &[u8]) -> u64 {
    let mut word = [b'A'; 8];
    word[..characters.len()].copy_from_slice(characters);
    u64::from_be_bytes(word)
}

/// Where the first of these characters is. None of them is base64, so that it says nothing of what
/// base64 encodes.
#[inline(never)]
pub(crate) fn find(text: &[u8], characters: &[u8]) -> Option<usize> {
    text.chunks(8).enumerate().find_map(|(i, chunk)| {
        let word = word(chunk);
        let is = |found, &c: &u8| found | within(word & each(0x7f), c, c);
        let mut found = characters.iter().fold(0, is) & !word & each(0x80);
        ct::mark_public_value(&mut found);
        (found != 0).then(|| 8 * i + found.leading_zeros() as usize / 8)
    })
}

/// How many of the last characters, of as many as these are at most, are one of them.
pub(crate) fn at_end(line: &[u8], most: usize, characters: &[u8]) -> usize {
    let ends = line.iter().rev().take(most);
    ends.take_while(|c| find(slice::from_ref(c), characters).is_some())
        .count()
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
        // How much padding there is says no more than the length does.
        let body = &line[..line.len() - at_end(line, 2, b"=")];
        let mut invalid = 0;
        for chunk in body.chunks(8) {
            let (sextets, wrong) = sextets(word(chunk));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_found_where_they_are() {
        for characters in [&b"\n\r"[..], b"-", b":", b"=", b" \t\x0c"] {
            for filler in [
                0,
                b'A',
                0x7f,
                0x80,
                0xff,
                characters[0] ^ 0x80,
                characters[0] + 1,
            ] {
                for (length, octet) in (0..=17).flat_map(|n| (0..=255).map(move |c| (n, c))) {
                    for place in 0..length {
                        let mut text = vec![filler; length];
                        text[place] = octet;
                        let first = text.iter().position(|c| characters.contains(c));
                        assert_eq!(find(&text, characters), first, "{text:?}");
                    }
                }
            }
            let line = [b"A", characters, characters].concat();
            for most in 0..=line.len() {
                let expected = most.min(2 * characters.len());
                assert_eq!(at_end(&line, most, characters), expected);
            }
        }
        assert_eq!(find(b"", b"-"), None);
    }
}
