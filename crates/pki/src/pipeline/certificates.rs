//! The CA's certificate, and the subscribers'.

use std::slice;

use adamant::x509::extensions::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, GeneralName, KeyUsage,
    SubjectAltName, SubjectKeyIdentifier,
};
use adamant::x509::{
    Certificate, CertificateBuilder, DistinguishedName, PublicKey, SerialNumber,
    SignatureAlgorithm, assemble,
};

use super::Keys;
use super::parallel;
use super::pass::{Made, Pass, Scene, ensure, mean_len, serial};
use super::stage::Variant;
use crate::{Provider, Result};

const DAY: u64 = 86_400;

/// Signs the CA's own certificate.
pub(super) fn self_sign<P: Provider>(pass: &mut Pass<'_, P>) -> Result<()> {
    let scene = &mut pass.scene;
    let (ca, algorithm) = (&scene.ca, scene.algorithm.signature());
    let tbs = CertificateBuilder::new(
        SerialNumber::new(&ca.key_id[..16])?,
        ca.name.as_name(),
        scene.now,
        scene.now.saturating_add(3650 * DAY),
        ca.name.as_name(),
        &ca.public_key,
    )
    .extension(&BasicConstraints::ca(Some(0)))
    .extension(&(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN | KeyUsage::DIGITAL_SIGNATURE))
    .extension(&SubjectKeyIdentifier(&ca.key_id))
    .tbs(algorithm)?;
    let signatures = scene.sign("ca_self_sign", slice::from_ref(&tbs))?;
    scene.ca.certificate = assemble(&tbs, algorithm, &signatures[0]);
    Ok(())
}

/// The CA's certificate reads in full and verifies under its own key.
pub(super) fn check_ca<P: Provider>(pass: &mut Pass<'_, P>) -> Result<usize> {
    let ca = &pass.scene.ca;
    let certificate = Certificate::parse_full(&ca.certificate)?;
    certificate.verify(&ca.public_key)?;
    let right = certificate.extensions.basic_constraints == Some(BasicConstraints::ca(Some(0)))
        && certificate.public_key()? == ca.public_key;
    ensure(right, "ca_self_sign", 0, "other contents")?;
    Ok(ca.certificate.len())
}

/// Makes the keys, where they are made beforehand, and drops what the variant before has made.
pub(super) fn prepare<P: Provider>(pass: &mut Pass<'_, P>, variant: Variant) -> Result<()> {
    pass.certificates = Made::default();
    let scene = &mut pass.scene;
    scene.keys = match variant.keys {
        Keys::Counted => None,
        Keys::Beforehand => {
            let mut keys: Vec<_> = (0..scene.batch).map(|_| None).collect();
            let (provider, algorithm) = (scene.provider, scene.algorithm);
            parallel::fill(&mut keys, |_, keys| {
                let made = provider.generate_batch(algorithm, keys.len())?;
                keys.iter_mut()
                    .zip(made)
                    .for_each(|(key, made)| *key = Some(made));
                Ok(())
            })?;
            Some(keys.into_iter().flatten().collect())
        }
    };
    Ok(())
}

/// Issues the certificates.
pub(super) fn issue<P: Provider>(pass: &mut Pass<'_, P>) -> Result<()> {
    let scene = &pass.scene;
    let algorithm = scene.algorithm.signature();
    let template = Template::new(scene);
    let mut certificates = vec![Vec::new(); scene.batch];
    parallel::fill(&mut certificates, |first, out| {
        let made;
        let keys = match &scene.keys {
            Some(keys) => &keys[first..first + out.len()],
            None => {
                let (provider, algorithm) = (scene.provider, scene.algorithm);
                made = provider.generate_batch(algorithm, out.len())?;
                &made[..]
            }
        };
        let tbs = keys
            .iter()
            .enumerate()
            .map(|(i, key)| template.tbs(first + i, &scene.provider.public_key(key)))
            .collect::<Result<Vec<_>>>()?;
        let signatures = scene.sign("cert_gen", &tbs)?;
        for ((out, tbs), signature) in out.iter_mut().zip(&tbs).zip(&signatures) {
            *out = assemble(tbs, algorithm, signature);
        }
        Ok(())
    })?;
    pass.certificates.der = certificates;
    Ok(())
}

/// What the certificates of one CA have in common: a profile for TLS servers.
struct Template<'a> {
    algorithm: SignatureAlgorithm,
    builder: CertificateBuilder<'a>,
}

impl<'a> Template<'a> {
    fn new<P: Provider>(scene: &'a Scene<'_, P>) -> Self {
        let ca = &scene.ca;
        let builder = CertificateBuilder::new(
            serial(0),
            ca.name.as_name(),
            scene.now,
            scene.now.saturating_add(90 * DAY),
            ca.name.as_name(),
            &ca.public_key,
        )
        .extension(&AuthorityKeyIdentifier::new(&ca.key_id))
        .extension(&BasicConstraints::end_entity())
        .extension(&KeyUsage::DIGITAL_SIGNATURE)
        .extension(&ExtendedKeyUsage((&[ExtendedKeyUsage::SERVER_AUTH]).into()));
        Template {
            algorithm: scene.algorithm.signature(),
            builder,
        }
    }

    /// The part of one certificate that is signed.
    fn tbs(&self, item: usize, public_key: &PublicKey) -> Result<Vec<u8>> {
        let host = host(item);
        let subject = DistinguishedName::new().common_name(&host);
        let tbs = self
            .builder
            .clone()
            .serial(serial(item))
            .subject(subject.as_name(), public_key)
            .extension(&SubjectKeyIdentifier(&public_key.key_id()))
            .extension(&SubjectAltName((&[GeneralName::Dns(&host)]).into()))
            .tbs(self.algorithm)?;
        Ok(tbs)
    }
}

/// The name of a subscriber.
fn host(item: usize) -> String {
    format!("{}.adamant.example", item + 1)
}

/// The certificates read in full, each with its number, names and key.
pub(super) fn check<P: Provider>(pass: &mut Pass<'_, P>) -> Result<usize> {
    const STAGE: &str = "cert_gen";
    let (scene, certificates) = (&pass.scene, &pass.certificates.der);
    let number = certificates.len();
    ensure(number == scene.batch, STAGE, number, "it is missing")?;
    parallel::look(certificates, |first, certificates| {
        for (item, der) in (first..).zip(certificates) {
            let certificate = Certificate::parse_full(der)?;
            let host = host(item);
            let names = [GeneralName::Dns(&host)];
            let right = *certificate.serial() == serial(item)
                && certificate.issuer == scene.ca.name.as_name()
                && certificate.validity.contains(scene.now)
                && certificate.extensions.subject_alt_name == Some(SubjectAltName((&names).into()));
            ensure(right, STAGE, item, "other contents")?;
            let spki = certificate.spki_der();
            if let Some(keys) = &scene.keys {
                let key = scene.provider.public_key(&keys[item]).to_der();
                ensure(spki == key, STAGE, item, "another key")?;
            }
            if scene.thorough {
                PublicKey::from_der(spki)?;
                certificate.verify(&scene.ca.public_key)?;
            }
        }
        Ok(())
    })?;
    Ok(mean_len(certificates))
}

/// Verifies the certificates.
pub(super) fn verify<P: Provider>(pass: &mut Pass<'_, P>) -> Result<()> {
    let (scene, certificates) = (&pass.scene, &pass.certificates.der);
    scene.verify("cert_verify", certificates, |der| {
        let certificate = Certificate::parse(der)?;
        let algorithm = certificate.signature_algorithm().oid;
        Ok((algorithm, certificate.tbs(), certificate.signature()))
    })
}
