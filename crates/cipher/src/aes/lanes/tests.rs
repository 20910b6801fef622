//! Batches against the single calls.

use adamant_testkit::{TestRng, table};

use super::*;

#[test]
fn choice_of_implementation() {
    table!(Backend);
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
        |backend, messages| cbc_encrypt(backend, messages).unwrap(),
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

#[test]
fn lengths_are_checked() {
    let cipher = Aes::<16>::new(&[1; 16]);
    fn message<'m>(cipher: &'m Aes<16>, data: &'m mut [u8]) -> Message<'m, 16> {
        let iv = [0; 16];
        Message { cipher, iv, data }
    }
    let (mut a, mut b) = ([7; 32], [7; 17]);
    assert!(
        cbc_encrypt(
            Backend::best(),
            &mut [message(&cipher, &mut a), message(&cipher, &mut b)]
        )
        .is_err()
    );
    assert_eq!((a, b), ([7; 32], [7; 17]));
}
