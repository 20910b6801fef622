//! Questions about certificates, and answers.

#![no_main]

use adamant_fuzz::openssl;
use adamant_x509::ocsp::{OcspRequest, OcspResponse};
use libfuzzer_sys::fuzz_target;

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    if let Ok(request) = OcspRequest::from_der(data) {
        let _ = format!("{request:?}");
    }
    if let Ok(response) = OcspResponse::from_der(data) {
        assert_eq!(response.to_der(), data);
        let _ = format!("{response:?}");
    }
    openssl::ocsp(data);
});
