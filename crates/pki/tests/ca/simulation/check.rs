//! What must hold after a schedule.

use std::collections::{BTreeMap, BTreeSet};

use adamant::hash::{Sha1, Sha256};
use adamant::x509::crl::FullCertificateList;
use adamant::x509::extensions::RevocationReason;
use adamant::x509::ocsp::{CertId, CertStatus, IssuerId, OcspRequestBuilder, OcspResponse};
use adamant::x509::{AlgorithmIdentifier, Certificate};
use adamant_pki::ca::audit::audit;
use adamant_pki::ca::{Authority, Error, serial_number};
use adamant_pki::store::{CrlRecord, Number, State};

use super::ITEMS;
use super::world::Shared;

impl Shared {
    /// Whether a serial number is revoked, as what was acknowledged before `begun` has it, if
    /// nothing that began before `done` may have changed that.
    pub(super) fn is_revoked(&self, serial: Number, begun: u64, done: u64) -> Option<bool> {
        let acts = self.revocations.get(&serial).map_or(&[][..], |acts| acts);
        let mut acts = acts.iter().filter(|act| act.begun < done);
        let last = acts.clone().max_by_key(|act| act.begun);
        let Some(last) = last else {
            return Some(false);
        };
        let known = acts.all(|act| {
            let before = act.done.is_some_and(|done| done < last.begun);
            before || (act.begun == last.begun && act.done.is_some_and(|done| done < begun))
        });
        known.then_some(last.reason != RevocationReason::RemoveFromCrl)
    }
}

pub(super) fn number(der: &[u8]) -> Number {
    Number::try_from(Certificate::from_der(der).unwrap().serial()).unwrap()
}

/// What is answered, beforehand or not.
pub(super) fn status(ca: &Authority, serial: Number) -> Result<CertStatus, Error> {
    let certificate = Certificate::from_der(ca.certificate()).unwrap();
    let name_hash = Sha1::digest(certificate.subject_der());
    let key_hash = Sha1::digest(certificate.spki().unwrap().key);
    let serial = serial_number(serial)?;
    // As whoever asks for what was signed beforehand.
    let usual = CertId {
        hash_algorithm: AlgorithmIdentifier::new("1.3.14.3.2.26".parse().unwrap(), None),
        issuer_name_hash: &name_hash,
        issuer_key_hash: &key_hash,
        serial: serial.into(),
    };
    let issuer = IssuerId::new(&certificate).unwrap();
    let mut told = vec![];
    for id in [usual, issuer.cert_id(serial)] {
        let request = OcspRequestBuilder::new().certificate(id).build();
        let answer = ca.answer(&request)?;
        let response = OcspResponse::from_der(&answer).unwrap();
        told.push(response.basic().unwrap().find(&id).unwrap().status);
    }
    // A change of a revocation takes the stored answer with it.
    assert_eq!(told[0], told[1]);
    Ok(told[0])
}

/// What a list has: serial numbers, and whether they are revoked.
fn listed(record: &CrlRecord) -> BTreeMap<Number, bool> {
    let list = FullCertificateList::from_der(&record.der).unwrap();
    let entries = list.entries().map(|entry| {
        let entry = entry.unwrap();
        let number = Number::try_from(entry.serial.number().unwrap()).unwrap();
        let lifted = entry.reason().unwrap() == Some(RevocationReason::RemoveFromCrl);
        (number, !lifted)
    });
    entries.collect()
}

/// Whatever happened, the store has it.
pub(super) fn check(ca: &Authority, state: &Shared) {
    let store = ca.store();
    let verdict = audit(&**store, &state.anchors).unwrap();
    verdict.expect("the audit log is in order");
    // Every signature has its intent, and no serial number two.
    let mut serials = BTreeSet::new();
    for tbs in &state.signed {
        let der = adamant::x509::assemble(tbs, ca.algorithm().unwrap(), &[0]);
        // Lists and responses are signed too.
        if Certificate::from_der(&der).is_err() {
            continue;
        }
        let serial = number(&der);
        let intent = store.intent(serial).unwrap().expect("an intent");
        assert_eq!(intent.intent.tbs_sha256, Sha256::digest(tbs));
        assert!(serials.insert(serial), "{serial} is signed twice");
    }
    // What was given away is there, and nothing else that was signed for its item.
    for (serial, der) in &state.given {
        assert_eq!(
            store.certificate(*serial).unwrap().as_ref(),
            Some(der),
            "{serial}"
        );
    }
    let live = store.batch("batch", 1..=ITEMS).unwrap();
    let mut items = live.iter().filter(|entry| entry.state != State::Abandoned);
    let mut seen = BTreeSet::new();
    assert!(
        items.all(|entry| seen.insert(entry.item.as_ref().unwrap().number)),
        "an item is there twice"
    );
    // Lists: each number once, later ones above those that were there before they began.
    let numbers: BTreeSet<_> = state.lists.iter().map(|list| list.record.number).collect();
    assert_eq!(numbers.len(), state.lists.len());
    for list in &state.lists {
        let there = store.crl(list.record.number).unwrap();
        assert_eq!(there.as_ref(), Some(&list.record));
        let before = state.lists.iter().filter(|other| other.done < list.begun);
        for other in before.filter(|other| other.record.scope == list.record.scope) {
            assert!(other.record.number < list.record.number);
            assert!(other.record.this_update <= list.record.this_update);
        }
        let on_list = listed(&list.record);
        let base = list.record.base.map(|base| {
            let base = state.lists.iter().find(|l| l.record.number == base)?;
            assert!(base.record.this_update <= list.record.this_update);
            Some(listed(&base.record))
        });
        for serial in state.revocations.keys() {
            let known = state.is_revoked(*serial, list.begun, list.done);
            let on_it = on_list.get(serial).copied();
            match &base {
                None => {
                    if let Some(revoked) = known {
                        assert_eq!(on_it == Some(true), revoked, "{serial} on a full list");
                    }
                    assert_ne!(on_it, Some(false), "a full list has no lifted holds");
                }
                // With its base it says all.
                Some(Some(base)) => {
                    let in_base = base.contains_key(serial);
                    if let Some(revoked) = known {
                        assert_eq!(on_it.unwrap_or(in_base), revoked, "{serial} on a delta");
                    }
                }
                // Nobody was given its base.
                Some(None) => {}
            }
        }
    }
    for serial in state.revocations.keys() {
        if let Some(revoked) = state.is_revoked(*serial, u64::MAX, u64::MAX - 1) {
            let entry = store.entry(*serial).unwrap().unwrap();
            assert_eq!(entry.revoked().is_some(), revoked, "{serial}");
            let told = status(ca, *serial).unwrap();
            assert_eq!(matches!(told, CertStatus::Revoked { .. }), revoked);
        }
    }
}
