//! Every element, as deep as they go, as every type of value, also of what BER becomes.

#![no_main]

use adamant_der::{Reader, Tag, ber};
use libfuzzer_sys::fuzz_target;

fn walk(mut reader: Reader<'_>) {
    while let Ok(element) = reader.read_any() {
        let _ = element.integer_bytes();
        let _ = element.unsigned();
        let _ = element.boolean();
        let _ = element.bit_string();
        let _ = element.named_bits();
        let _ = element.oid().map(|oid| oid.to_string());
        let _ = element.text();
        let _ = element.time().map(|time| time.to_string());
        if (element.tag.is_constructed() || element.tag == Tag::OCTET_STRING)
            && let Ok(inner) = element.reader()
        {
            walk(inner);
        }
    }
}

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    walk(Reader::new(data));
    if let Ok(der) = ber::to_der(data) {
        assert_eq!(ber::to_der(&der).as_ref(), Ok(&der));
        walk(Reader::new(&der));
    }
});
