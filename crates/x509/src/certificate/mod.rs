//! Certificates (RFC 5280, 4.1).
//!
//! | entry point | reads |
//! |---|---|
//! | [`Certificate::from_der`] | the structure: where each field is, its type, version and serial number, both signature algorithms |
//! | [`FullCertificate::from_der`] | besides, every field and every extension |
//! | [`read_bundle`] | several certificates in one text |
//! | [`CertificateBuilder`] | writes |

mod builder;
mod bundle;
mod full;

use adamant_der::{BitString, Leniency, Reader, Tag, Time, Tlv, Writer};

use crate::element::{default_version, encodings, nested, optional, within};
use crate::extensions::{ExtensionValue, Extensions};
use crate::signed::{Signed, signed};
use crate::{Element, ErrorKind, Name, PublicKey, Result, SerialNumber, SubjectPublicKeyInfo};

pub use builder::CertificateBuilder;
pub use bundle::read_bundle;
pub use full::FullCertificate;

/// A certificate: its structure, in an encoding that it borrows from.
///
/// ```
/// use adamant_x509::{Certificate, PublicKey};
///
/// # let rfc8410 = "-----BEGIN CERTIFICATE-----
/// # MIIBLDCB36ADAgECAghWAUdKKo3DMDAFBgMrZXAwGTEXMBUGA1UEAwwOSUVURiBUZX
/// # N0IERlbW8wHhcNMTYwODAxMTIxOTI0WhcNNDAxMjMxMjM1OTU5WjAZMRcwFQYDVQQD
/// # DA5JRVRGIFRlc3QgRGVtbzAqMAUGAytlbgMhAIUg8AmJMKdUdIt93LQ+91oNvzoNJj
/// # ga9OukqY6qm05qo0UwQzAPBgNVHRMBAf8EBTADAQEAMA4GA1UdDwEBAAQEAwIDCDAg
/// # BgNVHQ4BAQAEFgQUmx9e7e0EM4Xk97xiPFl1uQvIuzswBQYDK2VwA0EAryMB/t3J5v
/// # /BzKc9dNZIpDmAgs3babFOTQbs+BolzlDUwsPrdGxO3YNGhW7Ibz3OGhhlxXrCe1Cg
/// # w1AH9efZBw==
/// # -----END CERTIFICATE-----";
/// // The certificate of RFC 8410, section 10.2, which has its defaults encoded: the structure
/// // can be read, the extensions are refused.
/// let mut der = Vec::new();
/// let certificate = Certificate::from_pem(rfc8410, &mut der)?;
/// assert_eq!(certificate.serial().to_string(), "5601474a2a8dc330");
/// assert_eq!(certificate.subject()?.to_string(), "CN=IETF Test Demo");
/// assert!(matches!(certificate.public_key()?, PublicKey::X25519(_)));
/// assert!(certificate.full().is_err());
/// # Ok::<(), adamant_x509::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Certificate<'a> {
    signed: Signed<'a>,
    version: u8,
    serial: SerialNumber,
    // Elements that are not read yet.
    issuer: &'a [u8],
    validity: &'a [u8],
    subject: &'a [u8],
    spki: &'a [u8],
    issuer_unique_id: Option<&'a [u8]>,
    subject_unique_id: Option<&'a [u8]>,
    extensions: Extensions<'a>,
}

impl<'a> Certificate<'a> {
    /// As [`Self::from_der`], but these faults pass, here and in the extensions when they are read.
    ///
    /// ```
    /// # use adamant_rand::SystemRng;
    /// # use adamant_x509::{CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey};
    /// use adamant_x509::{Certificate, Leniency};
    ///
    /// # let key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?;
    /// # let (name, public) = (DistinguishedName::new().common_name("a"), key.public_key());
    /// # let (from, until) = ("2026-01-01".parse()?, "2026-04-01".parse()?);
    /// # let der = CertificateBuilder::new(1.into(), name.as_name(), from, until, name.as_name(), &public)
    /// #     .sign(key.signer()?)?;
    /// // Of an encoder that writes `critical FALSE`, and all bits of its serial numbers.
    /// let faults = Leniency::ENCODED_DEFAULTS | Leniency::LONG_SERIALS;
    /// let certificate = Certificate::from_der_lenient(&der, faults)?;
    /// # certificate.full()?;
    /// # Ok::<(), adamant_x509::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn from_der_lenient(der: &'a [u8], leniency: Leniency) -> Result<Self> {
        within(Reader::new(der).lenient(leniency), Self::read)
    }

    /// Reads all fields and extensions.
    ///
    /// # Errors
    /// [`crate::Error`] with the position of what is wrong.
    pub fn full(&self) -> Result<FullCertificate<'a>> {
        FullCertificate::new(*self)
    }

    /// 1 to 3.
    pub const fn version(&self) -> u8 {
        self.version + 1
    }

    /// The serial number.
    pub const fn serial(&self) -> &SerialNumber {
        &self.serial
    }

    /// The issuer.
    ///
    /// # Errors
    /// [`crate::Error`] with the position of what is wrong.
    pub fn issuer(&self) -> Result<Name<'a>> {
        Name::read_in(&self.element(self.issuer)?)
    }

    /// The issuer's encoding.
    pub const fn issuer_der(&self) -> &'a [u8] {
        self.issuer
    }

    /// The subject.
    ///
    /// # Errors
    /// [`crate::Error`] with the position of what is wrong.
    pub fn subject(&self) -> Result<Name<'a>> {
        Name::read_in(&self.element(self.subject)?)
    }

    /// The subject's encoding.
    pub const fn subject_der(&self) -> &'a [u8] {
        self.subject
    }

    /// From when until when the certificate holds.
    ///
    /// # Errors
    /// [`crate::Error`] with the position of what is wrong.
    pub fn validity(&self) -> Result<Validity> {
        Validity::read_in(&self.element(self.validity)?)
    }

    /// The subject's key in its structure.
    ///
    /// # Errors
    /// [`crate::Error`] with the position of what is wrong.
    pub fn spki(&self) -> Result<SubjectPublicKeyInfo<'a>> {
        SubjectPublicKeyInfo::read_in(&self.element(self.spki)?)
    }

    /// The encoding of the subject's key.
    pub const fn spki_der(&self) -> &'a [u8] {
        self.spki
    }

    /// The subject's key.
    ///
    /// # Errors
    /// As [`Certificate::spki`], and [`PublicKey::from_spki`].
    pub fn public_key(&self) -> Result<PublicKey> {
        PublicKey::from_spki(&self.spki()?)
    }

    /// A number of the issuer, from times when names were reused.
    pub fn issuer_unique_id(&self) -> Option<BitString<'a>> {
        self.bits(self.issuer_unique_id)
    }

    /// A number of the subject, from times when names were reused.
    pub fn subject_unique_id(&self) -> Option<BitString<'a>> {
        self.bits(self.subject_unique_id)
    }

    /// The extensions, unread.
    pub const fn extensions(&self) -> Extensions<'a> {
        self.extensions
    }

    /// The value of the extension of this type.
    ///
    /// # Errors
    /// As [`Extensions::get`].
    pub fn extension<T: ExtensionValue<'a>>(&self) -> Result<Option<T>> {
        self.extensions.get()
    }

    /// An element of the signed part, where it is.
    fn element(&self, element: &'a [u8]) -> Result<Tlv<'a>> {
        Ok(Reader::at(element, self.signed.position_of(element)).read_any()?)
    }

    /// The bits of such an element, which is read once.
    fn bits(&self, element: Option<&'a [u8]>) -> Option<BitString<'a>> {
        self.element(element?).ok()?.bit_string().ok()
    }
}

signed! { Certificate.signed }
encodings! { Certificate, "CERTIFICATE" }

impl<'a> Element<'a> for Certificate<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let (signed, tbs) = Signed::read(r)?;
        let mut rest = tbs.reader;
        let r = &mut rest;
        let version = default_version(r, 2)?;
        let serial = SerialNumber::read(r)?;
        signed.check_algorithm(r, &tbs)?;
        let issuer = r.read_inline(Tag::SEQUENCE)?.raw;
        let validity = r.read_inline(Tag::SEQUENCE)?.raw;
        let subject = r.read_inline(Tag::SEQUENCE)?.raw;
        let spki = r.read_inline(Tag::SEQUENCE)?.raw;
        // Fields that only later versions have.
        let since = |at: u8, position| {
            if version < at {
                Err(ErrorKind::BadVersion.at(position))
            } else {
                Ok(())
            }
        };
        let mut unique_id = |number| {
            optional(r, Tag::context(number), |tlv| {
                since(1, tlv.position)?;
                tlv.bit_string()?;
                Ok(tlv.raw)
            })
        };
        let issuer_unique_id = unique_id(1)?;
        let subject_unique_id = unique_id(2)?;
        let extensions = if r.peek_tag() == Some(Tag::context_constructed(3)) {
            since(2, r.position())?;
            nested(r, Tag::context_constructed(3), Extensions::read)?
        } else {
            Extensions::default()
        };
        rest.finish()?;
        Ok(Self {
            signed,
            version,
            serial,
            issuer,
            validity,
            subject,
            spki,
            issuer_unique_id,
            subject_unique_id,
            extensions,
        })
    }

    fn write(&self, w: &mut Writer) {
        w.raw(self.as_der());
    }
}

/// A period, both ends in it (RFC 5280, 4.1.2.5).
///
/// Times are written as the RFC wants them: UTCTime through the year 2049, GeneralizedTime from
/// then on. There are roots with a GeneralizedTime of an earlier year; these can be read, and
/// are written so again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    not_before: Time,
    not_after: Time,
    /// Which of the two is a GeneralizedTime of a year that UTCTime has.
    early_generalized: [bool; 2],
}

impl Validity {
    /// From one second to another.
    pub const fn new(not_before: Time, not_after: Time) -> Self {
        Self {
            not_before,
            not_after,
            early_generalized: [false; 2],
        }
    }

    /// The first second.
    pub const fn not_before(&self) -> Time {
        self.not_before
    }

    /// The last second.
    pub const fn not_after(&self) -> Time {
        self.not_after
    }

    /// Whether the period has this time.
    pub fn contains(&self, time: Time) -> bool {
        self.not_before <= time && time <= self.not_after
    }

    fn read_in(tlv: &Tlv<'_>) -> Result<Self> {
        let time = |r: &mut Reader<'_>| -> Result<(Time, bool)> {
            let generalized = r.peek_tag() == Some(Tag::GENERALIZED_TIME);
            let time = r.time()?;
            Ok((time, generalized && time.fits_utc_time()))
        };
        within(tlv.reader()?, |r| {
            let (not_before, early_before) = time(r)?;
            let (not_after, early_after) = time(r)?;
            Ok(Self {
                not_before,
                not_after,
                early_generalized: [early_before, early_after],
            })
        })
    }
}

impl<'a> Element<'a> for Validity {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Self::read_in(&r.read(Tag::SEQUENCE)?)
    }

    fn write(&self, w: &mut Writer) {
        let times = [self.not_before, self.not_after];
        w.sequence(|w| {
            for (time, early_generalized) in times.into_iter().zip(self.early_generalized) {
                if early_generalized {
                    w.generalized_time(time);
                } else {
                    w.time(time);
                }
            }
        });
    }
}
