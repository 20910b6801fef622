//! Validation: the input is a row of certificates, lists and OCSP responses, of the certificates
//! the first is the one that is validated and the second the anchor. Every signature is taken for good, so that whatever follows it is
//! reached.

#![no_main]

use adamant_der::Reader;
use adamant_x509::crl::CertificateList;
use adamant_x509::extensions::ExtendedKeyUsage;
use adamant_x509::ocsp::OcspResponse;
use adamant_x509::path::{
    Options, PeerName, Profile, Revocation, Strictness, TrustAnchor, Verifier, validate,
};
use adamant_x509::{AlgorithmIdentifier, Certificate, Result, SubjectPublicKeyInfo};
use libfuzzer_sys::fuzz_target;

struct Gullible;

impl Verifier for Gullible {
    fn verify(
        &self,
        _: &SubjectPublicKeyInfo<'_>,
        _: &AlgorithmIdentifier<'_>,
        _: &[u8],
        _: &[u8],
    ) -> Result<()> {
        Ok(())
    }
}

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    let (mut certificates, mut lists, mut responses) = (Vec::new(), Vec::new(), Vec::new());
    let mut reader = Reader::new(data);
    while let Ok(element) = reader.read_any() {
        if let Ok(certificate) = Certificate::from_der(element.raw) {
            certificates.push(certificate);
        } else if let Ok(list) = CertificateList::from_der(element.raw) {
            lists.push(list);
        } else if let Ok(response) = OcspResponse::from_der(element.raw) {
            responses.push(response);
        }
    }
    let [leaf, root, others @ ..] = certificates.as_slice() else {
        return;
    };
    let Ok(anchor) = TrustAnchor::from_certificate(root) else {
        return;
    };
    let anchors = [anchor];
    let names = [PeerName::Dns("www.adamant.example")];
    let Ok(time) = leaf.validity().map(|validity| validity.not_before()) else {
        return;
    };
    for profile in [Profile::Path, Profile::Rfc5280, Profile::WebPki] {
        let options = Options {
            purpose: Some(ExtendedKeyUsage::SERVER_AUTH),
            revocation: Some(Revocation::new(&lists, &responses, Strictness::Soft)),
            verifier: &Gullible,
            ..Options::new(profile, time)
        };
        let first = validate(leaf, others, &anchors, &options);
        let second = validate(
            leaf,
            others,
            &anchors,
            &Options {
                names: &names,
                ..options
            },
        );
        assert!(first.is_ok() || second.is_err(), "a name made a path valid");
    }
});
