//! AES-GCM and SM4-GCM. Nonces of 16 bytes choose the counters of the way that other nonces than
//! those of 12 bytes go.

use adamant_testkit::TestRng;
use adamant_testkit::boundaries::{self, Cover, NONCES, OFFSETS, WRAPS, before_wrap};
use core::array;
use std::collections::HashMap;

use super::{HEADERS, SHORT, Sealed, each, with_counters};
use crate::aes::Aes;
use crate::gcm::{AesGcm, Backend, Gcm};
use crate::hazmat::AnyLengths;
use crate::reference::{self, Map, modes};
use crate::sm4::{Sm4Gcm, gcm};

boundaries::tests! {
    aes_counters sm4_counters
    aes_nonces sm4_nonces nonces_of_a_composition
}

fn aes<const N: usize>(check: impl FnOnce(&[(String, AesGcm<N>)], Map<'_, 16>)) {
    let key: [u8; N] = TestRng::new(N as u64).array();
    let plain = reference::aes::Aes::new(&key);
    let rows = each(Backend::available(), |row| AesGcm::new_on(&key, row));
    check(&rows, &|block| plain.encrypt(block));
}

fn sm4(check: impl FnOnce(&[(String, Sm4Gcm)], Map<'_, 16>)) {
    let key = TestRng::new(1).array();
    let plain = reference::sm4::Sm4::new(key);
    let rows = each(gcm::Backend::available(), |row| Sm4Gcm::new_on(&key, row));
    check(&rows, &|block| plain.encrypt(block));
}

fn aes_counters(cover: Cover) {
    aes::<16>(|rows, encrypt| {
        let parts = with_counters(16, Backend::implementations(), rows);
        counters(cover, parts, encrypt);
    });
}
fn sm4_counters(cover: Cover) {
    sm4(|rows, encrypt| {
        let parts = with_counters(16, gcm::Backend::implementations(), rows);
        counters(cover, parts, encrypt);
    });
}

fn aes_nonces(cover: Cover) {
    let lengths = boundaries::lengths(16, Backend::implementations());
    aes::<16>(|rows, encrypt| nonces(cover, &lengths, rows, encrypt));
}
fn sm4_nonces(cover: Cover) {
    let lengths = boundaries::lengths(16, gcm::Backend::implementations());
    sm4(|rows, encrypt| nonces(cover, &lengths, rows, encrypt));
}
/// GCM over the trait.
fn nonces_of_a_composition(cover: Cover) {
    let key = TestRng::new(2).array();
    let plain = reference::aes::Aes::new(&key);
    let rows = [("Gcm".into(), Gcm::with_cipher(Aes::<32>::new(&key)))];
    let lengths = boundaries::lengths(16, Backend::implementations());
    nonces(cover, &lengths, &rows, &|block| plain.encrypt(block));
}

/// From every place in a group on, shortly before 8 to 32 bits run over.
fn counters<A: AnyLengths>(
    cover: Cover,
    parts: Vec<(&[(String, A)], Vec<usize>, Vec<usize>)>,
    encrypt: Map<'_, 16>,
) {
    let mut rng = TestRng::new(9);
    let ghash = reference::aead::ghash(encrypt);
    for (rows, lengths, distances) in parts {
        let longest = lengths.last().map_or(0, |len| len + 16);
        // The key streams of each place.
        let mut streams: HashMap<[usize; 2], (Vec<u8>, Vec<u8>)> = HashMap::new();
        for case in cover.cases([&lengths, &distances, &WRAPS, &HEADERS, &OFFSETS]) {
            let [len, distance, wrap, aad, offset] = case;
            let (nonce, stream) = streams.entry([distance, wrap]).or_insert_with(|| {
                let number = u128::from_be_bytes(rng.array());
                let counter = before_wrap(number, wrap, distance) as u32;
                let first = number >> 32 << 32 | u128::from(counter);
                let nonce = ghash.nonce_of(first).to_vec();
                assert_eq!(ghash.first_counter(&nonce), first);
                let mut stream = vec![0; longest];
                modes::ctr(encrypt, first.to_be_bytes(), 4, &mut stream);
                (nonce, stream)
            });
            let sealed = Sealed::new(&mut rng, nonce.clone(), (aad, len), |_, aad, data| {
                reference::aead::gcm_by(stream, &ghash, aad, data)
            });
            sealed.check(rows, offset, &case);
        }
    }
}

/// Nonces and tags of every length.
fn nonces<A: AnyLengths>(
    cover: Cover,
    lengths: &[usize],
    rows: &[(String, A)],
    encrypt: Map<'_, 16>,
) {
    let mut rng = TestRng::new(10);
    let ghash = reference::aead::ghash(encrypt);
    let nonces: Vec<usize> = NONCES.collect();
    let tags: [usize; 5] = array::from_fn(|i| 12 + i);
    let every = cover.cases([lengths, &[8, 12, 16], &HEADERS, &OFFSETS, &tags]);
    for case in every.chain(cover.cases([&SHORT, &nonces, &HEADERS, &OFFSETS, &tags])) {
        let [len, nonce, aad, offset, tag] = case;
        let nonce = rng.bytes(nonce);
        let mut sealed = Sealed::new(&mut rng, nonce, (aad, len), |nonce, aad, data| {
            let first = ghash.first_counter(nonce);
            reference::aead::gcm(encrypt, &ghash, first, aad, data)
        });
        sealed.tag.truncate(tag);
        sealed.check(rows, offset, &case);
    }
}
