//! Elliptic curves.

use crate::following::batch;
use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
use adamant_ec::curve25519::{RistrettoPoint, Scalar, TableSize};
use adamant_ec::hazmat::group::{self, EdwardsPoint, FixedBase, MontgomeryPoint};
use adamant_ec::weierstrass::{self, Curve};
use adamant_ec::{ed448, ed25519, hazmat, sm2, x448, x25519};
use adamant_testkit::TestRng;
use adamant_testkit::taint::{Operation, SecretRng, public, secret};

/// The operations: those of each curve in the list of the schemes, and the others.
macro_rules! operations {
    (
        curves { $({ $feature:tt $curve:ident $module:ident $words:literal $($_c:tt)* })* }
        $($_groups:tt)*
    ) => {
pub(crate) const OPERATIONS: &[Operation] = &[
    $(Operation {
        name: stringify!($module),
        run: || {
            keys::<adamant_ec::$module::$curve, $words>(rows!(hazmat::$module::Backend))
        },
    },)*
    Operation {
        name: "p256 multiples of the base point",
        run: p256_multiples,
    },
    Operation {
        name: "sm2 generate and sign",
        run: sm2_sign,
    },
    Operation {
        name: "sm2 encrypt and decrypt",
        run: sm2_encrypt,
    },
    Operation {
        name: "sm2 key exchange",
        run: sm2_exchange,
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
    Operation {
        name: "ed448 generate and sign",
        run: ed448_sign,
    },
    Operation {
        name: "x448 generate and agree",
        run: x448_agree,
    },
];
    };
}
adamant_base::schemes!(operations);

fn p256_multiples() {
    for backend in rows!(hazmat::p256::Backend) {
        // The scalar for which the last addition doubles, too.
        for k in [
            [3, 0, 0, 0],
            [0x0c46_353d_039c_daaf, 0x4319_0552_58e8_617b, 0, 0xffff_ffff],
        ] {
            public(backend.mul_base(&secret(k)));
        }
    }
}

/// Keys, signatures and agreement on a curve.
fn keys<C: Curve<W>, const W: usize>(backends: impl Iterator<Item = C::Group>) {
    use adamant_base::Block;
    let mut bytes = C::Scalar::ZERO;
    bytes.as_mut()[1..].fill(0x5a);
    let peer = weierstrass::PrivateKey::<C, W>::from_bytes(&bytes).unwrap();
    let mut rng = TestRng::new(1);
    for backend in backends {
        let mut bytes = C::Scalar::ZERO;
        let secrets = secret([0x5a; 80]);
        let len = bytes.as_ref().len();
        bytes.as_mut()[1..].copy_from_slice(&secrets[1..len]);
        let key = weierstrass::PrivateKey::<C, W>::from_bytes_on(&bytes, backend).unwrap();
        let mut again = [0; 80];
        again[..len].copy_from_slice((*key.to_bytes()).as_ref());
        assert_eq!(public(again)[1..len], [0x5a; 80][1..len]);
        let verifier = key.public_key();
        let signature = key.sign(b"message");
        assert_eq!(verifier.verify(b"message", &signature), Ok(()));
        assert_eq!(key.check_pair(), Ok(()));
        let hedged = key.sign_hedged(b"message", &mut rng).unwrap();
        assert_eq!(verifier.verify(b"message", &hedged), Ok(()));
        let mut items: Vec<(_, &[u8])> = vec![(&key, b"one"); batch()];
        items[1].1 = b"two";
        let signatures = weierstrass::sign_batch(&items);
        assert_eq!(verifier.verify(b"two", &signatures[1]), Ok(()));
        let of_peer = peer.public_key();
        let mut pairs = vec![(&key, &of_peer); batch()];
        pairs[1].1 = &verifier;
        let agreed = weierstrass::agree_batch(&pairs);
        let alone = key.agree(&peer.public_key()).unwrap();
        let expected = peer.agree(&verifier).unwrap();
        for ours in [&alone, agreed[0].as_ref().unwrap()] {
            let (mut of_secret, mut of_public) = ([0; 80], [0; 80]);
            of_secret[..len].copy_from_slice((**ours).as_ref());
            of_public[..len].copy_from_slice((*expected).as_ref());
            assert_eq!(public(of_secret), public(of_public));
        }
    }
}

fn sm2_key(backend: hazmat::sm2::Backend) -> sm2::PrivateKey {
    sm2::PrivateKey::from_bytes_on(&secret([0x5a; 32]), backend).unwrap()
}

fn sm2_sign() {
    let mut rng = TestRng::new(2);
    for backend in rows!(hazmat::sm2::Backend) {
        let key = sm2_key(backend);
        assert_eq!(public(*key.to_bytes()), [0x5a; 32]);
        let verifier = key.public_key();
        assert_eq!(verifier.verify(b"one", &key.sign(b"one")), Ok(()));
        assert_eq!(key.check_pair(), Ok(()));
        let signature = key
            .sign_hedged_with_identity(b"one", b"id", &mut rng)
            .unwrap();
        assert_eq!(
            verifier.verify_with_identity(b"one", b"id", &signature),
            Ok(())
        );
        let signatures = sm2::sign_batch(&[(&key, b"one"), (&key, b"two")]);
        assert_eq!(verifier.verify(b"two", &signatures[1]), Ok(()));
    }
}

fn sm2_encrypt() {
    let mut rng = SecretRng::new(3);
    for backend in rows!(hazmat::sm2::Backend) {
        let key = sm2_key(backend);
        let message = secret([7; 40]);
        let receiver = key.public_key();
        let ciphertext = receiver.encrypt(&message, &mut rng).unwrap();
        let mut opened = [0; 40];
        key.decrypt_into(&ciphertext, &mut opened).unwrap();
        assert_eq!(public(opened), [7; 40]);
        let items = [(&receiver, &message[..]), (&receiver, &message)];
        let ciphertexts = sm2::encrypt_batch(&items, &mut rng).unwrap();
        for opened in sm2::decrypt_batch(&[(&key, &ciphertexts[1])]) {
            let opened: [u8; 40] = opened.unwrap()[..].try_into().unwrap();
            assert_eq!(public(opened), [7; 40]);
        }
    }
}

fn sm2_exchange() {
    use sm2::{Initiator, Party, Responder};
    let mut rng = SecretRng::new(4);
    for backend in rows!(hazmat::sm2::Backend) {
        let (alice, bob) = (sm2_key(backend), sm2_key(backend));
        let keys = [alice.public_key(), bob.public_key()];
        let [of_alice, of_bob] = [0, 1].map(|i| Party {
            key: &keys[i],
            identity: b"",
        });
        let initiator = Initiator::new(&alice, b"", of_bob, &mut rng).unwrap();
        let point = initiator.point();
        let responder = Responder::new(&bob, b"", of_alice, &point, &mut rng).unwrap();
        let (mut a, mut b) = ([0; 48], [0; 48]);
        let (point, tag) = (responder.point(), responder.tag());
        let tag = initiator.finish_confirmed(&point, &tag, &mut a).unwrap();
        responder.finish_confirmed(&tag, &mut b).unwrap();
        assert_eq!(public(a), public(b));
    }
}

fn ed25519_sign() {
    for backend in rows!(hazmat::ed25519::Backend) {
        let key = ed25519::PrivateKey::from_seed_on(&secret([0x5a; 32]), backend);
        assert_eq!(public(*key.seed()), [0x5a; 32]);
        assert_eq!(key.check_pair(), Ok(()));
        let signature = key.sign(b"message");
        assert_eq!(key.public_key().verify(b"message", &signature), Ok(()));
    }
}

fn ed25519_batches() {
    let keys = ed25519::generate_batch(9, &mut SecretRng::new(2)).unwrap();
    for backend in rows!(hazmat::ed25519::Backend) {
        let key = ed25519::PrivateKey::from_seed_on(&secret([0x5a; 32]), backend);
        let hedged = key.sign_hedged(b"message", &mut SecretRng::new(3));
        let verifier = key.public_key();
        assert_eq!(verifier.verify(b"message", &hedged.unwrap()), Ok(()));
        let hedged = key.sign_hedged_with_context(b"message", b"one", &mut SecretRng::new(3));
        let verified = verifier.verify_with_context(b"message", b"one", &hedged.unwrap());
        assert_eq!(verified, Ok(()));
        let mut items: Vec<(&ed25519::PrivateKey, &[u8])> = vec![(&key, b"one")];
        items.extend(keys.iter().map(|key| (key, &b"another"[..])));
        let signatures = ed25519::sign_batch(&items);
        assert_eq!(verifier.verify(b"one", &signatures[0]), Ok(()));
    }
}

fn x25519_batches() {
    let keys = x25519::generate_batch(9, &mut SecretRng::new(2)).unwrap();
    let peer = x25519::PrivateKey::from_bytes(&[7; 32]);
    for backend in rows!(hazmat::x25519::Backend) {
        let key = keys[0].clone().with_backend(backend);
        let public_key = peer.public_key();
        let mut items = vec![(&key, &public_key)];
        items.extend(keys.iter().map(|key| (key, &public_key)));
        let agreed = x25519::agree_batch(&items);
        let expected = peer.agree(&key.public_key()).unwrap();
        assert_eq!(public(**agreed[0].as_ref().unwrap()), *expected);
        let (scalars, mut us) = (secret([[0x58; 32]; 9]), [[0; 32]; 9]);
        backend.mul_base_u_batch(&scalars[..batch()], &mut us[..batch()]);
        public(us);
    }
}

fn x25519_agree() {
    let peer = x25519::PrivateKey::from_bytes(&[7; 32]);
    for backend in rows!(hazmat::x25519::Backend) {
        let key = x25519::PrivateKey::from_seed_on(&secret([0x5a; 32]), backend);
        assert_eq!(public(*key.to_bytes()), [0x5a; 32]);
        assert_eq!(key.check_pair(), Ok(()));
        let agreed = key.agree(&peer.public_key()).unwrap();
        let expected = peer.agree(&key.public_key()).unwrap();
        assert_eq!(public(*agreed), *expected);
    }
}

fn scalar25519() {
    let a = Scalar::from_wide_bytes(&secret([0x5a; 64]));
    let b = Scalar::from_bytes(&secret([7; 32])).unwrap();
    let mut all = [a * b, a - b, -a, a + b, Scalar::ZERO];
    Scalar::invert_batch(&mut all);
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
    for backend in rows!(group::Backend) {
        let a = backend.mul(&scalar, &point);
        let b = backend.mul_base(&scalar);
        let mut points = vec![point; batch()];
        points[1] = a;
        let c = backend.multiscalar_mul(&vec![reduced; batch()], &points);
        let d = backend.mul_fixed(&reduced, &table);
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

fn ed448_sign() {
    let mut rng = TestRng::new(2);
    for backend in rows!(hazmat::ed448::Backend) {
        let key = ed448::PrivateKey::from_seed_on(&secret([0x5a; 57]), backend);
        assert_eq!(public(*key.seed()), [0x5a; 57]);
        assert_eq!(key.check_pair(), Ok(()));
        let verifier = key.public_key();
        let signature = key.sign(b"message");
        assert_eq!(verifier.verify(b"message", &signature), Ok(()));
        let hedged = key.sign_hedged(b"message", &mut rng).unwrap();
        assert_eq!(verifier.verify(b"message", &hedged), Ok(()));
        let mut items: Vec<(_, &[u8])> = vec![(&key, b"one"); batch()];
        items[1].1 = b"message";
        assert_eq!(ed448::sign_batch(&items)[1], signature);
    }
}

fn x448_agree() {
    let peer = x448::PrivateKey::from_bytes(&[7; 56]);
    for backend in rows!(hazmat::x448::Backend) {
        let key = x448::PrivateKey::from_seed_on(&secret([0x5a; 56]), backend);
        assert_eq!(public(*key.to_bytes()), [0x5a; 56]);
        assert_eq!(key.check_pair(), Ok(()));
        let agreed = key.agree(&peer.public_key()).unwrap();
        let expected = peer.agree(&key.public_key()).unwrap();
        assert_eq!(public(*agreed), *expected);
        let public_keys = [peer.public_key(), key.public_key()];
        let mut items = vec![(&key, &public_keys[0]); batch()];
        items[1].1 = &public_keys[1];
        let agreed = x448::agree_batch(&items);
        assert_eq!(public(**agreed[0].as_ref().unwrap()), *expected);
        let mut scalars = secret([[0x5a; 7]; 9]);
        let (scalars, mut us) = (&mut scalars[..batch()], [[0; 56]; 9]);
        scalars.iter_mut().for_each(|scalar| scalar[6] >>= 1);
        backend.mul_base_u_batch(scalars, &mut us[..batch()]);
        public(us);
    }
}
