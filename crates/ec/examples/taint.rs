//! The operations on secrets, for the taint check (`tests/taint.rs`).

use adamant_base::{Error, Rng};
use adamant_ec::curve25519::{
    EdwardsPoint, FixedBase, MontgomeryPoint, RistrettoPoint, Scalar, TableSize, group,
};
use adamant_ec::p256::{Backend, PrivateKey, agree_batch, sign_batch};
use adamant_ec::{ed25519, x25519};
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
            name: "ed25519 batches",
            run: ed25519_batches,
        },
        Operation {
            name: "x25519 batches",
            run: x25519_batches,
        },
        Operation {
            name: "x25519 generate and agree",
            run: x25519_agree,
        },
        Operation {
            name: "scalar25519 arithmetic",
            run: scalar25519,
        },
        Operation {
            name: "edwards25519 multiples",
            run: edwards25519,
        },
        Operation {
            name: "ristretto255 and hashing to curves",
            run: ristretto255,
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

/// A generator whose bytes are secret.
struct SecretRng(TestRng);

impl Rng for SecretRng {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.0.fill(out)?;
        for byte in out {
            *byte = secret(*byte);
        }
        Ok(())
    }
}

fn ed25519_batches() {
    let keys = ed25519::keygen_batch(9, &mut SecretRng(TestRng::new(2))).unwrap();
    for backend in ed25519::Backend::available() {
        let key = ed25519::PrivateKey::from_seed_on(&secret([0x5a; 32]), backend);
        let hedged = key.sign_hedged(b"message", &mut SecretRng(TestRng::new(3)));
        let verifier = key.public_key();
        assert_eq!(verifier.verify(b"message", &hedged.unwrap()), Ok(()));
        let mut items: Vec<(&ed25519::PrivateKey, &[u8])> = vec![(&key, b"one")];
        items.extend(keys.iter().map(|key| (key, &b"another"[..])));
        let mut signatures = vec![key.sign(b""); items.len()];
        ed25519::sign_batch(&items, &mut signatures).unwrap();
        assert_eq!(verifier.verify(b"one", &signatures[0]), Ok(()));
    }
}

fn x25519_batches() {
    let keys = x25519::keygen_batch(9, &mut SecretRng(TestRng::new(2))).unwrap();
    let peer = x25519::PrivateKey::from_bytes(&[7; 32]);
    for backend in x25519::Backend::available() {
        let key = keys[0].clone().with_backend(backend);
        let public_key = peer.public_key();
        let mut items = vec![(&key, &public_key)];
        items.extend(keys.iter().map(|key| (key, &public_key)));
        let mut agreed: Vec<_> = items.iter().map(|_| Err(Error::NoEntropy)).collect();
        x25519::agree_batch(&items, &mut agreed).unwrap();
        let expected = peer.agree(&key.public_key()).unwrap();
        assert_eq!(public(**agreed[0].as_ref().unwrap()), *expected);
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

fn scalar25519() {
    let a = Scalar::from_wide_bytes(&secret([0x5a; 64]));
    let b = Scalar::from_bytes(&secret([7; 32])).unwrap();
    let mut all = [a * b, a - b, -a, a + b, Scalar::ZERO];
    Scalar::batch_invert(&mut all);
    for inverse in all {
        public(inverse.to_bytes());
    }
    public(a.invert().to_bytes());
    assert_ne!(a, b);
}

fn edwards25519() {
    let scalar = secret([0x5a; 32]);
    let reduced = Scalar::from_bytes_mod_order(&scalar);
    let point = EdwardsPoint::decompress(&EdwardsPoint::BASE.double().compress()).unwrap();
    let table = FixedBase::new(&point, TableSize::Kib96);
    for backend in group::Backend::available() {
        let a = backend.mul(&scalar, &point);
        let b = backend.mul_base(&scalar);
        let c = backend.multiscalar_mul(&[reduced, reduced], &[point, a]);
        let d = table.mul_on(&reduced, backend);
        let sum = backend.add_points(&backend.double(&a), &backend.add_points(&b, &c));
        public(sum.to_montgomery().to_bytes());
        let mut encoded = [[0; 32]; 2];
        backend.compress_batch(&[sum, d], &mut encoded);
        let encoded = public(encoded);
        assert!(backend.decompress(&secret(encoded[0])).is_ok());
        assert_eq!(public(d.compress()), encoded[1]);
    }
    public(MontgomeryPoint::BASE.mul(&reduced).to_bytes());
    public(MontgomeryPoint::BASE.mul_clamped(scalar).to_bytes());
}

fn ristretto255() {
    let element = RistrettoPoint::from_uniform_bytes(&secret([0x5a; 64]));
    let encoded = element.compress();
    let decoded = RistrettoPoint::decompress(&encoded).unwrap();
    assert_eq!(decoded, element);
    let message = secret([0x5a; 20]);
    public(
        EdwardsPoint::hash_to_curve(&[&message], b"tag")
            .unwrap()
            .compress(),
    );
    public(
        EdwardsPoint::encode_to_curve(&[&message], b"tag")
            .unwrap()
            .compress(),
    );
    public(
        RistrettoPoint::hash_to_curve(&[&message], b"tag")
            .unwrap()
            .compress(),
    );
}
