//! Requests (RFC 6960, 4.1).

use alloc::vec::Vec;

use adamant_der::{Reader, Tag, Writer};

use super::CertId;
use crate::element::{default_version, encodings, optional_explicit, sequence, within};
use crate::extensions::{Extensions, GeneralName, OcspExtensions, OcspNonce, write_extension};
use crate::{Certificate, Element, ErrorKind, List, PublicKey, Result, Signed, SigningKey};

/// A question about certificates, in an encoding that it borrows from.
///
/// See [`OcspRequestBuilder`] for one that is made and read.
#[derive(Clone, Copy, Debug)]
pub struct OcspRequest<'a> {
    /// Who asks.
    pub requestor: Option<GeneralName<'a>>,
    /// The certificates that are asked about.
    pub requests: List<'a, SingleRequest<'a>>,
    /// The request's extensions.
    pub extensions: OcspExtensions<'a>,
    signed: Option<Signed<'a>>,
    certificates: Option<List<'a, Certificate<'a>>>,
}

impl<'a> OcspRequest<'a> {
    /// The request as something signed, if it is.
    pub const fn signed(&self) -> Option<&Signed<'a>> {
        self.signed.as_ref()
    }

    /// Checks the signature of a signed request.
    ///
    /// # Errors
    /// As [`Signed::verify`]; [`adamant_base::Error::BadSignature`] if there is none.
    pub fn verify(&self, requestor: &PublicKey) -> Result<()> {
        let missing = ErrorKind::Crypto(adamant_base::Error::BadSignature).at(0);
        self.signed.ok_or(missing)?.verify(requestor)
    }

    /// The certificates that come with a signature.
    pub fn certificates(&self) -> impl Iterator<Item = Certificate<'a>> + use<'a> {
        self.certificates.into_iter().flatten()
    }
}

encodings! { OcspRequest, "OCSP REQUEST" }

impl<'a> Element<'a> for OcspRequest<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let whole = r.read(Tag::SEQUENCE)?;
        within(whole.reader()?, |r| {
            let tbs = r.read(Tag::SEQUENCE)?;
            let signature = optional_explicit(r, 0, |r| {
                sequence(r, |r| {
                    let (signed, _) = Signed::read_signature(r, &whole, &tbs)?;
                    Ok((signed, optional_explicit(r, 0, List::read)?))
                })
            })?;
            let (signed, certificates) = signature.unzip();
            within(tbs.reader()?, |r| {
                default_version(r, 0)?;
                let requestor = optional_explicit(r, 1, GeneralName::read)?;
                let requests = List::read(r)?;
                let extensions = optional_explicit(r, 2, Extensions::read)?;
                Ok(Self {
                    requestor,
                    requests,
                    extensions: OcspExtensions::decode(extensions.unwrap_or_default())?,
                    signed,
                    certificates: certificates.flatten(),
                })
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.sequence(|w| {
                if let Some(requestor) = self.requestor {
                    w.explicit(1, |w| requestor.write(w));
                }
                self.requests.write(w);
                if !self.extensions.raw().is_empty() {
                    w.explicit(2, |w| self.extensions.write(w));
                }
            });
            if let Some(signed) = self.signed {
                w.explicit(0, |w| {
                    w.sequence(|w| {
                        signed.write_signature(w);
                        if let Some(certificates) = self.certificates {
                            w.explicit(0, |w| certificates.write(w));
                        }
                    });
                });
            }
        });
    }
}

/// One certificate that is asked about.
#[derive(Clone, Copy, Debug)]
pub struct SingleRequest<'a> {
    /// Which.
    pub cert_id: CertId<'a>,
    /// Its extensions.
    pub extensions: OcspExtensions<'a>,
}

impl<'a> From<CertId<'a>> for SingleRequest<'a> {
    fn from(cert_id: CertId<'a>) -> Self {
        Self {
            cert_id,
            extensions: OcspExtensions::default(),
        }
    }
}

impl<'a> Element<'a> for SingleRequest<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let cert_id = CertId::read(r)?;
            let extensions = optional_explicit(r, 0, Extensions::read)?.unwrap_or_default();
            Ok(Self {
                cert_id,
                extensions: OcspExtensions::decode(extensions)?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            self.cert_id.write(w);
            if !self.extensions.raw().is_empty() {
                w.explicit(0, |w| self.extensions.write(w));
            }
        });
    }
}

/// Makes a request.
///
/// ```
/// use adamant_der::oid;
/// use adamant_x509::ocsp::{CertId, OcspRequest, OcspRequestBuilder};
/// use adamant_x509::{AlgorithmIdentifier, AnySerial};
///
/// let cert_id = CertId {
///     hash_algorithm: AlgorithmIdentifier::new(oid!("2.16.840.1.101.3.4.2.1"), None),
///     issuer_name_hash: &[1; 32],
///     issuer_key_hash: &[2; 32],
///     serial: AnySerial::Number(7.into()),
/// };
/// let der = OcspRequestBuilder::new().certificate(cert_id).nonce(&[3; 32]).build();
///
/// let request = OcspRequest::from_der(&der)?;
/// assert!(request.requests.iter().next().unwrap().cert_id.matches(&cert_id));
/// assert_eq!(request.extensions.nonce.unwrap().0, [3; 32]);
/// # Ok::<(), adamant_x509::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct OcspRequestBuilder<'a> {
    requests: Vec<SingleRequest<'a>>,
    nonce: Option<OcspNonce<'a>>,
    requestor: Option<GeneralName<'a>>,
}

impl<'a> OcspRequestBuilder<'a> {
    /// A request about nothing yet.
    pub const fn new() -> Self {
        Self {
            requests: Vec::new(),
            nonce: None,
            requestor: None,
        }
    }

    /// Also about this certificate.
    pub fn certificate(mut self, cert_id: CertId<'a>) -> Self {
        self.requests.push(cert_id.into());
        self
    }

    /// With octets, 1 to 128, that the response must repeat. A client sends 32 random ones; a
    /// responder may pass over what is longer (RFC 9654, 2.1).
    pub const fn nonce(mut self, nonce: &'a [u8]) -> Self {
        self.nonce = Some(OcspNonce(nonce));
        self
    }

    /// With the requester's name, which a signed request has (RFC 6960, 4.1.2).
    pub const fn requestor(mut self, name: GeneralName<'a>) -> Self {
        self.requestor = Some(name);
        self
    }

    /// The request without a signature, as nearly all are.
    pub fn build(&self) -> Vec<u8> {
        let mut w = Writer::with_capacity(128 * (self.requests.len() + 1));
        w.sequence(|w| self.write_tbs(w));
        w.finish()
    }

    /// The request, signed, with encoded certificates that help to verify it.
    ///
    /// # Errors
    /// [`ErrorKind::Empty`] without a requestor, who is named in signed requests; that of the key.
    pub fn sign<K: SigningKey + ?Sized>(&self, key: &K, certificates: &[&[u8]]) -> Result<Vec<u8>> {
        if self.requestor.is_none() {
            return Err(ErrorKind::Empty.at(0));
        }
        let mut tbs = Writer::with_capacity(128 * (self.requests.len() + 1));
        self.write_tbs(&mut tbs);
        let mut signature = Vec::with_capacity(80);
        key.sign(tbs.as_bytes(), &mut signature)?;
        let mut w = Writer::with_capacity(tbs.len() + signature.len() + 64);
        w.sequence(|w| {
            w.raw(tbs.as_bytes());
            w.explicit(0, |w| {
                w.sequence(|w| {
                    key.algorithm().write(w);
                    w.bit_string(&signature, 0);
                    write_certificates(certificates, w);
                });
            });
        });
        Ok(w.finish())
    }

    fn write_tbs(&self, w: &mut Writer) {
        w.sequence(|w| {
            if let Some(requestor) = &self.requestor {
                w.explicit(1, |w| requestor.write(w));
            }
            List::new(&self.requests).write(w);
            if let Some(nonce) = &self.nonce {
                w.explicit(2, |w| w.sequence(|w| write_extension(false, nonce, w)));
            }
        });
    }
}

/// `certs [0] EXPLICIT SEQUENCE OF Certificate OPTIONAL`.
pub(super) fn write_certificates(certificates: &[&[u8]], w: &mut Writer) {
    if !certificates.is_empty() {
        w.explicit(0, |w| {
            w.sequence(|w| certificates.iter().for_each(|der| w.raw(der)));
        });
    }
}
