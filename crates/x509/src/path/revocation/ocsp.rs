//! The statements of responses (RFC 6960) about a certificate: those of the issuer itself, or of a
//! responder that it issued a certificate to.

use super::evidence::{ALL, Says, Source, Statement};
use super::{Evidence, Inquiry, RevocationError as Unclear, Strictness, unclear};
use crate::extensions::{ExtendedKeyUsage, KeyUsage};
use crate::ocsp::{BasicResponse, CertId, CertStatus, ResponderId};
use crate::path::PathErrorKind as Kind;
use crate::path::node::check_signature;
use crate::{FullCertificate, SubjectPublicKeyInfo};

/// Collects what the responses say.
pub(super) fn collect<'e>(inquiry: &Inquiry<'e>, evidence: &mut Evidence<'e>) -> Result<(), Kind> {
    let revocation = inquiry.revocation;
    let failed = revocation.responses.iter().filter(|r| r.basic().is_err());
    if let Some(status) = failed.map(|r| r.status).max_by_key(|status| status.code()) {
        evidence.note(&[], Unclear::Status(status));
    }
    for response in revocation.responses {
        let Ok(basic) = response.basic() else {
            continue;
        };
        inquiry.walk.budget.evidence(octets(basic))?;
        let mut answers = basic.responses.iter();
        if !answers.any(|answer| is_of(inquiry, &answer.cert_id)) {
            continue;
        }
        let key = match signer(inquiry, basic) {
            Ok(key) => key,
            Err(Kind::UnknownStatus(problem)) => {
                evidence.note(basic.tbs(), problem);
                continue;
            }
            Err(other) => return Err(other),
        };
        let answers = basic.responses.iter();
        let answers = answers.filter(|answer| is_of(inquiry, &answer.cert_id));
        evidence.statements.extend(answers.map(|answer| {
            let this_update = answer.this_update;
            let last = this_update.saturating_add(revocation.max_age);
            Statement {
                source: Source { key, list: None },
                number: None,
                base: None,
                this_update,
                until: Some(answer.next_update.unwrap_or(last)),
                reasons: ALL,
                says: match answer.status {
                    CertStatus::Good => Says::NotRevoked,
                    CertStatus::Unknown => Says::Unknown,
                    CertStatus::Revoked { time, reason } => Says::Revoked {
                        since: time,
                        reason,
                    },
                },
            }
        }));
    }
    Ok(())
}

/// How long a response is, with the certificates that come with it.
pub(super) fn octets(basic: &BasicResponse<'_>) -> usize {
    let certificates = basic.certificates.map_or(0, |all| all.octets());
    basic.tbs().len() + basic.signature().len() + certificates
}

/// Whether the certificate is meant.
fn is_of(inquiry: &Inquiry<'_>, id: &CertId<'_>) -> bool {
    let certificate = inquiry.certificate;
    id.serial == *certificate.serial() && id.is_issued_by(&certificate.issuer, &inquiry.issuer.key)
}

/// The key that signed a response, of one who may (RFC 6960, 4.2.2.2): the issuer, or one to whom the
/// issuer gave that right.
fn signer<'e>(inquiry: &Inquiry<'e>, basic: &BasicResponse<'e>) -> Result<&'e [u8], Kind> {
    let (issuer, asked) = (inquiry.issuer, &inquiry.walk.budget.asked);
    let signed = |key: &SubjectPublicKeyInfo<'_>| {
        let algorithm = basic.signature_algorithm();
        inquiry.verify(key, algorithm, basic.tbs(), basic.signature())
    };
    if is_responder(&basic.responder, issuer.name.as_der(), &issuer.key)
        && !asked.has(&issuer.key)
        && signed(&issuer.key)?.is_ok()
    {
        return Ok(issuer.key.key);
    }
    let mut problem = Unclear::NotAuthorized;
    for candidate in basic.certificates.into_iter().flatten() {
        let Ok(full) = candidate.full() else {
            continue;
        };
        if is_responder(&basic.responder, candidate.subject_der(), &full.spki)
            && !asked.has(&full.spki)
            && is_delegate(inquiry, &full)?
            && signed(&full.spki)?.is_ok()
        {
            match check_delegate(inquiry, &full)? {
                Ok(()) => return Ok(full.spki.key),
                Err(error) => problem = error,
            }
        }
    }
    unclear(problem)
}

fn is_responder(id: &ResponderId<'_>, name: &[u8], key: &SubjectPublicKeyInfo<'_>) -> bool {
    match id {
        ResponderId::Name(responder) => responder.as_der() == name,
        ResponderId::KeyHash(hash) => ResponderId::key_hash(key) == **hash,
    }
}

/// Whether the issuer itself issued the certificate, for responses.
fn is_delegate(inquiry: &Inquiry<'_>, responder: &FullCertificate<'_>) -> Result<bool, Kind> {
    let (walk, issuer) = (inquiry.walk, inquiry.issuer);
    let extensions = &responder.extensions;
    let purposes = extensions.extended_key_usage;
    let for_responses = purposes.is_some_and(|purposes| {
        let mut purposes = purposes.0.iter();
        purposes.any(|purpose| purpose == ExtendedKeyUsage::OCSP_SIGNING)
    });
    let usage = extensions.key_usage;
    if !for_responses
        || !usage.is_none_or(|usage| usage.contains(KeyUsage::DIGITAL_SIGNATURE))
        || !responder.validity.contains(walk.options.time)
        || !responder.issuer.matches(&issuer.name)
    {
        return Ok(false);
    }
    match check_signature(
        responder.certificate(),
        &issuer.key,
        walk.options,
        walk.budget,
    ) {
        Err(Kind::BadSignature(_)) => Ok(false),
        verdict => verdict.map(|()| true),
    }
}

/// Whether a responder is not revoked itself. Where the issuer vouches for it
/// (`id-pkix-ocsp-nocheck`), that need not be known; but it must not be known that it is.
fn check_delegate(
    inquiry: &Inquiry<'_>,
    responder: &FullCertificate<'_>,
) -> Result<Result<(), Unclear>, Kind> {
    let inquiry = Inquiry {
        certificate: responder,
        ..*inquiry
    };
    if inquiry.walk.budget.asked.is_full() {
        return Ok(Err(Unclear::NotAuthorized));
    }
    let vouched = responder.extensions.ocsp_no_check.is_some();
    let soft = inquiry.revocation.strictness == Strictness::Soft;
    match inquiry.status() {
        Ok(()) => Ok(Ok(())),
        Err(Kind::UnknownStatus(error)) if vouched || soft && error.is_absence() => Ok(Ok(())),
        Err(Kind::UnknownStatus(_)) => Ok(Err(Unclear::UncheckedSigner)),
        Err(Kind::Revoked { .. }) => Ok(Err(Unclear::NotAuthorized)),
        Err(other) => Err(other),
    }
}
