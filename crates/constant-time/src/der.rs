//! What handles secrets in encodings: base64, PEM as it is written, and the contents of elements.

use adamant_base::ct;
use adamant_der::{Writer, base64, parse, pem};
use adamant_testkit::taint::Operation;

pub(crate) const OPERATIONS: &[Operation] = &[Operation {
    name: "base64 and contents",
    run: base64_and_contents,
}];

fn base64_and_contents() {
    for length in (0..20).chain([47, 48, 49, 100]) {
        let octets: Vec<u8> = (0..length).map(|i: u8| i.wrapping_mul(37)).collect();
        ct::mark_secret(&octets);
        let text = base64::encode(&octets).into_bytes();

        // Padding is public, the rest is decoded as a secret.
        ct::mark_public(&text);
        let characters = text.iter().take_while(|&&c| c != b'=').count();
        ct::mark_secret(&text[..characters]);
        let decoded = base64::decode(&text).expect("what was just encoded");

        let text = pem::encode("EXAMPLE", &decoded);
        ct::mark_public(text.as_bytes());
        assert!(text.ends_with("\n-----END EXAMPLE-----\n"));

        let mut w = Writer::with_capacity(200);
        w.octet_string(&decoded);
        let der = w.finish();
        let read = parse(&der, |r| r.octet_string()).expect("what was just written");
        ct::mark_public(read);
        ct::mark_public(&octets);
        assert_eq!(read, octets);
    }
}
