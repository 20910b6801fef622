//! Keys under a password (PKCS #8), as they are and with PEM around them.

#![no_main]

use adamant_x509::PrivateKey;
use adamant_x509::pbes2::Limits;
use libfuzzer_sys::fuzz_target;

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    // A derivation that costs anything is refused: the readers are what is looked at.
    let limits = Limits {
        iterations: 16,
        memory: 1 << 16,
        work: 1 << 16,
    };
    let _ = PrivateKey::from_encrypted_der(data, b"password", &limits);
    if let Ok(text) = core::str::from_utf8(data) {
        let _ = PrivateKey::from_encrypted_pem(text, b"password", &limits);
    }
});
