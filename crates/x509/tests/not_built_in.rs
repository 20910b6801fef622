//! What there is of an algorithm whose feature is off: its name, and an error that says so.
//!
//! `cargo test -p adamant-x509 --no-default-features --features std,curve25519 --test not_built_in`

use adamant_rand::SystemRng;
use adamant_x509::{
    ErrorKind, KeyAlgorithm, PrivateKey, PublicKey, SignatureAlgorithm, verify_signature,
};

/// A key on P-256: what `openssl pkey -pubout` writes.
const P256: &str = "-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt
6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==
-----END PUBLIC KEY-----
";

#[test]
fn keys_are_generated_where_their_feature_is_on() {
    for &algorithm in KeyAlgorithm::ALL {
        // SLH-DSA and RSA take long.
        if !algorithm.is_built_in() {
            let error = PrivateKey::generate(algorithm, &mut SystemRng)
                .err()
                .unwrap();
            assert!(
                matches!(error.kind(), ErrorKind::NotBuiltIn(_)),
                "{algorithm:?}"
            );
        }
    }
}

#[test]
fn verification_names_what_is_not_built_in() {
    let key = PublicKey::from_pem(P256).unwrap();
    let algorithm = SignatureAlgorithm::EcdsaWithSha256.identifier();
    let error = verify_signature(&key, &algorithm, b"message", b"signature").unwrap_err();
    if KeyAlgorithm::P256.is_built_in() {
        assert!(matches!(error.kind(), ErrorKind::Crypto(_)));
    } else {
        assert!(matches!(key, PublicKey::Unknown(_)));
        assert_eq!(
            error.to_string(),
            "algorithm 1.2.840.10045.3.1.7 is not built in at byte 0"
        );
        // It is written as it was read.
        assert_eq!(key.to_pem(), P256);
    }
}
