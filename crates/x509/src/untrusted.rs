//! Text that somebody else wrote, and the one way to show it.

use alloc::string::String;
use core::fmt::{self, Write};

/// Text from a certificate, a request, a peer: bytes that claim to be UTF-8.
///
/// A terminal obeys control characters, and a line end begins a line that looks like the
/// program's own. So there is no `Display`: what is shown is [`Untrusted::escaped`].
///
/// ```
/// use adamant_x509::Untrusted;
///
/// let name = Untrusted::new("bücher\u{1b}[2J\nvalid: yes");
/// assert_eq!(name.escaped().to_string(), "bücher\\u{1b}[2J\\nvalid: yes");
/// assert_eq!(Untrusted::new(b"\xff\\").escaped().to_string(), "\\xff\\\\");
/// ```
///
/// ```compile_fail
/// println!("{}", adamant_x509::Untrusted::new("name"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Untrusted<'a>(&'a [u8]);

impl<'a> Untrusted<'a> {
    /// These bytes.
    pub fn new<T: AsRef<[u8]> + ?Sized>(text: &'a T) -> Self {
        Untrusted(text.as_ref())
    }

    /// The text with escapes for what would not show as itself: controls, line separators, marks
    /// of direction and other formats, spaces but the common one, characters that are not
    /// assigned, and bytes that are not UTF-8. Escapes are those of Rust's literals: `\n`, `\r`,
    /// `\t`, `\0`, `\\`, `\u{…}`, and `\x…` for a byte that is not UTF-8. So every text has a form
    /// of its own.
    #[must_use]
    pub const fn escaped(self) -> Escaped<'a> {
        self.escaped_but("")
    }

    /// The same, with these characters as they are: where text has lines of its own, `"\n"`.
    #[must_use]
    pub const fn escaped_but(self, kept: &'static str) -> Escaped<'a> {
        Escaped { text: self, kept }
    }

    /// Whether a character shows as itself, and changes nothing of what is around it: no control,
    /// no format, no space but the common one, no line or paragraph separator, none that is
    /// private or not assigned.
    ///
    /// ```
    /// use adamant_x509::Untrusted;
    /// assert!(Untrusted::shows('ü') && !Untrusted::shows('\u{202e}'));
    /// ```
    #[must_use]
    pub fn shows(c: char) -> bool {
        is_shown(c)
    }
}

impl fmt::Debug for Untrusted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Untrusted(\"{}\")", self.escaped())
    }
}

/// [`Untrusted`] text as it is shown.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a> {
    text: Untrusted<'a>,
    kept: &'static str,
}

impl Escaped<'_> {
    fn write(&self, f: &mut impl Write) -> fmt::Result {
        for chunk in self.text.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    c if self.kept.contains(c) => f.write_char(c)?,
                    '\\' => f.write_str("\\\\")?,
                    c if is_shown(c) => f.write_char(c)?,
                    '\n' => f.write_str("\\n")?,
                    '\r' => f.write_str("\\r")?,
                    '\t' => f.write_str("\\t")?,
                    '\0' => f.write_str("\\0")?,
                    c => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_none() && f.precision().is_none() {
            return self.write(f);
        }
        // Widths count characters.
        let mut text = String::new();
        self.write(&mut text)?;
        f.pad(&text)
    }
}

/// See [`Untrusted::shows`].
pub(crate) fn is_shown(c: char) -> bool {
    if c.is_ascii() {
        return c == ' ' || c.is_ascii_graphic();
    }
    // The standard library knows which: after a letter, marks that combine are shown too.
    let mut pair = [b'a', 0, 0, 0, 0];
    let len = 1 + c.encode_utf8(&mut pair[1..]).len();
    let pair = core::str::from_utf8(&pair[..len]);
    pair.is_ok_and(|pair| pair.escape_debug().nth(1) == Some(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    /// The octets that escapes stand for.
    fn unescaped(text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                bytes.extend(c.to_string().bytes());
                continue;
            }
            let escaped = match rest.next().unwrap() {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '0' => '\0',
                '\\' => '\\',
                'x' => {
                    let digits: String = rest.by_ref().take(2).collect();
                    bytes.push(u8::from_str_radix(&digits, 16).unwrap());
                    continue;
                }
                'u' => {
                    assert_eq!(rest.next(), Some('{'));
                    let digits: String = rest.by_ref().take_while(|c| *c != '}').collect();
                    char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap()
                }
                c => panic!("{c:?}"),
            };
            bytes.extend(escaped.to_string().bytes());
        }
        bytes
    }

    #[test]
    fn every_character() {
        // All of the basic plane, and a sample of the others.
        for c in ('\0'..='\u{ffff}').chain(('\u{10000}'..=char::MAX).step_by(101)) {
            let text = c.to_string();
            let escaped = Untrusted::new(&text).escaped().to_string();
            assert_eq!(unescaped(&escaped), text.as_bytes(), "{c:?}");
            assert!(escaped.chars().all(is_shown), "{c:?}");
            assert!(c == '\\' || is_shown(c) == (escaped == text), "{c:?}");
        }
    }

    #[test]
    fn what_is_hidden_and_what_is_not() {
        let hidden = "\0\n\r\t\u{1b}\u{7f}\u{85}\u{9b}\u{a0}\u{ad}\u{61c}\u{180e}\u{200b}\u{200d}\
                      \u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\
                      \u{3000}\u{e000}\u{feff}\u{fff9}\u{e0001}\u{e0041}\u{10ffff}";
        assert!(!hidden.chars().any(is_shown));
        let shown = " ~aüßñçøğžΩяשعकไ中한あ€😀\u{301}";
        assert!(shown.chars().all(is_shown));
        assert_eq!(Untrusted::new(shown).escaped().to_string(), shown);
    }

    #[test]
    fn bytes_and_kept_characters() {
        for bytes in [
            &b"\xff"[..],
            b"a\xe2\x80",
            b"\xc0\x80",
            b"\xed\xa0\x80b",
            b"\\xff\xff",
        ] {
            let escaped = Untrusted::new(bytes).escaped().to_string();
            assert_eq!(unescaped(&escaped), bytes, "{escaped}");
        }
        let text = Untrusted::new("a\\\tb\n\u{1b}");
        assert_eq!(text.escaped_but("\n\\").to_string(), "a\\\\tb\n\\u{1b}");
        let width = std::format!("[{:4}]", Untrusted::new("\n").escaped());
        assert_eq!(width, "[\\n  ]");
    }
}
