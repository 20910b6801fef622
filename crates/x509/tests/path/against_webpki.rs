//! Generated chains against rustls-webpki, which takes its signatures from here.

use std::time::Duration;

use adamant_ec::p256;
use adamant_x509::path::{Limits, Profile};
use rustls_pki_types::{
    AlgorithmIdentifier, CertificateDer, InvalidSignature, ServerName,
    SignatureVerificationAlgorithm, UnixTime, alg_id,
};
use webpki::{EndEntityCert, KeyUsage};

use super::chain::{Chain, Fault, at, generate};

#[derive(Debug)]
struct P256;

impl SignatureVerificationAlgorithm for P256 {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let verify = || {
            let key = p256::PublicKey::from_sec1(public_key).ok()?;
            let signature = p256::Signature::from_der(signature).ok()?;
            key.verify(message, &signature).ok()
        };
        verify().ok_or(InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ECDSA_P256
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ECDSA_SHA256
    }
}

fn validate(chain: &Chain) -> Result<(), webpki::Error> {
    let leaf = CertificateDer::from(chain.leaf.as_slice());
    let root = CertificateDer::from(chain.root.as_slice());
    let intermediates: Vec<_> = chain
        .intermediates
        .iter()
        .map(|der| CertificateDer::from(der.as_slice()))
        .collect();
    let leaf = EndEntityCert::try_from(&leaf)?;
    let anchors = [webpki::anchor_from_trusted_cert(&root)?];
    let time = UnixTime::since_unix_epoch(Duration::from_secs(at().to_unix() as u64));
    let usage = KeyUsage::server_auth();
    leaf.verify_for_usage(&[&P256], &anchors, &intermediates, time, usage, None, None)?;
    let host = ServerName::try_from(chain.host).unwrap();
    leaf.verify_is_valid_for_subject_name(&host)
}

/// What webpki does not look at: the key usage of CAs (RFC 5280, 6.1.4 (n)).
fn is_known(chain: &Chain) -> bool {
    let mut faults = chain.faults.iter();
    faults.any(|(level, fault)| *level > 0 && *fault == Fault::NoCertSign)
}

#[test]
fn generated_chains() {
    let (mut valid, mut known) = (0, 0);
    for number in 0..1500 {
        let chain = generate(number);
        let ours = chain.validate(Profile::Path, Limits::DEFAULT);
        let theirs = validate(&chain);
        valid += usize::from(ours.is_ok());
        if is_known(&chain) && ours.is_err() {
            known += 1;
            continue;
        }
        assert_eq!(
            ours.is_ok(),
            theirs.is_ok(),
            "{number}: {ours:?}, {theirs:?}; {:?} for {}",
            chain.faults,
            chain.host,
        );
    }
    assert!(
        (300..1200).contains(&valid) && known < 200,
        "{valid} valid, {known} passed over"
    );
}
