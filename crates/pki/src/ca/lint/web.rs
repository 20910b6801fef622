//! The Baseline Requirements of the CA/Browser Forum for TLS servers (version 2.1, section 7.1), as
//! far as they ask for more than RFC 5280 and show in one certificate.

use std::collections::HashSet;

use adamant::der::{Oid, Time};
use adamant::x509::extensions::{
    DistributionPointName, ExtendedKeyUsage, ExtensionValue, GeneralName, KeyUsage,
};
use adamant::x509::name::{
    COMMON_NAME, COUNTRY, DOMAIN_COMPONENT, GIVEN_NAME, LOCALITY, ORGANIZATION,
    ORGANIZATIONAL_UNIT, POSTAL_CODE, STATE_OR_PROVINCE, STREET, SURNAME,
};
use adamant::x509::{FullCertificate, KeyAlgorithm, Name, PublicKey};

use super::Report;
use super::general::criticality;

/// What a certificate is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Root,
    Subordinate,
    Responder,
    Server,
}

fn kind(certificate: &FullCertificate<'_>) -> Kind {
    let extensions = &certificate.extensions;
    let is_responder = |usage: ExtendedKeyUsage<'_>| {
        let mut purposes = usage.0.iter();
        purposes.any(|purpose| purpose == ExtendedKeyUsage::OCSP_SIGNING)
    };
    match extensions.basic_constraints {
        Some(basic) if basic.ca => match certificate.issuer_der() == certificate.subject_der() {
            true => Kind::Root,
            false => Kind::Subordinate,
        },
        _ if extensions.extended_key_usage.is_some_and(is_responder) => Kind::Responder,
        _ => Kind::Server,
    }
}

/// Holds a certificate to the rules for its kind.
pub(super) fn check(certificate: &FullCertificate<'_>, report: &mut Report) {
    let kind = kind(certificate);
    subject(&certificate.subject, report);
    usage(certificate, kind, report);
    places(certificate, report);
    match kind {
        Kind::Responder => responder(certificate, report),
        Kind::Server => domains(certificate, report),
        Kind::Root | Kind::Subordinate => {}
    }
}

/// Holds the beginning to within 48 hours of the signature.
pub(super) fn check_time(certificate: &FullCertificate<'_>, now: Time, report: &mut Report) {
    const MOST: u64 = 48 * 3600;
    let first = certificate.validity.not_before();
    if first.to_unix().abs_diff(now.to_unix()) > MOST {
        let what = format!("valid from {first}, more than 48 hours from {now}");
        report.add("BR 7.1.2.7", what);
    }
}

/// The attributes of a subject, in their order.
const ORDER: [Oid; 11] = [
    DOMAIN_COMPONENT,
    COUNTRY,
    STATE_OR_PROVINCE,
    LOCALITY,
    POSTAL_CODE,
    STREET,
    ORGANIZATION,
    SURNAME,
    GIVEN_NAME,
    ORGANIZATIONAL_UNIT,
    COMMON_NAME,
];

/// Each attribute once, and in its place.
fn subject(subject: &Name<'_>, report: &mut Report) {
    const RULE: &str = "BR 7.1.4.2";
    let (mut last, mut seen) = (0, HashSet::new());
    let mut in_order = true;
    for attribute in subject.attributes() {
        let oid = attribute.oid;
        let place = ORDER.iter().position(|known| *known == oid);
        if let Some(place) = place {
            in_order &= place >= last;
            last = last.max(place);
        }
        let many = [DOMAIN_COMPONENT, STREET].contains(&oid);
        if !seen.insert(oid) && !many {
            report.add(RULE, format!("a second attribute {oid} in the subject"));
        }
    }
    if !in_order {
        report.add(RULE, "the attributes of the subject are not in their order");
    }
}

fn usage(certificate: &FullCertificate<'_>, kind: Kind, report: &mut Report) {
    let public_key = certificate.public_key();
    let algorithm = public_key.as_ref().ok().and_then(PublicKey::algorithm);
    let (rule, must, may) = match kind {
        Kind::Root | Kind::Subordinate => (
            "BR 7.1.2.10.7",
            KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN,
            Some(KeyUsage::DIGITAL_SIGNATURE),
        ),
        Kind::Responder => ("BR 7.1.2.8.7", KeyUsage::DIGITAL_SIGNATURE, None),
        // One of both is demanded of RSA, which neither is for all keys.
        Kind::Server if algorithm == Some(KeyAlgorithm::Rsa) => (
            "BR 7.1.2.7.11",
            KeyUsage::DIGITAL_SIGNATURE,
            Some(KeyUsage::KEY_ENCIPHERMENT | KeyUsage::DATA_ENCIPHERMENT),
        ),
        Kind::Server => (
            "BR 7.1.2.7.11",
            KeyUsage::DIGITAL_SIGNATURE,
            Some(KeyUsage::KEY_AGREEMENT),
        ),
    };
    let Some(usage) = certificate.extensions.key_usage else {
        // Only servers may be without it; the rule for CAs is elsewhere.
        if kind == Kind::Responder {
            report.add(rule, "a responder without keyUsage");
        }
        return;
    };
    if criticality(certificate, &KeyUsage::OID) != Some(true) {
        report.add(rule, "keyUsage that is not critical");
    }
    let encrypts = kind == Kind::Server
        && algorithm == Some(KeyAlgorithm::Rsa)
        && usage.contains(KeyUsage::KEY_ENCIPHERMENT);
    if !usage.contains(must) && !encrypts {
        report.add(rule, format!("keyUsage without {must:?}"));
    }
    let allowed = may.map_or(must, |may| must | may);
    if !allowed.contains(usage) {
        report.add(
            rule,
            format!("keyUsage of {usage:?}, where there may be {allowed:?}"),
        );
    }
}

/// Lists, issuers and responders are found by HTTP.
fn places(certificate: &FullCertificate<'_>, report: &mut Report) {
    let extensions = &certificate.extensions;
    let mut place = |rule, what: &str, name: &GeneralName<'_>| {
        let http = |url: &str| {
            url.get(..7)
                .is_some_and(|s| s.eq_ignore_ascii_case("http://"))
        };
        if !matches!(name, GeneralName::Uri(url) if http(url)) {
            report.add(rule, format!("{what}: {name} is not an HTTP address"));
        }
    };
    for access in extensions
        .authority_info_access
        .iter()
        .flat_map(|all| all.0.iter())
    {
        place("BR 7.1.2.7.7", "authorityInfoAccess", &access.location);
    }
    for point in extensions
        .crl_distribution_points
        .iter()
        .flat_map(|all| all.0.iter())
    {
        if let Some(DistributionPointName::Full(names)) = point.name {
            for name in names.iter() {
                place("BR 7.1.2.11.2", "cRLDistributionPoints", &name);
            }
        }
    }
}

/// What a responder has, and has not.
fn responder(certificate: &FullCertificate<'_>, report: &mut Report) {
    const RULE: &str = "BR 7.1.2.8.2";
    let extensions = &certificate.extensions;
    for (there, name) in [
        (
            extensions.certificate_policies.is_some(),
            "certificatePolicies",
        ),
        (
            extensions.crl_distribution_points.is_some(),
            "cRLDistributionPoints",
        ),
        (extensions.name_constraints.is_some(), "nameConstraints"),
        (extensions.subject_alt_name.is_some(), "subjectAltName"),
    ] {
        if there {
            report.add(RULE, format!("a responder with {name}"));
        }
    }
    if extensions.ocsp_no_check.is_none() {
        report.add("BR 7.1.2.8.6", "a responder without id-pkix-ocsp-nocheck");
    }
}

/// Top-level domains that nobody has (RFC 2606, 6762, 9476; ICANN on `internal`). `onion` has rules
/// of its own.
const RESERVED: [&str; 7] = [
    "alt",
    "example",
    "internal",
    "invalid",
    "local",
    "localhost",
    "test",
];

/// Only names on the Internet: below a top-level domain that can be had.
fn domains(certificate: &FullCertificate<'_>, report: &mut Report) {
    const RULE: &str = "BR 7.1.2.7.12";
    for name in certificate
        .extensions
        .subject_alt_name
        .iter()
        .flat_map(|all| all.0.iter())
    {
        let what = match name {
            GeneralName::Dns(domain) => {
                let (labels, top) = domain.rsplit_once('.').unwrap_or(("", domain));
                if RESERVED.iter().any(|known| known.eq_ignore_ascii_case(top)) {
                    "a reserved top-level domain"
                } else if top.eq_ignore_ascii_case("arpa") && below_home(labels) {
                    "a reserved domain"
                } else if labels.is_empty() {
                    "a name without a domain"
                } else {
                    continue;
                }
            }
            GeneralName::Ip(octets) if is_reserved(octets) => "a reserved address",
            GeneralName::Ip(_) => continue,
            _ => "no domain and no address",
        };
        report.add(RULE, format!("{name}: {what}"));
    }
}

/// Whether these labels before `arpa` are of the residential network (RFC 8375).
fn below_home(labels: &str) -> bool {
    let label = labels.rsplit('.').next().unwrap_or_default();
    label.eq_ignore_ascii_case("home")
}

/// Whether an address is one of those that nobody has on the Internet (RFC 6890).
fn is_reserved(octets: &[u8]) -> bool {
    match *octets {
        [0 | 10 | 127, ..] if octets.len() == 4 => true,
        [100, 64..=127, _, _] | [169, 254, _, _] | [172, 16..=31, _, _] => true,
        [192, 0, 0 | 2, _] | [192, 168, _, _] | [198, 18 | 19, _, _] => true,
        [198, 51, 100, _] | [203, 0, 113, _] | [224..=255, _, _, _] => true,
        [high, ..] if octets.len() == 16 => {
            // Unspecified, loopback and mapped; unique local; link-local and multicast;
            // documentation.
            octets[..10] == [0; 10]
                || high & 0xfe == 0xfc
                || octets[0] == 0xfe && octets[1] & 0xc0 == 0x80
                || high == 0xff
                || octets[..4] == [0x20, 0x01, 0x0d, 0xb8]
        }
        _ => false,
    }
}
