//! Serial numbers (RFC 5280, 4.1.2.2): positive integers of at most 20 octets.

use core::fmt;

use adamant_base::Rng;
use adamant_der::{Leniency, Reader, Tag, Writer};

use crate::{Element, ErrorKind, Result};

/// A certificate's serial number.
///
/// ```
/// use adamant_x509::SerialNumber;
///
/// let serial = SerialNumber::from(0x1_0000u64);
/// assert_eq!(serial.as_bytes(), [1, 0, 0]);
/// assert_eq!(serial.to_string(), "010000");
/// assert_eq!(SerialNumber::new(&[0, 1, 0, 0]), Ok(serial));
/// ```
///
/// Zero can be read, since there are roots with it, but not issued. Lists and OCSP messages name
/// certificates by an [`AnySerial`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SerialNumber {
    /// How many octets there are, before the octets: so the derived order is the numbers'.
    len: u8,
    /// The magnitude in big-endian without leading zeros, then zeros.
    octets: [u8; Self::MAX_LEN],
}

impl SerialNumber {
    /// The most octets an encoding has, but for the sign's with [`Leniency::LONG_SERIALS`].
    pub const MAX_LEN: usize = 20;

    /// The number with this magnitude in big-endian.
    ///
    /// # Errors
    /// [`ErrorKind::SerialTooLong`] above 2^159 - 1.
    pub fn new(magnitude: &[u8]) -> Result<Self> {
        let zeros = magnitude.iter().take_while(|&&octet| octet == 0).count();
        let magnitude = &magnitude[zeros..];
        let sign_octet = usize::from(magnitude.first().is_some_and(|&octet| octet >= 0x80));
        if magnitude.len() + sign_octet > Self::MAX_LEN {
            return Err(ErrorKind::SerialTooLong.at(0));
        }
        let mut octets = [0; Self::MAX_LEN];
        octets[..magnitude.len()].copy_from_slice(magnitude);
        Ok(Self {
            len: magnitude.len() as u8,
            octets,
        })
    }

    /// A random number of 20 octets, the first bits of which are 01: 158 random bits.
    ///
    /// # Errors
    /// That of the generator.
    pub fn random(rng: &mut impl Rng) -> Result<Self> {
        let mut octets = [0; Self::MAX_LEN];
        rng.fill(&mut octets)?;
        octets[0] = octets[0] & 0x3f | 0x40;
        Ok(Self {
            len: Self::MAX_LEN as u8,
            octets,
        })
    }

    /// The magnitude in big-endian without leading zeros: nothing for zero.
    pub fn as_bytes(&self) -> &[u8] {
        &self.octets[..usize::from(self.len)]
    }

    /// Whether it is zero.
    pub const fn is_zero(&self) -> bool {
        self.len == 0
    }
}

impl From<u64> for SerialNumber {
    fn from(number: u64) -> Self {
        let bytes = number.to_be_bytes();
        let len = 8 - number.leading_zeros() as usize / 8;
        let mut octets = [0; Self::MAX_LEN];
        octets[..len].copy_from_slice(&bytes[8 - len..]);
        Self {
            len: len as u8,
            octets,
        }
    }
}

impl<'a> Element<'a> for SerialNumber {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let tlv = r.read_inline(Tag::INTEGER)?;
        read_contents(&tlv)
    }

    fn write(&self, w: &mut Writer) {
        w.integer_unsigned(self.as_bytes());
    }
}

/// The number in an element's contents, under whatever tag.
pub(crate) fn read_contents(tlv: &adamant_der::Tlv<'_>) -> Result<SerialNumber> {
    read_number(tlv, tlv.lets_pass(Leniency::LONG_SERIALS))
}

/// As [`read_contents`]; `long` if the sign may have an octet besides the 20.
fn read_number(tlv: &adamant_der::Tlv<'_>, long: bool) -> Result<SerialNumber> {
    let contents = tlv.integer_bytes()?;
    let here = tlv.value_position();
    if contents[0] >= 0x80 {
        return Err(ErrorKind::SerialNegative.at(here));
    }
    // The only zero in front, if any, is that of the sign.
    let magnitude = contents.strip_prefix(&[0]).unwrap_or(contents);
    let len = match long {
        true => magnitude.len(),
        false => contents.len(),
    };
    if len > SerialNumber::MAX_LEN {
        return Err(ErrorKind::SerialTooLong.at(here));
    }
    let mut octets = [0; SerialNumber::MAX_LEN];
    match magnitude.len() {
        len if cfg!(feature = "small") => octets[..len].copy_from_slice(magnitude),
        16.. => copy_ends::<16>(&mut octets, magnitude),
        8.. => copy_ends::<8>(&mut octets, magnitude),
        len => octets[..len].copy_from_slice(magnitude),
    }
    Ok(SerialNumber {
        len: magnitude.len() as u8,
        octets,
    })
}

/// Copies the first `N` octets and the last, which together are all: without a call.
#[inline]
fn copy_ends<const N: usize>(to: &mut [u8], from: &[u8]) {
    if let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) {
        to[..N].copy_from_slice(first);
        to[from.len() - N..from.len()].copy_from_slice(last);
    }
}

impl fmt::Display for SerialNumber {
    /// Hexadecimal, two digits per octet.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("00");
        }
        self.as_bytes()
            .iter()
            .try_for_each(|octet| write!(f, "{octet:02x}"))
    }
}

impl fmt::Debug for SerialNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A serial number as others write it: what a list or an OCSP message names a certificate by.
///
/// Some issuers numbered certificates with negative numbers, or with more than 20 octets. Such a
/// certificate is not read here, but a list that names it speaks of other certificates too.
///
/// ```
/// use adamant_x509::{AnySerial, Element, SerialNumber};
///
/// let read = |der: &'static [u8]| AnySerial::read(&mut adamant_der::Reader::new(der));
/// assert_eq!(read(&[2, 1, 7])?, SerialNumber::from(7));
/// let negative = read(&[2, 1, 0xf9])?;
/// assert_eq!(negative, AnySerial::Other(&[0xf9]));
/// assert_eq!(negative.number(), None);
/// # Ok::<(), adamant_x509::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnySerial<'a> {
    /// One that a certificate can have, be it with [`Leniency::LONG_SERIALS`].
    Number(SerialNumber),
    /// The contents of an INTEGER that is none: a negative number, or one of more than 20 octets
    /// without the sign's.
    Other(&'a [u8]),
}

impl AnySerial<'_> {
    /// The number, if it is one that a certificate can have.
    pub const fn number(&self) -> Option<&SerialNumber> {
        match self {
            Self::Number(number) => Some(number),
            Self::Other(_) => None,
        }
    }

    /// Refuses what no certificate can have.
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Self::Number(number) => SerialNumber::new(number.as_bytes()).map(drop),
            Self::Other([0x80..=0xff, ..]) => Err(ErrorKind::SerialNegative.at(0)),
            Self::Other(_) => Err(ErrorKind::SerialTooLong.at(0)),
        }
    }
}

impl From<SerialNumber> for AnySerial<'_> {
    fn from(number: SerialNumber) -> Self {
        Self::Number(number)
    }
}

impl PartialEq<SerialNumber> for AnySerial<'_> {
    fn eq(&self, number: &SerialNumber) -> bool {
        self.number() == Some(number)
    }
}

impl<'a> Element<'a> for AnySerial<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let tlv = r.read(Tag::INTEGER)?;
        // A certificate that was read with leniency is found in what was read without.
        match read_number(&tlv, true) {
            Ok(number) => Ok(Self::Number(number)),
            Err(error) => match error.kind() {
                ErrorKind::SerialNegative | ErrorKind::SerialTooLong => Ok(Self::Other(tlv.value)),
                _ => Err(error),
            },
        }
    }

    fn write(&self, w: &mut Writer) {
        match self {
            Self::Number(number) => number.write(w),
            Self::Other(contents) => w.tlv(Tag::INTEGER, contents),
        }
    }
}

impl fmt::Display for AnySerial<'_> {
    /// Hexadecimal, two digits per octet; of a negative number in two's complement, after a minus
    /// sign.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Other(contents) => {
                if matches!(contents, [0x80..=0xff, ..]) {
                    f.write_str("-")?;
                }
                contents
                    .iter()
                    .try_for_each(|octet| write!(f, "{octet:02x}"))
            }
        }
    }
}

impl fmt::Debug for AnySerial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_rand::SystemRng;
    use alloc::string::ToString;

    #[test]
    fn random_numbers_have_all_octets() {
        let mut seen = [0; 2];
        for _ in 0..100 {
            let number = SerialNumber::random(&mut SystemRng).unwrap();
            let &[first, ref rest @ ..] = number.as_bytes() else {
                panic!("{number}")
            };
            assert_eq!((first & 0xc0, rest.len()), (0x40, 19));
            seen = [seen[0] | first, seen[1] | rest[18]];
        }
        assert_eq!(seen, [0x7f, 0xff]);
    }

    #[test]
    fn zero_is_shown() {
        for zeros in [&[][..], &[0], &[0; 21]] {
            assert_eq!(SerialNumber::new(zeros).unwrap().to_string(), "00");
        }
        assert_eq!(SerialNumber::new(&[0, 1, 0]).unwrap().to_string(), "0100");
    }
}
