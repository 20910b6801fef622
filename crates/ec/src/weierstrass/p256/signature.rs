//! ECDSA signatures on P-256 and their two encodings.

use super::limbs::{self, Limbs};
use super::scalar;
use adamant_base::Error;

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
pub struct Signature([u8; 64]);

impl Signature {
    /// r and s in 32 big-endian bytes each, as in IEEE P1363, JOSE and COSE.
    ///
    /// # Errors
    /// [`Error::BadSignature`] for another length, or where r or s is zero or not below n.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bytes: &[u8; 64] = bytes.try_into().map_err(|_| Error::BadSignature)?;
        let signature = Signature(*bytes);
        let (r, s) = signature.integers();
        // A signature to be read is public.
        if scalar::is_valid(&r).and(scalar::is_valid(&s)).declassify() {
            Ok(signature)
        } else {
            Err(Error::BadSignature)
        }
    }

    /// r and s in 32 big-endian bytes each.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 64] {
        self.0
    }

    /// The ASN.1 form of X9.62, PKIX and TLS: `SEQUENCE { r INTEGER, s INTEGER }`, in DER alone.
    ///
    /// # Errors
    /// [`Error::BadSignature`] for anything but the one encoding of two integers in range.
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        // Two integers of at most 33 bytes: every length is below 128 and so is one byte.
        let [0x30, length, content @ ..] = der else {
            return Err(Error::BadSignature);
        };
        if usize::from(*length) != content.len() || *length >= 128 {
            return Err(Error::BadSignature);
        }
        let mut bytes = [0; 64];
        let (r, s) = bytes.split_at_mut(32);
        let rest = read_integer(content, r)?;
        if read_integer(rest, s)?.is_empty() {
            Self::from_bytes(&bytes)
        } else {
            Err(Error::BadSignature)
        }
    }

    /// The signature in DER.
    #[must_use]
    pub fn to_der(&self) -> DerSignature {
        let mut der = DerSignature {
            bytes: [0; DerSignature::MAX_LEN],
            len: 2,
        };
        let (r, s) = self.0.split_at(32);
        der.push_integer(r);
        der.push_integer(s);
        der.bytes[0] = 0x30;
        der.bytes[1] = (der.len - 2) as u8;
        der
    }

    pub(super) fn from_integers(r: &Limbs, s: &Limbs) -> Self {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&limbs::to_be_bytes(r));
        bytes[32..].copy_from_slice(&limbs::to_be_bytes(s));
        Signature(bytes)
    }

    /// r and s.
    pub(super) fn integers(&self) -> (Limbs, Limbs) {
        let [r, s] = self.0.as_chunks::<32>().0 else {
            unreachable!("64 bytes are two chunks of 32")
        };
        (limbs::from_be_bytes(r), limbs::from_be_bytes(s))
    }
}

impl AsRef<[u8]> for Signature {
    fn as_ref(&self) -> &[u8] {
        &self.0
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
    /// The longest signature: two integers of 33 bytes.
    pub const MAX_LEN: usize = 2 + 2 * (2 + 33);

    /// Appends the `INTEGER` of big-endian bytes that are not all zero.
    fn push_integer(&mut self, bytes: &[u8]) {
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let value = &bytes[zeros..];
        let pad = usize::from(value.first().is_some_and(|&byte| byte >= 0x80));
        let header = self.len;
        let start = header + 2 + pad;
        self.bytes[header] = 0x02;
        self.bytes[header + 1] = (value.len() + pad) as u8;
        self.bytes[start..start + value.len()].copy_from_slice(value);
        self.len = start + value.len();
    }
}

impl AsRef<[u8]> for DerSignature {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}
