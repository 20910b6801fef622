//! Certificates for trials and tests: an authority in memory.

use std::net::IpAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use adamant::der::Time;
use adamant::x509::extensions::{
    BasicConstraints, ExtendedKeyUsage, GeneralName, KeyUsage, SubjectAltName,
};
use adamant::x509::{
    CertificateBuilder, DistinguishedName, PrivateKey, PublicKey, Result, SerialNumber,
};
use rustls::pki_types::CertificateDer;

use crate::random::Random;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// An authority whose certificates are valid from yesterday on, for thirty days: for trying TLS
/// out, not for serving the world.
///
/// ```
/// use adamant::SystemRng;
/// use adamant::x509::{KeyAlgorithm, PrivateKey};
/// use rustls_adamant::trial::Authority;
///
/// let authority = Authority::new(PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?)?;
/// let key = PrivateKey::generate(KeyAlgorithm::MlDsa65, &mut SystemRng)?;
/// let certificate = authority.issue(&key.public_key(), "localhost")?;
/// # assert!(certificate.len() > 1952);
/// # Ok::<(), adamant::x509::Error>(())
/// ```
pub struct Authority {
    key: PrivateKey,
    public: PublicKey,
    name: DistinguishedName,
    certificate: Vec<u8>,
}

/// Now, and this many days before or after.
fn days(from_now: i64) -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = since.map_or(0, |since| since.as_secs() as i64);
    Time::from_unix(now + from_now * DAY).unwrap_or(Time::MAX)
}

impl Authority {
    /// An authority with this key, which signs with its usual algorithm.
    ///
    /// # Errors
    /// [`ErrorKind::CannotSign`](adamant::x509::ErrorKind::CannotSign) for keys that do not sign.
    pub fn new(key: PrivateKey) -> Result<Self> {
        let name = DistinguishedName::new().common_name("Trial Authority");
        let public = key.public_key();
        let certificate = CertificateBuilder::new(
            SerialNumber::random(&mut Random)?,
            name.as_name(),
            days(-1),
            days(30),
            name.as_name(),
            &public,
        )
        .extension(&BasicConstraints::ca(None))
        .extension(&(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN))
        .sign(key.signer()?)?;
        Ok(Authority {
            key,
            public,
            name,
            certificate,
        })
    }

    /// The authority's own certificate: what the other side has to trust.
    #[must_use]
    pub fn certificate(&self) -> CertificateDer<'static> {
        self.certificate.clone().into()
    }

    /// The key that verifies what the authority signed.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// A certificate of a server or client with this DNS name or address.
    ///
    /// # Errors
    /// Those of the builder, for a name that is none.
    pub fn issue(&self, key: &PublicKey, name: &str) -> Result<CertificateDer<'static>> {
        self.issue_for(key, name, -1, 30)
    }

    /// [`Self::issue`] for the time between two days, counted from today.
    ///
    /// # Errors
    /// As there.
    pub fn issue_for(
        &self,
        key: &PublicKey,
        name: &str,
        from: i64,
        to: i64,
    ) -> Result<CertificateDer<'static>> {
        let octets = match name.parse() {
            Ok(IpAddr::V4(address)) => address.octets().to_vec(),
            Ok(IpAddr::V6(address)) => address.octets().to_vec(),
            Err(_) => Vec::new(),
        };
        let name = match &octets[..] {
            [] => GeneralName::Dns(name),
            octets => GeneralName::Ip(octets),
        };
        let subject = DistinguishedName::new().common_name("trial");
        let purposes = [ExtendedKeyUsage::SERVER_AUTH, ExtendedKeyUsage::CLIENT_AUTH];
        let certificate = CertificateBuilder::new(
            SerialNumber::random(&mut Random)?,
            self.name.as_name(),
            days(from),
            days(to),
            subject.as_name(),
            key,
        )
        .extension(&BasicConstraints::end_entity())
        .extension(&KeyUsage::DIGITAL_SIGNATURE)
        .extension(&ExtendedKeyUsage((&purposes).into()))
        .extension(&SubjectAltName((&[name]).into()))
        .sign(self.key.signer()?)?;
        Ok(certificate.into())
    }
}
