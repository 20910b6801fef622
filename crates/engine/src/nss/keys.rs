//! Signatures, agreement, public-key encryption, and the generation of keys.

use std::ffi::c_ulong;

use super::ffi::{Direction, Mechanism, Object, Session, Softoken, Template};
use super::{
    DECRYPT, DERIVE, ENCRYPT, PRIVATE_KEY, PUBLIC_KEY, SHA256, SIGN, VALUE, VERIFY, open,
    read_derived,
};
use crate::der;
use crate::family::{self, pair};
use crate::serve::Engine;

/// `CKK_RSA`, `CKK_EC`.
const RSA: c_ulong = 0;
const EC: c_ulong = 3;
/// `CKA_EC_PARAMS`, `CKA_EC_POINT`, and NSS's own for what a private key is found again by.
const EC_PARAMS: c_ulong = 0x180;
const EC_POINT: c_ulong = 0x181;
const NSS_DB: c_ulong = 0xd5a0_db00;
/// `CKA_MODULUS_BITS`, and `CKA_MODULUS` to `CKA_COEFFICIENT` in the order of PKCS#1.
const MODULUS_BITS: c_ulong = 0x121;
const NUMBERS: [c_ulong; 8] = [0x120, 0x122, 0x123, 0x124, 0x125, 0x126, 0x127, 0x128];

const RSA_KEY_PAIR_GEN: c_ulong = 0;
const RSA_OAEP: c_ulong = 9;
pub(super) const SHA256_RSA: c_ulong = 0x40;
const SHA256_RSA_PSS: c_ulong = 0x43;
/// `CKG_MGF1_SHA256`.
const MGF1_SHA256: c_ulong = 2;
const EC_KEY_PAIR_GEN: c_ulong = 0x1040;
const ECDH: c_ulong = 0x1050;

/// The longest number of an RSA key, and the longest signature.
pub(super) const MAX: usize = 1024;

/// Curves: name, the contents of the object identifier, bytes of a scalar, ECDSA with its hash.
pub(super) const CURVES: [(&str, &[u8], usize, c_ulong); 3] = [
    ("p256", &[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7], 32, 0x1044),
    ("p384", &[0x2b, 0x81, 4, 0, 0x22], 48, 0x1045),
    ("p521", &[0x2b, 0x81, 4, 0, 0x23], 66, 0x1046),
];
/// `curve25519` as NSS has always called it: 1.3.6.1.4.1.3029.1.5.1.
const CURVE25519: &[u8] = &[0x2b, 6, 1, 4, 1, 0x97, 0x55, 1, 5, 1];

/// A key in a session of its own.
pub(super) type Key = (Session, Object);

fn create(lib: Softoken, template: &Template) -> Result<Key, String> {
    let session = lib.session()?;
    let object = session.create(template)?;
    Ok((session, object))
}

pub(super) fn register(engine: &mut Engine, lib: Softoken) {
    for (name, oid, size, ecdsa) in CURVES {
        let curve = Curve { lib, oid, size };
        if !lib.has(EC_KEY_PAIR_GEN) || curve.generate().is_err() {
            continue;
        }
        if lib.has(ecdsa) {
            curve.signatures(engine, &format!("ecdsa-{name}"), ecdsa);
        }
        curve.agreement(engine, &format!("ecdh-{name}"));
    }
    let curve = Curve {
        lib,
        oid: CURVE25519,
        size: 32,
    };
    if lib.has(EC_KEY_PAIR_GEN) && curve.generate().is_ok() {
        curve.agreement(engine, "x25519");
    }
    for bits in [2048, 3072, 4096] {
        rsa(engine, lib, bits);
    }
}

#[derive(Clone, Copy)]
pub(super) struct Curve {
    pub(super) lib: Softoken,
    pub(super) oid: &'static [u8],
    pub(super) size: usize,
}

impl Curve {
    fn params(self) -> Vec<u8> {
        der::object_identifier(self.oid)
    }

    fn private(self, scalar: &[u8]) -> Result<Key, String> {
        let template = open(PRIVATE_KEY, EC).bytes(EC_PARAMS, &self.params());
        // It is only kept.
        let template = template.bytes(VALUE, scalar).bytes(NSS_DB, &[4]);
        create(self.lib, &template.yes(&[SIGN, DERIVE]))
    }

    pub(super) fn public(self, point: &[u8]) -> Result<Key, String> {
        let template = open(PUBLIC_KEY, EC).bytes(EC_PARAMS, &self.params());
        let template = template.bytes(EC_POINT, &der::octet_string(point));
        create(self.lib, &template.yes(&[VERIFY]))
    }

    pub(super) fn generate(self) -> Result<(Session, [Object; 2]), String> {
        let session = self.lib.session()?;
        let public = open(PUBLIC_KEY, EC).bytes(EC_PARAMS, &self.params());
        let private = open(PRIVATE_KEY, EC).yes(&[SIGN, DERIVE]);
        let mechanism = Mechanism::plain(EC_KEY_PAIR_GEN);
        let pair = session.generate_pair(&mechanism, &public.yes(&[VERIFY]), &private)?;
        Ok((session, pair))
    }

    fn keygen(self, engine: &mut Engine, name: &str) {
        family::keygen(
            engine,
            name,
            move || self.generate(),
            move |(session, [public, private])| {
                let mut scalar = [0; MAX];
                let scalar = session.read(*private, VALUE, &mut scalar)?;
                let scalar = der::padded(scalar, self.size).ok_or("the scalar is long")?;
                Ok(pair(&scalar, &read_point(session, *public)?))
            },
        );
    }

    fn agreement(self, engine: &mut Engine, name: &str) {
        self.keygen(engine, name);
        family::derive(
            engine,
            name,
            move |scalar| self.private(scalar),
            |point| Ok(point.to_vec()),
            move |(session, key), point: &Vec<u8>| {
                let mut secret = vec![0; self.size];
                read_derived(session, &Mechanism::ecdh(ECDH, point), *key, &mut secret)?;
                Ok(secret)
            },
        );
    }

    fn signatures(self, engine: &mut Engine, name: &str, mechanism: c_ulong) {
        self.keygen(engine, name);
        family::sign(
            engine,
            &format!("{name}/sign"),
            move |scalar| self.private(scalar),
            move |(session, key), message| {
                let mut signature = [0; MAX];
                let ecdsa = Mechanism::plain(mechanism);
                let len = session.sign(&ecdsa, *key, message, &mut signature)?;
                Ok((signature, len))
            },
            |(signature, len)| der::signature(&signature[..*len]),
        );
        let raw = move |signature: &[u8]| {
            let raw = der::raw_signature(signature, self.size);
            raw.ok_or_else(|| "the signature has another shape".to_owned())
        };
        family::verify(
            engine,
            &format!("{name}/verify"),
            move |point| self.public(point),
            raw,
            move |key, message, signature: &Vec<u8>| {
                is_valid(key, &Mechanism::plain(mechanism), message, signature)
            },
        );
        family::verify_encoded(engine, name, move |point, message, signature| {
            let (session, key) = self.public(point)?;
            let ecdsa = Mechanism::plain(mechanism);
            session.verify(&ecdsa, key, message, &raw(signature)?)
        });
    }
}

/// The point of a public key.
pub(super) fn read_point(session: &Session, public: Object) -> Result<Vec<u8>, String> {
    let mut point = [0; MAX];
    let point = session.read(public, EC_POINT, &mut point)?;
    // Newer versions give the point of Curve25519 bare.
    Ok(der::octets(point).unwrap_or(point).to_vec())
}

fn is_valid((session, key): &Key, mechanism: &Mechanism, message: &[u8], signature: &[u8]) -> bool {
    let valid = session.verify(mechanism, *key, message, signature);
    valid.unwrap_or(false)
}

pub(super) fn rsa_key(lib: Softoken, class: c_ulong, pkcs1: &[u8]) -> Result<Key, String> {
    let all = der::numbers(pkcs1).ok_or("the key is no sequence of numbers")?;
    let (wanted, uses) = match class {
        // The version comes first.
        PRIVATE_KEY => (all.get(1..9), [SIGN, DECRYPT]),
        _ => (all.get(..2), [VERIFY, ENCRYPT]),
    };
    let wanted = wanted.ok_or("the key lacks numbers")?;
    let template = open(class, RSA).yes(&uses);
    let numbers = NUMBERS.iter().zip(wanted);
    let template = numbers.fold(template, |t, (kind, number)| t.bytes(*kind, number));
    create(lib, &template)
}

/// A private key of RSA.
pub(super) fn generate_rsa(lib: Softoken, bits: c_ulong) -> Result<Key, String> {
    let session = lib.session()?;
    let public = open(PUBLIC_KEY, RSA).number(MODULUS_BITS, bits);
    let public = public.bytes(NUMBERS[1], &[1, 0, 1]).yes(&[VERIFY, ENCRYPT]);
    let private = open(PRIVATE_KEY, RSA).yes(&[SIGN, DECRYPT]);
    let mechanism = Mechanism::plain(RSA_KEY_PAIR_GEN);
    let [_, private] = session.generate_pair(&mechanism, &public, &private)?;
    Ok((session, private))
}

/// The first numbers of a key of RSA; two are its public key.
pub(super) fn read_numbers(
    session: &Session,
    key: Object,
    count: usize,
) -> Result<Vec<Vec<u8>>, String> {
    let read = NUMBERS.iter().take(count).map(|&kind| {
        let mut out = [0; MAX];
        Ok(session.read(key, kind, &mut out)?.to_vec())
    });
    read.collect()
}

fn rsa(engine: &mut Engine, lib: Softoken, bits: c_ulong) {
    let name = format!("rsa-{bits}");
    let generate = move || generate_rsa(lib, bits);
    family::keygen(engine, &name, generate, |(session, private)| {
        let mut read = vec![Vec::new()];
        read.extend(read_numbers(session, *private, NUMBERS.len())?);
        let numbers: Vec<&[u8]> = read.iter().map(Vec::as_slice).collect();
        let public = der::sequence_of(&numbers[1..3]);
        Ok(pair(&der::sequence_of(&numbers), &public))
    });
    // With a salt as long as the digest.
    let pss = || Mechanism::pss(SHA256_RSA_PSS, SHA256, MGF1_SHA256, 32);
    signatures(engine, lib, &name, "pkcs1", || Mechanism::plain(SHA256_RSA));
    signatures(engine, lib, &name, "pss", pss);
    let crypt = |direction| {
        move |(session, key): &Key, data: &[u8]| {
            let (oaep, mut out) = (Mechanism::oaep(RSA_OAEP, SHA256, MGF1_SHA256), vec![0; MAX]);
            let len = session.crypt(direction, &oaep, *key, data, &mut out)?;
            out.truncate(len);
            Ok(out)
        }
    };
    family::encrypt_message(
        engine,
        &format!("{name}/encrypt-oaep"),
        move |key| rsa_key(lib, PUBLIC_KEY, key),
        crypt(Direction::Encrypt),
    );
    family::decrypt_message(
        engine,
        &format!("{name}/decrypt-oaep"),
        move |key| rsa_key(lib, PRIVATE_KEY, key),
        crypt(Direction::Decrypt),
    );
}

fn signatures(
    engine: &mut Engine,
    lib: Softoken,
    name: &str,
    scheme: &str,
    mechanism: impl Fn() -> Mechanism + Copy + 'static,
) {
    family::sign(
        engine,
        &format!("{name}/sign-{scheme}"),
        move |key| rsa_key(lib, PRIVATE_KEY, key),
        move |(session, key), message| {
            let mut signature = [0; MAX];
            let len = session.sign(&mechanism(), *key, message, &mut signature)?;
            Ok((signature, len))
        },
        |(signature, len)| signature[..*len].to_vec(),
    );
    family::verify(
        engine,
        &format!("{name}/verify-{scheme}"),
        move |key| rsa_key(lib, PUBLIC_KEY, key),
        |signature| Ok(signature.to_vec()),
        move |key, message, signature: &Vec<u8>| is_valid(key, &mechanism(), message, signature),
    );
}
