//! The one error type of the primitives.
//!
//! A failed verification or decryption says only that: which check failed would help an attacker.

use core::fmt;

/// What went wrong in a cryptographic operation.
///
/// ```
/// use adamant_base::Error;
/// assert_eq!(Error::BadSignature.to_string(), "signature verification failed");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The signature does not verify.
    BadSignature,
    /// The authentication tag does not match; no plaintext is released.
    BadTag,
    /// The private key is out of range or malformed.
    BadPrivateKey,
    /// The public key is malformed, not on the curve, not canonical or the identity.
    BadPublicKey,
    /// The agreed secret would be the same for every private key (all zeros).
    WeakSharedSecret,
    /// An input or output has a length that the operation does not accept.
    BadLength {
        /// The length that the operation needs or its upper limit, in bytes or items.
        expected: usize,
        /// The length given.
        actual: usize,
    },
    /// A parameter lies outside what the algorithm allows: its name.
    BadParameter(&'static str),
    /// The system gave no randomness.
    NoEntropy,
    /// The memory that the operation needs is not available.
    OutOfMemory,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadSignature => f.write_str("signature verification failed"),
            Error::BadTag => f.write_str("authentication failed"),
            Error::BadPrivateKey => f.write_str("invalid private key"),
            Error::BadPublicKey => f.write_str("invalid public key"),
            Error::WeakSharedSecret => f.write_str("shared secret is not contributory"),
            Error::BadLength { expected, actual } => {
                write!(f, "invalid length {actual}, expected {expected}")
            }
            Error::BadParameter(name) => write!(f, "parameter {name} is out of range"),
            Error::OutOfMemory => f.write_str("out of memory"),
            Error::NoEntropy => f.write_str("the system random generator failed"),
        }
    }
}

impl core::error::Error for Error {}

/// Whether there are as many as expected: places for items, bytes of a key.
///
/// ```
/// use adamant_base::{Error, same_length};
/// assert_eq!(same_length(3, 2), Err(Error::BadLength { expected: 3, actual: 2 }));
/// ```
///
/// # Errors
/// [`Error::BadLength`] otherwise.
#[inline]
pub const fn same_length(expected: usize, actual: usize) -> Result<(), Error> {
    if expected == actual {
        Ok(())
    } else {
        Err(Error::BadLength { expected, actual })
    }
}

/// These bytes as an array of fixed length.
///
/// ```
/// use adamant_base::{Error, exactly};
/// assert_eq!(exactly(&[1, 2][..]), Ok(&[1, 2]));
/// assert_eq!(exactly::<3>(&[1, 2]), Err(Error::BadLength { expected: 3, actual: 2 }));
/// ```
///
/// # Errors
/// [`Error::BadLength`] where there are more or fewer.
#[inline]
pub fn exactly<const LEN: usize>(bytes: &[u8]) -> Result<&[u8; LEN], Error> {
    bytes.try_into().map_err(|_| Error::BadLength {
        expected: LEN,
        actual: bytes.len(),
    })
}

/// Implements `TryFrom<&[u8]>` over `from_bytes(&[u8; LEN])`, for types that all such bytes are a
/// value of (`all`) and for those whose `from_bytes` may refuse some.
#[macro_export]
macro_rules! try_from_slice {
    ($($name:ident $(($all:ident))?),+ $(,)?) => { $(
        /// By `from_bytes`, with [`Error::BadLength`]($crate::Error::BadLength) for another length.
        impl TryFrom<&[u8]> for $name {
            type Error = $crate::Error;

            #[inline]
            fn try_from(bytes: &[u8]) -> Result<Self, $crate::Error> {
                $crate::try_from_slice!(@ Self::from_bytes($crate::exactly(bytes)?) $(; $all)?)
            }
        }
    )+ };
    (@ $value:expr) => { $value };
    (@ $value:expr; all) => { Ok($value) };
}
