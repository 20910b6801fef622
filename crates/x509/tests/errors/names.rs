//! Names are read alike wherever one is: the same ones are refused, with the same kind at the
//! same place in the name.

use adamant_der::{ErrorKind as Der, Oid, Tag, Writer, oid};
use adamant_x509::crl::FullCertificateList;
use adamant_x509::csr::CertificationRequest;
use adamant_x509::name::*;
use adamant_x509::ocsp::{OcspRequest, OcspResponse};
use adamant_x509::path::{Options, PathErrorKind, Profile, validate};
use adamant_x509::{
    Certificate, DistinguishedName, Element, Error, ErrorKind, FullCertificate, SignatureAlgorithm,
    assemble,
};

use super::certificates::{extensions, parts};
use super::{der, find, raw_extension, write};
use crate::common::{self, root_key, time};

/// What a reader makes of a structure with this name in it.
type Entry = fn(&[u8]) -> (Vec<u8>, Result<(), Error>);

/// A structure, and what this reader makes of it.
fn read(der: Vec<u8>, reader: impl Fn(&[u8]) -> Result<(), Error>) -> (Vec<u8>, Result<(), Error>) {
    let result = reader(&der);
    (der, result)
}

fn certificate(der: Vec<u8>) -> (Vec<u8>, Result<(), Error>) {
    read(der, |der| FullCertificate::from_der(der).map(drop))
}

/// A certificate whose extension of this type is a SEQUENCE of what is written.
fn extended(oid: Oid, contents: impl FnOnce(&mut Writer)) -> (Vec<u8>, Result<(), Error>) {
    let value = write(|w| w.sequence(contents));
    let mut parts = parts();
    parts.extensions = extensions(&[raw_extension(oid, false, &value)]);
    certificate(parts.build())
}

/// A signed structure of these contents, signed by nobody.
fn unsigned(contents: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let tbs = write(|w| w.sequence(contents));
    assemble(&tbs, SignatureAlgorithm::Ed25519, &[0; 64])
}

/// `directoryName [4]`.
fn directory(name: &[u8]) -> impl FnOnce(&mut Writer) {
    move |w| w.explicit(4, |w| w.raw(name))
}

const ENTRIES: &[(&str, Entry)] = &[
    ("name", |name| {
        read(name.to_vec(), |der| Name::from_der(der).map(drop))
    }),
    ("issuer", |name| {
        let mut parts = parts();
        parts.issuer = name.to_vec();
        certificate(parts.build())
    }),
    ("subject", |name| {
        let mut parts = parts();
        parts.subject = name.to_vec();
        certificate(parts.build())
    }),
    ("issuer, when it is asked for", |name| {
        let mut parts = parts();
        parts.issuer = name.to_vec();
        read(parts.build(), |der| {
            Certificate::from_der(der)?.issuer().map(drop)
        })
    }),
    ("subject, when it is asked for", |name| {
        let mut parts = parts();
        parts.subject = name.to_vec();
        read(parts.build(), |der| {
            Certificate::from_der(der)?.subject().map(drop)
        })
    }),
    ("subject of a certificate that is validated", |name| {
        let mut parts = parts();
        parts.subject = name.to_vec();
        read(parts.build(), |der| {
            let options = Options::new(Profile::Path, time("2026-06-01"));
            match validate(&Certificate::from_der(der)?, &[], &[], &options) {
                Err(error) => match error.kind {
                    PathErrorKind::Malformed(error) => Err(error),
                    // Nobody is trusted.
                    _ => Ok(()),
                },
                Ok(path) => panic!("{path:?}"),
            }
        })
    }),
    ("alternative name", |name| {
        extended(oid!("2.5.29.17"), directory(name))
    }),
    ("alternative name of the issuer", |name| {
        extended(oid!("2.5.29.18"), directory(name))
    }),
    ("permitted names", |name| {
        extended(oid!("2.5.29.30"), |w| {
            w.explicit(0, |w| w.sequence(directory(name)));
        })
    }),
    ("excluded names", |name| {
        extended(oid!("2.5.29.30"), |w| {
            w.explicit(1, |w| w.sequence(directory(name)));
        })
    }),
    ("issuer of the issuer", |name| {
        extended(oid!("2.5.29.35"), |w| {
            w.explicit(1, directory(name));
            w.tlv(Tag::context(2), &[1]);
        })
    }),
    ("place of a list", |name| {
        extended(oid!("2.5.29.31"), |w| {
            w.sequence(|w| w.explicit(0, |w| w.explicit(0, directory(name))));
        })
    }),
    ("issuer of a list", |name| {
        extended(oid!("2.5.29.31"), |w| {
            w.sequence(|w| w.explicit(2, directory(name)));
        })
    }),
    ("place of a service", |name| {
        extended(oid!("1.3.6.1.5.5.7.1.1"), |w| {
            w.sequence(|w| {
                w.oid(&oid!("1.3.6.1.5.5.7.48.2"));
                directory(name)(w);
            });
        })
    }),
    ("request", |name| {
        let der = unsigned(|w| {
            w.integer_u64(0);
            w.raw(name);
            root_key().public_key().write(w);
            w.nested(Tag::context_constructed(0), |_| {});
        });
        read(der, |der| CertificationRequest::from_der(der).map(drop))
    }),
    ("list", |name| {
        let der = unsigned(|w| {
            SignatureAlgorithm::Ed25519.write(w);
            w.raw(name);
            w.time(time("2026-01-01"));
        });
        read(der, |der| FullCertificateList::from_der(der).map(drop))
    }),
    ("entry of a list", |name| {
        let issuer = write(|w| w.sequence(directory(name)));
        let der = unsigned(|w| {
            w.integer_u64(1);
            SignatureAlgorithm::Ed25519.write(w);
            w.raw(common::root_name().as_der());
            w.time(time("2026-01-01"));
            w.sequence(|w| {
                w.sequence(|w| {
                    w.integer_u64(7);
                    w.time(time("2026-01-01"));
                    w.sequence(|w| w.raw(&raw_extension(oid!("2.5.29.29"), true, &issuer)));
                });
            });
        });
        read(der, |der| FullCertificateList::from_der(der).map(drop))
    }),
    ("requestor", |name| {
        let request = common::ocsp_request();
        let der = write(|w| {
            w.sequence(|w| {
                w.sequence(|w| {
                    w.explicit(1, directory(name));
                    OcspRequest::from_der(&request).unwrap().requests.write(w);
                });
            });
        });
        read(der, |der| OcspRequest::from_der(der).map(drop))
    }),
    ("responder", |name| {
        let other = common::ocsp_response();
        let other = OcspResponse::from_der(&other).unwrap();
        let basic = unsigned(|w| {
            w.explicit(1, |w| w.raw(name));
            w.generalized_time(time("2026-01-01"));
            other.basic().unwrap().responses.write(w);
        });
        let der = write(|w| {
            w.sequence(|w| {
                w.raw(&[10, 1, 0]);
                w.explicit(0, |w| {
                    w.sequence(|w| {
                        w.oid(&oid!("1.3.6.1.5.5.7.48.1.1"));
                        w.octet_string(&basic);
                    });
                });
            });
        });
        read(der, |der| OcspResponse::from_der(der).map(drop))
    }),
];

/// Every entry takes the name, or refuses it for this reason at this octet of it.
fn everywhere(name: &[u8], wanted: Result<(), (Der, usize)>) {
    for (entry, place) in ENTRIES {
        let (whole, result) = place(name);
        let result = result.map_err(|error| (error.kind(), error.position()));
        let wanted = wanted.map_err(|(kind, at)| (der(kind), find(&whole, name) + at));
        assert_eq!(result, wanted, "{entry}: {name:02x?}");
    }
}

/// A name of one attribute.
fn single(oid: Oid, value: &[u8]) -> Vec<u8> {
    write(|w| w.sequence(|w| w.set(|w| attribute(oid, value)(w))))
}

fn attribute(oid: Oid, value: &[u8]) -> impl FnOnce(&mut Writer) {
    move |w| {
        w.sequence(|w| {
            w.oid(&oid);
            w.raw(value);
        });
    }
}

/// A string of digits, which each type has.
fn digits(tag: Tag) -> Vec<u8> {
    let text: &[u8] = match tag {
        Tag::BMP_STRING => &[0, b'1', 0, b'2'],
        Tag::UNIVERSAL_STRING => &[0, 0, 0, b'1', 0, 0, 0, b'2'],
        _ => b"12",
    };
    write(|w| w.tlv(tag, text))
}

const STRINGS: [Tag; 8] = [
    Tag::UTF8_STRING,
    Tag::NUMERIC_STRING,
    Tag::PRINTABLE_STRING,
    Tag::T61_STRING,
    Tag::IA5_STRING,
    Tag::VISIBLE_STRING,
    Tag::UNIVERSAL_STRING,
    Tag::BMP_STRING,
];

const OTHERS: [u8; 19] = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x15, 0x17, 0x18, 0x19, 0x1b, 0x30, 0x31, 0x41, 0x80,
    0x8c, 0xa0, 0xac,
];

/// Those that the library names, with the type in which it writes them.
const KNOWN: [(Oid, Tag); 22] = [
    (COMMON_NAME, Tag::UTF8_STRING),
    (LOCALITY, Tag::UTF8_STRING),
    (STATE_OR_PROVINCE, Tag::UTF8_STRING),
    (ORGANIZATION, Tag::UTF8_STRING),
    (ORGANIZATIONAL_UNIT, Tag::UTF8_STRING),
    (COUNTRY, Tag::PRINTABLE_STRING),
    (STREET, Tag::UTF8_STRING),
    (DOMAIN_COMPONENT, Tag::IA5_STRING),
    (USER_ID, Tag::UTF8_STRING),
    (SURNAME, Tag::UTF8_STRING),
    (NAME, Tag::UTF8_STRING),
    (SERIAL_NUMBER, Tag::PRINTABLE_STRING),
    (TITLE, Tag::UTF8_STRING),
    (BUSINESS_CATEGORY, Tag::UTF8_STRING),
    (POSTAL_CODE, Tag::UTF8_STRING),
    (GIVEN_NAME, Tag::UTF8_STRING),
    (INITIALS, Tag::UTF8_STRING),
    (GENERATION_QUALIFIER, Tag::UTF8_STRING),
    (DN_QUALIFIER, Tag::PRINTABLE_STRING),
    (PSEUDONYM, Tag::UTF8_STRING),
    (ORGANIZATION_IDENTIFIER, Tag::UTF8_STRING),
    (EMAIL_ADDRESS, Tag::IA5_STRING),
];

/// `uniqueIdentifier`, a BIT STRING, and a type that nobody knows.
const UNKNOWN: [Oid; 2] = [oid!("2.5.4.45"), oid!("1.3.6.1.4.1.99999.7")];

#[test]
fn known_attributes_have_strings() {
    for tag in STRINGS {
        for oid in KNOWN.map(|(oid, _)| oid).iter().chain(&UNKNOWN) {
            everywhere(&single(*oid, &digits(tag)), Ok(()));
        }
    }
    for octet in OTHERS {
        let actual = Tag::from_octet(octet).unwrap();
        let value = [octet, 2, 5, 0];
        for (oid, expected) in KNOWN {
            let name = single(oid, &value);
            let kind = Der::UnexpectedTag { expected, actual };
            everywhere(&name, Err((kind, name.len() - value.len())));
            // Nor can it be written.
            let text = format!("{oid}=#{octet:02x}020500");
            let error = text.parse::<DistinguishedName>().expect_err(&text);
            let at = text.find('#').unwrap();
            assert_eq!(
                (error.kind(), error.position()),
                (ErrorKind::BadNameText, at)
            );
        }
        for oid in UNKNOWN {
            let name = single(oid, &value);
            everywhere(&name, Ok(()));
            let text = format!("{oid}=#{octet:02x}020500");
            let made: DistinguishedName = text.parse().unwrap();
            assert_eq!(made.as_der(), name);
            assert_eq!(made.to_string(), text);
        }
    }
}

#[test]
fn strings_have_characters() {
    let cases: &[(&[u8], usize)] = &[
        (b"\x0c\x03ab\xff", 2),
        (b"\x0c\x03a\xc0\x80", 1),
        (b"\x0c\x04a\xed\xa0\x80", 1),
        (b"\x13\x03a*b", 1),
        (b"\x12\x031-2", 1),
        (b"\x16\x03ab\x80", 2),
        (b"\x1a\x03a\x1bb", 1),
        (b"\x1e\x03\x00a\x00", 2),
        (b"\x1e\x04\x00a\xd8\x00", 2),
        (b"\x1c\x05\x00\x00\x00a\x00", 4),
        (b"\x1c\x08\x00\x00\x00a\x00\x11\x00\x00", 4),
    ];
    for (value, at) in cases {
        for oid in [COMMON_NAME, COUNTRY, UNKNOWN[1]] {
            let name = single(oid, value);
            let at = name.len() - value.len() + 2 + at;
            everywhere(&name, Err((Der::BadString, at)));
        }
    }
    // Nothing at all, a zero, and octets that are no letters.
    for value in [
        &b"\x0c\x00"[..],
        b"\x13\x00",
        b"\x0c\x03a\x00b",
        b"\x14\x03\x00\x1b\xff",
    ] {
        everywhere(&single(COMMON_NAME, value), Ok(()));
    }
}

/// What names are not made of.
#[test]
fn hostile_names() {
    let value = digits(Tag::UTF8_STRING);
    let name = |rdns: &[u8]| write(|w| w.sequence(|w| w.raw(rdns)));
    let element = |oid: Oid, value: &[u8]| write(attribute(oid, value));
    let set = |contents: &[u8]| write(|w| w.nested(Tag::SET, |w| w.raw(contents)));
    let one = element(COMMON_NAME, &value);
    let other = element(LOCALITY, &value);
    let unexpected = |expected, octet| Der::UnexpectedTag {
        expected,
        actual: Tag::from_octet(octet).unwrap(),
    };

    everywhere(&name(&[]), Ok(()));
    let twice = set(&[&one[..], &one].concat());
    everywhere(&name(&twice), Ok(()));
    everywhere(&name(&set(&[&one[..], &other].concat())), Ok(()));
    everywhere(&name(&set(&one).repeat(300)), Ok(()));
    let long = vec![b'a'; 70_000];
    everywhere(
        &single(COMMON_NAME, &write(|w| w.tlv(Tag::UTF8_STRING, &long))),
        Ok(()),
    );

    let unsorted = name(&set(&[&other[..], &one].concat()));
    everywhere(
        &unsorted,
        Err((Der::UnsortedSet, unsorted.len() - one.len())),
    );
    // Names within names, and the attribute without its set.
    everywhere(
        &name(&name(&set(&one))),
        Err((unexpected(Tag::SET, 0x30), 2)),
    );
    everywhere(&name(&one), Err((unexpected(Tag::SET, 0x30), 2)));
    everywhere(
        &name(&set(&set(&one))),
        Err((unexpected(Tag::SEQUENCE, 0x31), 4)),
    );
    // Tags of several octets, and lengths in other forms.
    for (value, kind, at) in [
        (&b"\x1f\x0c\x01a"[..], Der::HighTagNumber, 0),
        (b"\x9f\x8c\x00\x01a", Der::HighTagNumber, 0),
        (b"\x2c\x03\x0c\x01a", Der::InvalidTag, 0),
        (b"\x00\x01a", Der::InvalidTag, 0),
        (b"\x0c\x81\x01a", Der::NonCanonicalLength, 1),
        (b"\x0c\x82\x00\x80a", Der::NonCanonicalLength, 1),
        (b"\x0c\x80a\x00\x00", Der::IndefiniteLength, 1),
        (b"\x0c\x85\x01\x00\x00\x00\x01a", Der::LengthTooLarge, 1),
        (b"\x0c\x84\xff\xff\xff\xff", Der::Truncated, 0),
    ] {
        let refused = single(UNKNOWN[1], value);
        everywhere(&refused, Err((kind, refused.len() - value.len() + at)));
    }
    // Something after the value, and nothing in its place.
    let trailing = single(COMMON_NAME, &[&value[..], &[5, 0]].concat());
    everywhere(&trailing, Err((Der::TrailingData, trailing.len() - 2)));
    let nothing = single(COMMON_NAME, &[]);
    everywhere(&nothing, Err((Der::Truncated, nothing.len())));

    for (whole, at) in [
        (name(&set(&[])), 2),
        (name(&[set(&one), set(&[])].concat()), 2 + set(&one).len()),
    ] {
        for (entry, place) in ENTRIES {
            let (der, result) = place(&whole);
            let error = result.expect_err(entry);
            let at = find(&der, &whole) + at;
            assert_eq!((error.kind(), error.position()), (ErrorKind::Empty, at));
        }
    }

    // Elements within each other, which are looked into nowhere.
    let deep = (0..200).fold(value.clone(), |inner, _| {
        write(|w| w.sequence(|w| w.raw(&inner)))
    });
    everywhere(&single(UNKNOWN[1], &deep), Ok(()));
    let kind = unexpected(Tag::UTF8_STRING, 0x30);
    let refused = single(COMMON_NAME, &deep);
    everywhere(&refused, Err((kind, refused.len() - deep.len())));
}
