//! What handles secrets in encodings: base64, PEM, and the contents of elements.

use adamant_base::ct;
use adamant_der::{Writer, base64, parse, pem};
use adamant_testkit::taint::Operation;

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation {
        name: "base64 and contents",
        run: base64_and_contents,
    },
    Operation {
        name: "PEM",
        run: read_pem,
    },
];

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

/// Of a text only the boundaries and the padding are public, and where lines end.
fn read_pem() {
    let (begin, end) = ("-----BEGIN EXAMPLE-----", "-----END EXAMPLE-----");
    for length in [0, 1, 2, 3, 47, 48, 49, 50, 100, 500] {
        let octets: Vec<u8> = (0..length).map(|i| (i * 37) as u8).collect();
        let text = pem::encode("EXAMPLE", &octets);
        for line_end in ["\n", "\r\n", "\r", " \t\n"] {
            let text = text.replace('\n', line_end);
            let body = begin.len()..text.len() - end.len() - line_end.len();
            let body = text[body].trim_end_matches(['=', '\r', '\n', ' ', '\t']);
            ct::mark_secret(body.as_bytes());
            let block = pem::decode_first(&text, &["EXAMPLE"]).expect("what was just written");
            ct::mark_public(block.der());
            assert_eq!(block.der(), octets);
            ct::mark_public(text.as_bytes());
        }
    }
}
