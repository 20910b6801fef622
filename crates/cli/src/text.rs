//! Bytes as text: in arguments, and as what is written and read; and text of others, which is
//! shown with escapes.

use std::ffi::OsStr;
use std::fmt::{self, Write};
use std::path::Path;
use std::str::FromStr;

use adamant::der::base64;
use adamant::x509::{DistinguishedName, Escaped, SecretBytes, Untrusted};
use serde_json::Value;

/// Text of somebody else, as it is shown.
pub(crate) fn shown<T: AsRef<[u8]> + ?Sized>(text: &T) -> Escaped<'_> {
    Untrusted::new(text).escaped()
}

/// The name of a file, as it is shown: without doubled backslashes, which some names have.
pub(crate) fn shown_name(name: &OsStr) -> Escaped<'_> {
    Untrusted::new(name.as_encoded_bytes()).escaped_but("\\")
}

/// The same of a path.
pub(crate) fn shown_path(path: &Path) -> Escaped<'_> {
    shown_name(path.as_os_str())
}

/// A distinguished name that was kept as text (RFC 4514), as it is shown.
pub(crate) fn shown_subject(text: &str) -> String {
    match text.parse::<DistinguishedName>() {
        Ok(name) => name.to_string(),
        Err(_) => shown(text).to_string(),
    }
}

/// A value as JSON on one line, in which every character shows as itself: others are escaped, as
/// JSON itself does for some of them.
pub(crate) struct Json<'a>(pub(crate) &'a Value);

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Beyond strings all is ASCII.
        for c in self.0.to_string().chars() {
            if Untrusted::shows(c) {
                f.write_char(c)?;
                continue;
            }
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(f, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}

/// Bytes of an argument: `hex:` and hexadecimal digits, or those of any other text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Octets(pub(crate) Vec<u8>);

impl FromStr for Octets {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix("hex:") {
            None => Ok(Octets(text.as_bytes().to_vec())),
            Some(digits) => unhex(digits.as_bytes())
                .map(Octets)
                .ok_or("hexadecimal digits have to follow hex:"),
        }
    }
}

/// How bytes are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Coding {
    /// The bytes as they are
    #[default]
    Raw,
    /// As hexadecimal digits, on one line
    Hex,
    /// As base64, on one line
    Base64,
}

impl Coding {
    pub(crate) fn encode(self, bytes: &[u8]) -> SecretBytes {
        let text = match self {
            Coding::Raw => return SecretBytes::from(bytes.to_vec()),
            Coding::Hex => hex(bytes),
            Coding::Base64 => base64::encode(bytes),
        };
        // No copy stays behind.
        let mut line = Vec::with_capacity(text.len() + 1);
        line.extend_from_slice(text.as_bytes());
        line.push(b'\n');
        drop(SecretBytes::from(text.into_bytes()));
        SecretBytes::from(line)
    }

    /// What was written so; white space around a text does not count.
    pub(crate) fn decode(self, text: &[u8]) -> Result<SecretBytes, &'static str> {
        let bytes = match self {
            Coding::Raw => text.to_vec(),
            Coding::Hex => unhex(text.trim_ascii()).ok_or("these are not hexadecimal digits")?,
            Coding::Base64 => {
                base64::decode(text.trim_ascii()).map_err(|_| "this is not base64")?
            }
        };
        Ok(SecretBytes::from(bytes))
    }

    /// Whether a terminal can show it.
    pub(crate) fn is_binary(self) -> bool {
        self == Coding::Raw
    }
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The bytes of hexadecimal digits.
pub(crate) fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
    if !text.len().is_multiple_of(2) {
        return None;
    }
    text.chunks_exact(2)
        .map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codings() {
        let bytes = [0, 0x5a, 0xff];
        for (coding, text) in [
            (Coding::Raw, &bytes[..]),
            (Coding::Hex, b"005aff\n"),
            (Coding::Base64, b"AFr/\n"),
        ] {
            assert_eq!(coding.encode(&bytes)[..], *text);
            assert_eq!(coding.decode(text).ok().unwrap()[..], bytes);
        }
        assert!(Coding::Hex.decode(b"0").is_err() && Coding::Base64.decode(b"*").is_err());
    }

    #[test]
    fn json_of_others() {
        let value = Value::from("a\u{1b}\n\u{9b}\u{202e}\u{e0041}ü\u{7f}\\");
        let text = Json(&value).to_string();
        assert_eq!(text, r#""a\u001b\n\u009b\u202e\udb40\udc41ü\u007f\\""#);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn subjects() {
        assert_eq!(shown_subject("CN=a\\,b,O=c"), "CN=a\\,b,O=c");
        assert_eq!(shown_subject("CN=a\u{1b}[2J\nO=b"), "CN=a\\1b[2J\\0aO=b");
        assert_eq!(shown_subject("a\n\\"), "a\\n\\\\");
    }

    #[test]
    fn arguments() {
        assert_eq!("hex:00fF".parse(), Ok(Octets(vec![0, 0xff])));
        assert_eq!("00ff".parse(), Ok(Octets(b"00ff".to_vec())));
        assert!("hex:0".parse::<Octets>().is_err());
    }
}
