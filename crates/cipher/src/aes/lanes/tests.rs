//! Batches against the single calls.

use adamant_testkit::{TestRng, table};

use super::*;
use crate::modes;
use crate::modes::ctr::{Ctr, on::ctr_encrypt_on as ctr};

#[test]
fn choice_of_implementation() {
    table!(Backend);
    let choices = [
        ("haswell", "x86_aesni"),
        ("zen4", "x86_vaes512"),
        ("armv8", "portable"),
        ("cortex-a72", "arm_aes"),
        ("neoverse-n1", "arm_aes"),
        ("apple-m1", "arm_aes"),
        ("neoverse-v1", "arm_aes"),
        ("power8", "power_crypto"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
}

/// Messages of these lengths, keys and vectors of their own, against `single`.
fn check<const KEY_LEN: usize>(
    lengths: &[usize],
    single: impl Fn(&Aes<KEY_LEN>, [u8; 16], &mut [u8]),
    batch: impl Fn(Backend, &mut [Message<'_, KEY_LEN>]),
) {
    let mut rng = TestRng::new(lengths.len() as u64);
    let ciphers: Vec<Aes<KEY_LEN>> = lengths.iter().map(|_| Aes::new(&rng.array())).collect();
    let ivs: Vec<[u8; 16]> = lengths.iter().map(|_| rng.array()).collect();
    let plain: Vec<Vec<u8>> = lengths
        .iter()
        .map(|len| (0..*len).map(|_| rng.array::<1>()[0]).collect())
        .collect();
    let mut expected = plain.clone();
    for ((cipher, iv), data) in ciphers.iter().zip(&ivs).zip(&mut expected) {
        single(cipher, *iv, data);
    }
    for backend in Backend::available() {
        let mut data = plain.clone();
        let mut messages: Vec<_> = ciphers
            .iter()
            .zip(&ivs)
            .zip(&mut data)
            .map(|((cipher, iv), data)| Message {
                cipher,
                iv: *iv,
                data,
            })
            .collect();
        batch(backend, &mut messages);
        assert!(data == expected, "{backend:?} {lengths:?}");
    }
}

fn cbc<const KEY_LEN: usize>(lengths: &[usize]) {
    check::<KEY_LEN>(
        lengths,
        |cipher, iv, data| cipher.cbc_encrypt(&mut { iv }, data.as_chunks_mut().0),
        |backend, messages| cbc_encrypt_on(messages, backend).unwrap(),
    );
}

#[test]
fn every_number_of_messages() {
    let mut rng = TestRng::new(9);
    for count in 0..=70 {
        let lengths: Vec<usize> = (0..count)
            .map(|_| 16 * usize::from(rng.array::<1>()[0] % 40))
            .collect();
        cbc::<16>(&lengths);
        cbc::<32>(&lengths);
    }
    cbc::<24>(&[128; 33]);
    cbc::<24>(&[144, 16, 0, 1600]);
}

/// Every length around a block and a register, counters before and after a carry.
#[test]
fn counter_mode() {
    let mut rng = TestRng::new(10);
    let lengths: Vec<usize> = (0..=130).chain([200, 1000]).collect();
    for width in [2, 4, 7, 8, 9, 16] {
        for ones in [0, width, 8] {
            let single = |cipher: &Aes<24>, iv: [u8; 16], data: &mut [u8]| {
                let iv = near_carry(iv, ones);
                Ctr::new(cipher, iv, width).apply_keystream(data).unwrap();
            };
            check::<24>(&lengths, single, |backend, messages| {
                for message in &mut *messages {
                    message.iv = near_carry(message.iv, ones);
                }
                ctr(width, messages, backend).unwrap();
            });
        }
    }
    for count in 0..40 {
        for most in [17, 65] {
            let lengths: Vec<usize> = (0..count)
                .map(|_| usize::from(rng.array::<1>()[0]) % most)
                .collect();
            check::<16>(
                &lengths,
                |cipher, iv, data| Ctr::new(cipher, iv, 16).apply_keystream(data).unwrap(),
                |backend, messages| ctr(16, messages, backend).unwrap(),
            );
        }
    }
}

/// The last bytes such that a carry leaves them within the first register or after it.
fn near_carry(mut iv: [u8; 16], ones: usize) -> [u8; 16] {
    let last = iv[15];
    iv[16 - ones..].fill(0xff);
    iv[15] = 0xf8 | last & 7;
    iv
}

/// The functions without a row take the best.
#[test]
fn batches() {
    let lengths: Vec<usize> = (0..70).map(|count| 16 * count).collect();
    check::<16>(
        &lengths,
        |cipher, iv, data| cipher.cbc_encrypt(&mut { iv }, data.as_chunks_mut().0),
        |_, messages| modes::cbc::encrypt_batch(messages).unwrap(),
    );
    check::<16>(
        &lengths,
        |cipher, iv, data| Ctr::new(cipher, iv, 4).apply_keystream(data).unwrap(),
        |_, messages| modes::ctr::encrypt_batch(4, messages).unwrap(),
    );
}

/// Where one message is no whole blocks, none is touched.
#[test]
fn parts_of_blocks_are_refused() {
    let cipher = Aes::<16>::new(&[1; 16]);
    for len in 0..70 {
        let (mut whole, mut data) = ([7; 32], vec![7; len]);
        let expected = len - len % 16;
        let refused = Err(Error::BadLength {
            expected,
            actual: len,
        });
        let mut messages = [&mut whole[..], &mut data].map(|data| Message {
            cipher: &cipher,
            iv: [0; 16],
            data,
        });
        let result = modes::cbc::encrypt_batch(&mut messages);
        let parts = len != expected;
        assert_eq!(result, if parts { refused } else { Ok(()) }, "{len}");
        assert_eq!(whole == [7; 32], parts);
        assert_eq!(data == vec![7; len], parts || len == 0);
    }
}

/// As many blocks as a counter has are encrypted; where one message has more, none is touched.
#[test]
fn ends_of_counters_are_checked() {
    let cipher = Aes::<16>::new(&[1; 16]);
    for (width, most) in [(0, 16), (1, 4096)] {
        for len in [most, most + 1] {
            let (mut a, mut b) = ([7; 16], vec![7; len]);
            let mut messages = [&mut a[..], &mut b].map(|data| Message {
                cipher: &cipher,
                iv: [0; 16],
                data,
            });
            let refused = Err(Error::BadLength {
                expected: most,
                actual: len,
            });
            let expected = if len > most { refused } else { Ok(()) };
            assert_eq!(ctr(width, &mut messages, Backend::best()), expected);
            let untouched = (a == [7; 16], b.iter().all(|byte| *byte == 7));
            assert_eq!(untouched, (len > most, len > most), "{width} {len}");
        }
    }
}

#[test]
fn lengths_are_checked() {
    let cipher = Aes::<16>::new(&[1; 16]);
    fn message<'m>(cipher: &'m Aes<16>, data: &'m mut [u8]) -> Message<'m, 16> {
        let iv = [0; 16];
        Message { cipher, iv, data }
    }
    let (mut a, mut b) = ([7; 32], [7; 17]);
    assert!(
        cbc_encrypt_on(
            &mut [message(&cipher, &mut a), message(&cipher, &mut b)],
            Backend::best()
        )
        .is_err()
    );
    assert_eq!((a, b), ([7; 32], [7; 17]));
}
