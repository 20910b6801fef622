//! The message authentication codes through the helpers of `digest`. HMAC and BLAKE2 were computed
//! with Python's `hmac` and `hashlib`; CMAC is RFC 4493's example 2, SipHash its authors'.

use adamant_traits::hash::*;
use adamant_traits::mac::*;
use digest::Mac;
use digest::dev::{MacTestVector, MacTruncSide, mac_test, reset_mac_test};
use digest::{FixedOutputReset, KeyInit};
use hex_literal::hex;

static COUNT: &[u8] = &hex!(
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
    "404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f"
    "606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f"
    "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
    "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf"
    "c0c1c2c3c4c5c6c7"
);

fn check<M: Mac + KeyInit + FixedOutputReset + Clone>(
    key: &'static [u8],
    input: &'static [u8],
    tag: &'static [u8],
) {
    let vector = MacTestVector { key, input, tag };
    mac_test::<M>(&vector, MacTruncSide::None).unwrap();
    reset_mac_test::<M>(&vector, MacTruncSide::None).unwrap();
    // Cut short, as the trait allows.
    let tag = &tag[..tag.len() / 2];
    let vector = MacTestVector { key, input, tag };
    mac_test::<M>(&vector, MacTruncSide::Left).unwrap();
    let mut wrong = M::new_from_slice(key).unwrap();
    Mac::update(&mut wrong, b"x");
    assert!(wrong.verify_truncated_left(tag).is_err());
}

#[test]
fn hmac_of_keys_of_any_length() {
    check::<Hmac<Sha256>>(
        &hex!("6b6579"),
        COUNT,
        &hex!("de8a2873e6cae156a96c287d435c9bf0ce723d10da99ab93af57079f50e167c5"),
    );
    check::<Hmac<Sha256>>(
        &hex!(
            "6465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283"
            "8485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3"
            "a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3"
            "c4c5c6c7"
        ),
        COUNT,
        &hex!("bcabd9e1806da7f52cf4b35c1c28939f5278e6a6bfb327af8adf0233960cd59e"),
    );
    check::<Hmac<Sha512>>(
        &hex!(
            "6465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283"
            "8485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3"
            "a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3"
            "c4c5c6c7"
        ),
        COUNT,
        &hex!(
            "ecdeeae06c344e8b1ebfe7ffa92788862c496582739ce12deab0d9272fdab7b6"
            "ac5020a326e4d9561ac3df153e6685c4d2819d1ebde9f20948c66f301cab4d97"
        ),
    );
    check::<Hmac<Sha1>>(
        b"",
        COUNT,
        &hex!("ae5d4e5b9d9cdd69501f52983ed3bc3b627e3cad"),
    );
    check::<Hmac<Sha3_256>>(
        &hex!("6b6579"),
        COUNT,
        &hex!("ef04d682f040ca9dd77a4c5f498933bfc9d8aaf0ed5483e4beadadc26a158253"),
    );
    check::<Hmac<Sm3>>(
        &hex!("6b6579"),
        COUNT,
        &hex!("7629b9cf063431d42e4fc40071c8f892166972021ee2416dc9e535386e0165bf"),
    );
}

#[test]
fn cmac() {
    check::<CmacAes128>(
        &hex!("2b7e151628aed2a6abf7158809cf4f3c"),
        &hex!("6bc1bee22e409f96e93d7e117393172a"),
        &hex!("070a16b46b4d4144f79bdd9dd04a287c"),
    );
    let ours =
        adamant::cipher::cmac::CmacAes256::with_cipher(adamant::cipher::aes::Aes::new(&[7; 32]));
    let mut mac = CmacAes256::new(&[7; 32].into());
    mac.update(COUNT);
    mac.verify(&ours.tag(COUNT).into()).unwrap();
    assert!(CmacAes128::new_from_slice(&[0; 15]).is_err());
}

#[test]
fn siphash() {
    check::<SipHash24>(
        &hex!("000102030405060708090a0b0c0d0e0f"),
        &hex!("000102030405060708090a0b0c0d0e"),
        &hex!("e545be4961ca29a1"),
    );
}

#[test]
fn blake2() {
    check::<Blake2bMac512>(
        b"key",
        COUNT,
        &hex!(
            "844bee1803681b248b7681a224402d4a4bd4112e3b7a25dca7377226ba0c1470"
            "e9691811239f82102c216cfd1c891d66a9bf7bf61c2ac793442c5232fbfeaeb1"
        ),
    );
    check::<Blake2sMac256>(
        b"key",
        COUNT,
        &hex!("3563a0100cb7bcd1131767a7736e304d409b1418c6db91dabafe642f0459cd1e"),
    );
}
