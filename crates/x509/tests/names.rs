//! Names as text: the examples of RFC 4514, section 4, and what else its grammar has.

use adamant_der::{Tag, oid};
use adamant_x509::extensions::GeneralName;
use adamant_x509::name::{COMMON_NAME, DOMAIN_COMPONENT};
use adamant_x509::{DistinguishedName, Name};
use hex_literal::hex;

fn name(text: &str) -> DistinguishedName {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn rfc4514_examples() {
    for text in [
        "UID=jsmith,DC=example,DC=net",
        "OU=Sales+CN=J.  Smith,DC=example,DC=net",
        r"CN=James \22Jim\22 Smith\, III,DC=example,DC=net",
        r"CN=Before\0dAfter,DC=example,DC=net",
        "1.3.6.1.4.1.1466.0=#04024869",
        r"CN=Lu\C4\8Di\C4\87",
    ] {
        let name = name(text);
        assert_eq!(name.to_string().parse(), Ok(name.clone()), "{text}");
        assert_eq!(Name::from_der(name.as_der()).unwrap(), name.as_name());
    }
    let smith = name(r#"CN=James \"Jim\" Smith\, III,DC=example,DC=net"#);
    assert_eq!(
        smith.as_name().common_name().unwrap(),
        "James \"Jim\" Smith, III"
    );
    assert_eq!(
        smith,
        name(r"CN=James \22Jim\22 Smith\, III,DC=example,DC=net")
    );
    assert_eq!(
        smith.to_string(),
        r#"CN=James \"Jim\" Smith\, III,DC=example,DC=net"#
    );
    assert_eq!(
        name(r"CN=Lu\C4\8Di\C4\87").to_string(),
        "CN=Lu\u{10d}i\u{107}"
    );
    let unknown = name("1.3.6.1.4.1.1466.0=#04024869");
    let attribute = unknown.as_name().attributes().next().unwrap();
    assert_eq!(attribute.oid, oid!("1.3.6.1.4.1.1466.0"));
    assert_eq!(
        (attribute.value.tag, attribute.value.value),
        (Tag::OCTET_STRING, &b"Hi"[..])
    );
    assert_eq!(attribute.text(), None);
}

/// Attributes of one relative name, and of several.
#[test]
fn attributes_of_relative_names() {
    for (text, counts) in [
        ("CN=a", &[1][..]),
        ("CN=a,O=b", &[1, 1]),
        ("CN=a+O=b", &[2]),
        ("C=NL,CN=a+O=b+OU=c,DC=d", &[1, 3, 1]),
    ] {
        let name = name(text);
        let found = name.as_name().rdns().map(|rdn| rdn.attributes().count());
        assert!(found.eq(counts.iter().copied()), "{text}");
    }
}

/// What a terminal would obey, or would show as another line or in another order, is escaped; and
/// read back it is the same name.
#[test]
fn characters_that_do_not_show() {
    let text = "a\u{1b}[2J\nO=b\u{9b}\u{202e}\u{2028}\u{7f}\u{200b}\u{301}ü\\";
    let hostile = DistinguishedName::new()
        .common_name(text)
        .organization("\u{301}\r");
    let shown = hostile.to_string();
    assert_eq!(
        shown,
        "O=\u{301}\\0d,CN=a\\1b[2J\\0aO=b\\c2\\9b\\e2\\80\\ae\\e2\\80\\a8\\7f\\e2\\80\\8b\u{301}ü\\\\"
    );
    assert_eq!(shown.parse(), Ok(hostile));
    assert_eq!(
        GeneralName::Dns("a\u{1b}[2J\nDNS:b").to_string(),
        r"DNS:a\u{1b}[2J\nDNS:b"
    );
}

#[test]
fn spaces_escapes_and_case() {
    assert_eq!(name("cn = a , o= b ; Dc=c"), name("CN=a,O=b,DC=c"));
    assert_eq!(name(r"CN=\ a\ ,O=\#b\\").to_string(), r"CN=\ a\ ,O=\#b\\");
    assert_eq!(name(r"CN=\ ").as_name().common_name().unwrap(), " ");
    assert_eq!(name(r"CN=a\00").to_string(), r"CN=a\00");
    assert_eq!(name("2.5.4.3=a"), name("CN=a"));
    assert_eq!(name(r"CN=\#a\#b#").to_string(), r"CN=\#a#b#");
    assert_eq!(name("CN=#0c0161 , O=b"), name("CN=a,O=b"));
    assert_eq!(name("CN=").as_name().common_name().unwrap(), "");
    assert_eq!(name(" "), DistinguishedName::new());
    assert!(DistinguishedName::new().as_name().is_empty());
}

#[test]
fn string_types() {
    let tags = |text: &str| {
        let name = name(text);
        let tags: Vec<_> = name.as_name().attributes().map(|a| a.value.tag).collect();
        tags
    };
    assert_eq!(
        tags("CN=a,DC=b,C=NL,emailAddress=c@d"),
        [
            Tag::IA5_STRING,
            Tag::PRINTABLE_STRING,
            Tag::IA5_STRING,
            Tag::UTF8_STRING
        ]
    );
    // Where a type does not have a character, UTF8String does.
    assert_eq!(tags("DC=\u{e9}"), [Tag::UTF8_STRING]);
    assert_eq!(tags("serialNumber=a_b"), [Tag::UTF8_STRING]);
    let two = DistinguishedName::new()
        .with(DOMAIN_COMPONENT, "example")
        .with(COMMON_NAME, "a");
    assert_eq!(two, name("CN=a,DC=example"));
}

/// The older string types of names.
#[test]
fn other_string_types() {
    for (value, text) in [
        (&hex!("1e0400410042")[..], "AB"),
        (&hex!("1c080000004100010300"), "A\u{10300}"),
        (&hex!("1402e941"), "\u{e9}A"),
        (&hex!("12023132"), "12"),
        (&hex!("1a024142"), "AB"),
    ] {
        let attribute = [&hex!("0603550403")[..], value].concat();
        let len = attribute.len() as u8;
        let der = [&[0x30, len + 4, 0x31, len + 2, 0x30, len][..], &attribute].concat();
        let name = Name::from_der(&der).unwrap();
        assert_eq!(name.common_name().unwrap(), text);
        assert_eq!(name.to_string(), format!("CN={text}"));
    }
}
