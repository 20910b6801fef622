//! What is shown of extensions and names.

use adamant_x509::Certificate;
use adamant_x509::extensions::*;

use crate::errors::certificates::{extensions, parts};
use crate::errors::{PRIVATE, raw_extension};

/// Every set of uses: what it has, what it equals and how it shows itself.
#[test]
fn uses() {
    const NAMES: [(KeyUsage, &str); 9] = [
        (KeyUsage::DIGITAL_SIGNATURE, "digitalSignature"),
        (KeyUsage::NON_REPUDIATION, "nonRepudiation"),
        (KeyUsage::KEY_ENCIPHERMENT, "keyEncipherment"),
        (KeyUsage::DATA_ENCIPHERMENT, "dataEncipherment"),
        (KeyUsage::KEY_AGREEMENT, "keyAgreement"),
        (KeyUsage::KEY_CERT_SIGN, "keyCertSign"),
        (KeyUsage::CRL_SIGN, "cRLSign"),
        (KeyUsage::ENCIPHER_ONLY, "encipherOnly"),
        (KeyUsage::DECIPHER_ONLY, "decipherOnly"),
    ];
    let set = |bits: usize| (0..9).filter(move |i| bits >> i & 1 == 1).map(|i| NAMES[i]);
    let all: Vec<_> = (1..512)
        .map(|bits| {
            (
                bits,
                set(bits)
                    .map(|(usage, _)| usage)
                    .reduce(|a, b| a | b)
                    .unwrap(),
            )
        })
        .collect();
    for &(bits, usage) in &all {
        let names: Vec<_> = set(bits).map(|(_, name)| name).collect();
        assert_eq!(format!("{usage:?}"), names.join(" | "));
        for &(other_bits, other) in &all {
            assert_eq!(usage == other, bits == other_bits);
            assert_eq!(usage.contains(other), bits & other_bits == other_bits);
        }
    }
}

#[test]
fn addresses() {
    let v6 = [&[0x20, 1, 0xd, 0xb8][..], &[0; 11], &[1]].concat();
    let mask = [&[0xff; 4][..], &[0; 12]].concat();
    for (octets, shown) in [
        (vec![192, 0, 2, 1], "IP:192.0.2.1"),
        (
            vec![192, 0, 2, 0, 255, 255, 255, 0],
            "IP:192.0.2.0/255.255.255.0",
        ),
        (v6.clone(), "IP:2001:db8::1"),
        ([v6, mask].concat(), "IP:2001:db8::1/ffff:ffff::"),
        (vec![1, 2, 3], "IP:[01, 02, 03]"),
    ] {
        assert_eq!(GeneralName::Ip(&octets).to_string(), shown);
    }
}

/// An extension that is critical says so.
#[test]
fn unread_extensions() {
    for critical in [false, true] {
        let mut parts = parts();
        parts.extensions = extensions(&[raw_extension(PRIVATE, critical, &[1, 0xab])]);
        let der = parts.build();
        let certificate = Certificate::from_der(&der).unwrap();
        let extension = certificate.extensions().iter().next().unwrap().unwrap();
        let critical = if critical { " critical" } else { "" };
        assert_eq!(
            format!("{extension:?}"),
            format!("{PRIVATE}{critical} [01, ab]")
        );
    }
}
