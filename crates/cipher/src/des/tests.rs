//! SP 800-17 and SP 800-67, and every implementation against the portable one.

use adamant_base::BlockCipher;
use adamant_testkit::{TestRng, table};
use hex_literal::hex;

use super::*;
use crate::modes::cbc;

#[test]
fn choice_of_implementation() {
    table!(Backend);
}

#[test]
fn polynomials_are_the_s_boxes() {
    for s in 0..8 {
        for o in 0..4 {
            let terms = tables::polynomial(s, o);
            for v in 0..64 {
                let taken = (0..64).filter(|m| terms >> m & 1 == 1 && v & m == *m);
                let bit = tables::substitute(s, v) >> (3 - o) & 1;
                assert_eq!(
                    taken.count() % 2,
                    usize::from(bit),
                    "S{} of {v}, bit {o}",
                    s + 1
                );
            }
        }
    }
}

/// Encrypts single blocks and many.
fn check(key: [u8; 8], plain: [u8; 8], cipher: [u8; 8]) {
    for backend in Backend::available() {
        // Triple DES with three equal keys is DES.
        let triple: [u8; 24] = core::array::from_fn(|i| key[i % 8]);
        let (des, triple) = (
            Des::new_on(&key, backend),
            TripleDes::new_on(&triple, backend),
        );
        for count in [1, 6, 65] {
            let mut blocks = vec![plain; count];
            des.encrypt_blocks(&mut blocks);
            assert_eq!(blocks, vec![cipher; count], "{backend:?}");
            triple.decrypt_blocks(&mut blocks);
            assert_eq!(blocks, vec![plain; count], "{backend:?}");
            triple.encrypt_blocks(&mut blocks);
            des.decrypt_blocks(&mut blocks);
            assert_eq!(blocks, vec![plain; count], "{backend:?}");
        }
    }
}

/// SP 800-17, table 1: one bit of plaintext at a time, the first byte of it.
#[test]
fn variable_plaintext() {
    for (bit, cipher) in [
        hex!("95f8a5e5dd31d900"),
        hex!("dd7f121ca5015619"),
        hex!("2e8653104f3834ea"),
        hex!("4bd388ff6cd81d4f"),
        hex!("20b9e767b2fb1456"),
        hex!("55579380d77138ef"),
        hex!("6cc5defaaf04512f"),
        hex!("0d9f279ba5d87260"),
    ]
    .into_iter()
    .enumerate()
    {
        check([1; 8], (1u64 << (63 - bit)).to_be_bytes(), cipher);
    }
}

/// SP 800-17, table 2: one bit of the key at a time.
#[test]
fn variable_key() {
    for (key, cipher) in [
        (hex!("8001010101010101"), hex!("95a8d72813daa94d")),
        (hex!("4001010101010101"), hex!("0eec1487dd8c26d5")),
        (hex!("2001010101010101"), hex!("7ad16ffb79c45926")),
        (hex!("1001010101010101"), hex!("d3746294ca6a6cf3")),
    ] {
        check(key, [0; 8], cipher);
    }
}

/// SP 800-17, table 4: together they take every S-box through all of its inputs.
#[test]
fn substitution_tables() {
    for (key, plain, cipher) in [
        ("7ca110454a1a6e57", "01a1d6d039776742", "690f5b0d9a26939b"),
        ("0131d9619dc1376e", "5cd54ca83def57da", "7a389d10354bd271"),
        ("07a1133e4a0b2686", "0248d43806f67172", "868ebb51cab4599a"),
        ("3849674c2602319e", "51454b582ddf440a", "7178876e01f19b2a"),
        ("04b915ba43feb5b6", "42fd443059577fa2", "af37fb421f8c4095"),
        ("0113b970fd34f2ce", "059b5e0851cf143a", "86a560f10ec6d85b"),
        ("0170f175468fb5e6", "0756d8e0774761d2", "0cd3da020021dc09"),
        ("43297fad38e373fe", "762514b829bf486a", "ea676b2cb7db2b7a"),
        ("07a7137045da2a16", "3bdd119049372802", "dfd64a815caf1a0f"),
        ("04689104c2fd3b2f", "26955f6835af609a", "5c513c9c4886c088"),
        ("37d06bb516cb7546", "164d5e404f275232", "0a2aeeae3ff4ab77"),
        ("1f08260d1ac2465e", "6b056e18759f5cca", "ef1bf03e5dfa575a"),
        ("584023641aba6176", "004bd6ef09176062", "88bf0db6d70dee56"),
        ("025816164629b007", "480d39006ee762f2", "a1f9915541020b56"),
        ("49793ebc79b3258f", "437540c8698f3cfa", "6fbf1cafcffd0556"),
        ("4fb05e1515ab73a7", "072d43a077075292", "2f22e49bab7ca1ac"),
        ("49e95d6d4ca229bf", "02fe55778117f12a", "5a6b612cc26cce4a"),
        ("018310dc409b26d6", "1d9d5c5018f728c2", "5f4c038ed12b2e41"),
        ("1c587f1c13924fef", "305532286d6f295a", "63fac0d034d9f793"),
    ] {
        let bytes = |hex| u64::from_str_radix(hex, 16).unwrap().to_be_bytes();
        check(bytes(key), bytes(plain), bytes(cipher));
    }
}

const THREE: [u8; 24] = hex!("0123456789abcdef23456789abcdef01456789abcdef0123");

/// SP 800-67, appendix B; SP 800-38A's text under the same keys in CBC.
#[test]
fn triple() {
    for backend in Backend::available() {
        let cipher = TripleDes::new_on(&THREE, backend);
        let mut data = *b"The qufck brown fox jump";
        let (blocks, _) = data.as_chunks_mut();
        cipher.encrypt_blocks(blocks);
        assert_eq!(
            data,
            hex!("a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900"),
            "{backend:?}"
        );
        let mut data = hex!(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
            "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
        );
        cbc::encrypt(&cipher, &hex!("0001020304050607"), &mut data).unwrap();
        assert_eq!(
            data,
            hex!(
                "df4fb48a5c3414fa340a1553efae84317b4c6aab8845fb9247ee5e08514dd2bc"
                "515a4aa25332eca936ee6ebe03ee555dd7d72374bd3d3d150f8ab00f19a5ae97"
            ),
            "{backend:?}"
        );
    }
}

/// With two keys the first serves as the third.
#[test]
fn two_keys() {
    let mut keys = THREE;
    keys.copy_within(..8, 16);
    let two = TwoKeyTripleDes::new(keys[..16].try_into().unwrap());
    let three = TripleDes::new(&keys);
    let (mut a, mut b) = ([*b"eight by"; 9], [*b"eight by"; 9]);
    two.encrypt_blocks(&mut a);
    three.encrypt_blocks(&mut b);
    assert_eq!(a, b);
    assert!(TripleDes::try_from(&keys[..16]).is_err());
    assert!(TwoKeyTripleDes::try_from(&keys[..16]).is_ok());
}

/// Parity bits do not count.
#[test]
fn parity() {
    let (mut a, mut b) = ([[5; 8]], [[5; 8]]);
    Des::new(&[0x10; 8]).encrypt_blocks(&mut a);
    Des::new(&[0x11; 8]).encrypt_blocks(&mut b);
    assert_eq!(a, b);
}

/// Every loop of every implementation against the portable one's, at counts of blocks around the
/// kernels' edges.
#[test]
fn loops_agree() {
    type Loop<'a> = &'a dyn Fn(&dyn BlockCipher<Block = [u8; 8]>, &mut [u8; 8], &mut [[u8; 8]]);
    let mut rng = TestRng::new(1);
    for count in (0..8).chain([63, 64, 65, 69, 70, 255, 256, 257, 511, 512, 513, 520, 1030]) {
        let (key, iv): ([u8; 24], [u8; 8]) = (rng.array(), rng.array());
        let mut plain = vec![[0; 8]; count];
        plain.fill_with(|| rng.array());
        let agree = |f: Loop| {
            let run = |backend| {
                let single = Des::new_on(key.first_chunk().unwrap(), backend);
                let triple = TripleDes::new_on(&key, backend);
                let (mut chain, mut blocks) = (iv, plain.clone());
                f(&triple, &mut chain, &mut blocks);
                f(&single, &mut chain, &mut blocks);
                (chain, blocks)
            };
            let expected = run(Backend::portable());
            for backend in Backend::available() {
                assert!(run(backend) == expected, "{backend:?}, {count} blocks");
            }
        };
        agree(&|c, _, blocks| c.encrypt_blocks(blocks));
        agree(&|c, _, blocks| c.decrypt_blocks(blocks));
        agree(&|c, iv, blocks| c.cbc_encrypt(iv, blocks));
        agree(&|c, iv, blocks| c.cbc_decrypt(iv, blocks));
        agree(&|c, sum, blocks| c.cbc_mac(sum, blocks));
        for width in [1, 4, 8] {
            agree(&|c, iv, blocks| {
                iv[4..].copy_from_slice(&[0xff, 0xff, 0xff, 0xd0]);
                c.ctr(iv, width, blocks);
            });
        }
        // There and back, one block at a time and many.
        let cipher = TripleDes::new_on(&key, Backend::portable());
        let mut blocks = plain.clone();
        cipher.cbc_encrypt(&mut { iv }, &mut blocks);
        cipher.cbc_decrypt(&mut { iv }, &mut blocks);
        assert!(blocks == plain, "{count} blocks");
    }
}
