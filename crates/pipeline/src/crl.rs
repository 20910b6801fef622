//! The list of revoked certificates: the whole batch.

use adamant::x509::crl::FullCertificateList;
use adamant::x509::extensions::CrlNumber;
use adamant::x509::{FullCertificate, SerialNumber};

use crate::Result;
use crate::pass::{Made, Pass, Variant, ensure};
use crate::profile::{CRL_NUMBER, serial};
use crate::toolkit::Toolkit;

/// Drops the signed parts that the run before has made.
pub(crate) fn prepare_build<T: Toolkit>(pass: &mut Pass<'_, T>, _: Variant) -> Result<()> {
    pass.crl.tbs = Vec::new();
    Ok(())
}

/// Drops what the run before has signed.
pub(crate) fn prepare_sign<T: Toolkit>(pass: &mut Pass<'_, T>, _: Variant) -> Result<()> {
    pass.crl.der = Vec::new();
    Ok(())
}

/// Encodes the part that is signed.
pub(crate) fn build<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<()> {
    let scene = &pass.scene;
    let tbs = scene.toolkit.crl_tbs(&scene.ca.authority, scene.batch)?;
    pass.crl.tbs = vec![tbs];
    Ok(())
}

/// Encodes, signs and assembles the list.
pub(crate) fn sign<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<()> {
    let scene = &pass.scene;
    let crl = scene.toolkit.crl(&scene.ca.authority, scene.batch)?;
    pass.crl.der = vec![crl];
    Ok(())
}

/// There is something to sign; [`check`] sees that it is what was signed.
pub(crate) fn check_tbs<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<usize> {
    Ok(pass.crl.tbs[0].len())
}

/// The list reads in full, has every certificate of the batch, and is that of [`build`].
pub(crate) fn check<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<usize> {
    let scene = &pass.scene;
    let list = read(&pass.crl, scene.batch, &scene.ca.certificate)?;
    if scene.thorough {
        list.verify(scene.ca.public_key()?)?;
    }
    Ok(pass.crl.der[0].len())
}

fn read<'a>(made: &'a Made, batch: usize, ca: &[u8]) -> Result<FullCertificateList<'a>> {
    const STAGE: &str = "crl_sign";
    let list = FullCertificateList::from_der(&made.der[0])?;
    ensure(list.len() == batch, STAGE, 0, "entries are missing")?;
    for (item, entry) in list.entries().enumerate() {
        ensure(entry?.serial == serial(item), STAGE, 0, "another serial")?;
    }
    let right = list.tbs() == made.tbs[0]
        && list.issuer == FullCertificate::from_der(ca)?.subject
        && list.extensions.crl_number == Some(CrlNumber(SerialNumber::from(CRL_NUMBER)));
    ensure(right, STAGE, 0, "other contents")?;
    Ok(list)
}
