//! Responses that are made here.

use alloc::vec::Vec;

use adamant_der::{Time, Writer};

use super::request::write_certificates;
use super::response::BASIC;
use super::{ResponderId, ResponseStatus, SingleResponse};
use crate::extensions::{ExtendedRevoke, OcspNonce, write_extension};
use crate::signed::assemble_with;
use crate::{Element, ErrorKind, Result, SignatureAlgorithm, SigningKey};

/// Makes a signed answer.
///
/// ```
/// use adamant_rand::SystemRng;
/// use adamant_x509::ocsp::{
///     CertStatus, IssuerId, OcspResponse, ResponderId, ResponseBuilder, SingleResponse,
/// };
/// use adamant_x509::{
///     Certificate, CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey, SerialNumber,
/// };
///
/// let key = PrivateKey::generate(KeyAlgorithm::Ed25519, &mut SystemRng)?;
/// let public_key = key.public_key();
/// let name = DistinguishedName::new().common_name("CA");
/// let (now, next) = ("2026-01-01".parse()?, "2026-01-08".parse()?);
/// let serial = SerialNumber::from(1);
/// let ca =
///     CertificateBuilder::new(serial, name.as_name(), now, next, name.as_name(), &public_key)
///         .sign(key.signer()?)?;
/// let issuer = IssuerId::new(&Certificate::from_der(&ca)?)?;
///
/// let cert_id = issuer.cert_id(SerialNumber::from(7));
/// let single = SingleResponse::new(cert_id, CertStatus::Good, now, Some(next));
/// let der = ResponseBuilder::new(ResponderId::Name(name.as_name()), now)
///     .sign(&[single], key.signer()?)?;
///
/// let response = OcspResponse::from_der(&der)?;
/// let basic = response.basic()?;
/// basic.verify(&public_key)?;
/// assert_eq!(basic.find(&cert_id).unwrap().status, CertStatus::Good);
/// # Ok::<(), adamant_x509::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ResponseBuilder<'a> {
    responder: ResponderId<'a>,
    produced_at: Time,
    nonce: Option<OcspNonce<'a>>,
    extended_revoke: bool,
    certificates: &'a [&'a [u8]],
}

impl<'a> ResponseBuilder<'a> {
    /// An answer of this responder, signed at this time.
    pub const fn new(responder: ResponderId<'a>, produced_at: Time) -> Self {
        Self {
            responder,
            produced_at,
            nonce: None,
            extended_revoke: false,
            certificates: &[],
        }
    }

    /// With the octets of the request.
    pub const fn nonce(mut self, nonce: &'a [u8]) -> Self {
        self.nonce = Some(OcspNonce(nonce));
        self
    }

    /// Saying that certificates which were never issued are answered as revoked (RFC 6960, 4.4.8):
    /// such an answer must say it, others may.
    pub const fn extended_revoke(mut self) -> Self {
        self.extended_revoke = true;
        self
    }

    /// With encoded certificates that help to verify it: a responder's own, where it is not the
    /// issuer.
    pub const fn certificates(mut self, certificates: &'a [&'a [u8]]) -> Self {
        self.certificates = certificates;
        self
    }

    /// Appends the part that is signed, for these certificates.
    ///
    /// # Errors
    /// [`ErrorKind::Empty`] if there are none, [`ErrorKind::SerialNegative`] and
    /// [`ErrorKind::SerialTooLong`] for a number that no certificate can have; nothing is written
    /// then.
    pub fn write_tbs(&self, responses: &[SingleResponse<'_>], w: &mut Writer) -> Result<()> {
        if responses.is_empty() {
            return Err(ErrorKind::Empty.at(0));
        }
        for response in responses {
            response.cert_id.serial.check()?;
        }
        w.sequence(|w| {
            match self.responder {
                ResponderId::Name(name) => w.explicit(1, |w| w.raw(name.as_der())),
                by_key => by_key.write(w),
            }
            w.generalized_time(self.produced_at);
            w.sequence(|w| {
                for response in responses {
                    response.write(w);
                }
            });
            if self.nonce.is_some() || self.extended_revoke {
                w.explicit(1, |w| {
                    w.sequence(|w| {
                        if let Some(nonce) = &self.nonce {
                            write_extension(false, nonce, w);
                        }
                        if self.extended_revoke {
                            write_extension(false, &ExtendedRevoke, w);
                        }
                    });
                });
            }
        });
        Ok(())
    }

    /// The part that is signed: to be signed elsewhere, and put together with
    /// [`assemble_response`].
    ///
    /// # Errors
    /// As [`ResponseBuilder::write_tbs`].
    pub fn tbs(&self, responses: &[SingleResponse<'_>]) -> Result<Vec<u8>> {
        let mut w = Writer::with_capacity(256 + 192 * responses.len());
        self.write_tbs(responses, &mut w)?;
        Ok(w.finish())
    }

    /// The whole response, signed by the responder's key.
    ///
    /// # Errors
    /// As [`ResponseBuilder::write_tbs`], and that of the key.
    pub fn sign<K: SigningKey + ?Sized>(
        &self,
        responses: &[SingleResponse<'_>],
        key: &K,
    ) -> Result<Vec<u8>> {
        let tbs = self.tbs(responses)?;
        let mut signature = Vec::with_capacity(80);
        key.sign(&tbs, &mut signature)?;
        let algorithm = key.algorithm();
        Ok(assemble_response(
            &tbs,
            algorithm,
            &signature,
            self.certificates,
        ))
    }
}

/// Puts a signed part, its signature's algorithm, the signature and certificates together: a
/// successful response.
pub fn assemble_response(
    tbs: &[u8],
    algorithm: SignatureAlgorithm,
    signature: &[u8],
    certificates: &[&[u8]],
) -> Vec<u8> {
    let basic = assemble_with(tbs, algorithm, signature, |w| {
        write_certificates(certificates, w);
    });
    let mut w = Writer::with_capacity(basic.len() + 48);
    w.sequence(|w| {
        w.enumerated(ResponseStatus::Successful.code());
        w.explicit(0, |w| {
            w.sequence(|w| {
                w.oid(&BASIC);
                w.octet_string(&basic);
            });
        });
    });
    w.finish()
}

/// The response of a responder that has no answer.
///
/// ```
/// use adamant_x509::ocsp::{OcspResponse, ResponseStatus, error_response};
///
/// let der = error_response(ResponseStatus::TryLater).unwrap();
/// assert_eq!(OcspResponse::from_der(&der)?.status, ResponseStatus::TryLater);
/// assert!(error_response(ResponseStatus::Successful).is_none());
/// # Ok::<(), adamant_x509::Error>(())
/// ```
pub fn error_response(status: ResponseStatus) -> Option<Vec<u8>> {
    if status == ResponseStatus::Successful {
        return None;
    }
    let mut w = Writer::new();
    w.sequence(|w| w.enumerated(status.code()));
    Some(w.finish())
}
