//! Whether AES and GHASH from elsewhere are those of the standards.

use crate::aes::{self, Aes};
use crate::ghash::{self, Powers};
use adamant_base::cpu::Features;
use adamant_base::{BlockCipher, Implementation, Secret};
use adamant_testkit::TestRng;
use adamant_testkit::boundaries::{OFFSETS, in_place};
use adamant_testkit::conformance::{CONTENTS, Mismatch, block_cipher, bytes, cases, counts, same};
use core::array;

/// Checks a cipher beside the portable AES under this key, which it has: the blocks, and the loops of
/// all modes.
///
/// ```
/// use adamant_cipher::{aes::Aes128, hazmat::aes};
/// // Stands for a device, to which the key is given for the check.
/// let device = Aes128::new(&[7; 16]);
/// assert_eq!(aes::check(&device, &[7; 16]), Ok(()));
/// assert!(aes::check(&device, &[8; 16]).is_err());
/// ```
///
/// # Errors
/// The first difference.
pub fn aes<const KEY_LEN: usize>(
    own: &(impl BlockCipher<Block = [u8; 16]> + ?Sized),
    key: &[u8; KEY_LEN],
) -> Result<(), Mismatch> {
    aes_at(&Implementation::new("own", Features::NONE), own, key)
}

/// [`aes`], also at the boundaries that this description states: its steps and its groups of counters.
///
/// # Errors
/// The first difference.
pub fn aes_at<const KEY_LEN: usize>(
    stated: &Implementation,
    own: &(impl BlockCipher<Block = [u8; 16]> + ?Sized),
    key: &[u8; KEY_LEN],
) -> Result<(), Mismatch> {
    let portable = Aes::new_on(key, aes::Backend::portable());
    block_cipher(stated, own, &portable)
}

/// Checks an implementation beside the portable one, at the boundaries that it states and at some
/// more. Two keys at a time are in use, and neither stays where it was made.
///
/// # Errors
/// The first difference.
pub fn ghash(own: &dyn ghash::own::Functions) -> Result<(), Mismatch> {
    let portable = ghash::Backend::portable();
    let mut rng = TestRng::new(1);
    let counts = counts(16, own.implementation())?;
    // H and the sum: random, 1, x^127, all terms, none.
    let (mut one, mut last) = ([0; 16], [0; 16]);
    (one[0], last[15]) = (0x80, 1);
    let special = [one, last, [0xff; 16], [0; 16]];
    let special = |rng: &mut TestRng, i: usize| special.get(i).copied().unwrap_or(rng.array());
    let contents: [usize; 5] = array::from_fn(|i| i);
    // What brings the sum to zero, beside the contents of bytes.
    const SUM: usize = CONTENTS.len();
    let blocks = [0, 1, 2, SUM];
    let dimensions: [&[usize]; 6] = [
        &counts,
        &OFFSETS,
        &contents,
        &contents,
        &[0, 1, 15],
        &blocks,
    ];
    for [count, offset, of_h, of_sum, rest, of_blocks] in cases(1, dimensions) {
        let h = [special(&mut rng, of_h), rng.array()];
        let start = special(&mut rng, of_sum);
        let case = format_args!(
            "H {h:02x?}, sum {start:02x?}, {count} blocks and {rest} bytes, {offset} bytes after the \
             start of a line"
        );
        let [mut keys, mut expected_keys] =
            [0; 2].map(|_| [0; 2].map(|_| Secret::new(Powers::NONE)));
        for i in 0..2 {
            own.init(&h[i], &mut keys[i]);
            portable.init(&h[i], &mut expected_keys[i]);
        }
        let keys = keys.clone();
        let (mut sums, mut expected) = ([start; 2], [start; 2]);
        for i in 0..2 {
            let mut data = bytes(&mut rng, of_blocks, 16 * count);
            if let (SUM, [first, ..]) = (of_blocks, data.as_chunks_mut().0) {
                *first = start;
            }
            portable.update(&expected_keys[i], &mut expected[i], data.as_chunks().0);
            in_place(&mut data, offset, |data| {
                own.update(&keys[i], &mut sums[i], data.as_chunks().0);
            });
            same("update", &sums[i], &expected[i], case)?;
        }
        for i in 0..2 {
            let mut last = bytes(&mut rng, of_blocks, 16 * count + rest);
            let lengths = u128::from_be_bytes(rng.array());
            portable.finish(&expected_keys[i], &mut expected[i], &last, lengths);
            in_place(&mut last, offset, |last| {
                own.finish(&keys[i], &mut sums[i], last, lengths);
            });
            same("finish", &sums[i], &expected[i], case)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ccm::Ccm;
    use crate::cmac::Cmac;
    use crate::eax::Eax;
    use crate::gcm::Gcm;
    use crate::gmac::Gmac;
    use crate::key_wrap::KeyWrap;
    use crate::modes::{cbc, cfb, ctr::Ctr, ecb, ofb, xts::Xts};
    use adamant_testkit::table;
    use core::ptr::from_ref;
    use std::sync::Mutex;

    #[test]
    fn rows_pass() {
        let key: [u8; 24] = TestRng::new(1).array();
        table!(aes::Backend).for_each(|row| assert_eq!(aes(&Aes::new_on(&key, row), &key), Ok(())));
        table!(ghash::Backend).for_each(|row| assert_eq!(ghash(&row), Ok(())));
    }

    /// GHASH by its definition (SP 800-38D, algorithm 1), with what is wrong in it.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Fault {
        None,
        SecondOfMany,
        Reduction,
        StartIgnored,
        LastTerm,
        Padding,
        ZeroSum,
        OnesBlock,
        /// Works only where `init` left the key.
        Moved,
    }

    impl ghash::own::Functions for Fault {
        fn implementation(&self) -> &'static Implementation {
            const { &Implementation::new("bitwise", Features::NONE) }
        }

        fn init(&self, h: &[u8; 16], key: &mut Powers) {
            let place = from_ref(key) as usize;
            key.room_mut()[0] = *h;
            key.room_mut()[1][..size_of::<usize>()].copy_from_slice(&place.to_ne_bytes());
        }

        fn update(&self, key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
            let h = u128::from_be_bytes(key.room()[0]);
            let terms = if *self == Fault::LastTerm { 127 } else { 128 };
            if *self == Fault::StartIgnored {
                *sum = [0; 16];
            }
            let place = (from_ref(key) as usize).to_ne_bytes();
            let moved = !key.room()[1].starts_with(&place);
            for (i, block) in blocks.iter().enumerate() {
                let x = u128::from_be_bytes(*sum) ^ u128::from_be_bytes(*block);
                let (mut product, mut multiple) = (0, h);
                for term in 0..terms {
                    product ^= multiple * (x >> (127 - term) & 1);
                    let over = multiple & 1;
                    multiple = (multiple >> 1) ^ (over * (0xe1 << 120));
                }
                match self {
                    Fault::SecondOfMany if i > 100 => product ^= 1,
                    Fault::Reduction if h == 1 => product ^= 1 << 127,
                    Fault::ZeroSum if x == 0 && h != 0 && *block != [0; 16] => product ^= 1,
                    Fault::OnesBlock if *block == [0xff; 16] => product ^= 1,
                    Fault::Moved if moved => product ^= 1,
                    _ => {}
                }
                *sum = product.to_be_bytes();
            }
        }

        fn finish(&self, key: &Powers, sum: &mut [u8; 16], data: &[u8], lengths: u128) {
            let (blocks, rest) = data.as_chunks();
            self.update(key, sum, blocks);
            if !rest.is_empty() || *self == Fault::Padding {
                let mut last = [0; 16];
                last[..rest.len()].copy_from_slice(rest);
                self.update(key, sum, &[last]);
            }
            self.update(key, sum, &[lengths.to_be_bytes()]);
        }
    }

    #[test]
    fn faults_of_ghash_are_found() {
        assert_eq!(ghash(&Fault::None), Ok(()));
        for fault in [
            Fault::SecondOfMany,
            Fault::Reduction,
            Fault::StartIgnored,
            Fault::LastTerm,
            Fault::ZeroSum,
            Fault::OnesBlock,
            Fault::Moved,
        ] {
            assert!(ghash(&fault).is_err(), "{fault:?}");
        }
        assert_eq!(ghash(&Fault::Padding).unwrap_err().function, "finish");
        assert!(ghash(&LastKey(Mutex::default())).is_err());
    }

    /// A device with room for one key, the last.
    struct LastKey(Mutex<[u8; 16]>);

    impl ghash::own::Functions for LastKey {
        fn implementation(&self) -> &'static Implementation {
            Fault::None.implementation()
        }
        fn init(&self, h: &[u8; 16], _key: &mut Powers) {
            *self.0.lock().unwrap() = *h;
        }
        fn update(&self, _key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
            let mut key = Powers::NONE;
            Fault::None.init(&self.0.lock().unwrap(), &mut key);
            Fault::None.update(&key, sum, blocks);
        }
    }

    /// `finish` as the trait gives it.
    struct ByUpdate;

    impl ghash::own::Functions for ByUpdate {
        fn implementation(&self) -> &'static Implementation {
            Fault::None.implementation()
        }
        fn init(&self, h: &[u8; 16], key: &mut Powers) {
            Fault::None.init(h, key);
        }
        fn update(&self, key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
            Fault::None.update(key, sum, blocks);
        }
    }

    #[test]
    fn two_functions_are_enough() {
        assert_eq!(ghash(&ByUpdate), Ok(()));
    }

    /// AES with the two methods that there must be.
    #[derive(Clone)]
    struct Device(Aes<16>);

    impl BlockCipher for Device {
        type Block = [u8; 16];

        fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            self.0.encrypt_blocks(blocks);
        }
        fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            self.0.decrypt_blocks(blocks);
        }
    }

    /// What each mode makes of a message, over this cipher.
    fn modes<C: BlockCipher<Block = [u8; 16]> + Clone>(cipher: &C) -> Vec<Vec<u8>> {
        const MESSAGE: [u8; 1024] = [5; 1024];
        let (nonce, iv) = ([1; 12], [2; 16]);
        let mut out = vec![];
        let mut in_place = |mode: &dyn Fn(&mut [u8])| {
            let mut data = MESSAGE.to_vec();
            mode(&mut data);
            out.push(data);
        };
        in_place(&|data| ecb::encrypt(cipher, data).unwrap());
        in_place(&|data| ecb::decrypt(cipher, data).unwrap());
        in_place(&|data| cbc::encrypt(cipher, &iv, data).unwrap());
        in_place(&|data| cbc::decrypt(cipher, &iv, data).unwrap());
        in_place(&|data| cfb::encrypt(cipher, &iv, data));
        in_place(&|data| cfb::decrypt(cipher, &iv, data));
        in_place(&|data| ofb::apply_keystream(cipher, &iv, data));
        in_place(&|data| Ctr::new(cipher, iv, 16).apply_keystream(data).unwrap());
        let xts = Xts::with_ciphers(cipher.clone(), cipher.clone());
        in_place(&|data| xts.encrypt(&iv, data).unwrap());
        in_place(&|data| xts.decrypt(&iv, data).unwrap());
        in_place(&|data| {
            let tag = Gcm::with_cipher(cipher).seal(&nonce, b"aad", data).unwrap();
            data[..16].copy_from_slice(&tag);
        });
        in_place(&|data| {
            let tag = Ccm::with_cipher(cipher).seal(&nonce, b"aad", data).unwrap();
            data[..16].copy_from_slice(&tag);
        });
        in_place(&|data| {
            let tag = Eax::with_cipher(cipher).seal(&nonce, b"aad", data).unwrap();
            data[..16].copy_from_slice(&tag);
        });
        let key_wrap = KeyWrap::with_cipher(cipher);
        in_place(&|data| key_wrap.wrap(&MESSAGE[8..], data).unwrap());
        out.push(Cmac::with_cipher(cipher).tag(&MESSAGE).to_vec());
        out.push(Gmac::with_cipher(cipher).tag(&nonce, &MESSAGE).to_vec());
        out
    }

    #[test]
    fn every_mode_takes_a_cipher_of_ones_own() {
        let aes = Aes::new(&[3; 16]);
        assert_eq!(modes(&Device(aes.clone())), modes(&aes));
        assert_eq!(super::aes(&Device(aes), &[3; 16]), Ok(()));
    }

    /// A device's AES that encrypts only.
    struct OneWay(Aes<16>);

    impl BlockCipher for OneWay {
        type Block = [u8; 16];

        fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            self.0.encrypt_blocks(blocks);
        }
        fn decrypt_blocks(&self, _blocks: &mut [[u8; 16]]) {}
    }

    #[test]
    fn faults_of_aes_are_found() {
        let one_way = OneWay(Aes::new(&[1; 16]));
        let mismatch = aes(&one_way, &[1; 16]).unwrap_err();
        assert!(mismatch.function.contains("decrypt"), "{mismatch}");
    }

    /// AES whose loop of CTR takes so many blocks at once, and is wrong there.
    struct Wide(Aes<16>, usize);

    impl BlockCipher for Wide {
        type Block = [u8; 16];

        fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            self.0.encrypt_blocks(blocks);
        }
        fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            self.0.decrypt_blocks(blocks);
        }
        fn ctr(&self, counter: &mut [u8; 16], width: usize, blocks: &mut [[u8; 16]]) {
            self.0.ctr(counter, width, blocks);
            if blocks.len() == self.1 {
                blocks[0][0] ^= 1;
            }
        }
    }

    #[test]
    fn stated_steps_of_aes_are_tried() {
        let wide = Wide(Aes::new(&[1; 16]), 777);
        assert_eq!(aes(&wide, &[1; 16]), Ok(()));
        let stated = Implementation::new("wide", Features::NONE).steps(&[16 * 777]);
        assert_eq!(
            aes_at(&stated, &wide, &[1; 16]).unwrap_err().function,
            "ctr"
        );
    }
}
