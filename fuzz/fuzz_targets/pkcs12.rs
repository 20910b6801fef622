//! PKCS #12, in DER and BER, under a password.

#![no_main]

use adamant_x509::pbes2::Limits;
use adamant_x509::pkcs12::Pkcs12;
use libfuzzer_sys::fuzz_target;

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    // A derivation that costs anything is refused: the readers are what is looked at.
    let limits = Limits {
        iterations: 16,
        memory: 1 << 16,
        work: 1 << 16,
    };
    let der = Pkcs12::from_der(data, "password", &limits);
    let ber = Pkcs12::from_ber(data, "password", &limits);
    // All DER is BER.
    assert!(der.is_err() || ber.is_ok());
});
