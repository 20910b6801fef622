//! Several processes that issue into one store, and how many certificates a second that makes.
//!
//! ```text
//! cargo run --release -p adamant-pki --example issue -- PLACE [PROCESSES [CERTIFICATES [BATCH]]]
//! ```
//!
//! PLACE is the URL of a PostgreSQL database or the path of an SQLite file; the rest is how many
//! processes there are (4), how many certificates each issues (10,000), and how many lie in one
//! transaction (250). The CA's key and the subjects' are ECDSA P-256. Intents are durable before
//! anything is signed: a transaction has the certificates of one batch and the intents of the
//! next. Afterwards the store is counted and its audit log verified.

use std::error::Error;
use std::process::{Command, Stdio};
use std::time::Instant;

use adamant::der::Time;
use adamant::rand::FastRng;
use adamant::x509::extensions::SubjectKeyIdentifier;
use adamant::x509::{
    CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey, SerialNumber, assemble,
};
use adamant::{Rng, SystemRng};
use adamant_pki::store::audit::verify_chain;
use adamant_pki::store::{self, CaStore, Certificate, Changes, Intent, Number};

/// The first argument of the processes that issue.
const ISSUE: &str = "--issue";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let issues = arguments.first().is_some_and(|first| first == ISSUE);
    if issues {
        arguments.remove(0);
    }
    let place = arguments.first().ok_or("where?")?;
    let number = |at: usize, otherwise: usize| {
        let told = arguments.get(at).map(|told| told.parse());
        told.unwrap_or(Ok(otherwise))
    };
    let (processes, certificates, batch) = (number(1, 4)?, number(2, 10_000)?, number(3, 250)?);
    if issues {
        return issue(&*store::open(place)?, certificates, batch);
    }
    let store = store::open(place)?;
    let before = store.counts()?;
    let start = Instant::now();
    let children: Vec<_> = (0..processes)
        .map(|_| {
            Command::new(std::env::current_exe()?)
                .args([ISSUE, place, "1"])
                .args([certificates.to_string(), batch.to_string()])
                .stdin(Stdio::null())
                .spawn()
        })
        .collect::<Result<_, _>>()?;
    for mut child in children {
        if !child.wait()?.success() {
            return Err("a process failed".into());
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let issued = processes * certificates;
    println!(
        "{issued} certificates in {seconds:.2} s: {:.0} a second",
        issued as f64 / seconds
    );
    let counts = store.counts()?;
    let new = counts.certificates - before.certificates;
    if new != issued as u64 || counts.intents - before.intents != new {
        return Err(format!("lost: {new} of {issued} are stored").into());
    }
    let head = verify_chain(&*store, &[], |_| Ok(None))?.map_err(|fault| fault.to_string())?;
    println!(
        "all are stored, each under a serial number of its own; {} audit rows",
        head.sequence
    );
    Ok(())
}

/// One process: batch after batch.
fn issue(store: &dyn CaStore, certificates: usize, batch: usize) -> Result<(), Box<dyn Error>> {
    let now: Time = "2026-01-01".parse()?;
    let end = now.saturating_add(90 * 86_400);
    let mut rng = FastRng::new()?;
    let ca_key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?;
    let signer = ca_key.signer()?;
    let algorithm = signer.algorithm();
    let issuer = DistinguishedName::new().common_name("issuer");
    let subject_key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?.public_key();
    let key_id = subject_key.key_id();

    let mut done: Vec<Certificate> = Vec::new();
    let mut left = certificates;
    while left > 0 {
        let count = batch.min(left);
        left -= count;
        let mut intents = Vec::with_capacity(count);
        for _ in 0..count {
            let mut octets = [0; 16];
            rng.fill(&mut octets)?;
            // Positive, and of one length.
            octets[0] = octets[0] & 0x7f | 0x40;
            let serial = SerialNumber::new(&octets)?;
            let number = Number::new(&octets)?;
            let subject = DistinguishedName::new().common_name(&format!("{number}.example"));
            let tbs = CertificateBuilder::new(
                serial,
                issuer.as_name(),
                now,
                end,
                subject.as_name(),
                &subject_key,
            )
            .extension(&SubjectKeyIdentifier(&key_id))
            .tbs(algorithm)?;
            intents.push(Intent {
                subject: subject.to_string(),
                ..Intent::new(number, tbs, now, end)
            });
        }
        let changes = Changes {
            certificates: &done,
            intents: &intents,
            ..Changes::default()
        };
        store.commit(None, &changes, now)?;
        done.clear();
        for intent in &intents {
            let mut signature = Vec::new();
            signer.sign(&intent.tbs, &mut signature)?;
            done.push(Certificate::new(assemble(
                &intent.tbs,
                algorithm,
                &signature,
            ))?);
        }
    }
    store.complete(None, &done, now)?;
    Ok(())
}
