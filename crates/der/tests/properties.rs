//! Whatever is written is read back; whatever is read, out of anything, is written again to the
//! same octets; and nothing panics.

use adamant_der::{
    Error, ErrorKind, Oid, Reader, Result, Tag, Time, Writer, base64, ber, parse, pem,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Some element.
#[derive(Clone, Debug)]
enum Element {
    Boolean(bool),
    Integer(Vec<u8>),
    Unsigned(Vec<u8>),
    Bits(Vec<u8>, u8),
    NamedBits(Vec<u8>),
    Octets(Vec<u8>),
    Null,
    Oid(Vec<u64>),
    Time(i64),
    GeneralizedTime(i64),
    Utf8(String),
    Printable(String),
    Ia5(String),
    Implicit(u8, Vec<u8>),
    Sequence(Vec<Element>),
    SetOf(Vec<Element>),
    Explicit(u8, Box<Element>),
    InBits(Box<Element>),
}

impl Element {
    fn write(&self, w: &mut Writer) {
        let time = |&unix| Time::from_unix(unix).unwrap();
        match self {
            Self::Boolean(value) => w.boolean(*value),
            Self::Integer(octets) => w.integer_bytes(octets),
            Self::Unsigned(octets) => w.integer_unsigned(octets),
            Self::Bits(octets, _) if octets.is_empty() => w.bit_string(&[], 0),
            Self::Bits(octets, unused) => w.bit_string(octets, *unused),
            Self::NamedBits(octets) => w.named_bits(octets),
            Self::Octets(octets) => w.octet_string(octets),
            Self::Null => w.null(),
            Self::Oid(arcs) => w.oid(&Oid::from_arcs(arcs).unwrap()),
            Self::Time(unix) => w.time(time(unix)),
            Self::GeneralizedTime(unix) => w.generalized_time(time(unix)),
            Self::Utf8(text) => w.utf8_string(text),
            Self::Printable(text) => w.printable_string(text),
            Self::Ia5(text) => w.ia5_string(text),
            Self::Implicit(number, octets) => w.tlv(Tag::context(*number), octets),
            Self::Sequence(elements) => w.sequence(|w| elements.iter().for_each(|e| e.write(w))),
            Self::SetOf(elements) => w.set_of(elements, |w, e| e.write(w)),
            Self::Explicit(number, element) => w.explicit(*number, |w| element.write(w)),
            Self::InBits(element) => w.bit_string_with(|w| element.write(w)),
        }
    }
}

fn elements() -> impl Strategy<Value = Element> {
    let octets = || vec(any::<u8>(), 0..300);
    let few = || vec(any::<u8>(), 0..12);
    let seconds = || Time::MIN.to_unix()..=Time::MAX.to_unix();
    let arcs = (0..=2_u64, 0..40_u64, vec(any::<u64>(), 0..6));
    let leaf = prop_oneof![
        any::<bool>().prop_map(Element::Boolean),
        few().prop_map(Element::Integer),
        few().prop_map(Element::Unsigned),
        (few(), 0..8_u8).prop_map(|(octets, unused)| Element::Bits(octets, unused)),
        few().prop_map(Element::NamedBits),
        octets().prop_map(Element::Octets),
        Just(Element::Null),
        arcs.prop_map(|(root, second, rest)| Element::Oid([vec![root, second], rest].concat())),
        (-631_152_000..2_524_608_000_i64).prop_map(Element::Time),
        seconds().prop_map(Element::Time),
        seconds().prop_map(Element::GeneralizedTime),
        any::<String>().prop_map(Element::Utf8),
        "[A-Za-z0-9 '()+,./:=?-]{0,20}".prop_map(Element::Printable),
        "[\\x00-\\x7f]{0,20}".prop_map(Element::Ia5),
        (0..31_u8, octets()).prop_map(|(number, octets)| Element::Implicit(number, octets)),
    ];
    leaf.prop_recursive(6, 60, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Element::Sequence),
            vec(inner.clone(), 0..8).prop_map(Element::SetOf),
            (0..31_u8, inner.clone()).prop_map(|(n, e)| Element::Explicit(n, e.into())),
            inner.prop_map(|e| Element::InBits(e.into())),
        ]
    })
}

/// Reads one element as what its tag says and writes what was understood of it.
fn rewrite(r: &mut Reader<'_>, w: &mut Writer) -> Result<()> {
    match r.peek_tag() {
        Some(Tag::BOOLEAN) => w.boolean(r.boolean()?),
        Some(Tag::INTEGER) => match r.unsigned() {
            Ok(magnitude) => w.integer_unsigned(magnitude),
            Err(_) => w.integer_bytes(r.integer_bytes()?),
        },
        Some(Tag::BIT_STRING) => {
            let bits = r.bit_string()?;
            w.bit_string(bits.bytes, bits.unused_bits);
        }
        Some(Tag::OCTET_STRING) => w.octet_string(r.octet_string()?),
        Some(Tag::NULL) => {
            r.null()?;
            w.null();
        }
        Some(Tag::OID) => {
            let oid = r.oid()?;
            // By way of the text too, where the arcs are small enough for it.
            let oid = oid.to_string().parse().unwrap_or(oid);
            w.oid(&oid);
        }
        Some(Tag::ENUMERATED) => w.enumerated(r.enumerated()?),
        Some(Tag::UTC_TIME) => w.time(r.utc_time()?),
        Some(Tag::GENERALIZED_TIME) => w.generalized_time(r.generalized_time()?),
        Some(Tag::UTF8_STRING) => w.utf8_string(r.utf8_string()?),
        Some(Tag::PRINTABLE_STRING) => w.printable_string(r.printable_string()?),
        Some(Tag::IA5_STRING) => w.ia5_string(r.ia5_string()?),
        Some(Tag::SET) => {
            let mut elements = Vec::new();
            r.set_of(|r| {
                let mut w = Writer::new();
                rewrite(r, &mut w)?;
                elements.push(w.finish());
                Ok(())
            })?;
            w.set_of(elements.iter().rev(), |w, element| w.raw(element));
        }
        Some(tag) if tag.is_constructed() => {
            let mut inner = r.enter(tag)?;
            w.nested(tag, |w| {
                while !inner.is_empty() {
                    rewrite(&mut inner, w)?;
                }
                Ok(())
            })?;
        }
        _ => {
            let tlv = r.read_any()?;
            let _ = tlv.text();
            w.tlv(tlv.tag, tlv.value);
        }
    }
    Ok(())
}

fn rewritten(der: &[u8]) -> Result<Vec<u8>> {
    let mut w = Writer::new();
    parse(der, |r| rewrite(r, &mut w))?;
    Ok(w.finish())
}

/// Refused within its octets, or accepted and written again as it was.
fn refused_or_canonical(der: &[u8]) {
    match rewritten(der) {
        Ok(again) => assert_eq!(again, der),
        Err(error) => assert!(error.position() <= der.len(), "{error}"),
    }
}

/// The element in a form that only BER has; `choices` says which.
fn in_ber(r: &mut Reader<'_>, choices: &mut impl Iterator<Item = u8>, out: &mut Vec<u8>) {
    let tlv = r.read_any().unwrap();
    let choice = choices.next().unwrap_or_default();
    let mut value = Vec::new();
    let mut octet = tlv.tag.octet();
    match tlv.tag {
        Tag::BOOLEAN => value.push(tlv.value[0] & (choice | 1)),
        Tag::OCTET_STRING | Tag::UTF8_STRING | Tag::IA5_STRING | Tag::UTC_TIME
            if choice & 1 == 1 =>
        {
            octet |= 0x20;
            for piece in tlv.value.chunks(1 + usize::from(choice) / 2) {
                value.extend([&[4, 0x81, piece.len() as u8], piece].concat());
            }
        }
        Tag::BIT_STRING if choice & 1 == 1 => {
            octet |= 0x20;
            let mut pieces = tlv.value[1..]
                .chunks(1 + usize::from(choice) / 2)
                .peekable();
            while let Some(piece) = pieces.next() {
                let unused = if pieces.peek().is_none() {
                    tlv.value[0]
                } else {
                    0
                };
                value.extend([&[3, 0x81, piece.len() as u8 + 1, unused], piece].concat());
            }
        }
        tag if tag.is_constructed() => {
            let mut inner = tlv.reader().unwrap();
            let mut elements = Vec::new();
            while !inner.is_empty() {
                let mut element = Vec::new();
                in_ber(&mut inner, choices, &mut element);
                elements.push(element);
            }
            if tag == Tag::SET {
                elements.reverse();
            }
            value = elements.concat();
        }
        _ => value.extend(tlv.value),
    }
    out.push(octet);
    if octet & 0x20 != 0 && choice & 2 == 2 {
        out.push(0x80);
        out.extend(value);
        out.extend([0, 0]);
    } else {
        let length = (value.len() as u32).to_be_bytes();
        out.extend([&[0x84], &length[..], &value].concat());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(element in elements()) {
        let mut w = Writer::new();
        element.write(&mut w);
        let der = w.finish();
        prop_assert_eq!(rewritten(&der), Ok(der.clone()));

        // Nothing less and nothing more is accepted.
        for cut in 0..der.len().min(300) {
            prop_assert!(rewritten(&der[..cut]).is_err());
        }
        let mut longer = der.clone();
        longer.push(0);
        let trailing = Error::new(ErrorKind::TrailingData, der.len());
        prop_assert_eq!(rewritten(&longer), Err(trailing));
    }

    #[test]
    fn what_is_read_is_canonical(
        element in elements(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..4),
    ) {
        let mut w = Writer::new();
        element.write(&mut w);
        let mut der = w.finish();
        for (at, octet, change) in changes {
            let at = at.index(der.len().max(1)).min(der.len());
            match change {
                0 => der.insert(at, octet),
                1 if at < der.len() => { der.remove(at); }
                2 if at < der.len() => der[at] ^= 1 << (octet % 8),
                _ if at < der.len() => der[at] = octet,
                _ => {}
            }
            refused_or_canonical(&der);
        }
    }

    #[test]
    fn ber_becomes_der(element in elements(), choices in vec(any::<u8>(), 0..60)) {
        let mut w = Writer::new();
        element.write(&mut w);
        let der = w.finish();
        prop_assert_eq!(ber::to_der(&der), Ok(der.clone()));
        let mut octets = Vec::new();
        in_ber(&mut Reader::new(&der), &mut choices.into_iter(), &mut octets);
        prop_assert_eq!(ber::to_der(&octets), Ok(der));
        for cut in 1..octets.len().min(300) {
            prop_assert!(ber::to_der(&octets[..cut]).is_err());
        }
    }

    #[test]
    fn anything_goes_in(octets in vec(any::<u8>(), 0..200)) {
        refused_or_canonical(&octets);
        match ber::to_der(&octets) {
            Ok(der) => prop_assert_eq!(ber::to_der(&der), Ok(der.clone())),
            Err(error) => prop_assert!(error.position() <= octets.len()),
        }
        let _ = Oid::from_der(&octets).map(|oid| oid.to_string());
        if let Ok(decoded) = base64::decode(&octets) {
            prop_assert_eq!(base64::encode(&decoded).into_bytes(), octets);
        }
    }

    /// Small elements, so that most of random octets reach their rules.
    #[test]
    fn anything_goes_into_an_element(tag in 0..=255_u8, value in vec(any::<u8>(), 0..20)) {
        refused_or_canonical(&[&[tag, value.len() as u8], &value[..]].concat());
    }

    #[test]
    fn times_agree(unix in Time::MIN.to_unix()..=Time::MAX.to_unix()) {
        let time = Time::from_unix(unix).unwrap();
        prop_assert_eq!(time.date_time().time(), Some(time));
        prop_assert_eq!(time.to_string().parse(), Ok(time));
    }

    #[test]
    fn texts_are_read(octets in vec(any::<u8>(), 0..400), before in "[a-z\n-]{0,20}") {
        prop_assert_eq!(base64::decode(base64::encode(&octets)), Ok(octets.clone()));
        let text = format!("{before}\n{}", pem::encode("SOME LABEL", &octets));
        let block = pem::decode_first(&text, &["SOME LABEL"]);
        prop_assert_eq!(block.map(pem::Block::into_der), Ok(octets));
    }

    #[test]
    fn any_text_is_read(text in "(-----BEGIN A-----|-----END A-----|[A-Za-z0-9+/]{4}|=|-|\n|\r| |.){0,30}") {
        for block in pem::decode(&text) {
            if let Err(error) = block {
                prop_assert!(error.position() <= text.len());
            }
        }
    }
}
