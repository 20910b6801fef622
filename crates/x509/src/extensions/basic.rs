//! The uses of a key: BasicConstraints, KeyUsage, ExtendedKeyUsage.

use core::fmt;
use core::ops::BitOr;

use adamant_der::{ErrorKind as Der, Oid, Reader, Writer, oid};

use super::ExtensionValue;
use crate::element::sequence;
use crate::{Element, List, Result};

/// Whether the subject is a CA, and how many CAs may follow below it (RFC 5280, 4.2.1.9).
///
/// ```
/// use adamant_x509::extensions::BasicConstraints;
///
/// assert_eq!(BasicConstraints::ca(Some(0)), BasicConstraints { ca: true, path_len: Some(0) });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BasicConstraints {
    /// Whether the subject is a CA.
    pub ca: bool,
    /// The most intermediate certificates that may follow.
    pub path_len: Option<u32>,
}

impl BasicConstraints {
    /// A CA, with at most this many intermediate CAs below it.
    pub const fn ca(path_len: Option<u32>) -> Self {
        Self { ca: true, path_len }
    }

    /// No CA.
    pub const fn end_entity() -> Self {
        Self {
            ca: false,
            path_len: None,
        }
    }
}

impl<'a> Element<'a> for BasicConstraints {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let ca = r.default_false()?;
            let path_len = if r.is_empty() { None } else { Some(r.u32()?) };
            Ok(Self { ca, path_len })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.default_false(self.ca);
            if let Some(path_len) = self.path_len {
                w.integer_u64(path_len.into());
            }
        });
    }
}

impl ExtensionValue<'_> for BasicConstraints {
    const OID: Oid = oid!("2.5.29.19");
    const CRITICAL: bool = true;
}

/// The uses of a key (RFC 5280, 4.2.1.3): a set, to be combined with `|`.
///
/// DER writes such a set without the zeros at its end (X.690, 11.2.2). There are roots that have
/// some; these can be read, and are written so again.
///
/// ```
/// use adamant_x509::extensions::KeyUsage;
///
/// let usage = KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN;
/// assert!(usage.contains(KeyUsage::CRL_SIGN));
/// assert_eq!(format!("{usage:?}"), "keyCertSign | cRLSign");
/// ```
#[derive(Clone, Copy)]
pub struct KeyUsage {
    /// From the highest bit on.
    bits: u16,
    /// How many zeros follow the last one in the encoding.
    zeros: u8,
}

macro_rules! usages {
    ($($name:ident = $bit:literal, $text:literal;)*) => {
        impl KeyUsage {
            $(#[doc = concat!("`", $text, "`.")] pub const $name: Self = Self::new(0x8000 >> $bit);)*
        }

        impl fmt::Debug for KeyUsage {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut separator = "";
                for (usage, name) in [$((Self::$name, $text)),*] {
                    if self.contains(usage) {
                        write!(f, "{separator}{name}")?;
                        separator = " | ";
                    }
                }
                Ok(())
            }
        }
    };
}

usages! {
    DIGITAL_SIGNATURE = 0, "digitalSignature";
    NON_REPUDIATION = 1, "nonRepudiation";
    KEY_ENCIPHERMENT = 2, "keyEncipherment";
    DATA_ENCIPHERMENT = 3, "dataEncipherment";
    KEY_AGREEMENT = 4, "keyAgreement";
    KEY_CERT_SIGN = 5, "keyCertSign";
    CRL_SIGN = 6, "cRLSign";
    ENCIPHER_ONLY = 7, "encipherOnly";
    DECIPHER_ONLY = 8, "decipherOnly";
}

impl KeyUsage {
    const fn new(bits: u16) -> Self {
        Self { bits, zeros: 0 }
    }

    /// Whether all of `other` are in the set.
    pub const fn contains(self, other: Self) -> bool {
        self.bits & other.bits == other.bits
    }
}

impl PartialEq for KeyUsage {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl Eq for KeyUsage {}

impl BitOr for KeyUsage {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self::new(self.bits | other.bits)
    }
}

impl<'a> Element<'a> for KeyUsage {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let string = r.bit_string()?;
        let bits = match *string.bytes {
            [first] => u16::from(first) << 8,
            [first, second @ (0x00 | 0x80)] => u16::from_be_bytes([first, second]),
            _ => 0,
        };
        if bits == 0 {
            let kind = Der::UnexpectedValue("key usage without a bit or with an unknown one");
            return Err(adamant_der::Error::new(kind, string.position).into());
        }
        let zeros = string.len() as u8 - (16 - bits.trailing_zeros() as u8);
        Ok(Self { bits, zeros })
    }

    fn write(&self, w: &mut Writer) {
        let len = 16 - self.bits.trailing_zeros() as usize + usize::from(self.zeros);
        let octets = len.div_ceil(8);
        w.bit_string(&self.bits.to_be_bytes()[..octets], (8 * octets - len) as u8);
    }
}

impl ExtensionValue<'_> for KeyUsage {
    const OID: Oid = oid!("2.5.29.15");
    const CRITICAL: bool = true;
}

/// Purposes for which a key is meant (RFC 5280, 4.2.1.12).
///
/// ```
/// use adamant_x509::extensions::ExtendedKeyUsage;
///
/// let usage = ExtendedKeyUsage((&[ExtendedKeyUsage::SERVER_AUTH]).into());
/// assert!(usage.allows(&ExtendedKeyUsage::SERVER_AUTH));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExtendedKeyUsage<'a>(
    /// The purposes, one at least.
    pub List<'a, Oid>,
);

impl ExtendedKeyUsage<'_> {
    /// Any purpose.
    pub const ANY: Oid = oid!("2.5.29.37.0");
    /// TLS servers.
    pub const SERVER_AUTH: Oid = oid!("1.3.6.1.5.5.7.3.1");
    /// TLS clients.
    pub const CLIENT_AUTH: Oid = oid!("1.3.6.1.5.5.7.3.2");
    /// Signing of programs.
    pub const CODE_SIGNING: Oid = oid!("1.3.6.1.5.5.7.3.3");
    /// Protection of mail.
    pub const EMAIL_PROTECTION: Oid = oid!("1.3.6.1.5.5.7.3.4");
    /// Time stamps.
    pub const TIME_STAMPING: Oid = oid!("1.3.6.1.5.5.7.3.8");
    /// OCSP responses.
    pub const OCSP_SIGNING: Oid = oid!("1.3.6.1.5.5.7.3.9");

    /// Whether this purpose, or any, is among them.
    pub fn allows(&self, purpose: &Oid) -> bool {
        self.0.iter().any(|oid| oid == *purpose || oid == Self::ANY)
    }
}

impl<'a> Element<'a> for ExtendedKeyUsage<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        List::read(r).map(Self)
    }

    fn write(&self, w: &mut Writer) {
        self.0.write(w);
    }
}

impl<'a> ExtensionValue<'a> for ExtendedKeyUsage<'a> {
    const OID: Oid = oid!("2.5.29.37");
    const CRITICAL: bool = false;
}

/// `id-pkix-ocsp-nocheck` (RFC 6960, 4.2.2.2.1): the certificate of a responder that clients
/// need not check for revocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OcspNoCheck;

impl<'a> Element<'a> for OcspNoCheck {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        r.null()?;
        Ok(Self)
    }

    fn write(&self, w: &mut Writer) {
        w.null();
    }
}

impl ExtensionValue<'_> for OcspNoCheck {
    const OID: Oid = oid!("1.3.6.1.5.5.7.48.1.5");
    const CRITICAL: bool = false;
}
