//! Streams and modes of any number of bytes: ChaCha20, CTR in pieces, CFB, OFB, XTS, key wrap, and
//! messages of AEADs that come in pieces.

use adamant_base::{BlockCipher, Error};
use adamant_testkit::TestRng;
use adamant_testkit::boundaries::{self, Cover, OFFSETS, before_wrap, distances, in_place};

use super::{HEADERS, PIECES, each};
use crate::aes::{self, Aes};
use crate::chacha20::{self, ChaCha20, Nonce};
use crate::des::TripleDes;
use crate::gcm::Gcm;
use crate::ghash;
use crate::key_wrap::KeyWrap;
use crate::modes::ctr::Ctr;
use crate::modes::xts::Xts;
use crate::modes::{cbc, cfb, ofb};
use crate::reference::{self, Map, modes};
use crate::stream::message::{ChaChaMessage, GcmMessage, Message, Opener, Sealer};

boundaries::tests! {
    chacha20_blocks chacha20_pieces ctr_pieces feedback padding xts wrap gcm_message chacha_message
}

/// A counter of 32 bits that may run over within the data.
fn chacha20_blocks(cover: Cover) {
    let mut rng = TestRng::new(27);
    let lengths = boundaries::lengths(64, chacha20::Backend::implementations());
    let group = boundaries::group(chacha20::Backend::implementations());
    let wraps = [8, 16, 31, 32];
    for case in cover.cases([&lengths, &distances(group), &wraps, &OFFSETS]) {
        let [len, distance, wrap, offset] = case;
        let (key, nonce): ([u8; 32], [u8; 12]) = (rng.array(), rng.array());
        let counter = before_wrap(u128::from(rng.next_u64()), wrap, distance) as u32;
        let data = rng.bytes(len);
        let mut expected = data.clone();
        for (i, data) in expected.chunks_mut(64).enumerate() {
            let counter = counter.wrapping_add(i as u32);
            reference::chacha20::encrypt(&key, &nonce, counter.into(), data);
        }
        for row in chacha20::Backend::available() {
            let mut data = data.clone();
            in_place(&mut data, offset, |data| {
                row.xor(
                    &chacha20::words(&key),
                    counter,
                    &chacha20::words(&nonce),
                    data,
                );
            });
            assert!(data == expected, "{row:?} {case:?}");
        }
    }
}

fn chacha20_pieces(cover: Cover) {
    fn run<N: Nonce>(
        row: chacha20::Backend,
        key: &[u8; 32],
        (nonce, counter): (&N, N::Counter),
        data: &mut [u8],
        piece: usize,
    ) {
        let mut stream = ChaCha20::new_on(key, nonce, counter, row);
        for data in boundaries::pieces_mut(data, piece) {
            stream.apply_keystream(data).unwrap();
        }
    }
    let mut rng = TestRng::new(28);
    let lengths = boundaries::lengths(64, chacha20::Backend::implementations());
    let pieces = [0, 1, 63, 64, 65, 130, 257, 513, 1025];
    for case in cover.cases([&lengths, &pieces, &[8, 12, 24], &OFFSETS]) {
        let [len, piece, nonce_len, offset] = case;
        let (key, nonce): (_, [u8; 24]) = (rng.array(), rng.array());
        // The counter of 64 bits runs over into its upper half.
        let counter = match nonce_len {
            8 => (7 << 32) - rng.below(40) as u64,
            _ => rng.below(1 << 30) as u64,
        };
        let data = rng.bytes(len);
        let mut expected = data.clone();
        reference::chacha20::encrypt(&key, &nonce[..nonce_len], counter, &mut expected);
        for row in chacha20::Backend::available() {
            let mut data = data.clone();
            in_place(&mut data, offset, |data| match nonce_len {
                8 => {
                    let nonce: &[u8; 8] = nonce.first_chunk().unwrap();
                    run(row, &key, (nonce, counter), data, piece);
                }
                12 => {
                    let nonce: &[u8; 12] = nonce.first_chunk().unwrap();
                    run(row, &key, (nonce, counter as u32), data, piece);
                }
                _ => run(row, &key, (&nonce, counter as u32), data, piece),
            });
            assert!(data == expected, "{row:?} {case:?}");
        }
    }
}

/// Messages under a padding of PKCS #7, and what is none: a last byte of any value, and the bytes
/// before it right but for one.
fn padding(cover: Cover) {
    fn check<C: BlockCipher<Block = [u8; LEN]>, const LEN: usize>(
        cover: Cover,
        seed: u64,
        cipher: &C,
        encrypt: Map<'_, LEN>,
    ) {
        let mut rng = TestRng::new(seed);
        for case in cover.cases([&super::below(3 * LEN + 2), &OFFSETS]) {
            let [len, offset] = case;
            let iv = rng.array();
            let message = rng.bytes(len);
            let mut expected = message.clone();
            expected.resize(len + LEN - len % LEN, (LEN - len % LEN) as u8);
            modes::cbc_encrypt(encrypt, iv, &mut expected);
            let mut buffer = message.clone();
            buffer.resize(expected.len(), 0);
            in_place(&mut buffer, offset, |buffer| {
                let sealed = cbc::encrypt_padded(cipher, &iv, buffer, len).unwrap();
                assert!(sealed == expected, "{case:?}");
                let opened = cbc::decrypt_padded(cipher, &iv, sealed).unwrap();
                assert!(opened == message, "{case:?}");
            });
        }
        let last: Vec<usize> = (0..LEN + 3).chain([127, 128, 255]).collect();
        for case in cover.cases([&last, &super::below(LEN + 1), &[1, 2, 3]]) {
            let [last, other, blocks] = case;
            let iv = rng.array();
            let mut data = rng.bytes(LEN * blocks);
            let end = data.len();
            data[end - last.clamp(1, LEN)..].fill(last as u8);
            if other > 0 && other < LEN {
                data[end - 1 - other] ^= 1 << rng.below(8);
            }
            let is_right = (1..=LEN).contains(&last)
                && data[end - last..]
                    .iter()
                    .all(|byte| usize::from(*byte) == last);
            let message = is_right.then(|| data[..end - last].to_vec());
            modes::cbc_encrypt(encrypt, iv, &mut data);
            let opened = cbc::decrypt_padded(cipher, &iv, &mut data).map(|opened| opened.to_vec());
            match (opened, message) {
                (Ok(opened), Some(message)) => assert!(opened == message, "{case:?}"),
                (Err(Error::BadTag), None) => assert!(data.iter().all(|byte| *byte == 0)),
                (opened, message) => panic!("{case:?}: {opened:?} for {message:?}"),
            }
        }
    }
    let mut rng = TestRng::new(45);
    let key: [u8; 16] = rng.array();
    let plain = reference::aes::Aes::new(&key);
    check(cover, 46, &Aes::new(&key), &|block| plain.encrypt(block));
    let key: [u8; 24] = rng.array();
    let plain = reference::des::Des::new(&key);
    check(cover, 47, &TripleDes::new(&key), &|block| {
        plain.encrypt(block)
    });
}

fn ctr_pieces(cover: Cover) {
    let mut rng = TestRng::new(29);
    let key: [u8; 32] = rng.array();
    let plain = reference::aes::Aes::new(&key);
    let lengths = boundaries::lengths(16, aes::Backend::implementations());
    let rows = each(aes::Backend::available(), |row| {
        Aes::<32>::new_on(&key, row)
    });
    let distances = [1, 2, 15, 16, 17, 100];
    for case in cover.cases([&lengths, &PIECES, &distances, &[4, 8, 16, 99], &OFFSETS]) {
        let [len, piece, distance, width, offset] = case;
        let number = u128::from_be_bytes(rng.array());
        let start = before_wrap(number, 64, distance).to_be_bytes();
        let data = rng.bytes(len);
        let mut expected = data.clone();
        modes::ctr(&|block| plain.encrypt(block), start, width, &mut expected);
        for (row, aes) in &rows {
            let mut data = data.clone();
            in_place(&mut data, offset, |data| {
                let mut stream = Ctr::new(aes, start, width);
                for data in boundaries::pieces_mut(data, piece) {
                    stream.apply_keystream(data).unwrap();
                }
            });
            assert!(data == expected, "{row} {case:?}");
        }
    }
}

/// CFB both ways, and OFB.
fn feedback(cover: Cover) {
    let mut rng = TestRng::new(30);
    let key: [u8; 16] = rng.array();
    let plain = reference::aes::Aes::new(&key);
    let encrypt = |block| plain.encrypt(block);
    let lengths = boundaries::lengths(16, aes::Backend::implementations());
    let rows = each(aes::Backend::available(), |row| {
        Aes::<16>::new_on(&key, row)
    });
    for case in cover.cases([&lengths, &OFFSETS[..3]]) {
        let [len, offset] = case;
        let (data, iv) = (rng.bytes(len), rng.array());
        let (mut in_cfb, mut in_ofb) = (data.clone(), data.clone());
        modes::cfb_encrypt(&encrypt, iv, &mut in_cfb);
        modes::ofb(&encrypt, iv, &mut in_ofb);
        for (row, aes) in &rows {
            in_place(&mut data.clone(), offset, |text| {
                cfb::encrypt(aes, &iv, text);
                assert!(*text == in_cfb[..], "{row} {case:?}");
                cfb::decrypt(aes, &iv, text);
                assert!(*text == data[..], "{row} {case:?}");
                ofb::apply_keystream(aes, &iv, text);
                assert!(*text == in_ofb[..], "{row} {case:?}");
            });
        }
    }
}

/// Units of every length, with ciphertext stolen.
fn xts(cover: Cover) {
    let mut rng = TestRng::new(31);
    let [data_key, tweak_key]: [[u8; 32]; 2] = [rng.array(), rng.array()];
    let plain = reference::aes::Aes::new(&data_key);
    let numbers = reference::aes::Aes::new(&tweak_key);
    let lengths = boundaries::lengths(16, aes::Backend::implementations());
    let lengths: Vec<usize> = lengths.into_iter().filter(|len| *len >= 16).collect();
    let rows = each(aes::Backend::available(), |row| {
        Xts::<Aes<32>>::new_on(&data_key, &tweak_key, row).unwrap()
    });
    for case in cover.cases([&lengths, &[0, 1, 8, 14], &OFFSETS[..4]]) {
        let [len, rest, offset] = case;
        let (data, number) = (rng.bytes(len + rest), rng.array());
        let mut sealed = data.clone();
        modes::xts_encrypt(&|b| plain.encrypt(b), numbers.encrypt(number), &mut sealed);
        for (row, xts) in &rows {
            in_place(&mut data.clone(), offset, |text| {
                xts.encrypt(&number, text).unwrap();
                assert!(*text == sealed[..], "{row} {case:?}");
                xts.decrypt(&number, text).unwrap();
                assert!(*text == data[..], "{row} {case:?}");
            });
        }
    }
}

/// Keys of every length, with and without padding.
fn wrap(cover: Cover) {
    let mut rng = TestRng::new(32);
    let kek: [u8; 32] = rng.array();
    let plain = reference::aes::Aes::new(&kek);
    let encrypt = |block| plain.encrypt(block);
    let lengths: Vec<usize> = (1..=73).chain([127, 128, 129, 400]).collect();
    let rows = each(aes::Backend::available(), |row| {
        KeyWrap::with_cipher(Aes::<32>::new_on(&kek, row))
    });
    for case in cover.cases([&lengths, &OFFSETS]) {
        let [len, offset] = case;
        let key = rng.bytes(len);
        let mut padded = [
            &[0xa6, 0x59, 0x59, 0xa6],
            &(len as u32).to_be_bytes()[..],
            &key,
        ]
        .concat();
        padded.resize(padded.len().next_multiple_of(8), 0);
        let padded = match padded.len() {
            16 => encrypt(reference::xor([0; 16], &padded)).to_vec(),
            _ => modes::wrap(&encrypt, padded),
        };
        let whole = len % 8 == 0 && len >= 16;
        let wrapped = modes::wrap(&encrypt, [&[0xa6; 8][..], &key].concat());
        for (row, kek) in &rows {
            let (mut out, mut back) = (vec![7; padded.len()], vec![7; padded.len() - 8]);
            in_place(&mut out, offset, |out| kek.wrap_padded(&key, out).unwrap());
            assert_eq!(out, padded, "{row} {case:?}");
            assert_eq!(
                kek.unwrap_padded(&padded, &mut back).unwrap(),
                key,
                "{row} {case:?}"
            );
            if whole {
                in_place(&mut out, offset, |out| kek.wrap(&key, out).unwrap());
                assert_eq!(out, wrapped, "{row} {case:?}");
                kek.unwrap(&wrapped, &mut back).unwrap();
                assert_eq!(back, key, "{row} {case:?}");
            }
        }
    }
}

/// Seals and opens in pieces what the reference seals.
fn in_pieces<M: Message>(
    new: impl Fn() -> M,
    (plain, cipher, tag): (&[u8], &[u8], &[u8; 16]),
    [piece, offset]: [usize; 2],
    case: &str,
) {
    let mut text = plain.to_vec();
    let mut sealer = Sealer::new(new());
    in_place(&mut text, offset, |text| {
        for text in boundaries::pieces_mut(text, piece) {
            sealer.update(text).unwrap();
        }
    });
    assert!(text == cipher && sealer.finish() == *tag, "{case}");
    let mut opener = Opener::new(new());
    in_place(&mut text, offset, |text| {
        for text in boundaries::pieces(text, piece) {
            opener.update(text).unwrap();
        }
    });
    let mut opened: Vec<u8> = vec![];
    opener.finish(tag, |text| opened.extend(text)).unwrap();
    assert!(opened == plain, "{case}");
}

fn gcm_message(cover: Cover) {
    let mut rng = TestRng::new(33);
    let key: [u8; 16] = rng.array();
    let plain = reference::aes::Aes::new(&key);
    let encrypt = |block| plain.encrypt(block);
    let ghash = reference::aead::ghash(&encrypt);
    let lengths = boundaries::lengths(16, ghash::Backend::implementations());
    let rows = each(aes::Backend::available(), |row| {
        Gcm::with_cipher(Aes::<16>::new_on(&key, row))
    });
    for case in cover.cases([&lengths, &PIECES, &HEADERS, &OFFSETS]) {
        let [len, piece, aad, offset] = case;
        let (nonce, aad, text): ([u8; 12], _, _) = (rng.array(), rng.bytes(aad), rng.bytes(len));
        let mut cipher = text.clone();
        let first = ghash.first_counter(&nonce);
        let tag = reference::aead::gcm(&encrypt, &ghash, first, &aad, &mut cipher);
        for (row, gcm) in &rows {
            let name = format!("{row} {case:?}");
            let new = || GcmMessage::new(gcm, &nonce, &aad);
            in_pieces(new, (&text, &cipher, &tag), [piece, offset], &name);
        }
    }
}

fn chacha_message(cover: Cover) {
    let mut rng = TestRng::new(34);
    let key = rng.array();
    let lengths = boundaries::lengths(64, chacha20::Backend::implementations());
    for case in cover.cases([&lengths, &PIECES, &HEADERS, &OFFSETS]) {
        let [len, piece, aad, offset] = case;
        let (nonce, aad, text): ([u8; 24], _, _) = (rng.array(), rng.bytes(aad), rng.bytes(len));
        let mut cipher = text.clone();
        let tag = reference::aead::chacha20_poly1305(&key, &nonce, &aad, &mut cipher);
        let new = || ChaChaMessage::new(&key, &nonce, &aad);
        in_pieces(
            new,
            (&text, &cipher, &tag),
            [piece, offset],
            &format!("{case:?}"),
        );
    }
}
