//! Requests for the state of certificates, and responses.

use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertStatus, IssuerId, OcspRequest, OcspRequestBuilder, OcspResponse, ResponderId,
    ResponseBuilder, SingleResponse,
};
use adamant_x509::{KeyAlgorithm, SerialNumber};

use super::entity::{Entity, days, now};
use super::lists::index;
use super::program::{ALGORITHMS, OpenSsl};
use crate::common;

#[test]
fn our_ocsp_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    for &algorithm in ALGORITHMS {
        let ca = Entity::ca(algorithm, "CA", None);
        let leaf = Entity::server(KeyAlgorithm::P256, "Leaf", &ca);
        let delegate = Entity::new(algorithm, "Responder", Some(&ca), |builder| {
            builder
                .extension(&KeyUsage::DIGITAL_SIGNATURE)
                .extension(&ExtendedKeyUsage(
                    (&[ExtendedKeyUsage::OCSP_SIGNING]).into(),
                ))
                .extension(&OcspNoCheck)
        });
        ssl.write("ca.pem", ca.pem());
        ssl.write("leaf.pem", leaf.pem());
        // Their request, with their nonce.
        ssl.run("ocsp -sha256 -issuer ca.pem -cert leaf.pem -nonce -reqout request.der");
        let request = ssl.read("request.der");
        let request = OcspRequest::from_der(&request).unwrap();
        assert_eq!(request.to_der(), ssl.read("request.der"));
        let certificate = ca.certificate();
        let issuer = IssuerId::new(&certificate).unwrap();
        let asked = request.requests.iter().next().unwrap().cert_id;
        assert!(asked.matches(&issuer.cert_id(*leaf.certificate().serial())));

        let revoked = CertStatus::Revoked {
            time: now(),
            reason: Some(RevocationReason::Superseded),
        };
        for (status, said) in [
            (CertStatus::Good, "leaf.pem: good"),
            (revoked, "leaf.pem: revoked"),
        ] {
            let single = SingleResponse::new(asked, status, now(), Some(days(now(), 1)));
            let nonce = request.extensions.nonce.unwrap().0;
            for responder in [&ca, &delegate] {
                let certificates = [&delegate.der[..]];
                let mut builder =
                    ResponseBuilder::new(ResponderId::Name(responder.name.as_name()), now())
                        .nonce(nonce);
                if std::ptr::eq(responder, &delegate) {
                    builder = builder.certificates(&certificates);
                }
                let der = builder
                    .sign(&[single], responder.key.signer().unwrap())
                    .unwrap();
                ssl.write("response.der", der);
                let output = ssl.run(
                    "ocsp -no_nonce -sha256 -issuer ca.pem -cert leaf.pem -reqin request.der \
                     -respin response.der -CAfile ca.pem",
                );
                assert!(output.contains("Response verify OK"), "{output}");
                assert!(output.contains(said), "{output}");
                assert!(!output.contains("WARNING"), "{output}");
            }
        }
    }
}

#[test]
fn their_ocsp_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    for &algorithm in ALGORITHMS {
        let ca = Entity::ca(algorithm, "CA", None);
        let good = *Entity::server(KeyAlgorithm::P256, "Leaf", &ca)
            .certificate()
            .serial();
        let (revoked, unknown) = (common::serial(), SerialNumber::from(0x4321));
        ssl.write("index.txt", index(&revoked, &good));
        ssl.write("ca.pem", ca.pem());
        ssl.write("ca.key", ca.key.to_pem().as_bytes());

        let issuer = IssuerId::new(&ca.certificate()).unwrap();
        let nonce = [0x42; 32];
        let request = OcspRequestBuilder::new()
            .certificate(issuer.cert_id(good))
            .certificate(issuer.cert_id(revoked))
            .certificate(issuer.cert_id(unknown))
            .nonce(&nonce)
            .build();
        ssl.write("request.der", request);
        for by_key in ["", "-resp_key_id"] {
            ssl.run(&format!(
                "ocsp -index index.txt -CA ca.pem -rsigner ca.pem -rkey ca.key {by_key} \
                 -reqin request.der -respout response.der -ndays 1"
            ));
            let der = ssl.read("response.der");
            let response = OcspResponse::from_der(&der).unwrap();
            assert_eq!(response.to_der(), der);
            let basic = response.basic().unwrap();
            basic.verify(&ca.key.public_key()).unwrap();
            let named = basic.responder == ResponderId::Name(ca.name.as_name());
            assert_eq!(named, by_key.is_empty());
            assert_eq!(basic.extensions.nonce.unwrap().0, nonce);
            let status = |serial| basic.find(&issuer.cert_id(serial)).unwrap().status;
            assert_eq!(status(good), CertStatus::Good);
            assert_eq!(status(unknown), CertStatus::Unknown);
            let time = "2025-01-02T03:04:05Z".parse().unwrap();
            let reason = Some(RevocationReason::KeyCompromise);
            assert_eq!(status(revoked), CertStatus::Revoked { time, reason });
        }

        // With SHA-1, as most ask.
        ssl.run("ocsp -issuer ca.pem -serial 0x4321 -no_nonce -reqout request.der");
        let der = ssl.read("request.der");
        let request = OcspRequest::from_der(&der).unwrap();
        assert_eq!(request.to_der(), der);
        let asked = request.requests.iter().next().unwrap().cert_id;
        assert_eq!(asked.issuer_key_hash.len(), 20);
        assert_eq!(asked.serial, unknown);
        // A signed request.
        ssl.run(
            "ocsp -issuer ca.pem -serial 0x4321 -signer ca.pem -signkey ca.key \
             -reqout request.der",
        );
        let der = ssl.read("request.der");
        let request = OcspRequest::from_der(&der).unwrap();
        assert_eq!(request.to_der(), der);
        request.verify(&ca.key.public_key()).unwrap();
        assert_eq!(request.certificates().next().unwrap().as_der(), ca.der);
    }
}
