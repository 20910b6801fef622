//! The tables of block ciphers: each function on whole blocks, and counter mode.

use adamant_base::BlockCipher;
use adamant_testkit::TestRng;
use adamant_testkit::boundaries::{self, Cover, OFFSETS, before_wrap, in_place};
use core::array;

use super::{below, each, with_counters};
use crate::aes::{self, Aes};
use crate::des::{self, Tdea};
use crate::reference::{self, Map, modes};
use crate::sm4::{self, Sm4};

boundaries::tests! {
    aes_128 aes_192 aes_256 sm4_all single_des triple_des
    aes_counters sm4_counters triple_des_counters
}

type Row<const LEN: usize> = (String, Box<dyn BlockCipher<Block = [u8; LEN]>>);

/// Blocks handed over at once; zero for all.
const AT_ONCE: [usize; 7] = [0, 1, 3, 8, 17, 40, 300];

/// Widths of counters in bytes.
const WIDTHS: [usize; 10] = [0, 1, 2, 3, 4, 7, 8, 9, 15, 16];

fn aes_rows<const N: usize>(key: &[u8; N]) -> Vec<Row<16>> {
    each(aes::Backend::available(), |row| {
        Box::new(Aes::<N>::new_on(key, row)) as Box<_>
    })
}

fn aes_blocks<const N: usize>(cover: Cover) {
    let key: [u8; N] = TestRng::new(N as u64).array();
    let plain = reference::aes::Aes::new(&key);
    let lengths = boundaries::lengths(16, aes::Backend::implementations());
    let maps = (&|b| plain.encrypt(b) as _, &|b| plain.decrypt(b) as _);
    blocks(cover, &lengths, 7, &aes_rows(&key), maps.0, maps.1);
}

fn aes_counters(cover: Cover) {
    let key: [u8; 16] = TestRng::new(3).array();
    let plain = reference::aes::Aes::new(&key);
    let rows = aes_rows(&key);
    let parts = with_counters(16, aes::Backend::implementations(), &rows);
    counters(cover, parts, &|b| plain.encrypt(b));
}

fn aes_128(cover: Cover) {
    aes_blocks::<16>(cover);
}
fn aes_192(cover: Cover) {
    aes_blocks::<24>(cover);
}
fn aes_256(cover: Cover) {
    aes_blocks::<32>(cover);
}

fn sm4_rows(key: &[u8; 16]) -> Vec<Row<16>> {
    each(sm4::Backend::available(), |row| {
        Box::new(Sm4::new_on(key, row)) as Box<_>
    })
}

fn sm4_all(cover: Cover) {
    let key = TestRng::new(4).array();
    let plain = reference::sm4::Sm4::new(key);
    let lengths = boundaries::lengths(16, sm4::Backend::implementations());
    let rows = sm4_rows(&key);
    blocks(cover, &lengths, 7, &rows, &|b| plain.encrypt(b), &|b| {
        plain.decrypt(b)
    });
}

fn sm4_counters(cover: Cover) {
    let key = TestRng::new(5).array();
    let plain = reference::sm4::Sm4::new(key);
    let rows = sm4_rows(&key);
    let parts = with_counters(16, sm4::Backend::implementations(), &rows);
    counters(cover, parts, &|b| plain.encrypt(b));
}

fn des_rows<const N: usize>(key: &[u8; N]) -> Vec<Row<8>> {
    each(des::Backend::available(), |row| {
        Box::new(Tdea::<N>::new_on(key, row)) as Box<_>
    })
}

fn des_blocks<const N: usize>(cover: Cover) {
    let key: [u8; N] = TestRng::new(N as u64).array();
    let plain = reference::des::Des::new(&key);
    let lengths = boundaries::lengths(8, des::Backend::implementations());
    let rows = des_rows(&key);
    blocks(cover, &lengths, 5, &rows, &|b| plain.encrypt(b), &|b| {
        plain.decrypt(b)
    });
}

fn single_des(cover: Cover) {
    des_blocks::<8>(cover);
}
fn triple_des(cover: Cover) {
    des_blocks::<24>(cover);
}

fn triple_des_counters(cover: Cover) {
    let key: [u8; 16] = TestRng::new(6).array();
    let plain = reference::des::Des::new(&key);
    let rows = des_rows(&key);
    let parts = with_counters(8, des::Backend::implementations(), &rows);
    counters(cover, parts, &|b| plain.encrypt(b));
}

/// The first `functions` of: encryption and decryption, CBC both ways, CBC-MAC, XTS both ways.
fn blocks<const LEN: usize>(
    cover: Cover,
    lengths: &[usize],
    functions: usize,
    rows: &[Row<LEN>],
    encrypt: Map<'_, LEN>,
    decrypt: Map<'_, LEN>,
) {
    let mut rng = TestRng::new(7);
    let counts = whole_blocks::<LEN>(lengths);
    for case in cover.cases([&counts, &below(functions), &AT_ONCE, &OFFSETS]) {
        let [count, function, at_once, offset] = case;
        let (data, chain): (_, [u8; LEN]) = (rng.bytes(count * LEN), rng.array());
        let (mut expected, mut end) = (data.clone(), chain);
        // Tweaks have blocks of 16 bytes.
        let xts = |map: Map<'_, LEN>, data: &mut [u8]| {
            let map = |block: [u8; 16]| {
                let out = map(array::from_fn(|i| block[i]));
                array::from_fn(|i| out[i])
            };
            let end = modes::xts_blocks(&map, array::from_fn(|i| chain[i]), data);
            array::from_fn(|i| end[i])
        };
        match function {
            0 => modes::ecb(encrypt, &mut expected),
            1 => modes::ecb(decrypt, &mut expected),
            2 => end = modes::cbc_encrypt(encrypt, chain, &mut expected),
            3 => end = modes::cbc_decrypt(decrypt, chain, &mut expected),
            4 => end = modes::cbc_mac(encrypt, chain, &expected),
            5 => end = xts(encrypt, &mut expected),
            _ => end = xts(decrypt, &mut expected),
        }
        for (row, cipher) in rows {
            let (mut data, mut chain) = (data.clone(), chain);
            in_place(&mut data, offset, |data| {
                for data in boundaries::pieces_mut(data, at_once * LEN) {
                    let blocks = data.as_chunks_mut().0;
                    match function {
                        0 => cipher.encrypt_blocks(blocks),
                        1 => cipher.decrypt_blocks(blocks),
                        2 => cipher.cbc_encrypt(&mut chain, blocks),
                        3 => cipher.cbc_decrypt(&mut chain, blocks),
                        4 => cipher.cbc_mac(&mut chain, blocks),
                        5 => cipher.xts_encrypt(&mut chain, blocks),
                        _ => cipher.xts_decrypt(&mut chain, blocks),
                    }
                }
            });
            assert!(data == expected && chain == end, "{row} {case:?}");
        }
    }
}

/// Counters of every width, from every place in a group on, shortly before they run over.
fn counters<const LEN: usize>(
    cover: Cover,
    parts: Vec<(&[Row<LEN>], Vec<usize>, Vec<usize>)>,
    encrypt: Map<'_, LEN>,
) {
    let mut rng = TestRng::new(8);
    let wraps = [8, 16, 24, 32, 56, 64, 120];
    for (rows, lengths, distances) in parts {
        let counts = whole_blocks::<LEN>(&lengths);
        for case in cover.cases([&counts, &distances, &wraps, &WIDTHS, &AT_ONCE, &OFFSETS]) {
            let [count, distance, wrap, width, at_once, offset] = case;
            let data = rng.bytes(count * LEN);
            let number = u128::from_be_bytes(rng.array());
            let start = before_wrap(number, wrap, distance).to_be_bytes();
            let start = array::from_fn(|i| start[16 - LEN + i]);
            let mut expected = data.clone();
            let end = modes::ctr(encrypt, start, width, &mut expected);
            for (row, cipher) in rows {
                let (mut data, mut counter) = (data.clone(), start);
                in_place(&mut data, offset, |data| {
                    for data in boundaries::pieces_mut(data, at_once * LEN) {
                        cipher.ctr(&mut counter, width, data.as_chunks_mut().0);
                    }
                });
                assert!(data == expected && counter == end, "{row} {case:?}");
            }
        }
    }
}

/// Lengths in bytes as numbers of blocks.
fn whole_blocks<const LEN: usize>(lengths: &[usize]) -> Vec<usize> {
    let both = lengths
        .iter()
        .flat_map(|len| [len / LEN, len.div_ceil(LEN)]);
    let mut counts: Vec<usize> = both.collect();
    counts.dedup();
    counts
}
