//! The certificate of a server on P-256: verifies the path of it and a CA's, at a time and for a
//! host, from an anchor that is a name and a key. These are in its input, each after its length.
//!
//! The rules are those that an engine of this size has: a path as it is sent, names that are equal
//! octet for octet, and no extensions but for constraints on CAs, the use of the key and the names of
//! hosts: others must not be critical. Keys are uncompressed points.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;
#[path = "bare/heap.rs"]
mod heap;

use facade::der::{Oid, Reader, Tag, Time, oid};
use facade::ec::p256::{PublicKey, Signature};
use facade::x509::extensions::{BasicConstraints, ExtensionValue, KeyUsage, SubjectAltName};
use facade::x509::{Certificate, SubjectPublicKeyInfo};

const HOST: &[u8] = b"www.adamant.example";
/// 2026-02-01.
const NOW: i64 = 20_485 * 86_400;
/// The identifier 1.2.840.10045.3.1.7 as an element.
const P256: &[u8] = &[0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
const ECDSA_WITH_SHA256: [u8; 8] = octets(&oid!("1.2.840.10045.4.3.2"));
const BASIC_CONSTRAINTS: [u8; 3] = octets(&BasicConstraints::OID);
const KEY_USAGE: [u8; 3] = octets(&KeyUsage::OID);
const SUBJECT_ALT_NAME: [u8; 3] = octets(&SubjectAltName::OID);

/// The octets of an identifier that has this many: less to keep than one that could have more.
const fn octets<const N: usize>(oid: &Oid) -> [u8; N] {
    match oid.as_bytes().first_chunk() {
        Some(octets) => *octets,
        None => panic!("another length"),
    }
}

/// Whether the certificate holds now, and the issuer with this name and key made it.
fn is_issued(
    certificate: &Certificate<'_>,
    issuer: &[u8],
    key: &SubjectPublicKeyInfo<'_>,
) -> Option<()> {
    let now = Time::from_unix(NOW)?;
    let algorithms = certificate.signature_algorithm().oid.as_bytes() == ECDSA_WITH_SHA256
        && key.algorithm.parameters == Some(P256);
    if !(algorithms && certificate.issuer_der() == issuer)
        || !certificate.validity().ok()?.contains(now)
    {
        return None;
    }
    let point: &[u8; 65] = key.key.try_into().ok()?;
    let key = PublicKey::from_sec1(point).ok()?;
    let signature = Signature::from_der(certificate.signature()).ok()?;
    key.verify(certificate.tbs(), &signature).ok()
}

/// What a certificate lets its subject be.
#[derive(Clone, Copy, Default)]
struct Roles {
    basic_constraints: Option<bool>,
    key_usage: Option<bool>,
    subject_alt_name: Option<bool>,
}

impl Roles {
    /// From the extensions: each of the three is there once at most, and no other is critical.
    fn of(certificate: &Certificate<'_>) -> Option<Self> {
        let mut roles = Self::default();
        for extension in certificate.extensions().iter() {
            let extension = extension.ok()?;
            let oid = extension.oid.as_bytes();
            let place;
            let value = if oid == BASIC_CONSTRAINTS {
                place = &mut roles.basic_constraints;
                extension.decode::<BasicConstraints>().ok()?.ca
            } else if oid == KEY_USAGE {
                place = &mut roles.key_usage;
                let usage: KeyUsage = extension.decode().ok()?;
                usage.contains(KeyUsage::KEY_CERT_SIGN)
            } else if oid == SUBJECT_ALT_NAME {
                place = &mut roles.subject_alt_name;
                has_host(extension.value())?
            } else if extension.critical {
                return None;
            } else {
                continue;
            };
            if place.replace(value).is_some() {
                return None;
            }
        }
        Some(roles)
    }

    fn is_ca(&self) -> bool {
        self.basic_constraints == Some(true) && self.key_usage != Some(false)
    }

    fn is_host(&self) -> bool {
        self.subject_alt_name == Some(true)
    }
}

/// Whether these alternative names, encoded, have the host's.
fn has_host(names: &[u8]) -> Option<bool> {
    let mut rest = Reader::new(names);
    let mut names = rest.enter(Tag::SEQUENCE).ok()?;
    rest.finish().ok()?;
    let mut found = false;
    while !names.is_empty() {
        let name = names.read_any().ok()?;
        found |= name.tag == Tag::context(2) && name.value.eq_ignore_ascii_case(HOST);
    }
    Some(found)
}

/// Whether the certificates hold.
fn is_valid(name: &[u8], key: &[u8], ca: &[u8], server: &[u8]) -> Option<()> {
    let anchor = SubjectPublicKeyInfo::from_der(key).ok()?;
    let ca = Certificate::from_der(ca).ok()?;
    let server = Certificate::from_der(server).ok()?;
    is_issued(&ca, name, &anchor)?;
    is_issued(&server, ca.subject_der(), &ca.spki().ok()?)?;
    (Roles::of(&ca)?.is_ca() && Roles::of(&server)?.is_host()).then_some(())
}

/// The next part of the input.
fn part<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let (length, after) = rest.split_first_chunk().unwrap_or((&[0; 2], &[]));
    let length = usize::from(u16::from_be_bytes(*length));
    let (part, after) = after.split_at_checked(length).unwrap_or_default();
    *rest = after;
    part
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 2048];
    bare::input(&mut bytes);
    let rest = &mut &bytes[..];
    let [name, key, ca, server] = core::array::from_fn(|_| part(rest));
    bare::output(&[u8::from(is_valid(name, key, ca, server).is_some())]);
    0
}
