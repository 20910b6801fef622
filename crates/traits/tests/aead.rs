//! The AEADs through the helpers of `aead`. Where no document is named, the vector was computed with
//! OpenSSL.

use adamant_traits::aead::*;
use aead::dev::{TestVector, fail_test, pass_test};
use aead::{AeadInOut, KeyInit};
use hex_literal::hex;

fn check<C: AeadInOut + KeyInit>(
    key: &'static [u8],
    nonce: &'static [u8],
    aad: &'static [u8],
    plaintext: &'static [u8],
    ciphertext: &'static [u8],
) {
    let vector = TestVector {
        key,
        nonce,
        aad,
        plaintext,
        ciphertext,
    };
    pass_test::<C>(&vector).unwrap();
    for (at, bit) in [(0, 1), (ciphertext.len() - 1, 0x80)] {
        let mut wrong = ciphertext.to_vec();
        wrong[at] ^= bit;
        let ciphertext: &'static [u8] = wrong.leak();
        fail_test::<C>(&TestVector {
            ciphertext,
            ..vector
        })
        .unwrap();
    }
    let ciphertext = &ciphertext[..15];
    fail_test::<C>(&TestVector {
        ciphertext,
        ..vector
    })
    .unwrap();
}

#[test]
fn aes_128_gcm() {
    check::<Aes128Gcm>(
        &hex!("0102030405060708090a0b0c0d0e0f10"),
        &hex!("000102030405060708090a0b"),
        &hex!("686561646572"),
        &hex!(
            "32333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f5051"
            "5253545556"
        ),
        &hex!(
            "097e95dc84c062a1fe62f6ac0fee31cf59e15e86bd16ff97248f7bc3272c6472"
            "1e6b2dff24469fec0950314a6786367e10b3da5bff"
        ),
    );
}

#[test]
fn aes_192_gcm() {
    check::<Aes192Gcm>(
        &hex!("0102030405060708090a0b0c0d0e0f101112131415161718"),
        &hex!("000102030405060708090a0b"),
        &hex!("686561646572"),
        &hex!(
            "32333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f5051"
            "5253545556"
        ),
        &hex!(
            "f302db71fd874322c86740888f6e72cdd618237283aec262a7e98b0408807f32"
            "9a3909189816959e27c76e05833423658a7b8ee16a"
        ),
    );
}

#[test]
fn aes_256_gcm() {
    check::<Aes256Gcm>(
        &hex!("0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"),
        &hex!("000102030405060708090a0b"),
        &hex!("686561646572"),
        &hex!(
            "32333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f5051"
            "5253545556"
        ),
        &hex!(
            "430335a2feea593235108e7c5aa7b7cc6bd4f9d038d83235870331f0129a626a"
            "d4fbe6b511e8d9f1fb1580e0fee68041055245284e"
        ),
    );
}

#[test]
fn aes_128_gcm_siv() {
    check::<Aes128GcmSiv>(
        &hex!("0102030405060708090a0b0c0d0e0f10"),
        &hex!("000102030405060708090a0b"),
        &hex!("686561646572"),
        &hex!(
            "32333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f5051"
            "5253545556"
        ),
        &hex!(
            "3685f2f8eb5cfb860550aaccfb0fe036a0fa1297fe407ab8c86921d324014b82"
            "10582ef7d514c312202824e97aaeab3e4cba94d22a"
        ),
    );
}

#[test]
fn aes_256_gcm_siv() {
    check::<Aes256GcmSiv>(
        &hex!("0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"),
        &hex!("000102030405060708090a0b"),
        &hex!("686561646572"),
        &hex!(
            "32333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f5051"
            "5253545556"
        ),
        &hex!(
            "4224bbac7939626f5ced6220a9a733d3707dccb5c83ed53dc2164123a9320926"
            "e853736cdc8313e1aad83cc90edc630109cbdab89d"
        ),
    );
}

#[test]
fn aes_128_ccm() {
    check::<Aes128Ccm>(
        &hex!("0102030405060708090a0b0c0d0e0f10"),
        &hex!("000102030405060708090a0b"),
        &hex!("686561646572"),
        &hex!(
            "32333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f5051"
            "5253545556"
        ),
        &hex!(
            "ab90c74ecf6d72de69e4244035d90b5e07d1a3064e1dde11aa4d4d48c9de52fe"
            "baf99f1f07be4ca15b891c3c3ddf3fe29bb8f6d39b"
        ),
    );
}

#[test]
fn aes_256_ccm() {
    check::<Aes256Ccm>(
        &hex!("0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"),
        &hex!("000102030405060708090a0b"),
        &hex!("686561646572"),
        &hex!(
            "32333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f5051"
            "5253545556"
        ),
        &hex!(
            "f79a9485c4689403944e9666df0303af9fa117c1a7d2b5fbb330cc4fcd31998e"
            "46b093cf366d4af134e49600aa03580d9c1f8e075d"
        ),
    );
}

#[test]
fn chacha20_poly1305() {
    check::<ChaCha20Poly1305>(
        &hex!("0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"),
        &hex!("000102030405060708090a0b"),
        &hex!("686561646572"),
        &hex!(
            "32333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f5051"
            "5253545556"
        ),
        &hex!(
            "d29881edc6942c6fe48e6fea6760173a3a35a94d6be71c461ace2346a117d4cf"
            "3677d1e866467469336abe2f461a5e2b858e0b56d2"
        ),
    );
}

#[test]
fn sm4_gcm() {
    check::<Sm4Gcm>(
        &hex!("0102030405060708090a0b0c0d0e0f10"),
        &hex!("000102030405060708090a0b"),
        &hex!("686561646572"),
        &hex!(
            "32333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f5051"
            "5253545556"
        ),
        &hex!(
            "67c98c5597ab1dcbd8cf6366415bd09197b21c9c67854923fd1d06acbb9db8a9"
            "6c49fadc6553371dbd13306f042fd223eab36b2b3e"
        ),
    );
}

/// The first of the examples of the paper.
#[test]
fn aes_128_eax() {
    check::<Aes128Eax>(
        &hex!("233952dee4d5ed5f9b9c6d6ff80ff478"),
        &hex!("62ec67f9c3a4a407fcb2a8c49031a8b3"),
        &hex!("6bfb914fd07eae6b"),
        b"",
        &hex!("e037830e8389f27b025a2d6527e79d01"),
    );
}

/// draft-irtf-cfrg-xchacha-03, A.3.1.
#[test]
fn xchacha20_poly1305() {
    check::<XChaCha20Poly1305>(
        &hex!("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"),
        &hex!("404142434445464748494a4b4c4d4e4f5051525354555657"),
        &hex!("50515253c0c1c2c3c4c5c6c7"),
        &hex!(
            "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
            "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
            "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
            "637265656e20776f756c642062652069742e"
        ),
        &hex!(
            "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"
            "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452"
            "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
            "21f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780a"
            "cf49"
        ),
    );
}

/// RFC 8998, A.2.
#[test]
fn sm4_ccm() {
    check::<Sm4Ccm>(
        &hex!("0123456789abcdeffedcba9876543210"),
        &hex!("00001234567800000000abcd"),
        &hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
        &hex!(
            "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd"
            "eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa"
        ),
        &hex!(
            "48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094"
            "fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b"
            "16842d4fa186f56ab33256971fa110f4"
        ),
    );
}
