//! Certificates with all fields read.

use core::ops::Deref;

use adamant_der::{Reader, Tag, Writer};

use super::{Certificate, Validity};
use crate::element::encodings;
use crate::extensions::CertificateExtensions;
use crate::{Element, Name, Result, SubjectPublicKeyInfo};

/// A certificate all fields and extensions of which are read: no extension is critical and
/// unknown, and none is there twice.
///
/// Whether the subject's key is one of its algorithm shows in
/// [`PublicKey::from_spki`](crate::PublicKey::from_spki).
#[derive(Clone, Copy, Debug)]
pub struct FullCertificate<'a> {
    certificate: Certificate<'a>,
    /// The issuer.
    pub issuer: Name<'a>,
    /// From when until when the certificate holds.
    pub validity: Validity,
    /// The subject.
    pub subject: Name<'a>,
    /// The subject's key in its structure.
    pub spki: SubjectPublicKeyInfo<'a>,
    /// The extensions.
    pub extensions: CertificateExtensions<'a>,
}

impl<'a> FullCertificate<'a> {
    pub(super) fn new(certificate: Certificate<'a>) -> Result<Self> {
        Ok(Self {
            issuer: certificate.issuer()?,
            validity: certificate.validity()?,
            subject: certificate.subject()?,
            spki: certificate.spki()?,
            extensions: CertificateExtensions::decode(certificate.extensions)?,
            certificate,
        })
    }

    /// The structure.
    pub const fn certificate(&self) -> &Certificate<'a> {
        &self.certificate
    }

    fn write_tbs(&self, w: &mut Writer) {
        let certificate = &self.certificate;
        w.sequence(|w| {
            if certificate.version > 0 {
                w.explicit(0, |w| w.integer_u64(certificate.version.into()));
            }
            certificate.serial.write(w);
            certificate.signature_algorithm().write(w);
            self.issuer.write(w);
            self.validity.write(w);
            self.subject.write(w);
            self.spki.write(w);
            for (number, id) in [
                (1, certificate.issuer_unique_id()),
                (2, certificate.subject_unique_id()),
            ] {
                if let Some(id) = id {
                    w.nested(Tag::context(number), |w| {
                        w.raw(&[id.unused_bits]);
                        w.raw(id.bytes);
                    });
                }
            }
            if !certificate.extensions.is_empty() {
                w.explicit(3, |w| self.extensions.write(w));
            }
        });
    }
}

encodings! { FullCertificate, "CERTIFICATE" }

impl<'a> Element<'a> for FullCertificate<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Certificate::read(r)?.full()
    }

    fn write(&self, w: &mut Writer) {
        self.certificate.write_with(w, |w| self.write_tbs(w));
    }
}

impl<'a> Deref for FullCertificate<'a> {
    type Target = Certificate<'a>;

    fn deref(&self) -> &Certificate<'a> {
        &self.certificate
    }
}
