//! The Online Certificate Status Protocol (RFC 6960): a question about certificates, and a
//! signed answer.
//!
//! A certificate is named by its serial number and by hashes of its issuer's name and key. Those of
//! any hash are read, compared and repeated; new ones are made with SHA-256, or with the hash of
//! the client's request.

mod builder;
mod request;
mod responder;
mod response;

use adamant_der::{Oid, Reader, Writer, oid};
use adamant_hash::{Sha1, Sha256, Sha384, Sha512};

use crate::algorithm::SHA256;
use crate::element::sequence;
use crate::{
    AlgorithmIdentifier, AnySerial, Certificate, Element, ErrorKind, Name, Result, SerialNumber,
    SubjectPublicKeyInfo,
};

pub use builder::{ResponseBuilder, assemble_response, error_response};
pub use request::{OcspRequest, OcspRequestBuilder, SingleRequest};
pub use responder::Responder;
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
    pub serial: AnySerial<'a>,
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

    /// Whether the hashes are those of an issuer's name and key, with whichever hash of those that
    /// are known.
    pub(crate) fn is_issued_by(&self, name: &Name<'_>, key: &SubjectPublicKeyInfo<'_>) -> bool {
        let is = |hashed: &[u8], octets: &[u8]| {
            let mut out = [0; 64];
            digest(&self.hash_algorithm.oid, octets, &mut out) == Some(hashed.len())
                && out[..hashed.len()] == *hashed
        };
        is(self.issuer_name_hash, name.as_der()) && is(self.issuer_key_hash, key.key)
    }
}

impl<'a> Element<'a> for CertId<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            Ok(Self {
                hash_algorithm: AlgorithmIdentifier::read(r)?,
                issuer_name_hash: r.octet_string()?,
                issuer_key_hash: r.octet_string()?,
                serial: AnySerial::read(r)?,
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
    hash: Oid,
    len: usize,
    name_hash: [u8; 64],
    key_hash: [u8; 64],
}

impl IssuerId {
    /// The hashes of an issuer from its certificate, with SHA-256.
    ///
    /// # Errors
    /// [`crate::Error`] if the certificate's key is malformed.
    pub fn new(issuer: &Certificate<'_>) -> Result<Self> {
        Self::with_hash(issuer, &SHA256)
    }

    /// The hashes of an issuer with the hash that a client asks with: SHA-256, SHA-384, SHA-512, or
    /// SHA-1, which is no weakness here, since nobody gains by a second name with the same hash as
    /// a CA's.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownAlgorithm`]; [`crate::Error`] if the certificate's key is malformed.
    pub fn with_hash(issuer: &Certificate<'_>, hash: &Oid) -> Result<Self> {
        let (name, key) = (issuer.subject_der(), issuer.spki()?.key);
        let mut id = Self {
            hash: *hash,
            len: 0,
            name_hash: [0; 64],
            key_hash: [0; 64],
        };
        let len = digest(hash, name, &mut id.name_hash);
        id.len = len.ok_or(ErrorKind::UnknownAlgorithm(*hash).at(0))?;
        digest(hash, key, &mut id.key_hash);
        Ok(id)
    }

    /// The issuer's certificate with this number.
    pub fn cert_id(&self, serial: SerialNumber) -> CertId<'_> {
        CertId {
            hash_algorithm: AlgorithmIdentifier::new(self.hash, None),
            issuer_name_hash: &self.name_hash[..self.len],
            issuer_key_hash: &self.key_hash[..self.len],
            serial: serial.into(),
        }
    }

    /// Whether a certificate of this issuer is meant; its number is in `cert_id`. A responder asks
    /// this of each certificate in a request, with the hashes of its issuers in the hash that
    /// [`CertId::hash_algorithm`] tells.
    pub fn issued(&self, cert_id: &CertId<'_>) -> bool {
        let ours = CertId {
            serial: cert_id.serial,
            ..self.cert_id(SerialNumber::from(0))
        };
        ours.matches(cert_id)
    }
}

/// Writes the digest of a message, with the hash of this identifier, to the start of `out`, and
/// tells its length; nothing for a hash that is not known.
fn digest(hash: &Oid, message: &[u8], out: &mut [u8; 64]) -> Option<usize> {
    let known = HASHES.iter().find(|(oid, _)| oid == hash);
    known.map(|(_, digest)| digest(message, out))
}

/// Writes the digest of a message to the start of `out`, and tells its length.
type Digest = fn(&[u8], &mut [u8; 64]) -> usize;

macro_rules! hashes {
    ($($oid:expr => $hash:ident;)*) => {
        const HASHES: &[(Oid, Digest)] = &[$(($oid, |message, out| {
            let digest = $hash::digest(message);
            out[..digest.len()].copy_from_slice(&digest);
            digest.len()
        })),*];
    };
}

hashes! {
    SHA256 => Sha256;
    oid!("1.3.14.3.2.26") => Sha1;
    oid!("2.16.840.1.101.3.4.2.2") => Sha384;
    oid!("2.16.840.1.101.3.4.2.3") => Sha512;
}
