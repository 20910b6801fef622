//! Lines of digests and names, as the checksum programs of GNU coreutils write and read them.
//!
//! | form | line |
//! |---|---|
//! | plain | `DIGEST  NAME`, or `DIGEST *NAME` for binary mode |
//! | tagged (BSD) | `TAG (NAME) = DIGEST` |
//! | reversed (BSD `-r`), read only | `DIGEST NAME` |
//!
//! A name with a backslash, newline or carriage return is written with `\\`, `\n` and `\r`, and
//! the line then begins with a backslash.

use std::borrow::Cow;

use super::algorithm::Chosen;
use crate::text::{hex, unhex};

/// How lines are written.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(crate) tag: Option<&'static str>,
    pub(crate) binary: bool,
    /// Lines end with a zero byte, and names are not escaped.
    pub(crate) zero: bool,
}

/// The line of a digest.
pub(crate) fn written(style: Style, name: &[u8], digest: &[u8]) -> Vec<u8> {
    let (mark, name) = if style.zero {
        ("", Cow::Borrowed(name))
    } else {
        escaped(name)
    };
    let mut line = mark.as_bytes().to_vec();
    let digest = hex(digest);
    match style.tag {
        Some(tag) => {
            line.extend([tag.as_bytes(), b" (", &name, b") = ", digest.as_bytes()].concat());
        }
        None => {
            let mode = if style.binary { b"*" } else { b" " };
            line.extend([digest.as_bytes(), b" ", mode, &name].concat());
        }
    }
    line.push(if style.zero { 0 } else { b'\n' });
    line
}

/// The name as it is printed on a line of its own, and the mark before such a line.
pub(crate) fn escaped(name: &[u8]) -> (&'static str, Cow<'_, [u8]>) {
    if !name.iter().any(|b| b"\\\n\r".contains(b)) {
        return ("", Cow::Borrowed(name));
    }
    let mut out = Vec::with_capacity(name.len() + 2);
    for &byte in name {
        match byte {
            b'\\' => out.extend(b"\\\\"),
            b'\n' => out.extend(b"\\n"),
            b'\r' => out.extend(b"\\r"),
            _ => out.push(byte),
        }
    }
    ("\\", Cow::Owned(out))
}

fn unescaped(name: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            _ => byte,
        });
    }
    Some(out)
}

/// What a line claims.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) name: Vec<u8>,
    pub(crate) digest: Vec<u8>,
}

/// A reader of lines: the first plain or reversed line of a list decides between the two.
#[derive(Default)]
pub(crate) struct Reader {
    reversed: Option<bool>,
}

impl Reader {
    /// The claim of a line without its end; `None` if it is not properly formatted.
    pub(crate) fn claim(&mut self, chosen: &Chosen, line: &[u8]) -> Option<Claim> {
        let line = line.trim_ascii_start();
        let (escaped, line) = match line.strip_prefix(b"\\") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (name, digest) = match tagged(chosen.algorithm.tag, line) {
            Some(parts) => parts,
            None => self.plain(line)?,
        };
        let digest = unhex(digest)?;
        let name = if escaped {
            unescaped(name)?
        } else {
            name.to_vec()
        };
        let proper = chosen.accepts(digest.len()) && !name.is_empty() && !name.contains(&0);
        proper.then_some(Claim { name, digest })
    }

    fn plain<'a>(&mut self, line: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let end = line.iter().position(|b| b" \t".contains(b))?;
        let (digest, rest) = (&line[..end], &line[end + 1..]);
        // A line that is no digest decides nothing.
        unhex(digest).filter(|digest| !digest.is_empty())?;
        let marked = rest.len() > 1 && b" *".contains(&rest[0]);
        if marked && self.reversed != Some(true) {
            self.reversed = Some(false);
            return Some((&rest[1..], digest));
        }
        if self.reversed == Some(false) {
            return None;
        }
        self.reversed = Some(true);
        Some((rest, digest))
    }
}

/// Name and digest of a line `TAG (NAME) = DIGEST`; OpenSSL writes it without spaces before the
/// sign.
fn tagged<'a>(tag: &str, line: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let rest = line.strip_prefix(tag.as_bytes())?;
    let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
    let end = rest.iter().rposition(|&b| b == b')')?;
    let digest = rest[end + 1..].trim_ascii_start().strip_prefix(b"=")?;
    Some((&rest[..end], digest.trim_ascii_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style {
        tag: None,
        binary: false,
        zero: false,
    };

    fn text(style: Style, name: &str) -> String {
        String::from_utf8(written(style, name.as_bytes(), &[0xab, 0x01])).unwrap()
    }

    #[test]
    fn forms() {
        let tagged = Style {
            tag: Some("X"),
            ..PLAIN
        };
        let zero = Style {
            zero: true,
            ..PLAIN
        };
        let binary = Style {
            binary: true,
            ..PLAIN
        };
        assert_eq!(text(PLAIN, "a b"), "ab01  a b\n");
        assert_eq!(text(binary, "-"), "ab01 *-\n");
        assert_eq!(text(PLAIN, "a\nb\\c\r"), "\\ab01  a\\nb\\\\c\\r\n");
        assert_eq!(text(tagged, "(a)"), "X ((a)) = ab01\n");
        assert_eq!(text(tagged, "a\n"), "\\X (a\\n) = ab01\n");
        assert_eq!(text(zero, "a\n"), "ab01  a\n\0");
    }

    /// The claims of lines, for a function with output of any length.
    fn claims(lines: &[&str]) -> Vec<Option<(String, usize)>> {
        let chosen = Chosen::new("shake128", None, None).ok().unwrap();
        let mut reader = Reader::default();
        let claim = |line: &&str| reader.claim(&chosen, line.as_bytes());
        let claims = lines.iter().map(claim);
        claims
            .map(|c| c.map(|c| (String::from_utf8(c.name).unwrap(), c.digest.len())))
            .collect()
    }

    #[test]
    fn claims_are_read() {
        let some = |name: &str, length| Some((name.to_owned(), length));
        assert_eq!(
            claims(&[
                "ab01  a b",
                "AB0102 *a",
                "  ab01  a",
                "\\ab01  a\\nb\\\\",
                "SHAKE128 (a (b)) = ab01",
                "SHAKE128(a)= ab01",
                "\\SHAKE128 (\\n) = ab01",
            ]),
            [
                some("a b", 2),
                some("a", 3),
                some("a", 2),
                some("a\nb\\", 2),
                some("a (b)", 2),
                some("a", 2),
                some("\n", 2),
            ]
        );
        let improper = [
            "",
            "ab01",
            "ab0  a",
            "xy  a",
            "\\ab01  a\\x",
            "\\ab01  a\\",
            "SHAKE128 (a) ab01",
            "SHAKE128 (a) = ",
            "SHA256 (a) = ab01",
            "ab01  a\0",
        ];
        for line in improper {
            assert_eq!(claims(&[line]), [None], "{line:?}");
        }
    }

    #[test]
    fn the_first_line_decides_on_reversed_ones() {
        let some = |name: &str| Some((name.to_owned(), 2));
        assert_eq!(claims(&["ab01 a", "ab01  a"]), [some("a"), some(" a")]);
        assert_eq!(claims(&["ab01  a", "ab01 a"]), [some("a"), None]);
        assert_eq!(claims(&["no line", "ab01 a"]), [None, some("a")]);
    }

    #[test]
    fn what_is_written_is_read() {
        let chosen = Chosen::new("shake128", None, None).ok().unwrap();
        let tagged = Style {
            tag: Some("SHAKE128"),
            ..PLAIN
        };
        for name in ["a", " a ", "\\", "a\nb", "\r", "*", "(", ") = 00", "\\n"] {
            for style in [PLAIN, tagged] {
                let line = written(style, name.as_bytes(), &[1, 2, 3]);
                let claim = Reader::default().claim(&chosen, &line[..line.len() - 1]);
                let expected = Claim {
                    name: name.as_bytes().to_vec(),
                    digest: vec![1, 2, 3],
                };
                assert_eq!(claim, Some(expected), "{name:?}");
            }
        }
    }
}
