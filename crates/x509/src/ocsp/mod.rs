//! The Online Certificate Status Protocol (RFC 6960): a question about certificates, and a
//! signed answer.
//!
//! A certificate is named by its serial number and by hashes of its issuer's name and key. Here
//! these are made with SHA-256; those of any hash are read, compared and repeated.

mod builder;
mod request;
mod response;

use adamant_der::{Reader, Writer};
use adamant_hash::Sha256;

use crate::algorithm::SHA256;
use crate::element::sequence;
use crate::{AlgorithmIdentifier, Certificate, Element, Result, SerialNumber};

pub use builder::{ResponseBuilder, assemble_response, error_response};
pub use request::{OcspRequest, OcspRequestBuilder, SingleRequest};
pub use response::{
    BasicResponse, CertStatus, OcspResponse, ResponderId, ResponseStatus, SingleResponse,
};

/// Which certificate is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CertId<'a> {
    /// The hash.
    pub hash_algorithm: AlgorithmIdentifier<'a>,
    /// The hash of the issuer's name.
    pub issuer_name_hash: &'a [u8],
    /// The hash of the contents of the BIT STRING of the issuer's key.
    pub issuer_key_hash: &'a [u8],
    /// The certificate's number.
    pub serial: SerialNumber,
}

impl CertId<'_> {
    /// Whether both name the same certificate with the same hash. (Of a hash, parameters that
    /// are NULL and parameters that are absent mean the same.)
    pub fn matches(&self, other: &CertId<'_>) -> bool {
        self.hash_algorithm.oid == other.hash_algorithm.oid
            && self.issuer_name_hash == other.issuer_name_hash
            && self.issuer_key_hash == other.issuer_key_hash
            && self.serial == other.serial
    }
}

impl<'a> Element<'a> for CertId<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            Ok(Self {
                hash_algorithm: AlgorithmIdentifier::read(r)?,
                issuer_name_hash: r.octet_string()?,
                issuer_key_hash: r.octet_string()?,
                serial: SerialNumber::read(r)?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            self.hash_algorithm.write(w);
            w.octet_string(self.issuer_name_hash);
            w.octet_string(self.issuer_key_hash);
            self.serial.write(w);
        });
    }
}

/// The hashes of an issuer, made once for all its certificates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerId {
    name_hash: [u8; 32],
    key_hash: [u8; 32],
}

impl IssuerId {
    /// The hashes of an issuer from its certificate.
    ///
    /// # Errors
    /// [`crate::Error`] if the certificate's key is malformed.
    pub fn new(issuer: &Certificate<'_>) -> Result<Self> {
        Ok(Self {
            name_hash: Sha256::digest(issuer.subject_der()),
            key_hash: Sha256::digest(issuer.spki()?.key),
        })
    }

    /// The issuer's certificate with this number.
    pub fn cert_id(&self, serial: SerialNumber) -> CertId<'_> {
        CertId {
            hash_algorithm: AlgorithmIdentifier::new(SHA256, None),
            issuer_name_hash: &self.name_hash,
            issuer_key_hash: &self.key_hash,
            serial,
        }
    }
}
