//! What must not be signed: the rules of RFC 5280, and those of the profile.
//!
//! The linter reads what will be signed, octet for octet, and not what it was made from: it finds
//! the mistakes of the builder too. It names everything that is wrong at once.

mod forms;
mod general;
mod web;

use std::fmt;

use adamant::der::{Oid, Time};
use adamant::x509::extensions::{
    BasicConstraints, GeneralName, KeyUsage, NameConstraints, SubjectAltName,
};
use adamant::x509::path::check_name_constraints;
use adamant::x509::{Certificate, FullCertificate, KeyAlgorithm, SignatureAlgorithm, assemble};

use super::{Profile, Result};
use general::general;
pub(super) use general::{key, name};

/// The rules that a certificate is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// RFC 5280.
    Rfc5280,
    /// The Baseline Requirements of the CA/Browser Forum for TLS servers, too.
    WebPki,
}

/// All that is wrong with a certificate, whoever issued it, as far as it shows by itself.
///
/// ```
/// use adamant::x509::{KeyAlgorithm, PrivateKey};
/// use adamant_pki::ca::lint::{self, Standard};
///
/// # use adamant::x509::extensions::BasicConstraints;
/// # use adamant::x509::{CertificateBuilder, DistinguishedName};
/// # let key = PrivateKey::generate(KeyAlgorithm::P256, &mut adamant::SystemRng)?;
/// # let (name, public) = (DistinguishedName::new().common_name("a"), key.public_key());
/// # let (from, until) = ("2026-01-01".parse()?, "2026-04-01".parse()?);
/// # let der = CertificateBuilder::new(1.into(), name.as_name(), from, until, name.as_name(), &public)
/// #     .extension(&BasicConstraints::end_entity())
/// #     .sign(key.signer()?)?;
/// // Of one with the serial number 1.
/// let findings = lint::certificate(&der, Standard::Rfc5280);
/// assert_eq!(findings[0].rule, "RFC 5280, 4.1.2.2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn certificate(der: &[u8], standard: Standard) -> Vec<Finding> {
    lint(der, |certificate, report| {
        if standard == Standard::WebPki {
            web::check(certificate, report);
        }
    })
}

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
        Some(key) if key.coordinate_len().is_some() => signs | agrees,
        // RFC 8410, 5; RFC 9881, 4; RFC 9909, 6.
        _ => signs,
    }
}

/// The rules that a certificate of one issuer and profile must satisfy.
pub(super) struct Rules<'a> {
    issuer: Vec<u8>,
    issuer_spki: Vec<u8>,
    issuer_key_id: Vec<u8>,
    issuer_period: (Time, Time),
    issuer_basic: Option<BasicConstraints>,
    /// The constraints on names by the issuer and the CAs above it.
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

    /// All that is wrong with the part to be signed at this time.
    pub(super) fn check(
        &self,
        tbs: &[u8],
        algorithm: SignatureAlgorithm,
        now: Time,
    ) -> Vec<Finding> {
        check(tbs, algorithm, |certificate, report| {
            self.of_issuer(certificate, report);
            self.of_profile(certificate, report);
            if self.profile.web {
                web::check(certificate, report);
                web::check_time(certificate, now, report);
            }
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

/// All that is wrong with the part that a root is to sign for itself.
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
    // The signature is not there yet.
    lint(&assemble(tbs, algorithm, &[0]), more)
}

fn lint(der: &[u8], more: impl FnOnce(&FullCertificate<'_>, &mut Report)) -> Vec<Finding> {
    let mut report = Report::default();
    match FullCertificate::from_der(der) {
        Err(error) => report.add("RFC 5280, 4.1", format!("it cannot be read: {error}")),
        Ok(certificate) => {
            general(&certificate, &mut report);
            more(&certificate, &mut report);
        }
    }
    report.0
}

/// The findings, one after another.
#[derive(Default)]
pub(super) struct Report(pub(super) Vec<Finding>);

impl Report {
    pub(super) fn add(&mut self, rule: &'static str, what: impl Into<String>) {
        let what = what.into();
        self.0.push(Finding { rule, what });
    }
}

/// Whether one of the names is this, as a common name has it.
fn is_among(names: &SubjectAltName<'_>, common_name: &str) -> bool {
    names.0.iter().any(|name| match name {
        GeneralName::Dns(name) | GeneralName::Email(name) => name.eq_ignore_ascii_case(common_name),
        GeneralName::Ip(_) => name.to_string().strip_prefix("IP:") == Some(common_name),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
