//! The modes of SP 800-38A, XTS (IEEE 1619), CMAC (SP 800-38B) and key wrap (SP 800-38F).

use super::{Map, add, xor};

/// The next counter: the last `width` bytes are a big-endian number that wraps around.
pub(crate) fn next<const LEN: usize>(mut counter: [u8; LEN], width: usize) -> [u8; LEN] {
    for byte in counter.iter_mut().rev().take(width) {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
    counter
}

/// Counter mode on any number of bytes; the counter after the last block, whole or not.
pub(crate) fn ctr<const LEN: usize>(
    encrypt: Map<'_, LEN>,
    mut counter: [u8; LEN],
    width: usize,
    data: &mut [u8],
) -> [u8; LEN] {
    for data in data.chunks_mut(LEN) {
        add(data, &encrypt(counter));
        counter = next(counter, width);
    }
    counter
}

/// Each block; whole ones.
pub(crate) fn ecb<const LEN: usize>(map: Map<'_, LEN>, data: &mut [u8]) {
    for block in data.as_chunks_mut().0 {
        *block = map(*block);
    }
}

/// The last block of ciphertext is the next initialisation vector.
pub(crate) fn cbc_encrypt<const LEN: usize>(
    encrypt: Map<'_, LEN>,
    mut iv: [u8; LEN],
    data: &mut [u8],
) -> [u8; LEN] {
    for block in data.as_chunks_mut::<LEN>().0 {
        *block = encrypt(xor(*block, &iv));
        iv = *block;
    }
    iv
}

pub(crate) fn cbc_decrypt<const LEN: usize>(
    decrypt: Map<'_, LEN>,
    mut iv: [u8; LEN],
    data: &mut [u8],
) -> [u8; LEN] {
    for block in data.as_chunks_mut::<LEN>().0 {
        let cipher = *block;
        *block = xor(decrypt(cipher), &iv);
        iv = cipher;
    }
    iv
}

/// CFB with segments of a block.
pub(crate) fn cfb_encrypt(encrypt: Map<'_, 16>, mut iv: [u8; 16], data: &mut [u8]) {
    for data in data.chunks_mut(16) {
        add(data, &encrypt(iv));
        iv = xor([0; 16], data);
    }
}

pub(crate) fn ofb(encrypt: Map<'_, 16>, mut iv: [u8; 16], data: &mut [u8]) {
    for data in data.chunks_mut(16) {
        iv = encrypt(iv);
        add(data, &iv);
    }
}

/// Times x in the fields of CMAC and, the bytes reversed, of XTS.
fn double<const LEN: usize>(block: [u8; LEN]) -> [u8; LEN] {
    let (mut out, mut carry) = (block, 0);
    for byte in out.iter_mut().rev() {
        (*byte, carry) = (*byte << 1 | carry, *byte >> 7);
    }
    if carry == 1 {
        out[LEN - 1] ^= if LEN == 8 { 0x1b } else { 0x87 };
    }
    out
}

/// XTS on whole blocks; the tweak after them.
pub(crate) fn xts_blocks(map: Map<'_, 16>, mut tweak: [u8; 16], data: &mut [u8]) -> [u8; 16] {
    for block in data.as_chunks_mut::<16>().0 {
        *block = xor(map(xor(*block, &tweak)), &tweak);
        tweak.reverse();
        tweak = double(tweak);
        tweak.reverse();
    }
    tweak
}

/// XTS with ciphertext stealing (IEEE 1619, 5.3.2).
pub(crate) fn xts_encrypt(encrypt: Map<'_, 16>, tweak: [u8; 16], data: &mut [u8]) {
    let (whole, tail) = data.split_at_mut(data.len() / 16 * 16);
    let tweak = xts_blocks(encrypt, tweak, whole);
    if let Some(last) = whole.last_chunk_mut::<16>().filter(|_| !tail.is_empty()) {
        let (start, _) = last.split_at_mut(tail.len());
        start.swap_with_slice(tail);
        xts_blocks(encrypt, tweak, last);
    }
}

/// The chain of CBC-MAC over whole blocks.
pub(crate) fn cbc_mac<const LEN: usize>(
    encrypt: Map<'_, LEN>,
    mut sum: [u8; LEN],
    data: &[u8],
) -> [u8; LEN] {
    for block in data.as_chunks::<LEN>().0 {
        sum = encrypt(xor(sum, block));
    }
    sum
}

/// CMAC (6.2).
pub(crate) fn cmac<const LEN: usize>(encrypt: Map<'_, LEN>, message: &[u8]) -> [u8; LEN] {
    let k1 = double(encrypt([0; LEN]));
    let count = message.len().div_ceil(LEN).max(1);
    let (before, last) = message.split_at((count - 1) * LEN);
    let last = if last.len() == LEN {
        xor(k1, last)
    } else {
        xor(
            xor(double(k1), last),
            &[&vec![0; last.len()][..], &[0x80]].concat(),
        )
    };
    encrypt(xor(last, &cbc_mac(encrypt, [0; LEN], before)))
}

/// KW-AE of whole semiblocks after an integrity check value (SP 800-38F, 6.1, W).
pub(crate) fn wrap(encrypt: Map<'_, 16>, mut text: Vec<u8>) -> Vec<u8> {
    for t in 1..=6 * (text.len() as u64 / 8 - 1) {
        // The first semiblock stays in front, the others take turns.
        let i = (t as usize - 1) % (text.len() / 8 - 1) * 8 + 8;
        let block = [&text[..8], &text[i..i + 8]].concat();
        let out = encrypt(xor([0; 16], &block));
        text[..8].copy_from_slice(&xor(*out.first_chunk::<8>().unwrap(), &t.to_be_bytes()));
        text[i..i + 8].copy_from_slice(&out[8..]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::aes::Aes;
    use hex_literal::hex;

    const KEY: [u8; 16] = hex!("2b7e151628aed2a6abf7158809cf4f3c");
    const PLAIN: [u8; 32] =
        hex!("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");

    /// SP 800-38A, F.1.1, F.2.1, F.3.13, F.4.1 and F.5.1.
    #[test]
    fn sp_800_38a() {
        let aes = Aes::new(&KEY);
        let (encrypt, decrypt) = (|b| aes.encrypt(b), |b| aes.decrypt(b));
        let iv: [u8; 16] = core::array::from_fn(|i| i as u8);
        let check = |expected: [u8; 32], run: &dyn Fn(&mut [u8])| {
            let mut data = PLAIN;
            run(&mut data);
            assert_eq!(data, expected);
        };
        check(
            hex!("3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"),
            &|data| ecb(&encrypt, data),
        );
        let cbc = hex!("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2");
        check(cbc, &|data| {
            let last = cbc_encrypt(&encrypt, iv, data);
            assert_eq!(last, data[16..]);
            let mut back = data.to_vec();
            assert_eq!(cbc_decrypt(&decrypt, iv, &mut back), last);
            assert_eq!(back, PLAIN);
        });
        assert_eq!(cbc_mac(&encrypt, iv, &PLAIN), cbc[16..]);
        check(
            hex!("3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"),
            &|data| cfb_encrypt(&encrypt, iv, data),
        );
        check(
            hex!("3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"),
            &|data| ofb(&encrypt, iv, data),
        );
        check(
            hex!("874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"),
            &|data| {
                let end = ctr(&encrypt, core::array::from_fn(|i| 0xf0 + i as u8), 16, data);
                assert_eq!(end[13..], [0xfd, 0xff, 0x01]);
            },
        );
    }

    /// IEEE 1619-2007, appendix B, vectors 2 and 15.
    #[test]
    fn ieee_1619() {
        let check = |data: [u8; 16], tweak: [u8; 16], number: u128, plain: &[u8], sealed: &[u8]| {
            let tweak = Aes::new(&tweak).encrypt(number.to_le_bytes());
            let mut text = plain.to_vec();
            xts_encrypt(&|b| Aes::new(&data).encrypt(b), tweak, &mut text);
            assert_eq!(text, sealed);
        };
        check(
            [0x11; 16],
            [0x22; 16],
            0x33_3333_3333,
            &[0x44; 32],
            &hex!("c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"),
        );
        check(
            hex!("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0"),
            hex!("bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0"),
            0x12_3456_789a,
            &hex!("000102030405060708090a0b0c0d0e0f10"),
            &hex!("6c1625db4671522d3d7599601de7ca09ed"),
        );
    }

    /// RFC 4493, 4.
    #[test]
    fn rfc_4493() {
        let aes = Aes::new(&KEY);
        let tag = |message: &[u8]| cmac(&|b| aes.encrypt(b), message);
        assert_eq!(tag(b""), hex!("bb1d6929e95937287fa37d129b756746"));
        assert_eq!(tag(&PLAIN[..16]), hex!("070a16b46b4d4144f79bdd9dd04a287c"));
        let forty = [&PLAIN[..], &hex!("30c81c46a35ce411")].concat();
        assert_eq!(tag(&forty), hex!("dfa66747de9ae63030ca32611497c827"));
    }

    /// RFC 3394, 4.1.
    #[test]
    fn rfc_3394() {
        let kek: [u8; 16] = core::array::from_fn(|i| i as u8);
        let text = hex!("a6a6a6a6a6a6a6a600112233445566778899aabbccddeeff");
        assert_eq!(
            wrap(&|b| Aes::new(&kek).encrypt(b), text.to_vec()),
            hex!("1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5")
        );
    }
}
