//! The list of revoked certificates: the whole batch.

use std::slice;

use adamant::x509::crl::{CertificateList, CrlBuilder, Revocation};
use adamant::x509::extensions::CrlNumber;
use adamant::x509::{SerialNumber, assemble};

use super::pass::{Pass, Scene, ensure, serial};
use crate::{Provider, Result};

const WEEK: u64 = 7 * 86_400;

/// The number of the list.
const NUMBER: u64 = 1;

/// The part that is signed.
fn tbs<P: Provider>(scene: &Scene<'_, P>) -> Result<Vec<u8>> {
    let revocations = (0..scene.batch).map(|item| Revocation::new(serial(item), scene.now));
    let next_update = scene.now.saturating_add(WEEK);
    let tbs = CrlBuilder::new(scene.ca.name.as_name(), scene.now, next_update)
        .authority_key_id(&scene.ca.key_id)
        .number(SerialNumber::from(NUMBER))
        .tbs(revocations, scene.algorithm.signature())?;
    Ok(tbs)
}

/// Encodes the part that is signed.
pub(super) fn build<P: Provider>(pass: &mut Pass<'_, P>) -> Result<()> {
    pass.crl.tbs = vec![tbs(&pass.scene)?];
    Ok(())
}

/// Encodes, signs and assembles the list.
pub(super) fn sign<P: Provider>(pass: &mut Pass<'_, P>) -> Result<()> {
    let scene = &pass.scene;
    let tbs = tbs(scene)?;
    let signatures = scene.sign("crl_sign", slice::from_ref(&tbs))?;
    pass.crl.der = vec![assemble(&tbs, scene.algorithm.signature(), &signatures[0])];
    Ok(())
}

/// There is something to sign; [`check`] sees that it is what was signed.
pub(super) fn check_tbs<P: Provider>(pass: &mut Pass<'_, P>) -> Result<usize> {
    Ok(pass.crl.tbs[0].len())
}

/// The list reads in full, has every certificate of the batch, and is that of [`build`].
pub(super) fn check<P: Provider>(pass: &mut Pass<'_, P>) -> Result<usize> {
    const STAGE: &str = "crl_sign";
    let (scene, der) = (&pass.scene, &pass.crl.der[0]);
    let list = CertificateList::parse_full(der)?;
    ensure(list.len() == scene.batch, STAGE, 0, "entries are missing")?;
    for (item, entry) in list.entries().enumerate() {
        ensure(entry?.serial == serial(item), STAGE, 0, "another serial")?;
    }
    let right = list.tbs() == pass.crl.tbs[0]
        && list.issuer == scene.ca.name.as_name()
        && list.extensions.crl_number == Some(CrlNumber(SerialNumber::from(NUMBER)));
    ensure(right, STAGE, 0, "other contents")?;
    if scene.thorough {
        list.verify(&scene.ca.public_key)?;
    }
    Ok(der.len())
}

/// Verifies the list.
pub(super) fn verify<P: Provider>(pass: &mut Pass<'_, P>) -> Result<()> {
    pass.scene.verify("crl_verify", &pass.crl.der, |der| {
        let list = CertificateList::parse(der)?;
        let algorithm = list.signature_algorithm().oid;
        Ok((algorithm, list.tbs(), list.signature()))
    })
}
