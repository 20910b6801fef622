//! Keys and signatures: the standard's example, OpenSSL's vectors, edges.

use super::{EXAMPLE_KEY, EXAMPLE_NONCE};
use crate::hazmat::sm2::Backend;
use crate::sm2::{
    DEFAULT_IDENTITY, MAX_IDENTITY_LEN, PrivateKey, PublicKey, Signature, generate_batch,
    sign_batch_into, verify_batch_into,
};
use crate::weierstrass::sm2::ORDER;
use crate::weierstrass::words;
use adamant_base::Error;
use adamant_testkit::{BrokenRng, TestRng, table};
use hex_literal::hex;

/// n, the order of the group.
const N: [u8; 32] = hex!("FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123");

/// n less a small number.
fn n_less(less: u8) -> [u8; 32] {
    let mut bytes = N;
    bytes[31] -= less;
    bytes
}

fn key() -> PrivateKey {
    PrivateKey::from_bytes(&EXAMPLE_KEY).unwrap()
}

/// GB/T 32918.5, A.2.
#[test]
fn the_example_of_the_standard() {
    let key = key();
    let public = key.public_key();
    assert_eq!(
        public.to_sec1()[1..],
        hex!(
            "09F9DF311E5421A150DD7D161E4BC5C672179FAD1833FC076BB08FF356F35020"
            "CCEA490CE26775A52DC6EA718CC1AA600AED05FBF35E084A6632F6072DA9AD13"
        )
    );
    assert_eq!(
        public.identity_digest(DEFAULT_IDENTITY),
        Ok(hex!(
            "B2E14C5C79C6DF5B85F4FE7ED8DB7A262B9DA7E07CCB0EA9F4747B8CCDA8A4F3"
        ))
    );
    let digest = public
        .message_digest(b"message digest", DEFAULT_IDENTITY)
        .unwrap();
    assert_eq!(
        digest,
        hex!("F0B43E94BA45ACCAACE692ED534382EB17E6AB5A19CE7B31F4486FDFC0D28640")
    );
    let expected = hex!(
        "F5A03B0648D2C4630EEAC513E1BB81A15944DA3827D5B74143AC7EACEEE720B3"
        "B1B6AA29DF212FD8763182BC0D421CA1BB9038FD1F7F42D4840B69C485BBC1AA"
    );
    table!(Backend).for_each(|backend| {
        let key = key.clone().with_backend(backend);
        let signature = key.sign_with_nonce(&digest, &words::from_be_bytes(&EXAMPLE_NONCE));
        assert_eq!(signature.unwrap().to_bytes(), expected);
        let signature = Signature::from_bytes(&expected).unwrap();
        assert_eq!(
            key.public_key().verify(b"message digest", &signature),
            Ok(())
        );
    });
}

/// The key of OpenSSL's `evppkey_sm2.txt` (Apache License 2.0), and its signatures of digests.
#[test]
fn vectors_of_openssl() {
    let key = PrivateKey::from_bytes(&hex!(
        "d09156733017bdad809fd9bbd8c693f60230593169b6f94aaf1c8ee138cc99b5"
    ))
    .unwrap();
    let public = key.public_key();
    assert_eq!(
        public.to_sec1()[..],
        hex!(
            "04"
            "393a2ad9e27e43acaaab85a19d3b85591e14406157175addd37bf77ff0caf9ed"
            "37fcf3a8b4f55c038523261fca6636afe6a7afa2a1482a606f5cb3a18b2e2a1e"
        )
    );
    let cases: [([u8; 32], &[u8]); 2] = [
        (
            hex!("D7AD397F6FFA5D4F7F11E7217F241607DC30618C236D2C09C1B9EA8FDADEE2E8"),
            &hex!(
                "3046022100AB1DB64DE7C40EDBDE6651C9B8EBDB804673DB836E5D5C7FE15DCF9ED2725037"
                "022100EBA714451FF69B0BB930B379E192E7CD5FA6E3C41C7FBD8303B799AB54A54621"
            ),
        ),
        (
            hex!("B1139602C6ECC9E15E2F3F9C635A1AFE737058BC15387479C1EA0D0B3D90E9E5"),
            &hex!(
                "3045022100E6E0414EBD3A656C35602AF14AB20287DBF30D57AF75C49A188ED4B42391F224"
                "02202F54F277C606F4605E1CE9514947FFDDF94C67A539804A4ED17F852288BDBE2E"
            ),
        ),
    ];
    for (digest, der) in cases {
        let signature = Signature::from_der(der).unwrap();
        assert_eq!(signature.to_der().as_ref(), der);
        table!(Backend).for_each(|backend| {
            let public = public.with_backend(backend);
            assert_eq!(public.verify_prehashed(&digest, &signature), Ok(()));
            let mut other = digest;
            other[31] ^= 1;
            let refused = public.verify_prehashed(&other, &signature);
            assert_eq!(refused, Err(Error::BadSignature));
        });
    }
}

#[test]
fn keys_are_below_n_less_one() {
    for bad in [[0; 32], n_less(1), N, [0xff; 32]] {
        let refused = PrivateKey::from_bytes(&bad).err();
        assert_eq!(refused, Some(Error::BadPrivateKey));
    }
    let mut one = [0; 32];
    one[31] = 1;
    for good in [one, n_less(2), [0x7f; 32]] {
        let key = PrivateKey::from_bytes(&good).unwrap();
        assert_eq!(*key.to_bytes(), good);
        assert_eq!(key.public_key().verify(b"m", &key.sign(b"m")), Ok(()));
    }
    // -2 G has the x coordinate of 2 G.
    let double = [&[0; 31][..], &[2]].concat();
    let double = PrivateKey::try_from(&double[..]).unwrap().public_key();
    let minus = PrivateKey::from_bytes(&n_less(2)).unwrap().public_key();
    assert_eq!(minus.to_sec1()[..33], double.to_sec1()[..33]);
    assert_ne!(minus, double);
    for len in [0, 31, 33] {
        assert!(PrivateKey::try_from(&vec![1; len][..]).is_err());
    }
}

#[test]
fn public_keys_are_points() {
    let public = key().public_key();
    let bytes = public.to_sec1();
    assert_eq!(PublicKey::from_sec1(&bytes), Ok(public));
    assert_eq!(
        PublicKey::from_sec1(&public.to_sec1_compressed()),
        Ok(public)
    );
    let refused = |bytes: &[u8]| {
        assert_eq!(PublicKey::from_sec1(bytes), Err(Error::BadPublicKey));
    };
    for i in 0..65 {
        let mut wrong = bytes;
        wrong[i] ^= 1;
        refused(&wrong);
        refused(&bytes[..i]);
    }
    refused(&[&bytes[..], &[0]].concat());
    refused(&[0]);
    // x = p, and an x of no point.
    let p = hex!("FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF");
    refused(&[&[2][..], &p].concat());
    let (mut points, mut none) = (0, 0);
    for x in 0..100 {
        let mut compressed = [0; 33];
        (compressed[0], compressed[32]) = (2 | x & 1, x);
        match PublicKey::from_sec1(&compressed) {
            Ok(key) => {
                assert_eq!(key.to_sec1_compressed(), compressed);
                assert_eq!(PublicKey::from_sec1(&key.to_sec1()), Ok(key));
                points += 1;
            }
            Err(error) => {
                assert_eq!(error, Error::BadPublicKey);
                none += 1;
            }
        }
    }
    assert!(points > 30 && none > 30);
}

#[test]
fn signatures_in_range_alone() {
    let one = [&[0; 31][..], &[1]].concat();
    let bytes = |r: &[u8], s: &[u8]| [r, s].concat();
    for (r, s) in [
        (&[0; 32][..], &one[..]),
        (&one, &[0; 32]),
        (&N, &one),
        (&one, &N),
    ] {
        assert_eq!(
            Signature::try_from(&bytes(r, s)[..]),
            Err(Error::BadSignature)
        );
    }
    // r + s = n.
    let sum = Signature::try_from(&bytes(&one, &n_less(1))[..]).unwrap();
    let public = key().public_key();
    assert_eq!(public.verify(b"m", &sum), Err(Error::BadSignature));
    let mut verdicts = [Ok(())];
    verify_batch_into(&[(&public, b"m", &sum)], &mut verdicts).unwrap();
    assert_eq!(verdicts, [Err(Error::BadSignature)]);
}

/// The digest of an integer below n.
fn digest(e: &[u64; 4]) -> [u8; 32] {
    let mut digest = [0; 32];
    for (bytes, word) in digest.rchunks_exact_mut(8).zip(e) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

/// A digest that fulfils the equation of r and n - r, for which t is 0 and the key does not matter.
#[test]
fn signatures_that_every_key_would_have_made() {
    for r in 1..4_u64 {
        let r = [r, 0, 0, 0];
        let s = ORDER.sub(&[0; 4], &r);
        let [x, _] = Backend::best().mul_base(&s);
        let e = digest(&ORDER.sub(&r, &ORDER.reduce(&x)));
        let signature = Signature::from_integers(&r, &s);
        let verdict = key().public_key().verify_prehashed(&e, &signature);
        assert_eq!(verdict, Err(Error::BadSignature));
    }
}

/// Digests for which one of the numbers is 0 that must not be.
#[test]
fn zeros_are_no_signatures() {
    let [one, k] = [[1, 0, 0, 0], [7, 0, 0, 0]];
    let key = PrivateKey::from_bytes(&digest(&one)).unwrap();
    let [x, _] = Backend::best().mul_base(&k);
    let less_x = |number: &[u64; 4]| digest(&ORDER.sub(number, &ORDER.reduce(&x)));
    // r; r + k; and s, which is (k - r d) / (1 + d), where d is 1.
    for zero in [less_x(&[0; 4]), less_x(&ORDER.sub(&[0; 4], &k)), less_x(&k)] {
        assert!(key.sign_with_nonce(&zero, &k).is_none());
    }
    let e = less_x(&[9, 0, 0, 0]);
    let signature = key.sign_with_nonce(&e, &k).unwrap();
    assert_eq!(key.public_key().verify_prehashed(&e, &signature), Ok(()));
}

#[test]
fn identities() {
    let (key, mut rng) = (key(), TestRng::new(1));
    let public = key.public_key();
    for len in [0, 1, 16, 55, 64, MAX_IDENTITY_LEN] {
        let identity = rng.bytes(len);
        let signature = key.sign_with_identity(b"m", &identity).unwrap();
        assert_eq!(
            public.verify_with_identity(b"m", &identity, &signature),
            Ok(())
        );
        assert_eq!(public.verify(b"m", &signature), Err(Error::BadSignature));
        let hedged = key
            .sign_hedged_with_identity(b"m", &identity, &mut rng)
            .unwrap();
        assert_ne!(hedged, signature);
        assert_eq!(
            public.verify_with_identity(b"m", &identity, &hedged),
            Ok(())
        );
    }
    assert_eq!(
        key.sign_with_identity(b"m", DEFAULT_IDENTITY),
        Ok(key.sign(b"m"))
    );
    let long = [0; MAX_IDENTITY_LEN + 1];
    let error = Error::BadLength {
        expected: MAX_IDENTITY_LEN,
        actual: MAX_IDENTITY_LEN + 1,
    };
    assert_eq!(key.sign_with_identity(b"m", &long), Err(error));
    assert_eq!(
        key.sign_hedged_with_identity(b"m", &long, &mut rng),
        Err(error)
    );
    assert_eq!(
        public.verify_with_identity(b"m", &long, &key.sign(b"m")),
        Err(error)
    );
    let broken = key.sign_hedged(b"m", &mut BrokenRng);
    assert_eq!(broken, Err(Error::NoEntropy));
    let mut same = rng.clone();
    let hedged = key.sign_hedged(b"m", &mut rng).unwrap();
    assert_ne!(hedged, key.sign(b"m"));
    let digest = public.message_digest(b"m", DEFAULT_IDENTITY).unwrap();
    assert_eq!(key.sign_hedged_prehashed(&digest, &mut same), Ok(hedged));
    assert_eq!(public.verify(b"m", &hedged), Ok(()));
}

#[test]
fn batches_do_what_single_calls_do() {
    let mut rng = TestRng::new(2);
    assert_eq!(
        generate_batch(3, &mut BrokenRng).err(),
        Some(Error::NoEntropy)
    );
    for count in [0, 1, 9, 70] {
        let keys = generate_batch(count, &mut rng).unwrap();
        assert_eq!(keys.len(), count);
        for key in &keys {
            let again = PrivateKey::from_bytes(&key.to_bytes()).unwrap();
            assert_eq!(again.public_key(), key.public_key());
            assert_eq!(*again.inverse, *key.inverse);
        }
        for longest in [90, 300] {
            let messages: Vec<_> = (0..count).map(|i| rng.bytes(i * 7 % longest)).collect();
            let items: Vec<_> = keys
                .iter()
                .zip(&messages)
                .map(|(k, m)| (k, &m[..]))
                .collect();
            let mut signatures = vec![key().sign(b""); count];
            sign_batch_into(&items, &mut signatures).unwrap();
            for ((key, message), signature) in items.iter().zip(&signatures) {
                assert_eq!(*signature, key.sign(message));
            }
            if count > 1 {
                signatures.swap(0, 1);
            }
            let publics: Vec<_> = keys.iter().map(PrivateKey::public_key).collect();
            let checks: Vec<_> = publics
                .iter()
                .zip(&messages)
                .zip(&signatures)
                .map(|((key, message), signature)| (key, &message[..], signature))
                .collect();
            let mut verdicts = vec![Ok(()); count];
            verify_batch_into(&checks, &mut verdicts).unwrap();
            for ((key, message, signature), verdict) in checks.iter().zip(&verdicts) {
                assert_eq!(*verdict, key.verify(message, signature));
            }
            assert_eq!(
                verdicts.iter().filter(|v| v.is_err()).count(),
                count.min(2) / 2 * 2
            );
            let short = sign_batch_into(&items, &mut vec![key().sign(b""); count + 1]);
            assert!(matches!(short, Err(Error::BadLength { .. })));
            let short = verify_batch_into(&checks, &mut vec![Ok(()); count + 1]);
            assert!(matches!(short, Err(Error::BadLength { .. })));
        }
    }
}

#[test]
fn halves_of_two_keys_do_not_fit() {
    let mut wrong = key();
    assert_eq!(wrong.check_pair(), Ok(()));
    wrong.public = PrivateKey::from_bytes(&[7; 32]).unwrap().public_key();
    assert_eq!(wrong.check_pair(), Err(Error::BadPrivateKey));
}
