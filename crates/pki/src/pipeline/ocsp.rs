//! OCSP responses, one for each certificate of the batch, signed by the CA itself.

use adamant::x509::Certificate;
use adamant::x509::ocsp::{
    CertStatus, IssuerId, OcspResponse, ResponderId, ResponseBuilder, SingleResponse,
    assemble_response,
};

use super::parallel;
use super::pass::{Blobs, Pass, Scene, ensure, mean_len, serial};
use crate::{Provider, Result};

const DAY: u64 = 86_400;

/// The hashes that name the CA in every response.
fn issuer<P: Provider>(scene: &Scene<'_, P>) -> Result<IssuerId> {
    Ok(IssuerId::new(&Certificate::parse(&scene.ca.certificate)?)?)
}

/// The part that is signed of the response for one certificate.
fn tbs<P: Provider>(scene: &Scene<'_, P>, issuer: &IssuerId, item: usize) -> Result<Vec<u8>> {
    let single = SingleResponse::new(
        issuer.cert_id(serial(item)),
        CertStatus::Good,
        scene.now,
        Some(scene.now.saturating_add(DAY)),
    );
    let responder = ResponderId::Name(scene.ca.name.as_name());
    Ok(ResponseBuilder::new(responder, scene.now).tbs(&[single])?)
}

/// Encodes the parts that are signed.
pub(super) fn build<P: Provider>(pass: &mut Pass<'_, P>) -> Result<()> {
    let scene = &pass.scene;
    let issuer = issuer(scene)?;
    let mut out = vec![Vec::new(); scene.batch];
    parallel::fill(&mut out, |first, out| {
        for (item, out) in (first..).zip(out) {
            *out = tbs(scene, &issuer, item)?;
        }
        Ok(())
    })?;
    pass.ocsp.tbs = out;
    Ok(())
}

/// Encodes, signs and assembles the responses.
pub(super) fn sign<P: Provider>(pass: &mut Pass<'_, P>) -> Result<()> {
    let scene = &pass.scene;
    let issuer = issuer(scene)?;
    let mut out = vec![Vec::new(); scene.batch];
    parallel::fill(&mut out, |first, out| {
        let tbs = (first..first + out.len())
            .map(|item| tbs(scene, &issuer, item))
            .collect::<Result<Blobs>>()?;
        let signatures = scene.sign("ocsp_sign", &tbs)?;
        for ((out, tbs), signature) in out.iter_mut().zip(&tbs).zip(&signatures) {
            *out = assemble_response(tbs, scene.algorithm.signature(), signature, &[]);
        }
        Ok(())
    })?;
    pass.ocsp.der = out;
    Ok(())
}

/// There is something to sign; [`check`] sees that it is what was signed.
pub(super) fn check_tbs<P: Provider>(pass: &mut Pass<'_, P>) -> Result<usize> {
    Ok(mean_len(&pass.ocsp.tbs))
}

/// The responses read in full, each is that of [`build`] and says that its certificate is good.
pub(super) fn check<P: Provider>(pass: &mut Pass<'_, P>) -> Result<usize> {
    const STAGE: &str = "ocsp_sign";
    let (scene, responses) = (&pass.scene, &pass.ocsp.der);
    let issuer = issuer(scene)?;
    let number = responses.len();
    ensure(number == scene.batch, STAGE, number, "it is missing")?;
    parallel::look(responses, |first, responses| {
        for (item, der) in (first..).zip(responses) {
            let response = OcspResponse::parse(der)?;
            let basic = response.basic()?;
            let found = basic.find(&issuer.cert_id(serial(item)));
            let right = basic.tbs() == pass.ocsp.tbs[item]
                && found.is_some_and(|single| single.status == CertStatus::Good);
            ensure(right, STAGE, item, "other contents")?;
            if scene.thorough {
                basic.verify(&scene.ca.public_key)?;
            }
        }
        Ok(())
    })?;
    Ok(mean_len(responses))
}

/// Verifies the responses.
pub(super) fn verify<P: Provider>(pass: &mut Pass<'_, P>) -> Result<()> {
    pass.scene.verify("ocsp_verify", &pass.ocsp.der, |der| {
        let response = OcspResponse::parse(der)?;
        let basic = response.basic()?;
        let algorithm = basic.signature_algorithm().oid;
        Ok((algorithm, basic.tbs(), basic.signature()))
    })
}
