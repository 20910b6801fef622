//! Object identifiers (X.690, 8.19), kept as their encoding in a fixed buffer, so that one type
//! serves constants and parsed inputs alike.

use core::fmt;
use core::str::FromStr;

use crate::{Error, ErrorKind, Result};

/// The identifier of an algorithm, attribute, extension or policy.
///
/// ```
/// use adamant_der::{Oid, oid};
///
/// const SHA256: Oid = oid!("2.16.840.1.101.3.4.2.1");
/// assert_eq!(SHA256.as_bytes(), [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]);
/// assert_eq!(SHA256.to_string(), "2.16.840.1.101.3.4.2.1");
/// assert_eq!("2.16.840.1.101.3.4.2.1".parse(), Ok(SHA256));
/// assert!(SHA256.starts_with(&oid!("2.16.840.1.101.3.4")));
/// assert_eq!(Oid::from_arcs(&[2, 999, 3]).unwrap().as_bytes(), [0x88, 0x37, 0x03]);
/// ```
///
/// The order is that of the encodings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
// As words it is copied by shorter code.
#[cfg_attr(feature = "small", repr(align(8)))]
pub struct Oid {
    /// The contents octets, then zeros.
    octets: [u8; Oid::MAX_LEN],
    len: u8,
}

/// An [`Oid`] from dotted text, checked at compile time.
///
/// ```
/// use adamant_der::{Oid, oid};
/// const COMMON_NAME: Oid = oid!("2.5.4.3");
/// ```
#[macro_export]
macro_rules! oid {
    ($dotted:expr) => {
        const {
            match $crate::Oid::from_dotted($dotted) {
                Ok(oid) => oid,
                Err(_) => panic!("not an object identifier"),
            }
        }
    };
}

impl Oid {
    /// The most contents octets an identifier can have here.
    pub const MAX_LEN: usize = 63;

    const EMPTY: Self = Self {
        octets: [0; Self::MAX_LEN],
        len: 0,
    };

    /// The identifier with these contents octets.
    ///
    /// # Errors
    /// [`ErrorKind::BadOid`] at the arc that is padded or unfinished, [`ErrorKind::OidTooLong`].
    pub fn from_der(octets: &[u8]) -> Result<Self> {
        Self::from_der_at(octets, 0)
    }

    pub(crate) fn from_der_at(octets: &[u8], position: usize) -> Result<Self> {
        let bad = |at| Error::new(ErrorKind::BadOid, position + at);
        // An arc's octets but the last have the top bit, and the first is not a zero digit.
        let mut arc = 0;
        for (i, &octet) in octets.iter().enumerate() {
            if i == arc && octet == 0x80 {
                return Err(bad(arc));
            }
            if octet & 0x80 == 0 {
                arc = i + 1;
            }
        }
        if octets.is_empty() || arc != octets.len() {
            return Err(bad(arc));
        }
        let mut oid = Self::EMPTY;
        let room = oid
            .octets
            .get_mut(..octets.len())
            .ok_or(Error::new(ErrorKind::OidTooLong, position))?;
        room.copy_from_slice(octets);
        oid.len = octets.len() as u8;
        Ok(oid)
    }

    /// The identifier with these arcs.
    ///
    /// # Errors
    /// [`ErrorKind::BadOid`] for fewer than two arcs, a first arc above 2, or a second above 39
    /// under 0 and 1; [`ErrorKind::OidTooLong`]. The position is the index of the arc.
    pub const fn from_arcs(arcs: &[u64]) -> Result<Self> {
        let mut builder = Builder::new();
        let mut i = 0;
        while i < arcs.len() {
            builder = match builder.arc(arcs[i] as u128) {
                Ok(builder) => builder,
                Err(kind) => return Err(Error::new(kind, i)),
            };
            i += 1;
        }
        match builder.finish() {
            Ok(oid) => Ok(oid),
            Err(kind) => Err(Error::new(kind, i)),
        }
    }

    /// The identifier with this dotted text, such as `"1.2.840.113549"`. Arcs may have 128 bits,
    /// as UUIDs under 2.25 do; [`crate::oid!`] is this at compile time.
    ///
    /// # Errors
    /// As [`Oid::from_arcs`], and for text of another form; the position is a byte of the text.
    pub const fn from_dotted(text: &str) -> Result<Self> {
        let text = text.as_bytes();
        let mut builder = Builder::new();
        let mut i = 0;
        loop {
            let start = i;
            let mut arc: u128 = 0;
            while i < text.len() && text[i].is_ascii_digit() {
                arc = match arc.checked_mul(10) {
                    Some(tens) => match tens.checked_add((text[i] - b'0') as u128) {
                        Some(arc) => arc,
                        None => return Err(Error::new(ErrorKind::OidTooLong, start)),
                    },
                    None => return Err(Error::new(ErrorKind::OidTooLong, start)),
                };
                i += 1;
            }
            if i == start || (text[start] == b'0' && i > start + 1) {
                return Err(Error::new(ErrorKind::BadOid, start));
            }
            builder = match builder.arc(arc) {
                Ok(builder) => builder,
                Err(kind) => return Err(Error::new(kind, start)),
            };
            if i == text.len() {
                break;
            }
            if text[i] != b'.' {
                return Err(Error::new(ErrorKind::BadOid, i));
            }
            i += 1;
        }
        match builder.finish() {
            Ok(oid) => Ok(oid),
            Err(kind) => Err(Error::new(kind, i)),
        }
    }

    /// The contents octets.
    pub const fn as_bytes(&self) -> &[u8] {
        self.octets.split_at(self.len as usize).0
    }

    /// Whether `prefix` is this identifier or an ancestor of it.
    pub fn starts_with(&self, prefix: &Self) -> bool {
        self.as_bytes().starts_with(prefix.as_bytes())
    }
}

/// Encodes arcs one after another; the first two share one.
struct Builder {
    oid: Oid,
    arcs: usize,
    first: u128,
}

impl Builder {
    const fn new() -> Self {
        Self {
            oid: Oid::EMPTY,
            arcs: 0,
            first: 0,
        }
    }

    const fn arc(mut self, arc: u128) -> core::result::Result<Self, ErrorKind> {
        self.arcs += 1;
        if self.arcs == 1 {
            self.first = arc;
            return if arc <= 2 {
                Ok(self)
            } else {
                Err(ErrorKind::BadOid)
            };
        }
        let mut value = arc;
        if self.arcs == 2 {
            if self.first < 2 && arc >= 40 {
                return Err(ErrorKind::BadOid);
            }
            value = match arc.checked_add(40 * self.first) {
                Some(value) => value,
                None => return Err(ErrorKind::OidTooLong),
            };
        }
        let mut digits = 1;
        while digits < 19 && value >> (7 * digits) != 0 {
            digits += 1;
        }
        if self.oid.len as usize + digits > Oid::MAX_LEN {
            return Err(ErrorKind::OidTooLong);
        }
        while digits > 0 {
            digits -= 1;
            let more = if digits > 0 { 0x80 } else { 0 };
            self.oid.octets[self.oid.len as usize] = (value >> (7 * digits)) as u8 & 0x7f | more;
            self.oid.len += 1;
        }
        Ok(self)
    }

    const fn finish(self) -> core::result::Result<Oid, ErrorKind> {
        if self.arcs < 2 {
            Err(ErrorKind::BadOid)
        } else {
            Ok(self.oid)
        }
    }
}

impl FromStr for Oid {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::from_dotted(text)
    }
}

/// A number of any size an arc can have, least digit first: 63 octets carry 441 bits.
struct Decimal {
    digits: [u8; 133],
    len: usize,
}

impl Decimal {
    /// From base 128, highest digit first.
    fn new(octets: &[u8]) -> Self {
        let mut n = Self {
            digits: [0; 133],
            len: 1,
        };
        for &octet in octets {
            let mut carry = u16::from(octet & 0x7f);
            let mut i = 0;
            while i < n.len || carry > 0 {
                carry += u16::from(n.digits[i]) * 128;
                n.digits[i] = (carry % 10) as u8;
                carry /= 10;
                i += 1;
            }
            n.len = i;
        }
        n
    }

    /// Less `tens` times ten, which must not exceed the number.
    fn minus_tens(mut self, tens: u8) -> Self {
        let mut borrow = tens;
        let mut i = 1;
        while borrow > 0 {
            let (digit, under) = match self.digits[i].checked_sub(borrow) {
                Some(digit) => (digit, 0),
                None => (self.digits[i] + 10 - borrow, 1),
            };
            self.digits[i] = digit;
            borrow = under;
            i += 1;
        }
        while self.len > 1 && self.digits[self.len - 1] == 0 {
            self.len -= 1;
        }
        self
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits[..self.len]
            .iter()
            .rev()
            .try_for_each(|digit| write!(f, "{digit}"))
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, arc) in self
            .as_bytes()
            .split_inclusive(|octet| octet & 0x80 == 0)
            .enumerate()
        {
            let n = Decimal::new(arc);
            match (i, arc) {
                (0, [0..=39]) => write!(f, "0.{n}")?,
                (0, [40..=79]) => write!(f, "1.{}", n.minus_tens(4))?,
                (0, _) => write!(f, "2.{}", n.minus_tens(8))?,
                _ => write!(f, ".{n}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
