//! Signatures and ciphertexts of elliptic curves as DER has them, and points as SEC 1 has them:
//! what is read is written again octet for octet.

#![no_main]

use adamant_ec::{p256, p384, p521, sm2};
use libfuzzer_sys::fuzz_target;

macro_rules! signature {
    ($data:ident: $($curve:ident)*) => { $(
        if let Ok(signature) = $curve::Signature::from_der($data) {
            assert_eq!(signature.to_der().as_ref(), $data);
            let bytes = signature.to_bytes();
            assert_eq!($curve::Signature::from_bytes(&bytes), Ok(signature));
        }
        if let Ok(key) = $curve::PublicKey::from_sec1($data) {
            let (whole, compressed) = (key.to_sec1(), key.to_sec1_compressed());
            assert!($data == &whole[..] || $data == &compressed[..]);
            assert_eq!($curve::PublicKey::from_sec1(&compressed), Ok(key));
        }
    )* };
}

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    signature!(data: p256 p384 p521);
    if let Ok(ciphertext) = sm2::Ciphertext::from_der(data) {
        assert_eq!(ciphertext.to_der(), data);
        let bytes = ciphertext.to_bytes();
        assert!(sm2::Ciphertext::from_bytes(&bytes).is_ok_and(|again| again.to_der() == data));
    }
});
