//! GHASH, GMAC, CMAC and Poly1305, in updates.

use adamant_base::BlockCipher;
use adamant_testkit::TestRng;
use adamant_testkit::boundaries::{self, Cover, NONCES, OFFSETS, in_place};

use super::{PIECES, SHORT, below, each};
use crate::aes::{self, Aes};
use crate::cmac::Cmac;
use crate::des::{self, TripleDes};
use crate::ghash;
use crate::gmac::Gmac;
use crate::hazmat::gmac_message;
use crate::poly1305::{self, OneTimeKey, Poly1305};
use crate::reference::{self, Map, field, modes};
use crate::sm4::{self, Sm4};

boundaries::tests! { sums gmac aes_cmac sm4_cmac triple_des_cmac one_time }

/// Runs a function on each piece of data that lie `offset` bytes after a line.
fn in_pieces(data: &[u8], piece: usize, offset: usize, update: impl FnMut(&[u8])) {
    in_place(&mut data.to_vec(), offset, |data| {
        boundaries::pieces(data, piece).for_each(update);
    });
}

fn sums(cover: Cover) {
    let mut rng = TestRng::new(20);
    let lengths = boundaries::lengths(16, ghash::Backend::implementations());
    let h = rng.array();
    let rows = each(ghash::Backend::available(), |row| {
        ghash::Key::new_on(&h, row)
    });
    let plain = field::Ghash::new(u128::from_be_bytes(h));
    let pieces = [0, 1, 2, 3, 4, 5, 8, 9, 31, 33, 64, 65];
    for case in cover.cases([&lengths, &pieces, &OFFSETS, &below(4)]) {
        let [len, piece, offset, rest] = case;
        // Whole blocks by updates, then what `finish` takes.
        let (data, last) = (rng.bytes(len / 16 * 16), rng.bytes(len % 16 + 160 * rest));
        let start: [u8; 16] = rng.array();
        let sum = plain.hash(u128::from_be_bytes(start), &data);
        let [all, behind] = [len, last.len()].map(|len| 8 * len as u128);
        let lengths = all << 64 | behind;
        let end = plain.hash(plain.hash(sum, &last), &lengths.to_be_bytes());
        for (row, key) in &rows {
            let mut made = start;
            in_pieces(&data, 16 * piece, offset, |data| {
                key.update(&mut made, data.as_chunks().0);
            });
            assert_eq!(made, sum.to_be_bytes(), "{row} {case:?}");
            in_pieces(&last, 0, offset, |last| {
                key.finish(&mut made, last, (len, last.len()))
            });
            if last.is_empty() {
                key.finish(&mut made, &last, (len, 0));
            }
            assert_eq!(made, end.to_be_bytes(), "{row} {case:?}");
        }
    }
}

fn gmac(cover: Cover) {
    let mut rng = TestRng::new(21);
    let key: [u8; 32] = rng.array();
    let lengths = boundaries::lengths(16, ghash::Backend::implementations());
    let rows = each(ghash::Backend::available(), |row| {
        Gmac::with_cipher_on(Aes::<32>::new(&key), row)
    });
    let plain = reference::aes::Aes::new(&key);
    let encrypt = |block| plain.encrypt(block);
    let ghash = reference::aead::ghash(&encrypt);
    let nonces: Vec<usize> = NONCES.collect();
    let every = cover.cases([&lengths, &[1, 12, 13], &PIECES, &OFFSETS]);
    for case in every.chain(cover.cases([&SHORT, &nonces, &PIECES, &OFFSETS])) {
        let [len, nonce, piece, offset] = case;
        let (nonce, message) = (rng.bytes(nonce), rng.bytes(len));
        let first = ghash.first_counter(&nonce);
        let tag = reference::aead::gcm(&encrypt, &ghash, first, &message, &mut []);
        for (row, gmac) in &rows {
            let mut pieces = gmac_message(gmac, &nonce).unwrap();
            in_pieces(&message, piece, offset, |message| pieces.update(message));
            assert_eq!(pieces.finalize(), tag, "{row} {case:?}");
            if let Ok(nonce) = nonce[..].try_into() {
                in_place(&mut message.clone(), offset, |message| {
                    assert_eq!(gmac.tag(nonce, message), tag, "{row} {case:?}");
                });
            }
        }
    }
}

fn aes_cmac(cover: Cover) {
    let key: [u8; 24] = TestRng::new(22).array();
    let plain = reference::aes::Aes::new(&key);
    let lengths = boundaries::lengths(16, aes::Backend::implementations());
    let rows = each(aes::Backend::available(), |row| {
        Cmac::with_cipher(Aes::new_on(&key, row))
    });
    cmac(cover, &lengths, &rows, &|block| plain.encrypt(block));
}

fn sm4_cmac(cover: Cover) {
    let key = TestRng::new(23).array();
    let plain = reference::sm4::Sm4::new(key);
    let lengths = boundaries::lengths(16, sm4::Backend::implementations());
    let rows = each(sm4::Backend::available(), |row| {
        Cmac::with_cipher(Sm4::new_on(&key, row))
    });
    cmac(cover, &lengths, &rows, &|block| plain.encrypt(block));
}

fn triple_des_cmac(cover: Cover) {
    let key: [u8; 24] = TestRng::new(24).array();
    let plain = reference::des::Des::new(&key);
    let lengths = boundaries::lengths(8, []);
    let rows = each(des::Backend::available(), |row| {
        Cmac::with_cipher(TripleDes::new_on(&key, row))
    });
    cmac(cover, &lengths, &rows, &|block| plain.encrypt(block));
}

fn cmac<const LEN: usize, C: BlockCipher<Block = [u8; LEN]> + Clone>(
    cover: Cover,
    lengths: &[usize],
    rows: &[(String, Cmac<C>)],
    encrypt: Map<'_, LEN>,
) {
    let mut rng = TestRng::new(25);
    for case in cover.cases([lengths, &PIECES, &OFFSETS]) {
        let [len, piece, offset] = case;
        let message = rng.bytes(len);
        let tag = modes::cmac(encrypt, &message);
        for (row, mac) in rows {
            let mut pieces = mac.clone();
            in_pieces(&message, piece, offset, |message| pieces.update(message));
            assert_eq!(pieces.finalize(), tag, "{row} {case:?}");
        }
    }
}

/// Random bytes, and the largest and smallest blocks under the largest r.
fn one_time(cover: Cover) {
    let mut rng = TestRng::new(26);
    let lengths = boundaries::lengths(16, poly1305::Backend::implementations());
    for case in cover.cases([&lengths, &PIECES, &OFFSETS, &below(3)]) {
        let [len, piece, offset, kind] = case;
        let (key, message) = match kind {
            0 => (rng.array(), rng.bytes(len)),
            1 => ([0xff; 32], vec![0xff; len]),
            _ => (
                [0xff; 32],
                (0..len).map(|i| (i / 16 % 2 * 255) as u8).collect(),
            ),
        };
        let tag = reference::poly1305::tag(&key, &message);
        for row in poly1305::Backend::available() {
            let mut pieces = Poly1305::new(OneTimeKey::new(key).with_backend(row));
            in_pieces(&message, piece, offset, |message| pieces.update(message));
            assert_eq!(pieces.finalize(), tag, "{row:?} {case:?}");
            in_pieces(&message, 0, offset, |message| {
                let whole = Poly1305::mac(OneTimeKey::new(key).with_backend(row), message);
                assert_eq!(whole, tag, "{row:?} {case:?}");
            });
        }
    }
}
