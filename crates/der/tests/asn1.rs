//! Types described with `asn1!`: known encodings, and what is refused where.

use adamant_der::asn1::{
    GeneralizedTime, Ia5String, Integer, PrintableString, SetOf, Type, Unsigned, decode, encode,
};
use adamant_der::{BitString, ErrorKind, Oid, Tag, Time, Tlv, asn1, oid, parse};
use proptest::prelude::*;

asn1! {
    #[derive(Clone, Debug, PartialEq)]
    struct All<'a>: SEQUENCE {
        [0] EXPLICIT version: u32 = 0,
        flag: bool = false,
        kind: Oid,
        owner: Owner<'a>,
        state: Option<State>,
        [1] IMPLICIT limit: Option<u64>,
        [2] IMPLICIT inner: Option<Inner<'a>>,
        [3] EXPLICIT choice: Option<Owner<'a>>,
        [4] IMPLICIT marks: SetOf<u64>,
        rest: Vec<Tlv<'a>>,
    }

    #[derive(Clone, Debug, PartialEq)]
    struct Inner<'a>: SEQUENCE {
        at: Time,
        then: GeneralizedTime,
        ascii: Ia5String<'a>,
        print: PrintableString<'a>,
        number: Integer<'a>,
        magnitude: Unsigned<'a>,
        octets: &'a [u8],
        bits: BitString<'a>,
        nothing: (),
    }

    #[derive(Clone, Debug, PartialEq)]
    enum Owner<'a>: CHOICE {
        Name(&'a str),
        [0] IMPLICIT Number(u64),
        [1] EXPLICIT Other(Vec<Oid>),
    }

    #[derive(Clone, Debug, PartialEq)]
    struct Absent<'a>: SEQUENCE {
        then: Option<GeneralizedTime>,
        at: Option<Time>,
        name: Option<&'a str>,
        [1] IMPLICIT limit: Option<u64>,
        any: Option<Tlv<'a>>,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum State: ENUMERATED {
        Open = 0,
        Closed = 5,
    }
}

/// Every field, by hand.
#[rustfmt::skip]
const FULL: &[u8] = &[
    0x30, 98,
        0xa0, 3, 2, 1, 1,
        1, 1, 0xff,
        6, 2, 0x2a, 3,
        0x0c, 2, 0xc3, 0xbc,
        10, 1, 5,
        0x81, 2, 1, 44,
        0xa2, 54,
            0x17, 13, b'4', b'9', b'0', b'1', b'0', b'1', b'0', b'0', b'0', b'0', b'0', b'0', b'Z',
            0x18, 15, b'2', b'0', b'2', b'6', b'0', b'1', b'0', b'1', b'0', b'0', b'0', b'0', b'0', b'0', b'Z',
            0x16, 1, b'@',
            0x13, 1, b'A',
            2, 1, 0xff,
            2, 2, 0, 0x80,
            4, 1, 7,
            3, 2, 4, 0xf0,
            5, 0,
        0xa3, 3, 0x80, 1, 9,
        0xa4, 6, 2, 1, 1, 2, 1, 2,
        0x30, 4, 5, 0, 4, 0,
];

/// Nothing that may be absent.
const LEAST: &[u8] = &[
    0x30, 17, 6, 2, 0x2a, 3, 0xa1, 5, 0x30, 3, 6, 1, 0x2a, 0xa4, 0, 0x30, 0,
];

#[test]
fn every_field() {
    assert_eq!(usize::from(FULL[1]), FULL.len() - 2);
    let all: All<'_> = decode(FULL).unwrap();
    assert_eq!(encode(&all), FULL);
    assert_eq!((all.version, all.flag, all.kind), (1, true, oid!("1.2.3")));
    assert_eq!(all.owner, Owner::Name("\u{fc}"));
    assert_eq!((all.state, all.limit), (Some(State::Closed), Some(300)));
    assert_eq!(all.choice, Some(Owner::Number(9)));
    assert_eq!(all.marks, SetOf(vec![1, 2]));
    assert_eq!(all.rest[0].tag, Tag::NULL);
    let inner = all.inner.unwrap();
    assert_eq!(inner.at.to_string(), "2049-01-01T00:00:00Z");
    assert_eq!(inner.then.0.to_string(), "2026-01-01T00:00:00Z");
    assert_eq!((inner.ascii.as_str(), inner.print.as_str()), ("@", "A"));
    assert_eq!(
        (inner.number.0, inner.magnitude.0),
        (&[0xff][..], &[0x80][..])
    );
    assert_eq!((inner.octets, inner.bits.len()), (&[7][..], 4));
    // What is out of order is put in order.
    let all = All {
        marks: SetOf(vec![2, 1]),
        ..decode(FULL).unwrap()
    };
    assert_eq!(encode(&all), FULL);
}

#[test]
fn nothing_that_may_be_absent() {
    let mut least = LEAST.to_vec();
    least[1] = least.len() as u8 - 2;
    let all: All<'_> = decode(&least).unwrap();
    assert_eq!(encode(&all), least);
    assert_eq!((all.version, all.flag), (0, false));
    assert_eq!(all.owner, Owner::Other(vec![oid!("1.2")]));
    assert!(all.state.is_none() && all.limit.is_none() && all.inner.is_none());
    assert!(all.choice.is_none() && all.marks.0.is_empty() && all.rest.is_empty());
}

/// Each of what may be absent, or not, in front of and behind what is there.
#[test]
fn some_of_what_may_be_absent() {
    let all = Absent {
        then: Some(GeneralizedTime("2026-01-01T00:00:00Z".parse().unwrap())),
        at: Some("2049-01-01T00:00:00Z".parse().unwrap()),
        name: Some("\u{fc}"),
        limit: Some(300),
        any: parse(&[5, 0], |r| r.read_any()).ok(),
    };
    let lengths = [17, 15, 4, 4, 2];
    for there in 0..32_u8 {
        let is_there = |field| there >> field & 1 == 1;
        let some = Absent {
            then: all.then.filter(|_| is_there(0)),
            at: all.at.filter(|_| is_there(1)),
            name: all.name.filter(|_| is_there(2)),
            limit: all.limit.filter(|_| is_there(3)),
            any: all.any.filter(|_| is_there(4)),
        };
        let der = encode(&some);
        let length: usize = (0..5).filter(|&i| is_there(i)).map(|i| lengths[i]).sum();
        assert_eq!((usize::from(der[1]), der.len()), (length, length + 2));
        // Where ANY was is told apart from the octets.
        let mut read: Absent<'_> = decode(&der).unwrap();
        assert_eq!(
            read.any.take().map(|any| any.raw),
            some.any.map(|any| any.raw)
        );
        assert_eq!(read, Absent { any: None, ..some });
    }
}

#[test]
fn refusals() {
    // Bytes of FULL that become others, and what is said where.
    let refused = |at: usize, octets: &[u8], kind, position| {
        let mut der = FULL.to_vec();
        der[at..at + octets.len()].copy_from_slice(octets);
        let error = decode::<All<'_>>(&der).unwrap_err();
        assert_eq!(
            (error.kind(), error.position()),
            (kind, position),
            "{error}"
        );
    };
    // Defaults that are written.
    refused(6, &[0], ErrorKind::ExplicitDefault, 2);
    refused(9, &[0], ErrorKind::ExplicitDefault, 7);
    // No alternative.
    let none = ErrorKind::UnexpectedValue("an element that is none of the alternatives");
    refused(14, &[0x82], none, 14);
    let unknown = ErrorKind::UnexpectedValue("unknown State");
    refused(20, &[4], unknown, 20);
    // An order that is not DER's; a magnitude that is negative; a character that is not printable.
    let at = FULL.len() - 12;
    refused(at, &[2, 1, 2, 2, 1, 1], ErrorKind::UnsortedSet, at + 3);
    let at = 27 + 15 + 17 + 3;
    refused(at + 2, b"@", ErrorKind::BadString, at + 2);
    refused(
        at + 3 + 3 + 2,
        &[0x80, 0],
        ErrorKind::NegativeInteger,
        at + 8,
    );
    // An element too many within, and after.
    let mut der = FULL.to_vec();
    der.extend([5, 0]);
    let error = decode::<All<'_>>(&der).unwrap_err();
    assert_eq!(
        (error.kind(), error.position()),
        (ErrorKind::TrailingData, FULL.len())
    );
    der[1] += 2;
    let error = decode::<All<'_>>(&der).unwrap_err();
    assert_eq!(
        (error.kind(), error.position()),
        (ErrorKind::TrailingData, FULL.len())
    );
    for end in 0..FULL.len() {
        assert!(decode::<All<'_>>(&FULL[..end]).is_err());
    }
    assert_eq!(Ia5String::new("\u{fc}"), None);
    assert_eq!(Ia5String::new("@").map(|text| text.as_str()), Some("@"));
    assert_eq!(PrintableString::new("A@"), None);
    assert_eq!(
        PrintableString::new("A").map(|text| text.as_str()),
        Some("A")
    );
    assert!(!<Owner<'_> as Type>::fits(Tag::INTEGER));
}

proptest! {
    #[test]
    fn what_is_read_is_written_again(at in 0..FULL.len(), octet: u8, more in 0..FULL.len(), other: u8) {
        let mut der = FULL.to_vec();
        der[at] = octet;
        der[more] = other;
        if let Ok(all) = decode::<All<'_>>(&der) {
            prop_assert_eq!(encode(&all), der);
        }
    }
}
