//! Keys in the clear, in all their forms.

#![no_main]

use adamant_fuzz::openssl;
use adamant_rsa as rsa;
use adamant_x509::{PrivateKey, PublicKey};
use libfuzzer_sys::fuzz_target;

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    if let Ok(key) = PublicKey::from_der(data) {
        assert_eq!(
            PublicKey::from_der(&key.to_der()).map(|again| again == key),
            Ok(true)
        );
    }
    let _ = PrivateKey::from_der(data);
    let _ = PrivateKey::from_sec1_der(data);
    if let Ok(key) = rsa::PublicKey::from_pkcs1_der(data) {
        assert_eq!(key.to_pkcs1_der(), data);
    }
    let _ = rsa::PrivateKey::from_pkcs1_der(data);
    openssl::public_key(data);
});
