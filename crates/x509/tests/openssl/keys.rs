//! Private and public keys.

use adamant_rand::SystemRng;
use adamant_x509::{KeyAlgorithm, PrivateKey, PublicKey};

use super::program::{OpenSsl, genpkey};

const KEYS: [KeyAlgorithm; 5] = [
    KeyAlgorithm::P256,
    KeyAlgorithm::Ed25519,
    KeyAlgorithm::X25519,
    KeyAlgorithm::Rsa,
    KeyAlgorithm::Sm2,
];

#[test]
fn our_keys_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    for algorithm in KEYS {
        let key = PrivateKey::generate(algorithm, &mut SystemRng).unwrap();
        ssl.write("key.pem", key.to_pem().as_bytes());
        // Both write the same octets.
        ssl.run("pkcs8 -topk8 -nocrypt -in key.pem -outform DER -out key.der");
        assert_eq!(ssl.read("key.der"), *key.to_der());
        ssl.run("pkey -in key.pem -pubout -outform DER -out public.der");
        assert_eq!(ssl.read("public.der"), key.public_key().to_der());
        ssl.write("public.pem", key.public_key().to_pem());
        ssl.run("pkey -pubin -in public.pem -noout");
        if let Some(pem) = key.to_sec1_pem() {
            ssl.run("pkey -in key.pem -check -noout");
            ssl.write("sec1.pem", pem.as_bytes());
            ssl.run("ec -in sec1.pem -outform DER -out sec1.der");
            assert_eq!(ssl.read("sec1.der"), *key.to_sec1_der().unwrap());
        }
    }
}

#[test]
fn their_keys_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    for algorithm in KEYS {
        ssl.run(&format!("{} -out key.pem", genpkey(algorithm)));
        let key = PrivateKey::from_pem(&ssl.read_text("key.pem")).unwrap();
        assert_eq!(key.algorithm(), algorithm);
        assert_eq!(*key.to_pem(), ssl.read_text("key.pem"));
        ssl.run("pkey -in key.pem -pubout -out public.pem");
        let public_key = PublicKey::from_pem(&ssl.read_text("public.pem")).unwrap();
        assert_eq!(public_key, key.public_key());
        assert_eq!(public_key.to_pem(), ssl.read_text("public.pem"));
        if algorithm == KeyAlgorithm::P256 {
            ssl.run("ec -in key.pem -out sec1.pem");
            let sec1 = PrivateKey::from_pem(&ssl.read_text("sec1.pem")).unwrap();
            assert_eq!(sec1.public_key(), public_key);
            assert_eq!(*sec1.to_sec1_pem().unwrap(), ssl.read_text("sec1.pem"));
            ssl.run("ec -in key.pem -conv_form compressed -pubout -out compressed.pem");
            let compressed = PublicKey::from_pem(&ssl.read_text("compressed.pem")).unwrap();
            assert_eq!(compressed, public_key);
        }
    }
}

#[test]
fn their_pkcs1_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    ssl.run(&format!("{} -out key.pem", genpkey(KeyAlgorithm::Rsa)));
    ssl.run("rsa -in key.pem -traditional -out pkcs1.pem");
    let key = PrivateKey::from_pem(&ssl.read_text("pkcs1.pem")).unwrap();
    assert_eq!(*key.to_pem(), ssl.read_text("key.pem"));
}
