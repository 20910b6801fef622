//! Who may answer for an issuer (RFC 6960, 4.2.2.2): the issuer itself, or one to which it delegates
//! in a certificate that it signed.

use adamant_der::Time;

use super::BasicResponse;
use crate::extensions::{CertificateExtensions, ExtendedKeyUsage, KeyUsage};
use crate::{Certificate, ErrorKind, PublicKey, Result};

/// Who signed a response, as [`BasicResponse::verify_for`] found.
// One at a time, and a box would be in the way of every pattern.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug)]
pub enum Responder<'a> {
    /// The issuer of the certificates.
    Issuer,
    /// One to which the issuer delegates.
    Delegate {
        /// The delegate's certificate, which came with the response.
        certificate: Certificate<'a>,
        /// Whether the issuer vouches for the certificate as long as it lasts
        /// (`id-pkix-ocsp-nocheck`). Otherwise it can be revoked, which is the caller's to find
        /// out.
        no_check: bool,
    },
}

impl<'a> BasicResponse<'a> {
    /// Finds who signed, checks that this one may answer for the issuer at this time, and checks
    /// the signature.
    ///
    /// Whether the answer is fresh, and about the certificate that was asked for, is the caller's
    /// to check: [`BasicResponse::find`],
    /// [`SingleResponse::is_current`](super::SingleResponse::is_current), and the nonce.
    ///
    /// ```
    /// # use adamant_rand::SystemRng;
    /// # use adamant_x509::extensions::*;
    /// # use adamant_x509::ocsp::*;
    /// # use adamant_x509::*;
    /// # let mut rng = SystemRng;
    /// # let ca_key = PrivateKey::generate(KeyAlgorithm::Ed25519, &mut rng)?;
    /// # let key = PrivateKey::generate(KeyAlgorithm::Ed25519, &mut rng)?;
    /// # let (public, name) = (ca_key.public_key(), DistinguishedName::new().common_name("CA"));
    /// # let (now, next) = ("2026-01-01".parse()?, "2026-01-08".parse()?);
    /// # let ca = CertificateBuilder::new(
    /// #     SerialNumber::from(1), name.as_name(), now, next, name.as_name(), &public,
    /// # ).sign(ca_key.signer()?)?;
    /// # let public = key.public_key();
    /// let purposes = [ExtendedKeyUsage::OCSP_SIGNING];
    /// let subject = DistinguishedName::new().common_name("Responder");
    /// let delegate = CertificateBuilder::new(
    ///     SerialNumber::from(2), name.as_name(), now, next, subject.as_name(), &public,
    /// )
    /// .extension(&ExtendedKeyUsage((&purposes).into()))
    /// .extension(&OcspNoCheck)
    /// .sign(ca_key.signer()?)?;
    ///
    /// let issuer = Certificate::from_der(&ca)?;
    /// let id = IssuerId::new(&issuer)?;
    /// let cert_id = id.cert_id(SerialNumber::from(7));
    /// let single = SingleResponse::new(cert_id, CertStatus::Good, now, Some(next));
    /// let hash = ResponderId::key_hash(&Certificate::from_der(&delegate)?.spki()?);
    /// let der = ResponseBuilder::new(ResponderId::KeyHash(&hash), now)
    ///     .certificates(&[&delegate])
    ///     .sign(&[single], key.signer()?)?;
    ///
    /// let response = OcspResponse::from_der(&der)?;
    /// let responder = response.basic()?.verify_for(&issuer, now)?;
    /// assert!(matches!(responder, Responder::Delegate { no_check: true, .. }));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::UnauthorizedResponder`] where nobody who may answer is named; as
    /// [`Signed::verify`](crate::Signed::verify) where somebody is, and the signature or that of the
    /// delegate's certificate is wrong.
    pub fn verify_for(&self, issuer: &Certificate<'_>, at: Time) -> Result<Responder<'a>> {
        let issuer_key = issuer.public_key()?;
        if self.responder.is(issuer)? {
            self.verify(&issuer_key)?;
            return Ok(Responder::Issuer);
        }
        for certificate in self.certificates.into_iter().flatten() {
            if self.responder.is(&certificate)?
                && let Some(no_check) = delegates(issuer, &issuer_key, &certificate, at)?
            {
                self.verify(&certificate.public_key()?)?;
                return Ok(Responder::Delegate {
                    certificate,
                    no_check,
                });
            }
        }
        Err(ErrorKind::UnauthorizedResponder.at(0))
    }
}

/// Whether the issuer delegates to the subject of this certificate at this time, and if so, whether
/// it vouches for it.
fn delegates(
    issuer: &Certificate<'_>,
    issuer_key: &PublicKey,
    certificate: &Certificate<'_>,
    at: Time,
) -> Result<Option<bool>> {
    if certificate.issuer_der() != issuer.subject_der() || !certificate.validity()?.contains(at) {
        return Ok(None);
    }
    let said = CertificateExtensions::decode(certificate.extensions())?;
    // The purpose itself: "any" does not delegate (RFC 6960, 4.2.2.2).
    let purpose = said.extended_key_usage.is_some_and(|usage| {
        usage
            .0
            .iter()
            .any(|oid| oid == ExtendedKeyUsage::OCSP_SIGNING)
    });
    let signs = said.key_usage.is_none_or(|usage| {
        usage.contains(KeyUsage::DIGITAL_SIGNATURE) || usage.contains(KeyUsage::NON_REPUDIATION)
    });
    if !purpose || !signs {
        return Ok(None);
    }
    certificate.verify(issuer_key)?;
    Ok(Some(said.ocsp_no_check.is_some()))
}
