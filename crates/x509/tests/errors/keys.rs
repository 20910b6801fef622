//! Private and public keys.

use adamant_base::Error as Crypto;
use adamant_der::{ErrorKind as Der, Oid, Reader, Tag, oid};
use adamant_rand::SystemRng;
use adamant_x509::algorithm::EC_PUBLIC_KEY;
use adamant_x509::keys::EcPrivateKey;
use adamant_x509::pbes2::{Limits, Pbes2, Prf};
use adamant_x509::pkcs12::Pkcs12;
use adamant_x509::{
    AlgorithmIdentifier, Element, ErrorKind, KeyAlgorithm, PrivateKey, PublicKey,
    SubjectPublicKeyInfo,
};

use super::{der, find, write};
use crate::common::{leaf_key, root_key};

#[test]
fn private_keys() {
    let refused = |key: &[u8], kind, at| {
        let error = PrivateKey::from_der(key).err().expect("refused");
        assert_eq!((error.kind(), error.position()), (kind, at));
    };
    let key = root_key();
    let der_key = key.to_der().to_vec();
    let public = key.public_key().to_der()[12..].to_vec();
    let bad_key = ErrorKind::Crypto(Crypto::BadPrivateKey);

    // Version 2 and the public key come together.
    let mut v2 = der_key.clone();
    v2[4] = 1;
    refused(&v2, ErrorKind::BadVersion, 4);
    v2[4] = 2;
    refused(&v2, ErrorKind::BadVersion, 4);
    let with_public = |version: u8, public: &[u8]| {
        let mut der = [&der_key[..], &[0x81, 33, 0], public].concat();
        der[1] += 35;
        der[4] = version;
        der
    };
    assert!(PrivateKey::from_der(&with_public(1, &public)).is_ok());
    refused(&with_public(0, &public), ErrorKind::BadVersion, 4);
    let at = der_key.len() + 3;
    refused(&with_public(1, &[9; 32]), ErrorKind::KeyMismatch, at);
    let mut bits = with_public(1, &public);
    bits[at - 1] = 1;
    bits[at + 31] &= 0xfe;
    refused(&bits, der(Der::BadBitString), at - 1);

    // A seed of 31 octets; an algorithm that is not there.
    let mut short = der_key.clone();
    short.pop();
    (short[1], short[13], short[15]) = (short[1] - 1, short[13] - 1, short[15] - 1);
    refused(&short, bad_key, 16);
    let mut ed448 = der_key.clone();
    ed448[11] = 113;
    refused(&ed448, bad_key, 16); // an Ed448 key is longer
    let mut unknown = der_key.clone();
    unknown[11] = 114;
    refused(
        &unknown,
        ErrorKind::UnknownAlgorithm(oid!("1.3.101.114")),
        5,
    );

    // P-256: zero, the order, another public key, another curve.
    let key = leaf_key();
    let sec1 = key.to_sec1_der().unwrap().to_vec();
    let sec1_refused = |key: &[u8], kind, at| {
        let error = PrivateKey::from_sec1_der(key).err().expect("refused");
        assert_eq!((error.kind(), error.position()), (kind, at));
    };
    let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    let order: Vec<u8> = (0..32)
        .map(|i| u8::from_str_radix(&order[2 * i..2 * i + 2], 16).unwrap())
        .collect();
    for scalar in [&[0; 32][..], &order] {
        let mut changed = sec1.clone();
        changed[7..39].copy_from_slice(scalar);
        sec1_refused(&changed, bad_key, 7);
    }
    let mut changed = sec1.clone();
    changed[38] ^= 1;
    let point = sec1.len() - 65;
    sec1_refused(&changed, ErrorKind::KeyMismatch, point);
    let mut changed = sec1.clone();
    changed[point + 64] ^= 1;
    sec1_refused(&changed, ErrorKind::Crypto(Crypto::BadPublicKey), point);
    let curve = find(&sec1, oid!("1.2.840.10045.3.1.7").as_bytes());
    let mut changed = sec1.clone();
    changed[curve + 7] = 2;
    let other = oid!("1.2.840.10045.3.1.2");
    sec1_refused(&changed, ErrorKind::UnknownAlgorithm(other), curve - 4);
    // Without a curve, only where the enclosing structure has it.
    let bare = [&[0x30, 37, 2, 1, 1, 4, 32][..], &sec1[7..39]].concat();
    sec1_refused(&bare, ErrorKind::WrongParameters(EC_PUBLIC_KEY), bare.len());

    // Public keys: off the curve, a wrong length.
    let mut spki = key.public_key().to_der();
    let octets = spki.len() - 65;
    spki[octets + 64] ^= 1;
    let error = PublicKey::from_der(&spki).unwrap_err();
    assert_eq!(
        (error.kind(), error.position()),
        (ErrorKind::Crypto(Crypto::BadPublicKey), octets)
    );

    // RSA of 512 bits.
    let pkcs1 = write(|w| {
        w.sequence(|w| {
            w.integer_unsigned(&[0xc5; 64]);
            w.integer_u64(65_537);
        });
    });
    let spki = write(|w| {
        w.sequence(|w| {
            AlgorithmIdentifier::new(oid!("1.2.840.113549.1.1.1"), Some(&[5, 0])).write(w);
            w.bit_string(&pkcs1, 0);
        });
    });
    let error = PublicKey::from_der(&spki).unwrap_err();
    let kind = ErrorKind::Crypto(Crypto::BadParameter("modulus"));
    assert_eq!(
        (error.kind(), error.position()),
        (kind, find(&spki, &pkcs1))
    );

    let x25519 = PrivateKey::from_der(&{
        let mut der = der_key.clone();
        der[11] = 110;
        der
    })
    .unwrap();
    assert_eq!(x25519.signer().err().unwrap().kind(), ErrorKind::CannotSign);
}

/// A key on a curve as the parts of its structures.
struct OnCurve {
    algorithm: KeyAlgorithm,
    key: PrivateKey,
    scalar: Vec<u8>,
    /// Compressed and not.
    points: [Vec<u8>; 2],
    identifier: Vec<u8>,
    curve: Oid,
}

impl OnCurve {
    fn new(algorithm: KeyAlgorithm, len: usize) -> Self {
        let key = PrivateKey::generate(algorithm, &mut SystemRng).unwrap();
        let sec1 = key.to_sec1_der().unwrap();
        let sec1 = EcPrivateKey::read(&mut Reader::new(&sec1)).unwrap();
        let spki = key.public_key().to_der();
        let spki = SubjectPublicKeyInfo::from_der(&spki).unwrap();
        let compressed = [&[2 | spki.key[2 * len] & 1], &spki.key[1..=len]].concat();
        Self {
            algorithm,
            scalar: sec1.private_key.to_vec(),
            points: [compressed, spki.key.to_vec()],
            identifier: write(|w| spki.algorithm.write(w)),
            curve: sec1.curve.unwrap(),
            key,
        }
    }
}

/// A structure of PKCS #8 names the curve once or twice, and the public key not at all, within the
/// key, beside it or both, in either form.
#[test]
fn forms_of_keys_on_curves() {
    let curves = KeyAlgorithm::ALL.iter();
    let curves = curves.filter_map(|algorithm| Some((*algorithm, algorithm.coordinate_len()?)));
    let keys: Vec<_> = curves
        .map(|(algorithm, len)| [(); 2].map(|()| OnCurve::new(algorithm, len)))
        .collect();
    for (i, [own, other]) in keys.iter().enumerate() {
        assert!(own.key.public_key() != other.key.public_key());
        let curve = keys[(i + 1) % keys.len()][0].curve;
        let publics: Vec<_> = [(None, true)]
            .into_iter()
            .chain(own.points.iter().map(|point| (Some(point), true)))
            .chain(other.points.iter().map(|point| (Some(point), false)))
            .collect();
        for named in [None, Some(own.curve), Some(curve)] {
            for ((within, fits), (beside, also)) in publics
                .iter()
                .flat_map(|one| publics.iter().map(move |other| (one, other)))
            {
                let sec1 = write(|w| {
                    w.sequence(|w| {
                        w.integer_u64(1);
                        w.octet_string(&own.scalar);
                        if let Some(curve) = named {
                            w.explicit(0, |w| w.oid(&curve));
                        }
                        if let Some(point) = within {
                            w.explicit(1, |w| w.bit_string(point, 0));
                        }
                    });
                });
                let der = write(|w| {
                    w.sequence(|w| {
                        w.integer_u64(beside.is_some().into());
                        w.raw(&own.identifier);
                        w.octet_string(&sec1);
                        if let Some(point) = beside {
                            w.tlv(Tag::context(1), &[&[0], &point[..]].concat());
                        }
                    });
                });
                let expected = match named {
                    Some(named) if named != own.curve => Some(ErrorKind::UnknownAlgorithm(named)),
                    _ => (!fits || !also).then_some(ErrorKind::KeyMismatch),
                };
                let read = PrivateKey::from_der(&der);
                assert!(
                    read.as_ref()
                        .is_ok_and(|key| key.public_key() == own.key.public_key())
                        == expected.is_none()
                );
                let kind = read.err().map(|error| error.kind());
                assert_eq!(kind, expected, "{:?} {named:?}", own.algorithm);
            }
        }
    }
}

/// A key of RSA in which one octet is another is refused.
#[test]
fn halves_that_do_not_fit() {
    let file = include_bytes!("../../testdata/rfc9579_a1.p12");
    let file = Pkcs12::from_der(file, "1234", &Limits::default()).unwrap();
    let key = &file.keys[0].key;
    key.check_pair().unwrap();
    let der = key.to_der();
    for at in (0..der.len()).step_by(37) {
        let mut changed = der.to_vec();
        changed[at] ^= 4;
        assert!(PrivateKey::from_der(&changed).is_err(), "{at}");
    }
}

/// HMAC-SHA-1, the default, spelled out as some writers do (`openssl pkcs8` reads this too).
#[test]
fn a_key_under_a_default_that_is_encoded() {
    let der = include_bytes!("../../testdata/pbes2_hmac_sha1.der");
    let limits = Limits {
        iterations: 2000,
        ..Limits::default()
    };
    let key = PrivateKey::from_encrypted_der(der, b"password", &limits).unwrap();
    assert_eq!(key.public_key(), root_key().public_key());
    // Its parameters are a NULL.
    let at = find(der, oid!("1.2.840.113549.2.7").as_bytes()) + 8;
    let mut wrong = der.to_vec();
    wrong[at] = 4;
    let error = PrivateKey::from_encrypted_der(&wrong, b"password", &limits).err();
    let kind = ErrorKind::WrongParameters(oid!("1.2.840.113549.2.7"));
    assert_eq!(error.unwrap().kind(), kind);
    // The key takes two blocks of the function, 1000 iterations each.
    for (iterations, passes) in [(1999, false), (2000, true), (2001, true)] {
        let limits = Limits {
            iterations,
            ..limits
        };
        let read = PrivateKey::from_encrypted_der(der, b"password", &limits);
        let kind = read.err().map(|error| error.kind());
        assert_eq!(
            kind,
            (!passes).then_some(ErrorKind::TooCostly("iterations"))
        );
    }
}

/// Keys under which one signature fits every message.
#[test]
fn keys_of_small_order() {
    let ed448 = |y: u8, sign: u8| {
        let mut point = [0; 57];
        (point[0], point[56]) = (y, sign);
        (oid!("1.3.101.113"), point.to_vec())
    };
    let ed25519 = |y: u8, sign: u8| {
        let mut point = [0; 32];
        (point[0], point[31]) = (y, sign);
        (oid!("1.3.101.112"), point.to_vec())
    };
    for (algorithm, point) in [
        ed448(1, 0),
        ed448(0, 0),
        ed448(0, 0x80),
        ed25519(1, 0),
        ed25519(0, 0),
        ed25519(0, 0x80),
    ] {
        let der = write(|w| {
            w.sequence(|w| {
                w.sequence(|w| w.oid(&algorithm));
                w.bit_string(&point, 0);
            });
        });
        let error = PublicKey::from_der(&der).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Crypto(Crypto::BadPublicKey));
    }
}

#[test]
fn keys_under_passwords() {
    let key = root_key();
    let make = |scheme: &Pbes2| key.to_encrypted_der(b"password", scheme, &mut SystemRng);
    let read = |der: &[u8], limits: &Limits| {
        let error = PrivateKey::from_encrypted_der(der, b"password", limits).err();
        error.map(|error| (error.kind(), error.position()))
    };
    // More than is allowed.
    let limits = Limits {
        iterations: 1000,
        memory: (1 << 20) + 4 * 1024,
        work: (1 << 20) + 16 * 1024,
    };
    let pbkdf2 = |iterations| Pbes2::pbkdf2(Prf::HmacSha256, iterations);
    for (scheme, what) in [
        (pbkdf2(1001), "iterations"),
        (Pbes2::scrypt(1024, 16, 1), "memory"),
        (Pbes2::scrypt(1024, 8, 2), "memory"),
        (Pbes2::scrypt(512, 8, 2), "work"),
    ] {
        let der = make(&scheme).unwrap();
        assert_eq!(read(&der, &limits), Some((ErrorKind::TooCostly(what), 18)));
        assert_eq!(read(&der, &Limits::default()), None);
    }
    for scheme in [pbkdf2(1000), Pbes2::scrypt(1024, 8, 1)] {
        let der = make(&scheme).unwrap();
        assert_eq!(read(&der, &limits), None);
        // Every octet of the ciphertext counts; which one it was does not show, unless the key
        // itself is another.
        let whole = der.len();
        for at in [whole - 1, whole - 17] {
            let mut wrong = der.clone();
            wrong[at] ^= 1;
            assert_eq!(read(&wrong, &limits), Some((ErrorKind::WrongPassword, 0)));
        }
        for short in 0..whole {
            assert!(read(&der[..short], &limits).is_some());
        }
    }
    // What no key is made with.
    for (scheme, parameter) in [
        (pbkdf2(0), "iterations"),
        (Pbes2::pbkdf2(Prf::HmacSha1, 1000), "prf"),
        (Pbes2::scrypt(1000, 8, 1), "n"),
    ] {
        let kind = ErrorKind::Crypto(Crypto::BadParameter(parameter));
        assert_eq!(make(&scheme).unwrap_err().kind(), kind);
    }
    // An algorithm that is not there.
    let der = make(&pbkdf2(1000)).unwrap();
    let at = find(&der, oid!("1.2.840.113549.1.5.13").as_bytes());
    let mut pbes1 = der.clone();
    pbes1[at + 8] = 3;
    let kind = ErrorKind::UnknownAlgorithm(oid!("1.2.840.113549.1.5.3"));
    assert_eq!(read(&pbes1, &limits), Some((kind, at - 2)));
}
