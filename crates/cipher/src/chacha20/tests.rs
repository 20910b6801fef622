use super::*;
use adamant_testkit::{equivalence, table};
use hex_literal::hex;

const KEY: [u8; 32] = hex!("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");

/// RFC 8439, 2.3.2.
#[test]
fn block_function() {
    let block = hex!(
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    );
    for backend in Backend::available() {
        let mut out = [[0xaa; 64]];
        let nonce = words(&hex!("000000090000004a00000000"));
        backend.keystream(&words(&KEY), 1, &nonce, &mut out);
        assert_eq!(out, [block], "{backend:?}");
    }
}

/// RFC 8439, 2.4.2.
#[test]
fn encryption() {
    let plaintext = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip \
        for the future, sunscreen would be it.";
    let ciphertext = hex!(
        "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
        "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
        "07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
        "5af90bbf74a35be6b40b8eedf2785e42874d"
    );
    let nonce = hex!("000000000000004a00000000");
    for backend in Backend::available() {
        let mut text = *plaintext;
        let mut cipher = ChaCha20::new_on(&KEY, &nonce, 1, backend);
        cipher.apply_keystream(&mut text).unwrap();
        assert_eq!(text, ciphertext, "{backend:?}");
    }
}

/// draft-irtf-cfrg-xchacha-03, 2.2.1.
#[test]
fn hchacha20_example() {
    let nonce = words(&hex!("000000090000004a0000000031415927"));
    let subkey = hex!("82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc");
    assert_eq!(*hchacha20(&words(&KEY), &nonce), words(&subkey));
}

/// A nonce of 24 bytes is a key and the rest of a nonce.
#[test]
fn extended_nonce() {
    let nonce: [u8; 24] = core::array::from_fn(|i| 3 * i as u8);
    let [n0, n1, n2, n3, n4, n5] = words(&nonce);
    let subkey = hchacha20(&words(&KEY), &[n0, n1, n2, n3]);
    for backend in Backend::available() {
        let mut expected = [[0; 64]; 40];
        Backend::portable().keystream(&subkey, 9, &[0, n4, n5], &mut expected);
        let mut out = [0; 64 * 40];
        let mut cipher = ChaCha20::new_on(&KEY, &nonce, 9, backend);
        cipher.apply_keystream(&mut out).unwrap();
        assert_eq!(out, expected.as_flattened(), "{backend:?}");
    }
}

/// The ChaCha20 of 2008 (draft-agl-tls-chacha20poly1305-04, 7), and its counter where the lower
/// half wraps around.
#[test]
fn counter_of_64_bits() {
    let nonce = hex!("0001020304050607");
    let [n0, n1] = words(&nonce);
    let first = hex!(
        "f798a189f195e66982105ffb640bb7757f579da31602fc93ec01ac56f85ac3c1"
        "34a4547b733b46413042c9440049176905d3be59ea1c53f15916155c2be8241a"
    );
    for backend in Backend::available() {
        let mut block = [0; 64];
        let mut cipher = ChaCha20::new_on(&KEY, &nonce, 0, backend);
        cipher.apply_keystream(&mut block).unwrap();
        assert_eq!(block, first, "{backend:?}");

        let mut expected = [[0; 64]; 50];
        let (below, above) = expected.split_at_mut(7);
        Backend::portable().keystream(&words(&KEY), u32::MAX - 6, &[4, n0, n1], below);
        Backend::portable().keystream(&words(&KEY), 0, &[5, n0, n1], above);
        let mut out = [0; 64 * 50];
        let mut cipher = ChaCha20::new_on(&KEY, &nonce, (5 << 32) - 7, backend);
        cipher.apply_keystream(&mut out).unwrap();
        assert_eq!(out, expected.as_flattened(), "{backend:?}");
    }
    let mut last = ChaCha20::new(&KEY, &nonce, u64::MAX);
    let refused = Err(Error::BadLength {
        expected: 64,
        actual: 65,
    });
    assert_eq!(last.apply_keystream(&mut [0; 65]), refused);
    assert_eq!(last.apply_keystream(&mut [0; 64]), Ok(()));
}

/// Every number of blocks, also where the counter wraps around.
#[test]
fn implementations_agree() {
    let (key, nonce) = (words(&KEY), [0x9988_7766, 0x5544_3322, 0x1100_ffee]);
    for backend in Backend::available() {
        for count in 0..70 {
            for counter in [0, 1, 0x7fff_fffe, u32::MAX - 3] {
                let (mut out, mut expected) = ([[0xaa; 64]; 71], [[0xaa; 64]; 71]);
                backend.keystream(&key, counter, &nonce, &mut out[..count]);
                Backend::portable().keystream(&key, counter, &nonce, &mut expected[..count]);
                assert_eq!(out, expected, "{backend:?} {count} from {counter}");
            }
        }
    }
}

/// Messages of every length up to where all implementations have changed their ways, wherever
/// they lie.
#[test]
fn messages_in_place() {
    let nonce = [3; 12];
    let lengths = (0..=1100).chain(2040..2060).chain(3070..3080);
    equivalence::in_place(&table!(Backend), lengths, |backend, data| {
        ChaCha20::new_on(&KEY, &nonce, 5, backend).apply_keystream(data)
    });
}

/// However a message is split, the key stream is the same.
#[test]
fn split_messages() {
    let nonce = [3; 12];
    let mut whole = [[0; 64]; 62];
    Backend::portable().keystream(&words(&KEY), 5, &words(&nonce), &mut whole);
    table!(Backend).for_each(|backend| {
        for first in 0..=200 {
            for second in [0, 1, 63, 64, 65, 511, 512, 513, 1024, 1100, 2048] {
                let mut out = [0; 62 * 64];
                let (a, rest) = out.split_at_mut(first);
                let (b, c) = rest.split_at_mut(second);
                let mut cipher = ChaCha20::new_on(&KEY, &nonce, 5, backend);
                for part in [a, b, c] {
                    cipher.apply_keystream(part).unwrap();
                }
                assert_eq!(out, whole.as_flattened(), "{first} {second}");
            }
        }
    });
}

/// The key stream ends after block 2^32 - 1.
#[test]
fn end_of_the_keystream() {
    let last = hex!(
        "114d7df17d4e1559d508637466f18aa2b1ef0031ee75a1ffb9c625d8fd2e8bf4"
        "0421fd925cfbff10e70a0a2019e7d7ee0e15e885df8be60fe0a5b7c333ca3375"
    );
    let (key, nonce) = ([0x11; 32], [0x22; 12]);
    let refused = |expected, actual| Err(Error::BadLength { expected, actual });
    let mut cipher = ChaCha20::new(&key, &nonce, u32::MAX);
    let mut data = [0; 65];
    assert_eq!(cipher.apply_keystream(&mut data), refused(64, 65));
    assert_eq!(data, [0; 65]);
    cipher.apply_keystream(&mut data[..1]).unwrap();
    assert_eq!(cipher.apply_keystream(&mut data[1..]), refused(63, 64));
    cipher.apply_keystream(&mut data[1..64]).unwrap();
    assert_eq!(data[..64], last);
    assert_eq!(cipher.apply_keystream(&mut data[64..]), refused(0, 1));
    assert_eq!(cipher.apply_keystream(&mut []), Ok(()));
}

#[test]
fn choice_of_implementation() {
    let choices = [
        ("portable", "portable"),
        ("westmere", "x86_sse2"),
        ("haswell", "x86_avx2"),
        ("zen4", "x86_avx512"),
        ("armv8", "arm_neon"),
        ("cortex-a72", "arm_neon"),
        ("neoverse-n1", "arm_neon"),
        ("apple-m1", "arm_neon"),
        ("neoverse-v1", "arm_neon"),
        ("power8", "power_crypto"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
}
