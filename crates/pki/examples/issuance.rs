//! Issuance into SQLite against writing the same rows in the same transactions.
//!
//! ```text
//! cargo run --release -p adamant-pki --example issuance -- [CERTIFICATES] [BATCH] [FOLDER]
//! ```
//!
//! Both write intents, audit rows and certificates with `synchronous = FULL`, in transactions of
//! BATCH certificates together with BATCH intents. The first also parses keys, builds and lints,
//! signs and checks; the second has everything ready beforehand.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use adamant::SystemRng;
use adamant::x509::{KeyAlgorithm, PrivateKey, PublicKey};
use adamant_pki::ca::{Authority, LocalKey, Request, RootRequest, Settings, system_clock};
use adamant_pki::store::{AuditKind, CaStore, Certificate, Changes, Intent, Number, SqliteCa};

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| arguments.next().map_or(Ok(default), |text| text.parse());
    let (count, batch) = (number(100_000)?, number(1000)?);
    let folder = match std::env::args().nth(3) {
        Some(parent) => tempfile::tempdir_in(parent)?,
        None => tempfile::tempdir()?,
    };
    let keys = keys(count.min(10_000))?;
    let issued = folder.path().join("issued.db");
    let issuing = issue(&issued, &keys, count, batch)?;
    let rows = rows(&issued)?;
    let writing = write(&folder.path().join("written.db"), &rows, batch)?;
    let again = write(&folder.path().join("again.db"), &rows, batch)?;
    let best = writing.min(again);
    println!(
        "{count} certificates in batches of {batch}: issued in {issuing:.2} s ({:.0}/s), \
         rows written in {best:.2} s; ratio {:.2}",
        count as f64 / issuing,
        issuing / best
    );
    Ok(())
}

/// Keys of subscribers, as they come: in DER.
fn keys(count: usize) -> Outcome<Vec<Vec<u8>>> {
    let key = || PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng);
    let keys = (0..count).map(|_| key().map(|key| key.public_key().to_der()));
    Ok(keys.collect::<Result<_, _>>()?)
}

/// Seconds of issuing.
fn issue(path: &Path, keys: &[Vec<u8>], count: usize, batch: usize) -> Outcome<f64> {
    let store = Arc::new(SqliteCa::open(path)?);
    let key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?;
    let key = Box::new(LocalKey::new(key)?);
    let root = RootRequest::new("CN=Root,O=Adamant".parse()?);
    let settings = Settings {
        crl_url: Some("http://crl.adamant.example/ca.crl".into()),
        ocsp_url: Some("http://ocsp.adamant.example".into()),
        ..Settings::default()
    };
    let mut ca = Authority::init_root(store, key, settings, &root, system_clock)?;
    let requests = (0..count).map(|i| {
        let host = format!("host-{i}.adamant.example");
        let key = PublicKey::from_der(&keys[i % keys.len()])?;
        let subject = format!("CN={host}").parse()?;
        let name = host.parse().map_err(adamant_pki::ca::Error::Refused)?;
        Ok(Request::new("server", subject, key).name(name))
    });
    let start = Instant::now();
    let issued = ca.issue_all(requests, batch, |_, _| Ok(()))?;
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(issued, count);
    Ok(seconds)
}

/// Every intent with its certificate, in the order in which they were written: the index of serial
/// numbers, which are random, is then touched in the same places.
fn rows(path: &Path) -> Outcome<Vec<(Intent, Certificate)>> {
    let store = SqliteCa::open(path)?;
    let read = |serial: Number| -> Outcome<(Intent, Certificate)> {
        let intent = store.intent(serial)?.ok_or("no intent")?.intent;
        let der = store.certificate(serial)?.ok_or("no certificate")?;
        Ok((intent, Certificate::new(der)?))
    };
    let mut rows = Vec::new();
    let mut seen = 0;
    loop {
        let log = store.audit(seen + 1, 10_000)?;
        let Some(last) = log.last() else {
            return Ok(rows);
        };
        seen = last.sequence;
        let intents = log.iter().filter(|row| row.event.kind == AuditKind::Intent);
        for serial in intents.filter_map(|row| row.event.subject) {
            rows.push(read(serial)?);
        }
    }
}

/// Seconds of writing rows, in transactions as issuance makes them.
fn write(path: &Path, rows: &[(Intent, Certificate)], batch: usize) -> Outcome<f64> {
    let store = SqliteCa::open(path)?;
    let batches: Vec<(Vec<Intent>, Vec<Certificate>)> = rows
        .chunks(batch)
        .map(|rows| rows.iter().cloned().unzip())
        .collect();
    let start = Instant::now();
    let none = Vec::new();
    for number in 0..=batches.len() {
        let before = number.checked_sub(1);
        let changes = Changes {
            certificates: before.map_or(&none[..], |before| &batches[before].1),
            intents: batches.get(number).map_or(&[], |batch| &batch.0),
            ..Changes::default()
        };
        store.commit(None, &changes, system_clock())?;
    }
    Ok(start.elapsed().as_secs_f64())
}
