//! Keys in all their forms.

#![no_main]

use adamant_x509::pbes2::Limits;
use adamant_x509::pkcs12::Pkcs12;
use adamant_x509::{PrivateKey, PublicKey};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(key) = PublicKey::from_der(data) {
        assert_eq!(
            PublicKey::from_der(&key.to_der()).map(|again| again == key),
            Ok(true)
        );
    }
    let _ = PrivateKey::from_pkcs8_der(data);
    let _ = PrivateKey::from_sec1_der(data);
    // A derivation that costs anything is refused: the readers are what is looked at.
    let limits = Limits {
        iterations: 16,
        memory: 1 << 16,
        work: 1 << 16,
    };
    let _ = PrivateKey::from_encrypted_pkcs8(data, b"password", &limits);
    let _ = Pkcs12::from_der(data, "password", &limits);
});
