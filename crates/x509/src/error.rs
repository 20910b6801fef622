//! The fault of a certificate, key, request, list or response, and its byte.

use core::fmt;

use adamant_der::{self as der, Oid};

/// The result of this crate's operations.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// A refused input: the reason, and the byte offset in the outermost input.
///
/// ```
/// use adamant_x509::{Certificate, ErrorKind};
/// use adamant_der as der;
///
/// let error = Certificate::from_der(&[0x30, 0x03, 0x02, 0x01, 0x01]).unwrap_err();
/// assert_eq!(error.position(), 2);
/// assert!(matches!(error.kind(), ErrorKind::Der(der::ErrorKind::UnexpectedTag { .. })));
/// ```
///
/// The position is that of the first byte that is wrong: the tag of the element that is not
/// wanted, or the contents of the value that is. Where no input is at fault (a signature that
/// could not be made) it is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    position: usize,
}

impl Error {
    /// An error of this kind at this byte offset.
    pub const fn new(kind: ErrorKind, position: usize) -> Self {
        Self { kind, position }
    }

    /// The kind of fault.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Where, in bytes from the start of the outermost input.
    pub const fn position(&self) -> usize {
        self.position
    }
}

/// The reasons for refusing an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The DER is malformed or another element is where one is wanted.
    Der(der::ErrorKind),
    /// A version that does not exist, or a field that the version does not have.
    BadVersion,
    /// A negative serial number.
    SerialNegative,
    /// A serial number of more than 20 octets (RFC 5280, 4.1.2.2).
    SerialTooLong,
    /// A serial number of zero, where one is made; readers accept it.
    SerialZero,
    /// The signature algorithm outside of the signed part differs from the one inside.
    AlgorithmMismatch,
    /// Parameters that the algorithm does not have, or that are missing.
    WrongParameters(Oid),
    /// An algorithm that is not implemented.
    UnknownAlgorithm(Oid),
    /// An algorithm, or a curve, whose feature this build of the library lacks.
    NotBuiltIn(Oid),
    /// An algorithm that is broken, and not asked for.
    WeakAlgorithm(Oid),
    /// A second extension of the same type (RFC 5280, 4.2).
    DuplicateExtension(Oid),
    /// An extension that is critical and not known.
    UnknownCriticalExtension(Oid),
    /// A list that must have an element and has none.
    Empty,
    /// The public key that comes with a private key is another one's.
    KeyMismatch,
    /// A key of another algorithm than the signature's.
    WrongKey,
    /// A key that makes no signatures.
    CannotSign,
    /// A private key that is encrypted, where no password is given.
    PasswordRequired,
    /// A wrong password, or a ciphertext that was altered.
    WrongPassword,
    /// A derivation from a password that costs more than is allowed: what is too much.
    TooCostly(&'static str),
    /// The end of a period lies before its start.
    BadPeriod,
    /// A name as text that is not in the form of RFC 4514.
    BadNameText,
    /// The responder's answer is not a successful one.
    ResponseStatus(crate::ocsp::ResponseStatus),
    /// A responder that is neither the issuer nor one to which the issuer delegates.
    UnauthorizedResponder,
    /// The key or signature is wrong, or an operation failed.
    Crypto(adamant_base::Error),
}

impl ErrorKind {
    /// This kind at this byte offset.
    pub(crate) const fn at(self, position: usize) -> Error {
        Error::new(self, position)
    }
}

impl From<der::Error> for Error {
    fn from(error: der::Error) -> Self {
        Self::new(ErrorKind::Der(error.kind()), error.position())
    }
}

impl From<adamant_base::Error> for Error {
    fn from(error: adamant_base::Error) -> Self {
        Self::new(ErrorKind::Crypto(error), 0)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Der(kind) => write!(f, "{kind}"),
            Self::BadVersion => f.write_str("version that does not exist or lacks this field"),
            Self::SerialNegative => f.write_str("negative serial number"),
            Self::SerialTooLong => f.write_str("serial number of more than 20 octets"),
            Self::SerialZero => f.write_str("serial number of zero"),
            Self::AlgorithmMismatch => {
                f.write_str("signature algorithms inside and outside of the signed part differ")
            }
            Self::WrongParameters(oid) => write!(f, "wrong parameters of algorithm {oid}"),
            Self::UnknownAlgorithm(oid) => write!(f, "unknown algorithm {oid}"),
            Self::NotBuiltIn(oid) => write!(f, "algorithm {oid} is not built in"),
            Self::WeakAlgorithm(oid) => write!(f, "weak algorithm {oid}"),
            Self::DuplicateExtension(oid) => write!(f, "second extension {oid}"),
            Self::UnknownCriticalExtension(oid) => write!(f, "unknown critical extension {oid}"),
            Self::Empty => f.write_str("list without an element"),
            Self::KeyMismatch => f.write_str("public key of another private key"),
            Self::WrongKey => f.write_str("key of another algorithm than the signature's"),
            Self::CannotSign => f.write_str("key that makes no signatures"),
            Self::PasswordRequired => f.write_str("encrypted private key without a password"),
            Self::WrongPassword => f.write_str("wrong password or altered ciphertext"),
            Self::TooCostly(what) => write!(f, "derivation from the password: too much {what}"),
            Self::BadPeriod => f.write_str("period that ends before it starts"),
            Self::BadNameText => f.write_str("malformed text of a name"),
            Self::ResponseStatus(status) => write!(f, "the responder answered: {status}"),
            Self::UnauthorizedResponder => {
                f.write_str("responder that is not the issuer's, or not at this time")
            }
            Self::Crypto(error) => write!(f, "{error}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.position)
    }
}

impl core::error::Error for Error {}
