//! PEM (RFC 7468): DER as base64 between two boundary lines.
//!
//! Text outside of blocks is passed over, as in bundles of certificates with comments. Blocks
//! themselves must have the RFC's form ("textualmsg" in its section 3): base64 in lines of any
//! length, white space only at the end of lines and in blank lines before the base64, and
//! padding that is exact (on one line, stricter than the RFC). Lines may end in LF, CR LF or CR.
//!
//! A block may be a private key. Its characters are compared with the few that structure a text
//! (line ends, white space, `-`, `:`, `=`) in words of eight, of which only the places of these
//! few come out, and are decoded without branches or tables ([`crate::base64`]), so
//! that the time depends only on the lengths of the lines. The decoded bytes are wiped when a
//! [`Block`] is dropped.

use adamant_base::{Wipe, ct};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::base64::{self, Decoder, at_end, find};
use crate::{Error, ErrorKind, Result};

/// A block: what its boundaries call it, and its contents. Wiped when dropped.
pub struct Block<'a> {
    label: &'a str,
    der: Vec<u8>,
    position: usize,
}

impl<'a> Block<'a> {
    /// The label, such as `CERTIFICATE`.
    pub const fn label(&self) -> &'a str {
        self.label
    }

    /// The decoded contents.
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// The decoded contents, which are then the caller's to wipe if they are secret.
    pub fn into_der(mut self) -> Vec<u8> {
        core::mem::take(&mut self.der)
    }

    /// The offset of the first boundary in the text.
    pub const fn position(&self) -> usize {
        self.position
    }
}

impl Drop for Block<'_> {
    fn drop(&mut self) {
        self.der.wipe();
    }
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} octets at byte {}",
            self.label,
            self.der.len(),
            self.position
        )
    }
}

/// The blocks of a text, one after another. The first error is the last item.
///
/// ```
/// use adamant_der::pem;
///
/// let text = "CA of the year
/// -----BEGIN CERTIFICATE-----
/// MAMBAf8=
/// -----END CERTIFICATE-----
/// ";
/// for block in pem::decode(text) {
///     let block = block?;
///     assert_eq!((block.label(), block.der()), ("CERTIFICATE", &[0x30, 3, 1, 1, 0xff][..]));
/// }
/// # Ok::<(), adamant_der::Error>(())
/// ```
pub fn decode<T: AsRef<[u8]> + ?Sized>(text: &T) -> Blocks<'_> {
    Blocks {
        lines: Lines {
            text: text.as_ref(),
            position: 0,
        },
    }
}

/// The first block whose label is one of `labels`.
///
/// # Errors
/// [`ErrorKind::PemMissing`] at the end of the text if there is none; that of a malformed block
/// before it.
pub fn decode_first<'a, T: AsRef<[u8]> + ?Sized>(
    text: &'a T,
    labels: &[&str],
) -> Result<Block<'a>> {
    let missing = Error::new(ErrorKind::PemMissing, text.as_ref().len());
    decode(text)
        .find(|block| {
            block
                .as_ref()
                .map_or(true, |block| labels.contains(&block.label()))
        })
        .unwrap_or(Err(missing))
}

/// The text of a block, in lines of 64 characters that end in LF.
///
/// ```
/// let text = adamant_der::pem::encode("EXAMPLE", &[0x05, 0x00]);
/// assert_eq!(text, "-----BEGIN EXAMPLE-----\nBQA=\n-----END EXAMPLE-----\n");
/// ```
///
/// The text is as secret as its contents; it is written without leaving copies behind.
///
/// # Panics
/// If the label is none (RFC 7468, section 3).
pub fn encode(label: &str, der: &[u8]) -> String {
    assert!(is_label(label.as_bytes()), "not a PEM label");
    let base64 = der.len().div_ceil(3) * 4;
    let mut text = Vec::with_capacity(2 * (label.len() + 18) + base64 + base64.div_ceil(64));
    let boundary = |text: &mut Vec<u8>, begin: &str| {
        for part in [begin, label, "-----\n"] {
            text.extend_from_slice(part.as_bytes());
        }
    };
    boundary(&mut text, "-----BEGIN ");
    for line in der.chunks(48) {
        base64::encode_to(line, &mut text);
        text.push(b'\n');
    }
    boundary(&mut text, "-----END ");
    ct::ascii(text)
}

/// The iterator of [`decode`].
#[derive(Clone, Debug)]
pub struct Blocks<'a> {
    lines: Lines<'a>,
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Result<Block<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let begin = self
            .lines
            .find(|line| line.text.starts_with(b"-----BEGIN"))?;
        let block = self.block(begin);
        if block.is_err() {
            self.lines.text = &[];
        }
        Some(block)
    }
}

impl<'a> Blocks<'a> {
    fn block(&mut self, begin: Line<'a>) -> Result<Block<'a>> {
        let label = begin.label(b"-----BEGIN ")?;
        let body = self.lines.clone();
        // A dash is no base64, so that what leads with one ends the block.
        let end = self
            .lines
            .find(|line| find(line.text.get(..1).unwrap_or_default(), b"-").is_some())
            .ok_or(Error::new(ErrorKind::PemUnterminated, self.lines.position))?;
        if !end.text.starts_with(b"-----END") {
            let another = end.text.starts_with(b"-----BEGIN");
            return Err(end.error(if another {
                ErrorKind::PemUnterminated
            } else {
                ErrorKind::BadPemBoundary
            }));
        }
        if end.label(b"-----END ")? != label {
            return Err(end.error(ErrorKind::PemLabelMismatch));
        }

        let mut decoder = Decoder::with_capacity(end.position - body.position);
        let (mut padding, mut padding_at) = (0, end.position);
        let lines = body.take_while(|line| line.position < end.position);
        for line in lines.skip_while(|line| line.text.is_empty()) {
            if padding > 0 || line.text.is_empty() {
                return Err(line.error(ErrorKind::BadBase64));
            }
            if find(line.text, b":").is_some() {
                return Err(line.error(ErrorKind::PemHeaders));
            }
            let characters = decoder.line(line.text, line.position)?;
            padding = line.text.len() - characters;
            padding_at = line.position + characters;
        }
        Ok(Block {
            label,
            der: decoder.finish(padding, padding_at)?,
            position: begin.position,
        })
    }
}

/// The rest of a text, line by line.
#[derive(Clone, Debug)]
struct Lines<'a> {
    text: &'a [u8],
    position: usize,
}

/// A line without white space at its end.
#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a [u8],
    position: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.text.is_empty() {
            return None;
        }
        let end = find(self.text, b"\n\r").unwrap_or(self.text.len());
        let (text, rest) = self.text.split_at(end);
        // LF, CR LF or CR.
        let eol = find(&rest[..rest.len().min(2)], b"\n").map_or(rest.len().min(1), |lf| lf + 1);
        let line = Line {
            text: &text[..end - at_end(text, end, b" \t\x0c")],
            position: self.position,
        };
        self.text = &rest[eol..];
        self.position += end + eol;
        Some(line)
    }
}

impl<'a> Line<'a> {
    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.position)
    }

    /// The label of a boundary that begins so.
    fn label(&self, begin: &[u8]) -> Result<&'a str> {
        self.text
            .strip_prefix(begin)
            .and_then(|rest| rest.strip_suffix(b"-----"))
            .filter(|label| is_label(label))
            .and_then(|label| core::str::from_utf8(label).ok())
            .ok_or(self.error(ErrorKind::BadPemBoundary))
    }
}

/// Printable ASCII in which spaces and hyphens occur singly and within. (The RFC also has the
/// empty label; nothing uses it.)
fn is_label(label: &[u8]) -> bool {
    label
        .split(|&b| matches!(b, b' ' | b'-'))
        .all(|word| !word.is_empty() && word.iter().all(u8::is_ascii_graphic))
}
