//! Every implementation against the portable one, and the suites of the family.

use super::*;
use adamant_testkit::{BrokenRng, TestRng, check_choices, suites, table};

/// Whole operations agree with the portable implementation.
macro_rules! agreement {
    ($($name:ident $module:ident)*) => { $(
        #[test]
        fn $name() {
            use super::$module::*;
            let mut rng = TestRng::new(1);
            let seed: [u8; SEED_LEN] = rng.array();
            let reference = PrivateKey::from_seed_on(&seed, Backend::portable());
            let expected = reference.sign(b"message");
            table!(Backend).for_each(|backend| {
                let key = PrivateKey::from_seed_on(&seed, backend);
                let bytes = key.to_bytes();
                assert_eq!(*bytes, *reference.to_bytes());
                assert_eq!(key.check_pair(), Ok(()));
                assert!(key.sign(b"message") == expected);
                let read = PrivateKey::from_bytes_on(&bytes, backend).unwrap();
                let public = read.public_key();
                // Of PK.seed, and of PK.root.
                for byte in [0, PUBLIC_KEY_LEN - 1] {
                    let mut other = public.to_bytes();
                    assert!(PublicKey::from_bytes(&other) == public);
                    other[byte] ^= 1;
                    assert!(PublicKey::from_bytes(&other) != public);
                }
                assert_eq!(public.verify(b"message", &expected), Ok(()));
                assert!(public.verify(b"massage", &expected).is_err());
                for _ in 0..20 {
                    let mut wrong = expected.to_bytes();
                    wrong[rng.below(SIGNATURE_LEN)] ^= 1 << rng.below(8);
                    let wrong = Signature::from_bytes(&wrong);
                    assert!(public.verify(b"message", &wrong).is_err());
                }
                let mut wrong = bytes.clone();
                wrong[rng.below(SIGNATURE_LEN) % RANDOM_LEN] ^= 1;
                let wrong = PrivateKey::from_bytes_on(&wrong, backend).unwrap();
                assert_eq!(wrong.check_pair(), Err(Error::BadPrivateKey));
                assert_eq!(Signer::check_pair(&wrong), Err(Error::BadPrivateKey));
            });
        }
    )* };
}
agreement! {
    agreement_sha2_128f slh_dsa_sha2_128f
    agreement_sha2_192f slh_dsa_sha2_192f
    agreement_sha2_256f slh_dsa_sha2_256f
    agreement_shake_128f slh_dsa_shake_128f
    agreement_shake_192f slh_dsa_shake_192f
    agreement_shake_256f slh_dsa_shake_256f
}

#[test]
fn other_lengths_are_refused() {
    use super::slh_dsa_sha2_128f::*;
    for len in [0, 31, 33, 63, 64, 65, SIGNATURE_LEN - 1, SIGNATURE_LEN + 1] {
        let bytes = &vec![0; len][..];
        let actual = len;
        let refused = |expected| {
            let error = Error::BadLength { expected, actual };
            (len != expected).then_some(error)
        };
        assert_eq!(PublicKey::try_from(bytes).err(), refused(32));
        assert_eq!(PrivateKey::try_from(bytes).err(), refused(64));
        assert_eq!(Signature::try_from(bytes).err(), refused(SIGNATURE_LEN));
    }
}

/// Contexts, hedged signatures and digests of messages are kept apart.
#[test]
fn ways_of_signing() {
    use super::slh_dsa_sha2_128f::*;
    let mut rng = TestRng::new(2);
    let key = PrivateKey::generate(&mut rng).unwrap();
    let public = key.public_key();
    let plain = key.sign(b"m");
    assert!(plain == key.sign_with_context(b"m", b"").unwrap());
    assert!(plain == key.sign_internal(b"\0\0m", None));
    assert_eq!(public.verify_internal(b"\0\0m", &plain), Ok(()));
    let refused = Err(Error::BadSignature);
    assert_eq!(public.verify_internal(b"\0\0n", &plain), refused);
    let seed = *public.to_bytes().first_chunk().unwrap();
    assert!(plain == key.sign_internal(b"\0\0m", Some(&seed)));

    let context = key.sign_with_context(b"m", b"c").unwrap();
    assert_eq!(public.verify_with_context(b"m", b"c", &context), Ok(()));
    assert!(public.verify(b"m", &context).is_err());
    assert!(public.verify_with_context(b"m", b"d", &context).is_err());
    let long = Some(Error::BadParameter("context"));
    assert_eq!(key.sign_with_context(b"m", &[0; 256]).err(), long);
    assert_eq!(
        public.verify_with_context(b"m", &[0; 256], &context).err(),
        long
    );

    let hedged = key.sign_hedged(b"m", &mut rng).unwrap();
    assert!(hedged != plain);
    assert_eq!(public.verify(b"m", &hedged), Ok(()));

    let digest = [7; 32];
    let hash = PreHash::Sha256;
    let hashed = key.sign_prehashed(&digest, hash, b"c").unwrap();
    let hedged = key.sign_hedged_prehashed(&digest, hash, b"c", &mut rng);
    let hedged = hedged.unwrap();
    assert!(hedged != hashed);
    let short = Error::BadLength {
        expected: 32,
        actual: 31,
    };
    for signature in [hashed, hedged] {
        let check = |hash, digest: &[u8], context: &[u8]| {
            public.verify_prehashed(digest, hash, context, &signature)
        };
        assert_eq!(check(hash, &digest, b"c"), Ok(()));
        assert!(check(PreHash::Shake128, &digest, b"c").is_err());
        assert!(check(hash, &digest, b"").is_err());
        assert_eq!(check(hash, &digest[1..], b"c"), Err(short));
    }
    let refused = key.sign_hedged_prehashed(&digest[1..], hash, b"c", &mut BrokenRng);
    assert_eq!(refused.err(), Some(short));
    let refused = key.sign_hedged_prehashed(&digest, hash, b"c", &mut BrokenRng);
    assert_eq!(refused.err(), Some(Error::NoEntropy));
}

/// Batches are their items, with keys that differ, and one bad signature stays alone.
#[test]
fn batches() {
    use super::slh_dsa_sha2_128f::*;
    let mut rng = TestRng::new(3);
    let keys = generate_batch(3, &mut rng).unwrap();
    let mut again = TestRng::new(3);
    for key in &keys {
        let single = PrivateKey::generate(&mut again).unwrap();
        assert_eq!(*single.to_bytes(), *key.to_bytes());
    }
    let publics: Vec<_> = keys.iter().map(PrivateKey::public_key).collect();
    let messages: Vec<Vec<u8>> = (0..18).map(|i| rng.bytes(i)).collect();
    let items: Vec<_> = (0..18).map(|i| (&keys[i % 3], &messages[i][..])).collect();
    let mut signatures = sign_batch(&items);
    for ((key, message), signature) in items.iter().zip(&signatures) {
        assert!(key.sign(message) == *signature);
    }
    let too_few = Err(Error::BadLength {
        expected: 18,
        actual: 17,
    });
    assert_eq!(sign_batch_into(&items, &mut signatures[1..]), too_few);
    let mut wrong = signatures[16].to_bytes();
    wrong[5000] ^= 1;
    signatures[16] = Signature::from_bytes(&wrong);
    let items: Vec<_> = (0..18)
        .map(|i| (&publics[i % 3], &messages[i][..], &signatures[i]))
        .collect();
    let mut results = verify_batch(&items);
    for (i, result) in results.iter().enumerate() {
        assert_eq!(result.is_ok(), i != 16, "{i}");
    }
    assert_eq!(verify_batch_into(&items, &mut results[1..]), too_few);
}

#[test]
fn batches_are_single_calls() {
    let rows: Vec<_> = Backend::available().collect();
    let key = |i: usize, rng: &mut TestRng| {
        slh_dsa_sha2_128f::PrivateKey::generate_on(rng, rows[i % rows.len()]).unwrap()
    };
    suites::batches::signatures(key, &[0, 1, 2, 3]);
}

#[test]
fn behaves_as_a_signature() {
    suites::signature::check(slh_dsa_sha2_128f::PrivateKey::generate);
}

#[test]
fn choice_of_implementation() {
    check_choices(
        Backend::best_for,
        &[
            ("haswell", "x86_avx2"),
            ("zen2", "x86_sha"),
            ("skylake-x", "x86_avx512"),
            ("zen4", "x86_avx512"),
            ("armv8", "arm_neon"),
        ],
    );
}
