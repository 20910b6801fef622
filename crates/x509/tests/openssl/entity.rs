//! Certification authorities and servers made here.

use std::time::SystemTime;

use adamant_der::Time;
use adamant_rand::SystemRng;
use adamant_x509::extensions::*;
use adamant_x509::{
    Certificate, CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey, SerialNumber,
};

pub(crate) fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Time::from_unix(since.unwrap().as_secs() as i64).unwrap()
}

pub(crate) fn days(time: Time, days: u64) -> Time {
    time.saturating_add(86_400 * days)
}

/// A CA or end entity: its key, name and certificate.
pub(crate) struct Entity {
    pub(crate) key: PrivateKey,
    pub(crate) name: DistinguishedName,
    pub(crate) der: Vec<u8>,
}

impl Entity {
    pub(crate) fn certificate(&self) -> Certificate<'_> {
        Certificate::from_der(&self.der).unwrap()
    }

    pub(crate) fn pem(&self) -> String {
        self.certificate().to_pem()
    }

    /// Made by `issuer`, or by itself.
    pub(crate) fn new(
        algorithm: KeyAlgorithm,
        name: &str,
        issuer: Option<&Self>,
        extend: impl FnOnce(CertificateBuilder<'_>) -> CertificateBuilder<'_>,
    ) -> Self {
        let key = PrivateKey::generate(algorithm, &mut SystemRng).unwrap();
        let name = DistinguishedName::new()
            .organization("Adamant")
            .common_name(name);
        let (issuer_key, issuer_name) = issuer.map_or((&key, &name), |i| (&i.key, &i.name));
        let public_key = key.public_key();
        let builder = CertificateBuilder::new(
            SerialNumber::random(&mut SystemRng).unwrap(),
            issuer_name.as_name(),
            now(),
            days(now(), 30),
            name.as_name(),
            &public_key,
        )
        .extension(&SubjectKeyIdentifier(&public_key.key_id()))
        .extension(&AuthorityKeyIdentifier::new(
            &issuer_key.public_key().key_id(),
        ));
        let der = extend(builder).sign(issuer_key.signer().unwrap()).unwrap();
        Self { key, name, der }
    }

    pub(crate) fn ca(algorithm: KeyAlgorithm, name: &str, issuer: Option<&Self>) -> Self {
        Self::new(algorithm, name, issuer, |builder| {
            builder.extension(&BasicConstraints::ca(None)).extension(
                &(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN | KeyUsage::DIGITAL_SIGNATURE),
            )
        })
    }

    pub(crate) fn server(algorithm: KeyAlgorithm, name: &str, issuer: &Self) -> Self {
        Self::new(algorithm, name, Some(issuer), |builder| {
            builder
                .extension(&BasicConstraints::end_entity())
                .extension(&KeyUsage::DIGITAL_SIGNATURE)
                .extension(&ExtendedKeyUsage((&[ExtendedKeyUsage::SERVER_AUTH]).into()))
                .extension(&SubjectAltName(
                    (&[GeneralName::Dns("adamant.example")]).into(),
                ))
        })
    }
}
