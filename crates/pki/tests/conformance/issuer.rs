//! A process that issues until it is killed, and what its signer remembers of it.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use adamant::der::Time;
use adamant::hash::Sha256;
use adamant::x509::extensions::{RevocationReason, SubjectKeyIdentifier};
use adamant::x509::{
    self, CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey, PublicKey, SerialNumber,
    SignatureAlgorithm, SigningKey,
};
use adamant::{Rng, SystemRng};
use adamant_pki::ca::audit::audit;
use adamant_pki::store::audit::verify_chain;
use adamant_pki::store::{
    self, AuditHead, AuditKind, CaStore, Certificate, CrlRecord, CrlScope, Error, Failpoints,
    Intent, Number, OcspRecord, Point, PostgresCa, Revocation, SqliteCa, State,
};

/// What the process is told, in its environment.
const PLACE: &str = "ADAMANT_CONFORMANCE_PLACE";
const DIARY: &str = "ADAMANT_CONFORMANCE_DIARY";
const POINT: &str = "ADAMANT_CONFORMANCE_POINT";
const SERIALS: &str = "ADAMANT_CONFORMANCE_SERIALS";

/// Reasons to end that are no failure of the test.
pub(crate) const STORE_FAILED: i32 = 3;

pub(crate) fn now() -> Time {
    "2026-01-01".parse().unwrap()
}

/// A number below `bound`.
pub(crate) fn draw(bound: u64) -> u64 {
    let mut octets = [0; 8];
    SystemRng.fill(&mut octets).unwrap();
    u64::from_le_bytes(octets) % bound
}

/// What happened outside of the store, line by line, on the disk before anything comes of it.
/// Several processes write into one file.
pub(crate) struct Diary {
    path: PathBuf,
    file: File,
}

impl Diary {
    pub(crate) fn open(path: &Path) -> Self {
        let mut options = OpenOptions::new();
        Self {
            path: path.to_owned(),
            file: options.create(true).append(true).open(path).unwrap(),
        }
    }

    pub(crate) fn write(&self, line: &str) {
        (&self.file)
            .write_all(format!("{line}\n").as_bytes())
            .unwrap();
        self.file.sync_data().unwrap();
    }
}

/// A signer that writes down what it is about to sign.
struct Recorder<'a> {
    key: &'a PrivateKey,
    serial: u64,
    diary: &'a Diary,
}

impl SigningKey for Recorder<'_> {
    fn algorithm(&self) -> SignatureAlgorithm {
        self.key.signer().unwrap().algorithm()
    }

    fn public_key(&self) -> PublicKey {
        self.key.public_key()
    }

    fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<(), x509::Error> {
        self.key.signer().unwrap().sign(message, signature)?;
        let digest = Number::new(&Sha256::digest(message)[..20]).unwrap();
        self.diary
            .write(&format!("signed {} {digest}", self.serial));
        Ok(())
    }
}

/// An issuing process; it is killed with this value.
pub(crate) struct Issuer(pub(crate) Child);

impl Issuer {
    /// Serial numbers are drawn below `serials`; the process ends itself when it comes to the
    /// point for the `n`th time.
    pub(crate) fn start(
        place: &str,
        diary: &Diary,
        serials: u64,
        point: Option<(Point, usize)>,
    ) -> Self {
        Self(Self::command(place, diary, serials, point).spawn().unwrap())
    }

    pub(crate) fn command(
        place: &str,
        diary: &Diary,
        serials: u64,
        point: Option<(Point, usize)>,
    ) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([
                "--exact",
                "conformance::issuer::process",
                "--ignored",
                "--nocapture",
            ])
            .env(PLACE, place)
            .env(DIARY, &diary.path)
            .env(SERIALS, serials.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some((point, n)) = point {
            command.env(POINT, format!("{n} {point}"));
        }
        command
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "a process of the other tests"]
fn process() {
    let Ok(place) = std::env::var(PLACE) else {
        return;
    };
    let diary = Diary::open(std::env::var_os(DIARY).unwrap().as_ref());
    let serials = std::env::var(SERIALS).unwrap().parse().unwrap();
    let failpoints = match std::env::var(POINT) {
        Err(_) => Failpoints::default(),
        Ok(told) => {
            let (n, point) = told.split_once(' ').unwrap();
            let (n, point): (usize, Point) = (n.parse().unwrap(), point.parse().unwrap());
            let seen = AtomicUsize::new(0);
            Failpoints::new(move |at| {
                if at == point && seen.fetch_add(1, Ordering::Relaxed) + 1 == n {
                    std::process::abort();
                }
                Ok(())
            })
        }
    };
    let store: Box<dyn CaStore> = if store::is_url(&place) {
        Box::new(
            PostgresCa::open(&place)
                .unwrap()
                .with_failpoints(failpoints.clone()),
        )
    } else {
        let store = SqliteCa::open(place.as_ref()).unwrap();
        Box::new(store.with_failpoints(failpoints.clone()))
    };
    loop {
        match round(&*store, &failpoints, &diary, serials) {
            Ok(()) | Err(Error::SerialTaken(_)) => {}
            Err(error @ (Error::Unavailable(_) | Error::OutcomeUnknown(_))) => {
                diary.write(&format!("failed {error}"));
                std::process::exit(STORE_FAILED);
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Some certificates, and sometimes a revocation, a list, a response. The clock goes to and fro.
fn round(
    store: &dyn CaStore,
    failpoints: &Failpoints,
    diary: &Diary,
    serials: u64,
) -> Result<(), Error> {
    let key = PrivateKey::generate(KeyAlgorithm::Ed25519, &mut SystemRng).unwrap();
    let public_key = key.public_key();
    let at = now().saturating_add(draw(100_000));
    let name = DistinguishedName::new().common_name("subject");
    let key_id = public_key.key_id();
    let items: Vec<_> = (0..=draw(4))
        .map(|_| {
            let serial = 1 + draw(serials);
            let number = SerialNumber::from(serial);
            let (name, end) = (name.as_name(), now().saturating_add(1000));
            let builder = CertificateBuilder::new(number, name, now(), end, name, &public_key)
                .extension(&SubjectKeyIdentifier(&key_id));
            (serial, builder)
        })
        .collect();
    let algorithm = key.signer().unwrap().algorithm();
    let intents: Vec<_> = items
        .iter()
        .map(|(serial, builder)| {
            let tbs = builder.tbs(algorithm).unwrap();
            Intent::new((*serial).into(), tbs, now(), now().saturating_add(1000))
        })
        .collect();
    failpoints.at(Point::AfterLint)?;
    store.reserve(None, &intents, at)?;
    failpoints.at(Point::BeforeSign)?;
    let mut certificates = Vec::new();
    for (serial, builder) in &items {
        let (key, serial) = (&key, *serial);
        let der = builder.sign(&Recorder { key, serial, diary }).unwrap();
        certificates.push(Certificate::new(der)?);
    }
    failpoints.at(Point::AfterSign)?;
    store.complete(None, &certificates, at)?;
    for (serial, _) in &items {
        diary.write(&format!("given {serial}"));
    }
    let serial = items[0].0;
    if draw(3) == 0 {
        let response = OcspRecord {
            serial: serial.into(),
            revision: 0,
            this_update: at,
            next_update: at,
            der: vec![5; 200],
        };
        failpoints.at(Point::AfterOcspSign)?;
        store.put_ocsp(&[response], at)?;
    }
    if draw(3) == 0 {
        store.revoke(serial.into(), &revocation(), at)?;
        diary.write(&format!("revoked {serial}"));
    }
    if draw(3) == 0 {
        let number = store.take_crl_number(at)?;
        diary.write(&format!("crl {number}"));
        failpoints.at(Point::AfterCrlSign)?;
        let list = CrlRecord {
            number,
            scope: CrlScope {
                // Lists of other processes may overtake this one.
                shard: Some(std::process::id()),
                delta: false,
            },
            base: None,
            this_update: now(),
            next_update: at,
            der: vec![3; 100],
        };
        store.put_crl(&list, at)?;
    }
    Ok(())
}

pub(crate) fn revocation() -> Revocation {
    Revocation {
        reason: RevocationReason::KeyCompromise,
        date: now(),
        invalidity_date: None,
    }
}

/// What must be in a store, as the diary has it.
#[derive(Default)]
pub(crate) struct Memory {
    /// The serial numbers that were signed, and the digests of what was.
    pub(crate) signed: HashMap<u64, String>,
    pub(crate) given: HashSet<u64>,
    pub(crate) revoked: HashSet<u64>,
    pub(crate) crl_numbers: HashSet<u64>,
}

impl Memory {
    /// Reads a diary; nothing may be in it twice.
    pub(crate) fn of(diary: &Diary) -> Self {
        let mut memory = Memory::default();
        for line in std::fs::read_to_string(&diary.path).unwrap().lines() {
            let mut words = line.split(' ');
            let (what, second) = (words.next().unwrap(), words.next().unwrap());
            if what == "failed" {
                continue;
            }
            let number: u64 = second.parse().unwrap();
            let is_new = match what {
                "signed" => {
                    let digest = words.next().unwrap().to_owned();
                    memory.signed.insert(number, digest).is_none()
                }
                "given" => memory.given.insert(number),
                "revoked" => memory.revoked.insert(number),
                "crl" => memory.crl_numbers.insert(number),
                _ => panic!("{line}"),
            };
            assert!(is_new, "twice: {line}");
        }
        memory
    }
}

/// After a restart: everything of the diary is there, what was signed can be revoked (what is
/// pending is, and one of the others; with `all`, everything), CRL numbers go on above those that
/// were taken, and the audit log goes through the heads of before and has what the tables have.
/// Gives its head now. Nobody may issue meanwhile.
pub(crate) fn check(place: &str, diary: &Diary, anchors: &[AuditHead], all: bool) -> AuditHead {
    let store = store::open(place).unwrap();
    // Comes after all transactions of processes that are gone.
    let number = store.take_crl_number(now()).unwrap();
    let memory = Memory::of(diary);
    assert!(memory.crl_numbers.iter().all(|&taken| taken < number));
    diary.write(&format!("crl {number}"));

    let mut logged: HashMap<AuditKind, HashSet<Option<Number>>> = HashMap::new();
    let verified = verify_chain(&*store, anchors, |row| {
        let subjects = logged.entry(row.event.kind).or_default();
        let is_new = subjects.insert(row.event.subject);
        // Responses have no number: each batch is another.
        let is_batch = row.event.kind == AuditKind::Ocsp;
        assert!(is_new || is_batch, "twice: {row:?}");
        Ok(None)
    });
    let head = verified.unwrap().unwrap();
    let rows = |kind| {
        logged
            .get(&kind)
            .map_or(0, |subjects| subjects.len() as u64)
    };
    let counts = store.counts().unwrap();
    assert_eq!(counts.intents, rows(AuditKind::Intent));
    assert_eq!(counts.certificates, rows(AuditKind::Certificate));
    assert_eq!(counts.revocations, rows(AuditKind::Revoke));
    assert_eq!(counts.crl_numbers, rows(AuditKind::CrlNumber));
    assert_eq!(counts.crls, rows(AuditKind::Crl));

    let mut spare = 1;
    for (&serial, digest) in &memory.signed {
        let entry = store.entry(serial.into()).unwrap();
        let entry = entry.unwrap_or_else(|| panic!("{serial} was signed, and is not known"));
        if memory.given.contains(&serial) {
            assert_eq!(entry.state, State::Issued, "{serial} was given away");
        }
        if memory.revoked.contains(&serial) {
            assert!(entry.revoked().is_some(), "{serial} was revoked");
        }
        if entry.revoked().is_some() {
            continue;
        }
        let intent = store.intent(serial.into()).unwrap().unwrap().intent;
        let prefix = Number::new(&intent.tbs_sha256[..20]).unwrap();
        assert_eq!(prefix.to_string(), *digest, "{serial} was signed otherwise");
        if all || entry.state != State::Issued || spare > 0 {
            spare -= i32::from(entry.state == State::Issued);
            store.revoke(serial.into(), &revocation(), now()).unwrap();
            diary.write(&format!("revoked {serial}"));
        }
    }
    if all {
        audit(&*store, anchors).unwrap().unwrap();
    }
    head
}
