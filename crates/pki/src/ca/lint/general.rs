//! The rules for everybody: RFC 5280, as far as they show in one certificate.

use std::collections::HashSet;
use std::hash::Hash;

use adamant::der::{Oid, Reader, Tag, oid};
use adamant::x509::extensions::{
    CertificateExtensions, DistributionPointName, ExtensionValue, GeneralName, KeyUsage,
    PolicyInformation, PolicyQualifier, SubjectAltName,
};
use adamant::x509::name::{
    COMMON_NAME, COUNTRY, EMAIL_ADDRESS, LOCALITY, ORGANIZATION, ORGANIZATIONAL_UNIT,
    STATE_OR_PROVINCE,
};
use adamant::x509::{self, FullCertificate, KeyAlgorithm, Name, PublicKey};

use super::forms::{domain, mail, uri};
use super::{Report, possible_usages};

/// The fewest octets of a serial number with 64 random bits.
const SERIAL_OCTETS: usize = 8;
/// The fewest bits of an RSA modulus.
const RSA_BITS: usize = 2048;

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
    if certificate.certificate().issuer_unique_id().is_some()
        || certificate.certificate().subject_unique_id().is_some()
    {
        report.add("RFC 5280, 4.1.2.8", "a uniqueIdentifier");
    }
    name(&certificate.subject, report);
    mail_of_the_subject(certificate, report);
    let public_key = certificate.public_key();
    key(&public_key, report);
    let algorithm = public_key.as_ref().ok().and_then(PublicKey::algorithm);
    usage(certificate, algorithm, report);
    names(certificate, report);
    places(&certificate.extensions, report);
    policies(&certificate.extensions, report);
    lists(certificate, report);
}

/// An address of mail in the subject has to be an alternative name too.
fn mail_of_the_subject(certificate: &FullCertificate<'_>, report: &mut Report) {
    let attributes = certificate.subject.attributes();
    let mut ours = attributes.filter(|a| a.oid == EMAIL_ADDRESS).peekable();
    if ours.peek().is_none() {
        return;
    }
    let names = certificate.extensions.subject_alt_name;
    let listed: HashSet<_> = names
        .iter()
        .flat_map(|names| names.0.iter())
        .filter_map(|name| match name {
            GeneralName::Email(text) => Some(text.to_ascii_lowercase()),
            _ => None,
        })
        .collect();
    for text in ours.filter_map(|attribute| attribute.text()) {
        if !listed.contains(&text.to_ascii_lowercase()) {
            let what = format!("the emailAddress {text:?} of the subject is no alternative name");
            report.add("RFC 5280, 4.1.2.6", what);
        }
    }
}

/// What is said of `anyPolicy` is one of the two qualifiers that the RFC has.
fn policies(extensions: &CertificateExtensions<'_>, report: &mut Report) {
    for policy in extensions
        .certificate_policies
        .iter()
        .flat_map(|p| p.0.iter())
    {
        let foreign = policy
            .qualifiers
            .into_iter()
            .flatten()
            .find_map(|q| match q {
                PolicyQualifier::Other { oid, .. } => Some(oid),
                _ => None,
            });
        if let Some(oid) = foreign.filter(|_| policy.oid == PolicyInformation::ANY) {
            let what = format!("anyPolicy with the qualifier {oid}");
            report.add("RFC 5280, 4.2.1.4", what);
        }
    }
}

const SUBJECT_DIRECTORY_ATTRIBUTES: Oid = oid!("2.5.29.9");
const CERTIFICATE_TIMESTAMPS: Oid = oid!("1.3.6.1.4.1.11129.2.4.2");

/// Lists that are no extension of their own here, and have an item at least.
fn lists(certificate: &FullCertificate<'_>, report: &mut Report) {
    const ATTRIBUTES: &str = "RFC 5280, 4.2.1.8";
    if let Some(der) = value(certificate, &SUBJECT_DIRECTORY_ATTRIBUTES) {
        if !has_attributes(der) {
            report.add(
                ATTRIBUTES,
                "subjectDirectoryAttributes without an attribute or a value",
            );
        }
        if criticality(certificate, &SUBJECT_DIRECTORY_ATTRIBUTES) == Some(true) {
            report.add(ATTRIBUTES, "subjectDirectoryAttributes that are critical");
        }
    }
    if let Some(der) = value(certificate, &CERTIFICATE_TIMESTAMPS)
        && !has_timestamps(der)
    {
        report.add(
            "RFC 6962, 3.3",
            "a list of certificate timestamps without one",
        );
    }
}

/// Whether this is a list of attributes, each with a value.
fn has_attributes(der: &[u8]) -> bool {
    let mut r = Reader::new(der);
    let (mut all, mut full) = (0, 0);
    let read = r.sequence_of(|r| {
        r.sequence(|r| {
            r.oid()?;
            let values = r.read(Tag::SET)?;
            all += 1;
            full += usize::from(!values.value.is_empty());
            Ok(())
        })
    });
    read.is_ok() && r.is_empty() && all > 0 && all == full
}

/// Whether this is a list of timestamps: lengths in two octets, of the whole and of each.
fn has_timestamps(der: &[u8]) -> bool {
    let mut r = Reader::new(der);
    let Ok(list) = r.octet_string() else {
        return false;
    };
    let split = |octets: &[u8]| {
        let (len, rest) = octets.split_first_chunk()?;
        let (one, rest) = rest.split_at_checked(u16::from_be_bytes(*len).into())?;
        Some((one.len(), octets.len() - rest.len()))
    };
    let mut left = match split(list) {
        Some((len, all)) if all == list.len() && len > 0 => &list[2..],
        _ => return false,
    };
    while !left.is_empty() {
        match split(left) {
            Some((len, taken)) if len > 0 => left = &left[taken..],
            _ => return false,
        }
    }
    r.is_empty()
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

pub(in crate::ca) fn name(subject: &Name<'_>, report: &mut Report) {
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

pub(in crate::ca) fn key(key: &x509::Result<PublicKey>, report: &mut Report) {
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
    let only = [KeyUsage::ENCIPHER_ONLY, KeyUsage::DECIPHER_ONLY];
    if !usage.contains(KeyUsage::KEY_AGREEMENT) && only.iter().any(|bit| usage.contains(*bit)) {
        let what = "encipherOnly or decipherOnly without keyAgreement, which mean nothing";
        report.add(RULE, what);
    }
    let encoded = value(certificate, &KeyUsage::OID).unwrap_or_default();
    if Reader::new(encoded).named_bits().is_err() {
        report.add(RULE, "keyUsage with zeros at its end");
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
    if certificate.subject.is_empty()
        && criticality(certificate, &SubjectAltName::OID) != Some(true)
    {
        let what = "the only names are alternative ones, which are not critical";
        report.add(RULE, what);
    }
    let texts = names.0.iter().map(|name| name.to_string());
    for (name, again) in names.0.iter().zip(repeated(texts)) {
        let text = || name.to_string();
        let wrong = match name {
            GeneralName::Dns(name) => domain(name),
            GeneralName::Email(name) => mail(name),
            GeneralName::Uri(name) => uri(name),
            GeneralName::Ip(octets) if !matches!(octets.len(), 4 | 16) => Some("no address"),
            _ => None,
        };
        if let Some(why) = wrong {
            report.add(RULE, format!("{}: {why}", text()));
        }
        if again {
            report.add(RULE, format!("{}: there twice", text()));
        }
    }
}

/// Whether the certificate has this extension, and whether it is critical there.
pub(super) fn criticality(certificate: &FullCertificate<'_>, oid: &Oid) -> Option<bool> {
    let found = certificate.certificate().extensions().find(oid).ok()?;
    found.map(|extension| extension.critical)
}

/// The value of the extension with this identifier.
fn value<'a>(certificate: &FullCertificate<'a>, oid: &Oid) -> Option<&'a [u8]> {
    let found = certificate.certificate().extensions().find(oid).ok()?;
    found.map(|extension| extension.value())
}

/// Those of the items that were there before, in their order: one look-up for each item.
fn repeated<T: Hash + Eq>(items: impl Iterator<Item = T>) -> impl Iterator<Item = bool> {
    let mut seen = HashSet::new();
    items.map(move |item| !seen.insert(item))
}

/// Where lists and responders are found.
fn places(extensions: &CertificateExtensions<'_>, report: &mut Report) {
    let mut place = |rule, what: &str, name: &GeneralName<'_>| match name {
        GeneralName::Uri(url) if uri(url).is_none() => {}
        GeneralName::Directory(_) => {}
        other => report.add(rule, format!("{what}: {other} is not a URI")),
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
    use std::cell::Cell;

    use super::*;

    /// An item that counts how often it is compared.
    #[derive(Clone, Copy)]
    struct Counted<'c>(u32, &'c Cell<usize>);

    impl PartialEq for Counted<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.1.set(self.1.get() + 1);
            self.0 == other.0
        }
    }

    impl Eq for Counted<'_> {}

    impl Hash for Counted<'_> {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }

    #[test]
    fn repeats_are_found_in_linear_work() {
        let compared = Cell::new(0);
        for count in [1u32, 10, 20_000] {
            compared.set(0);
            let items = (0..count).chain([0]).map(|n| Counted(n, &compared));
            let found: Vec<_> = repeated(items).collect();
            let repeats = found.iter().filter(|again| **again).count();
            assert!(repeats == 1 && found[count as usize], "{count}");
            assert!(
                compared.get() <= 4 * count as usize + 4,
                "{count}: {compared:?}"
            );
        }
    }

    #[test]
    fn timestamps_and_attributes() {
        for (der, right) in [
            (&[4, 5, 0, 3, 0, 1, 7][..], true),
            (&[4, 8, 0, 6, 0, 1, 7, 0, 1, 8], true),
            (&[4, 2, 0, 0], false),
            (&[4, 0], false),
            (&[4, 4, 0, 2, 0, 0], false),
            (&[4, 5, 0, 3, 0, 2, 7], false),
            (&[4, 5, 0, 2, 0, 1, 7], false),
            (&[4, 5, 0, 3, 0, 1, 7, 0], false),
            (&[5, 0], false),
        ] {
            assert_eq!(has_timestamps(der), right, "{der:02x?}");
        }
        for (der, right) in [
            (&[0x30, 9, 0x30, 7, 6, 1, 0x2a, 0x31, 2, 5, 0][..], true),
            (&[0x30, 7, 0x30, 5, 6, 1, 0x2a, 0x31, 0], false),
            (&[0x30, 0], false),
            (&[0x31, 0], false),
        ] {
            assert_eq!(has_attributes(der), right, "{der:02x?}");
        }
    }
}
