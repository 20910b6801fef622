//! OCSP responses, one for each certificate of the batch, signed by the CA itself.

use adamant::x509::Certificate;
use adamant::x509::ocsp::{CertStatus, IssuerId, OcspResponse};

use crate::Result;
use crate::parallel;
use crate::pass::{Pass, Variant, ensure, mean_len};
use crate::profile::serial;
use crate::toolkit::Toolkit;

/// Drops the signed parts that the run before has made.
pub(crate) fn prepare_build<T: Toolkit>(pass: &mut Pass<'_, T>, _: Variant) -> Result<()> {
    pass.ocsp.tbs = Vec::new();
    Ok(())
}

/// Drops what the run before has signed.
pub(crate) fn prepare_sign<T: Toolkit>(pass: &mut Pass<'_, T>, _: Variant) -> Result<()> {
    pass.ocsp.der = Vec::new();
    Ok(())
}

/// Encodes the parts that are signed.
pub(crate) fn build<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<()> {
    let (toolkit, authority) = (pass.scene.toolkit, &pass.scene.ca.authority);
    pass.ocsp.tbs = parallel::make(pass.scene.batch, &|part| {
        toolkit.responses_tbs(authority, part)
    })?;
    Ok(())
}

/// Encodes, signs and assembles the responses.
pub(crate) fn sign<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<()> {
    let (toolkit, authority) = (pass.scene.toolkit, &pass.scene.ca.authority);
    pass.ocsp.der = parallel::make(pass.scene.batch, &|part| toolkit.responses(authority, part))?;
    Ok(())
}

/// There is something to sign; [`check`] sees that it is what was signed.
pub(crate) fn check_tbs<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<usize> {
    Ok(mean_len(&pass.ocsp.tbs))
}

/// The responses read in full, each is that of [`build`] and says that its certificate is good.
pub(crate) fn check<T: Toolkit>(pass: &mut Pass<'_, T>) -> Result<usize> {
    const STAGE: &str = "ocsp_sign";
    let (scene, responses) = (&pass.scene, &pass.ocsp.der);
    let issuer = IssuerId::new(&Certificate::from_der(&scene.ca.certificate)?)?;
    let number = responses.len();
    ensure(number == scene.batch, STAGE, number, "it is missing")?;
    parallel::look(responses, &|first, responses| {
        for (item, der) in (first..).zip(responses) {
            let response = OcspResponse::from_der(der)?;
            let basic = response.basic()?;
            let found = basic.find(&issuer.cert_id(serial(item)));
            let right = basic.tbs() == pass.ocsp.tbs[item]
                && found.is_some_and(|single| single.status == CertStatus::Good);
            ensure(right, STAGE, item, "other contents")?;
            if scene.thorough {
                basic.verify(scene.ca.public_key()?)?;
            }
        }
        Ok(())
    })?;
    Ok(mean_len(responses))
}
