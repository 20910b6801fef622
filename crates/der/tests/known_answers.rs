//! The examples of X.690 and of the RFCs, written and read.

use adamant_der::{DateTime, Error, ErrorKind, Oid, Result, Tag, Time, Writer, oid, parse};
use hex_literal::hex;

fn written(write: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut w = Writer::new();
    write(&mut w);
    assert_eq!(w.len(), w.as_bytes().len());
    w.finish()
}

#[test]
fn booleans_null_and_strings() {
    assert_eq!(written(|w| w.boolean(true)), hex!("0101ff"));
    assert_eq!(written(|w| w.boolean(false)), hex!("010100"));
    assert_eq!(written(|w| w.null()), hex!("0500"));
    assert_eq!(parse(&hex!("0101ff"), |r| r.boolean()), Ok(true));
    assert_eq!(parse(&hex!("010100"), |r| r.boolean()), Ok(false));
    assert_eq!(parse(&hex!("0500"), |r| r.null()), Ok(()));

    // X.690, 8.14.
    let jones = hex!("1a05 4a6f6e6573");
    assert_eq!(written(|w| w.tlv(Tag::VISIBLE_STRING, b"Jones")), jones);
    assert_eq!(
        parse(&jones, |r| r.read(Tag::VISIBLE_STRING)?.str()),
        Ok("Jones")
    );
    let implicit = written(|w| w.tlv(Tag::context(2), b"Jones"));
    assert_eq!(implicit, hex!("8205 4a6f6e6573"));
    let application = Tag::from_octet(0x43).unwrap();
    let explicit = written(|w| w.explicit(2, |w| w.tlv(application, b"Jones")));
    assert_eq!(explicit, hex!("a207 4305 4a6f6e6573"));
    let read = parse(&explicit, |r| r.explicit(2, |r| r.read(application)?.str()));
    assert_eq!(read, Ok("Jones"));

    // X.690, 8.9.3.
    let smith = written(|w| {
        w.sequence(|w| {
            w.ia5_string("Smith");
            w.boolean(true);
        });
    });
    assert_eq!(smith, hex!("300a 1605 536d697468 0101ff"));
    let read = parse(&smith, |r| {
        r.sequence(|r| Ok((r.ia5_string()?, r.boolean()?)))
    });
    assert_eq!(read, Ok(("Smith", true)));

    for text in ["", "Grüße", "証明書"] {
        let der = written(|w| w.utf8_string(text));
        assert_eq!(parse(&der, |r| r.utf8_string()), Ok(text));
    }
    assert!(Writer::can_print("Adamant Ltd. (CA), a+b=c: '?/-'") && !Writer::can_print("a@b"));
    let der = written(|w| w.printable_string("Adamant CA"));
    assert_eq!(parse(&der, |r| r.printable_string()), Ok("Adamant CA"));
}

#[test]
fn texts_of_all_string_types() {
    let text = |tag, octets: &[u8]| {
        parse(&written(|w| w.tlv(tag, octets)), |r| {
            Ok(r.read_any()?.text()?.into_owned())
        })
    };
    assert_eq!(text(Tag::T61_STRING, b"Z\xfcrich"), Ok("Zürich".into()));
    assert_eq!(
        text(Tag::BMP_STRING, &hex!("005a 00fc 8a3c")),
        Ok("Zü証".into())
    );
    assert_eq!(
        text(Tag::UNIVERSAL_STRING, &hex!("0000005a 0001f511")),
        Ok("Z🔑".into())
    );
    assert_eq!(text(Tag::NUMERIC_STRING, b"12 3"), Ok("12 3".into()));
    let bad = |at| Err(Error::new(ErrorKind::BadString, at));
    assert_eq!(text(Tag::BMP_STRING, &hex!("005a d83d dd11")), bad(4));
    assert_eq!(text(Tag::BMP_STRING, &hex!("005a 00")), bad(4));
    assert_eq!(text(Tag::UNIVERSAL_STRING, &hex!("00110000")), bad(2));
    assert_eq!(text(Tag::NUMERIC_STRING, b"12a"), bad(4));
    assert_eq!(text(Tag::VISIBLE_STRING, b"a\n"), bad(3));
    let expected = Tag::UTF8_STRING;
    let actual = Tag::OCTET_STRING;
    let kind = ErrorKind::UnexpectedTag { expected, actual };
    assert_eq!(text(Tag::OCTET_STRING, b"a"), Err(Error::new(kind, 0)));
}

#[test]
fn integers() {
    for (value, der) in [
        (0, &hex!("020100")[..]),
        (1, &hex!("020101")),
        (127, &hex!("02017f")),
        (128, &hex!("02020080")),
        (255, &hex!("020200ff")),
        (256, &hex!("02020100")),
        (65537, &hex!("0203010001")),
        (0x8000_0000, &hex!("02050080000000")),
        (u64::MAX, &hex!("020900ffffffffffffffff")),
    ] {
        assert_eq!(written(|w| w.integer_u64(value)), der);
        assert_eq!(parse(der, |r| r.u64()), Ok(value));
        assert_eq!(parse(der, |r| r.u32()).ok(), u32::try_from(value).ok());
        assert_eq!(parse(der, |r| r.u8()).ok(), u8::try_from(value).ok());
        assert_eq!(written(|w| w.integer_bytes(&der[2..])), der);
    }
    for (octets, der) in [
        (&hex!("")[..], &hex!("020100")[..]),
        (&hex!("0000"), &hex!("020100")),
        (&hex!("ff"), &hex!("0201ff")),
        (&hex!("ffff"), &hex!("0201ff")),
        (&hex!("ff80"), &hex!("020180")),
        (&hex!("ffff7f"), &hex!("0202ff7f")),
        (&hex!("000080"), &hex!("02020080")),
    ] {
        assert_eq!(written(|w| w.integer_bytes(octets)), der);
        assert_eq!(parse(der, |r| r.integer_bytes()), Ok(&der[2..]));
    }
    assert_eq!(
        written(|w| w.integer_unsigned(&[])),
        written(|w| w.integer_unsigned(&[0, 0]))
    );
    assert_eq!(parse(&hex!("020100"), |r| r.unsigned()), Ok(&[0][..]));
    assert_eq!(parse(&hex!("02020080"), |r| r.unsigned()), Ok(&[0x80][..]));
    assert_eq!(written(|w| w.enumerated(200)), hex!("0a0200c8"));
    assert_eq!(parse(&hex!("0a0200c8"), |r| r.enumerated()), Ok(200));
}

#[test]
fn lengths() {
    // X.690, 8.1.3: 38 and 201; then where the form changes.
    for (length, octets) in [
        (0, &hex!("00")[..]),
        (38, &hex!("26")),
        (127, &hex!("7f")),
        (128, &hex!("8180")),
        (201, &hex!("81c9")),
        (255, &hex!("81ff")),
        (256, &hex!("820100")),
        (65535, &hex!("82ffff")),
        (65536, &hex!("83010000")),
    ] {
        let value = vec![0x5a; length];
        let plain = written(|w| w.octet_string(&value));
        assert_eq!(plain[1..plain.len() - length], *octets);
        assert_eq!(written(|w| w.octet_string_with(|w| w.raw(&value))), plain);
        assert_eq!(parse(&plain, |r| r.octet_string()), Ok(&value[..]));
    }
}

#[test]
fn bit_strings() {
    // X.690, 8.6.4.2.
    let der = hex!("0307 04 0a3b5f291cd0");
    assert_eq!(
        written(|w| w.bit_string(&hex!("0a3b5f291cdf"), 4)),
        der,
        "unused bits are cleared"
    );
    let bits = parse(&der, |r| r.bit_string()).unwrap();
    assert_eq!((bits.len(), bits.unused_bits, bits.position), (44, 4, 3));
    assert_eq!(bits.bytes, hex!("0a3b5f291cd0"));
    let digits: String = bits.bytes.iter().map(|b| format!("{b:08b}")).collect();
    for (i, digit) in digits.chars().enumerate() {
        assert_eq!(bits.bit(i), digit == '1', "{i}");
    }
    assert!(!bits.bit(48) && !bits.bit(1000));

    // KeyUsage: keyCertSign (5) and cRLSign (6), as certificates of authorities have it.
    assert_eq!(written(|w| w.named_bits(&[0x06, 0x00])), hex!("0302 01 06"));
    assert_eq!(
        written(|w| w.named_bits(&[0x00, 0x80])),
        hex!("0303 07 0080")
    );
    assert_eq!(written(|w| w.named_bits(&[0, 0])), hex!("0301 00"));
    let usage = parse(&hex!("0302 01 06"), |r| r.named_bits()).unwrap();
    assert!(usage.bit(5) && usage.bit(6) && !usage.bit(0) && !usage.bit(7));
    assert!(
        parse(&hex!("0301 00"), |r| r.named_bits())
            .unwrap()
            .is_empty()
    );

    let der = written(|w| w.bit_string_with(|w| w.integer_u64(7)));
    assert_eq!(der, hex!("0304 00 020107"));
    let inner = parse(&der, |r| r.bit_string_octets()?.parse(|r| r.u8()));
    assert_eq!(inner, Ok(7));
}

#[test]
fn identifiers() {
    for (text, octets) in [
        ("2.100.3", &hex!("813403")[..]), // X.690, 8.19.5
        ("2.999.3", &hex!("883703")),
        ("0.0", &hex!("00")),
        ("0.39", &hex!("27")),
        ("1.0", &hex!("28")),
        ("1.39", &hex!("4f")),
        ("2.0", &hex!("50")),
        ("2.47", &hex!("7f")),
        ("2.48", &hex!("8100")),
        ("1.2.840.113549.1.1.11", &hex!("2a864886f70d01010b")),
        ("1.2.840.10045.4.3.2", &hex!("2a8648ce3d040302")),
        ("1.3.101.112", &hex!("2b6570")),
        ("2.5.29.15", &hex!("551d0f")),
        (
            // 2.25 and the UUID of all ones.
            "2.25.340282366920938463463374607431768211455",
            &hex!("69 83ffffffffffffffffffffffffffffffffff7f"),
        ),
    ] {
        let oid: Oid = text.parse().unwrap();
        assert_eq!(oid.as_bytes(), octets, "{text}");
        assert_eq!(Oid::from_der(octets), Ok(oid));
        assert_eq!(
            (oid.to_string(), format!("{oid:?}")),
            (text.into(), text.into())
        );
        let der = written(|w| w.oid(&oid));
        assert_eq!(der[..2], [6, octets.len() as u8]);
        assert_eq!(parse(&der, |r| r.oid()), Ok(oid));
    }
    assert_eq!(Oid::from_arcs(&[1, 3, 101, 112]), Ok(oid!("1.3.101.112")));
    for (prefix, expected) in [
        ("1.3.101.112", true),
        ("1.3.101", true),
        ("1.3.101.113", false),
        ("1.3.101.112.1", false),
        ("2.5", false),
    ] {
        let prefix = prefix.parse().unwrap();
        assert_eq!(oid!("1.3.101.112").starts_with(&prefix), expected);
    }

    // An arc of 2^434 - 1 and one of 2^441 - 81, as many digits as there can be.
    let mut octets = [0xff; 63];
    octets[0] = 0x2a;
    octets[62] = 0x7f;
    let text = Oid::from_der(&octets).unwrap().to_string();
    assert!(text.starts_with("1.2.4436271510593303775325462694628933925498") && text.len() == 135);
    octets[0] = 0xff;
    let text = Oid::from_der(&octets).unwrap().to_string();
    assert!(text.starts_with("2.5678427533559428832416592249125035424637") && text.len() == 135);
    assert!(text.ends_with("223471"), "{text}");

    for (text, kind, position) in [
        ("", ErrorKind::BadOid, 0),
        ("1", ErrorKind::BadOid, 1),
        ("3.1", ErrorKind::BadOid, 0),
        ("1.40", ErrorKind::BadOid, 2),
        ("1..2", ErrorKind::BadOid, 2),
        ("1.2.", ErrorKind::BadOid, 4),
        ("1.2.03", ErrorKind::BadOid, 4),
        ("1.2 ", ErrorKind::BadOid, 3),
        (
            "1.2.340282366920938463463374607431768211456",
            ErrorKind::OidTooLong,
            4,
        ),
    ] {
        assert_eq!(
            Oid::from_dotted(text),
            Err(Error::new(kind, position)),
            "{text}"
        );
    }
    let too_many = [1; 65];
    assert_eq!(
        Oid::from_arcs(&too_many),
        Err(Error::new(ErrorKind::OidTooLong, 64))
    );
    assert_eq!(Oid::from_arcs(&[2]), Err(Error::new(ErrorKind::BadOid, 1)));
    assert!(Oid::from_arcs(&too_many[..64]).is_ok());
}

fn time(text: &str) -> Time {
    text.parse().unwrap()
}

#[test]
fn times() {
    // X.690, 11.7 and 11.8.
    for (text, octets) in [
        ("1992-05-21", "920521000000Z"),
        ("1992-06-22T12:34:21Z", "920622123421Z"),
        ("1992-07-22T13:21:00Z", "920722132100Z"),
        ("1950-01-01", "500101000000Z"),
        ("2049-12-31T23:59:59Z", "491231235959Z"),
    ] {
        let der = written(|w| w.time(time(text)));
        assert_eq!(der, [&[0x17, 13], octets.as_bytes()].concat());
        assert_eq!(parse(&der, |r| r.time()), Ok(time(text)));
        assert_eq!(parse(&der, |r| r.time_rfc5280()), Ok(time(text)));
    }
    for (text, octets) in [
        ("2050-01-01", "20500101000000Z"),
        ("1949-12-31T23:59:59Z", "19491231235959Z"),
        ("9999-12-31T23:59:59Z", "99991231235959Z"),
        ("0000-01-01", "00000101000000Z"),
    ] {
        let der = written(|w| w.time(time(text)));
        assert_eq!(der, [&[0x18, 15], octets.as_bytes()].concat());
        assert_eq!(parse(&der, |r| r.time()), Ok(time(text)));
        assert_eq!(parse(&der, |r| r.time_rfc5280()), Ok(time(text)));
    }
    let early = written(|w| w.generalized_time(time("2049-12-31T23:59:59Z")));
    assert_eq!(
        parse(&early, |r| r.time()),
        Ok(time("2049-12-31T23:59:59Z"))
    );
    assert_eq!(
        parse(&early, |r| r.time_rfc5280()),
        Err(Error::new(ErrorKind::WrongTimeType, 0))
    );
}

#[test]
fn calendar() {
    for (text, unix) in [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59Z", -1),
        ("2000-02-29T23:59:59Z", 951_868_799),
        ("2000-03-01T00:00:00Z", 951_868_800),
        ("2001-09-09T01:46:40Z", 1_000_000_000),
        ("2038-01-19T03:14:08Z", 1 << 31),
        ("2100-02-28T12:00:00Z", 4_107_499_200),
    ] {
        assert_eq!(time(text).to_unix(), unix, "{text}");
        assert_eq!(Time::from_unix(unix).unwrap().to_string(), text);
    }
    assert_eq!(Time::from_unix(Time::MIN.to_unix() - 1), None);
    assert_eq!(Time::from_unix(Time::MAX.to_unix() + 1), None);
    assert_eq!(Time::MAX.saturating_add(1), Time::MAX);
    assert_eq!(time("1970-01-01").saturating_add(u64::MAX), Time::MAX);
    assert_eq!(
        time("2023-12-31").saturating_add(86_400),
        time("2024-01-01")
    );
    assert!(Time::MIN < time("1970-01-01") && time("1970-01-01") < Time::MAX);

    // Every day of ten thousand years follows the one before.
    let mut unix = Time::MIN.to_unix();
    for year in 0..=9999 {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let lengths = [
            31,
            28 + u8::from(leap),
            31,
            30,
            31,
            30,
            31,
            31,
            30,
            31,
            30,
            31,
        ];
        for (month, length) in (1..).zip(lengths) {
            for day in 1..=length {
                let date = DateTime::date(year, month, day);
                assert_eq!(date.time().unwrap().to_unix(), unix);
                assert_eq!(Time::from_unix(unix).unwrap().date_time(), date);
                unix += 86_400;
            }
            assert_eq!(DateTime::date(year, month, length + 1).time(), None);
        }
    }
    assert_eq!(unix, Time::MAX.to_unix() + 1);
    for (text, position) in [
        ("2024-01-01T00:00:00", 19),
        ("2024-01-01t00:00:00Z", 10),
        ("2024-13-01", 0),
        ("2024-0x-01", 6),
        ("", 0),
    ] {
        let error = Error::new(ErrorKind::BadTime, position);
        assert_eq!(text.parse::<Time>(), Err(error), "{text}");
    }
}

/// The personnel record of X.690, annex A: an application class record with everything tagged.
#[test]
fn personnel_record() {
    let application = |number| Tag::from_octet(number).unwrap();
    let (record, name_tag) = (application(0x60), application(0x61));
    let (number_tag, date_tag) = (application(0x42), application(0x43));
    let name = |w: &mut Writer, given: &str, initial: &str, family: &str| {
        w.nested(name_tag, |w| {
            for part in [given, initial, family] {
                w.tlv(Tag::VISIBLE_STRING, part.as_bytes());
            }
        });
    };
    let der = written(|w| {
        w.nested(record, |w| {
            name(w, "John", "P", "Smith");
            w.explicit(0, |w| w.tlv(Tag::VISIBLE_STRING, b"Director"));
            w.tlv_unsigned(number_tag, &[51]);
            w.explicit(1, |w| w.tlv(date_tag, b"19710917"));
            w.explicit(2, |w| name(w, "Mary", "T", "Smith"));
            w.explicit(3, |w| {
                for (given, initial, family, born) in [
                    ("Ralph", "T", "Smith", b"19571111"),
                    ("Susan", "B", "Jones", b"19590717"),
                ] {
                    w.set(|w| {
                        name(w, given, initial, family);
                        w.explicit(0, |w| w.tlv(date_tag, born));
                    });
                }
            });
        });
    });
    let expected = hex!(
        "60 81 85"
        "61 10 1A 04 4A6F686E 1A 01 50 1A 05 536D697468"
        "A0 0A 1A 08 4469726563746F72"
        "42 01 33"
        "A1 0A 43 08 3139373130393137"
        "A2 12 61 10 1A 04 4D617279 1A 01 54 1A 05 536D697468"
        "A3 42"
        "31 1F 61 11 1A 05 52616C7068 1A 01 54 1A 05 536D697468 A0 0A 43 08 3139353731313131"
        "31 1F 61 11 1A 05 537573616E 1A 01 42 1A 05 4A6F6E6573 A0 0A 43 08 3139353930373137"
    );
    assert_eq!(der, expected);

    let children = parse(&der, |r| {
        r.nested(record, |r| {
            r.enter(name_tag)?;
            let title = r.explicit(0, |r| r.read(Tag::VISIBLE_STRING)?.str())?;
            assert_eq!(
                (title, r.read(number_tag)?.unsigned()?),
                ("Director", &[51][..])
            );
            r.enter(Tag::context_constructed(1))?;
            assert!(r.optional(Tag::context_constructed(4))?.is_none());
            r.enter(Tag::context_constructed(2))?;
            r.explicit(3, |r| {
                let mut children = Vec::new();
                while !r.is_empty() {
                    children.push(r.set(|r| -> Result<_> {
                        let given = r.enter(name_tag)?.read(Tag::VISIBLE_STRING)?.str()?;
                        let born = r.optional_explicit(0, |r| r.read(date_tag))?;
                        Ok((given, born.map(|tlv| tlv.position)))
                    })?);
                }
                Ok(children)
            })
        })
    });
    assert_eq!(
        children,
        Ok(vec![("Ralph", Some(93)), ("Susan", Some(126))])
    );
}

#[test]
fn sets_are_sorted() {
    let sorted = hex!("310f 020101 0201 7f 0202 0080 0403 616263");
    let items: [&[u8]; 4] = [
        b"\x04\x03abc",
        &hex!("02017f"),
        &hex!("02020080"),
        &hex!("020101"),
    ];
    assert_eq!(written(|w| w.set_of(items, |w, der| w.raw(der))), sorted);
    assert_eq!(
        written(|w| w.set_of([7], |w, n| w.integer_u64(n))),
        hex!("3103 020107")
    );
    assert_eq!(
        written(|w| w.set_of([0; 0], |w, n| w.integer_u64(n))),
        hex!("3100")
    );
    let mut count = 0;
    let read = parse(&sorted, |r| {
        r.set_of(|r| {
            count += 1;
            r.read_any().map(|_| ())
        })
    });
    assert_eq!((read, count), (Ok(()), 4));
}

#[test]
fn buffers_are_reused() {
    let mut w = Writer::with_capacity(64);
    assert!(w.is_empty());
    let five = w.sequence(|w| {
        w.default_false(false);
        w.default_false(true);
        5
    });
    assert_eq!((five, w.as_bytes()), (5, &hex!("3003 0101ff")[..]));
    w.clear();
    w.set(|w| w.null());
    assert_eq!(w.finish(), hex!("3102 0500"));
}
