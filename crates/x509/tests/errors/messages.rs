//! Lists of revoked certificates, requests, and OCSP.

use adamant_der::{ErrorKind as Der, Reader, Tag, oid};
use adamant_x509::crl::{CertificateList, FullCertificateList};
use adamant_x509::csr::CertificationRequest;
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertStatus, OcspRequest, OcspResponse, ResponseStatus, assemble_response,
};
use adamant_x509::{Certificate, Element, ErrorKind, SerialNumber, SignatureAlgorithm, assemble};

use super::certificates::{extensions, parts};
use super::{BASIC_CONSTRAINTS, PRIVATE, der, extension, find, raw_extension, write};
use crate::common::{self, root_key, root_name, time};
use crate::rare::{CHALLENGE, UNSTRUCTURED, asking, attribute, request_with};

/// A list with these fields after the issuer, signed by nobody.
pub(crate) fn crl(version: &[u8], fields: &[u8]) -> Vec<u8> {
    let tbs = write(|w| {
        w.sequence(|w| {
            w.raw(version);
            SignatureAlgorithm::Ed25519.write(w);
            w.raw(root_name().as_der());
            w.raw(fields);
        });
    });
    assemble(&tbs, SignatureAlgorithm::Ed25519, &[0; 64])
}

#[test]
fn lists() {
    let v2 = [2, 1, 1];
    let date = write(|w| w.time(time("2026-01-01")));
    let refused = |list: &[u8], kind, (part, offset): (&[u8], usize)| {
        let error = FullCertificateList::from_der(list).expect_err("refused");
        assert_eq!(error.kind(), kind);
        assert_eq!(error.position(), find(list, part) + offset, "{error}");
    };
    assert!(FullCertificateList::from_der(&crl(&v2, &date)).is_ok());
    assert!(FullCertificateList::from_der(&crl(&[], &date)).is_ok());

    let bad = [2, 1, 2];
    refused(&crl(&bad, &date), ErrorKind::BadVersion, (&bad, 2));
    let long = [2, 2, 0, 1];
    let kind = der(Der::NonCanonicalInteger);
    refused(&crl(&long, &date), kind, (&long, 2));
    let empty = [&date[..], &date, &[0x30, 0]].concat();
    refused(
        &crl(&v2, &empty),
        ErrorKind::Empty,
        (&empty, empty.len() - 2),
    );
    let bad = b"\x17\x0d261301000000Z";
    refused(&crl(&v2, bad), der(Der::BadTime), (bad, 2));
    let early = b"\x18\x0f20260101000000Z";
    refused(&crl(&v2, early), der(Der::WrongTimeType), (early, 0));

    let entry = |fields: &[&[u8]]| {
        let entry = write(|w| w.sequence(|w| w.raw(&fields.concat())));
        [&date[..], &write(|w| w.sequence(|w| w.raw(&entry)))].concat()
    };
    let fields = entry(&[&[2, 1, 7], bad]);
    refused(&crl(&v2, &fields), der(Der::BadTime), (bad, 2));
    // Numbers that no certificate can have cost only their own entry.
    let long: [u8; 24] = core::array::from_fn(|i| [2, 22, 1].get(i).copied().unwrap_or(0x87));
    for (serial, text) in [
        (&[2, 1, 0x87][..], "-87".to_owned()),
        (&[2, 2, 0xff, 0x07], "-ff07".to_owned()),
        (&long, ["01", &"87".repeat(21)].concat()),
    ] {
        let others = [entry(&[serial, &date]), entry(&[&[2, 1, 9], &date])];
        // Both entries in one list of them.
        let inner: Vec<u8> = others
            .iter()
            .flat_map(|entry| entry[date.len() + 2..].to_vec())
            .collect();
        let fields = [&date[..], &write(|w| w.sequence(|w| w.raw(&inner)))].concat();
        let der = crl(&v2, &fields);
        let list = FullCertificateList::from_der(&der).unwrap();
        let first = list.entries().next().unwrap().unwrap();
        assert_eq!(first.serial.number(), None);
        assert_eq!(first.serial.to_string(), text);
        assert!(list.find(&SerialNumber::from(0x87)).unwrap().is_none());
        assert!(list.find(&SerialNumber::from(9)).unwrap().is_some());
        assert_eq!(list.to_der(), der);
    }
    // One that is not an integer costs the list.
    let fields = entry(&[&[2, 2, 0, 7], &date]);
    assert!(FullCertificateList::from_der(&crl(&v2, &fields)).is_err());
    let reason = extension(&RevocationReason::KeyCompromise);
    let list = write(|w| w.sequence(|w| w.raw(&reason)));
    let fields = entry(&[
        &[2, 1, 7],
        &date,
        &write(|w| w.sequence(|w| w.raw(&reason))),
    ]);
    assert!(FullCertificateList::from_der(&crl(&v2, &fields)).is_ok());
    refused(&crl(&[], &fields), ErrorKind::BadVersion, (&list, 0));
    for (code, kind) in [
        (
            7,
            der(Der::UnexpectedValue("unknown reason for revocation")),
        ),
        (0x80, der(Der::NegativeInteger)),
    ] {
        let reason = raw_extension(oid!("2.5.29.21"), false, &[10, 1, code]);
        let fields = entry(&[
            &[2, 1, 7],
            &date,
            &write(|w| w.sequence(|w| w.raw(&reason))),
        ]);
        refused(&crl(&v2, &fields), kind, (&reason, reason.len() - 1));
    }
    let critical = raw_extension(PRIVATE, true, &[]);
    let fields = entry(&[
        &[2, 1, 7],
        &date,
        &write(|w| w.sequence(|w| w.raw(&critical))),
    ]);
    let kind = ErrorKind::UnknownCriticalExtension(PRIVATE);
    refused(&crl(&v2, &fields), kind, (&critical, 0));

    let with = |extension: &[u8]| {
        [
            &date[..],
            &write(|w| w.explicit(0, |w| w.sequence(|w| w.raw(extension)))),
        ]
        .concat()
    };
    let fields = with(&critical);
    refused(&crl(&v2, &fields), kind, (&critical, 0));
    refused(
        &crl(&[], &fields),
        ErrorKind::BadVersion,
        (&fields, date.len()),
    );
    // Extensions of certificates have no place in a list.
    let fields = with(&extension(&BasicConstraints::ca(None)));
    let kind = ErrorKind::UnknownCriticalExtension(BASIC_CONSTRAINTS);
    refused(&crl(&v2, &fields), kind, (&fields, date.len() + 4));
}

#[test]
fn requests() {
    let der_of = |version: &[u8], attributes: &[u8]| {
        let tbs = write(|w| {
            w.sequence(|w| {
                w.raw(version);
                w.raw(root_name().as_der());
                root_key().public_key().write(w);
                w.raw(attributes);
            });
        });
        common::signed(&tbs, &root_key())
    };
    let v1 = [2, 1, 0];
    let none = [0xa0, 0];
    let request = der_of(&v1, &none);
    CertificationRequest::from_der(&request)
        .unwrap()
        .verify()
        .unwrap();
    let refused = |request: &[u8], kind, at| {
        let error = CertificationRequest::from_der(request).expect_err("refused");
        assert_eq!((error.kind(), error.position()), (kind, at));
    };
    let request = der_of(&[2, 1, 1], &none);
    refused(
        &request,
        ErrorKind::BadVersion,
        find(&request, &[2, 1, 1]) + 2,
    );
    let list = write(|w| w.sequence(|w| w.raw(&raw_extension(PRIVATE, true, &[]))));
    let attribute = write(|w| {
        w.sequence(|w| {
            w.oid(&oid!("1.2.840.113549.1.9.14"));
            w.set(|w| w.raw(&list));
        });
    });
    let one = write(|w| w.nested(Tag::context_constructed(0), |w| w.raw(&attribute)));
    let request = der_of(&v1, &one);
    let kind = ErrorKind::UnknownCriticalExtension(PRIVATE);
    refused(&request, kind, find(&request, &list) + 2);
    let empty = [0xa0, 8, 0x30, 6, 6, 2, 0x2a, 3, 0x31, 0];
    let request = der_of(&v1, &empty);
    refused(&request, ErrorKind::Empty, find(&request, &empty) + 8);
}

/// Sets are in DER's order, those of the attributes and of the values of each, and extensions are
/// asked for once.
#[test]
fn attributes_of_requests() {
    let kind = |attributes: &[Vec<u8>]| {
        let request = request_with(attributes);
        let read = CertificationRequest::from_der(&request);
        read.map(|read| assert_eq!(read.to_der(), request))
            .map_err(|error| {
                (
                    error.kind(),
                    error.position() - find(&request, &attributes.concat()),
                )
            })
    };
    let usage = |bit| asking(&raw_extension(KeyUsage::OID, true, &[3, 2, 0, bit]));
    let all = [
        attribute(UNSTRUCTURED, &[&[0x0c, 1, b'a']]),
        attribute(CHALLENGE, &[&[0x13, 1, b'c']]),
        usage(0x80),
    ];
    for order in (0..27).map(|i| [i / 9, i / 3 % 3, i % 3]) {
        let [a, b, c] = order;
        if a == b || b == c || a == c {
            continue;
        }
        let attributes = order.map(|i| all[i].clone());
        let lens = attributes.each_ref().map(Vec::len);
        let expected = match () {
            () if attributes[1] < attributes[0] => Err((der(Der::UnsortedSet), lens[0])),
            () if attributes[2] < attributes[1] => Err((der(Der::UnsortedSet), lens[0] + lens[1])),
            () => Ok(()),
        };
        assert_eq!(kind(&attributes), expected, "{order:?}");
    }

    let twice = [usage(1), usage(0x80)];
    let again = ErrorKind::DuplicateExtension(oid!("1.2.840.113549.1.9.14"));
    assert_eq!(kind(&twice), Err((again, twice[0].len())));

    let (a, b) = (&[0x0c, 1, b'a'][..], &[0x0c, 1, b'b'][..]);
    assert_eq!(kind(&[attribute(UNSTRUCTURED, &[a, b])]), Ok(()));
    let unsorted = [attribute(UNSTRUCTURED, &[b, a])];
    let last = unsorted[0].len() - a.len();
    assert_eq!(kind(&unsorted), Err((der(Der::UnsortedSet), last)));
    let cut = [attribute(UNSTRUCTURED, &[&a[..2]])];
    let last = cut[0].len() - 2;
    assert_eq!(kind(&cut), Err((der(Der::Truncated), last)));
}

/// Behind what cannot be read there is nothing more.
#[test]
fn iterators_end_at_an_error() {
    let date = write(|w| w.time(time("2026-01-01")));
    let entry = |date: &[u8]| write(|w| w.sequence(|w| w.raw(&[&[2, 1, 7], date].concat())));
    let entries = [entry(&date), entry(b"\x17\x0d261301000000Z"), entry(&date)].concat();
    let fields = [&date[..], &write(|w| w.sequence(|w| w.raw(&entries)))].concat();
    let list = crl(&[2, 1, 1], &fields);
    let list = CertificateList::from_der(&list).unwrap();
    let read: Vec<_> = list.entries().take(9).map(|entry| entry.is_ok()).collect();
    assert_eq!(read, [true, false]);

    let private = raw_extension(PRIVATE, false, &[1]);
    let mut parts = parts();
    parts.extensions = extensions(&[private.clone(), vec![0x30, 0], private]);
    let certificate = parts.build();
    let certificate = Certificate::from_der(&certificate).unwrap();
    let read = certificate.extensions().iter().take(9);
    let read: Vec<_> = read.map(|extension| extension.is_ok()).collect();
    assert_eq!(read, [true, false]);
}

#[test]
fn ocsp_messages() {
    let refused = |response: &[u8], kind, at| {
        let error = OcspResponse::from_der(response).expect_err("refused");
        assert_eq!((error.kind(), error.position()), (kind, at));
    };
    let unexpected = |text| der(Der::UnexpectedValue(text));
    let unknown = unexpected("unknown status of a response");
    refused(&[0x30, 3, 10, 1, 4], unknown, 4);
    refused(&[0x30, 3, 10, 1, 7], unknown, 4);
    let kind = der(Der::NonCanonicalInteger);
    refused(&[0x30, 4, 10, 2, 0, 1], kind, 4);
    let contradiction = unexpected("status and answer that contradict each other");
    refused(&[0x30, 3, 10, 1, 0], contradiction, 5);
    let mut response = common::ocsp_response();
    let at = find(&response, &[10, 1, 0, 0xa0]);
    response[at + 2] = 3;
    refused(&response, contradiction, at + 3);
    let kind = unexpected("unknown type of a response");
    let other = [0x30, 14, 10, 1, 0, 0xa0, 9, 0x30, 7, 6, 2, 0x2a, 3, 4, 1, 0];
    refused(&other, kind, 11);

    // Version 1 is the default, and the only one.
    let response = common::ocsp_response();
    let response = OcspResponse::from_der(&response).unwrap();
    let tbs = response.basic().unwrap().tbs();
    for (version, kind) in [(0, der(Der::ExplicitDefault)), (1, ErrorKind::BadVersion)] {
        let fields = Reader::new(tbs).enter(Tag::SEQUENCE).unwrap().rest();
        let version = [0xa0, 3, 2, 1, version];
        let tbs = write(|w| w.sequence(|w| w.raw(&[&version, fields].concat())));
        let response = assemble_response(&tbs, SignatureAlgorithm::Ed25519, &[0; 64], &[]);
        refused(&response, kind, find(&response, &version) + 4);
    }

    // A responder is a name or a key, and what is good or unknown has no contents.
    let mut response = common::ocsp_response_by_key();
    let at = find(&response, &[0xa2, 22, 4, 20]);
    for octet in [0xa3, 0x82] {
        response[at] = octet;
        let (expected, actual) = (Tag::context_constructed(1), Tag::from_octet(octet).unwrap());
        refused(&response, der(Der::UnexpectedTag { expected, actual }), at);
    }
    for status in [[0x80, 1, 0], [0x82, 1, 0]] {
        let error = CertStatus::read(&mut Reader::new(&status)).unwrap_err();
        assert_eq!((error.kind(), error.position()), (der(Der::BadNull), 2));
    }

    let failed = OcspResponse::from_der(&[0x30, 3, 10, 1, 6]).unwrap();
    let status = ResponseStatus::Unauthorized;
    assert_eq!(
        failed.basic().unwrap_err().kind(),
        ErrorKind::ResponseStatus(status)
    );

    // A nonce of 129 octets, and none at all.
    for (len, place) in [(129, 3), (0, 2)] {
        let nonce = write(|w| w.octet_string(&vec![7; len]));
        let ext = raw_extension(oid!("1.3.6.1.5.5.7.48.1.2"), false, &nonce);
        let request = common::ocsp_request();
        let tbs = OcspRequest::from_der(&request).unwrap();
        let request = write(|w| {
            w.sequence(|w| {
                w.sequence(|w| {
                    tbs.requests.write(w);
                    w.explicit(2, |w| w.sequence(|w| w.raw(&ext)));
                });
            });
        });
        let error = OcspRequest::from_der(&request).unwrap_err();
        assert_eq!(
            error.kind(),
            unexpected("nonce that is empty or above 128 octets")
        );
        assert_eq!(error.position(), request.len() - nonce.len() + place);
    }
    let empty = [0x30, 4, 0x30, 2, 0x30, 0];
    let error = OcspRequest::from_der(&empty).unwrap_err();
    assert_eq!((error.kind(), error.position()), (ErrorKind::Empty, 4));
}
