//! Algorithms of signatures that are not a key's usual ones, and SM2.

use adamant_rand::SystemRng;
use adamant_x509::csr::{CertificationRequest, RequestBuilder};
use adamant_x509::{
    Certificate, CertificateBuilder, DistinguishedName, ErrorKind, FullCertificate, KeyAlgorithm,
    PrivateKey, SerialNumber, SignatureAlgorithm, SigningKey,
};

use super::entity::{Entity, days, now};
use super::program::{OpenSsl, genpkey};

const RSA: [(&str, SignatureAlgorithm); 6] = [
    ("-sha256", SignatureAlgorithm::RsaSha256),
    ("-sha384", SignatureAlgorithm::RsaSha384),
    ("-sha512", SignatureAlgorithm::RsaSha512),
    (
        "-sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest",
        SignatureAlgorithm::RsaPssSha256,
    ),
    (
        "-sha384 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:max",
        SignatureAlgorithm::RsaPssSha384,
    ),
    (
        // The length that is not encoded.
        "-sha512 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:20",
        SignatureAlgorithm::RsaPssSha512,
    ),
];

/// A certificate that a key signs for itself.
fn self_signed<K: SigningKey + ?Sized>(key: &K) -> Vec<u8> {
    let name = DistinguishedName::new().common_name("CA");
    let public_key = key.public_key();
    CertificateBuilder::new(
        SerialNumber::from(1),
        name.as_name(),
        now(),
        days(now(), 30),
        name.as_name(),
        &public_key,
    )
    .sign(key)
    .unwrap()
}

fn write_request<K: SigningKey + ?Sized>(ssl: &OpenSsl, key: &K) {
    let name = DistinguishedName::new().common_name("CA");
    let der = RequestBuilder::new(name.as_name()).sign(key).unwrap();
    let request = CertificationRequest::from_der(&der).unwrap();
    request.verify().unwrap();
    ssl.write("request.pem", request.to_pem());
}

#[test]
fn our_rsa_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    let key = PrivateKey::generate(KeyAlgorithm::Rsa, &mut SystemRng).unwrap();
    for (_, algorithm) in RSA {
        let signer = key.signer_with(algorithm).unwrap();
        let der = self_signed(&signer);
        let certificate = FullCertificate::from_der(&der).unwrap();
        certificate.verify(&key.public_key()).unwrap();
        assert_eq!(certificate.to_der(), der);
        ssl.write("ca.pem", certificate.to_pem());
        ssl.run("verify -check_ss_sig -CAfile ca.pem ca.pem");
        write_request(&ssl, &signer);
        ssl.run("req -in request.pem -verify -noout");
    }
}

#[test]
fn their_rsa_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    ssl.write("req.cnf", "[req]\ndistinguished_name = name\n[name]\n");
    ssl.run(&format!("{} -out ca.key", genpkey(KeyAlgorithm::Rsa)));
    let make = |options: &str| {
        ssl.run(&format!(
            "req -config req.cnf -x509 -new -key ca.key {options} -subj /CN=CA -out ca.pem"
        ));
        ssl.read_pem("ca.pem")
    };
    for (options, algorithm) in RSA {
        let der = make(options);
        let certificate = FullCertificate::from_der(&der).unwrap();
        assert_eq!(certificate.to_der(), der);
        let identifier = certificate.signature_algorithm();
        assert_eq!(
            SignatureAlgorithm::from_identifier(identifier),
            Some(algorithm)
        );
        let key = certificate.public_key().unwrap();
        certificate.verify(&key).unwrap();

        let mut wrong = der.clone();
        *wrong.last_mut().unwrap() ^= 1;
        assert!(Certificate::from_der(&wrong).unwrap().verify(&key).is_err());
    }
    // Only where it is asked for.
    let der = make("-sha1");
    let certificate = Certificate::from_der(&der).unwrap();
    let key = certificate.public_key().unwrap();
    let kind = ErrorKind::WeakAlgorithm(SignatureAlgorithm::RsaSha1.oid());
    assert_eq!(certificate.verify(&key).unwrap_err().kind(), kind);
    certificate.verify_legacy(&key).unwrap();
    // A mask of another hash than the digest's.
    let der = make("-sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_mgf1_md:sha512");
    let certificate = Certificate::from_der(&der).unwrap();
    let kind = ErrorKind::WrongParameters(SignatureAlgorithm::RsaPssSha256.oid());
    assert_eq!(certificate.verify(&key).unwrap_err().kind(), kind);
}

const IDENTITY: &str = "distid:1234567812345678";

#[test]
fn our_sm2_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    let ca = Entity::ca(KeyAlgorithm::Sm2, "CA", None);
    let leaf = Entity::server(KeyAlgorithm::Sm2, "Leaf", &ca);
    for der in [&ca.der, &leaf.der] {
        let certificate = FullCertificate::from_der(der).unwrap();
        certificate.verify(&ca.key.public_key()).unwrap();
    }
    ssl.write("ca.pem", ca.pem());
    ssl.write("leaf.pem", leaf.pem());
    // The option is only about the last certificate.
    ssl.run(&format!(
        "verify -x509_strict -vfyopt {IDENTITY} -CAfile ca.pem leaf.pem"
    ));
    write_request(&ssl, ca.key.signer().unwrap());
    ssl.run(&format!(
        "req -in request.pem -verify -sm3 -vfyopt {IDENTITY} -noout"
    ));
}

#[test]
fn their_sm2_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    ssl.write("req.cnf", "[req]\ndistinguished_name = name\n[name]\n");
    ssl.run(&format!("{} -out ca.key", genpkey(KeyAlgorithm::Sm2)));
    let options = format!("-config req.cnf -key ca.key -sm3 -sigopt {IDENTITY} -subj /CN=CA");
    ssl.run(&format!("req -x509 -new {options} -out ca.pem"));
    ssl.run(&format!("req -new {options} -out ca.csr"));
    let der = ssl.read_pem("ca.pem");
    let certificate = FullCertificate::from_der(&der).unwrap();
    assert_eq!(certificate.to_der(), der);
    let key = PrivateKey::from_pem(&ssl.read_text("ca.key")).unwrap();
    assert_eq!(certificate.public_key().unwrap(), key.public_key());
    certificate.verify(&key.public_key()).unwrap();
    let der = ssl.read_pem("ca.csr");
    CertificationRequest::from_der(&der)
        .unwrap()
        .verify()
        .unwrap();
}

#[test]
fn algorithms_fit_their_keys() {
    let key = |algorithm| PrivateKey::generate(algorithm, &mut SystemRng).unwrap();
    let (p256, ed25519) = (key(KeyAlgorithm::P256), key(KeyAlgorithm::Ed25519));
    let (sm2, rsa) = (key(KeyAlgorithm::Sm2), key(KeyAlgorithm::Rsa));
    for algorithm in SignatureAlgorithm::ALL.iter().copied() {
        for (key, fits) in [
            (&p256, algorithm.name().starts_with("ecdsa")),
            (&ed25519, algorithm == SignatureAlgorithm::Ed25519),
            (&sm2, algorithm == SignatureAlgorithm::Sm2WithSm3),
            (
                &rsa,
                algorithm.name().contains("RSA") && algorithm.name() != "sha1WithRSAEncryption",
            ),
        ] {
            let Ok(signer) = key.signer_with(algorithm) else {
                assert!(!fits, "{} {}", key.algorithm().name(), algorithm.name());
                continue;
            };
            assert!(fits, "{} {}", key.algorithm().name(), algorithm.name());
            let der = self_signed(&signer);
            let certificate = FullCertificate::from_der(&der).unwrap();
            certificate.verify(&key.public_key()).unwrap();
            assert_eq!(*certificate.signature_algorithm(), algorithm.identifier());
        }
    }
}
