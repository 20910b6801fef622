//! Bytes as text: in arguments, and as what is written and read.

use std::str::FromStr;

use adamant::der::base64;
use adamant::x509::SecretBytes;

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
    /// As they are
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
    use std::fmt::Write;
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
    fn arguments() {
        assert_eq!("hex:00fF".parse(), Ok(Octets(vec![0, 0xff])));
        assert_eq!("00ff".parse(), Ok(Octets(b"00ff".to_vec())));
        assert!("hex:0".parse::<Octets>().is_err());
    }
}
