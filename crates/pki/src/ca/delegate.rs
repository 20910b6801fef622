//! A responder of OCSP in the CA's place (RFC 6960, 4.2.2.2): a key of its own, and the
//! certificate for it that the CA has issued.
//!
//! The CA's key can then be elsewhere: [`Authority::open_delegated`](super::Authority::open_delegated).

use adamant::der::Time;
use adamant::x509::extensions::{ExtendedKeyUsage, KeyUsage};
use adamant::x509::ocsp::ResponderId;
use adamant::x509::{Certificate, FullCertificate};

use super::{CaSigner, Error, Result};

/// A key that signs responses, with its certificate: one of the profile `ocsp`.
pub struct Delegate {
    pub(super) signer: Box<dyn CaSigner>,
    certificate: Vec<u8>,
    key_hash: [u8; 20],
    not_after: Time,
}

impl Delegate {
    /// A delegate of the CA with this key, as far as the certificate says so: it was signed by the
    /// CA, is for `OCSPSigning` and this key, and holds at this time.
    ///
    /// # Errors
    /// [`Error::Refused`] with what is wrong; [`Error::X509`] for anything but a certificate.
    pub fn new(
        certificate: &[u8],
        signer: Box<dyn CaSigner>,
        issuer: &[u8],
        now: Time,
    ) -> Result<Self> {
        let refused = |why: &str| Err(Error::Refused(format!("the responder's certificate {why}")));
        let own = FullCertificate::from_der(certificate)?;
        let issuer = Certificate::from_der(issuer)?;
        let (extensions, validity) = (&own.extensions, own.validity);
        let purposes = extensions.extended_key_usage;
        let named = |usage: &ExtendedKeyUsage<'_>| {
            usage
                .0
                .iter()
                .any(|oid| oid == ExtendedKeyUsage::OCSP_SIGNING)
        };
        if own.issuer_der() != issuer.subject_der() || own.verify(&issuer.public_key()?).is_err() {
            return refused("is not this CA's");
        }
        if own.public_key()? != signer.public_key() {
            return refused("is not for this key");
        }
        if !purposes.as_ref().is_some_and(named) {
            return refused("is not for signing responses: OCSPSigning is missing");
        }
        let signs = |usage: KeyUsage| usage.contains(KeyUsage::DIGITAL_SIGNATURE);
        if !extensions.key_usage.is_none_or(signs) {
            return refused("has no digitalSignature");
        }
        if now < validity.not_before() || now > validity.not_after() {
            return refused("does not hold now");
        }
        Ok(Self {
            key_hash: ResponderId::key_hash(&own.spki),
            not_after: validity.not_after(),
            certificate: certificate.to_vec(),
            signer,
        })
    }
}

impl Delegate {
    /// The last second of the certificate.
    pub(super) fn until(&self) -> Time {
        self.not_after
    }
}

/// Who signs responses, and how they tell of it.
pub(super) struct Voice<'a> {
    pub(super) signer: &'a dyn CaSigner,
    pub(super) id: ResponderId<'a>,
    /// The certificates that clients need besides the CA's.
    pub(super) certificates: Vec<&'a [u8]>,
    /// The last second that a response can tell of.
    until: Time,
}

impl<'a> Voice<'a> {
    pub(super) fn of_ca(signer: &'a dyn CaSigner, certificate: &Certificate<'a>) -> Result<Self> {
        Ok(Self {
            signer,
            id: ResponderId::Name(certificate.subject()?),
            certificates: Vec::new(),
            until: Time::MAX,
        })
    }

    /// # Errors
    /// [`Error::Refused`] when the delegate's certificate has ended.
    pub(super) fn of_delegate(delegate: &'a Delegate, now: Time) -> Result<Self> {
        let until = delegate.not_after;
        if now > until {
            let why = format!("the responder's certificate has ended at {until}");
            return Err(Error::Refused(why));
        }
        Ok(Self {
            signer: &*delegate.signer,
            id: ResponderId::KeyHash(&delegate.key_hash),
            certificates: vec![&delegate.certificate],
            until,
        })
    }

    /// When a response of now ends that should hold for this many seconds.
    pub(super) fn next_update(&self, now: Time, seconds: u64) -> Time {
        now.saturating_add(seconds).min(self.until)
    }
}
