//! PEM, names, times and identifiers as text.

#![no_main]

use adamant_der::{Oid, Time, pem};
use adamant_x509::certificate::read_bundle;
use adamant_x509::{DistinguishedName, Name};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for block in pem::decode(data) {
        let _ = block.map(|block| block.into_der());
    }
    let _ = read_bundle(data);
    if let Ok(name) = Name::from_der(data) {
        assert!(name.matches(&name) && name.is_within(&name));
        let _ = name.to_string();
    }
    if let Ok(text) = core::str::from_utf8(data) {
        let _ = text.parse::<Oid>();
        let _ = text.parse::<Time>();
        if let Ok(name) = text.parse::<DistinguishedName>() {
            assert_eq!(Name::from_der(name.as_der()), Ok(name.as_name()));
            let again: DistinguishedName = name.to_string().parse().expect("its own text");
            assert!(name.as_name().matches(&again.as_name()));
        }
    }
});
