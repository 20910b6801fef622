//! Extensions of certificates.

use std::slice::from_ref;

use adamant_der::{ErrorKind as Der, Oid, Tag};
use adamant_x509::extensions::*;
use adamant_x509::{ErrorKind, FullCertificate};

use super::certificates::{extensions, parts, refused};
use super::{BASIC_CONSTRAINTS, PRIVATE, der, extension, find, raw_extension, write};

#[test]
fn extension_lists() {
    let basic = extension(&BasicConstraints::ca(None));
    let private = raw_extension(PRIVATE, false, &[1]);
    let critical = raw_extension(PRIVATE, true, &[1]);

    let list = [basic.clone(), critical.clone()];
    let kind = ErrorKind::UnknownCriticalExtension(PRIVATE);
    refused(|p| p.extensions = extensions(&list), kind, (&critical, 0));

    let other = extension(&BasicConstraints::end_entity());
    let list = [basic.clone(), private.clone(), other.clone()];
    let kind = ErrorKind::DuplicateExtension(BASIC_CONSTRAINTS);
    refused(|p| p.extensions = extensions(&list), kind, (&other, 0));

    let other = raw_extension(PRIVATE, false, &[2]);
    let list = [private.clone(), basic.clone(), other.clone()];
    let kind = ErrorKind::DuplicateExtension(PRIVATE);
    refused(|p| p.extensions = extensions(&list), kind, (&other, 0));

    // Among many.
    let mut many: Vec<_> = (0..40)
        .map(|i| {
            let oid = Oid::from_arcs(&[1, 3, 6, 1, 4, 1, 99999, 5, i]).unwrap();
            raw_extension(oid, false, &[i as u8])
        })
        .collect();
    let second = Oid::from_arcs(&[1, 3, 6, 1, 4, 1, 99999, 5, 30]).unwrap();
    many.push(raw_extension(second, false, &[0xbb]));
    refused(
        |p| p.extensions = extensions(&many),
        ErrorKind::DuplicateExtension(second),
        (&many[40], 0),
    );
    // Of two the first one counts, wherever its identifier is in their order.
    for (twice, other) in [(15, 30), (30, 15)] {
        let mut many = many[..40].to_vec();
        let oid = |i| Oid::from_arcs(&[1, 3, 6, 1, 4, 1, 99999, 5, i]).unwrap();
        many.extend([twice, other].map(|i| raw_extension(oid(i), false, &[0xbb])));
        refused(
            |p| p.extensions = extensions(&many),
            ErrorKind::DuplicateExtension(oid(twice)),
            (&many[40], 0),
        );
    }
    many.pop();
    let mut parts = parts();
    parts.extensions = extensions(&many);
    assert!(FullCertificate::from_der(&parts.build()).is_ok());

    let empty = vec![0xa3, 2, 0x30, 0];
    refused(
        |p| p.extensions = empty.clone(),
        ErrorKind::Empty,
        (&empty, 2),
    );
    // FALSE is the default, and not written.
    let explicit = write(|w| {
        w.sequence(|w| {
            w.oid(&PRIVATE);
            w.boolean(false);
            w.octet_string(&[1]);
        });
    });
    let at = 4 + PRIVATE.as_bytes().len();
    let list = extensions(from_ref(&explicit));
    let error = {
        let mut parts = parts;
        parts.extensions = list;
        let der = parts.build();
        let error = FullCertificate::from_der(&der).unwrap_err();
        (error.kind(), error.position() - find(&der, &explicit))
    };
    assert_eq!(error, (der(Der::ExplicitDefault), at));
}

#[test]
fn extension_values() {
    let unexpected = |text| der(Der::UnexpectedValue(text));
    let expected_name = |actual| {
        der(Der::UnexpectedTag {
            expected: Tag::context(2),
            actual,
        })
    };
    let cases: &[(&str, &[u8], ErrorKind, usize)] = &[
        // BasicConstraints: FALSE is the default; a negative path length.
        (
            "2.5.29.19",
            &[0x30, 3, 1, 1, 0],
            der(Der::ExplicitDefault),
            2,
        ),
        ("2.5.29.19", &[0x30, 3, 1, 1, 1], der(Der::BadBoolean), 4),
        (
            "2.5.29.19",
            &[0x30, 6, 1, 1, 0xff, 2, 1, 0x80],
            der(Der::NegativeInteger),
            7,
        ),
        // KeyUsage without a bit, with too many, and with ones that are unused.
        (
            "2.5.29.15",
            &[3, 1, 0],
            unexpected("key usage without a bit or with an unknown one"),
            3,
        ),
        (
            "2.5.29.15",
            &[3, 3, 0, 0x80, 0x40],
            unexpected("key usage without a bit or with an unknown one"),
            3,
        ),
        ("2.5.29.15", &[3, 2, 7, 0x81], der(Der::BadBitString), 2),
        // Lists without an element.
        ("2.5.29.37", &[0x30, 0], ErrorKind::Empty, 0),
        ("2.5.29.17", &[0x30, 0], ErrorKind::Empty, 0),
        ("2.5.29.32", &[0x30, 0], ErrorKind::Empty, 0),
        ("2.5.29.30", &[0x30, 2, 0xa0, 0], ErrorKind::Empty, 2),
        // Names: an address of three octets, a letter beyond ASCII, a form that does not exist.
        (
            "2.5.29.17",
            &[0x30, 5, 0x87, 3, 1, 2, 3],
            unexpected("IP address of a wrong length"),
            4,
        ),
        (
            "2.5.29.17",
            &[0x30, 5, 0x82, 3, b'a', 0xc3, 0xa4],
            der(Der::BadString),
            5,
        ),
        (
            "2.5.29.17",
            &[0x30, 2, 0x89, 0],
            expected_name(Tag::context(9)),
            2,
        ),
        // An address without its mask, and a subtree with a minimum.
        (
            "2.5.29.30",
            &[0x30, 10, 0xa0, 8, 0x30, 6, 0x87, 4, 1, 2, 3, 4],
            unexpected("IP address of a wrong length"),
            8,
        ),
        (
            "2.5.29.30",
            &[0x30, 10, 0xa0, 8, 0x30, 6, 0x82, 1, b'a', 0x80, 1, 1],
            unexpected("subtree with a minimum or maximum"),
            9,
        ),
        // A notice of octets that are no text, and of a string that has no place there.
        (
            "2.5.29.32",
            b"\x30\x19\x30\x17\x06\x02\x2a\x03\x30\x11\x30\x0f\x06\x08\x2b\x06\x01\x05\x05\x07\x02\x02\
              \x30\x03\x0c\x01\xff",
            der(Der::BadString),
            26,
        ),
        (
            "2.5.29.32",
            b"\x30\x19\x30\x17\x06\x02\x2a\x03\x30\x11\x30\x0f\x06\x08\x2b\x06\x01\x05\x05\x07\x02\x02\
              \x30\x03\x13\x01a",
            der(Der::UnexpectedTag {
                expected: Tag::UTF8_STRING,
                actual: Tag::PRINTABLE_STRING,
            }),
            24,
        ),
        // A serial number without its issuer, and a negative one.
        (
            "2.5.29.35",
            &[0x30, 3, 0x82, 1, 1],
            unexpected("issuer without serial number or reverse"),
            2,
        ),
        (
            "2.5.29.35",
            &[0x30, 8, 0xa1, 3, 0x82, 1, b'a', 0x82, 1, 0x80],
            ErrorKind::SerialNegative,
            9,
        ),
        (
            "2.5.29.14",
            &[0x30, 0],
            der(Der::UnexpectedTag {
                expected: Tag::OCTET_STRING,
                actual: Tag::SEQUENCE,
            }),
            0,
        ),
        (
            "2.5.29.36",
            &[0x30, 7, 0x80, 5, 1, 0, 0, 0, 0],
            der(Der::IntegerTooLong),
            4,
        ),
        ("1.3.6.1.5.5.7.48.1.5", &[5, 1, 0], der(Der::BadNull), 2),
    ];
    for (dotted, value, kind, at) in cases {
        let ext = raw_extension(dotted.parse().unwrap(), false, value);
        let offset = ext.len() - value.len() + at;
        let mut parts = parts();
        parts.extensions = extensions(from_ref(&ext));
        let der = parts.build();
        let error = FullCertificate::from_der(&der).expect_err(dotted);
        let place = error.position() - find(&der, &ext);
        assert_eq!(
            (error.kind(), place),
            (*kind, offset),
            "{dotted} {value:02x?}"
        );
    }
}
