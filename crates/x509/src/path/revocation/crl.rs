//! The statements of lists of revoked certificates (RFC 5280, 6.3) about one: complete ones or
//! those of changes, of the issuer or of another for several.

use alloc::vec::Vec;

use super::evidence::{Says, Source, Statement};
use super::scope::is_among;
use super::{Evidence, Inquiry, RevocationError as Unclear, is_strict};
use crate::Error;
use crate::crl::CertificateList;
use crate::extensions::*;
use crate::path::PathErrorKind as Kind;

/// A list that may speak of the certificate, and what it says if it is authentic.
struct Read<'e> {
    list: &'e CertificateList<'e>,
    extensions: CrlExtensions<'e>,
    reasons: u16,
    says: Says,
}

/// Collects what the lists say.
pub(super) fn collect<'e>(inquiry: &Inquiry<'e>, evidence: &mut Evidence<'e>) -> Result<(), Kind> {
    let budget = inquiry.walk.budget;
    let issuer = inquiry.certificate.issuer;
    let issuer = issuer.fold_hash(|octets| budget.octets(octets))?;
    let mut lists = Vec::new();
    for list in inquiry.revocation.lists {
        if !inquiry.may_speak(list, &issuer)? {
            continue;
        }
        budget.evidence(list.as_der().len())?;
        let extensions = match CrlExtensions::decode(list.extensions()) {
            Ok(extensions) => extensions,
            Err(error) => {
                evidence.note(list.as_der(), Unclear::Malformed(error));
                continue;
            }
        };
        let scope = extensions.issuing_distribution_point.unwrap_or_default();
        // Their numbers are others.
        if scope.only_attribute_certs {
            continue;
        }
        let reasons = inquiry.reasons(list, &scope);
        match find(inquiry, list, &extensions) {
            Ok(says) => lists.push(Read {
                list,
                extensions,
                reasons,
                says,
            }),
            Err(problem) if reasons != 0 => evidence.note(list.as_der(), problem),
            Err(_) => {}
        }
    }
    // A list that the certificate is out of the scope of counts where it has it all the same. That
    // can be replaced by another of that scope.
    let scope = |read: &Read<'e>| read.extensions.issuing_distribution_point;
    let elsewhere: Vec<_> = (lists.iter())
        .filter(|read| read.reasons == 0 && matches!(read.says, Says::Revoked { .. }))
        .map(scope)
        .collect();
    for read in lists {
        if read.reasons == 0 {
            // Each scope is compared with all of these.
            let octets = read.list.extensions().octets();
            budget.evidence(elsewhere.len().saturating_mul(octets))?;
            if !elsewhere.contains(&scope(&read)) {
                continue;
            }
        }
        add(inquiry, evidence, read)?;
    }
    Ok(())
}

/// Adds the statement of a list, if it is authentic.
fn add<'e>(inquiry: &Inquiry<'e>, evidence: &mut Evidence<'e>, read: Read<'e>) -> Result<(), Kind> {
    let Read {
        list,
        extensions,
        mut reasons,
        says,
    } = read;
    let mut note = |problem| {
        if read.reasons != 0 {
            evidence.note(list.as_der(), problem);
        }
    };
    if let Err(problem) = check_form(inquiry, list, &extensions) {
        note(problem);
        reasons = 0;
    }
    let key_id = extensions.authority_key_identifier;
    let key = match inquiry.signer(list, key_id.as_ref()) {
        Ok(key) => key,
        Err(Kind::UnknownStatus(problem)) => {
            note(problem);
            return Ok(());
        }
        Err(other) => return Err(other),
    };
    evidence.statements.push(Statement {
        source: Source {
            key,
            list: Some((list.issuer, extensions.issuing_distribution_point)),
        },
        number: extensions.crl_number.map(|number| number.0),
        base: extensions.delta_crl_indicator.map(|base| base.0),
        this_update: list.this_update,
        until: list.next_update,
        reasons,
        says,
    });
    Ok(())
}

/// A profile's rules for a list.
fn check_form(
    inquiry: &Inquiry<'_>,
    list: &CertificateList<'_>,
    extensions: &CrlExtensions<'_>,
) -> Result<(), Unclear> {
    if !is_strict(inquiry.walk) {
        return Ok(());
    }
    let scope = extensions.issuing_distribution_point;
    if scope.is_some_and(|scope| scope.is_empty()) {
        return Err(Unclear::Nonconforming(
            "5.2.5: empty IssuingDistributionPoint",
        ));
    }
    match list.extensions().find(&CrlNumber::OID) {
        Err(error) => Err(Unclear::Malformed(error)),
        Ok(None) => Err(Unclear::Nonconforming("5.2.3: list without a number")),
        Ok(Some(number)) if number.critical => {
            Err(Unclear::Nonconforming("5.2.3: critical number of a list"))
        }
        Ok(Some(_)) => Ok(()),
    }
}

/// The list's statement about the certificate: of several entries the worst counts.
fn find(
    inquiry: &Inquiry<'_>,
    list: &CertificateList<'_>,
    extensions: &CrlExtensions<'_>,
) -> Result<Says, Unclear> {
    let malformed = |error: Error| Unclear::Malformed(error);
    let scope = extensions.issuing_distribution_point.unwrap_or_default();
    let changes = extensions.delta_crl_indicator.is_some();
    let certificate = inquiry.certificate;
    let mut of_issuer = list.issuer.matches(&certificate.issuer);
    let mut says = Says::NotRevoked;
    for entry in list.entries() {
        let entry = entry.map_err(malformed)?;
        let extensions = CrlEntryExtensions::decode(entry.extensions).map_err(malformed)?;
        if let Some(CertificateIssuer(names)) = extensions.certificate_issuer {
            if !scope.indirect {
                return Err(Unclear::Nonconforming(
                    "5.3.3: another issuer's certificate in a list that is not indirect",
                ));
            }
            of_issuer = is_among(&names, &certificate.issuer);
        }
        if !of_issuer || entry.serial != *certificate.serial() {
            continue;
        }
        let said = match extensions.reason {
            Some(RevocationReason::RemoveFromCrl) if changes => Says::Removed,
            Some(RevocationReason::RemoveFromCrl) => {
                return Err(Unclear::Nonconforming(
                    "5.3.1: removeFromCRL in a list that is not one of changes",
                ));
            }
            reason => Says::Revoked {
                since: entry.date,
                reason,
            },
        };
        if says.weight() < said.weight() {
            says = said;
        }
    }
    Ok(says)
}
