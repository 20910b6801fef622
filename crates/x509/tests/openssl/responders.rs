//! Who answers, and how: delegates by name and by key, errors, nonces of all lengths, signed requests.

use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertStatus, IssuerId, OcspRequest, OcspRequestBuilder, OcspResponse, Responder, ResponderId,
    ResponseBuilder, ResponseStatus, SingleResponse, error_response,
};
use adamant_x509::{ErrorKind, KeyAlgorithm, SerialNumber};

use super::entity::{Entity, days, now};
use super::lists::index;
use super::program::OpenSsl;

fn delegate(ca: &Entity, purpose: adamant_der::Oid) -> Entity {
    Entity::new(KeyAlgorithm::P384, "Responder", Some(ca), |builder| {
        builder
            .extension(&ExtendedKeyUsage((&[purpose]).into()))
            .extension(&OcspNoCheck)
    })
}

#[test]
fn our_delegates_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    let ca = Entity::ca(KeyAlgorithm::P256, "CA", None);
    let leaf = Entity::server(KeyAlgorithm::P256, "Leaf", &ca);
    ssl.write("ca.pem", ca.pem());
    ssl.write("leaf.pem", leaf.pem());
    for hash in ["sha1", "sha256", "sha384", "sha512"] {
        ssl.run(&format!(
            "ocsp -{hash} -issuer ca.pem -cert leaf.pem -reqout request.der"
        ));
        let request = ssl.read("request.der");
        let request = OcspRequest::from_der(&request).unwrap();
        let asked = request.requests.iter().next().unwrap().cert_id;
        let certificate = ca.certificate();
        let issuer = IssuerId::with_hash(&certificate, &asked.hash_algorithm.oid).unwrap();
        assert!(issuer.issued(&asked));
        let other = leaf.certificate();
        let other = IssuerId::with_hash(&other, &asked.hash_algorithm.oid).unwrap();
        assert!(!other.issued(&asked));
        let single = SingleResponse::new(asked, CertStatus::Good, now(), Some(days(now(), 1)));
        for (purpose, allowed) in [
            (ExtendedKeyUsage::OCSP_SIGNING, true),
            (ExtendedKeyUsage::SERVER_AUTH, false),
        ] {
            let delegate = delegate(&ca, purpose);
            let key_hash = ResponderId::key_hash(&delegate.certificate().spki().unwrap());
            for responder in [
                ResponderId::Name(delegate.name.as_name()),
                ResponderId::KeyHash(&key_hash),
            ] {
                let der = ResponseBuilder::new(responder, now())
                    .nonce(request.extensions.nonce.unwrap().0)
                    .extended_revoke()
                    .certificates(&[&delegate.der])
                    .sign(&[single], delegate.key.signer().unwrap())
                    .unwrap();
                let response = OcspResponse::from_der(&der).unwrap();
                assert_eq!(response.to_der(), der);
                let basic = response.basic().unwrap();
                assert!(basic.extensions.extended_revoke.is_some());
                let found = basic.verify_for(&certificate, now());
                ssl.write("response.der", &der);
                let (success, said) = ssl.try_run(&format!(
                    "ocsp -no_nonce -{hash} -issuer ca.pem -cert leaf.pem -reqin request.der \
                     -respin response.der -CAfile ca.pem"
                ));
                assert_eq!(
                    success && said.contains("Response verify OK"),
                    allowed,
                    "{said}"
                );
                match found {
                    Ok(Responder::Delegate { no_check, .. }) => assert!(allowed && no_check),
                    Ok(Responder::Issuer) => panic!("a delegate answered"),
                    Err(error) => {
                        assert!(!allowed);
                        assert_eq!(error.kind(), ErrorKind::UnauthorizedResponder);
                    }
                }
                // Not after the delegate's time, nor for another issuer.
                assert!(basic.verify_for(&certificate, days(now(), 31)).is_err());
                assert!(basic.verify_for(&leaf.certificate(), now()).is_err());
            }
        }
    }
}

#[test]
fn their_delegates_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    let ca = Entity::ca(KeyAlgorithm::P256, "CA", None);
    let delegate = delegate(&ca, ExtendedKeyUsage::OCSP_SIGNING);
    let serials = [SerialNumber::from(0x1234), SerialNumber::from(0x4321)];
    ssl.write("index.txt", index(&serials[0], &serials[1]));
    ssl.write("ca.pem", ca.pem());
    ssl.write("delegate.pem", delegate.pem());
    ssl.write("delegate.key", delegate.key.to_pem().as_bytes());
    let certificate = ca.certificate();
    let issuer = IssuerId::new(&certificate).unwrap();
    // RFC 9654, 2.1: 1 to 128 octets.
    for len in [1, 16, 32, 33, 128] {
        let nonce = vec![0x42; len];
        let mut builder = OcspRequestBuilder::new().nonce(&nonce);
        for serial in serials {
            builder = builder.certificate(issuer.cert_id(serial));
        }
        ssl.write("request.der", builder.build());
        for by_key in ["", "-resp_key_id"] {
            ssl.run(&format!(
                "ocsp -index index.txt -CA ca.pem -rsigner delegate.pem -rkey delegate.key {by_key} \
                 -reqin request.der -respout response.der -ndays 1"
            ));
            let der = ssl.read("response.der");
            let response = OcspResponse::from_der(&der).unwrap();
            let basic = response.basic().unwrap();
            assert_eq!(basic.extensions.nonce.unwrap().0, nonce);
            let responder = basic.verify_for(&certificate, now()).unwrap();
            let Responder::Delegate {
                certificate,
                no_check,
            } = responder
            else {
                panic!("the delegate answered");
            };
            assert!(no_check && certificate.as_der() == delegate.der);
            let [revoked, good] = serials.map(|serial| basic.find(&issuer.cert_id(serial)));
            assert_eq!(good.unwrap().status, CertStatus::Good);
            assert!(matches!(
                revoked.unwrap().status,
                CertStatus::Revoked { .. }
            ));
            assert!(good.unwrap().is_current(now()));
            assert!(!good.unwrap().is_current(days(now(), 2)));
        }
    }
}

#[test]
fn our_errors_and_signed_requests_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    let ca = Entity::ca(KeyAlgorithm::P256, "CA", None);
    let leaf = Entity::server(KeyAlgorithm::Ed25519, "Leaf", &ca);
    ssl.write("ca.pem", ca.pem());
    for (status, name) in [
        (ResponseStatus::MalformedRequest, "malformedrequest"),
        (ResponseStatus::InternalError, "internalerror"),
        (ResponseStatus::TryLater, "trylater"),
        (ResponseStatus::SigRequired, "sigrequired"),
        (ResponseStatus::Unauthorized, "unauthorized"),
    ] {
        let der = error_response(status).unwrap();
        ssl.write("response.der", &der);
        let (_, said) = ssl.try_run("ocsp -issuer ca.pem -serial 5 -respin response.der");
        assert!(
            said.contains(&format!("{name} ({})", status.code())),
            "{said}"
        );
        assert_eq!(OcspResponse::from_der(&der).unwrap().status, status);
    }
    let certificate = ca.certificate();
    let issuer = IssuerId::new(&certificate).unwrap();
    let builder = OcspRequestBuilder::new().certificate(issuer.cert_id(SerialNumber::from(5)));
    let key = leaf.key.signer().unwrap();
    assert!(builder.sign(key, &[]).is_err());
    let der = builder
        .requestor(GeneralName::Directory(leaf.name.as_name()))
        .nonce(&[7; 32])
        .sign(key, &[&leaf.der])
        .unwrap();
    let request = OcspRequest::from_der(&der).unwrap();
    assert_eq!(request.to_der(), der);
    request.verify(&leaf.key.public_key()).unwrap();
    assert!(request.verify(&ca.key.public_key()).is_err());
    ssl.write("request.der", &der);
    let said = ssl.run("ocsp -reqin request.der -req_text");
    for part in [
        "CN = Leaf",
        "Serial Number: 05",
        "OCSP Nonce",
        "Signature Algorithm: ED25519",
    ] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
}
