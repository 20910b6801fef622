//! FIPS 197, SP 800-38A, and every implementation against the portable one.

use adamant_base::{BlockCipher, Secret};
use adamant_testkit::{TestRng, table};
use hex_literal::hex;

use super::*;

#[test]
fn choice_of_implementation() {
    table!(Backend);
    let choices = [
        ("haswell", "x86_aesni"),
        ("zen4", "x86_vaes512"),
        ("armv8", "arm_neon"),
        ("cortex-a72", "arm_aes"),
        ("neoverse-n1", "arm_aes"),
        ("apple-m1", "arm_aes"),
        ("neoverse-v1", "arm_aes"),
        ("power8", "power_crypto"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
}

/// FIPS 197, appendix C.
#[test]
fn known_answers() {
    const PLAIN: [u8; 16] = hex!("00112233445566778899aabbccddeeff");
    let key: [u8; 32] = core::array::from_fn(|i| i as u8);
    for backend in Backend::available() {
        let check = |cipher: &dyn BlockCipher<Block = [u8; 16]>, expected: [u8; 16]| {
            for count in 1..20 {
                let mut blocks = vec![PLAIN; count];
                cipher.encrypt_blocks(&mut blocks);
                assert_eq!(blocks, vec![expected; count], "{backend:?}");
                cipher.decrypt_blocks(&mut blocks);
                assert_eq!(blocks, vec![PLAIN; count], "{backend:?}");
            }
        };
        let key = key.as_slice();
        let a128 = Aes128::new_on(key.first_chunk().unwrap(), backend);
        check(&a128, hex!("69c4e0d86a7b0430d8cdb78070b4c55a"));
        let a192 = Aes192::new_on(key.first_chunk().unwrap(), backend);
        check(&a192, hex!("dda97ca4864cdfe06eaf70a0ec0d7191"));
        let a256 = Aes256::new_on(key.first_chunk().unwrap(), backend);
        check(&a256, hex!("8ea2b7ca516745bfeafc49904b496089"));
    }
}

/// SP 800-38A, F.2.1, F.2.2 and F.5.1.
#[test]
fn modes() {
    let key = hex!("2b7e151628aed2a6abf7158809cf4f3c");
    let plain = [
        hex!("6bc1bee22e409f96e93d7e117393172a"),
        hex!("ae2d8a571e03ac9c9eb76fac45af8e51"),
        hex!("30c81c46a35ce411e5fbc1191a0a52ef"),
        hex!("f69f2445df4f9b17ad2b417be66c3710"),
    ];
    let cbc = [
        hex!("7649abac8119b246cee98e9b12e9197d"),
        hex!("5086cb9b507219ee95db113a917678b2"),
        hex!("73bed6b8e3c1743b7116e69e22229516"),
        hex!("3ff1caa1681fac09120eca307586e1a7"),
    ];
    let ctr = [
        hex!("874d6191b620e3261bef6864990db6ce"),
        hex!("9806f66b7970fdff8617187bb9fffdff"),
        hex!("5ae4df3edbd5d35e5b4f09020db03eab"),
        hex!("1e031dda2fbe03d1792170a0f3009cee"),
    ];
    let iv: [u8; 16] = core::array::from_fn(|i| i as u8);
    for backend in Backend::available() {
        let aes = Aes128::new_on(&key, backend);
        let (mut blocks, mut chain) = (plain, iv);
        aes.cbc_encrypt(&mut chain, &mut blocks);
        assert_eq!((blocks, chain), (cbc, cbc[3]), "{backend:?}");
        chain = iv;
        aes.cbc_decrypt(&mut chain, &mut blocks);
        assert_eq!((blocks, chain), (plain, cbc[3]), "{backend:?}");
        let mut counter: [u8; 16] = core::array::from_fn(|i| 0xf0 + i as u8);
        aes.ctr(&mut counter, 16, &mut blocks);
        assert_eq!(blocks, ctr, "{backend:?}");
        assert_eq!(counter[12..], hex!("fcfdff03"));
    }
}

/// The S-box, all of it, against its definition (FIPS 197, 5.1.1).
#[test]
fn s_box() {
    fn multiply(mut a: u8, mut b: u8) -> u8 {
        let mut product = 0;
        while b != 0 {
            product ^= if b & 1 == 1 { a } else { 0 };
            a = a << 1 ^ if a >> 7 == 1 { 0x1b } else { 0 };
            b >>= 1;
        }
        product
    }
    for x in 0..=255u8 {
        let inverse = (0..254).fold(1, |power, _| multiply(power, x));
        let affine = [0, 1, 2, 3, 4].map(|turn| inverse.rotate_left(turn));
        let expected = affine.into_iter().fold(0x63, |sum, b| sum ^ b);
        // Of two rounds the first gives what is expected, which its key makes zeros; MixColumns leaves
        // equal bytes as they are.
        let mut keys = RoundKeys {
            rounds: 2,
            encrypt: [[0; 16]; 15],
            decrypt: [[0; 16]; 15],
        };
        keys.encrypt[1] = [expected; 16];
        keys.decrypt[1] = [expected; 16];
        for backend in Backend::available() {
            let mut blocks = [[x; 16]];
            backend.encrypt_blocks(&keys, &mut blocks);
            assert_eq!(blocks, [[0x63; 16]], "{backend:?}");
            backend.decrypt_blocks(&keys, &mut blocks);
            assert_eq!(blocks, [[x; 16]], "{backend:?}");
        }
    }
}

/// The trait's own loops, over single blocks.
struct Plain<'a, Cipher>(&'a Cipher);

impl<Cipher: BlockCipher<Block = [u8; 16]>> BlockCipher for Plain<'_, Cipher> {
    type Block = [u8; 16];
    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        blocks
            .chunks_mut(1)
            .for_each(|block| self.0.encrypt_blocks(block));
    }
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        blocks
            .chunks_mut(1)
            .for_each(|block| self.0.decrypt_blocks(block));
    }
}

/// Every loop of every implementation against the trait's own loops on the portable one, at all
/// counts of blocks around the kernels' edges.
#[test]
fn loops_agree() {
    loops_agree_with::<32>((0..=70).chain([127, 129, 255, 300]));
    loops_agree_with::<16>(0..=17);
    loops_agree_with::<24>(0..=17);
}

fn loops_agree_with<const KEY_LEN: usize>(counts: impl Iterator<Item = usize>)
where
    Aes<KEY_LEN>: BlockCipher<Block = [u8; 16]>,
{
    type Loop<'a> = &'a dyn Fn(&dyn BlockCipher<Block = [u8; 16]>, &mut [u8; 16], &mut [[u8; 16]]);
    let mut rng = TestRng::new(1);
    for count in counts {
        let (key, iv): ([u8; KEY_LEN], [u8; 16]) = (rng.array(), rng.array());
        let mut plain = vec![[0; 16]; count];
        plain.fill_with(|| rng.array());
        let portable = Aes::<KEY_LEN>::new_on(&key, Backend::portable());
        let rows: Vec<_> = Backend::available()
            .map(|backend| (backend, Aes::<KEY_LEN>::new_on(&key, backend)))
            .collect();
        let agree = |f: Loop| {
            let run = |cipher: &dyn BlockCipher<Block = [u8; 16]>| {
                let (mut chain, mut blocks) = (iv, plain.clone());
                f(cipher, &mut chain, &mut blocks);
                (chain, blocks)
            };
            let expected = run(&Plain(&portable));
            for (backend, aes) in &rows {
                assert!(run(aes) == expected, "{backend:?}, {count} blocks");
            }
        };
        agree(&|c, _, blocks| c.encrypt_blocks(blocks));
        agree(&|c, _, blocks| c.decrypt_blocks(blocks));
        agree(&|c, iv, blocks| c.cbc_encrypt(iv, blocks));
        agree(&|c, iv, blocks| c.cbc_decrypt(iv, blocks));
        agree(&|c, sum, blocks| c.cbc_mac(sum, blocks));
        agree(&|c, tweak, blocks| c.xts_encrypt(tweak, blocks));
        agree(&|c, tweak, blocks| c.xts_decrypt(tweak, blocks));
        for width in 0..=16 {
            // Just before the counter wraps, and before a carry leaves the low half.
            for ones in [0, 4, 7, 8, 9, 15, 16] {
                agree(&|c, iv, blocks| {
                    iv[16 - ones..].fill(0xff);
                    iv[15] &= 0xef;
                    c.ctr(iv, width, blocks);
                });
            }
        }
    }
}

/// Long key streams, from any counter.
#[test]
fn long_streams_agree() {
    let mut rng = TestRng::new(3);
    for count in [383, 384, 385, 513, 600, 1313] {
        let (key, mut iv): ([u8; 32], [u8; 16]) = (rng.array(), rng.array());
        iv[12] &= 0x7f;
        for (width, last) in [(4, 0), (4, 1), (8, 254), (16, 255), (16, 131)] {
            iv[15] = last;
            let stream = |backend| {
                let (mut iv, mut blocks) = (iv, vec![[7; 16]; count]);
                Aes256::new_on(&key, backend).ctr(&mut iv, width, &mut blocks);
                (iv, blocks)
            };
            let expected = stream(Backend::portable());
            for backend in Backend::available() {
                assert!(stream(backend) == expected, "{backend:?}, {count} blocks");
            }
        }
    }
}

/// All implementations make the same round keys.
#[test]
fn key_schedules_agree() {
    let mut rng = TestRng::new(2);
    for len in [16, 24, 32] {
        for _ in 0..100 {
            let key: [u8; 32] = rng.array();
            let expand = |backend: Backend| {
                let mut keys = Secret::new(RoundKeys {
                    rounds: 0,
                    encrypt: [[0; 16]; 15],
                    decrypt: [[0; 16]; 15],
                });
                backend.expand(&key[..len], &mut keys);
                (keys.rounds, keys.encrypt, keys.decrypt)
            };
            let expected = expand(Backend::portable());
            for backend in Backend::available() {
                assert!(expand(backend) == expected, "{backend:?}, {len} bytes");
            }
        }
    }
}
