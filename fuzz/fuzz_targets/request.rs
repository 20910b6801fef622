//! Requests for certificates: what is read is written again octet for octet.

#![no_main]

use adamant_fuzz::openssl;
use adamant_x509::csr::CertificationRequest;
use libfuzzer_sys::fuzz_target;

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    if let Ok(request) = CertificationRequest::from_der(data) {
        assert_eq!(request.to_der(), data);
        let _ = format!("{request:?}");
        for attribute in request.attributes() {
            let _ = format!("{attribute:?}");
        }
        let _ = request.verify();
    }
    openssl::request(data);
});
