//! Files of PKCS #12: the examples of RFC 9579, and what is refused.

use adamant_base::Error as Crypto;
use adamant_rand::SystemRng;
use adamant_x509::pbes2::{Limits, Pbes2, Prf};
use adamant_x509::pkcs12::{Pkcs12, Protection};
use adamant_x509::{Certificate, ErrorKind, KeyAlgorithm};

use crate::common;

pub(crate) fn read(der: &[u8], password: &str) -> Result<Pkcs12, ErrorKind> {
    Pkcs12::from_der(der, password, &Limits::default()).map_err(|error| error.kind())
}

/// RFC 9579, A.1 and A.2: PBMAC1 with HMAC-SHA-256, and PBKDF2 with SHA-256 and with SHA-512.
#[test]
fn files_with_pbmac1() {
    for file in [
        &include_bytes!("../testdata/rfc9579_a1.p12")[..],
        include_bytes!("../testdata/rfc9579_a2.p12"),
    ] {
        let read = |password| read(file, password);
        let contents = read("1234").unwrap();
        let key = contents.keys[0].key.public_key();
        assert_eq!(key.algorithm(), Some(KeyAlgorithm::Rsa));
        let certificate = Certificate::from_der(&contents.certificates[0].der).unwrap();
        assert_eq!(certificate.public_key().unwrap(), key);
        assert_eq!(
            contents.keys[0].local_key_id,
            contents.certificates[0].local_key_id
        );
        assert_eq!(read("12345").unwrap_err(), ErrorKind::WrongPassword);
    }
    // A.5: another salt than that of the MAC.
    let wrong = include_bytes!("../testdata/rfc9579_a5.p12");
    assert_eq!(read(wrong, "1234").unwrap_err(), ErrorKind::WrongPassword);
}

/// A file of `openssl pkcs12 -export`, made BER at every level that is not encrypted: indefinite
/// lengths, strings in pieces of 100 octets, attributes in reverse order. `openssl pkcs12 -in`
/// reads it.
#[test]
fn a_file_in_ber() {
    let file = include_bytes!("../testdata/indefinite.p12");
    let limits = Limits::default();
    let contents = Pkcs12::from_ber(file, "1234", &limits).unwrap();
    let key = contents.keys[0].key.public_key();
    let certificate = Certificate::from_der(&contents.certificates[0].der).unwrap();
    assert_eq!(certificate.public_key().unwrap(), key);
    assert_eq!(certificate.subject().unwrap().to_string(), "CN=ber.example");
    assert_eq!(contents.keys[0].name.as_deref(), Some("indefinite"));
    let id = &contents.certificates[0].local_key_id;
    assert!(id.is_some() && *id == contents.keys[0].local_key_id);

    let wrong = Pkcs12::from_ber(file, "12345", &limits).unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::WrongPassword);
    // BER is read only on request.
    let error = Pkcs12::from_der(file, "1234", &limits).unwrap_err();
    let indefinite = ErrorKind::Der(adamant_der::ErrorKind::IndefiniteLength);
    assert_eq!((error.kind(), error.position()), (indefinite, 1));
    for cut in 0..file.len() {
        assert!(Pkcs12::from_ber(&file[..cut], "1234", &limits).is_err());
    }
    // DER is BER.
    let der = include_bytes!("../testdata/rfc9579_a1.p12");
    assert_eq!(
        Pkcs12::from_ber(der, "1234", &limits).unwrap().keys.len(),
        1
    );
}

#[test]
fn what_is_made_comes_back() {
    let (root, leaf) = (common::root(), common::leaf());
    let protection = Protection {
        scheme: Pbes2::pbkdf2(Prf::HmacSha512, 1000),
        mac_iterations: 1000,
    };
    let file = Pkcs12::new()
        .key(common::leaf_key(), Some("gr\u{fc}n \u{2713}"))
        .key(common::root_key(), None)
        .certificate(&leaf, Some("leaf"))
        .unwrap()
        .certificate(&root, None)
        .unwrap();
    // With a password of no letters, too, and one outside of the first plane.
    for password in ["open sesame", "", "\u{1f512}"] {
        let der = file.to_der(password, &protection, &mut SystemRng).unwrap();
        let again = read(&der, password).unwrap();
        assert_eq!(again.certificates, file.certificates);
        assert_eq!(again.keys.len(), 2);
        for (again, key) in again.keys.iter().zip(&file.keys) {
            assert_eq!(again.key.public_key(), key.key.public_key());
            assert_eq!(
                (&again.name, &again.local_key_id),
                (&key.name, &key.local_key_id)
            );
        }
        for (certificate, key) in file.certificates.iter().zip(&file.keys) {
            assert_eq!(certificate.local_key_id, key.local_key_id);
        }
        assert_eq!(read(&der, "sesame").unwrap_err(), ErrorKind::WrongPassword);
    }
}

/// PBMAC1 with HMAC-SHA-1, which is no default there (RFC 8018, A.5).
#[test]
fn a_mac_with_sha1() {
    let file = include_bytes!("../testdata/pbmac1_hmac_sha1.p12");
    assert!(read(file, "1234").unwrap().keys.is_empty());
    assert_eq!(read(file, "12345").unwrap_err(), ErrorKind::WrongPassword);
}

/// The limits are those of a file, and not of each key and part in it.
#[test]
fn a_file_has_one_budget() {
    let each = 7;
    let protection = Protection {
        scheme: Pbes2::pbkdf2(Prf::HmacSha256, each),
        mac_iterations: each,
    };
    for keys in [0, 1, 2, 9] {
        let mut file = Pkcs12::new();
        for _ in 0..keys {
            file = file.key(common::leaf_key(), None);
        }
        let der = file.to_der("x", &protection, &mut SystemRng).unwrap();
        // The MAC, the certificates, and every key.
        let cost = each * (2 + keys);
        for (iterations, passes) in [
            (0, false),
            (cost - 1, false),
            (cost, true),
            (cost + 1, true),
        ] {
            let limits = Limits {
                iterations,
                ..Limits::default()
            };
            let read = Pkcs12::from_der(&der, "x", &limits);
            let kind = read.err().map(|error| error.kind());
            let expected = (!passes).then_some(ErrorKind::TooCostly("iterations"));
            assert_eq!(kind, expected, "{keys} {iterations}");
        }
    }
    // Of scrypt, too: the work adds up, the memory does not.
    let protection = Protection {
        scheme: Pbes2::scrypt(16, 1, 1),
        mac_iterations: 1,
    };
    let file = Pkcs12::new()
        .key(common::leaf_key(), None)
        .key(common::root_key(), None);
    let der = file.to_der("x", &protection, &mut SystemRng).unwrap();
    let (memory, work) = (128 * 16 + 2 * 128, 3 * 128 * (16 + 16));
    for (memory, work, refused) in [
        (memory, work, None),
        (memory - 1, work, Some("memory")),
        (memory, work - 1, Some("work")),
    ] {
        let limits = Limits {
            iterations: 1,
            memory,
            work,
        };
        let read = Pkcs12::from_der(&der, "x", &limits);
        let kind = read.err().map(|error| error.kind());
        assert_eq!(kind, refused.map(ErrorKind::TooCostly));
    }
}

/// A BMPString has no characters beyond its plane: they are not written as pairs of surrogates.
#[test]
fn names_beyond_the_plane() {
    let protection = Protection {
        scheme: Pbes2::pbkdf2(Prf::HmacSha256, 1),
        mac_iterations: 1,
    };
    let write = |name| {
        let key = Pkcs12::new().key(common::leaf_key(), Some(name));
        let certificate = Pkcs12::new()
            .certificate(&common::leaf(), Some(name))
            .unwrap();
        [key, certificate].map(|file| {
            let der = file.to_der("x", &protection, &mut SystemRng);
            der.map(drop).map_err(|error| error.kind())
        })
    };
    for name in ["", "\u{fc}", "\u{d7ff}\u{e000}", "\u{ffff}"] {
        assert_eq!(write(name), [Ok(()); 2], "{name}");
    }
    let refused = Err(ErrorKind::Crypto(Crypto::BadParameter("friendly name")));
    for name in ["\u{10000}", "key \u{1f512}", "\u{10ffff}"] {
        assert_eq!(write(name), [refused; 2], "{name}");
    }
}

/// The count of the MAC is 1 by default, and BER has it either way.
#[test]
fn a_count_of_one_spelled_out() {
    let protection = Protection {
        scheme: Pbes2::pbkdf2(Prf::HmacSha256, 1),
        mac_iterations: 1,
    };
    let file = Pkcs12::new().key(common::leaf_key(), None);
    let der = file.to_der("x", &protection, &mut SystemRng).unwrap();
    let len = der.len();
    // The file ends with a SEQUENCE, the MAC, which ends with its salt; `30 82` begins the file.
    let ends = |&at: &usize| der[at] == 0x30 && at + 2 + usize::from(der[at + 1]) == len;
    let mac = (0..len - 2).rev().find(ends).unwrap();
    for (count, expected) in [(0, false), (1, true), (2, false)] {
        let mut der = der.clone();
        der[mac + 1] += 3;
        let whole = u16::from_be_bytes([der[2], der[3]]) + 3;
        der[2..4].copy_from_slice(&whole.to_be_bytes());
        der.extend([2, 1, count]);
        assert_eq!(read(&der, "x").is_ok(), expected, "{count}");
    }
}

#[test]
fn every_octet_is_protected() {
    let protection = Protection {
        scheme: Pbes2::pbkdf2(Prf::HmacSha256, 1),
        mac_iterations: 1,
    };
    let file = Pkcs12::new()
        .key(common::leaf_key(), None)
        .certificate(&common::leaf(), None)
        .unwrap();
    let der = file.to_der("x", &protection, &mut SystemRng).unwrap();
    let small = Limits {
        iterations: 0,
        ..Limits::default()
    };
    let error = Pkcs12::from_der(&der, "x", &small).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooCostly("iterations"));
    for at in 0..der.len() {
        let mut wrong = der.clone();
        wrong[at] ^= 1;
        assert!(read(&wrong, "x").is_err(), "{at}");
        assert!(read(&der[..at], "x").is_err(), "{at}");
    }
    // Without the MAC, what is within is not looked at.
    let safe = 4 + 3;
    let len = usize::from(u16::from_be_bytes([der[safe + 2], der[safe + 3]]));
    let contents = &der[4..safe + 4 + len];
    let len = u16::try_from(contents.len()).unwrap().to_be_bytes();
    let bare = [&[0x30, 0x82, len[0], len[1]], contents].concat();
    let error = read(&bare, "x").unwrap_err();
    assert!(matches!(error, ErrorKind::Der(_)), "{error}");
}

/// The MAC has its price, whatever the rest of the file costs.
#[test]
fn costs_of_a_mac() {
    let protection = Protection {
        scheme: Pbes2::pbkdf2(Prf::HmacSha256, 1),
        mac_iterations: 100,
    };
    let der = Pkcs12::new()
        .to_der("x", &protection, &mut SystemRng)
        .unwrap();
    for (iterations, passes) in [(2, false), (99, false), (100, false), (101, true)] {
        let limits = Limits {
            iterations,
            ..Limits::default()
        };
        let read = Pkcs12::from_der(&der, "x", &limits);
        let kind = read.err().map(|error| error.kind());
        let costly = ErrorKind::TooCostly("iterations");
        assert_eq!(kind, (!passes).then_some(costly), "{iterations}");
    }
}
