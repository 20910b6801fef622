//! What may not be signed: the rules of RFC 5280, and those of the profile.
//!
//! The linter reads what will be signed, octet for octet, and not what it was made from: it finds
//! the mistakes of the builder too. It names everything that is wrong at once.

use std::fmt;

use adamant::der::{Oid, Time};
use adamant::x509::extensions::{
    BasicConstraints, CertificateExtensions, DistributionPointName, GeneralName, KeyUsage,
    NameConstraints, SubjectAltName,
};
use adamant::x509::name::{
    COMMON_NAME, COUNTRY, EMAIL_ADDRESS, LOCALITY, ORGANIZATION, ORGANIZATIONAL_UNIT,
    STATE_OR_PROVINCE,
};
use adamant::x509::path::check_name_constraints;
use adamant::x509::{
    self, Certificate, FullCertificate, KeyAlgorithm, Name, PublicKey, SignatureAlgorithm, assemble,
};

use super::{Profile, Result};

/// The fewest octets of a serial number with 64 random bits.
const SERIAL_OCTETS: usize = 8;
/// The fewest bits of an RSA modulus.
const RSA_BITS: usize = 2048;

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule: a section of a standard, or the profile.
    pub rule: &'static str,
    /// What breaks it.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.what, self.rule)
    }
}

/// The usages that keys of a kind can have.
pub(super) fn possible_usages(algorithm: Option<KeyAlgorithm>) -> KeyUsage {
    use KeyAlgorithm as K;

    let signs = KeyUsage::DIGITAL_SIGNATURE
        | KeyUsage::NON_REPUDIATION
        | KeyUsage::KEY_CERT_SIGN
        | KeyUsage::CRL_SIGN;
    let agrees = KeyUsage::KEY_AGREEMENT | KeyUsage::ENCIPHER_ONLY | KeyUsage::DECIPHER_ONLY;
    let encrypts = KeyUsage::KEY_ENCIPHERMENT | KeyUsage::DATA_ENCIPHERMENT;
    match algorithm {
        Some(K::Rsa) => signs | encrypts,
        Some(K::Sm2) => signs | encrypts | agrees,
        // RFC 8410, 5; RFC 9935, 5; draft-connolly-cfrg-xwing-kem, A.
        Some(K::X25519 | K::X448) => agrees,
        Some(K::MlKem512 | K::MlKem768 | K::MlKem1024 | K::XWing) => KeyUsage::KEY_ENCIPHERMENT,
        Some(
            K::P224
            | K::P256
            | K::P384
            | K::P521
            | K::Secp256k1
            | K::BrainpoolP256r1
            | K::BrainpoolP384r1
            | K::BrainpoolP512r1,
        ) => signs | agrees,
        // RFC 8410, 5; RFC 9881, 4; RFC 9909, 6.
        _ => signs,
    }
}

/// What a certificate of one issuer and profile must satisfy.
pub(super) struct Rules<'a> {
    issuer: Vec<u8>,
    issuer_spki: Vec<u8>,
    issuer_key_id: Vec<u8>,
    issuer_period: (Time, Time),
    issuer_basic: Option<BasicConstraints>,
    /// What the issuer and the CAs above it say of names.
    constraints: Vec<NameConstraints<'a>>,
    profile: Profile,
    purposes: Vec<Oid>,
}

impl<'a> Rules<'a> {
    /// `above` are the certificates of the CAs above the issuer, as far as they are known.
    pub(super) fn new(
        issuer: &Certificate<'a>,
        above: &[Certificate<'a>],
        issuer_key_id: &[u8],
        profile: &Profile,
    ) -> Result<Self> {
        let validity = issuer.validity()?;
        let mut constraints = Vec::new();
        for ca in [issuer].into_iter().chain(above) {
            constraints.extend(ca.extension::<NameConstraints<'_>>()?);
        }
        Ok(Self {
            constraints,
            issuer: issuer.subject_der().to_vec(),
            issuer_spki: issuer.spki_der().to_vec(),
            issuer_key_id: issuer_key_id.to_vec(),
            issuer_period: (validity.not_before(), validity.not_after()),
            issuer_basic: issuer.extension()?,
            purposes: profile.purposes()?,
            profile: profile.clone(),
        })
    }

    /// All that is wrong with what shall be signed.
    pub(super) fn check(&self, tbs: &[u8], algorithm: SignatureAlgorithm) -> Vec<Finding> {
        check(tbs, algorithm, |certificate, report| {
            self.of_issuer(certificate, report);
            self.of_profile(certificate, report);
        })
    }

    fn of_issuer(&self, certificate: &FullCertificate<'_>, report: &mut Report) {
        let extensions = &certificate.extensions;
        if certificate.issuer_der() != self.issuer {
            report.add("RFC 5280, 4.1.2.4", "the issuer is not the name of this CA");
        }
        let key_id = extensions.authority_key_identifier.and_then(|id| id.key_id);
        match key_id {
            None => report.add("RFC 5280, 4.2.1.1", "no authorityKeyIdentifier"),
            Some(id) if id != self.issuer_key_id => {
                let what = "the authorityKeyIdentifier is not that of this CA's key";
                report.add("RFC 5280, 4.2.1.1", what);
            }
            Some(_) => {}
        }
        let (from, until) = self.issuer_period;
        let validity = certificate.validity;
        if validity.not_before() < from || validity.not_after() > until {
            let what = format!(
                "valid from {} to {}, and the CA from {from} to {until}",
                validity.not_before(),
                validity.not_after()
            );
            report.add("RFC 5280, 6.1", what);
        }
        if certificate.spki_der() == self.issuer_spki {
            let what = "the subject has the key of this CA";
            report.add("RFC 5280, 3.2", what);
        }
        if let Err(why) = check_name_constraints(certificate, &self.constraints) {
            report.add("RFC 5280, 4.2.1.10", why.to_string());
        }
        let basic = extensions.basic_constraints.filter(|basic| basic.ca);
        if let (Some(basic), Some(own)) = (basic, self.issuer_basic)
            && let Some(most) = own.path_len
        {
            let what = format!("this CA may have {most} CAs below it in a path");
            if most == 0 || basic.path_len.is_none_or(|n| n >= most) {
                report.add("RFC 5280, 4.2.1.9", what);
            }
        }
    }

    fn of_profile(&self, certificate: &FullCertificate<'_>, report: &mut Report) {
        const RULE: &str = "profile";
        let profile = &self.profile;
        let extensions = &certificate.extensions;
        let validity = certificate.validity;
        let seconds = validity.not_after().to_unix() - validity.not_before().to_unix();
        let most = profile.max_days();
        if seconds >= i64::from(most) * 86_400 {
            report.add(RULE, format!("valid for more than {most} days"));
        }
        let is_ca = extensions.basic_constraints.is_some_and(|basic| basic.ca);
        if is_ca != profile.ca {
            report.add(
                RULE,
                "basicConstraints and the profile differ in what a CA is",
            );
        }
        let has: Vec<_> = extensions
            .extended_key_usage
            .map(|usage| usage.0.iter().collect())
            .unwrap_or_default();
        if has != self.purposes {
            report.add(RULE, "extKeyUsage is not the profile's");
        }
        let names = extensions.subject_alt_name;
        if profile.require_names && names.is_none() {
            report.add(RULE, "no alternative name");
        }
        if profile.common_name_is_name
            && let Some(common_name) = certificate.subject.common_name()
            && !names.is_some_and(|names| is_among(&names, &common_name))
        {
            let what = format!("the common name {common_name:?} is no alternative name");
            report.add(RULE, what);
        }
    }
}

/// What is wrong with what a root shall sign for itself.
pub(super) fn root(tbs: &[u8], algorithm: SignatureAlgorithm) -> Vec<Finding> {
    check(tbs, algorithm, |certificate, report| {
        if certificate.issuer_der() != certificate.subject_der() {
            report.add("RFC 5280, 3.2", "a root is its own issuer");
        }
    })
}

/// The rules for everybody, and some more.
fn check(
    tbs: &[u8],
    algorithm: SignatureAlgorithm,
    more: impl FnOnce(&FullCertificate<'_>, &mut Report),
) -> Vec<Finding> {
    let mut report = Report::default();
    // The signature is not there yet.
    let der = assemble(tbs, algorithm, &[0]);
    match Certificate::parse_full(&der) {
        Err(error) => report.add("RFC 5280, 4.1", format!("it cannot be read: {error}")),
        Ok(certificate) => {
            general(&certificate, &mut report);
            more(&certificate, &mut report);
        }
    }
    report.0
}

/// What is found, one after another.
#[derive(Default)]
pub(super) struct Report(pub(super) Vec<Finding>);

impl Report {
    pub(super) fn add(&mut self, rule: &'static str, what: impl Into<String>) {
        let what = what.into();
        self.0.push(Finding { rule, what });
    }
}

/// The rules for everybody.
pub(super) fn general(certificate: &FullCertificate<'_>, report: &mut Report) {
    if certificate.version() != 3 {
        report.add("RFC 5280, 4.1.2.1", "not of version 3");
    }
    let serial = certificate.serial();
    if serial.is_zero() || serial.as_bytes().len() < SERIAL_OCTETS {
        let what = format!("serial number {serial} has fewer than 64 bits");
        report.add("RFC 5280, 4.1.2.2", what);
    }
    let validity = certificate.validity;
    if validity.not_after() < validity.not_before() {
        report.add("RFC 5280, 4.1.2.5", "it ends before it begins");
    }
    if certificate.issuer.is_empty() {
        report.add("RFC 5280, 4.1.2.4", "the issuer has no name");
    }
    name(&certificate.subject, report);
    let public_key = certificate.public_key();
    key(&public_key, report);
    let algorithm = public_key.as_ref().ok().and_then(PublicKey::algorithm);
    usage(certificate, algorithm, report);
    names(certificate, report);
    places(&certificate.extensions, report);
}

/// The upper bounds of RFC 5280, appendix A.
const BOUNDS: [(Oid, &str, usize); 6] = [
    (COMMON_NAME, "CN", 64),
    (ORGANIZATION, "O", 64),
    (ORGANIZATIONAL_UNIT, "OU", 64),
    (LOCALITY, "L", 128),
    (STATE_OR_PROVINCE, "ST", 128),
    (EMAIL_ADDRESS, "emailAddress", 255),
];

pub(super) fn name(subject: &Name<'_>, report: &mut Report) {
    const RULE: &str = "RFC 5280, appendix A";
    for attribute in subject.attributes() {
        let Some(text) = attribute.text() else {
            continue;
        };
        let oid = attribute.oid;
        if text.trim().is_empty() {
            report.add(RULE, format!("the attribute {oid} of the subject is empty"));
        }
        if text.chars().any(char::is_control) {
            report.add(RULE, format!("the attribute {oid} has a control character"));
        }
        if oid == COUNTRY && !(text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase())) {
            report.add(
                RULE,
                format!("the country {text:?} is not two capital letters"),
            );
        }
        let bound = BOUNDS.iter().find(|(known, ..)| *known == oid);
        if let Some((_, short, most)) = bound
            && text.chars().count() > *most
        {
            report.add(RULE, format!("{short} has more than {most} characters"));
        }
    }
}

pub(super) fn key(key: &x509::Result<PublicKey>, report: &mut Report) {
    const RULE: &str = "RFC 5280, 4.1.2.7";
    match key {
        Err(error) => report.add(RULE, format!("the key cannot be read: {error}")),
        Ok(PublicKey::Unknown(_)) => report.add(RULE, "a key of an unknown algorithm"),
        Ok(PublicKey::Rsa(key)) if key.bits() < RSA_BITS => {
            let what = format!("an RSA key of {} bits", key.bits());
            report.add("SP 800-131A", what);
        }
        Ok(_) => {}
    }
}

fn usage(certificate: &FullCertificate<'_>, algorithm: Option<KeyAlgorithm>, report: &mut Report) {
    const RULE: &str = "RFC 5280, 4.2.1.3";
    let extensions = &certificate.extensions;
    let basic = extensions.basic_constraints;
    let is_ca = basic.is_some_and(|basic| basic.ca);
    if is_ca && certificate.subject.is_empty() {
        report.add("RFC 5280, 4.1.2.6", "a CA without a name");
    }
    if is_ca && extensions.subject_key_identifier.is_none() {
        report.add("RFC 5280, 4.2.1.2", "a CA without subjectKeyIdentifier");
    }
    if !is_ca && basic.is_some_and(|basic| basic.path_len.is_some()) {
        report.add("RFC 5280, 4.2.1.9", "pathLenConstraint without CA");
    }
    if extensions.name_constraints.is_some() && !is_ca {
        report.add("RFC 5280, 4.2.1.10", "nameConstraints without CA");
    }
    let Some(usage) = extensions.key_usage else {
        if is_ca {
            report.add(RULE, "a CA without keyUsage");
        }
        return;
    };
    let signs = usage.contains(KeyUsage::KEY_CERT_SIGN);
    if is_ca && !signs {
        report.add(RULE, "a CA without keyCertSign");
    }
    if !is_ca && signs {
        report.add("RFC 5280, 4.2.1.9", "keyCertSign without CA");
    }
    if let Some(algorithm) = algorithm
        && !possible_usages(Some(algorithm)).contains(usage)
    {
        let what = format!("{} keys cannot have {usage:?}", algorithm.name());
        report.add(RULE, what);
    }
}

fn names(certificate: &FullCertificate<'_>, report: &mut Report) {
    const RULE: &str = "RFC 5280, 4.2.1.6";
    let extensions = &certificate.extensions;
    let Some(names) = extensions.subject_alt_name else {
        if certificate.subject.is_empty() {
            report.add(
                "RFC 5280, 4.1.2.6",
                "neither a subject nor an alternative name",
            );
        }
        return;
    };
    if certificate.subject.is_empty() && !is_critical(certificate) {
        let what = "the only names are alternative ones, which are not critical";
        report.add(RULE, what);
    }
    let mut seen = Vec::new();
    for name in names.0.iter() {
        let text = name.to_string();
        let wrong = match name {
            GeneralName::Dns(name) => domain(name),
            GeneralName::Email(name) => mail(name),
            GeneralName::Uri(name) => uri(name),
            GeneralName::Ip(octets) if !matches!(octets.len(), 4 | 16) => Some("no address"),
            _ => None,
        };
        if let Some(why) = wrong {
            report.add(RULE, format!("{text}: {why}"));
        }
        if seen.contains(&text) {
            report.add(RULE, format!("{text}: there twice"));
        }
        seen.push(text);
    }
}

fn is_critical(certificate: &FullCertificate<'_>) -> bool {
    use adamant::x509::extensions::ExtensionValue;

    let found = certificate
        .certificate()
        .extensions()
        .find(&SubjectAltName::OID);
    found.is_ok_and(|found| found.is_some_and(|extension| extension.critical))
}

/// Whether one of the names is this, as a common name has it.
fn is_among(names: &SubjectAltName<'_>, common_name: &str) -> bool {
    names.0.iter().any(|name| match name {
        GeneralName::Dns(name) | GeneralName::Email(name) => name.eq_ignore_ascii_case(common_name),
        GeneralName::Ip(_) => name.to_string().strip_prefix("IP:") == Some(common_name),
        _ => false,
    })
}

/// What is wrong with a domain (RFC 1034, 3.5, RFC 1123, 2.1; wildcards after RFC 9525, 6.3).
fn domain(name: &str) -> Option<&'static str> {
    let (labels, wildcard) = match name.strip_prefix("*.") {
        Some(rest) => (rest, true),
        None => (name, false),
    };
    if name.len() > 253 {
        return Some("more than 253 octets");
    }
    if labels.parse::<std::net::IpAddr>().is_ok() {
        return Some("an address is no domain");
    }
    if wildcard && !labels.contains('.') {
        return Some("a wildcard for a whole top-level domain");
    }
    for label in labels.split('.') {
        let letters = label
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if label.is_empty() {
            return Some("an empty label");
        }
        if label.len() > 63 {
            return Some("a label of more than 63 octets");
        }
        if !letters || label.starts_with('-') || label.ends_with('-') {
            return Some("a label has letters, digits and inner hyphens alone");
        }
    }
    let last = labels.rsplit('.').next().unwrap_or_default();
    if last.bytes().all(|b| b.is_ascii_digit()) {
        return Some("a top-level domain has a letter");
    }
    None
}

fn mail(name: &str) -> Option<&'static str> {
    let printable = name.bytes().all(|b| b.is_ascii_graphic());
    match name.rsplit_once('@') {
        Some((local, host)) if !local.is_empty() && !local.contains('@') && printable => {
            if host.starts_with('*') {
                return Some("a wildcard");
            }
            domain(host)
        }
        _ => Some("no mail address"),
    }
}

fn uri(name: &str) -> Option<&'static str> {
    let printable = name.bytes().all(|b| b.is_ascii_graphic());
    let scheme = name.split_once(':').map_or("", |(scheme, _)| scheme);
    let letters = |b: u8| b.is_ascii_alphanumeric() || b"+-.".contains(&b);
    let begins = scheme
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic());
    if printable && begins && scheme.bytes().all(letters) && name.len() > scheme.len() + 1 {
        return None;
    }
    Some("no absolute URI")
}

/// Where lists and responders are found.
fn places(extensions: &CertificateExtensions<'_>, report: &mut Report) {
    let mut place = |rule, what: &str, name: &GeneralName<'_>| match name {
        GeneralName::Uri(url) if uri(url).is_none() => {}
        GeneralName::Directory(_) => {}
        other => report.add(rule, format!("{what}: {other} is no URI")),
    };
    if let Some(points) = extensions.crl_distribution_points {
        for point in points.0.iter() {
            if let Some(DistributionPointName::Full(names)) = point.name {
                for name in names.iter() {
                    place("RFC 5280, 4.2.1.13", "cRLDistributionPoints", &name);
                }
            }
        }
    }
    if let Some(access) = extensions.authority_info_access {
        for description in access.0.iter() {
            place(
                "RFC 5280, 4.2.2.1",
                "authorityInfoAccess",
                &description.location,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains() {
        for right in [
            "a.example",
            "*.a.example",
            "xn--bcher-kva.example",
            "localhost",
            "a.b1",
        ] {
            assert_eq!(domain(right), None, "{right}");
        }
        let long = format!("{}.example", "a".repeat(64));
        for wrong in [
            "",
            "a..b",
            ".a",
            "a.",
            "*.example",
            "a.*.example",
            "*",
            "a_b.example",
            "-a.example",
            "a-.example",
            "192.0.2.1",
            "a.1",
            "ä.example",
            "a b.example",
            &long,
        ] {
            assert!(domain(wrong).is_some(), "{wrong}");
        }
        assert!(domain(&"a.".repeat(130)).is_some());
    }

    #[test]
    fn mails_and_uris() {
        assert_eq!(mail("a@example.org"), None);
        for wrong in [
            "a",
            "@example.org",
            "a@",
            "a b@example.org",
            "a@b@c",
            "a@*.example",
        ] {
            assert!(mail(wrong).is_some(), "{wrong}");
        }
        assert_eq!(uri("https://example.org/a"), None);
        assert_eq!(uri("urn:a"), None);
        for wrong in [
            "",
            "example.org",
            "://a",
            "1:a",
            "http:",
            "a b:c",
            "http://ä",
        ] {
            assert!(uri(wrong).is_some(), "{wrong}");
        }
    }

    /// Every kind of keys has a usage.
    #[test]
    fn usages() {
        for algorithm in KeyAlgorithm::ALL {
            let usages = possible_usages(Some(*algorithm));
            assert!(!format!("{usages:?}").is_empty());
        }
        let sign = KeyUsage::DIGITAL_SIGNATURE;
        assert!(!possible_usages(Some(KeyAlgorithm::X25519)).contains(sign));
        let wraps = KeyUsage::KEY_ENCIPHERMENT;
        assert!(!possible_usages(Some(KeyAlgorithm::P256)).contains(wraps));
    }
}
