//! ECDSA signatures and their two encodings.

use super::curve::{Curve, Derived, Numbers};
use super::words;
use adamant_base::ct::Choice;
use adamant_base::family::Block;
use adamant_base::{Error, same_length};

/// An ECDSA signature: two integers r and s from 1 to n - 1.
///
/// ```
/// use adamant_ec::p256::Signature;
/// let mut bytes = [0; 64];
/// (bytes[31], bytes[63]) = (1, 0x80);
/// let signature = Signature::from_bytes(&bytes).unwrap();
/// let der = signature.to_der();
/// assert_eq!(der.as_ref(), [0x30, 7, 2, 1, 1, 2, 2, 0, 0x80]);
/// assert_eq!(Signature::from_der(der.as_ref()), Ok(signature));
/// assert!(Signature::from_bytes(&[0; 64]).is_err()); // zero is not in range
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature<C: Curve<W>, const W: usize>(C::SignatureBytes);

impl<C: Curve<W>, const W: usize> Signature<C, W> {
    /// r and s in big-endian bytes, as many as n has (on P-256, 32 each), as in IEEE P1363, JOSE and COSE.
    ///
    /// # Errors
    /// [`Error::BadSignature`] where r or s is zero or not below n.
    pub fn from_bytes(bytes: &C::SignatureBytes) -> Result<Self, Error> {
        if C::is_signature(bytes.as_ref()) {
            Ok(Self(*bytes))
        } else {
            Err(Error::BadSignature)
        }
    }

    /// r and s in big-endian bytes, as many as n has.
    #[must_use]
    pub fn to_bytes(&self) -> C::SignatureBytes {
        self.0
    }

    /// The ASN.1 form of X9.62, PKIX and TLS: `SEQUENCE { r INTEGER, s INTEGER }`, only in DER.
    ///
    /// # Errors
    /// [`Error::BadSignature`] for anything but the one encoding of two integers in range.
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        let mut bytes = C::SignatureBytes::ZERO;
        read_der(der, bytes.as_mut())?;
        Self::from_bytes(&bytes)
    }

    /// The signature in DER.
    #[must_use]
    pub fn to_der(&self) -> DerSignature {
        DerSignature::new(self.0.as_ref())
    }

    /// Whether s is at most (n - 1) / 2: of the two signatures (r, s) and (r, n - s), which are
    /// both valid, the one that Bitcoin and Ethereum ask for. Verification takes either; to be
    /// strict, check this too.
    #[must_use]
    pub fn has_low_s(&self) -> bool {
        let (_, s) = self.integers();
        // s is above n/2 exactly if n - s is below s.
        !words::sub(&words::sub(&C::N, &s).0, &s).1
    }

    /// The signature with the smaller of s and n - s, in a time that does not depend on which it is.
    #[must_use]
    pub fn normalize_s(&self) -> Self {
        let (r, s) = self.integers();
        Self::from_integers(&r, &Self::low(&s))
    }

    /// The smaller of s and n - s.
    pub(super) fn low(s: &[u64; W]) -> [u64; W] {
        let (mut low, (negated, _)) = (*s, words::sub(&C::N, s));
        let (_, larger) = words::sub(&negated, s);
        Choice::from_bit(larger.into()).assign(&mut low, &negated);
        low
    }

    pub(super) fn from_integers(r: &[u64; W], s: &[u64; W]) -> Self {
        let mut bytes = C::SignatureBytes::ZERO;
        let (to_r, to_s) = bytes.as_mut().split_at_mut(C::LEN);
        words::to_be_bytes(r, to_r);
        words::to_be_bytes(s, to_s);
        Signature(bytes)
    }

    /// r and s.
    pub(super) fn integers(&self) -> ([u64; W], [u64; W]) {
        let (r, s) = self.0.as_ref().split_at(C::LEN);
        (words::from_be_bytes(r), words::from_be_bytes(s))
    }
}

/// By [`Signature::from_bytes`], with [`Error::BadLength`] for another length.
impl<C: Curve<W>, const W: usize> TryFrom<&[u8]> for Signature<C, W> {
    type Error = Error;

    fn try_from(octets: &[u8]) -> Result<Self, Error> {
        same_length(2 * C::LEN, octets.len())?;
        let mut bytes = C::SignatureBytes::ZERO;
        bytes.as_mut().copy_from_slice(octets);
        Self::from_bytes(&bytes)
    }
}

impl<C: Curve<W>, const W: usize> AsRef<[u8]> for Signature<C, W> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

/// Whether bytes are r and s, from 1 to n - 1.
pub(super) fn is_valid<C: Curve<W>, const W: usize>(bytes: &[u8]) -> bool {
    is_in_range(bytes, C::NUMBERS)
}

fn is_in_range<const W: usize>(bytes: &[u8], curve: &Numbers<W>) -> bool {
    let (r, s) = bytes.split_at(curve.len);
    let is_valid = |x| {
        let x = words::from_be_bytes(x);
        curve.order.is_above_and_not_zero(&x)
    };
    // A signature to be read is public.
    is_valid(r).and(is_valid(s)).declassify()
}

/// Reads a signature in DER into `out`, which holds zeros: r and s, each in a half.
fn read_der(der: &[u8], out: &mut [u8]) -> Result<(), Error> {
    // Two integers of at most 73 bytes: lengths are below 256, and those from 128 on take a byte
    // that says so.
    let (length, content) = match der {
        [0x30, length @ 0..=0x7f, content @ ..] => (*length, content),
        [0x30, 0x81, length @ 0x80..=0xff, content @ ..] => (*length, content),
        _ => return Err(Error::BadSignature),
    };
    if usize::from(length) != content.len() {
        return Err(Error::BadSignature);
    }
    let (r, s) = out.split_at_mut(out.len() / 2);
    let rest = read_integer(content, r)?;
    match read_integer(rest, s)? {
        [] => Ok(()),
        _ => Err(Error::BadSignature),
    }
}

/// Reads an `INTEGER` that is positive and written without needless zeros into the end of `out`,
/// which holds zeros; gives what follows.
fn read_integer<'a>(der: &'a [u8], out: &mut [u8]) -> Result<&'a [u8], Error> {
    let [0x02, length, rest @ ..] = der else {
        return Err(Error::BadSignature);
    };
    let (value, rest) = rest
        .split_at_checked(usize::from(*length))
        .ok_or(Error::BadSignature)?;
    let magnitude = match value {
        [0, magnitude @ ..] if matches!(magnitude, [0x80..=0xff, ..]) => magnitude,
        [1..=0x7f, ..] => value,
        _ => return Err(Error::BadSignature),
    };
    let start = out.len().checked_sub(magnitude.len());
    out[start.ok_or(Error::BadSignature)?..].copy_from_slice(magnitude);
    Ok(rest)
}

/// A signature in DER, in a buffer of its own; read it through `as_ref()`.
#[derive(Clone, Copy, Debug)]
pub struct DerSignature {
    bytes: [u8; DerSignature::MAX_LEN],
    len: usize,
}

impl DerSignature {
    /// The longest signature of any curve: two integers of 73 bytes.
    pub const MAX_LEN: usize = 3 + 2 * (2 + 73);

    /// Of r and s, each in a half of the bytes.
    fn new(integers: &[u8]) -> Self {
        let mut der = DerSignature {
            bytes: [0; DerSignature::MAX_LEN],
            len: 0,
        };
        let (r, s) = integers.split_at(integers.len() / 2);
        let length = integer_length(r) + integer_length(s);
        der.push(&[0x30]);
        if length >= 0x80 {
            der.push(&[0x81]);
        }
        der.push(&[length as u8]);
        der.push_integer(r);
        der.push_integer(s);
        der
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Appends the `INTEGER` of big-endian bytes that are not all zero.
    fn push_integer(&mut self, bytes: &[u8]) {
        let value = without_zeros(bytes);
        self.push(&[0x02, (integer_length(bytes) - 2) as u8]);
        if is_high(value) {
            self.push(&[0]);
        }
        self.push(value);
    }
}

fn without_zeros(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.iter().take_while(|&&byte| byte == 0).count()..]
}

/// Whether a value would be read as negative, and so takes a zero in front.
fn is_high(value: &[u8]) -> bool {
    value.first().is_some_and(|&byte| byte >= 0x80)
}

/// The length of an `INTEGER`.
fn integer_length(bytes: &[u8]) -> usize {
    let value = without_zeros(bytes);
    2 + usize::from(is_high(value)) + value.len()
}

impl AsRef<[u8]> for DerSignature {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}
