//! Files of PKCS #12 made part by part: bags, their attributes, and what is around them.

use adamant_base::Error as Crypto;
use adamant_der::{ErrorKind as Der, Oid, Reader, Tag, Writer, oid};
use adamant_hash::{Hmac, Sha256, pbkdf2};
use adamant_rand::SystemRng;
use adamant_x509::pbes2::{Limits, Pbes2, Prf};
use adamant_x509::pkcs12::{Pkcs12, Protection};
use adamant_x509::{CertificateBuilder, DistinguishedName, ErrorKind};

use crate::common;
use crate::errors::encrypted::Counting;
use crate::errors::write;
use crate::pkcs12::read;
use crate::rare::attribute;

const DATA: Oid = oid!("1.2.840.113549.1.7.1");
const KEY: Oid = oid!("1.2.840.113549.1.12.10.1.1");
const CERTIFICATE: Oid = oid!("1.2.840.113549.1.12.10.1.3");
const X509: Oid = oid!("1.2.840.113549.1.9.22.1");
const FRIENDLY_NAME: Oid = oid!("1.2.840.113549.1.9.20");
const LOCAL_KEY_ID: Oid = oid!("1.2.840.113549.1.9.21");
const OTHER: Oid = oid!("1.3.6.1.4.1.99999.10");

/// `ContentInfo` of data.
fn data(w: &mut Writer, contents: &[u8]) {
    w.sequence(|w| {
        w.oid(&DATA);
        w.explicit(0, |w| w.octet_string(contents));
    });
}

/// PBMAC1 with HMAC-SHA-256, one iteration, and a key of which this length is told.
fn pbmac1(told: Option<u64>) -> Vec<u8> {
    let prf = |w: &mut Writer| {
        w.sequence(|w| {
            w.oid(&oid!("1.2.840.113549.2.9"));
            w.null();
        });
    };
    write(|w| {
        w.sequence(|w| {
            w.oid(&oid!("1.2.840.113549.1.5.14"));
            w.sequence(|w| {
                w.sequence(|w| {
                    w.oid(&oid!("1.2.840.113549.1.5.12"));
                    w.sequence(|w| {
                        w.octet_string(b"salt");
                        w.integer_u64(1);
                        if let Some(len) = told {
                            w.integer_u64(len);
                        }
                        prf(w);
                    });
                });
                prf(w);
            });
        });
    })
}

/// A file of this version with these contents, under the password "x" and a MAC of this algorithm.
fn file_of(
    version: u64,
    contents: impl FnOnce(&mut Writer),
    mac: &[u8],
    iterations: &[u8],
) -> Vec<u8> {
    let safe = write(|w| w.sequence(contents));
    let mut key = [0; 32];
    pbkdf2::derive::<Sha256>(b"x", b"salt", 1, &mut key).unwrap();
    let tag = Hmac::<Sha256>::mac(&key, &safe);
    write(|w| {
        w.sequence(|w| {
            w.integer_u64(version);
            data(w, &safe);
            w.sequence(|w| {
                w.sequence(|w| {
                    w.raw(mac);
                    w.octet_string(&tag);
                });
                w.octet_string(b"other");
                w.raw(iterations);
            });
        });
    })
}

/// A file of these bags, in the clear.
fn bags(bags: &[Vec<u8>]) -> Vec<u8> {
    let bags = write(|w| w.sequence(|w| w.raw(&bags.concat())));
    file_of(3, |w| data(w, &bags), &pbmac1(Some(32)), &[])
}

fn bag(oid: Oid, value: &[u8], attributes: &[Vec<u8>]) -> Vec<u8> {
    write(|w| {
        w.sequence(|w| {
            w.oid(&oid);
            w.explicit(0, |w| w.raw(value));
            if !attributes.is_empty() {
                w.set(|w| w.raw(&attributes.concat()));
            }
        });
    })
}

fn certificate_bag(kind: Oid, attributes: &[Vec<u8>]) -> Vec<u8> {
    let value = write(|w| {
        w.sequence(|w| {
            w.oid(&kind);
            w.explicit(0, |w| w.octet_string(&common::leaf()));
        });
    });
    bag(CERTIFICATE, &value, attributes)
}

/// Keys in the clear, certificates, and bags of others, which are passed over.
#[test]
fn kinds_of_bags() {
    let key = bag(KEY, &common::leaf_key().to_der(), &[]);
    let certificate = certificate_bag(X509, &[]);
    let other_certificate = certificate_bag(OTHER, &[]);
    let other = bag(OTHER, &[5, 0], &[]);
    let all = [&key, &certificate, &other_certificate, &other];
    for chosen in 0..16 {
        let is = |i: usize| usize::from(chosen >> i & 1 == 1);
        let some: Vec<_> = (0..4)
            .filter(|i| is(*i) > 0)
            .map(|i| all[i].clone())
            .collect();
        let file = read(&bags(&some), "x").unwrap();
        assert_eq!(
            (file.keys.len(), file.certificates.len()),
            (is(0), is(1)),
            "{chosen}"
        );
        for key in file.keys {
            assert_eq!(key.key.public_key(), common::leaf_key().public_key());
            assert_eq!((key.name, key.local_key_id), (None, None));
        }
        for certificate in file.certificates {
            assert_eq!(certificate.der, common::leaf());
            assert_eq!((certificate.name, certificate.local_key_id), (None, None));
        }
    }
    // One that is none.
    let broken = write(|w| {
        w.sequence(|w| {
            w.oid(&X509);
            w.explicit(0, |w| w.octet_string(&[0x30, 0]));
        });
    });
    let error = read(&bags(&[bag(CERTIFICATE, &broken, &[])]), "x").unwrap_err();
    assert!(matches!(error, ErrorKind::Der(Der::Truncated)), "{error}");
}

/// The attributes of bags, of which two are known.
#[test]
fn attributes_of_bags() {
    let bad = Err(ErrorKind::Der(Der::BadString));
    let name =
        |tag: Tag, octets: &[u8]| attribute(FRIENDLY_NAME, &[&write(|w| w.tlv(tag, octets))]);
    let bmp = |octets: &[u8]| name(Tag::BMP_STRING, octets);
    let id = |tag: Tag| attribute(LOCAL_KEY_ID, &[&write(|w| w.tlv(tag, &[1, 2]))]);
    let other = attribute(OTHER, &[&[5, 0]]);
    let sorted = |mut some: Vec<Vec<u8>>| {
        some.sort();
        some
    };
    let named = |text: &str| Ok((Some(text.to_owned()), None));
    let with_id = Some(vec![1, 2]);
    for (attributes, expected) in [
        (vec![bmp(&[0, b'a', 0x27, 0x13])], named("a\u{2713}")),
        (vec![bmp(&[])], named("")),
        (vec![bmp(&[0, b'a', 0x27])], bad.clone()),
        (vec![bmp(&[0xd8, 0])], bad.clone()),
        (vec![name(Tag::UTF8_STRING, b"ab")], bad.clone()),
        (vec![attribute(FRIENDLY_NAME, &[])], Ok((None, None))),
        (vec![id(Tag::OCTET_STRING)], Ok((None, with_id.clone()))),
        (vec![id(Tag::UTF8_STRING)], Ok((None, None))),
        (vec![other.clone()], Ok((None, None))),
        (
            vec![bmp(&[0, b'a']), id(Tag::OCTET_STRING), other],
            Ok((Some("a".to_owned()), with_id)),
        ),
    ] {
        let attributes = sorted(attributes);
        let key = bag(KEY, &common::leaf_key().to_der(), &attributes);
        let file = read(&bags(&[key]), "x");
        let found = file.map(|mut file| {
            let key = file.keys.remove(0);
            (key.name, key.local_key_id)
        });
        assert_eq!(found, expected, "{attributes:02x?}");
        let file = read(&bags(&[certificate_bag(X509, &attributes)]), "x");
        let found = file.map(|mut file| {
            let entry = file.certificates.remove(0);
            (entry.name, entry.local_key_id)
        });
        assert_eq!(found, expected, "{attributes:02x?}");
        if attributes.len() > 1 {
            let mut reversed = attributes.clone();
            reversed.reverse();
            let kind = read(&bags(&[certificate_bag(X509, &reversed)]), "x").err();
            assert_eq!(kind, Some(ErrorKind::Der(Der::UnsortedSet)));
        }
    }
}

/// What protects a file, and what is around its parts.
#[test]
fn frames() {
    let nothing = write(|w| w.sequence(|_| {}));
    let with = |version, mac: &[u8], iterations: &[u8]| {
        read(
            &file_of(version, |w| data(w, &nothing), mac, iterations),
            "x",
        )
        .map(|file| assert!(file.keys.is_empty() && file.certificates.is_empty()))
    };
    let usual = pbmac1(Some(32));
    assert_eq!(with(3, &usual, &[]), Ok(()));
    assert_eq!(with(3, &usual, &[2, 1, 2]), Ok(()));
    for version in [0, 2, 4] {
        assert_eq!(with(version, &usual, &[]), Err(ErrorKind::BadVersion));
    }
    let none = ErrorKind::Der(Der::UnexpectedValue("no iterations"));
    assert_eq!(with(3, &usual, &[2, 1, 0]), Err(none));
    // RFC 9579, 6: the length of the key is told, and is that of the tag.
    let oid = oid!("1.2.840.113549.1.5.14");
    for told in [None, Some(31), Some(33)] {
        let refused = Err(ErrorKind::WrongParameters(oid));
        assert_eq!(with(3, &pbmac1(told), &[]), refused, "{told:?}");
    }
    let digest = |oid: Oid, parameters: &[u8]| {
        write(|w| {
            w.sequence(|w| {
                w.oid(&oid);
                w.raw(parameters);
            });
        })
    };
    let sha256 = oid!("2.16.840.1.101.3.4.2.1");
    for (mac, kind) in [
        (digest(OTHER, &[]), ErrorKind::UnknownAlgorithm(OTHER)),
        (
            digest(sha256, &[5, 1, 0]),
            ErrorKind::WrongParameters(sha256),
        ),
        // Of another kind than the tag is.
        (digest(sha256, &[5, 0]), ErrorKind::WrongPassword),
        (digest(sha256, &[]), ErrorKind::WrongPassword),
    ] {
        assert_eq!(with(3, &mac, &[]), Err(kind));
    }
    // Contents of other kinds, outside and within.
    let other = |w: &mut Writer| {
        w.sequence(|w| {
            w.oid(&OTHER);
            w.explicit(0, |w| w.octet_string(&[]));
        });
    };
    let unknown = Some(ErrorKind::UnknownAlgorithm(OTHER));
    assert_eq!(read(&file_of(3, other, &usual, &[]), "x").err(), unknown);
    let encrypted = |version, kind: Oid| {
        file_of(
            3,
            |w| {
                w.sequence(|w| {
                    w.oid(&oid!("1.2.840.113549.1.7.6"));
                    w.explicit(0, |w| {
                        w.sequence(|w| {
                            w.integer_u64(version);
                            w.sequence(|w| w.oid(&kind));
                        });
                    });
                });
            },
            &usual,
            &[],
        )
    };
    assert_eq!(
        read(&encrypted(1, DATA), "x").err(),
        Some(ErrorKind::BadVersion)
    );
    assert_eq!(read(&encrypted(0, OTHER), "x").err(), unknown);
    let truncated = Some(ErrorKind::Der(Der::Truncated));
    assert_eq!(read(&encrypted(0, DATA), "x").err(), truncated);
    let outside = write(|w| {
        w.sequence(|w| {
            w.integer_u64(3);
            other(w);
        });
    });
    assert_eq!(read(&outside, "x").err(), unknown);
    // Without a MAC.
    let bare = write(|w| {
        w.sequence(|w| {
            w.integer_u64(3);
            data(w, &nothing);
        });
    });
    let error = Pkcs12::from_der(&bare, "x", &Limits::default()).unwrap_err();
    let kind = Der::UnexpectedValue("a file of PKCS #12 without a MAC");
    assert_eq!(
        (error.kind(), error.position()),
        (ErrorKind::Der(kind), bare.len())
    );
    // Iterations that nobody can do, when a file is made.
    let protection = Protection {
        scheme: Pbes2::pbkdf2(Prf::HmacSha256, 1),
        mac_iterations: 0,
    };
    let made = Pkcs12::new().to_der("x", &protection, &mut SystemRng);
    let kind = ErrorKind::Crypto(Crypto::BadParameter("mac_iterations"));
    assert_eq!(made.err().map(|error| error.kind()), Some(kind));
}

/// A file of one certificate without a name: what of it is encrypted, how long, and under what MAC.
#[test]
fn what_is_written() {
    for number in 0..16 {
        let name = "a".repeat(number + 1);
        let name = DistinguishedName::new().common_name(&name);
        let key = common::root_key();
        let certificate = CertificateBuilder::new(
            1.into(),
            name.as_name(),
            common::time("2026-01-01"),
            common::time("2026-01-02"),
            name.as_name(),
            &key.public_key(),
        )
        .sign(key.signer().unwrap())
        .unwrap();
        let iterations = 1 + number as u32 % 4;
        let protection = Protection {
            scheme: Pbes2::pbkdf2(Prf::HmacSha256, 1),
            mac_iterations: iterations,
        };
        let file = Pkcs12::new().certificate(&certificate, None).unwrap();
        let der = file.to_der("x", &protection, &mut Counting(0)).unwrap();
        let again = read(&der, "x").unwrap();
        assert_eq!(again.certificates, file.certificates);

        let mut r = Reader::new(&der).enter(Tag::SEQUENCE).unwrap();
        r.u32().unwrap();
        let mut safe = r.enter(Tag::SEQUENCE).unwrap();
        safe.oid().unwrap();
        let mut safe = safe.explicit(0, |r| r.enter(Tag::OCTET_STRING)).unwrap();
        let mut safe = safe.enter(Tag::SEQUENCE).unwrap();
        let mut encrypted = safe.enter(Tag::SEQUENCE).unwrap();
        encrypted.oid().unwrap();
        let mut encrypted = encrypted.enter(Tag::context_constructed(0)).unwrap();
        let mut encrypted = encrypted.enter(Tag::SEQUENCE).unwrap();
        encrypted.u32().unwrap();
        let mut encrypted = encrypted.enter(Tag::SEQUENCE).unwrap();
        encrypted.oid().unwrap();
        encrypted.read_any().unwrap();
        let octets = encrypted.read(Tag::context(0)).unwrap().value;
        // A bag without attributes has no set of them.
        let value = write(|w| {
            w.sequence(|w| {
                w.oid(&X509);
                w.explicit(0, |w| w.octet_string(&certificate));
            });
        });
        let bags = write(|w| w.sequence(|w| w.raw(&bag(CERTIFICATE, &value, &[]))));
        assert_eq!(octets.len(), (bags.len() / 16 + 1) * 16, "{number}");

        // The salt is drawn behind those of the scheme; one iteration is the default.
        let mut mac = r.enter(Tag::SEQUENCE).unwrap();
        mac.read_any().unwrap();
        let salt: Vec<_> = (33..49).collect();
        assert_eq!(mac.octet_string().unwrap(), salt);
        match iterations {
            1 => assert!(mac.is_empty()),
            _ => assert_eq!(mac.u32().unwrap(), iterations),
        }
    }
}
