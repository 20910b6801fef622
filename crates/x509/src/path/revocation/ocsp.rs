//! Responses (RFC 6960): of the issuer itself, or of a responder that it issued a certificate to.

use alloc::vec::Vec;

use adamant_der::{Oid, oid};
use adamant_hash::{Sha1, Sha256, Sha384, Sha512};

use super::{Issuer, Revocation, RevocationError as Unclear, Strictness, crl, unclear};
use crate::extensions::{ExtendedKeyUsage, KeyUsage};
use crate::ocsp::{BasicResponse, CertId, CertStatus, ResponderId, SingleResponse};
use crate::path::PathErrorKind as Kind;
use crate::path::walk::{Walk, check_signature};
use crate::{FullCertificate, SubjectPublicKeyInfo};

/// Asks the responses for a certificate.
pub(super) fn check<'a>(
    walk: &Walk<'_, 'a>,
    revocation: &Revocation<'_>,
    certificate: &FullCertificate<'_>,
    issuer: &Issuer<'_, 'a>,
) -> Result<(), Kind> {
    let mut problem = Unclear::Nothing;
    for response in revocation.responses {
        let Ok(basic) = response.basic() else {
            if problem == Unclear::Nothing && revocation.responses.len() == 1 {
                problem = Unclear::Status(response.status);
            }
            continue;
        };
        for single in basic.responses {
            if !is_of(&single.cert_id, certificate, issuer) {
                continue;
            }
            let verdict = check_authority(walk, revocation, basic, issuer)
                .and_then(|()| check_single(walk, revocation, certificate, &single));
            match verdict {
                Err(Kind::UnknownStatus(error)) if problem.is_absence() => problem = error,
                Err(Kind::UnknownStatus(_)) => {}
                verdict => return verdict,
            }
        }
    }
    unclear(problem)
}

/// The hash with this identifier.
fn hash(oid: &Oid, octets: &[u8]) -> Option<Vec<u8>> {
    const SHA1: Oid = oid!("1.3.14.3.2.26");
    const SHA256: Oid = oid!("2.16.840.1.101.3.4.2.1");
    const SHA384: Oid = oid!("2.16.840.1.101.3.4.2.2");
    const SHA512: Oid = oid!("2.16.840.1.101.3.4.2.3");
    Some(match *oid {
        SHA1 => Sha1::digest(octets).to_vec(),
        SHA256 => Sha256::digest(octets).to_vec(),
        SHA384 => Sha384::digest(octets).to_vec(),
        SHA512 => Sha512::digest(octets).to_vec(),
        _ => return None,
    })
}

/// Whether the certificate is meant.
fn is_of(id: &CertId<'_>, certificate: &FullCertificate<'_>, issuer: &Issuer<'_, '_>) -> bool {
    let is = |hashed: &[u8], octets| {
        hash(&id.hash_algorithm.oid, octets).is_some_and(|hash| hash == hashed)
    };
    id.serial == *certificate.serial()
        && is(id.issuer_name_hash, certificate.issuer.as_der())
        && is(id.issuer_key_hash, issuer.key.key)
}

/// RFC 6960, 4.2.2.2: the issuer signed it, or one to whom the issuer gave that right.
fn check_authority<'a>(
    walk: &Walk<'_, 'a>,
    revocation: &Revocation<'_>,
    basic: &BasicResponse<'_>,
    issuer: &Issuer<'_, 'a>,
) -> Result<(), Kind> {
    if is_responder(&basic.responder, issuer.name.as_der(), &issuer.key)
        && check_response(walk, basic, &issuer.key)?
    {
        return Ok(());
    }
    for candidate in basic.certificates.into_iter().flatten() {
        let Ok(full) = candidate.decode() else {
            continue;
        };
        if is_responder(&basic.responder, candidate.subject_der(), &full.spki)
            && is_delegate(walk, revocation, &full, issuer)?
            && check_response(walk, basic, &full.spki)?
        {
            return Ok(());
        }
    }
    unclear(Unclear::NotAuthorized)
}

fn is_responder(id: &ResponderId<'_>, name: &[u8], key: &SubjectPublicKeyInfo<'_>) -> bool {
    match id {
        ResponderId::Name(responder) => responder.as_der() == name,
        ResponderId::KeyHash(hash) => Sha1::digest(key.key) == **hash,
    }
}

/// Whether the key made the response's signature.
fn check_response(
    walk: &Walk<'_, '_>,
    basic: &BasicResponse<'_>,
    key: &SubjectPublicKeyInfo<'_>,
) -> Result<bool, Kind> {
    let verdict = walk.budget.verify(
        walk.options.verifier,
        key,
        basic.signature_algorithm(),
        basic.tbs(),
        basic.signature(),
    );
    match verdict {
        Ok(()) => Ok(true),
        Err(Kind::BadSignature(_)) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Whether the issuer itself issued the certificate, for responses, and did not revoke it.
fn is_delegate<'a>(
    walk: &Walk<'_, 'a>,
    revocation: &Revocation<'_>,
    responder: &FullCertificate<'_>,
    issuer: &Issuer<'_, 'a>,
) -> Result<bool, Kind> {
    let extensions = &responder.extensions;
    let purposes = extensions.extended_key_usage;
    let for_responses = purposes.is_some_and(|purposes| {
        purposes
            .0
            .iter()
            .any(|purpose| purpose == ExtendedKeyUsage::OCSP_SIGNING)
    });
    let signs = extensions
        .key_usage
        .is_none_or(|usage| usage.contains(KeyUsage::DIGITAL_SIGNATURE));
    if !for_responses
        || !signs
        || !responder.validity.contains(walk.options.time)
        || !responder.issuer.matches(&issuer.name)
    {
        return Ok(false);
    }
    match check_signature(responder, &issuer.key, walk.options, walk.budget) {
        Err(Kind::BadSignature(_)) => return Ok(false),
        verdict => verdict?,
    }
    if extensions.ocsp_no_check.is_some() {
        return Ok(true);
    }
    match crl::check(walk, revocation, responder, issuer) {
        Ok(()) => Ok(true),
        Err(Kind::UnknownStatus(error)) => {
            Ok(revocation.strictness == Strictness::Soft && error.is_absence())
        }
        Err(Kind::Revoked { .. }) => Ok(false),
        Err(other) => Err(other),
    }
}

/// RFC 6960, 3.2 (5) and (6), and what the response says.
fn check_single(
    walk: &Walk<'_, '_>,
    revocation: &Revocation<'_>,
    certificate: &FullCertificate<'_>,
    single: &SingleResponse<'_>,
) -> Result<(), Kind> {
    let (at, this_update) = (walk.options.time, single.this_update);
    let last = this_update.saturating_add(revocation.max_age);
    if at < this_update || at > single.next_update.unwrap_or(last) {
        return unclear(Unclear::NotCurrent {
            at,
            this_update,
            next_update: single.next_update,
        });
    }
    match single.status {
        CertStatus::Good => Ok(()),
        CertStatus::Unknown => unclear(Unclear::Unknown),
        CertStatus::Revoked { time, reason } => Err(Kind::Revoked {
            serial: *certificate.serial(),
            since: time,
            reason,
        }),
    }
}
