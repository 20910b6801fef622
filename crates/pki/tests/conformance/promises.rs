//! What every store of a certification authority must do.

use std::cell::Cell;

use adamant::der::Time;
use adamant::x509::extensions::{RevocationReason, SubjectKeyIdentifier};
use adamant::x509::{
    self, CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey, SerialNumber,
};
use adamant_pki::store::audit::{Fault, verify_chain};
use adamant_pki::store::{
    AuditKind, AuditRow, BatchItem, CaStore, Certificate, Changes, CrlRecord, CrlScope, Error,
    Filter, Intent, Number, OcspRecord, PostgresCa, Revocation, SqliteCa, State,
};

fn now() -> Time {
    "2026-01-01".parse().unwrap()
}

fn later(seconds: u64) -> Time {
    now().saturating_add(seconds)
}

fn key() -> PrivateKey {
    PrivateKey::generate(KeyAlgorithm::Ed25519, &mut adamant::SystemRng).unwrap()
}

/// An intent, and the certificate that it wants.
fn item(key: &PrivateKey, serial: u64) -> (Intent, Vec<u8>) {
    let name = DistinguishedName::new().common_name(&format!("subject {serial}"));
    let public_key = key.public_key();
    let builder = CertificateBuilder::new(
        SerialNumber::from(serial),
        name.as_name(),
        now(),
        later(1000),
        name.as_name(),
        &public_key,
    )
    .extension(&SubjectKeyIdentifier(&public_key.key_id()));
    let der = builder.sign(key.signer().unwrap()).unwrap();
    let tbs = x509::Certificate::from_der(&der).unwrap().tbs().to_vec();
    let intent = Intent {
        subject: name.to_string(),
        profile: "server".into(),
        shard: (serial % 2) as u32,
        ..Intent::new(serial.into(), tbs, now(), later(1000))
    };
    (intent, der)
}

fn revocation(reason: RevocationReason) -> Revocation {
    Revocation {
        reason,
        date: now(),
        invalidity_date: None,
    }
}

/// The suite: `new` gives an empty store.
fn suite<S: CaStore>(new: impl Fn() -> S) {
    issues(&new());
    issues_nothing(&new());
    takes_odd_rows(&new());
    keeps_batches(&new());
    revokes(&new());
    numbers_lists(&new());
    keeps_the_newest_response(&new());
    fences(&new());
    logs(&new());
}

fn issues(store: &dyn CaStore) {
    let key = key();
    let items: Vec<_> = (1..=5).map(|serial| item(&key, serial)).collect();
    let intents: Vec<_> = items.iter().map(|(intent, _)| intent.clone()).collect();
    store.reserve(None, &intents, now()).unwrap();
    let error = store.reserve(None, &[item(&key, 6).0, intents[2].clone()], now());
    assert!(matches!(error, Err(Error::SerialTaken(n)) if n == Number::from(3)));
    assert!(store.entry(6.into()).unwrap().is_none(), "all or nothing");

    let certificate = |i: usize| Certificate::new(items[i].1.clone()).unwrap();
    store
        .complete(None, &[certificate(0), certificate(1)], now())
        .unwrap();
    store.abandon(None, &[3.into()], now()).unwrap();
    let refused = [
        (certificate(0), State::Issued),
        (certificate(2), State::Abandoned),
    ];
    for (certificate, expected) in refused {
        let error = store.complete(None, &[certificate], now());
        assert!(matches!(error, Err(Error::NotPending { state, .. }) if state == expected));
    }
    let stranger = Certificate::new(item(&key, 77).1).unwrap();
    let error = store.complete(None, &[stranger], now());
    assert!(matches!(error, Err(Error::UnknownSerial(_))));
    // Another certificate with the same serial number.
    let other = Certificate::new(item(&self::key(), 4).1).unwrap();
    let error = store.complete(None, &[other], now());
    assert!(matches!(error, Err(Error::OtherTbs(n)) if n == Number::from(4)));

    assert_eq!(
        store.certificate(1.into()).unwrap().as_ref(),
        Some(&items[0].1)
    );
    assert_eq!(store.certificate(4.into()).unwrap(), None);
    assert_eq!(store.intent(4.into()).unwrap().unwrap().intent, intents[3]);
    let states = |filter: &Filter| -> Vec<_> {
        let entries = store.list(filter).unwrap();
        entries.iter().map(|e| (e.serial, e.state)).collect()
    };
    let pending = Filter {
        state: Some(State::Pending),
        ..Filter::default()
    };
    let expected = [(4.into(), State::Pending), (5.into(), State::Pending)];
    assert_eq!(states(&pending), expected);
    let page = Filter {
        after: Some(1.into()),
        limit: Some(2),
        ..Filter::default()
    };
    let expected = [(2.into(), State::Issued), (3.into(), State::Abandoned)];
    assert_eq!(states(&page), expected);
    let named = Filter {
        subject: Some("ject 5".into()),
        ..Filter::default()
    };
    assert_eq!(states(&named), [(5.into(), State::Pending)]);
    let counts = store.counts().unwrap();
    assert_eq!(
        (counts.intents, counts.certificates, counts.abandoned),
        (5, 2, 1)
    );
}

/// Rows that occur twice in one call, and calls without rows.
fn issues_nothing(store: &dyn CaStore) {
    let key = key();
    let (intent, der) = item(&key, 1);
    let twice = store.reserve(None, &[intent.clone(), intent.clone()], now());
    assert!(matches!(twice, Err(Error::SerialTaken(n)) if n == Number::from(1)));
    store.reserve(None, &[], now()).unwrap();
    assert_eq!(store.audit_head().unwrap().sequence, 0);
    store.reserve(None, &[intent], now()).unwrap();
    let certificate = Certificate::new(der).unwrap();
    let twice = [certificate.clone(), certificate.clone()];
    let error = store.complete(None, &twice, now());
    assert!(matches!(
        error,
        Err(Error::NotPending {
            state: State::Issued,
            ..
        })
    ));
    let error = store.abandon(None, &[1.into(), 1.into()], now());
    assert!(matches!(
        error,
        Err(Error::NotPending {
            state: State::Abandoned,
            ..
        })
    ));
    // Certificates come first, then what is abandoned.
    let changes = Changes {
        certificates: &[certificate],
        abandoned: &[1.into()],
        intents: &[],
    };
    let error = store.commit(None, &changes, now());
    assert!(matches!(error, Err(Error::NotPending { .. })));
    let entry = store.entry(1.into()).unwrap().unwrap();
    assert_eq!(entry.state, State::Pending);
    assert_eq!(store.audit_head().unwrap().sequence, 1);
}

fn takes_odd_rows(store: &dyn CaStore) {
    let largest = Number::new(&[0xff; Number::LEN]).unwrap();
    let intent = Intent {
        subject: "CN=\u{fc} \u{1f511} 'quoted' \\ {array,\"}".into(),
        profile: String::new(),
        shard: u32::MAX,
        ..Intent::new(largest, vec![0xa5; 300_000], now(), later(u64::MAX))
    };
    let empty = Intent::new(0.into(), vec![], now(), now());
    let intents = [intent, empty];
    store.reserve(None, &intents, now()).unwrap();
    for intent in &intents {
        let there = store.intent(intent.serial).unwrap().unwrap();
        assert_eq!((&there.intent, there.lease), (intent, None));
    }
    let quoted = Filter {
        subject: Some("'quoted' \\".into()),
        profile: Some(String::new()),
        expires_after: Some(later(1)),
        ..Filter::default()
    };
    let found = store.list(&quoted).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].serial, found[0].shard), (largest, u32::MAX));
    let none = Filter {
        limit: Some(0),
        ..Filter::default()
    };
    assert!(store.list(&none).unwrap().is_empty());
    // One call with the same serial number twice: as if they were two.
    let response = |at: u64| OcspRecord {
        serial: largest,
        revision: 0,
        this_update: later(at),
        next_update: later(at),
        der: vec![at as u8],
    };
    let responses = [response(1), response(3), response(2)];
    assert_eq!(store.put_ocsp(&responses, now()).unwrap(), 2);
    assert_eq!(store.ocsp(largest).unwrap(), Some(response(3)));
    assert_eq!(store.put_ocsp(&[], now()).unwrap(), 0);
    let many: Vec<_> = (1..=3000)
        .map(|n: u64| Intent::new(n.into(), n.to_be_bytes().to_vec(), now(), now()))
        .collect();
    store.reserve(None, &many, now()).unwrap();
    assert_eq!(store.counts().unwrap().intents, 3002);
    let verified = verify_chain(store, &[], |_| Ok(None)).unwrap();
    // The responses of a call have one row.
    assert_eq!(verified.unwrap().sequence, 3003);
}

/// An item of a batch has one intent that was not given up.
fn keeps_batches(store: &dyn CaStore) {
    let place = |batch: &str, number: u64| BatchItem {
        batch: batch.into(),
        number,
        digest: [number as u8; 16],
    };
    let key = key();
    let of = |serial, batch, number| {
        let (mut intent, der) = item(&key, serial);
        intent.item = Some(place(batch, number));
        (intent, Certificate::new(der).unwrap())
    };
    let items: Vec<_> = (1..=4).map(|n| of(n, "it's one", n)).collect();
    let intents: Vec<_> = items.iter().map(|(intent, _)| intent.clone()).collect();
    store.reserve(None, &intents, now()).unwrap();
    store.reserve(None, &[item(&key, 50).0], later(5)).unwrap();
    // Another batch has its own items; a large number is one.
    let others = [of(60, "two", 1).0, of(61, "two", 1 << 40).0];
    store.reserve(None, &others, later(9)).unwrap();
    store
        .complete(None, &[items[0].1.clone(), items[1].1.clone()], now())
        .unwrap();
    store.abandon(None, &[3.into()], now()).unwrap();
    for (serial, state) in [(1, State::Issued), (4, State::Pending)] {
        assert_eq!(store.entry(serial.into()).unwrap().unwrap().state, state);
        let again = store.reserve(None, &[of(70, "it's one", serial).0], now());
        let taken = |error: &Error| match error {
            Error::ItemTaken {
                batch,
                number,
                serial: by,
            } => batch == "it's one" && *number == serial && *by == serial.into(),
            _ => false,
        };
        assert!(again.as_ref().is_err_and(taken), "{again:?}");
    }
    let twice = [of(71, "three", 5).0, of(72, "three", 5).0];
    let twice = store.reserve(None, &twice, now());
    assert!(matches!(twice, Err(Error::ItemTaken { number: 5, .. })));
    assert_eq!(store.batch_end("three").unwrap(), 0, "all or nothing");
    assert!(store.entry(71.into()).unwrap().is_none());
    let again = of(73, "it's one", 3).0;
    store
        .reserve(None, std::slice::from_ref(&again), now())
        .unwrap();
    for intent in intents.iter().chain(&others).chain([&again]) {
        let there = store.intent(intent.serial).unwrap().unwrap();
        assert_eq!(there.intent, *intent);
        let entry = store.entry(intent.serial).unwrap().unwrap();
        assert_eq!(entry.item, intent.item);
    }
    let serials = |batch, first, last| -> Vec<_> {
        let entries = store.batch(batch, first..=last).unwrap();
        entries.iter().map(|entry| entry.serial).collect()
    };
    let all = [1, 2, 3, 73, 4].map(Number::from);
    assert_eq!(serials("it's one", 0, u64::MAX), all);
    assert_eq!(serials("it's one", 2, 3), all[1..4]);
    assert_eq!(serials("two", 2, u64::MAX), [61.into()]);
    assert!(serials("three", 0, u64::MAX).is_empty());
    let end = |batch| store.batch_end(batch).unwrap();
    assert_eq!((end("it's one"), end("two"), end("four")), (4, 1 << 40, 0));
    let reserved = |since: Option<u64>, until: Option<u64>| {
        let filter = Filter {
            since: since.map(later),
            until: until.map(later),
            ..Filter::default()
        };
        store.list(&filter).unwrap().len()
    };
    assert_eq!(reserved(None, None), 8);
    assert_eq!((reserved(Some(5), None), reserved(None, Some(4))), (3, 5));
    assert_eq!(reserved(Some(5), Some(5)), 1);
    let notes = |row: &AuditRow| !row.event.note.is_empty();
    let rows = store.audit(1, 100).unwrap();
    let noted: Vec<_> = rows.iter().filter(|row| notes(row)).collect();
    assert_eq!(noted.len(), 7);
    assert_eq!(
        noted[1].event.note,
        format!("item 2 {} of batch it's one", "02".repeat(16))
    );
    verify_chain(store, &[], |_| Ok(None)).unwrap().unwrap();
}

fn revokes(store: &dyn CaStore) {
    use RevocationReason::{CertificateHold, KeyCompromise, RemoveFromCrl};

    let key = key();
    let intents: Vec<_> = (1..=4).map(|serial| item(&key, serial).0).collect();
    store.reserve(None, &intents, now()).unwrap();
    let revoke = |serial: u64, reason| store.revoke(serial.into(), &revocation(reason), now());
    // An intent without a certificate.
    revoke(1, KeyCompromise).unwrap();
    assert!(matches!(
        revoke(1, KeyCompromise),
        Err(Error::AlreadyRevoked { .. })
    ));
    assert!(matches!(revoke(1, RemoveFromCrl), Err(Error::NotOnHold(_))));
    assert!(matches!(revoke(2, RemoveFromCrl), Err(Error::NotOnHold(_))));
    assert!(matches!(
        revoke(9, KeyCompromise),
        Err(Error::UnknownSerial(_))
    ));
    revoke(2, CertificateHold).unwrap();
    revoke(2, KeyCompromise).unwrap();
    revoke(3, CertificateHold).unwrap();
    assert_eq!(store.take_crl_number(now()).unwrap(), 1);
    revoke(3, RemoveFromCrl).unwrap();
    let serials = |shard, since| -> Vec<_> {
        let entries = store.revoked(shard, since).unwrap();
        entries.iter().map(|e| e.serial).collect()
    };
    assert_eq!(serials(None, None), [1.into(), 2.into(), 3.into()]);
    assert_eq!(serials(Some(1), None), [1.into(), 3.into()]);
    assert_eq!(serials(None, Some(1)), [3.into()]);
    let revoked = Filter {
        revoked: Some(true),
        ..Filter::default()
    };
    assert_eq!(store.list(&revoked).unwrap().len(), 2);
    let entry = store.entry(3.into()).unwrap().unwrap();
    assert!(entry.revoked().is_none());
    assert_eq!(entry.revision, 2);
}

fn numbers_lists(store: &dyn CaStore) {
    let full = CrlScope {
        shard: None,
        delta: false,
    };
    let crl = |number, scope| CrlRecord {
        number,
        scope,
        base: None,
        this_update: now(),
        next_update: later(9),
        der: vec![number as u8],
    };
    let put = |number, scope| store.put_crl(&crl(number, scope), now());
    assert!(matches!(put(1, full), Err(Error::CrlNumber { .. })));
    let numbers: Vec<_> = (0..3)
        .map(|_| store.take_crl_number(now()).unwrap())
        .collect();
    assert_eq!(numbers, [1, 2, 3]);
    put(2, full).unwrap();
    assert!(matches!(put(2, full), Err(Error::CrlNumber { .. })));
    assert!(matches!(put(1, full), Err(Error::CrlNumber { .. })));
    let shard = CrlScope {
        shard: Some(4),
        delta: true,
    };
    assert!(matches!(put(2, shard), Err(Error::CrlNumber { .. })));
    put(1, shard).unwrap();
    let back = CrlRecord {
        this_update: "2025-12-31".parse().unwrap(),
        ..crl(3, full)
    };
    let refused = store.put_crl(&back, now());
    assert!(
        matches!(refused, Err(Error::CrlNumber { .. })),
        "its time is before that of 2"
    );
    assert_eq!(store.latest_crl(full).unwrap().unwrap(), crl(2, full));
    assert_eq!(store.latest_crl(shard).unwrap().unwrap(), crl(1, shard));
}

fn keeps_the_newest_response(store: &dyn CaStore) {
    let key = key();
    store.reserve(None, &[item(&key, 1).0], now()).unwrap();
    let response = |revision, at: u64| OcspRecord {
        serial: 1.into(),
        revision,
        this_update: later(at),
        next_update: later(at + 10),
        der: vec![at as u8],
    };
    let put = |revision, at| store.put_ocsp(&[response(revision, at)], now()).unwrap();
    assert_eq!(put(0, 5), 1);
    assert_eq!(put(0, 4), 0, "older");
    assert_eq!(store.ocsp(1.into()).unwrap(), Some(response(0, 5)));
    let reason = RevocationReason::Superseded;
    store.revoke(1.into(), &revocation(reason), now()).unwrap();
    assert_eq!(store.ocsp(1.into()).unwrap(), None);
    assert_eq!(put(0, 9), 0, "signed before the revocation");
    assert_eq!(put(1, 6), 1);
    assert_eq!(store.ocsp(1.into()).unwrap(), Some(response(1, 6)));
}

fn fences(store: &dyn CaStore) {
    let key = key();
    let first = store.acquire_lease("issuer-1", "a", now(), 10).unwrap();
    let held = store.acquire_lease("issuer-1", "b", later(9), 10);
    assert!(matches!(held, Err(Error::LeaseHeld { .. })));
    store
        .reserve(Some(&first), &[item(&key, 1).0], now())
        .unwrap();
    let first = store.renew_lease(&first, later(9), 10).unwrap();
    let held = store.acquire_lease("issuer-1", "b", later(18), 10);
    assert!(matches!(held, Err(Error::LeaseHeld { .. })));
    let second = store.acquire_lease("issuer-1", "b", later(19), 10).unwrap();
    assert_eq!((first.token, second.token), (1, 2));
    let certificate = Certificate::new(item(&key, 1).1).unwrap();
    let stale = store.complete(Some(&first), &[certificate], later(20));
    assert!(matches!(stale, Err(Error::StaleLease { current: 2, .. })));
    assert!(store.renew_lease(&first, later(20), 10).is_err());
    let entry = store.entry(1.into()).unwrap().unwrap();
    assert_eq!(entry.lease, Some(("issuer-1".into(), 1)));
    assert_eq!(entry.state, State::Pending);
    store
        .abandon(Some(&second), &[1.into()], later(20))
        .unwrap();
    store.release_lease(&second, later(21)).unwrap();
    store.acquire_lease("issuer-1", "c", later(21), 10).unwrap();
    assert_eq!(store.leases().unwrap()[0].token, 3);
}

fn logs(store: &dyn CaStore) {
    store.create(&[("settings", b"{}")], later(50)).unwrap();
    let again = store.create(&[("settings", b"{}")], now());
    assert!(matches!(again, Err(Error::Exists(_))));
    store.put_document("settings", b"{\"a\":1}", now()).unwrap();
    assert_eq!(store.document("settings").unwrap().unwrap(), b"{\"a\":1}");
    assert_eq!(store.document("key").unwrap(), None);
    let key = key();
    let (intent, der) = item(&key, 1);
    store.reserve(None, &[intent], later(20)).unwrap();
    let certificates = [Certificate::new(der).unwrap()];
    store.complete(None, &certificates, later(60)).unwrap();
    store.note("a note", later(60)).unwrap();
    let head = store.audit_head().unwrap();
    let verified = verify_chain(store, &[head], |_| Ok(None)).unwrap();
    assert_eq!(verified, Ok(head));
    let rows = store.audit(1, 100).unwrap();
    let kinds: Vec<_> = rows.iter().map(|row| row.event.kind).collect();
    use AuditKind::{Certificate as Stored, Document, Intent, Note};
    assert_eq!(kinds, [Document, Document, Intent, Stored, Note]);
    // The clock stepped back, the log did not.
    assert_eq!(rows[2].at, later(50));
    let mut other = head;
    other.hash[0] ^= 1;
    let verified = verify_chain(store, &[other], |_| Ok(None)).unwrap();
    assert_eq!(verified, Err(Fault::Anchor(head.sequence)));
}

#[test]
fn sqlite_in_memory() {
    suite(|| SqliteCa::in_memory().unwrap());
}

#[test]
fn sqlite_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let number = Cell::new(0);
    suite(|| {
        number.set(number.get() + 1);
        SqliteCa::open(&folder.path().join(format!("{}.db", number.get()))).unwrap()
    });
}

#[test]
fn postgres() {
    let Some(server) = super::server::shared() else {
        return;
    };
    suite(|| PostgresCa::open(&server.place()).unwrap());
    let newer = server.place();
    assert_eq!(
        PostgresCa::open(&newer).unwrap().schema_version().unwrap(),
        2
    );
    server
        .client(&newer)
        .batch_execute("UPDATE adamant_ca SET version = 9")
        .unwrap();
    let error = PostgresCa::open(&newer);
    assert!(matches!(error, Err(Error::Schema { found: 9, known: 2 })));
    // Another program's table is left as it is.
    let foreign = server.place();
    let mut client = server.client(&foreign);
    client
        .batch_execute("CREATE TABLE documents (precious TEXT)")
        .unwrap();
    assert!(PostgresCa::open(&foreign).is_err());
    let sql = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()";
    let tables: i64 = client.query_one(sql, &[]).unwrap().get(0);
    assert_eq!(tables, 1);
    // Several processes make the tables of one database.
    let place = server.place();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| PostgresCa::open(&place).unwrap());
        }
    });
    assert!(PostgresCa::open("postgres://ca@127.0.0.1:1/none").is_err());
    let tls = format!("{place}&sslmode=require");
    assert!(PostgresCa::open(&tls).is_err());
}

/// Whoever changes the file outside of the program is found.
#[test]
fn sqlite_changed_by_hand() {
    let changes = [
        ("DELETE FROM audit WHERE sequence = 2", Fault::Missing(2)),
        (
            "UPDATE audit SET note = 'x' WHERE sequence = 1",
            Fault::Hash(1),
        ),
        (
            "UPDATE audit SET at = at - 1 WHERE sequence = 2",
            Fault::Time(2),
        ),
        (
            "DELETE FROM audit WHERE sequence = 3",
            Fault::Head { head: 3, last: 2 },
        ),
        ("UPDATE head SET hash = zeroblob(32)", Fault::Hash(3)),
    ];
    for (sql, fault) in changes {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.db");
        let store = SqliteCa::open(&path).unwrap();
        for note in ["one", "two", "three"] {
            store.note(note, now()).unwrap();
        }
        rusqlite::Connection::open(&path)
            .unwrap()
            .execute_batch(sql)
            .unwrap();
        let verified = verify_chain(&store, &[], |_| Ok(None)).unwrap();
        assert_eq!(verified, Err(fault), "{sql}");
    }
}

#[test]
fn sqlite_knows_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other");
    std::fs::write(&path, b"SQLite format 3\0 and so on").unwrap();
    assert!(matches!(SqliteCa::open(&path), Err(Error::ForeignFile(_))));
    let path = folder.path().join("new.db");
    assert_eq!(SqliteCa::open(&path).unwrap().schema_version().unwrap(), 2);
    let file = rusqlite::Connection::open(&path).unwrap();
    file.pragma_update(None, "user_version", 9).unwrap();
    let newer = SqliteCa::open(&path);
    assert!(matches!(newer, Err(Error::Schema { found: 9, known: 2 })));
}
