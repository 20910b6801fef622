//! Names in other string types, cases and normal forms than where they were issued, as in PKITS
//! 4.3.3 to 4.3.11, with letters beyond ASCII.

use adamant_der::{Tag, Writer};
use adamant_x509::name::COMMON_NAME;
use adamant_x509::path::{Options, Profile, TrustAnchor, validate};
use adamant_x509::{Certificate, DistinguishedName, Name};

use super::chain::{Entity, at, ca};

/// A common name in a BMPString.
fn in_two_octets(text: &str) -> DistinguishedName {
    let octets: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut w = Writer::new();
    w.sequence(|w| {
        w.set(|w| {
            w.sequence(|w| {
                w.oid(&COMMON_NAME);
                w.tlv(Tag::BMP_STRING, &octets);
            });
        });
    });
    let der = w.finish();
    DistinguishedName::from(Name::from_der(&der).unwrap())
}

#[test]
fn a_chain_of_spellings() {
    let root = Entity::new("Autorit\u{e9}  Stra\u{df}e", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let own = Certificate::from_der(&own).unwrap();
    let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
    let options = Options::new(Profile::Rfc5280, at());
    for (name, is_same) in [
        (in_two_octets("Autorit\u{e9} Stra\u{df}e"), true),
        (in_two_octets(" AUTORITE\u{301} STRASSE "), true),
        (in_two_octets("\u{ff21}utorit\u{e9}\u{a0}stra\u{df}e"), true),
        (in_two_octets("Autorite Strasse"), false),
        (in_two_octets("Autorit\u{e9}Stra\u{df}e"), false),
    ] {
        let spelt = Entity {
            name,
            ..Entity::new("", 1)
        };
        let leaf = spelt.issue(&Entity::new("Leaf", 2), 2, |builder| builder);
        let leaf = Certificate::from_der(&leaf).unwrap();
        let result = validate(&leaf, &[], &anchors, &options);
        assert_eq!(result.is_ok(), is_same, "{}: {result:?}", spelt.name);
    }
}
