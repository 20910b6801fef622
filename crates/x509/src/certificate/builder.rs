//! Certificates that are made here.

use alloc::vec::Vec;

use adamant_der::{Oid, Time, Writer};

use super::Validity;
use crate::extensions::{ExtensionValue, check_unique, write_extension, write_raw_extension};
use crate::{
    Element, ErrorKind, Name, PublicKey, Result, SerialNumber, SignatureAlgorithm, SigningKey,
    sign_tbs,
};

/// Makes a certificate of version 3.
///
/// ```
/// use adamant_rand::SystemRng;
/// use adamant_x509::extensions::{BasicConstraints, KeyUsage, SubjectKeyIdentifier};
/// use adamant_x509::{
///     CertificateBuilder, DistinguishedName, FullCertificate, KeyAlgorithm, PrivateKey, SerialNumber,
/// };
///
/// let mut rng = SystemRng;
/// let key = PrivateKey::generate(KeyAlgorithm::Ed25519, &mut rng)?;
/// let public_key = key.public_key();
/// let name = DistinguishedName::new().organization("Adamant").common_name("Root");
///
/// let der = CertificateBuilder::new(
///     SerialNumber::random(&mut rng)?,
///     name.as_name(),
///     "2026-01-01".parse()?,
///     "2036-01-01".parse()?,
///     name.as_name(),
///     &public_key,
/// )
/// .extension(&BasicConstraints::ca(None))
/// .extension(&(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN))
/// .extension(&SubjectKeyIdentifier(&public_key.key_id()))
/// .sign(key.signer()?)?;
///
/// let certificate = FullCertificate::from_der(&der)?;
/// certificate.verify(&public_key)?;
/// assert_eq!(certificate.extensions.basic_constraints, Some(BasicConstraints::ca(None)));
/// # Ok::<(), adamant_x509::Error>(())
/// ```
///
/// The order of the calls is that of the extensions. Nothing is allocated per field: extensions
/// are appended to one buffer, and a builder can be used again, for a subject with the same
/// extensions or after [`CertificateBuilder::clear_extensions`].
#[derive(Clone)]
pub struct CertificateBuilder<'a> {
    serial: SerialNumber,
    issuer: Name<'a>,
    validity: Validity,
    subject: Name<'a>,
    spki: Spki<'a>,
    extensions: Writer,
    oids: Vec<Oid>,
}

#[derive(Clone, Copy)]
enum Spki<'a> {
    Key(&'a PublicKey),
    Der(&'a [u8]),
}

impl<'a> CertificateBuilder<'a> {
    /// A certificate without extensions.
    pub fn new(
        serial: SerialNumber,
        issuer: Name<'a>,
        not_before: Time,
        not_after: Time,
        subject: Name<'a>,
        public_key: &'a PublicKey,
    ) -> Self {
        Self {
            serial,
            issuer,
            validity: Validity::new(not_before, not_after),
            subject,
            spki: Spki::Key(public_key),
            extensions: Writer::with_capacity(512),
            oids: Vec::with_capacity(16),
        }
    }

    /// With another serial number.
    pub fn serial(mut self, serial: SerialNumber) -> Self {
        self.serial = serial;
        self
    }

    /// With another subject and key.
    pub fn subject(mut self, subject: Name<'a>, public_key: &'a PublicKey) -> Self {
        self.subject = subject;
        self.spki = Spki::Key(public_key);
        self
    }

    /// With another key: a SubjectPublicKeyInfo that was read before, and is copied.
    pub fn spki(mut self, spki: &crate::SubjectPublicKeyInfo<'a>) -> Self {
        self.spki = Spki::Der(spki.as_der());
        self
    }

    /// With an extension, critical if the standard recommends it.
    pub fn extension<'b, T: ExtensionValue<'b>>(self, value: &T) -> Self {
        self.extension_with(T::CRITICAL, value)
    }

    /// With an extension.
    pub fn extension_with<'b, T: ExtensionValue<'b>>(mut self, critical: bool, value: &T) -> Self {
        self.oids.push(T::OID);
        write_extension(critical, value, &mut self.extensions);
        self
    }

    /// With an extension of a type that others define; `value` is its encoded value.
    pub fn raw_extension(mut self, oid: Oid, critical: bool, value: &[u8]) -> Self {
        self.oids.push(oid);
        write_raw_extension(&oid, critical, value, &mut self.extensions);
        self
    }

    /// Without extensions.
    pub fn clear_extensions(mut self) -> Self {
        self.extensions.clear();
        self.oids.clear();
        self
    }

    /// Appends the part that is signed.
    ///
    /// # Errors
    /// [`ErrorKind::SerialZero`], [`ErrorKind::BadPeriod`], [`ErrorKind::DuplicateExtension`];
    /// nothing is written then.
    pub fn write_tbs(&self, algorithm: SignatureAlgorithm, w: &mut Writer) -> Result<()> {
        if self.serial.is_zero() {
            return Err(ErrorKind::SerialZero.at(0));
        }
        if self.validity.not_after() < self.validity.not_before() {
            return Err(ErrorKind::BadPeriod.at(0));
        }
        check_unique(&self.oids)?;
        w.sequence(|w| {
            if !self.extensions.is_empty() {
                w.explicit(0, |w| w.integer_u64(2));
            }
            self.serial.write(w);
            algorithm.write(w);
            w.raw(self.issuer.as_der());
            self.validity.write(w);
            w.raw(self.subject.as_der());
            match self.spki {
                Spki::Key(key) => key.write(w),
                Spki::Der(der) => w.raw(der),
            }
            if !self.extensions.is_empty() {
                w.explicit(3, |w| w.sequence(|w| w.raw(self.extensions.as_bytes())));
            }
        });
        Ok(())
    }

    /// The part that is signed: to be signed elsewhere, and put together with
    /// [`crate::assemble`].
    ///
    /// # Errors
    /// As [`CertificateBuilder::write_tbs`].
    pub fn tbs(&self, algorithm: SignatureAlgorithm) -> Result<Vec<u8>> {
        let mut w = Writer::with_capacity(self.extensions.len() + 640);
        self.write_tbs(algorithm, &mut w)?;
        Ok(w.finish())
    }

    /// The certificate, signed by its issuer's key.
    ///
    /// # Errors
    /// As [`CertificateBuilder::write_tbs`], and that of the key.
    pub fn sign<K: SigningKey + ?Sized>(&self, key: &K) -> Result<Vec<u8>> {
        sign_tbs(&self.tbs(key.algorithm())?, key)
    }
}
