//! What is optional and rarely there, in all that is read: samples for the tests of any input, and
//! what is found in them.

use adamant_der::{Oid, Tag, Writer, oid};
use adamant_x509::csr::CertificationRequest;
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{OcspRequest, OcspResponse, ResponseStatus, assemble_response};
use adamant_x509::{
    AlgorithmIdentifier, Certificate, Element, ErrorKind, FullCertificate, SignatureAlgorithm,
};

use crate::common::{self, root_key, root_name, time};
use crate::errors::certificates::{extensions, parts};
use crate::errors::messages::crl;
use crate::errors::{raw_extension, write};

pub(crate) const CHALLENGE: Oid = oid!("1.2.840.113549.1.9.7");
pub(crate) const UNSTRUCTURED: Oid = oid!("1.2.840.113549.1.9.2");
const EXTENSION_REQUEST: Oid = oid!("1.2.840.113549.1.9.14");
const ISSUER_ID: [u8; 5] = [0x81, 3, 4, 0xab, 0xc0];
const SUBJECT_ID: [u8; 4] = [0x82, 2, 0, 0xcd];

/// Without a version's number, and so without extensions.
pub(crate) fn first_version() -> Vec<u8> {
    let mut parts = parts();
    parts.version.clear();
    parts.extensions.clear();
    parts.build()
}

/// With numbers of issuer and subject.
pub(crate) fn second_version() -> Vec<u8> {
    let mut parts = parts();
    parts.version = vec![0xa0, 3, 2, 1, 1];
    parts.extensions.clear();
    parts.unique_ids = [&ISSUER_ID[..], &SUBJECT_ID].concat();
    parts.build()
}

/// An extension of this type, its value of these contents in a SEQUENCE.
fn sequence<'a, T: ExtensionValue<'a>>(contents: impl FnOnce(&mut Writer)) -> Vec<u8> {
    raw_extension(T::OID, T::CRITICAL, &write(|w| w.sequence(contents)))
}

/// The part that follows the name of a list's issuer.
fn relative(w: &mut Writer) {
    w.explicit(0, |w| {
        w.nested_set_of(Tag::context_constructed(1), ["a", "b"], |w, text| {
            w.sequence(|w| {
                w.oid(&oid!("2.5.4.3"));
                w.utf8_string(text);
            });
        });
    });
}

fn notice(w: &mut Writer, contents: impl FnOnce(&mut Writer)) {
    w.sequence(|w| {
        w.oid(&oid!("1.3.6.1.5.5.7.2.2"));
        w.sequence(contents);
    });
}

/// The organisation and the numbers of a notice.
fn reference(w: &mut Writer, numbers: &[u64]) {
    w.sequence(|w| {
        w.tlv(Tag::VISIBLE_STRING, b"Adamant");
        w.sequence(|w| numbers.iter().for_each(|number| w.integer_u64(*number)));
    });
}

/// A certificate whose extensions leave out what they may, and have what they seldom have.
pub(crate) fn seldom() -> Vec<u8> {
    let mut parts = parts();
    parts.extensions = extensions(&[
        sequence::<AuthorityKeyIdentifier<'_>>(|w| w.tlv(Tag::context(0), &[7; 3])),
        // A zero after the last bit that is set.
        raw_extension(KeyUsage::OID, true, &[3, 2, 6, 0x80]),
        sequence::<CertificatePolicies<'_>>(|w| {
            w.sequence(|w| {
                w.oid(&oid!("1.3.6.1.4.1.99999.2"));
                w.sequence(|w| {
                    notice(w, |_| {});
                    notice(w, |w| w.tlv(Tag::BMP_STRING, &[0, b'a', 0x26, 0x3a]));
                    notice(w, |w| reference(w, &[]));
                    notice(w, |w| {
                        reference(w, &[1, 300]);
                        w.tlv(Tag::IA5_STRING, b"b");
                    });
                });
            });
        }),
        sequence::<SubjectAltName<'_>>(|w| {
            w.tlv(Tag::context_constructed(3), &[0x30, 0]);
            w.tlv(Tag::context_constructed(5), &[0x81, 1, b'a']);
        }),
        sequence::<BasicConstraints>(|w| w.integer_u64(0)),
        sequence::<NameConstraints<'_>>(|w| {
            w.explicit(1, |w| {
                w.sequence(|w| w.tlv(Tag::context(7), &[0xff; 32]));
            });
        }),
        sequence::<PolicyConstraints>(|w| w.tlv(Tag::context(1), &[0, 0xff, 0xff, 0xff, 0xff])),
        sequence::<CrlDistributionPoints<'_>>(|w| {
            w.sequence(relative);
            w.sequence(|w| w.tlv(Tag::context(1), &[0]));
            w.sequence(|w| w.tlv(Tag::context(1), &[5, 0x60]));
        }),
    ]);
    parts.build()
}

/// A list of version 1 of one number.
pub(crate) fn first_list() -> Vec<u8> {
    let date = write(|w| w.time(time("2026-01-01")));
    let entry = write(|w| w.sequence(|w| w.sequence(|w| w.raw(&[&[2, 1, 7], &date[..]].concat()))));
    crl(&[], &[&date[..], &entry].concat())
}

/// A list of the certificates of CAs at a relative place.
pub(crate) fn relative_list() -> Vec<u8> {
    let date = write(|w| w.time(time("2026-01-01")));
    let scope = sequence::<IssuingDistributionPoint<'_>>(|w| {
        relative(w);
        w.tlv(Tag::context(2), &[0xff]);
        w.tlv(Tag::context(3), &[7, 0, 0x80]);
    });
    let attributes = sequence::<AuthorityInfoAccess<'_>>(|w| {
        AccessDescription::ca_issuers("http://adamant.example/root.cer").write(w);
    });
    let list = [scope, attributes].concat();
    let list = write(|w| w.explicit(0, |w| w.sequence(|w| w.raw(&list))));
    crl(&[2, 1, 1], &[&date[..], &list].concat())
}

/// An attribute of a request.
pub(crate) fn attribute(oid: Oid, values: &[&[u8]]) -> Vec<u8> {
    write(|w| {
        w.sequence(|w| {
            w.oid(&oid);
            w.set(|w| w.raw(&values.concat()));
        });
    })
}

/// The attribute of a request that asks for this extension.
pub(crate) fn asking(extension: &[u8]) -> Vec<u8> {
    attribute(
        EXTENSION_REQUEST,
        &[&write(|w| w.sequence(|w| w.raw(extension)))],
    )
}

/// A request with these attributes.
pub(crate) fn request_with(attributes: &[Vec<u8>]) -> Vec<u8> {
    let tbs = write(|w| {
        w.sequence(|w| {
            w.integer_u64(0);
            w.raw(root_name().as_der());
            root_key().public_key().write(w);
            w.nested(Tag::context_constructed(0), |w| w.raw(&attributes.concat()));
        });
    });
    common::signed(&tbs, &root_key())
}

/// A request with attributes beside the extensions.
pub(crate) fn request() -> Vec<u8> {
    let usage = raw_extension(KeyUsage::OID, true, &[3, 2, 7, 0x80]);
    request_with(&[
        attribute(CHALLENGE, &[&[0x13, 1, b'c']]),
        attribute(UNSTRUCTURED, &[&[0x0c, 1, b'a'], &[0x0c, 1, b'b']]),
        asking(&usage),
    ])
}

/// A signed OCSP request without certificates, with extensions for each certificate and for all.
pub(crate) fn ocsp_request() -> Vec<u8> {
    let usual = common::ocsp_request();
    let usual = OcspRequest::from_der(&usual).unwrap();
    let name = root_name();
    let sha256 = AlgorithmIdentifier::new(oid!("1.2.840.10045.4.3.2"), None);
    let locators = [false, true].map(|with| {
        sequence::<ServiceLocator<'_>>(|w| {
            w.raw(name.as_der());
            if with {
                w.sequence(|w| AccessDescription::ocsp("http://ocsp.example/").write(w));
            }
        })
    });
    let all = [
        sequence::<AcceptableResponses<'_>>(|w| w.oid(&oid!("1.3.6.1.5.5.7.48.1.1"))),
        sequence::<PreferredSignatureAlgorithms<'_>>(|w| {
            w.sequence(|w| sha256.write(w));
            w.sequence(|w| {
                sha256.write(w);
                SignatureAlgorithm::Ed25519.write(w);
            });
        }),
    ];
    write(|w| {
        w.sequence(|w| {
            w.sequence(|w| {
                w.explicit(1, |w| GeneralName::Dns("adamant.example").write(w));
                w.sequence(|w| {
                    for (one, locator) in usual.requests.iter().zip(&locators) {
                        w.sequence(|w| {
                            one.cert_id.write(w);
                            w.explicit(0, |w| w.sequence(|w| w.raw(locator)));
                        });
                    }
                });
                w.explicit(2, |w| w.sequence(|w| w.raw(&all.concat())));
            });
            w.explicit(0, |w| {
                w.sequence(|w| {
                    SignatureAlgorithm::Ed25519.write(w);
                    w.bit_string(&[0xaa; 64], 0);
                });
            });
        });
    })
}

/// An OCSP response whose entries refer to lists, each in another way.
pub(crate) fn ocsp_response() -> Vec<u8> {
    let usual = common::ocsp_response();
    let usual = OcspResponse::from_der(&usual).unwrap();
    let usual = usual.basic().unwrap();
    let (name, at) = (root_name(), time("2026-01-01"));
    let reference = |parts: usize| {
        sequence::<CrlReference<'_>>(|w| {
            if parts & 1 > 0 {
                w.explicit(0, |w| w.tlv(Tag::IA5_STRING, b"http://crl.example/"));
            }
            if parts & 2 > 0 {
                w.explicit(1, |w| w.integer_u64(300));
            }
            if parts & 4 > 0 {
                w.explicit(2, |w| w.generalized_time(at));
            }
        })
    };
    let tbs = write(|w| {
        w.sequence(|w| {
            w.explicit(1, |w| w.raw(name.as_der()));
            w.generalized_time(at);
            w.sequence(|w| {
                for (one, parts) in usual.responses.iter().cycle().zip(0..8) {
                    w.sequence(|w| {
                        one.cert_id.write(w);
                        one.status.write(w);
                        w.generalized_time(at);
                        w.explicit(1, |w| w.sequence(|w| w.raw(&reference(parts))));
                    });
                }
            });
        });
    });
    assemble_response(&tbs, SignatureAlgorithm::Ed25519, &[0xaa; 64], &[])
}

/// A response of an error.
pub(crate) const OCSP_ERROR: [u8; 5] = [0x30, 3, 10, 1, 6];

/// A private key with its public key and an attribute.
pub(crate) fn pkcs8() -> Vec<u8> {
    let key = root_key();
    let public = key.public_key().to_der();
    let mut der = key.to_der().to_vec();
    der[4] = 1;
    let attribute = attribute(UNSTRUCTURED, &[&[0x0c, 1, b'a']]);
    let more = [
        write(|w| w.nested(Tag::context_constructed(0), |w| w.raw(&attribute))),
        [&[0x81, 33, 0][..], &public[public.len() - 32..]].concat(),
    ]
    .concat();
    der[1] += more.len() as u8;
    [der, more].concat()
}

/// A private key without its curve and public key.
pub(crate) const SEC1: [u8; 8] = [0x30, 6, 2, 1, 1, 4, 1, 7];

/// A public key of an algorithm that nobody knows.
pub(crate) fn spki() -> Vec<u8> {
    let oid = oid!("1.3.6.1.4.1.99999.8");
    write(|w| {
        w.sequence(|w| {
            AlgorithmIdentifier::new(oid, Some(&[2, 1, 7])).write(w);
            w.bit_string(&[1, 2, 3], 0);
        });
    })
}

#[test]
fn numbers_of_issuer_and_subject() {
    let der = second_version();
    let certificate = Certificate::from_der(&der).unwrap();
    let bits =
        |id: Option<adamant_der::BitString<'_>>| id.map(|id| (id.unused_bits, id.bytes.to_vec()));
    assert_eq!(
        bits(certificate.issuer_unique_id()),
        Some((4, vec![0xab, 0xc0]))
    );
    assert_eq!(bits(certificate.subject_unique_id()), Some((0, vec![0xcd])));
    assert_eq!(certificate.version(), 2);
    let der = first_version();
    let certificate = Certificate::from_der(&der).unwrap();
    assert_eq!(bits(certificate.issuer_unique_id()), None);
    assert_eq!(bits(certificate.subject_unique_id()), None);
    assert_eq!(certificate.version(), 1);
}

#[test]
fn notices() {
    let der = seldom();
    let certificate = FullCertificate::from_der(&der).unwrap();
    let policies = certificate.extensions.certificate_policies.unwrap();
    let qualifiers = policies.0.iter().next().unwrap().qualifiers.unwrap();
    let found: Vec<_> = qualifiers
        .iter()
        .map(|qualifier| match qualifier {
            PolicyQualifier::UserNotice(notice) => {
                let reference = notice.reference().map(|(organization, numbers)| {
                    let elements = write(|w| numbers.write(w));
                    let numbers: Vec<_> = numbers.iter().map(|number| number.0).collect();
                    let written =
                        write(|w| w.sequence(|w| numbers.iter().for_each(|n| w.integer_u64(*n))));
                    assert_eq!(elements, written);
                    (organization.into_owned(), numbers)
                });
                (notice.text().map(String::from), reference)
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let by = |numbers: &[u64]| Some(("Adamant".to_owned(), numbers.to_vec()));
    assert_eq!(
        found,
        [
            (None, None),
            (Some("a\u{263a}".to_owned()), None),
            (None, by(&[])),
            (Some("b".to_owned()), by(&[1, 300])),
        ]
    );
}

#[test]
fn attributes_of_a_request() {
    let der = request();
    let request = CertificationRequest::from_der(&der).unwrap();
    request.verify().unwrap();
    let mut forged = der.clone();
    *forged.last_mut().unwrap() ^= 1;
    let verdict = CertificationRequest::from_der(&forged).unwrap().verify();
    let bad = ErrorKind::Crypto(adamant_base::Error::BadSignature);
    assert_eq!(verdict.unwrap_err().kind(), bad);
    let found: Vec<_> = request
        .attributes()
        .map(|one| (one.oid, one.values()))
        .collect();
    assert_eq!(found.len(), 3);
    assert_eq!(
        found[1],
        (UNSTRUCTURED, &[0x0c, 1, b'a', 0x0c, 1, b'b'][..])
    );
    assert_eq!(found[0], (CHALLENGE, &[0x13, 1, b'c'][..]));
    assert_eq!(found[2].0, EXTENSION_REQUEST);
    assert_eq!(
        request.extensions.key_usage,
        Some(KeyUsage::DIGITAL_SIGNATURE)
    );
}

#[test]
fn references_to_lists() {
    let der = ocsp_response();
    let response = OcspResponse::from_der(&der).unwrap();
    let found = response.basic().unwrap().responses.iter();
    assert!((0..8).eq(found.map(|one| {
        let reference = one.extensions.crl_reference.unwrap();
        assert!(reference.url.is_none_or(|url| url == "http://crl.example/"));
        assert!(reference.number.is_none_or(|number| number == 300.into()));
        assert!(reference.time.is_none_or(|at| at == time("2026-01-01")));
        usize::from(reference.url.is_some())
            + 2 * usize::from(reference.number.is_some())
            + 4 * usize::from(reference.time.is_some())
    })));
}

#[test]
fn answers_of_errors() {
    let response = OcspResponse::from_der(&OCSP_ERROR).unwrap();
    assert_eq!(response.status, ResponseStatus::Unauthorized);
}
