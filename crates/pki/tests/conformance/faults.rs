//! Networks that are cut, servers that go, disks that are full or keep half of what they were
//! given, writers that are late.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use adamant_pki::store::audit::verify_chain;
use adamant_pki::store::{
    self, AuditHead, CaStore, Changes, Error, Intent, OcspRecord, PostgresCa, SqliteCa,
};

use super::issuer::{Diary, Issuer, Memory, STORE_FAILED, check, now};
use super::proxy::{Cut, Proxy};
use super::server::{self, Server};

fn intent(serial: u64) -> Intent {
    Intent::new(serial.into(), vec![7; 300], now(), now())
}

fn is_known(store: &dyn CaStore, serial: u64) -> bool {
    store.entry(serial.into()).unwrap().is_some()
}

/// Two writers, one of which went on for too long.
fn a_late_writer(place: &str) {
    let (first, second) = (store::open(place).unwrap(), store::open(place).unwrap());
    let late = first.acquire_lease("issuer", "first", now(), 10).unwrap();
    first.reserve(Some(&late), &[intent(1)], now()).unwrap();
    let after = now().saturating_add(10);
    let lease = second.acquire_lease("issuer", "second", after, 10).unwrap();
    second.reserve(Some(&lease), &[intent(2)], after).unwrap();
    let changes = Changes {
        abandoned: &[1.into()],
        intents: &[intent(3)],
        certificates: &[],
    };
    // Its clock has stopped.
    let error = first.commit(Some(&late), &changes, now());
    assert!(matches!(error, Err(Error::StaleLease { token: 1, .. })));
    assert!(first.renew_lease(&late, now(), 100).is_err());
    assert!(!is_known(&*second, 3));
    second.commit(Some(&lease), &changes, after).unwrap();
    // Both reserve the same number, without a lease.
    let results = std::thread::scope(|scope| {
        let writers = [&first, &second].map(|store| {
            scope.spawn(move || {
                let taken = (10..60).filter(|&n| store.reserve(None, &[intent(n)], now()).is_ok());
                taken.count()
            })
        });
        writers.map(|writer| writer.join().unwrap())
    });
    assert_eq!(results.iter().sum::<usize>(), 50);
    verify_chain(&*first, &[], |_| Ok(None)).unwrap().unwrap();
}

#[test]
fn sqlite_late_writer() {
    let folder = tempfile::tempdir().unwrap();
    a_late_writer(folder.path().join("ca.sqlite").to_str().unwrap());
}

#[test]
fn postgres_late_writer() {
    if let Some(server) = server::shared() {
        a_late_writer(&server.place());
    }
}

#[test]
fn postgres_cut_at_commit() {
    let Some(server) = server::shared() else {
        return;
    };
    let proxy = Proxy::start(server.port());
    let place = server.place();
    let through = place.replace(&server.port().to_string(), &proxy.port.to_string());
    let store = PostgresCa::open(&through).unwrap();
    let mut last = 0;
    for cut in [Cut::BeforeCommit, Cut::AfterCommit] {
        let cut_once = || {
            assert!(proxy.is_whole());
            proxy.cut(cut);
        };
        cut_once();
        let number = store.take_crl_number(now()).unwrap();
        assert_eq!(number, last + 1, "{cut:?}");
        cut_once();
        store.reserve(None, &[intent(number)], now()).unwrap();
        cut_once();
        store.abandon(None, &[number.into()], now()).unwrap();
        cut_once();
        let lease = store.acquire_lease("issuer", "me", now(), 10).unwrap();
        assert_eq!(lease.token, number);
        cut_once();
        store.renew_lease(&lease, now(), 10).unwrap();
        cut_once();
        let response = OcspRecord {
            serial: number.into(),
            revision: 0,
            this_update: now(),
            next_update: now(),
            der: vec![1],
        };
        assert_eq!(store.put_ocsp(&[response], now()).unwrap(), 1);
        last = number;
    }
    // Nothing happened twice.
    let head = verify_chain(&store, &[], |_| Ok(None)).unwrap().unwrap();
    assert_eq!(head.sequence, 10);

    // Without a network nobody knows, until there is one again.
    let store = store.with_patience(Duration::from_millis(300));
    for (serial, cut, happened) in [
        (101, Cut::BeforeCommitForGood, false),
        (102, Cut::AfterCommitForGood, true),
    ] {
        proxy.cut(cut);
        let error = store.reserve(None, &[intent(serial)], now());
        assert!(matches!(error, Err(Error::OutcomeUnknown(_))), "{error:?}");
        let error = store.reserve(None, &[intent(serial)], now());
        assert!(matches!(error, Err(Error::Unavailable(_))), "{error:?}");
        proxy.cut(Cut::Nowhere);
        assert_eq!(is_known(&store, serial), happened);
        let again = store.reserve(None, &[intent(serial)], now());
        assert_eq!(again.is_err(), happened);
    }
}

/// The server ends as with its machine, while two processes issue.
#[test]
fn postgres_restarts() {
    let Some(mut server) = Server::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let place = server.place();
    let diary = Diary::open(&folder.path().join("diary"));
    let mut issuers = [(); 2].map(|()| Issuer::start(&place, &diary, 1 << 40, None));
    let mut anchors = Vec::new();
    for _ in 0..3 {
        sleep(Duration::from_millis(400));
        server.restart();
        let store = store::open(&place).unwrap();
        let head = verify_chain(&*store, &anchors, |_| Ok(None)).unwrap();
        anchors.push(head.unwrap());
    }
    let before = Memory::of(&diary).given.len();
    let deadline = Instant::now() + Duration::from_secs(60);
    while Memory::of(&diary).given.len() < before + 20 {
        assert!(Instant::now() < deadline, "they issue no more");
        sleep(Duration::from_millis(50));
    }
    for issuer in &mut issuers {
        assert!(issuer.0.try_wait().unwrap().is_none(), "it gave up");
    }
    drop(issuers);
    check(&place, &diary, &anchors, true);
}

/// What the server says when its disk is full, in the middle of a transaction and at its end.
#[test]
fn postgres_disk_full() {
    let Some(server) = server::shared() else {
        return;
    };
    let place = server.place();
    let store = PostgresCa::open(&place).unwrap();
    store.reserve(None, &[intent(1)], now()).unwrap();
    let head = store.audit_head().unwrap();
    let mut client = server.client(&place);
    client
        .batch_execute(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$",
        )
        .unwrap();
    for trigger in [
        "CREATE TRIGGER t BEFORE INSERT ON audit EXECUTE FUNCTION full_disk()",
        "CREATE TRIGGER t BEFORE UPDATE ON head EXECUTE FUNCTION full_disk()",
        "CREATE CONSTRAINT TRIGGER t AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION full_disk()",
    ] {
        client.batch_execute(trigger).unwrap();
        let start = Instant::now();
        let error = store.reserve(None, &[intent(2)], now());
        assert!(matches!(error, Err(Error::Unavailable(_))), "{error:?}");
        let said = error.unwrap_err().to_string();
        assert!(said.contains("No space left on device"), "{said}");
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "it tries for long"
        );
        assert!(!is_known(&store, 2));
        assert_eq!(store.audit_head().unwrap(), head);
        let table = if trigger.contains("ON head") {
            "head"
        } else {
            "audit"
        };
        client
            .batch_execute(&format!("DROP TRIGGER t ON {table}"))
            .unwrap();
    }
    store.reserve(None, &[intent(2)], now()).unwrap();
    verify_chain(&store, &[head], |_| Ok(None))
        .unwrap()
        .unwrap();
}

/// Files may grow to 600 KiB only: the process fails, and what it was told before holds.
#[test]
fn sqlite_disk_full() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.sqlite");
    let place = path.to_str().unwrap();
    let diary = Diary::open(&folder.path().join("diary"));
    let issuer = Issuer::command(place, &diary, 1 << 40, None);
    let mut command = Command::new("sh");
    // A write beyond the limit fails, and the signal that comes with it is ignored.
    let script = "trap '' XFSZ; ulimit -f 1200; exec \"$0\" \"$@\"";
    command.args(["-c", script]).arg(issuer.get_program());
    command.args(issuer.get_args());
    for (name, value) in issuer.get_envs() {
        command.env(name, value.unwrap());
    }
    let mut anchors = Vec::new();
    for _ in 0..2 {
        let status = command.status().unwrap();
        assert_eq!(status.code(), Some(STORE_FAILED));
        anchors.push(check(place, &diary, &anchors, false));
    }
    check(place, &diary, &anchors, true);
    assert!(Memory::of(&diary).given.len() > 10);
}

/// The log of the database ends early, or in garbage: what was committed up to there is there.
#[test]
fn sqlite_torn_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.sqlite");
    let log = folder.path().join("ca.sqlite-wal");
    let store = SqliteCa::open(&path).unwrap();
    let mut committed: Vec<(usize, AuditHead)> = Vec::new();
    for serial in 1..=12 {
        store.reserve(None, &[intent(serial)], now()).unwrap();
        let length = fs::read(&log).unwrap().len();
        committed.push((length, store.audit_head().unwrap()));
    }
    let (database, log) = (fs::read(&path).unwrap(), fs::read(&log).unwrap());
    drop(store);
    let first = committed[0].0;
    let copy = |octets: &[u8]| -> AuditHead {
        let folder = tempfile::tempdir().unwrap();
        let path: &Path = &folder.path().join("ca.sqlite");
        fs::write(path, &database).unwrap();
        fs::write(folder.path().join("ca.sqlite-wal"), octets).unwrap();
        let store = SqliteCa::open(path).unwrap();
        let head = verify_chain(&store, &[], |_| Ok(None)).unwrap().unwrap();
        assert_eq!(store.counts().unwrap().intents, head.sequence);
        store.reserve(None, &[intent(1000)], now()).unwrap();
        head
    };
    let expected = |length: usize| {
        let held = committed.iter().rev().find(|(end, _)| *end <= length);
        held.map(|(_, head)| *head).unwrap()
    };
    assert_eq!(copy(&log), committed[11].1);
    for cut in (first..log.len()).step_by(1597) {
        assert_eq!(copy(&log[..cut]), expected(cut), "ends at {cut}");
        let mut torn = log.clone();
        for octet in &mut torn[cut..] {
            *octet ^= 0xa5;
        }
        assert_eq!(copy(&torn), expected(cut), "garbage from {cut}");
    }
}
