//! Private keys under passwords: each part of what says how, with each fault.

use adamant_base::{Error as Crypto, Rng};
use adamant_der::{ErrorKind as Der, Oid, Writer, oid};
use adamant_rand::SystemRng;
use adamant_x509::pbes2::{Cipher, Limits, Pbes2, Prf};
use adamant_x509::{ErrorKind, PrivateKey};

use super::{der, find, write};
use crate::common::root_key;

const PBES2: Oid = oid!("1.2.840.113549.1.5.13");
const PBKDF2: Oid = oid!("1.2.840.113549.1.5.12");
const SCRYPT: Oid = oid!("1.3.6.1.4.1.11591.4.11");
const AES_128: Oid = oid!("2.16.840.1.101.3.4.1.2");
const AES_192: Oid = oid!("2.16.840.1.101.3.4.1.22");
const AES_256: Oid = oid!("2.16.840.1.101.3.4.1.42");
const SM4: Oid = oid!("1.2.156.10197.1.104.2");
const SHA256: Oid = oid!("1.2.840.113549.2.9");
const SM3: Oid = oid!("1.2.156.10197.1.401.2");
const UNKNOWN: Oid = oid!("1.3.6.1.4.1.99999.9");

/// An algorithm and its parameters.
fn algorithm(oid: Oid, parameters: &[u8]) -> Vec<u8> {
    write(|w| {
        w.sequence(|w| {
            w.oid(&oid);
            w.raw(parameters);
        });
    })
}

/// A function of keys with these numbers after its salt.
fn kdf(oid: Oid, numbers: &[u64], more: &[u8]) -> Vec<u8> {
    let parameters = write(|w| {
        w.sequence(|w| {
            w.octet_string(&[0x5a; 8]);
            numbers.iter().for_each(|number| w.integer_u64(*number));
            w.raw(more);
        });
    });
    algorithm(oid, &parameters)
}

fn cipher(oid: Oid, iv: usize) -> Vec<u8> {
    algorithm(oid, &write(|w| w.octet_string(&vec![0x1f; iv])))
}

/// A key that is two blocks of zeros under this scheme.
fn key(scheme: Oid, kdf: &[u8], cipher: &[u8]) -> Vec<u8> {
    let parameters = write(|w| w.sequence(|w| w.raw(&[kdf, cipher].concat())));
    write(|w: &mut Writer| {
        w.sequence(|w| {
            w.raw(&algorithm(scheme, &parameters));
            w.octet_string(&[0; 32]);
        });
    })
}

fn refused(key: &[u8]) -> (ErrorKind, usize) {
    let read = PrivateKey::from_encrypted_der(key, b"x", &Limits::default());
    let error = read.err().expect("refused");
    (error.kind(), error.position())
}

#[test]
fn schemes() {
    let usual = kdf(PBKDF2, &[1], &algorithm(SHA256, &[5, 0]));
    let aes = cipher(AES_256, 16);
    // What is right so far has a wrong password.
    let reads = (ErrorKind::WrongPassword, 0);
    for prf in [
        algorithm(SHA256, &[5, 0]),
        algorithm(SM3, &[5, 0]),
        algorithm(SM3, &[]),
        Vec::new(),
    ] {
        for (oid, len) in [(AES_128, 16), (AES_192, 24), (AES_256, 32), (SM4, 16)] {
            // The length of the key may be told, and is the cipher's.
            for told in [None, Some(len - 1), Some(len), Some(len + 1), Some(0)] {
                let numbers: Vec<_> = [1].into_iter().chain(told).collect();
                let kdf = kdf(PBKDF2, &numbers, &prf);
                let key = key(PBES2, &kdf, &cipher(oid, 16));
                let expected = match told.is_none_or(|told| told == len) {
                    true => reads,
                    false => (ErrorKind::WrongParameters(PBES2), find(&key, &kdf)),
                };
                assert_eq!(refused(&key), expected, "{oid} {told:?} {prf:02x?}");
            }
        }
    }
    for told in [None, Some(31), Some(32)] {
        let numbers: Vec<_> = [2, 1, 1].into_iter().chain(told).collect();
        let kdf = kdf(SCRYPT, &numbers, &[]);
        let key = key(PBES2, &kdf, &aes);
        let expected = match told {
            Some(31) => (ErrorKind::WrongParameters(PBES2), find(&key, &kdf)),
            _ => reads,
        };
        assert_eq!(refused(&key), expected, "{told:?}");
    }

    // Others, each at its place.
    let at_oid = |key: &[u8], oid: Oid| {
        let place = find(key, oid.as_bytes()) - 2;
        assert_eq!(refused(key), (ErrorKind::UnknownAlgorithm(oid), place));
    };
    at_oid(&key(UNKNOWN, &usual, &aes), UNKNOWN);
    at_oid(&key(PBES2, &kdf(UNKNOWN, &[1], &[]), &aes), UNKNOWN);
    at_oid(&key(PBES2, &usual, &cipher(UNKNOWN, 16)), UNKNOWN);
    for (parameters, kind) in [
        (
            algorithm(UNKNOWN, &[5, 0]),
            ErrorKind::UnknownAlgorithm(UNKNOWN),
        ),
        (algorithm(SHA256, &[]), ErrorKind::WrongParameters(SHA256)),
        (
            algorithm(SHA256, &[4, 0]),
            ErrorKind::WrongParameters(SHA256),
        ),
        (algorithm(SM3, &[4, 0]), ErrorKind::WrongParameters(SM3)),
    ] {
        let key = key(PBES2, &kdf(PBKDF2, &[1], &parameters), &aes);
        assert_eq!(refused(&key), (kind, find(&key, &parameters)));
    }
    for len in [0, 15, 17] {
        let key = key(PBES2, &usual, &cipher(AES_256, len));
        let place = find(&key, AES_256.as_bytes()) + AES_256.as_bytes().len();
        assert_eq!(
            refused(&key),
            (ErrorKind::WrongParameters(AES_256), place),
            "{len}"
        );
    }
    let salt = [4, 8, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a];
    for (kdf, what) in [
        (kdf(PBKDF2, &[0], &[]), "no iterations"),
        (
            kdf(SCRYPT, &[3, 1, 1], &[]),
            "parameters that scrypt does not allow",
        ),
        (
            kdf(SCRYPT, &[1, 1, 1], &[]),
            "parameters that scrypt does not allow",
        ),
        (
            kdf(SCRYPT, &[2, 0, 1], &[]),
            "parameters that scrypt does not allow",
        ),
        (
            kdf(SCRYPT, &[2, 1, 0], &[]),
            "parameters that scrypt does not allow",
        ),
    ] {
        let key = key(PBES2, &kdf, &aes);
        let place = find(&key, &salt) + salt.len();
        assert_eq!(refused(&key), (der(Der::UnexpectedValue(what)), place));
    }
}

/// Whatever can be made can be read.
#[test]
fn every_function_and_cipher() {
    let read = |der: &[u8], password: &[u8]| {
        PrivateKey::from_encrypted_der(der, password, &Limits::default())
            .map(|key| assert!(key.public_key() == root_key().public_key()))
            .map_err(|error| error.kind())
    };
    let prfs = [
        Prf::HmacSha224,
        Prf::HmacSha256,
        Prf::HmacSha384,
        Prf::HmacSha512,
        Prf::HmacSm3,
    ];
    for scheme in prfs
        .map(|prf| Pbes2::pbkdf2(prf, 2))
        .into_iter()
        .chain([Pbes2::scrypt(4, 2, 3)])
    {
        for cipher in [
            Cipher::Aes128Cbc,
            Cipher::Aes192Cbc,
            Cipher::Aes256Cbc,
            Cipher::Sm4Cbc,
        ] {
            let scheme = scheme.with_cipher(cipher);
            let der = root_key()
                .to_encrypted_der(b"a", &scheme, &mut SystemRng)
                .unwrap();
            assert_eq!(read(&der, b"a"), Ok(()), "{scheme:?}");
            // The padding of a wrong key may be right, and what is in it no key.
            assert_eq!(
                read(&der, b"b"),
                Err(ErrorKind::WrongPassword),
                "{scheme:?}"
            );
        }
    }
}

/// Fills with 1, 2, 3, …
pub(crate) struct Counting(pub(crate) u8);

impl Rng for Counting {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Crypto> {
        for octet in out {
            self.0 += 1;
            *octet = self.0;
        }
        Ok(())
    }
}

/// The salt and the first block's vector are drawn, each its own.
#[test]
fn what_is_drawn() {
    for scheme in [Pbes2::pbkdf2(Prf::HmacSha256, 1), Pbes2::scrypt(2, 1, 1)] {
        let der = root_key()
            .to_encrypted_der(b"a", &scheme, &mut Counting(0))
            .unwrap();
        let drawn: Vec<_> = (1..=32).collect();
        let (salt, iv) = drawn.split_at(16);
        let [salt, iv] = [salt, iv].map(|octets| write(|w| w.octet_string(octets)));
        assert!(find(&der, &salt) < find(&der, &iv));
    }
}
