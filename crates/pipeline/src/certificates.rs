//! The CA's certificate, and the subscribers'.

use adamant::x509::extensions::{BasicConstraints, GeneralName, SubjectAltName};
use adamant::x509::{FullCertificate, PublicKey};

use crate::Keys;
use crate::Result;
use crate::parallel;
use crate::pass::{Made, Pass, Variant, ensure, mean_len};
use crate::profile::{host, serial};
use crate::toolkit::Toolkit;

/// Drops the CA's certificate of the run before.
pub(crate) fn prepare_ca<T: Toolkit>(pass: &mut Pass<'_, T>, _: Variant) -> Result<()> {
    pass.scene.ca.certificate = Vec::new();
    Ok(())
}

/// Signs the CA's own certificate.
pub(crate) fn self_sign<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<()> {
    let scene = &mut pass.scene;
    scene.ca.certificate = scene.toolkit.self_sign(&mut scene.ca.authority)?;
    Ok(())
}

/// The CA's certificate reads in full and verifies under its own key.
pub(crate) fn check_ca<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<usize> {
    let ca = &mut pass.scene.ca;
    ca.public_key = Some(key_of_ca(&ca.certificate, &ca.spki)?);
    Ok(ca.certificate.len())
}

fn key_of_ca(der: &[u8], spki: &[u8]) -> Result<PublicKey> {
    let certificate = FullCertificate::from_der(der)?;
    let right = certificate.extensions.basic_constraints == Some(BasicConstraints::ca(Some(0)))
        && certificate.spki_der() == spki
        && certificate.issuer == certificate.subject;
    ensure(right, "ca_self_sign", 0, "other contents")?;
    let public_key = certificate.public_key()?;
    certificate.verify(&public_key)?;
    Ok(public_key)
}

/// Sees to the keys, and drops what the variant before has made. Keys that were counted are used
/// again where they are to be there beforehand.
pub(crate) fn prepare<T: Toolkit>(pass: &mut Pass<'_, T>, variant: Variant) -> Result<()> {
    pass.certificates = Made::default();
    let scene = &mut pass.scene;
    let (toolkit, algorithm) = (scene.toolkit, scene.algorithm);
    scene.wanted = scene.batch;
    match variant.keys {
        Keys::Counted => {
            scene.wanted = scene.key_count;
            scene.keys = None;
        }
        Keys::Beforehand if scene.keys.is_none() => {
            let count = scene.key_count;
            let keys = parallel::make(count, &|part| toolkit.generate(algorithm, part.len()))?;
            scene.keys = Some(keys);
        }
        Keys::Beforehand => {}
    }
    Ok(())
}

/// Issues the certificates; where keys are counted, one for each of them.
pub(crate) fn issue<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<()> {
    let scene = &mut pass.scene;
    let (toolkit, algorithm, authority) = (scene.toolkit, scene.algorithm, &scene.ca.authority);
    pass.certificates.der = match &scene.keys {
        Some(keys) => parallel::make(scene.batch, &|part| {
            let mut certificates = Vec::with_capacity(part.len());
            let mut first = part.start;
            while first < part.end {
                let keys = &keys[first % keys.len()..];
                let keys = &keys[..keys.len().min(part.end - first)];
                certificates.append(&mut toolkit.issue(authority, first, keys)?);
                first += keys.len();
            }
            Ok(certificates)
        })?,
        None => {
            let made = parallel::make(scene.key_count, &|part| {
                let keys = toolkit.generate(algorithm, part.len())?;
                let certificates = toolkit.issue(authority, part.start, &keys)?;
                Ok(keys.into_iter().zip(certificates).collect())
            })?;
            let (keys, certificates) = made.into_iter().unzip();
            scene.keys = Some(keys);
            certificates
        }
    };
    Ok(())
}

/// The certificates read in full, each with its number, names and key.
pub(crate) fn check<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<usize> {
    const STAGE: &str = "cert_gen";
    let (scene, certificates) = (&pass.scene, &pass.certificates.der);
    let number = certificates.len();
    ensure(number == scene.wanted, STAGE, number, "it is missing")?;
    let ca = FullCertificate::from_der(&scene.ca.certificate)?;
    parallel::look(certificates, &|first, certificates| {
        for (item, der) in (first..).zip(certificates) {
            let certificate = FullCertificate::from_der(der)?;
            let host = host(item);
            let names = [GeneralName::Dns(&host)];
            let right = *certificate.serial() == serial(item)
                && certificate.issuer == ca.subject
                && certificate.validity.contains(scene.now)
                && certificate.extensions.subject_alt_name == Some(SubjectAltName((&names).into()));
            ensure(right, STAGE, item, "other contents")?;
            let spki = certificate.spki_der();
            if let Some(keys) = &scene.keys {
                let key = scene.toolkit.spki(&keys[item % keys.len()])?;
                ensure(spki == key, STAGE, item, "another key")?;
            }
            if scene.thorough {
                PublicKey::from_der(spki)?;
                certificate.verify(scene.ca.public_key()?)?;
            }
        }
        Ok(())
    })?;
    Ok(mean_len(certificates))
}
