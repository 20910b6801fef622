//! Faults that are refused although others read them: with and without the leniency of their name.
//! Every field with a DEFAULT is read where it is absent, and where it is encoded is one of the
//! faults.

use adamant_der::{ErrorKind as Der, Leniency, Oid, Reader, oid};
use adamant_x509::crl::{CertificateList, FullCertificateList};
use adamant_x509::csr::CertificationRequest;
use adamant_x509::extensions::*;
use adamant_x509::ocsp::OcspRequest;
use adamant_x509::{Certificate, Element, Error, ErrorKind, FullCertificate};

use super::certificates::{extensions, parts};
use super::messages::crl;
use super::{PRIVATE, der, extension, raw_extension, write};
use crate::common::{root_name, time};
use crate::rare::{asking, request_with};

/// The leniencies that have names.
const ALL: [Leniency; 5] = [
    Leniency::ENCODED_DEFAULTS,
    Leniency::EARLY_GENERALIZED_TIMES,
    Leniency::LONG_SERIALS,
    Leniency::EMPTY_REVOKED_CERTIFICATES,
    Leniency::LEADING_DOTS,
];

type Read = fn(&[u8], Leniency) -> Result<(), Error>;

fn certificate(der: &[u8], leniency: Leniency) -> Result<(), Error> {
    let certificate = Certificate::from_der_lenient(der, leniency)?.full()?;
    if leniency == Leniency::NONE {
        assert_eq!(FullCertificate::from_der(der)?.to_der(), der);
    }
    let _ = certificate.to_der();
    Ok(())
}

fn list(der: &[u8], leniency: Leniency) -> Result<(), Error> {
    let list = CertificateList::from_der_lenient(der, leniency)?.full()?;
    if leniency == Leniency::NONE {
        assert_eq!(FullCertificateList::from_der(der)?.to_der(), der);
    }
    let _ = list.to_der();
    Ok(())
}

fn request(der: &[u8], leniency: Leniency) -> Result<(), Error> {
    OcspRequest::read(&mut Reader::new(der).lenient(leniency)).map(drop)
}

/// One fault: who reads it, what has it not, what has it, who lets it pass, and the error.
struct Fault {
    name: &'static str,
    read: Read,
    right: Vec<u8>,
    wrong: Vec<u8>,
    passes: Leniency,
    kind: ErrorKind,
}

/// A certificate with this extension.
fn with(oid: Oid, value: &[u8]) -> Vec<u8> {
    let mut parts = parts();
    parts.extensions = extensions(&[raw_extension(oid, true, value)]);
    parts.build()
}

fn faults() -> Vec<Fault> {
    let default = |name, read, right, wrong| Fault {
        name,
        read,
        right,
        wrong,
        passes: Leniency::ENCODED_DEFAULTS,
        kind: der(Der::ExplicitDefault),
    };
    let mut all = Vec::new();

    let mut right = parts();
    let mut wrong = parts();
    let private = |flag: &[u8]| {
        write(|w| {
            w.sequence(|w| {
                w.oid(&PRIVATE);
                w.raw(flag);
                w.octet_string(&[1]);
            });
        })
    };
    right.extensions = extensions(&[private(&[])]);
    wrong.extensions = extensions(&[private(&[1, 1, 0])]);
    all.push(default(
        "critical",
        certificate as Read,
        right.build(),
        wrong.build(),
    ));

    let basic = oid!("2.5.29.19");
    all.push(default(
        "cA",
        certificate,
        with(basic, &[0x30, 0]),
        with(basic, &[0x30, 3, 1, 1, 0]),
    ));

    let mut right = parts();
    right.version = Vec::new();
    right.extensions = Vec::new();
    let mut wrong = parts();
    wrong.version = vec![0xa0, 3, 2, 1, 0];
    wrong.extensions = Vec::new();
    all.push(default(
        "version",
        certificate,
        right.build(),
        wrong.build(),
    ));

    let trees = |minimum: &[u8]| {
        let base = [&[0x82, 1, b'a'], minimum].concat();
        let len = base.len() as u8;
        let tree = [&[0x30, len + 4, 0xa0, len + 2, 0x30, len], &base[..]].concat();
        with(oid!("2.5.29.30"), &tree)
    };
    all.push(Fault {
        kind: der(Der::UnexpectedValue("subtree with a minimum or maximum")),
        ..default("minimum", certificate, trees(&[]), trees(&[0x80, 1, 0]))
    });

    let date = write(|w| w.time(time("2026-01-01")));
    let with_scope = |value: &[u8]| {
        let scope = raw_extension(oid!("2.5.29.28"), true, value);
        let list = write(|w| w.explicit(0, |w| w.sequence(|w| w.raw(&scope))));
        crl(&[2, 1, 1], &[&date[..], &list].concat())
    };
    for (name, tag, other) in [
        ("onlyContainsUserCerts", 1, 2),
        ("onlyContainsCACerts", 2, 1),
        ("indirectCRL", 4, 2),
        ("onlyContainsAttributeCerts", 5, 2),
    ] {
        let set = [0x80 + other, 1, 0xff];
        let mut both = [set, [0x80 + tag, 1, 0]];
        both.sort();
        let wrong = [&[0x30, 6][..], both.as_flattened()].concat();
        let right = [&[0x30, 3][..], &set].concat();
        all.push(default(name, list, with_scope(&right), with_scope(&wrong)));
    }

    let request_of = |version: &[u8]| {
        write(|w| {
            w.sequence(|w| {
                w.sequence(|w| {
                    w.raw(version);
                    w.sequence(|w| {
                        w.sequence(|w| {
                            w.sequence(|w| {
                                w.sequence(|w| {
                                    w.oid(&oid!("1.3.14.3.2.26"));
                                    w.null();
                                });
                                w.octet_string(&[1; 20]);
                                w.octet_string(&[2; 20]);
                                w.integer_u64(7);
                            });
                        });
                    });
                });
            });
        })
    };
    let encoded = [0xa0, 3, 2, 1, 0];
    all.push(default(
        "OCSP's version",
        request,
        request_of(&[]),
        request_of(&encoded),
    ));

    // Times: of thisUpdate, nextUpdate and an entry.
    let early = b"\x18\x0f20260101000000Z".to_vec();
    let entries = |date: &[u8]| {
        let entry = write(|w| w.sequence(|w| w.raw(&[&[2, 1, 7], date].concat())));
        write(|w| w.sequence(|w| w.raw(&entry)))
    };
    for (name, right, wrong) in [
        ("thisUpdate", date.clone(), early.clone()),
        (
            "nextUpdate",
            [&date[..], &date].concat(),
            [&date[..], &early].concat(),
        ),
        (
            "revocationDate",
            [&date[..], &entries(&date)].concat(),
            [&date[..], &entries(&early)].concat(),
        ),
    ] {
        all.push(Fault {
            name,
            read: list,
            right: crl(&[2, 1, 1], &right),
            wrong: crl(&[2, 1, 1], &wrong),
            passes: Leniency::EARLY_GENERALIZED_TIMES,
            kind: der(Der::WrongTimeType),
        });
    }

    all.push(Fault {
        name: "revokedCertificates",
        read: list,
        right: crl(&[2, 1, 1], &date),
        wrong: crl(&[2, 1, 1], &[&date[..], &[0x30, 0]].concat()),
        passes: Leniency::EMPTY_REVOKED_CERTIFICATES,
        kind: ErrorKind::Empty,
    });

    // Around the bound: 20 octets, the same with the sign's.
    let with_serial = |contents: &[u8]| {
        let mut parts = parts();
        parts.serial = [&[2, contents.len() as u8], contents].concat();
        parts.build()
    };
    for (right, wrong) in [
        ([0x7f; 20], [&[0][..], &[0x80; 20]].concat()),
        ([0x01; 20], [&[0][..], &[0xff; 20]].concat()),
    ] {
        all.push(Fault {
            name: "serialNumber",
            read: certificate,
            right: with_serial(&right),
            wrong: with_serial(&wrong),
            passes: Leniency::LONG_SERIALS,
            kind: ErrorKind::SerialTooLong,
        });
    }

    let tree = |domain: &[u8]| {
        let len = domain.len() as u8;
        let tree = [
            &[0x30, len + 6, 0xa0, len + 4, 0x30, len + 2, 0x82, len],
            domain,
        ]
        .concat();
        with(oid!("2.5.29.30"), &tree)
    };
    all.push(Fault {
        name: "constraint for domains",
        read: certificate,
        right: tree(b"a.example"),
        wrong: tree(b".a.example"),
        passes: Leniency::LEADING_DOTS,
        kind: der(Der::UnexpectedValue(
            "constraint for domains with a dot in front",
        )),
    });
    all
}

#[test]
fn faults_pass_by_their_names_alone() {
    for fault in faults() {
        let name = fault.name;
        for leniency in ALL.into_iter().chain([Leniency::NONE, Leniency::ALL]) {
            let right = (fault.read)(&fault.right, leniency);
            assert_eq!(right, Ok(()), "{name} {leniency:?}");
            let wrong = (fault.read)(&fault.wrong, leniency).map_err(|error| error.kind());
            let expected = match leniency.contains(fault.passes) {
                true => Ok(()),
                false => Err(fault.kind),
            };
            assert_eq!(wrong, expected, "{name} {leniency:?}");
        }
    }
}

/// What passes is the default itself and nothing more.
#[test]
fn what_no_leniency_lets_pass() {
    let date = write(|w| w.time(time("2026-01-01")));
    let with_serial = |contents: &[u8]| {
        let mut parts = parts();
        parts.serial = [&[2, contents.len() as u8], contents].concat();
        parts.build()
    };
    let padded: Vec<_> = (1..=2)
        .map(|at| [&[0; 2][..at], &[1; 20]].concat())
        .collect();
    let minimum = [0x30, 10, 0xa0, 8, 0x30, 6, 0x82, 1, b'a', 0x80, 1, 1];
    let ends_in_default = [
        0x30, 12, 0xa0, 10, 0x30, 8, 0x82, 1, b'a', 0x80, 3, 0x80, 1, 0,
    ];
    let mut v1_with_extensions = parts();
    v1_with_extensions.version = vec![0xa0, 3, 2, 1, 0];
    for (read, der) in [
        (certificate as Read, with_serial(&[0x7f; 21])),
        (certificate, with_serial(&[&[0][..], &[0x80; 21]].concat())),
        (certificate, with_serial(&padded[0])),
        (certificate, with_serial(&padded[1])),
        (certificate, with_serial(&[0x80])),
        (certificate, with(oid!("2.5.29.30"), &minimum)),
        (certificate, with(oid!("2.5.29.30"), &ends_in_default)),
        (certificate, with(oid!("2.5.29.19"), &[0x30, 3, 1, 1, 1])),
        (certificate, v1_with_extensions.build()),
        // UTCTime without seconds, and with a zone.
        (list, crl(&[2, 1, 1], b"\x17\x0b2601010000Z")),
        (list, crl(&[2, 1, 1], b"\x17\x11260101000000+0000")),
        (
            list,
            crl(&[2, 1, 1], &[&date[..], &[0x30, 2, 0x30, 0]].concat()),
        ),
    ] {
        assert!(read(&der, Leniency::ALL).is_err(), "{der:02x?}");
    }
}

/// What passed is written in its canonical form.
#[test]
fn encodings_of_what_passed() {
    for fault in faults() {
        let leniency = fault.passes;
        let same = matches!(
            fault.name,
            "serialNumber" | "revokedCertificates" | "constraint for domains"
        );
        if let Ok(read) = Certificate::from_der_lenient(&fault.wrong, leniency) {
            let encoded = read.full().unwrap().to_der();
            assert_eq!(encoded == fault.wrong, same, "{}", fault.name);
            assert_eq!(encoded == fault.right, !same, "{}", fault.name);
        }
    }
    // Of a request, too.
    let private = |flag: &[u8]| {
        let contents = [&write(|w| w.oid(&PRIVATE))[..], flag, &[4, 1, 1]].concat();
        request_with(&[asking(&write(|w| w.sequence(|w| w.raw(&contents))))])
    };
    let (right, wrong) = (private(&[]), private(&[1, 1, 0]));
    let mut r = Reader::new(&wrong).lenient(Leniency::ENCODED_DEFAULTS);
    let read = CertificationRequest::read(&mut r).unwrap();
    let (right, _) = right.split_at(right.len() - 64);
    assert_eq!(read.to_der()[..right.len()], *right);

    let critical = extension(&BasicConstraints::ca(None));
    let mut parts = parts();
    parts.issuer = root_name().as_der().to_vec();
    parts.extensions = extensions(&[critical]);
    let der = parts.build();
    let lenient = Certificate::from_der_lenient(&der, Leniency::ALL).unwrap();
    assert_eq!(lenient.full().unwrap().to_der(), der);
}

/// A number that passed is that of the entry of a list, with and without leniency there: else a
/// certificate that was revoked would be none of those that the list names.
#[test]
fn long_serials_are_found() {
    let serial = [&[2, 21, 0][..], &[0x80; 20]].concat();
    let mut parts = parts();
    parts.serial = serial.clone();
    let certificate = parts.build();
    let certificate = Certificate::from_der_lenient(&certificate, Leniency::LONG_SERIALS).unwrap();
    let date = write(|w| w.time(time("2026-01-01")));
    let entries = write(|w| w.sequence(|w| w.sequence(|w| w.raw(&[&serial[..], &date].concat()))));
    let list = crl(&[2, 1, 1], &[&date[..], &entries].concat());
    for leniency in [Leniency::NONE, Leniency::LONG_SERIALS] {
        let list = CertificateList::from_der_lenient(&list, leniency).unwrap();
        let entry = list.find(certificate.serial()).unwrap().unwrap();
        assert_eq!(entry.serial, *certificate.serial());
        assert_eq!(list.full().unwrap().to_der(), list.as_der());
    }
}
