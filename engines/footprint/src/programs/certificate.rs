//! The certificate of a server on P-256: verifies the path of it and a CA's, at a time and for a
//! host, from an anchor that is a name and a key. These stand in its input, each after its length.
//!
//! The rules are those that an engine of this size has: a path as it is sent, names that are equal
//! octet for octet, and no constraints on names or policies, which are refused.
#![no_std]
#![no_main]

mod bare;

use adamant_der::{Oid, Time, oid};
use adamant_ec::p256::{PublicKey, Signature};
use adamant_x509::extensions::{GeneralName, KeyUsage};
use adamant_x509::{Certificate, FullCertificate, SubjectPublicKeyInfo};

const HOST: &str = "www.adamant.example";
/// 2026-02-01.
const NOW: i64 = 20_485 * 86_400;
const P256: Oid = oid!("1.2.840.10045.3.1.7");
const ECDSA_WITH_SHA256: Oid = oid!("1.2.840.10045.4.3.2");

/// Whether the certificate holds now, and the issuer with this name and key made it.
fn is_issued(
    certificate: &FullCertificate<'_>,
    issuer: &[u8],
    key: &SubjectPublicKeyInfo<'_>,
) -> Option<()> {
    let now = certificate.validity.contains(Time::from_unix(NOW)?);
    let algorithms = certificate.signature_algorithm().oid == ECDSA_WITH_SHA256
        && key.algorithm.parameters_oid() == Some(P256);
    let constraints = &certificate.extensions;
    let free = constraints.name_constraints.is_none() && constraints.policy_constraints.is_none();
    if !(now && algorithms && free && certificate.issuer_der() == issuer) {
        return None;
    }
    let key = PublicKey::from_sec1(key.key).ok()?;
    let signature = Signature::from_der(certificate.signature()).ok()?;
    key.verify(certificate.tbs(), &signature).ok()
}

/// Whether it may certify servers.
fn is_ca(certificate: &FullCertificate<'_>) -> Option<()> {
    let usage = certificate.extensions.key_usage;
    let signs = usage.is_none_or(|usage| usage.contains(KeyUsage::KEY_CERT_SIGN));
    let basic = certificate.extensions.basic_constraints?;
    (basic.ca && signs).then_some(())
}

/// Whether it is the host's.
fn is_of_host(certificate: &FullCertificate<'_>) -> Option<()> {
    let names = certificate.extensions.subject_alt_name?.0;
    let same = |name| matches!(name, GeneralName::Dns(name) if name.eq_ignore_ascii_case(HOST));
    names.iter().any(same).then_some(())
}

/// Whether the certificates hold.
fn is_valid(name: &[u8], key: &[u8], ca: &[u8], server: &[u8]) -> Option<()> {
    let anchor = SubjectPublicKeyInfo::parse(key).ok()?;
    let ca = Certificate::parse_full(ca).ok()?;
    let server = Certificate::parse_full(server).ok()?;
    is_issued(&ca, name, &anchor)?;
    is_ca(&ca)?;
    is_issued(&server, ca.subject_der(), &ca.spki)?;
    is_of_host(&server)
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
