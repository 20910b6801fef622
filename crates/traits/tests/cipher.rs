//! The ciphers through the helpers of `cipher`, with vectors of FIPS 197, GB/T 32907, NIST SP
//! 800-38A (F.5) and RFC 8439.

use adamant_traits::cipher::*;
use cipher::dev::{block_cipher, stream};
use cipher::{KeyInit, KeyIvInit, StreamCipher, StreamCipherSeek};
use hex_literal::hex;

macro_rules! block_ciphers {
    ($($test:ident: $cipher:ty, $key:literal, $plaintext:literal, $ciphertext:literal;)*) => { $(
        #[test]
        fn $test() {
            let vector = block_cipher::TestVector {
                key: &hex!($key),
                plaintext: &hex!($plaintext),
                ciphertext: &hex!($ciphertext),
            };
            block_cipher::encrypt_decrypt_test::<$cipher>(&vector).unwrap();
            assert!(<$cipher>::new_from_slice(&[0; 7]).is_err());
        }
    )* };
}

block_ciphers! {
    aes_128: Aes128, "000102030405060708090a0b0c0d0e0f",
        "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a";
    aes_192: Aes192, "000102030405060708090a0b0c0d0e0f1011121314151617",
        "00112233445566778899aabbccddeeff", "dda97ca4864cdfe06eaf70a0ec0d7191";
    aes_256: Aes256, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "00112233445566778899aabbccddeeff", "8ea2b7ca516745bfeafc49904b496089";
    sm4: Sm4, "0123456789abcdeffedcba9876543210",
        "0123456789abcdeffedcba9876543210", "681edf34d206965e86b3e94f536e4246";
    des: Des, "133457799bbcdff1", "0123456789abcdef", "85e813540f0ab405";
    triple_des: TdesEde3, "133457799bbcdff1133457799bbcdff1133457799bbcdff1",
        "0123456789abcdef", "85e813540f0ab405";
}

#[test]
fn ctr() {
    let vector = stream::TestVector {
        key: &hex!("2b7e151628aed2a6abf7158809cf4f3c"),
        iv: &hex!("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"),
        plaintext: &hex!(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
            "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
        ),
        ciphertext: &hex!(
            "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
            "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"
        ),
    };
    stream::stream_cipher_test::<Ctr128BE<Aes128>>(&vector).unwrap();
}

#[test]
fn chacha20() {
    let vector = stream::TestVector {
        key: &[0; 32],
        iv: &[0; 12],
        plaintext: &[0; 64],
        ciphertext: &hex!(
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
        ),
    };
    stream::stream_cipher_test::<ChaCha20>(&vector).unwrap();
}

cipher::stream_cipher_seek_test!(ctr_seeks, Ctr128BE<Aes256>);
cipher::stream_cipher_seek_test!(ctr_of_sm4_seeks, Ctr128BE<Sm4>);
cipher::stream_cipher_seek_test!(chacha20_seeks, ChaCha20);
cipher::stream_cipher_seek_test!(chacha20_of_2008_seeks, ChaCha20Legacy);
cipher::stream_cipher_seek_test!(xchacha20_seeks, XChaCha20);

#[test]
fn a_key_stream_ends() {
    let mut stream = ChaCha20::new(&[7; 32].into(), &[9; 12].into());
    stream.seek((1_u64 << 38) - 3);
    assert!(stream.try_apply_keystream(&mut [0; 4]).is_err());
    stream.apply_keystream(&mut [0; 3]);
    assert!(stream.try_apply_keystream(&mut [0]).is_err());
    assert!(stream.try_seek((1_u64 << 38) + 1).is_err());
    // The counter wraps.
    let mut stream = Ctr128BE::<Aes128>::new(&[7; 16].into(), &[0xff; 16].into());
    let mut two = [0; 32];
    stream.apply_keystream(&mut two);
    let mut first = [0; 16];
    Ctr128BE::<Aes128>::new(&[7; 16].into(), &[0; 16].into()).apply_keystream(&mut first);
    assert_eq!(two[16..], first);
}
