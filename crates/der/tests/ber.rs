//! BER made DER: the examples of X.690, and what BER does not allow either.

use adamant_der::ber::to_der;
use adamant_der::{ErrorKind, MAX_DEPTH, Tag, parse};
use hex_literal::hex;

#[test]
fn examples() {
    let bits = hex!("0307 040a3b5f291cd0");
    let jones = hex!("1a05 4a6f6e6573");
    for (ber, der) in [
        // 8.6.4.2.
        (
            &hex!("2380 0303 000a3b 0305 045f291cd0 0000")[..],
            &bits[..],
        ),
        // 8.14.3 and 8.23.5.4, and a length in more octets than it needs.
        (&hex!("3a09 0403 4a6f6e 0402 6573"), &jones),
        (&hex!("3a80 2480 0403 4a6f6e 0000 0402 6573 0000"), &jones),
        (&hex!("1a81 05 4a6f6e6573"), &jones),
        (&hex!("1a84 00000005 4a6f6e6573"), &jones),
        // 8.6.2.4: whatever the bits that are not used.
        (&hex!("0307 040a3b5f291cdf"), &bits),
        (
            &hex!("230a 0303 000a3b 0303 045fff"),
            &hex!("0305 040a3b5ff0"),
        ),
        (&hex!("010101"), &hex!("0101ff")),
        (&hex!("010100"), &hex!("010100")),
        (&hex!("2400"), &hex!("0400")),
        (&hex!("2300"), &hex!("030100")),
        // Bits of none: readers refuse them.
        (&hex!("030107"), &hex!("030107")),
        (
            &hex!("3180 020102 0000 3080 0000"),
            &hex!("3103020102 3000"),
        ),
        (
            &hex!("3109 020102 020101 020100"),
            &hex!("3109 020100 020101 020102"),
        ),
        (&hex!("a080 0500 0000 830100"), &hex!("a002 0500 830100")),
        (&[], &[]),
    ] {
        assert_eq!(to_der(ber).as_deref(), Ok(der), "{ber:02x?}");
        assert_eq!(to_der(der).as_deref(), Ok(der));
    }
    // Nobody else reads it.
    let error = parse(&hex!("3080 0500 0000"), |r| r.sequence(|r| r.null())).unwrap_err();
    assert_eq!(
        (error.kind(), error.position()),
        (ErrorKind::IndefiniteLength, 1)
    );
}

#[test]
fn what_is_refused() {
    let other = ErrorKind::UnexpectedTag {
        expected: Tag::OCTET_STRING,
        actual: Tag::NULL,
    };
    for (ber, kind, position) in [
        (&hex!("3080 0500")[..], ErrorKind::Truncated, 4),
        (&hex!("3080 0500 00"), ErrorKind::InvalidTag, 4),
        (&hex!("3080 0501 0000"), ErrorKind::InvalidTag, 5),
        (&hex!("3004 0500"), ErrorKind::Truncated, 0),
        (&hex!("3003 0502 0000"), ErrorKind::Truncated, 2),
        (&hex!("30"), ErrorKind::Truncated, 0),
        (&hex!("3083 0000"), ErrorKind::Truncated, 0),
        (&hex!("0480 0000"), ErrorKind::IndefiniteLength, 1),
        (&hex!("0485 0100000000"), ErrorKind::LengthTooLarge, 1),
        (&hex!("0000"), ErrorKind::InvalidTag, 0),
        (&hex!("3002 0000"), ErrorKind::InvalidTag, 2),
        (&hex!("1000"), ErrorKind::InvalidTag, 0),
        (&hex!("2200"), ErrorKind::InvalidTag, 0),
        (&hex!("1f0100"), ErrorKind::HighTagNumber, 0),
        (&hex!("2402 0500"), other, 2),
        (
            &hex!("2308 0302 0400 0302 0400"),
            ErrorKind::BadBitString,
            8,
        ),
        (&hex!("2304 0302 0800"), ErrorKind::BadBitString, 4),
        (&hex!("2303 0301 01"), ErrorKind::BadBitString, 4),
    ] {
        let error = to_der(ber).unwrap_err();
        assert_eq!(
            (error.kind(), error.position()),
            (kind, position),
            "{ber:02x?}"
        );
    }
    let enclosed = |by: usize, tag| [[tag, 0x80].repeat(by), [0; 2].repeat(by)].concat();
    for tag in [0x30, 0x31, 0x24] {
        let deepest = usize::from(MAX_DEPTH) + 1;
        assert!(to_der(&enclosed(deepest, tag)).is_ok());
        let error = to_der(&enclosed(deepest + 1, tag)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NestingTooDeep);
        assert_eq!(error.position(), 2 * deepest);
    }
}
