//! The other AEADs: GCM-SIV, ChaCha20-Poly1305, CCM, EAX.

use adamant_base::{Aead, BlockCipher};
use adamant_testkit::TestRng;
use adamant_testkit::boundaries::{self, Cover, OFFSETS, WRAPS, before_wrap};
use core::array;
use std::collections::HashMap;

use super::{HEADERS, SHORT, Sealed, composed, each, with_counters};
use crate::aes::{self, Aes};
use crate::ccm::Ccm;
use crate::chacha20_poly1305::{self, ChaCha20Poly1305, XChaCha20Poly1305};
use crate::eax::Eax;
use crate::gcm_siv::{self, AesGcmSiv};
use crate::reference::{self, Map};
use crate::sm4::{self, Sm4};
use crate::testing::Exact;

boundaries::tests! {
    gcm_siv_128 gcm_siv_256 chacha20 xchacha20 aes_ccm sm4_ccm aes_eax sm4_eax
}

fn gcm_siv_128(cover: Cover) {
    gcm_siv::<16>(cover);
}
fn gcm_siv_256(cover: Cover) {
    gcm_siv::<32>(cover);
}

/// The counter starts from the tag, and a first block of associated data can be found for each.
fn gcm_siv<const N: usize>(cover: Cover) {
    let mut rng = TestRng::new(11);
    let key: [u8; N] = rng.array();
    let rows = each(gcm_siv::Backend::available(), |row| {
        Exact(AesGcmSiv::<N>::new_on(&key, row))
    });
    let nonce = rng.bytes(12);
    let siv = reference::aead::GcmSiv::new(&key, &nonce);
    for (rows, lengths, distances) in with_counters(16, gcm_siv::Backend::implementations(), &rows)
    {
        let longest = lengths.last().copied().unwrap_or(0);
        // The tags of each place, and their key streams.
        let mut tags: HashMap<[usize; 2], ([u8; 16], Vec<u8>)> = HashMap::new();
        for case in cover.cases([&lengths, &distances, &WRAPS, &HEADERS[3..], &OFFSETS]) {
            let [len, distance, wrap, aad, offset] = case;
            let (tag, stream) = tags.entry([distance, wrap]).or_insert_with(|| {
                let counter = before_wrap(u128::from_le_bytes(rng.array()), wrap, distance);
                let tag = siv.tag_of(counter as u32, || u128::from_le_bytes(rng.array()));
                (tag, siv.stream(tag, longest))
            });
            let (mut aad, plain) = (rng.bytes(aad), rng.bytes(len));
            siv.choose(*tag, &mut aad, &plain);
            let cipher = plain
                .iter()
                .zip(stream)
                .map(|(byte, s)| byte ^ *s)
                .collect();
            let sealed = Sealed {
                nonce: nonce.clone(),
                aad,
                plain,
                cipher,
                tag: tag.to_vec(),
            };
            sealed.check(rows, offset, &case);
        }
    }
    // Nonces, and less associated data than a block.
    for case in cover.cases([&SHORT, &HEADERS, &OFFSETS]) {
        let [len, aad, offset] = case;
        let nonce = rng.bytes(12);
        let sealed = Sealed::new(&mut rng, nonce, (aad, len), |nonce, aad, data| {
            reference::aead::GcmSiv::new(&key, nonce).seal(aad, data)
        });
        sealed.check(&rows, offset, &case);
    }
}

fn chacha20(cover: Cover) {
    chacha(cover, 12, |row, key| {
        Exact(ChaCha20Poly1305::new_on(key, row))
    });
}
fn xchacha20(cover: Cover) {
    chacha(cover, 24, |row, key| {
        Exact(XChaCha20Poly1305::new_on(key, row))
    });
}

fn chacha<A: Aead>(
    cover: Cover,
    nonce: usize,
    new: impl Fn(chacha20_poly1305::Backend, &[u8; 32]) -> Exact<A>,
) {
    let mut rng = TestRng::new(12);
    let key: [u8; 32] = rng.array();
    let rows = each(chacha20_poly1305::Backend::available(), |row| {
        new(row, &key)
    });
    let lengths = boundaries::lengths(16, chacha20_poly1305::Backend::implementations());
    for case in cover.cases([&lengths, &HEADERS, &OFFSETS]) {
        let [len, aad, offset] = case;
        let nonce = rng.bytes(nonce);
        let sealed = Sealed::new(&mut rng, nonce, (aad, len), |nonce, aad, data| {
            reference::aead::chacha20_poly1305(&key, nonce, aad, data)
        });
        sealed.check(&rows, offset, &case);
    }
}

fn aes_ccm(cover: Cover) {
    let key: [u8; 24] = TestRng::new(13).array();
    let plain = reference::aes::Aes::new(&key);
    let rows = each(aes::Backend::available(), |row| {
        Ccm::with_cipher(Aes::new_on(&key, row))
    });
    let way = composed(&[64, 256, crate::ccm::AT_ONCE]);
    let lengths = boundaries::lengths(16, [&way]);
    ccm(cover, &lengths, &rows, &|block| plain.encrypt(block));
}
fn sm4_ccm(cover: Cover) {
    let key = TestRng::new(14).array();
    let plain = reference::sm4::Sm4::new(key);
    let rows = each(sm4::Backend::available(), |row| {
        Ccm::with_cipher(Sm4::new_on(&key, row))
    });
    ccm(cover, &SHORT, &rows, &|block| plain.encrypt(block));
}

fn ccm<C: BlockCipher<Block = [u8; 16]>>(
    cover: Cover,
    lengths: &[usize],
    rows: &[(String, Ccm<C>)],
    encrypt: Map<'_, 16>,
) {
    let mut rng = TestRng::new(15);
    let nonces: [usize; 7] = array::from_fn(|i| 7 + i);
    let headers = [&HEADERS[..], &[14, 30, 0xfeff, 0xff00]].concat();
    let tags = [4, 6, 8, 10, 12, 14, 16];
    let every = cover.cases([lengths, &HEADERS[1..5], &nonces[..2], &tags[6..], &OFFSETS]);
    for case in every.chain(cover.cases([&SHORT, &headers, &nonces, &tags, &OFFSETS])) {
        let [len, aad, nonce, tag, offset] = case;
        let nonce = rng.bytes(nonce);
        let mut sealed = Sealed::new(&mut rng, nonce, (aad, len), |nonce, aad, data| {
            reference::aead::ccm(encrypt, nonce, aad, data, tag)
        });
        sealed.tag.truncate(tag);
        sealed.check(rows, offset, &case);
    }
}

fn aes_eax(cover: Cover) {
    let key: [u8; 16] = TestRng::new(16).array();
    let plain = reference::aes::Aes::new(&key);
    let rows = each(aes::Backend::available(), |row| {
        Eax::with_cipher(Aes::new_on(&key, row))
    });
    let way = composed(&[64, 256, 1024, crate::eax::AT_ONCE]);
    let lengths = boundaries::lengths(16, [&way]);
    eax(cover, &lengths, &rows, &|block| plain.encrypt(block));
}
fn sm4_eax(cover: Cover) {
    let key = TestRng::new(17).array();
    let plain = reference::sm4::Sm4::new(key);
    let rows = each(sm4::Backend::available(), |row| {
        Eax::with_cipher(Sm4::new_on(&key, row))
    });
    eax(cover, &SHORT, &rows, &|block| plain.encrypt(block));
}

fn eax<C: BlockCipher<Block = [u8; 16]>>(
    cover: Cover,
    lengths: &[usize],
    rows: &[(String, Eax<C>)],
    encrypt: Map<'_, 16>,
) {
    let mut rng = TestRng::new(18);
    let nonces: Vec<usize> = (0..=33).collect();
    let tags: [usize; 9] = array::from_fn(|i| 8 + i);
    let every = cover.cases([lengths, &HEADERS[1..5], &[12, 16], &tags[8..], &OFFSETS]);
    for case in every.chain(cover.cases([&SHORT, &HEADERS, &nonces, &tags, &OFFSETS])) {
        let [len, aad, nonce, tag, offset] = case;
        let nonce = rng.bytes(nonce);
        let mut sealed = Sealed::new(&mut rng, nonce, (aad, len), |nonce, aad, data| {
            reference::aead::eax(encrypt, nonce, aad, data)
        });
        sealed.tag.truncate(tag);
        sealed.check(rows, offset, &case);
    }
}
