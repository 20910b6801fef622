//! Questions about certificates, and answers.

#![no_main]

use adamant_x509::ocsp::{OcspRequest, OcspResponse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(request) = OcspRequest::parse(data) {
        let _ = format!("{request:?}");
    }
    if let Ok(response) = OcspResponse::parse(data) {
        assert_eq!(response.encode(), data);
        let _ = format!("{response:?}");
    }
});
