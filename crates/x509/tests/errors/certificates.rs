//! Certificates and their names.

use std::slice::from_ref;

use adamant_base::Error as Crypto;
use adamant_der::{ErrorKind as Der, Reader, oid};
use adamant_x509::algorithm::{EC_PUBLIC_KEY, ED25519};
use adamant_x509::csr::RequestBuilder;
use adamant_x509::extensions::*;
use adamant_x509::{
    AlgorithmIdentifier, Certificate, CertificateBuilder, DistinguishedName, Element, ErrorKind,
    FullCertificate, PublicKey, SerialNumber, SignatureAlgorithm, Validity,
};

use super::{BASIC_CONSTRAINTS, der, extension, find, raw_extension, write};
use crate::common::{leaf_key, root_key, root_name, time};
use crate::rare;

/// The parts of a certificate, to be replaced one by one.
pub(crate) struct Parts {
    pub(crate) version: Vec<u8>,
    pub(crate) serial: Vec<u8>,
    pub(crate) inner_algorithm: Vec<u8>,
    pub(crate) issuer: Vec<u8>,
    pub(crate) validity: Vec<u8>,
    pub(crate) subject: Vec<u8>,
    pub(crate) spki: Vec<u8>,
    pub(crate) unique_ids: Vec<u8>,
    pub(crate) extensions: Vec<u8>,
    pub(crate) outer_algorithm: Vec<u8>,
    pub(crate) signature: Vec<u8>,
}

fn ed25519() -> Vec<u8> {
    write(|w| SignatureAlgorithm::Ed25519.write(w))
}

pub(crate) fn extensions(list: &[Vec<u8>]) -> Vec<u8> {
    write(|w| w.explicit(3, |w| w.sequence(|w| w.raw(&list.concat()))))
}

pub(crate) fn parts() -> Parts {
    let name = root_name();
    Parts {
        version: vec![0xa0, 3, 2, 1, 2],
        serial: vec![2, 2, 0x12, 0x34],
        inner_algorithm: ed25519(),
        issuer: name.as_der().to_vec(),
        validity: write(|w| {
            w.sequence(|w| {
                w.time(time("2026-01-01"));
                w.time(time("2027-01-01"));
            });
        }),
        subject: DistinguishedName::new()
            .common_name("Leaf")
            .as_der()
            .to_vec(),
        spki: leaf_key().public_key().to_der(),
        unique_ids: Vec::new(),
        extensions: extensions(&[extension(&BasicConstraints::end_entity())]),
        outer_algorithm: ed25519(),
        signature: write(|w| w.bit_string(&[0xaa; 64], 0)),
    }
}

impl Parts {
    pub(crate) fn build(&self) -> Vec<u8> {
        write(|w| {
            w.sequence(|w| {
                w.sequence(|w| {
                    for part in [
                        &self.version,
                        &self.serial,
                        &self.inner_algorithm,
                        &self.issuer,
                        &self.validity,
                        &self.subject,
                        &self.spki,
                        &self.unique_ids,
                        &self.extensions,
                    ] {
                        w.raw(part);
                    }
                });
                w.raw(&self.outer_algorithm);
                w.raw(&self.signature);
            });
        })
    }
}

/// The certificate after a change is refused, with this kind, at this offset in this part.
pub(crate) fn refused(
    change: impl FnOnce(&mut Parts),
    kind: impl Into<ErrorKind>,
    at: (&[u8], usize),
) {
    let mut parts = parts();
    change(&mut parts);
    let der = parts.build();
    let error = FullCertificate::from_der(&der).expect_err("refused");
    assert_eq!(error.kind(), kind.into());
    assert_eq!(error.position(), find(&der, at.0) + at.1, "{error}");
}

#[test]
fn the_parts_make_a_certificate() {
    let der = parts().build();
    assert_eq!(FullCertificate::from_der(&der).unwrap().to_der(), der);
}

#[test]
fn serial_numbers() {
    let cases: &[(&[u8], ErrorKind)] = &[
        (&[2, 1, 0x80], ErrorKind::SerialNegative),
        (&[2, 2, 0xff, 0x7f], ErrorKind::SerialNegative),
        (&[2, 2, 0x00, 0x7f], der(Der::NonCanonicalInteger)),
        (&[2, 2, 0xff, 0x80], der(Der::NonCanonicalInteger)),
        (&[2, 0], der(Der::NonCanonicalInteger)),
    ];
    for (serial, kind) in cases {
        refused(|p| p.serial = serial.to_vec(), *kind, (&[2, 1, 2], 3 + 2));
    }

    let long =
        |first: u8, len: u8| [&[2, len, first][..], &vec![0x99; usize::from(len) - 1]].concat();
    for (first, len) in [(0x01, 21), (0x00, 21), (0x7f, 40)] {
        let serial = long(first, len);
        refused(
            |p| p.serial = serial.clone(),
            ErrorKind::SerialTooLong,
            (&serial, 2),
        );
    }
    let serial = long(0x81, 21);
    refused(
        |p| p.serial = serial.clone(),
        ErrorKind::SerialNegative,
        (&serial, 2),
    );

    // Twenty octets are the most, and zero can be read.
    for serial in [long(0x7f, 20), vec![2, 1, 0]] {
        let mut parts = parts();
        parts.serial = serial;
        assert!(FullCertificate::from_der(&parts.build()).is_ok());
    }
    assert_eq!(
        SerialNumber::new(&[0x80; 20]).unwrap_err().kind(),
        ErrorKind::SerialTooLong
    );
    assert_eq!(
        SerialNumber::new(&[0x7f; 20]).unwrap().as_bytes(),
        [0x7f; 20]
    );
}

#[test]
fn versions() {
    let version = |n| vec![0xa0, 3, 2, 1, n];
    let v1 = |p: &mut Parts| p.version.clear();
    for n in [3, 0x7f] {
        refused(
            |p| p.version = version(n),
            ErrorKind::BadVersion,
            (&version(n), 4),
        );
    }
    refused(
        |p| p.version = version(0),
        der(Der::ExplicitDefault),
        (&version(0), 4),
    );
    let long = vec![0xa0, 4, 2, 2, 0, 2];
    let kind = der(Der::NonCanonicalInteger);
    refused(|p| p.version = long.clone(), kind, (&long, 4));

    // Fields that a version does not have.
    let at = extensions(&[extension(&BasicConstraints::end_entity())]);
    refused(v1, ErrorKind::BadVersion, (&at, 0));
    refused(|p| p.version = version(1), ErrorKind::BadVersion, (&at, 0));
    let unique_id = vec![0x81, 3, 4, 0xab, 0xc0];
    refused(
        |p| {
            v1(p);
            p.extensions.clear();
            p.unique_ids = unique_id.clone();
        },
        ErrorKind::BadVersion,
        (&unique_id, 0),
    );
    let mut parts = parts();
    parts.version = version(1);
    parts.extensions.clear();
    parts.unique_ids = unique_id;
    let der = parts.build();
    assert_eq!(FullCertificate::from_der(&der).unwrap().to_der(), der);
    // A number is one of whole and of unused bits.
    for number in [1, 2] {
        for contents in [&[][..], &[8, 0xab], &[1, 0xab]] {
            let id = [&[0x80 + number, contents.len() as u8], contents].concat();
            let mut parts = super::certificates::parts();
            parts.version = version(1);
            parts.extensions.clear();
            parts.unique_ids = id.clone();
            let der = parts.build();
            let error = Certificate::from_der(&der).unwrap_err();
            assert_eq!(error.kind(), super::der(Der::BadBitString));
            assert_eq!(error.position(), find(&der, &id) + 2, "{error}");
        }
    }
}

#[test]
fn lengths_and_trailing_octets() {
    // A length in three octets where two do, and in two where one does.
    let mut der_long = parts().build();
    assert_eq!(der_long[1], 0x82);
    der_long[1] = 0x83;
    der_long.insert(2, 0);
    let error = Certificate::from_der(&der_long).unwrap_err();
    assert_eq!(
        (error.kind(), error.position()),
        (der(Der::NonCanonicalLength), 1)
    );

    let validity = parts().validity;
    let long = [&[0x30, 0x81, validity[1]], &validity[2..]].concat();
    let kind = der(Der::NonCanonicalLength);
    refused(|p| p.validity = long.clone(), kind, (&long, 1));
    let indefinite = [&[0x30, 0x80], &validity[2..], &[0, 0]].concat();
    let kind = der(Der::IndefiniteLength);
    refused(|p| p.validity = indefinite.clone(), kind, (&indefinite, 1));

    // A NULL after the last field of every structure.
    let null = [5, 0];
    let mut trailing = parts().build();
    trailing.extend(null);
    let error = Certificate::from_der(&trailing).unwrap_err();
    assert_eq!(error.kind(), der(Der::TrailingData));
    assert_eq!(error.position(), trailing.len() - 2);

    let append = |part: &[u8]| {
        assert!(part[1] < 0x7e);
        [&[part[0], part[1] + 2], &part[2..], &null].concat()
    };
    let kind = der(Der::TrailingData);
    let longer = append(&validity);
    refused(
        |p| p.validity = longer.clone(),
        kind,
        (&longer, longer.len() - 2),
    );
    let longer = append(&parts().spki);
    refused(
        |p| p.spki = longer.clone(),
        kind,
        (&longer, longer.len() - 2),
    );
    let longer = append(&parts().extensions);
    refused(
        |p| p.extensions = longer.clone(),
        kind,
        (&longer, longer.len() - 2),
    );
    let longer = [&parts().signature[..], &null].concat();
    refused(
        |p| p.signature = longer.clone(),
        kind,
        (&longer, longer.len() - 2),
    );
    let longer = [&parts().extensions[..], &null].concat();
    refused(
        |p| p.extensions = longer.clone(),
        kind,
        (&longer, longer.len() - 2),
    );

    // Within the value of an extension.
    let value = raw_extension(BASIC_CONSTRAINTS, true, &[0x30, 0, 5, 0]);
    refused(
        |p| p.extensions = extensions(from_ref(&value)),
        kind,
        (&value, value.len() - 2),
    );
}

/// Short identifiers are recognised as a whole where enough octets follow, and read part by part
/// at the end of an input.
#[test]
fn identifiers_read_the_same_wherever_they_stand() {
    for &algorithm in SignatureAlgorithm::ALL {
        let der = write(|w| algorithm.write(w));
        let longer = [&der[..], &[0xff; 16]].concat();
        for input in [&der, &longer] {
            let mut r = Reader::at(input, 7);
            let read = AlgorithmIdentifier::read(&mut r).unwrap();
            assert_eq!(read, algorithm.identifier());
            assert_eq!((read.position(), r.position()), (7, 7 + der.len()));
        }
        // With one bit changed, other than of the length.
        for bit in (0..8).chain(16..8 * der.len()) {
            let mut changed = longer.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let [within, at_end] = [&changed[..], &changed[..der.len()]]
                .map(|input| AlgorithmIdentifier::read(&mut Reader::new(input)));
            assert_eq!(within, at_end, "{algorithm:?}, bit {bit}");
        }
    }
}

#[test]
fn serial_numbers_of_every_length() {
    for len in 0..=SerialNumber::MAX_LEN {
        let magnitude: Vec<u8> = (1..=len as u8).collect();
        let number = SerialNumber::new(&magnitude).unwrap();
        assert_eq!(number.as_bytes(), magnitude);
        let der = write(|w| number.write(w));
        assert_eq!(SerialNumber::read(&mut Reader::new(&der)), Ok(number));
    }
    let longest = [&[0x02, 20, 0][..], &[0x80; 19]].concat();
    let read = SerialNumber::read(&mut Reader::new(&longest)).unwrap();
    assert_eq!(read.as_bytes(), [0x80; 19]);
}

#[test]
fn algorithms() {
    // Parameters that Ed25519 does not have, and those that ecdsa-with-SHA256 does not.
    for algorithm in [
        SignatureAlgorithm::Ed25519,
        SignatureAlgorithm::EcdsaWithSha256,
    ] {
        let oid = algorithm.oid();
        let null = write(|w| AlgorithmIdentifier::new(oid, Some(&[5, 0])).write(w));
        let wrong = ErrorKind::WrongParameters(oid);
        let at = [&null[..], &parts().signature].concat();
        refused(
            |p| (p.inner_algorithm, p.outer_algorithm) = (null.clone(), null.clone()),
            wrong,
            (&at, null.len() - 2),
        );
    }

    // Keys: a curve that is missing, NULL, or written out; NULL missing in RSA.
    let spki = |oid, parameters: Option<&[u8]>| {
        write(|w| {
            w.sequence(|w| {
                AlgorithmIdentifier::new(oid, parameters).write(w);
                w.bit_string(&[4; 65], 0);
            });
        })
    };
    let rsa = oid!("1.2.840.113549.1.1.1");
    for (oid, parameters) in [
        (EC_PUBLIC_KEY, None),
        (EC_PUBLIC_KEY, Some(&[5, 0][..])),
        (EC_PUBLIC_KEY, Some(&[0x30, 3, 2, 1, 1])),
        (ED25519, Some(&[5, 0])),
        (rsa, None),
        (rsa, Some(&[6, 1, 0x2a])),
    ] {
        let spki = spki(oid, parameters);
        refused(
            |p| p.spki = spki.clone(),
            ErrorKind::WrongParameters(oid),
            (&spki, 2 + 2 + 2 + oid.as_bytes().len()),
        );
    }
    // Curves that are not implemented are keys nonetheless.
    let p192 = [6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 1];
    let key = PublicKey::from_der(&spki(EC_PUBLIC_KEY, Some(&p192))).unwrap();
    assert!(matches!(key, PublicKey::Unknown(key) if key.parameters.as_deref() == Some(&p192)));

    // Another algorithm outside.
    let other = write(|w| SignatureAlgorithm::EcdsaWithSha256.write(w));
    let at = [&other[..], &parts().signature].concat();
    refused(
        |p| p.outer_algorithm = other.clone(),
        ErrorKind::AlgorithmMismatch,
        (&at, 0),
    );
}

#[test]
fn times() {
    let cases: [(&[u8], usize, Der); 5] = [
        (b"\x17\x0d260101000000X", 0, Der::BadTime),
        (b"\x17\x0d260230000000Z", 0, Der::BadTime),
        (b"\x17\x0b2601010000Z", 0, Der::BadTime),
        (b"\x18\x0f20500101006000Z", 0, Der::BadTime),
        (b"\x18\x1120500101000000.0Z", 0, Der::BadTime),
    ];
    for (time, offset, kind) in cases {
        let validity = write(|w| {
            w.sequence(|w| {
                w.raw(time);
                w.raw(time);
            });
        });
        refused(
            |p| p.validity = validity.clone(),
            der(kind),
            (&validity, 4 + offset),
        );
    }
    let one = write(|w| w.sequence(|w| w.time(time("2026-01-01"))));
    refused(
        |p| p.validity = one.clone(),
        der(Der::Truncated),
        (&one, one.len()),
    );
}

/// Both ends of a period are in it.
#[test]
fn ends_of_periods() {
    let at = |second: u64| time(&format!("2026-01-01T00:00:0{second}Z"));
    for (from, until) in (0..4).flat_map(|from| (from..4).map(move |until| (from, until))) {
        let validity = Validity::new(at(from), at(until));
        for second in 0..4 {
            let within = (from..=until).contains(&second);
            assert_eq!(
                validity.contains(at(second)),
                within,
                "{from} {until} {second}"
            );
        }
    }
}

#[test]
fn names() {
    let subject = |rdn: &[u8]| write(|w| w.sequence(|w| w.raw(rdn)));
    let empty = subject(&[0x31, 0]);
    refused(|p| p.subject = empty.clone(), ErrorKind::Empty, (&empty, 2));
    // Two attributes in the wrong order.
    let attribute = |text: &str| {
        write(|w| {
            w.sequence(|w| {
                w.oid(&oid!("2.5.4.3"));
                w.utf8_string(text);
            });
        })
    };
    let unsorted = subject(&write(|w| {
        w.set(|w| {
            w.raw(&attribute("b"));
            w.raw(&attribute("a"));
        })
    }));
    refused(
        |p| p.subject = unsorted.clone(),
        der(Der::UnsortedSet),
        (&attribute("a"), 0),
    );
    // An underscore is not in PrintableString, a lone octet no UTF-8.
    for (value, offset) in [(&b"\x13\x02a_"[..], 3), (b"\x0c\x02a\x80", 3)] {
        let rdn = write(|w| {
            w.set(|w| {
                w.sequence(|w| {
                    w.oid(&oid!("2.5.4.3"));
                    w.raw(value);
                });
            });
        });
        let subject = subject(&rdn);
        let at = subject.len() - value.len() + offset;
        refused(
            |p| p.subject = subject.clone(),
            der(Der::BadString),
            (&subject, at),
        );
    }

    for (text, position) in [
        ("CN", 0),
        ("XX=a", 0),
        ("CN=a,", 5),
        ("CN=a,O", 5),
        ("CN=a\\", 4),
        ("CN=a\\x", 4),
        ("CN=a\"b", 4),
        ("CN=#0", 3),
        ("CN=#0403", 3),
        ("1.2.3.=a", 0),
    ] {
        let error = text.parse::<DistinguishedName>().expect_err(text);
        assert_eq!(
            (error.kind(), error.position()),
            (ErrorKind::BadNameText, position),
            "{text}"
        );
    }
}

#[test]
fn signatures() {
    let der = parts().build();
    let certificate = Certificate::from_der(&der).unwrap();
    let place = find(&der, &[0xaa; 64]);
    let verify = |key: &PublicKey| {
        let error = certificate.verify(key).unwrap_err();
        assert_eq!(certificate.verify_legacy(key), Err(error));
        (error.kind(), error.position())
    };
    let bad = ErrorKind::Crypto(Crypto::BadSignature);
    assert_eq!(verify(&root_key().public_key()), (bad, place));
    assert_eq!(
        verify(&leaf_key().public_key()),
        (ErrorKind::WrongKey, place)
    );

    // The key's algorithm and not the signature's.
    let unknown = PublicKey::from_der(&rare::spki()).unwrap();
    let kind = ErrorKind::UnknownAlgorithm(oid!("1.3.6.1.4.1.99999.8"));
    assert_eq!(verify(&unknown), (kind, place));

    let rsa = write(|w| {
        AlgorithmIdentifier::new(oid!("1.2.840.113549.1.1.4"), Some(&[5, 0])).write(w); // MD5
    });
    let mut parts = parts();
    (parts.inner_algorithm, parts.outer_algorithm) = (rsa.clone(), rsa.clone());
    let der = parts.build();
    let error = Certificate::from_der(&der)
        .unwrap()
        .verify(&root_key().public_key())
        .unwrap_err();
    assert_eq!(
        error.kind(),
        ErrorKind::UnknownAlgorithm(oid!("1.2.840.113549.1.1.4"))
    );
    assert_eq!(
        error.position(),
        find(&der, &[&rsa[..], &parts.signature].concat())
    );
}

#[test]
fn builders() {
    let name = root_name();
    let key = root_key();
    let public_key = key.public_key();
    let (early, late) = (time("2026-01-01"), time("2027-01-01"));
    let builder = |serial: u64, from, until| {
        let serial = SerialNumber::from(serial);
        CertificateBuilder::new(
            serial,
            name.as_name(),
            from,
            until,
            name.as_name(),
            &public_key,
        )
    };
    let kind =
        |builder: CertificateBuilder<'_>| builder.sign(key.signer().unwrap()).unwrap_err().kind();
    assert_eq!(kind(builder(0, early, late)), ErrorKind::SerialZero);
    assert_eq!(kind(builder(1, late, early)), ErrorKind::BadPeriod);
    let twice = builder(1, early, late)
        .extension(&BasicConstraints::end_entity())
        .extension(&BasicConstraints::ca(None));
    assert_eq!(
        kind(twice),
        ErrorKind::DuplicateExtension(BASIC_CONSTRAINTS)
    );
    let twice = RequestBuilder::new(name.as_name())
        .extension(&BasicConstraints::end_entity())
        .extension(&BasicConstraints::ca(None))
        .sign(key.signer().unwrap());
    assert!(twice.is_err());
    // A certificate without extensions is one of version 1.
    let der = builder(1, early, late).sign(key.signer().unwrap()).unwrap();
    assert_eq!(FullCertificate::from_der(&der).unwrap().version(), 1);
}
