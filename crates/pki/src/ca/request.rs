//! What goes into a certificate, and the part of it that is signed.

use adamant::der::{Oid, Time};
use adamant::x509::csr::CertificationRequest;
use adamant::x509::extensions::{
    AccessDescription, AuthorityInfoAccess, AuthorityKeyIdentifier, BasicConstraints,
    CertificatePolicies, CrlDistributionPoints, DistributionPoint, ExtendedKeyUsage, FreshestCrl,
    GeneralName, KeyUsage, OcspNoCheck, PolicyInformation, SubjectAltName, SubjectKeyIdentifier,
};
use adamant::x509::{
    self, Certificate, CertificateBuilder, DistinguishedName, List, Name, PublicKey, SerialNumber,
    SignatureAlgorithm,
};

use super::lint::{self, Rules};
use super::{CaSigner, Error, Profile, Result, Settings, SubjectName, sign_one};
use crate::store::BatchItem;

const DAY: u64 = 86_400;

/// What goes into a certificate.
#[derive(Clone)]
pub struct Request {
    /// The profile's name.
    pub profile: String,
    /// Who it is for.
    pub subject: DistinguishedName,
    /// The alternative names.
    pub names: Vec<SubjectName>,
    /// The key, beside the rest: there are large ones, and requests are passed on.
    pub public_key: Box<PublicKey>,
    /// Days of validity; the profile's if absent.
    pub days: Option<u32>,
    /// The first second of the validity; now if absent.
    pub not_before: Option<Time>,
    /// Its place in a batch ([`Batch::item`](super::Batch::item)).
    pub item: Option<BatchItem>,
}

impl Request {
    /// A certificate for this subject and key, as long as the profile says.
    #[must_use]
    pub fn new(
        profile: &str,
        subject: DistinguishedName,
        public_key: impl Into<Box<PublicKey>>,
    ) -> Self {
        Self {
            profile: profile.to_owned(),
            subject,
            names: Vec::new(),
            public_key: public_key.into(),
            days: None,
            not_before: None,
            item: None,
        }
    }

    /// With another alternative name.
    #[must_use]
    pub fn name(mut self, name: SubjectName) -> Self {
        self.names.push(name);
        self
    }

    /// What a request of PKCS #10 asks for, once its signature was checked: subject, alternative
    /// names and key. Everything else is the profile's.
    ///
    /// # Errors
    /// [`Error::X509`] for a signature that is not its key's; [`Error::Refused`] for alternative
    /// names of other kinds.
    pub fn from_csr(profile: &str, der: &[u8]) -> Result<Self> {
        let request = CertificationRequest::from_der(der)?;
        request.verify()?;
        let subject = DistinguishedName::from(request.subject);
        let mut new = Self::new(profile, subject, request.public_key()?);
        if let Some(names) = request.extensions.subject_alt_name {
            for name in names.0.iter() {
                new.names
                    .push(SubjectName::from_general(&name).ok_or_else(|| {
                        Error::Refused(format!(
                            "an alternative name of this kind is not issued: {name}"
                        ))
                    })?);
            }
        }
        Ok(new)
    }
}

/// A root's statements about itself.
#[derive(Clone)]
pub struct RootRequest {
    /// Its name.
    pub name: DistinguishedName,
    /// Days of validity.
    pub days: u32,
    /// How many CAs may follow it; any number if absent.
    pub path_len: Option<u32>,
}

impl RootRequest {
    /// A root of this name, for ten years.
    #[must_use]
    pub fn new(name: DistinguishedName) -> Self {
        Self {
            name,
            days: 3653,
            path_len: None,
        }
    }

    /// The certificate.
    pub(super) fn sign(&self, signer: &dyn CaSigner, now: Time) -> Result<Vec<u8>> {
        let public_key = signer.public_key();
        let key_id = public_key.key_id();
        let usage = KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN | KeyUsage::DIGITAL_SIGNATURE;
        let tbs = CertificateBuilder::new(
            SerialNumber::random(&mut adamant::SystemRng)?,
            self.name.as_name(),
            now,
            last_second(now, self.days),
            self.name.as_name(),
            &public_key,
        )
        .extension(&BasicConstraints::ca(self.path_len))
        .extension(&usage)
        .extension(&SubjectKeyIdentifier(&key_id))
        .tbs(signer.algorithm())?;
        let findings = lint::root(&tbs, signer.algorithm());
        if !findings.is_empty() {
            return Err(Error::Lint { item: 0, findings });
        }
        let signature = sign_one(signer, &tbs)?;
        let der = x509::assemble(&tbs, signer.algorithm(), &signature);
        Certificate::from_der(&der)?.verify(&public_key)?;
        Ok(der)
    }
}

/// The last second of this many days: the first second belongs to them (RFC 5280, 4.1.2.5).
fn last_second(first: Time, days: u32) -> Time {
    first.saturating_add((u64::from(days) * DAY).saturating_sub(1))
}

/// The common part of all certificates of one profile, made once for a batch.
pub(super) struct Template<'a> {
    algorithm: SignatureAlgorithm,
    issuer: Vec<u8>,
    issuer_key_id: Vec<u8>,
    settings: Settings,
    profile: Profile,
    /// The names of this CA and of those above it.
    authorities: Vec<&'a [u8]>,
    usage: KeyUsage,
    purposes: Vec<Oid>,
    policies: Vec<Oid>,
    rules: Rules<'a>,
}

/// A part to be signed, and what its intent says about it.
pub(super) struct ToSign {
    pub(super) tbs: Vec<u8>,
    pub(super) not_before: Time,
    pub(super) not_after: Time,
}

impl<'a> Template<'a> {
    pub(super) fn new(
        issuer: &Certificate<'a>,
        above: &[Certificate<'a>],
        issuer_key_id: Vec<u8>,
        algorithm: SignatureAlgorithm,
        settings: &Settings,
        profile: &str,
    ) -> Result<Self> {
        let profile = settings.profile(profile)?;
        let usage = profile.key_usage()?;
        let authorities = [issuer].into_iter().chain(above);
        let purposes = profile.purposes()?;
        let policies = profile.policies()?;
        Ok(Self {
            algorithm,
            issuer: issuer.subject_der().to_vec(),
            authorities: authorities.map(Certificate::subject_der).collect(),
            rules: Rules::new(issuer, above, &issuer_key_id, &profile)?,
            issuer_key_id,
            settings: settings.clone(),
            profile,
            usage,
            purposes,
            policies,
        })
    }

    pub(super) fn profile(&self) -> &str {
        &self.profile.name
    }

    /// What breaks rules in a request, and in the part to be signed now that was made of it.
    pub(super) fn lint(&self, request: &Request, tbs: &[u8], now: Time) -> Vec<lint::Finding> {
        let mut findings = self.rules.check(tbs, self.algorithm, now);
        let mut refuse = |rule, what: &str| {
            let what = what.to_owned();
            findings.push(lint::Finding { rule, what });
        };
        // Its holder could pass for the CA where lists are signed.
        let subject = request.subject.as_name();
        let is_subject =
            |der: &&[u8]| Name::from_der(der).is_ok_and(|authority| authority.matches(&subject));
        if !self.profile.ca && self.authorities.iter().any(is_subject) {
            refuse(
                "RFC 5280, 6.3.3",
                "the subject of an end entity is the name of a CA",
            );
        }
        if fitting(self.usage, &request.public_key).is_none() {
            refuse(
                "profile",
                "this key can have none of the profile's key usages",
            );
        }
        findings
    }

    /// The part to be signed of a certificate.
    pub(super) fn tbs(
        &self,
        request: &Request,
        serial: SerialNumber,
        shard: u32,
        now: Time,
    ) -> Result<ToSign> {
        let not_before = request.not_before.unwrap_or(now);
        let not_after = last_second(not_before, request.days.unwrap_or(self.profile.days));
        let issuer = Name::from_der(&self.issuer)?;
        let key = &*request.public_key;
        let key_id = key.key_id();
        let subject = request.subject.as_name();
        let mut builder =
            CertificateBuilder::new(serial, issuer, not_before, not_after, subject, key)
                .extension(&AuthorityKeyIdentifier::new(&self.issuer_key_id))
                .extension(&SubjectKeyIdentifier(&key_id));
        if self.profile.ca {
            builder = builder.extension(&BasicConstraints::ca(self.profile.path_len));
        } else {
            builder = builder.extension(&BasicConstraints::end_entity());
        }
        if let Some(usage) = fitting(self.usage, key) {
            builder = builder.extension(&usage);
        }
        if !self.purposes.is_empty() {
            builder = builder.extension(&ExtendedKeyUsage(List::new(&self.purposes)));
        }
        let policies: Vec<_> = self
            .policies
            .iter()
            .copied()
            .map(PolicyInformation::new)
            .collect();
        if !policies.is_empty() {
            builder = builder.extension(&CertificatePolicies(List::new(&policies)));
        }
        let names: Vec<_> = request.names.iter().map(SubjectName::as_general).collect();
        if !names.is_empty() {
            // Critical where it is the only name (RFC 5280, 4.2.1.6).
            let critical = subject.is_empty();
            builder = builder.extension_with(critical, &SubjectAltName(List::new(&names)));
        }
        let (crl, delta) = (
            self.settings.crl_url(shard),
            self.settings.delta_crl_url(shard),
        );
        if let Some(url) = &crl {
            let name = [GeneralName::Uri(url)];
            let points = [DistributionPoint::at((&name).into())];
            builder = builder.extension(&CrlDistributionPoints((&points).into()));
        }
        if let Some(url) = &delta {
            let name = [GeneralName::Uri(url)];
            let points = [DistributionPoint::at((&name).into())];
            builder = builder.extension(&FreshestCrl((&points).into()));
        }
        let ocsp = self
            .settings
            .ocsp_url
            .as_deref()
            .map(AccessDescription::ocsp);
        let issuer = self
            .settings
            .issuer_url
            .as_deref()
            .map(AccessDescription::ca_issuers);
        let access: Vec<_> = ocsp.into_iter().chain(issuer).collect();
        if !access.is_empty() {
            builder = builder.extension(&AuthorityInfoAccess(List::new(&access)));
        }
        if self.profile.ocsp_no_check {
            builder = builder.extension(&OcspNoCheck);
        }
        Ok(ToSign {
            tbs: builder.tbs(self.algorithm)?,
            not_before,
            not_after,
        })
    }
}

/// The usages that keys of this kind can have.
fn fitting(usage: KeyUsage, key: &PublicKey) -> Option<KeyUsage> {
    let possible = lint::possible_usages(key.algorithm());
    let all = [
        KeyUsage::DIGITAL_SIGNATURE,
        KeyUsage::NON_REPUDIATION,
        KeyUsage::KEY_ENCIPHERMENT,
        KeyUsage::DATA_ENCIPHERMENT,
        KeyUsage::KEY_AGREEMENT,
        KeyUsage::KEY_CERT_SIGN,
        KeyUsage::CRL_SIGN,
        KeyUsage::ENCIPHER_ONLY,
        KeyUsage::DECIPHER_ONLY,
    ];
    let encryption = [KeyUsage::KEY_ENCIPHERMENT, KeyUsage::KEY_AGREEMENT];
    // Only what depends on the algorithm is left away; the rest is for the linter to refuse.
    let keep = |bit: &KeyUsage| {
        usage.contains(*bit) && (possible.contains(*bit) || !encryption.contains(bit))
    };
    all.into_iter().filter(keep).reduce(|all, bit| all | bit)
}
