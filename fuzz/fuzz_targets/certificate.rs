//! Certificates: what is read is written again octet for octet.

#![no_main]

use adamant_fuzz::openssl;
use adamant_x509::{FullCertificate, PublicKey};
use libfuzzer_sys::fuzz_target;

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    if let Ok(certificate) = FullCertificate::from_der(data) {
        assert_eq!(certificate.to_der(), data);
        let _ = format!("{certificate:?} {}", certificate.subject);
        let _ = PublicKey::from_spki(&certificate.spki);
    }
    openssl::certificate(data);
});
