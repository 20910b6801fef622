//! Certificates, requests, lists, responses and keys in both directions, of every algorithm that
//! OpenSSL has: of ML-DSA, SLH-DSA and ML-KEM where its version is 3.5 or later, which
//! `ADAMANT_LIBCRYPTO` can name and `--features openssl-vendored` builds.

use std::path::PathBuf;
use std::slice;

use adamant::x509::csr::{CertificationRequest, RequestBuilder};
use adamant::x509::{
    Certificate, CertificateBuilder, DistinguishedName, FullCertificate, KeyAlgorithm, PrivateKey,
    PublicKey,
};
use adamant_engine::openssl::Libcrypto;
use adamant_engine::openssl::authority::{self, Facts, Item, Scheme};
use adamant_pipeline::store::Kind;
use adamant_pipeline::toolkit::Toolkit;
use adamant_pipeline::{self as pipeline, Adamant, Algorithm, Provider};

fn library() -> Option<Libcrypto> {
    let path = std::env::var_os("ADAMANT_LIBCRYPTO").map(PathBuf::from);
    #[cfg(feature = "openssl-vendored")]
    if path.is_none() {
        return Some(Libcrypto::linked());
    }
    match Libcrypto::load(path.as_deref()) {
        Ok(found) => Some(found),
        Err(why) => {
            println!("{why}: nothing tested");
            None
        }
    }
}

/// The algorithms of the pipeline, of RSA only the shortest keys.
fn all() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(|a| a.modulus_bits().is_none_or(|bits| bits == 2048))
}

/// Those that the library has.
fn algorithms(lib: Libcrypto) -> Vec<(Algorithm, Scheme)> {
    let (mut has, mut lacks) = (Vec::new(), Vec::new());
    for algorithm in all() {
        match Scheme::new(lib, algorithm.name()) {
            Ok(scheme) => has.push((algorithm, scheme)),
            Err(_) => lacks.push(algorithm.name()),
        }
    }
    println!("{}: without {}", lib.version(), lacks.join(", "));
    assert!(has.len() >= 4);
    has
}

fn our_key(algorithm: Algorithm) -> PrivateKey {
    Adamant.generate_batch(algorithm, 1).unwrap().remove(0)
}

/// What the pipeline makes here is what OpenSSL accepts, and no other signature.
#[test]
fn openssl_verifies_what_we_make() {
    let Some(openssl) = super::openssl() else {
        return;
    };
    for algorithm in all().filter(|a| openssl.has(*a)) {
        let made = pipeline::make(&Adamant, algorithm, 2).unwrap();
        let ca = Certificate::from_der(&made.ca).unwrap();
        let verifier = Toolkit::verifier(&openssl, algorithm, ca.spki_der()).unwrap();
        let certificates = [slice::from_ref(&made.ca), &made.certificates].concat();
        for (kind, mut items) in [
            (Kind::Certificate, certificates),
            (Kind::Crl, vec![made.crl]),
            (Kind::OcspResponse, made.ocsp_responses),
        ] {
            let verdict = openssl.verify(&verifier, kind, &items).unwrap();
            assert_eq!(verdict, None, "{algorithm} {kind:?}");
            // In all of these the signature is the last.
            *items[0].last_mut().unwrap() ^= 1;
            let verdict = openssl.verify(&verifier, kind, &items);
            assert!(!matches!(verdict, Ok(None)), "{algorithm} {kind:?}");
        }
    }
}

#[test]
fn requests() {
    let Some(lib) = library() else { return };
    for (algorithm, scheme) in algorithms(lib) {
        let key = our_key(algorithm);
        let name: DistinguishedName = "CN=ours.example".parse().unwrap();
        let ours = RequestBuilder::new(name.as_name())
            .sign(key.signer().unwrap())
            .unwrap();
        let spki = key.public_key().to_der();
        let verifier = authority::verifier(lib, algorithm.name(), &spki).unwrap();
        assert_eq!(
            verifier.verify(Item::Request, &ours),
            Ok(true),
            "{algorithm}"
        );

        let key = scheme.generate(1).unwrap().remove(0);
        let theirs = scheme.request(&key, "theirs.example").unwrap();
        let request = CertificationRequest::from_der(&theirs).unwrap();
        assert_eq!(request.subject.to_string(), "CN=theirs.example");
        let public = request.public_key().unwrap();
        assert_eq!(public.to_der(), key.spki().unwrap());
        request.verify().unwrap();
        let verifier = authority::verifier(lib, algorithm.name(), &public.to_der()).unwrap();
        assert_eq!(
            verifier.verify(Item::Request, &theirs),
            Ok(true),
            "{algorithm}"
        );
    }
}

/// Private keys as PKCS #8.
#[test]
fn private_keys() {
    let Some(lib) = library() else { return };
    let kems = ["ml-kem-512", "ml-kem-768", "ml-kem-1024"].into_iter();
    let kems = kems.filter_map(|name| Some((name, Scheme::new(lib, name).ok()?)));
    let signing = algorithms(lib).into_iter();
    let signing = signing.map(|(algorithm, scheme)| (algorithm.name(), scheme));
    for (name, scheme) in signing.chain(kems) {
        let theirs = scheme.generate(1).unwrap().remove(0);
        let ours = PrivateKey::from_der(&theirs.to_pkcs8().unwrap()).unwrap();
        let spki = theirs.spki().unwrap();
        assert_eq!(ours.public_key().to_der(), spki, "{name}");
        let back = authority::PrivateKey::from_der(lib, &ours.to_der()).unwrap();
        assert_eq!(back.spki().unwrap(), spki, "{name}");
    }
}

/// Certificates for keys that do not sign, of an authority that does.
#[test]
fn subjects_of_ml_kem() {
    let Some(lib) = library() else { return };
    let ca: Algorithm = "ml-dsa-65".parse().unwrap();
    let Ok(scheme) = Scheme::new(lib, ca.name()) else {
        println!("{} has no ML-DSA: nothing tested", lib.version());
        return;
    };
    let (our_ca, their_ca) = (our_key(ca), scheme.generate(1).unwrap().remove(0));
    let their_spki = their_ca.spki().unwrap();
    let facts = Facts {
        organization: "Adamant",
        common_name: "CA",
        now: 1_790_000_000,
        periods: [86_400; 4],
    };
    let authority = scheme.authority(their_ca, facts).unwrap();
    for (name, kind) in [
        ("ml-kem-512", KeyAlgorithm::MlKem512),
        ("ml-kem-768", KeyAlgorithm::MlKem768),
        ("ml-kem-1024", KeyAlgorithm::MlKem1024),
    ] {
        let key = Scheme::new(lib, name)
            .unwrap()
            .generate(1)
            .unwrap()
            .remove(0);
        let der = authority.issue(7, "kem.example", &key).unwrap();
        let certificate = FullCertificate::from_der(&der).unwrap();
        let public = certificate.public_key().unwrap();
        assert_eq!(public.algorithm(), Some(kind));
        assert_eq!(public.to_der(), key.spki().unwrap());
        let theirs = PublicKey::from_der(&their_spki).unwrap();
        certificate.verify(&theirs).unwrap();

        let subject: DistinguishedName = "CN=kem.example".parse().unwrap();
        let ours = CertificateBuilder::new(
            7.into(),
            subject.as_name(),
            "2026-01-01".parse().unwrap(),
            "2026-04-01".parse().unwrap(),
            subject.as_name(),
            &public,
        )
        .sign(our_ca.signer().unwrap())
        .unwrap();
        let spki = our_ca.public_key().to_der();
        let verifier = authority::verifier(lib, ca.name(), &spki).unwrap();
        assert_eq!(verifier.verify(Item::Certificate, &ours), Ok(true));
        // The key that is in it, as OpenSSL reads it.
        let spki = Certificate::from_der(&ours).unwrap().spki_der();
        assert!(authority::verifier(lib, name, spki).is_ok());
    }
}
