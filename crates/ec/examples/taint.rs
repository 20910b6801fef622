//! The operations on secrets, for the taint check (`tests/taint.rs`).

use adamant_base::Error;
use adamant_ec::p256::{Backend, PrivateKey, agree_batch, sign_batch};
use adamant_ec::{ed448, ed25519, x448, x25519};
use adamant_testkit::TestRng;
use adamant_testkit::taint::{self, Operation, public, secret};

fn main() {
    taint::main(&[
        Operation {
            name: "p256 generate",
            run: p256_generate,
        },
        Operation {
            name: "p256 sign",
            run: p256_sign,
        },
        Operation {
            name: "p256 agree",
            run: p256_agree,
        },
        Operation {
            name: "p256 batches",
            run: p256_batches,
        },
        Operation {
            name: "ed25519 generate and sign",
            run: ed25519_sign,
        },
        Operation {
            name: "x25519 generate and agree",
            run: x25519_agree,
        },
        Operation {
            name: "ed448 generate and sign",
            run: ed448_sign,
        },
        Operation {
            name: "x448 generate and agree",
            run: x448_agree,
        },
    ]);
}

fn p256_key(backend: Backend) -> PrivateKey {
    PrivateKey::from_bytes_on(&secret([0x5a; 32]), backend).unwrap()
}

fn p256_generate() {
    for backend in Backend::available() {
        let key = p256_key(backend);
        assert_eq!(public(*key.to_bytes()), [0x5a; 32]);
        // The scalar for which the last addition doubles, too.
        for k in [
            [3, 0, 0, 0],
            [0x0c46_353d_039c_daaf, 0x4319_0552_58e8_617b, 0, 0xffff_ffff],
        ] {
            public(backend.mul_base(&secret(k)));
        }
    }
}

fn p256_sign() {
    let mut rng = TestRng::new(1);
    for backend in Backend::available() {
        let key = p256_key(backend);
        let verifier = key.public_key();
        let signature = key.sign(b"message");
        assert_eq!(verifier.verify(b"message", &signature), Ok(()));
        let signature = key.sign_hedged(b"message", &mut rng).unwrap();
        assert_eq!(verifier.verify(b"message", &signature), Ok(()));
    }
}

fn p256_agree() {
    let peer = PrivateKey::from_bytes(&[7; 32]).unwrap();
    for backend in Backend::available() {
        let key = p256_key(backend);
        let agreed = key.agree(&peer.public_key()).unwrap();
        let expected = peer.agree(&key.public_key()).unwrap();
        assert_eq!(public(*agreed), *expected);
    }
}

fn p256_batches() {
    let peer = PrivateKey::from_bytes(&[7; 32]).unwrap().public_key();
    for backend in Backend::available() {
        let key = p256_key(backend);
        let verifier = key.public_key();
        let mut signatures = [PrivateKey::from_bytes(&[7; 32]).unwrap().sign(b""); 2];
        sign_batch(&[(&key, b"one"), (&key, b"two")], &mut signatures).unwrap();
        assert_eq!(verifier.verify(b"one", &signatures[0]), Ok(()));
        assert_eq!(verifier.verify(b"two", &signatures[1]), Ok(()));
        let mut agreed = [Err(Error::NoEntropy), Err(Error::NoEntropy)];
        agree_batch(&[(&key, &peer), (&key, &verifier)], &mut agreed).unwrap();
        let expected = key.agree(&peer).unwrap();
        assert_eq!(public(**agreed[0].as_ref().unwrap()), public(*expected));
    }
}

fn ed25519_sign() {
    for backend in ed25519::Backend::available() {
        let key = ed25519::PrivateKey::from_seed_on(&secret([0x5a; 32]), backend);
        assert_eq!(public(*key.seed()), [0x5a; 32]);
        let signature = key.sign(b"message");
        assert_eq!(key.public_key().verify(b"message", &signature), Ok(()));
    }
}

fn x25519_agree() {
    let peer = x25519::PrivateKey::from_bytes(&[7; 32]);
    for backend in x25519::Backend::available() {
        let key = x25519::PrivateKey::from_bytes_on(&secret([0x5a; 32]), backend);
        assert_eq!(public(*key.to_bytes()), [0x5a; 32]);
        let agreed = key.agree(&peer.public_key()).unwrap();
        let expected = peer.agree(&key.public_key()).unwrap();
        assert_eq!(public(*agreed), *expected);
    }
}

fn ed448_sign() {
    let mut rng = TestRng::new(2);
    for backend in ed448::Backend::available() {
        let key = ed448::PrivateKey::from_seed_on(&secret([0x5a; 57]), backend);
        assert_eq!(public(*key.seed()), [0x5a; 57]);
        let verifier = key.public_key();
        let signature = key.sign(b"message");
        assert_eq!(verifier.verify(b"message", &signature), Ok(()));
        let hedged = key.sign_hedged(b"message", b"", &mut rng).unwrap();
        assert_eq!(verifier.verify(b"message", &hedged), Ok(()));
        let mut signatures = [signature; 2];
        ed448::sign_batch(&[(&key, b"one"), (&key, b"message")], &mut signatures).unwrap();
        assert_eq!(signatures[1], signature);
    }
}

fn x448_agree() {
    let peer = x448::PrivateKey::from_bytes(&[7; 56]);
    for backend in x448::Backend::available() {
        let key = x448::PrivateKey::from_bytes_on(&secret([0x5a; 56]), backend);
        assert_eq!(public(*key.to_bytes()), [0x5a; 56]);
        let agreed = key.agree(&peer.public_key()).unwrap();
        let expected = peer.agree(&key.public_key()).unwrap();
        assert_eq!(public(*agreed), *expected);
        let mut batch = [Err(Error::NoEntropy), Err(Error::NoEntropy)];
        let items = [(&key, &peer.public_key()), (&key, &key.public_key())];
        x448::agree_batch(&items, &mut batch).unwrap();
        assert_eq!(public(**batch[0].as_ref().unwrap()), *expected);
    }
}
