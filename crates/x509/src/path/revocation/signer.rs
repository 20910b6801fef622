//! Who may sign a list (RFC 5280, 6.3.3 (f) and (g)): the certificate's issuer with the key that
//! signed the certificate, and, with more conditions, others.

use super::{Inquiry, RevocationError as Unclear, unclear};
use crate::crl::CertificateList;
use crate::extensions::{AuthorityKeyIdentifier, KeyUsage};
use crate::path::node::check_signature;
use crate::path::{Options, PathErrorKind as Kind, Policies, Profile, build};
use crate::{Certificate, FullCertificate, Name, SubjectPublicKeyInfo};

impl<'e> Inquiry<'e> {
    /// The key that signed a list, of one who may.
    pub(super) fn signer(
        &self,
        list: &CertificateList<'_>,
        key_id: Option<&AuthorityKeyIdentifier<'_>>,
    ) -> Result<&'e [u8], Kind> {
        let (walk, issuer) = (self.walk, self.issuer);
        let asked = &walk.budget.asked;
        let own = list.issuer.matches(&issuer.name);
        let mut problem = Unclear::NotAuthorized;
        let mut tried = None;
        if own && issuer.certificate.is_none_or(|c| usage(c) != Some(false)) {
            match self.verify_list(list, &issuer.key)? {
                Ok(()) if asked.has(&issuer.key) => return unclear(problem),
                Ok(()) => return Ok(issuer.key.key),
                Err(error) => problem = Unclear::BadSignature(error),
            }
            tried = Some(issuer.key.key);
        }
        let is_new = |key: &SubjectPublicKeyInfo<'_>| tried != Some(key.key) && !asked.has(key);
        let anchor = walk.anchor;
        if anchor.name.matches(&list.issuer)
            && (walk.root).is_none_or(|root| usage(root) == Some(true) && is_named(key_id, root))
            && is_new(&anchor.key)
            && self.verify_list(list, &anchor.key)?.is_ok()
        {
            return Ok(anchor.key.key);
        }
        let path = walk.certificates.iter().map(|full| full.certificate());
        for candidate in path.chain(walk.pool.of_name(&list.issuer, walk.budget)?) {
            let subject = Name::from_der(candidate.subject_der());
            if !subject.is_ok_and(|subject| subject.matches(&list.issuer)) {
                continue;
            }
            let Ok(full) = candidate.full() else {
                continue;
            };
            let basic = full.extensions.basic_constraints;
            if usage(&full) == Some(true)
                && is_named(key_id, &full)
                && (self.revocation.dedicated_crl_issuers || basic.is_some_and(|basic| basic.ca))
                && is_new(&full.spki)
                && self.verify_list(list, &full.spki)?.is_ok()
                && (!own || self.is_of_issuer(&full)?)
            {
                match self.check_path(candidate, &full)? {
                    Ok(()) => return Ok(full.spki.key),
                    Err(error) => problem = error,
                }
            }
        }
        unclear(problem)
    }

    fn verify_list(
        &self,
        list: &CertificateList<'_>,
        key: &SubjectPublicKeyInfo<'_>,
    ) -> Result<Result<(), crate::Error>, Kind> {
        let algorithm = list.signature_algorithm();
        self.verify(key, algorithm, list.tbs(), list.signature())
    }

    /// Whether a bearer of the issuer's name is the issuer: has its certificate from it, or from
    /// whom the issuer has its own. Another CA below the anchor could take any name.
    fn is_of_issuer(&self, other: &FullCertificate<'_>) -> Result<bool, Kind> {
        let (walk, issuer) = (self.walk, self.issuer);
        let is_above = |key: &SubjectPublicKeyInfo<'_>| key.key == other.spki.key;
        if issuer.above.as_ref().is_some_and(is_above) {
            return Ok(true);
        }
        let above = issuer.certificate.map(|certificate| certificate.issuer);
        let above = above.zip(issuer.above);
        for (name, key) in [(issuer.name, issuer.key)].into_iter().chain(above) {
            if other.issuer.matches(&name) {
                match check_signature(other.certificate(), &key, walk.options, walk.budget) {
                    Err(Kind::BadSignature(_)) => {}
                    verdict => return verdict.map(|()| true),
                }
            }
        }
        Ok(false)
    }

    /// Whether an issuer of lists has a valid path from the same anchor.
    fn check_path(
        &self,
        candidate: &Certificate<'_>,
        full: &FullCertificate<'_>,
    ) -> Result<Result<(), Unclear>, Kind> {
        let walk = self.walk;
        let asked = &walk.budget.asked;
        if asked.is_full() {
            return Ok(Err(Unclear::NotAuthorized));
        }
        let options = Options {
            // It is no server.
            profile: match walk.options.profile {
                Profile::WebPki => Profile::Rfc5280,
                profile => profile,
            },
            purpose: None,
            key_usage: Some(KeyUsage::CRL_SIGN),
            names: &[],
            policies: Policies::default(),
            ..*walk.options
        };
        let anchors = core::slice::from_ref(walk.anchor);
        let found = asked.with(&full.spki, || {
            let (others, budget) = (walk.intermediates, walk.budget);
            build::search(candidate, others, anchors, &options, budget).map(drop)
        });
        match found.map_err(|error| error.kind) {
            Ok(()) => Ok(Ok(())),
            Err(kind @ Kind::TooCostly(_)) => Err(kind),
            Err(Kind::UnknownStatus(_)) => Ok(Err(Unclear::UncheckedSigner)),
            Err(_) => Ok(Err(Unclear::NotAuthorized)),
        }
    }
}

/// Whether a key may sign lists, where its usage is said.
fn usage(certificate: &FullCertificate<'_>) -> Option<bool> {
    let usage = certificate.extensions.key_usage;
    usage.map(|usage| usage.contains(KeyUsage::CRL_SIGN))
}

/// Whether a list's authority key identifier is that of this certificate's key.
fn is_named(id: Option<&AuthorityKeyIdentifier<'_>>, certificate: &FullCertificate<'_>) -> bool {
    let Some(AuthorityKeyIdentifier { key_id, issuer }) = id else {
        return false;
    };
    let own = certificate.extensions.subject_key_identifier;
    let by_key = key_id.map(|id| own.is_some_and(|own| own.0 == id));
    let by_issuer = issuer.as_ref().map(|(names, serial)| {
        serial == certificate.serial() && super::scope::is_among(names, &certificate.issuer)
    });
    match (by_key, by_issuer) {
        (None, None) => false,
        (by_key, by_issuer) => by_key != Some(false) && by_issuer != Some(false),
    }
}
