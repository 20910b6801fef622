//! The modes through the helpers of `cipher`, with vectors of NIST SP 800-38A (F.2, F.3, F.4) and
//! IEEE 1619 (vector 2).

use adamant::cipher::modes::xts::Xts;
use adamant_traits::cipher::*;
use adamant_traits::modes::*;
use cipher::array::Array;
use cipher::dev::block_mode::{TestVector, decrypt, encrypt};
use cipher::dev::stream;
use cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit, StreamCipher};
use hex_literal::hex;

const KEY: &[u8] = &hex!("2b7e151628aed2a6abf7158809cf4f3c");
const IV: &[u8] = &hex!("000102030405060708090a0b0c0d0e0f");
const PLAINTEXT: &[u8] = &hex!(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
);
const CBC: &[u8] = &hex!(
    "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
    "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"
);
const CFB: &[u8] = &hex!(
    "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
    "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6"
);
const OFB: &[u8] = &hex!(
    "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
    "9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e"
);

fn vector(ciphertext: &'static [u8]) -> TestVector {
    TestVector {
        key: KEY,
        iv: IV,
        plaintext: PLAINTEXT,
        ciphertext,
    }
}

#[test]
fn known_answers() {
    encrypt::<CbcEnc<Aes128>>(&vector(CBC)).unwrap();
    decrypt::<CbcDec<Aes128>>(&vector(CBC)).unwrap();
    encrypt::<CfbEnc<Aes128>>(&vector(CFB)).unwrap();
    decrypt::<CfbDec<Aes128>>(&vector(CFB)).unwrap();
    encrypt::<Ofb<Aes128>>(&vector(OFB)).unwrap();
    decrypt::<Ofb<Aes128>>(&vector(OFB)).unwrap();
    let vector = stream::TestVector {
        key: KEY,
        iv: IV,
        plaintext: PLAINTEXT,
        ciphertext: OFB,
    };
    stream::stream_cipher_test::<OfbStream<Aes128>>(&vector).unwrap();
    let vector = TestVector {
        key: &hex!("1111111111111111111111111111111122222222222222222222222222222222"),
        iv: &hex!("33333333330000000000000000000000"),
        plaintext: &[0x44; 32],
        ciphertext: &hex!("c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"),
    };
    encrypt::<XtsAes128Enc>(&vector).unwrap();
    decrypt::<XtsAes128Dec>(&vector).unwrap();
}

cipher::iv_state_test!(cbc_encryption_goes_on, CbcEnc<Aes256>, encrypt);
cipher::iv_state_test!(cbc_decryption_goes_on, CbcDec<Aes256>, decrypt);
cipher::iv_state_test!(cfb_encryption_goes_on, CfbEnc<Sm4>, encrypt);
cipher::iv_state_test!(cfb_decryption_goes_on, CfbDec<Sm4>, decrypt);
cipher::iv_state_test!(ofb_goes_on, Ofb<Aes192>, encrypt);
cipher::iv_state_test!(triple_des_goes_on, CbcEnc<TdesEde3>, encrypt);

/// In parts of every length, as at once.
#[test]
fn xts_goes_on() {
    let key: [u8; 64] = core::array::from_fn(|i| i as u8);
    let data: [u8; 40 * 16] = core::array::from_fn(|i| (i * 7) as u8);
    let xts = Xts::<adamant::cipher::aes::Aes<32>>::try_from(&key[..]).unwrap();
    let mut expected = data;
    xts.encrypt(&[9; 16], &mut expected).unwrap();
    for at in 0..40 {
        let mut cipher = XtsAes256Enc::new(&key.into(), &[9; 16].into());
        let mut blocks: [_; 40] = core::array::from_fn(|i| {
            cipher::Block::<XtsAes256Enc>::try_from(&data[16 * i..16 * i + 16]).unwrap()
        });
        let (first, second) = blocks.split_at_mut(at);
        cipher.encrypt_blocks(first);
        cipher.encrypt_blocks(second);
        assert_eq!(Array::slice_as_flattened(&blocks), expected);
        let mut cipher = XtsAes256Dec::new(&key.into(), &[9; 16].into());
        let (first, second) = blocks.split_at_mut(at);
        cipher.decrypt_blocks(first);
        cipher.decrypt_blocks(second);
        assert_eq!(Array::slice_as_flattened(&blocks), data);
    }
}

#[test]
fn ofb_in_parts_of_every_length() {
    let mut expected = [0; 100];
    OfbStream::<Aes128>::new_from_slices(KEY, IV)
        .unwrap()
        .apply_keystream(&mut expected);
    for at in 0..100 {
        let mut stream = OfbStream::<Aes128>::new_from_slices(KEY, IV).unwrap();
        let mut data = [0; 100];
        let (first, second) = data.split_at_mut(at);
        stream.apply_keystream(first);
        stream.apply_keystream(second);
        assert_eq!(data, expected);
    }
}
