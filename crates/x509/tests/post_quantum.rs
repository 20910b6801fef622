//! Keys and signatures of ML-DSA (RFC 9881), SLH-DSA (RFC 9909) and ML-KEM (RFC 9935); keys of
//! X-Wing.

use adamant_der::ErrorKind as Der;
use adamant_hash::Sha256;
use adamant_rand::FastRng;
use adamant_x509::{
    CertificateBuilder, ErrorKind, FullCertificate, KeyAlgorithm, PrivateKey, PublicKey,
    SerialNumber,
};
use hex_literal::hex;

use crate::common;

/// The seeds of the RFCs' examples: 0, 1, 2, …
fn seed<const LEN: usize>() -> [u8; LEN] {
    core::array::from_fn(|i| i as u8)
}

/// RFC 9881, C.1.1: the private key of ML-DSA-44 as its seed.
#[test]
fn a_seed_stands_alone() {
    let text = "-----BEGIN PRIVATE KEY-----
MDQCAQAwCwYJYIZIAWUDBAMRBCKAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZ
GhscHR4f
-----END PRIVATE KEY-----
";
    let key = PrivateKey::from_pem(text).unwrap();
    assert_eq!(key.algorithm(), KeyAlgorithm::MlDsa44);
    assert_eq!(*key.to_pem(), *text);
    let PrivateKey::MlDsa44(key) = key else {
        panic!("another kind");
    };
    assert_eq!(*key.seed().unwrap(), seed());
}

/// The example of draft-connolly-cfrg-xwing-kem, of the seed 0, 1, 2, …: the private key, and the
/// public one by its digest.
#[test]
fn x_wing() {
    let text = "-----BEGIN PRIVATE KEY-----
MDQCAQAwDQYLKwYBBAGD5i2ByHoEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZ
GhscHR4f
-----END PRIVATE KEY-----
";
    let key = PrivateKey::from_pem(text).unwrap();
    assert_eq!(key.algorithm(), KeyAlgorithm::XWing);
    assert_eq!(*key.to_pem(), *text);
    let public = key.public_key().to_der();
    let digest = hex!("11f463e56a32c42e69011a2c34e0487090b71b07be7356a91f5b9452ca3c0695");
    assert_eq!(Sha256::digest(&public), digest);
    assert_eq!(PublicKey::from_der(&public).unwrap(), key.public_key());
    // A seed of another length, also one within an OCTET STRING.
    let oid = hex!("060b2b0601040183e62d81c87a");
    for wrong in [&seed::<31>()[..], &seed::<33>(), &hex!("0420"), &[]] {
        let error = PrivateKey::from_der(&pkcs8(&oid, wrong)).err();
        assert!(matches!(error.unwrap().kind(), ErrorKind::Crypto(_)));
    }
}

/// A PrivateKeyInfo with these octets as the key.
fn pkcs8(oid: &[u8], key: &[u8]) -> Vec<u8> {
    let element = |tag: u8, octets: &[u8]| {
        let len = u16::try_from(octets.len()).unwrap().to_be_bytes();
        let len = match len {
            [0, short @ 0..128] => vec![short],
            [0, long] => vec![0x81, long],
            [a, b] => vec![0x82, a, b],
        };
        [&[tag][..], &len, octets].concat()
    };
    let inner = [
        hex!("020100").to_vec(),
        element(0x30, oid),
        element(0x04, key),
    ]
    .concat();
    element(0x30, &inner)
}

#[test]
fn the_three_forms_of_a_lattice_key() {
    let oid = hex!("060960864801650304 0402");
    let expanded = adamant_pq::ml_kem_768::DecapsulationKey::from_seed(&seed()).to_bytes();
    let of_seed = [&hex!("8040")[..], &seed::<64>()].concat();
    let of_expanded = [&hex!("04820960")[..], &*expanded].concat();
    let both = [&hex!("0440")[..], &seed::<64>(), &of_expanded].concat();
    let both = [&hex!("308209a6")[..], &both].concat();
    let public = PrivateKey::from_der(&pkcs8(&oid, &of_seed))
        .unwrap()
        .public_key();
    for (form, has_seed) in [(&of_seed, true), (&of_expanded, false), (&both, true)] {
        let key = PrivateKey::from_der(&pkcs8(&oid, form)).unwrap();
        assert_eq!(key.public_key(), public);
        let again = if has_seed { &of_seed } else { &of_expanded };
        assert_eq!(*key.to_der(), *pkcs8(&oid, again));
    }
    // Halves that are not of one key.
    let mut mixed = both.clone();
    mixed[10] ^= 1;
    let error = PrivateKey::from_der(&pkcs8(&oid, &mixed)).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::KeyMismatch);
    // Something behind the key, and behind its halves.
    let null = [5, 0];
    let mut inner = [&both[..], &null].concat();
    inner[3] += 2;
    let longer = [&of_seed, &of_expanded, &both].map(|form| [&form[..], &null].concat());
    for form in longer.into_iter().chain([inner]) {
        let key = pkcs8(&oid, &form);
        let error = PrivateKey::from_der(&key).err().unwrap();
        let expected = (ErrorKind::Der(Der::TrailingData), key.len() - null.len());
        assert_eq!((error.kind(), error.position()), expected);
    }
    // A seed and an expanded key that are too short.
    for wrong in [&of_seed[..40], &of_expanded[..80]] {
        let mut wrong = wrong.to_vec();
        wrong[1] = 38;
        wrong.truncate(40);
        let error = PrivateKey::from_der(&pkcs8(&oid, &wrong)).err().unwrap();
        assert!(matches!(error.kind(), ErrorKind::Crypto(_)), "{error}");
    }
}

/// Those whose keys are made quickly.
fn quick() -> impl Iterator<Item = KeyAlgorithm> {
    let slow = |name: &str| name.starts_with("SLH-DSA") && name.ends_with('s') || name == "RSA";
    let all = KeyAlgorithm::ALL.iter().copied();
    all.filter(move |algorithm| !slow(algorithm.name()))
}

#[test]
fn keys_come_back() {
    let mut rng = FastRng::from_seed([5; 32]);
    for algorithm in quick() {
        let key = PrivateKey::generate(algorithm, &mut rng).unwrap();
        assert_eq!(key.algorithm(), algorithm);
        let public = key.public_key();
        assert_eq!(public.algorithm(), Some(algorithm));
        assert_eq!(PublicKey::from_der(&public.to_der()).unwrap(), public);
        let again = PrivateKey::from_pem(&key.to_pem()).unwrap();
        assert_eq!(again.public_key(), public, "{}", algorithm.name());
        assert_eq!(*again.to_der(), *key.to_der());
        // Neither a key of another length nor one of another algorithm.
        let mut der = public.to_der();
        der.push(0);
        assert!(PublicKey::from_der(&der).is_err());
    }
}

#[test]
fn certificates_of_every_algorithm_verify() {
    let mut rng = FastRng::from_seed([6; 32]);
    let name = common::root_name();
    let mut signed = 0;
    for algorithm in quick() {
        let key = PrivateKey::generate(algorithm, &mut rng).unwrap();
        let public = key.public_key();
        let builder = CertificateBuilder::new(
            SerialNumber::from(1),
            name.as_name(),
            common::time("2026-01-01"),
            common::time("2027-01-01"),
            name.as_name(),
            &public,
        );
        let Ok(signer) = key.signer() else {
            continue;
        };
        let der = builder.sign(signer).unwrap();
        let certificate = FullCertificate::from_der(&der).unwrap();
        assert_eq!(certificate.public_key().unwrap(), public);
        certificate.verify(&public).unwrap();
        let mut wrong = der.clone();
        *wrong.last_mut().unwrap() ^= 1;
        let refused = FullCertificate::from_der(&wrong).and_then(|c| c.verify(&public));
        assert!(refused.is_err(), "{}", algorithm.name());
        signed += 1;
    }
    assert!(signed >= 11, "{signed}");
}
