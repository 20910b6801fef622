//! A profile's rules for single certificates, besides those that every path must fulfil.

use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::net::{Ipv4Addr, Ipv6Addr};

use adamant_der::Oid;

use super::budget::Budget;
use super::names::{is_host_pattern, split_mail};
use super::node::Node;
use super::{Options, PathErrorKind as Kind, Profile};
use crate::extensions::*;
use crate::{FullCertificate, KeyAlgorithm, PublicKey, name};

/// Where in a path a certificate is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is the one that is validated.
    Target,
    /// It was issued by one and issued another.
    Between,
    /// It is trusted.
    Anchor,
}

macro_rules! rules {
    ($($rule:expr => $holds:expr;)*) => {
        $(if !$holds {
            return Err(Kind::Nonconforming($rule));
        })*
    };
}

/// Holds a certificate to the profile.
pub(super) fn check(
    certificate: &Node<'_>,
    place: Place,
    options: &Options<'_>,
    budget: &Budget,
) -> Result<(), Kind> {
    if options.profile == Profile::Path {
        return Ok(());
    }
    check_rfc5280(certificate, place, options.profile)?;
    if options.profile == Profile::WebPki {
        check_web(certificate, place, budget)?;
    }
    Ok(())
}

/// Whether an extension of this type is there and critical.
pub(super) fn is_critical<'a, T: ExtensionValue<'a>>(certificate: &FullCertificate<'a>) -> bool {
    let extension = certificate.extensions.raw().find(&T::OID);
    extension.is_ok_and(|extension| extension.is_some_and(|extension| extension.critical))
}

/// The types of the extensions that are critical: all of them are known, so that they are few.
struct Critical(Vec<Oid>);

impl Critical {
    fn of(certificate: &FullCertificate<'_>) -> Self {
        let all = certificate.extensions.raw().iter().flatten();
        Self(all.filter(|one| one.critical).map(|one| one.oid).collect())
    }

    fn has<'a, T: ExtensionValue<'a>>(&self) -> bool {
        self.0.contains(&T::OID)
    }
}

fn names<'a>(certificate: &FullCertificate<'a>) -> impl Iterator<Item = GeneralName<'a>> {
    let names = certificate.extensions.subject_alt_name;
    names.into_iter().flat_map(|names| names.0.iter())
}

/// The distribution points of lists, and of lists of changes.
fn points<'a>(
    extensions: &CertificateExtensions<'a>,
) -> impl Iterator<Item = DistributionPoint<'a>> {
    let lists = extensions.crl_distribution_points.map(|points| points.0);
    let changes = extensions.freshest_crl.map(|points| points.0);
    [lists, changes].into_iter().flatten().flatten()
}

fn signs_certificates(certificate: &FullCertificate<'_>) -> Option<bool> {
    let usage = certificate.extensions.key_usage;
    usage.map(|usage| usage.contains(KeyUsage::KEY_CERT_SIGN))
}

/// Whether all that is said of a policy is of types that RFC 5280 has, where it stands for any.
fn is_plain(policy: PolicyInformation<'_>) -> bool {
    policy.oid != PolicyInformation::ANY
        || !policy
            .qualifiers
            .into_iter()
            .flatten()
            .any(|qualifier| matches!(qualifier, PolicyQualifier::Other { .. }))
}

/// RFC 5280, section 4, where it says MUST of what can be seen in a certificate.
fn check_rfc5280(certificate: &Node<'_>, place: Place, profile: Profile) -> Result<(), Kind> {
    let extensions = &certificate.extensions;
    let basic = extensions.basic_constraints.unwrap_or_default();
    let issuer_key = extensions.authority_key_identifier;
    let self_issued = certificate.is_self_issued();
    let critical = Critical::of(certificate);
    let policies = extensions.policy_constraints;
    rules! {
        "4.1.2.2: serial number of zero" =>
            place == Place::Anchor || !certificate.serial().is_zero();
        "4.1.2.4: issuer without a name" => !certificate.issuer.is_empty();
        "4.1.2.6: CA without a name" => !basic.ca || !certificate.subject.is_empty();
        "4.2.1.1: no identifier of the issuer's key" =>
            self_issued
                || place == Place::Anchor && profile == Profile::WebPki
                || issuer_key.is_some_and(|id| id.key_id.is_some());
        "4.2.1.1: critical AuthorityKeyIdentifier" =>
            !critical.has::<AuthorityKeyIdentifier<'_>>();
        "4.2.1.2: CA without an identifier of its key" =>
            !basic.ca || extensions.subject_key_identifier.is_some();
        "4.2.1.2: critical SubjectKeyIdentifier" =>
            !critical.has::<SubjectKeyIdentifier<'_>>();
        "4.2.1.3: keyCertSign of what is no CA" =>
            basic.ca || signs_certificates(certificate) != Some(true);
        "4.2.1.4: policy that is there twice" => extensions
            .certificate_policies
            .is_none_or(|policies| {
                let mut seen = BTreeSet::new();
                policies.0.iter().all(|policy| seen.insert(policy.oid))
            });
        "4.2.1.4: anyPolicy with another qualifier" => extensions
            .certificate_policies
            .is_none_or(|policies| policies.0.iter().all(is_plain));
        "4.2.1.6: SubjectAltName that is not critical beside an empty subject" =>
            !certificate.subject.is_empty() || critical.has::<SubjectAltName<'_>>();
        "4.2.1.6: malformed name" => names(certificate).all(|name| match name {
            GeneralName::Dns(text) => is_host_pattern(text),
            GeneralName::Email(text) => split_mail(text).is_some(),
            _ => true,
        });
        "4.2.1.9: BasicConstraints of a CA that are not critical" =>
            !basic.ca || critical.has::<BasicConstraints>();
        "4.2.1.9: pathLenConstraint without keyCertSign" => basic.path_len.is_none()
            || basic.ca && signs_certificates(certificate) != Some(false);
        "4.2.1.9: CA that does not sign certificates" =>
            !basic.ca || place == Place::Target || signs_certificates(certificate) != Some(false);
        "4.2.1.10: NameConstraints of what is no CA" =>
            basic.ca || extensions.name_constraints.is_none();
        "4.2.1.10: NameConstraints without a name" => extensions
            .name_constraints
            .is_none_or(|names| names.permitted.is_some() || names.excluded.is_some());
        "4.2.1.10: NameConstraints that are not critical" =>
            profile == Profile::WebPki
                || extensions.name_constraints.is_none()
                || critical.has::<NameConstraints<'_>>();
        "4.2.1.11: PolicyConstraints that are not critical" =>
            policies.is_none() || critical.has::<PolicyConstraints>();
        "4.2.1.11: PolicyConstraints without a constraint" =>
            policies.is_none_or(|policies| policies != PolicyConstraints::default());
        "4.2.1.13: distribution point with neither a name nor an issuer" =>
            points(extensions).all(|point| point.names_a_list());
        "4.2.1.14: InhibitAnyPolicy that is not critical" =>
            extensions.inhibit_any_policy.is_none() || critical.has::<InhibitAnyPolicy>();
        "4.2.1.15: critical FreshestCRL" => !critical.has::<FreshestCrl<'_>>();
        "4.2.2.1: critical AuthorityInfoAccess" =>
            !critical.has::<AuthorityInfoAccess<'_>>();
        "4.2.2.2: critical SubjectInfoAccess" =>
            !critical.has::<SubjectInfoAccess<'_>>();
    }
    Ok(())
}

/// The Baseline Requirements for TLS servers of the CA/Browser Forum, section 7.1.
fn check_web(certificate: &Node<'_>, place: Place, budget: &Budget) -> Result<(), Kind> {
    rules! {
        "7.1.1: version below 3" => certificate.version() == 3;
        "6.1.5: key of another algorithm or length" => match budget.key(&certificate.spki) {
            Err(Kind::Malformed(_)) => false,
            key => is_web_key(&key?),
        };
    }
    match place {
        Place::Target => check_server(certificate, budget),
        Place::Between => Ok(()),
        Place::Anchor => check_root(certificate),
    }
}

/// RSA from 2048 bits in whole octets, and the three NIST curves.
fn is_web_key(key: &PublicKey) -> bool {
    match key {
        #[cfg(feature = "rsa")]
        PublicKey::Rsa(key) => key.bits() >= 2048 && key.bits().is_multiple_of(8),
        _ => matches!(
            key.algorithm(),
            Some(KeyAlgorithm::P256 | KeyAlgorithm::P384 | KeyAlgorithm::P521)
        ),
    }
}

/// 7.1.2.1.
fn check_root(certificate: &Node<'_>) -> Result<(), Kind> {
    let extensions = &certificate.extensions;
    let own_key = extensions.subject_key_identifier.map(|id| id.0);
    let issuer_key = extensions.authority_key_identifier;
    let self_issued = certificate.is_self_issued();
    rules! {
        "7.1.2.1.2: purposes of a root" =>
            !self_issued || extensions.extended_key_usage.is_none();
        "7.1.2.1.3: another key's identifier in a root" =>
            !self_issued || issuer_key.is_none_or(|id| id.key_id == own_key && id.issuer.is_none());
    }
    Ok(())
}

/// 7.1.2.7.
fn check_server(certificate: &FullCertificate<'_>, budget: &Budget) -> Result<(), Kind> {
    let extensions = &certificate.extensions;
    let common_names = || {
        let all = certificate.subject.attributes();
        all.filter(|attribute| attribute.oid == name::COMMON_NAME)
    };
    // Each is looked for among all names, which are read for it twice.
    let octets = 2 * certificate.as_der().len();
    budget.octets(octets.saturating_mul(common_names().count()))?;
    let purposes = extensions.extended_key_usage;
    rules! {
        "7.1.2.7.6: no purposes" => purposes.is_some();
        "7.1.2.7.6: critical purposes" => !is_critical::<ExtendedKeyUsage<'_>>(certificate);
        "7.1.2.7.10: any purpose" =>
            purposes.is_none_or(|purposes| purposes.0.iter().all(|p| p != ExtendedKeyUsage::ANY));
        "7.1.2.7.8: server that is a CA" =>
            extensions.basic_constraints.is_none_or(|basic| !basic.ca);
        "7.1.2.7.11: server that signs certificates" =>
            signs_certificates(certificate) != Some(true);
        "7.1.2.7.12: no SubjectAltName" => extensions.subject_alt_name.is_some();
        "7.1.2.7.12: critical SubjectAltName beside a subject" =>
            certificate.subject.is_empty() || !is_critical::<SubjectAltName<'_>>(certificate);
        "7.1.4.3: common name that is none of SubjectAltName" =>
            common_names().all(|attribute| {
                attribute.text().is_some_and(|text| is_listed(certificate, &text))
            });
    }
    Ok(())
}

/// Whether a common name is, octet for octet, one of the alternative names. A host is held to the
/// DNS names where there are any, of which one with a wildcard speaks for its domain too.
fn is_listed(certificate: &FullCertificate<'_>, text: &str) -> bool {
    let hosts = || {
        names(certificate).filter_map(|name| match name {
            GeneralName::Dns(host) => Some(host),
            _ => None,
        })
    };
    if is_host_pattern(text) {
        return hosts().next().is_none()
            || hosts().any(|host| host == text || host.strip_prefix("*.") == Some(text));
    }
    names(certificate).any(|name| match name {
        GeneralName::Ip(octets) => {
            let v4 = <[u8; 4]>::try_from(octets).map(|octets| Ipv4Addr::from(octets).to_string());
            let v6 = <[u8; 16]>::try_from(octets).map(|octets| Ipv6Addr::from(octets).to_string());
            v4.is_ok_and(|address| address == text) || v6.is_ok_and(|address| address == text)
        }
        _ => false,
    })
}
