//! Lists of revoked certificates.

#![no_main]

use adamant_fuzz::openssl;
use adamant_x509::crl::FullCertificateList;
use libfuzzer_sys::fuzz_target;

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    if let Ok(list) = FullCertificateList::from_der(data) {
        assert_eq!(list.to_der(), data);
        for entry in list.entries() {
            let _ = format!("{entry:?}");
        }
    }
    openssl::list(data);
});
