//! Stores that earlier versions made. Every version opens them, finds their audit log in order, and
//! goes on with them: these files stay as they are, and those of later tables come beside them.
//!
//! `store-1` has what the program could make when the tables had version 1: two shards, full and
//! delta lists, responses, a revocation, a hold and a lifted one, a custom profile, a batch,
//! and intents of processes that were killed, some of them given up. The passphrase is `fixture`.

use std::path::Path;
use std::sync::Arc;

use adamant::der::Time;
use adamant::x509::extensions::RevocationReason;
use adamant::x509::pbes2::Limits;
use adamant::x509::{Certificate, FullCertificate, KeyAlgorithm, PrivateKey};
use adamant_pki::ca::audit::audit;
use adamant_pki::ca::{Authority, KEY, LocalKey, Request};
use adamant_pki::store::{
    AuditHead, CaStore, CrlScope, Filter, Number, PostgresCa, SqliteCa, State,
};

const DATABASE: &[u8] = include_bytes!("../data/store-1/ca.db");
const DUMP: &str = include_str!("../data/store-1/dump.sql");

/// A week after it was made.
fn now() -> Time {
    "2026-11-30".parse().unwrap()
}

fn head(sequence: u64, hash: &str) -> AuditHead {
    let mut head = AuditHead {
        sequence,
        ..AuditHead::START
    };
    for (i, octet) in head.hash.iter_mut().enumerate() {
        *octet = u8::from_str_radix(&hash[2 * i..2 * i + 2], 16).unwrap();
    }
    head
}

fn goes_on(store: Arc<dyn CaStore>, head: AuditHead, intents: u64) {
    assert_eq!(store.schema_version().unwrap(), 2);
    audit(&*store, &[head]).unwrap().unwrap();
    let counts = store.counts().unwrap();
    assert_eq!((counts.intents, counts.certificates), (intents, 15));
    assert_eq!((counts.abandoned, counts.revocations), (2, 3));
    assert_eq!((counts.crls, counts.ocsp_responses), (4, 13));
    let of = |filter: Filter| store.list(&filter).unwrap();
    let issued = of(Filter {
        state: Some(State::Issued),
        ..Filter::default()
    });
    let key = store.document(KEY).unwrap().unwrap();
    let key = PrivateKey::from_encrypted_der(&key, b"fixture", &Limits::default()).unwrap();
    let key = Box::new(LocalKey::new(key).unwrap());
    let mut ca = Authority::open(store.clone(), key, now).unwrap();
    let verifier = ca.public_key().unwrap();
    for entry in &issued {
        assert_eq!(entry.item, None);
        let der = store.certificate(entry.serial).unwrap().unwrap();
        let certificate = FullCertificate::from_der(&der).unwrap();
        certificate.verify(&verifier).unwrap();
        assert_eq!(certificate.subject.to_string(), entry.subject);
    }
    let revoked = of(Filter {
        revoked: Some(true),
        ..Filter::default()
    });
    let reasons: Vec<_> = revoked
        .iter()
        .map(|e| e.revoked().unwrap().reason)
        .collect();
    assert!(reasons.contains(&RevocationReason::KeyCompromise));
    assert!(reasons.contains(&RevocationReason::CertificateHold));

    // Those who were killed left intents under leases that have ended since.
    ca.claim("a later version").unwrap();
    let subscriber = PrivateKey::generate(KeyAlgorithm::Ed25519, &mut adamant::SystemRng).unwrap();
    let mut request = Request::new("mail", "CN=Carol".parse().unwrap(), subscriber.public_key())
        .name("email:carol@example.org".parse().unwrap());
    let batch = ca.batch("a batch").unwrap();
    request.item = batch.item(1, b"carol").unwrap();
    let der = ca.issue(&request).unwrap();
    let serial = Number::try_from(Certificate::from_der(&der).unwrap().serial()).unwrap();
    ca.revoke(serial, RevocationReason::Superseded, None)
        .unwrap();
    let pending = of(Filter {
        state: Some(State::Pending),
        ..Filter::default()
    });
    for entry in &pending {
        ca.revoke(entry.serial, RevocationReason::Superseded, None)
            .unwrap();
    }
    let lists = ca.make_all_crls(false).unwrap();
    assert_eq!(lists.len(), 2);
    assert!(lists.iter().all(|list| list.number > 4));
    let delta = CrlScope {
        shard: Some(0),
        delta: true,
    };
    assert_eq!(ca.make_crl(delta).unwrap().base, Some(lists[0].number));
    assert!(ca.presign_all().unwrap() >= 13);
    ca.release().unwrap();
    assert_eq!(store.batch("a batch", 1..=1).unwrap()[0].serial, serial);
    audit(&*store, &[head]).unwrap().unwrap();
}

#[test]
fn sqlite_1() {
    let folder = tempfile::tempdir().unwrap();
    let path: &Path = &folder.path().join("ca.db");
    std::fs::write(path, DATABASE).unwrap();
    let head = head(
        67,
        "21b7576fc0452354664fec57efcc5b2e0bf67bc8cf4b4943d1ba0af5d599e82a",
    );
    goes_on(Arc::new(SqliteCa::open(path).unwrap()), head, 21);
    let again = SqliteCa::open(path).unwrap();
    audit(&again, &[head]).unwrap().unwrap();
}

#[test]
fn postgres_1() {
    let Some(server) = super::server::shared() else {
        return;
    };
    let place = server.place();
    server.client(&place).batch_execute(DUMP).unwrap();
    let head = head(
        71,
        "f6e32cbaacceeea55034afdf0bb52991f4c0c6c98b9b2698c2a0382ab30de94c",
    );
    goes_on(Arc::new(PostgresCa::open(&place).unwrap()), head, 19);
    audit(&PostgresCa::open(&place).unwrap(), &[head])
        .unwrap()
        .unwrap();
}
