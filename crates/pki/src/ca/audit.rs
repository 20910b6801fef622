//! The audit log against the tables: not only that no row was changed, but also that the tables
//! have what the log says, and nothing else.

use std::collections::BTreeMap;

use adamant::hash::Sha256;

use crate::store::audit::{Fault, verify_chain};
use crate::store::{AuditHead, AuditKind, AuditRow, CaStore, Number, Result, State};

/// Reads the whole log and compares it with the tables; `anchors` are heads that were kept
/// elsewhere, which the log must go through.
///
/// Of a document, the last contents are compared. Nobody may write meanwhile.
///
/// # Errors
/// Those of the store.
///
/// ```
/// use adamant_pki::ca::audit::audit;
/// use adamant_pki::store::{CaStore, SqliteCa};
///
/// let store = SqliteCa::in_memory()?;
/// store.note("the first row", "2026-01-01".parse().unwrap())?;
/// let head = audit(&store, &[])?.expect("nobody has changed anything");
/// assert_eq!(head.sequence, 1);
/// # Ok::<(), adamant_pki::store::Error>(())
/// ```
pub fn audit(store: &dyn CaStore, anchors: &[AuditHead]) -> Result<Result<AuditHead, Fault>> {
    let mut logged: BTreeMap<u8, u64> = BTreeMap::new();
    let mut documents: BTreeMap<String, (u64, [u8; 32])> = BTreeMap::new();
    let verdict = verify_chain(store, anchors, |row| {
        *logged.entry(row.event.kind as u8).or_default() += 1;
        if row.event.kind == AuditKind::Document {
            let latest = (row.sequence, row.event.digest);
            documents.insert(row.event.note.clone(), latest);
        }
        let what = compare(store, row)?;
        Ok(what.map(|what| Fault::Contents {
            sequence: row.sequence,
            what,
        }))
    })?;
    let head = match verdict {
        Ok(head) => head,
        Err(fault) => return Ok(Err(fault)),
    };
    for (name, (sequence, digest)) in documents {
        let there = store.document(&name)?;
        if there.map(|there| Sha256::digest(&there)) != Some(digest) {
            let what = "the document is not the one that was put";
            return Ok(Err(Fault::Contents { sequence, what }));
        }
    }
    let counts = store.counts()?;
    let of_kind = |kind: AuditKind| logged.get(&(kind as u8)).copied().unwrap_or(0);
    for (kind, rows) in [
        (AuditKind::Intent, counts.intents),
        (AuditKind::Certificate, counts.certificates),
        (AuditKind::Abandon, counts.abandoned),
        (AuditKind::CrlNumber, counts.crl_numbers),
        (AuditKind::Crl, counts.crls),
    ] {
        let logged = of_kind(kind);
        if rows != logged {
            return Ok(Err(Fault::Unlogged { kind, rows, logged }));
        }
    }
    // A hold that becomes a revocation has two rows in the log and one in the table.
    let (rows, logged) = (counts.revocations, of_kind(AuditKind::Revoke));
    if rows > logged {
        let kind = AuditKind::Revoke;
        return Ok(Err(Fault::Unlogged { kind, rows, logged }));
    }
    Ok(Ok(head))
}

/// The difference between a row of the log and the tables.
fn compare(store: &dyn CaStore, row: &AuditRow) -> Result<Option<&'static str>> {
    let Some(serial) = row.event.subject else {
        return Ok(None);
    };
    let digest = row.event.digest;
    Ok(match row.event.kind {
        AuditKind::Intent => match store.intent(serial)? {
            None => Some("the intent is missing"),
            Some(there) => {
                let tbs = Sha256::digest(&there.intent.tbs);
                let intent = &there.intent;
                let place = intent.item.as_ref().map(ToString::to_string);
                if tbs != digest || intent.tbs_sha256 != digest {
                    Some("the intent was changed")
                } else if place.unwrap_or_default() != row.event.note {
                    Some("the intent's place in a batch was changed")
                } else {
                    None
                }
            }
        },
        AuditKind::Certificate => match store.certificate(serial)? {
            None => Some("the certificate is missing"),
            Some(der) => (Sha256::digest(&der) != digest).then_some("the certificate was changed"),
        },
        AuditKind::Crl => match store.crl(crl_number(serial))? {
            None => Some("the CRL is missing"),
            Some(there) => (Sha256::digest(&there.der) != digest).then_some("the CRL was changed"),
        },
        AuditKind::Abandon => {
            let entry = store.entry(serial)?;
            let same = entry.is_some_and(|entry| entry.state == State::Abandoned);
            (!same).then_some("the intent is no longer abandoned")
        }
        AuditKind::Revoke => {
            let entry = store.entry(serial)?;
            let same = entry.is_some_and(|entry| entry.revocation.is_some());
            (!same).then_some("the revocation is missing")
        }
        _ => None,
    })
}

/// The number of a CRL as its row of the log has it.
fn crl_number(subject: Number) -> u64 {
    let octets = subject.as_bytes().iter();
    octets.fold(0, |all, octet| all << 8 | u64::from(*octet))
}
