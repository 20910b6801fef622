//! Lists of revoked certificates.

#![no_main]

use adamant_x509::crl::CertificateList;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(list) = CertificateList::parse_full(data) {
        assert_eq!(list.encode(), data);
        for entry in list.entries() {
            let _ = format!("{entry:?}");
        }
    }
});
