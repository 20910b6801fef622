//! Every reason for refusing DER, with its position.

use adamant_der::{Error, ErrorKind, Leniency, MAX_DEPTH, Reader, Result, Tag, Writer, parse};
use hex_literal::hex;

use ErrorKind::*;

#[track_caller]
fn refused<'a, T: std::fmt::Debug>(
    der: &'a [u8],
    read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
    kind: ErrorKind,
    position: usize,
) {
    assert_eq!(parse(der, read).unwrap_err(), Error::new(kind, position));
}

const fn unexpected(expected: Tag, actual: Tag) -> ErrorKind {
    UnexpectedTag { expected, actual }
}

#[test]
fn tags() {
    refused(
        &hex!("020101"),
        |r| r.boolean(),
        unexpected(Tag::BOOLEAN, Tag::INTEGER),
        0,
    );
    refused(
        &hex!("3006 020101 0101ff"),
        |r| r.sequence(|r| Ok((r.u8()?, r.null()?))),
        unexpected(Tag::NULL, Tag::BOOLEAN),
        5,
    );
    // A tag number of 31 or more, and what has the wrong form.
    refused(&hex!("1f2000"), |r| r.read_any(), HighTagNumber, 0);
    refused(
        &hex!("3003 bf2000"),
        |r| r.sequence(|r| r.read_any()),
        HighTagNumber,
        2,
    );
    for der in [
        hex!("0000"),
        hex!("2000"),
        hex!("1000"),
        hex!("1100"),
        hex!("2400"),
        hex!("2c00"),
        hex!("2100"),
    ] {
        refused(&der, |r| r.read_any(), InvalidTag, 0);
    }
    for der in [
        hex!("2800"),
        hex!("8000"),
        hex!("a000"),
        hex!("4000"),
        hex!("fe00"),
    ] {
        assert!(parse(&der, |r| r.read_any()).is_ok());
    }
    refused(&hex!("2403 040100"), |r| r.octet_string(), InvalidTag, 0);
    refused(
        &hex!("8000"),
        |r| r.explicit(0, |_| Ok(())),
        unexpected(Tag::context_constructed(0), Tag::context(0)),
        0,
    );
}

#[test]
fn ends() {
    refused(&[], |r| r.read_any(), Truncated, 0);
    refused(&[0x30], |r| r.read_any(), Truncated, 0);
    refused(&hex!("3001"), |r| r.read_any(), Truncated, 0);
    refused(&hex!("0482"), |r| r.read_any(), Truncated, 0);
    refused(&hex!("048201"), |r| r.read_any(), Truncated, 0);
    refused(&hex!("04820100 00"), |r| r.read_any(), Truncated, 0);
    refused(&hex!("0484ffffffff 00"), |r| r.read_any(), Truncated, 0);
    // The inner element reaches out of the outer one, though not of the input.
    refused(
        &hex!("3005 3003 0202 01 00"),
        |r| r.sequence(|r| r.sequence(|r| r.u8())),
        Truncated,
        4,
    );
    refused(&hex!("3000"), |r| r.sequence(|r| r.u8()), Truncated, 2);
    refused(
        &hex!("3003 020105"),
        |r| r.sequence(|r| Ok((r.u8()?, r.u8()?))),
        Truncated,
        5,
    );

    refused(&hex!("020105 00"), |r| r.u8(), TrailingData, 3);
    refused(
        &hex!("3006 020105 020106"),
        |r| r.sequence(|r| r.u8()),
        TrailingData,
        5,
    );
    refused(
        &hex!("a005 020105 0500"),
        |r| r.explicit(0, |r| r.u8()),
        TrailingData,
        5,
    );
    refused(
        &hex!("0405 020105 0500"),
        |r| r.nested(Tag::OCTET_STRING, |r| r.u8()),
        TrailingData,
        5,
    );
    refused(
        &hex!("0306 00 020105 0500"),
        |r| r.bit_string()?.parse(|r| r.u8()),
        TrailingData,
        6,
    );
    refused(
        &hex!("3103 020105"),
        |r| r.set_of(|_| Ok(())),
        TrailingData,
        2,
    );
    refused(
        &hex!("3003 020105"),
        |r| r.sequence_of(|_| Ok(())),
        TrailingData,
        2,
    );
    let mut inner = Reader::new(&hex!("3003 020105"))
        .enter(Tag::SEQUENCE)
        .unwrap();
    assert_eq!(inner.u8(), Ok(5));
    assert_eq!(inner.finish(), Ok(()));
}

#[test]
fn lengths() {
    refused(&hex!("3080 0000"), |r| r.read_any(), IndefiniteLength, 1);
    refused(
        &hex!("3004 2480 0000"),
        |r| r.sequence(|r| r.read_any()),
        InvalidTag,
        2,
    );
    refused(
        &hex!("3004 3080 0000"),
        |r| r.sequence(|r| r.read_any()),
        IndefiniteLength,
        3,
    );
    refused(&hex!("048101 00"), |r| r.read_any(), NonCanonicalLength, 1);
    refused(&hex!("04817f 00"), |r| r.read_any(), NonCanonicalLength, 1);
    refused(
        &hex!("04820080 00"),
        |r| r.read_any(),
        NonCanonicalLength,
        1,
    );
    refused(
        &hex!("048200ff 00"),
        |r| r.read_any(),
        NonCanonicalLength,
        1,
    );
    refused(
        &hex!("0488 0000000000000001 00"),
        |r| r.read_any(),
        NonCanonicalLength,
        1,
    );
    refused(
        &hex!("0485 0100000000"),
        |r| r.read_any(),
        LengthTooLarge,
        1,
    );
    refused(&hex!("04fe 01"), |r| r.read_any(), LengthTooLarge, 1);
    refused(&hex!("04ff 01"), |r| r.read_any(), LengthTooLarge, 1);
}

#[test]
fn integers() {
    let any = |r: &mut Reader<'_>| r.integer_bytes().map(<[u8]>::to_vec);
    refused(&hex!("0200"), any, NonCanonicalInteger, 2);
    refused(&hex!("02020001"), any, NonCanonicalInteger, 2);
    refused(&hex!("0202007f"), any, NonCanonicalInteger, 2);
    refused(&hex!("0202ff80"), any, NonCanonicalInteger, 2);
    refused(&hex!("020180"), |r| r.u64(), NegativeInteger, 2);
    refused(
        &hex!("3003 0201ff"),
        |r| r.sequence(|r| r.unsigned().map(<[u8]>::len)),
        NegativeInteger,
        4,
    );
    refused(&hex!("02020100"), |r| r.u8(), IntegerTooLong, 2);
    refused(&hex!("02050100000000"), |r| r.u32(), IntegerTooLong, 2);
    refused(
        &hex!("0209010000000000000000"),
        |r| r.u64(),
        IntegerTooLong,
        2,
    );
    refused(&hex!("0a020100"), |r| r.enumerated(), IntegerTooLong, 2);

    // A serial number may have 20 octets, the sign's included.
    let serial = |magnitude: &[u8]| {
        let mut w = Writer::new();
        w.sequence(|w| w.integer_unsigned(magnitude));
        let der = w.finish();
        parse(&der, |r| {
            r.sequence(|r| r.unsigned_bounded(20).map(<[u8]>::len))
        })
    };
    assert_eq!(serial(&[0x7f; 20]), Ok(20));
    assert_eq!(serial(&[0x80; 19]), Ok(19));
    assert_eq!(serial(&[0x80; 20]), Err(Error::new(IntegerTooLong, 4)));
    assert_eq!(serial(&[0x01; 21]), Err(Error::new(IntegerTooLong, 4)));
}

#[test]
fn simple_values() {
    refused(&hex!("0100"), |r| r.boolean(), BadBoolean, 2);
    refused(&hex!("010101"), |r| r.boolean(), BadBoolean, 2);
    refused(&hex!("0102ffff"), |r| r.boolean(), BadBoolean, 2);
    refused(&hex!("050100"), |r| r.null(), BadNull, 2);
    refused(&hex!("010100"), |r| r.default_false(), ExplicitDefault, 0);
    refused(&hex!("010101"), |r| r.default_false(), BadBoolean, 2);
    assert_eq!(parse(&hex!("0101ff"), |r| r.default_false()), Ok(true));
    assert_eq!(parse(&[], |r| r.default_false()), Ok(false));
    assert_eq!(
        parse(&hex!("0500"), |r| Ok((r.default_false()?, r.null()?))),
        Ok((false, ()))
    );

    for der in [
        &hex!("0300")[..],
        &hex!("030101"),
        &hex!("03020880"),
        &hex!("03020181"),
        &hex!("0302077f"),
    ] {
        refused(der, |r| r.bit_string(), BadBitString, 2);
    }
    refused(
        &hex!("03020480"),
        |r| r.bit_string_octets(),
        BadBitString,
        2,
    );
    refused(
        &hex!("03020480"),
        |r| r.bit_string()?.parse(|_| Ok(())),
        BadBitString,
        3,
    );
    refused(
        &hex!("03020006"),
        |r| r.named_bits(),
        NonCanonicalBitList,
        2,
    );
    refused(
        &hex!("0303000600"),
        |r| r.named_bits(),
        NonCanonicalBitList,
        2,
    );
}

#[test]
fn identifiers() {
    refused(&hex!("0600"), |r| r.oid(), BadOid, 2);
    refused(&hex!("06032a8680"), |r| r.oid(), BadOid, 3);
    refused(&hex!("06042a80 8601"), |r| r.oid(), BadOid, 3);
    refused(&hex!("06028001"), |r| r.oid(), BadOid, 2);
    refused(&hex!("060180"), |r| r.oid(), BadOid, 2);
    refused(&hex!("06012a 00"), |r| r.oid(), TrailingData, 3);
    let mut long = vec![0x06, 64];
    long.extend([0x81; 63]);
    long.push(1);
    refused(&long, |r| r.oid(), OidTooLong, 2);
}

#[test]
fn strings_and_times() {
    refused(
        &hex!("1303 61 40 62"),
        |r| r.printable_string().map(str::len),
        BadString,
        3,
    );
    refused(
        &hex!("1603 61 62 80"),
        |r| r.ia5_string().map(str::len),
        BadString,
        4,
    );
    refused(
        &hex!("0c03 61 c3 28"),
        |r| r.utf8_string().map(str::len),
        BadString,
        3,
    );
    refused(
        &hex!("0c03 eda080"),
        |r| r.utf8_string().map(str::len),
        BadString,
        2,
    );
    refused(
        &hex!("8201ff"),
        |r| r.read_any()?.str().map(str::len),
        BadString,
        2,
    );

    for octets in [
        "920520240000Z", // X.690, 11.8.3: midnight wrongly
        "9207211321Z",   // without seconds
        "920722132100",
        "920722132100+0000",
        "920722132100z",
        "920229000060Z",
        "930229000000Z",
        "920431000000Z",
        "921301000000Z",
        "920001000000Z",
        "920100000000Z",
        "9201 1000000Z",
        "92010100000:Z",
        "",
        "Z",
    ] {
        let mut w = Writer::new();
        w.tlv(Tag::UTC_TIME, octets.as_bytes());
        refused(w.as_bytes(), |r| r.time(), BadTime, 2);
        refused(w.as_bytes(), |r| r.time_rfc5280(), BadTime, 2);
    }
    for octets in [
        "19920520240000Z", // X.690, 11.7.5
        "19920622123421.0Z",
        "19920722132100.30Z",
        "19920722132100.3Z", // DER, but not RFC 5280
        "920722132100Z",
        "19920722132100",
        "19000229000000Z",
    ] {
        let mut w = Writer::new();
        w.tlv(Tag::GENERALIZED_TIME, octets.as_bytes());
        refused(w.as_bytes(), |r| r.time(), BadTime, 2);
        refused(w.as_bytes(), |r| r.time_rfc5280(), BadTime, 2);
    }
    refused(
        &hex!("0500"),
        |r| r.time(),
        unexpected(Tag::UTC_TIME, Tag::NULL),
        0,
    );
    refused(
        &hex!("0500"),
        |r| r.time_rfc5280(),
        unexpected(Tag::UTC_TIME, Tag::NULL),
        0,
    );
}

/// What passes, for all that a caller can ask for; here and within.
#[test]
fn leniencies() {
    let faults = [
        Leniency::ENCODED_DEFAULTS,
        Leniency::EARLY_GENERALIZED_TIMES,
        Leniency::LONG_SERIALS,
        Leniency::EMPTY_REVOKED_CERTIFICATES,
        Leniency::LEADING_DOTS,
    ];
    let default = hex!("3003 010100");
    let early = hex!("3011 180f 32303439303130313030303030305a");
    for asked in 0..1_u8 << faults.len() {
        let is_asked = |i: usize| asked >> i & 1 == 1;
        let some = (0..faults.len()).filter(|&i| is_asked(i));
        let leniency = some.fold(Leniency::NONE, |some, i| some | faults[i]);
        for (i, &fault) in faults.iter().enumerate() {
            assert_eq!(leniency.contains(fault), is_asked(i));
        }
        let all = asked + 1 == 1 << faults.len();
        assert_eq!(leniency.contains(Leniency::ALL), all);
        let reader = |der| Reader::new(der).lenient(leniency);
        let read = reader(&default).sequence(|r| r.default_false());
        let refused = Err(Error::new(ExplicitDefault, 2));
        assert_eq!(read, if is_asked(0) { Ok(false) } else { refused });
        let read = reader(&early).sequence(|r| r.time_rfc5280().map(|time| time.to_unix()));
        let refused = Err(Error::new(WrongTimeType, 2));
        assert_eq!(
            read,
            if is_asked(1) {
                Ok(2_493_072_000)
            } else {
                refused
            }
        );
    }
}

#[test]
fn order_and_depth() {
    let unsorted = hex!("3006 020102 020101");
    assert!(parse(&unsorted, |r| r.sequence_of(|r| r.u8().map(|_| ()))).is_ok());
    let unsorted = hex!("3106 020102 020101");
    refused(
        &unsorted,
        |r| r.set_of(|r| r.u8().map(|_| ())),
        UnsortedSet,
        5,
    );
    refused(
        &hex!("3106 020101 020102"),
        |r| r.set_of(|r| r.boolean().map(|_| ())),
        unexpected(Tag::BOOLEAN, Tag::INTEGER),
        2,
    );
    refused(
        &hex!("3103 0202 01"),
        |r| r.set_of(|r| r.u8().map(|_| ())),
        Truncated,
        2,
    );

    fn descend(r: &mut Reader<'_>) -> Result<usize> {
        if r.is_empty() {
            Ok(0)
        } else {
            Ok(1 + r.sequence(descend)?)
        }
    }
    let nested = |levels| {
        (0..levels).fold(Vec::new(), |inner, _| {
            let mut w = Writer::new();
            w.tlv(Tag::SEQUENCE, &inner);
            w.finish()
        })
    };
    let max = usize::from(MAX_DEPTH);
    assert_eq!(parse(&nested(max), descend), Ok(max));
    let deep = nested(max + 1);
    let error = parse(&deep, descend).unwrap_err();
    assert_eq!(
        (error.kind(), error.position()),
        (NestingTooDeep, deep.len() - 2)
    );
    assert!(parse(&nested(10_000), descend).is_err());
}

#[test]
fn a_reader_stays_before_what_it_refuses() {
    let der = hex!("0201ff");
    let mut r = Reader::at(&der, 100);
    assert_eq!(r.u8(), Err(Error::new(NegativeInteger, 102)));
    assert_eq!(r.boolean().unwrap_err().position(), 100);
    assert_eq!(
        (r.position(), r.rest(), r.peek_tag()),
        (100, &der[..], Some(Tag::INTEGER))
    );
    assert_eq!(r.integer_bytes(), Ok(&[0xff][..]));
    assert_eq!(
        (r.position(), r.is_empty(), r.peek_tag()),
        (103, true, None)
    );
    assert_eq!(
        r.error(UnexpectedValue("version")).to_string(),
        "version at byte 103"
    );
}

#[test]
fn displayed() {
    let tags = [
        Tag::context_constructed(3),
        Tag::from_octet(0x61).unwrap(),
        Tag::from_octet(0xc1).unwrap(),
    ];
    let text = tags.map(|tag| tag.to_string());
    assert_eq!(
        text,
        [
            "[3] constructed",
            "[APPLICATION 1] constructed",
            "[PRIVATE 1]"
        ]
    );
    assert_eq!(
        format!("{:?}", Tag::from_octet(0x09).unwrap()),
        "[UNIVERSAL 9]"
    );
    assert_eq!(Tag::from_octet(0x3f), None);
    let error: Box<dyn std::error::Error> = Box::new(Error::new(LengthTooLarge, 7));
    assert_eq!(
        error.to_string(),
        "length in more than four octets at byte 7"
    );
}
