//! The process ends at every failpoint; afterwards every signature is revocable.
//!
//! The key is one that writes down what it signs before it signs it, in a file of its own.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use adamant::x509::extensions::RevocationReason;
use adamant::x509::{KeyAlgorithm, PrivateKey, PublicKey, SignatureAlgorithm};
use adamant_pki::ca::audit::audit;
use adamant_pki::ca::{Authority, CaSigner, LocalKey, RootRequest, Settings, system_clock};
use adamant_pki::store::{CrlScope, Failpoints, Filter, Point, SqliteCa, State};

use super::{generate, name, request};

/// The child's folder, what it does, and where it ends.
const FOLDER: &str = "ADAMANT_TEST_FOLDER";
const POINT: &str = "ADAMANT_TEST_POINT";

/// A key that keeps a record of all that it signs.
struct Recorder {
    key: LocalKey,
    file: Mutex<File>,
}

impl Recorder {
    fn open(folder: &Path) -> Self {
        let der = std::fs::read(folder.join("key")).unwrap();
        let key = PrivateKey::from_der(&der).unwrap();
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(folder.join("signed"));
        Self {
            key: LocalKey::new(key).unwrap(),
            file: Mutex::new(file.unwrap()),
        }
    }

    /// All that was ever signed.
    fn record(folder: &Path) -> Vec<Vec<u8>> {
        let mut octets = Vec::new();
        let file = File::open(folder.join("signed"));
        file.map(|mut file| file.read_to_end(&mut octets)).ok();
        let mut rest = &octets[..];
        let mut all = Vec::new();
        while let Some((len, more)) = rest.split_first_chunk() {
            let (message, more) = more.split_at(u32::from_be_bytes(*len) as usize);
            all.push(message.to_vec());
            rest = more;
        }
        all
    }
}

impl CaSigner for Recorder {
    fn algorithm(&self) -> SignatureAlgorithm {
        self.key.algorithm()
    }

    fn public_key(&self) -> PublicKey {
        self.key.public_key()
    }

    fn sign_batch(&self, messages: &[&[u8]]) -> adamant_pki::Result<Vec<Vec<u8>>> {
        let mut record = Vec::new();
        for message in messages {
            record.extend_from_slice(&(message.len() as u32).to_be_bytes());
            record.extend_from_slice(message);
        }
        // One append for all: processes do not mix.
        let mut file = self.file.lock().unwrap();
        file.write_all(&record).unwrap();
        self.key.sign_batch(messages)
    }
}

fn prepare(folder: &Path) {
    let key = generate(KeyAlgorithm::P256);
    std::fs::write(folder.join("key"), &key.to_der()[..]).unwrap();
    let store = Arc::new(SqliteCa::open(&folder.join("ca.db")).unwrap());
    let key = Box::new(LocalKey::new(key).unwrap());
    let root = RootRequest::new(name("CN=Root"));
    Authority::init_root(store, key, Settings::default(), &root, system_clock).unwrap();
}

fn open(folder: &Path, failpoints: &Failpoints) -> Authority {
    let store = SqliteCa::open(&folder.join("ca.db")).unwrap();
    let store = Arc::new(store.with_failpoints(failpoints.clone()));
    let key = Box::new(Recorder::open(folder));
    let ca = Authority::open(store, key, system_clock).unwrap();
    ca.with_failpoints(failpoints.clone())
}

const FULL: CrlScope = CrlScope {
    shard: None,
    delta: false,
};

/// The work of a child: it ends in the middle of it, if a point is named.
fn work(folder: &Path, failpoints: &Failpoints) -> Result<(), adamant_pki::ca::Error> {
    let mut ca = open(folder, failpoints);
    ca.claim(&format!("process {}", std::process::id()))?;
    for _ in 0..3 {
        let requests: Vec<_> = (0..4).map(|i| request(&format!("h{i}.example"))).collect();
        ca.issue_batch(&requests)?;
        ca.issue_all(requests.into_iter().map(Ok), 2, |_, _| Ok(()))?;
    }
    ca.make_crl(FULL)?;
    ca.presign_all()?;
    ca.release()
}

/// Run by other tests in a process of its own.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let point = std::env::var(POINT).ok();
    let point: Option<Point> = point.map(|name| name.parse().unwrap());
    let times = Mutex::new(0);
    let failpoints = Failpoints::new(move |here| {
        if Some(here) == point {
            let mut times = times.lock().unwrap();
            *times += 1;
            // Not the first time, where there is a second one.
            let rare = [
                Point::AfterCrlNumber,
                Point::AfterCrlSign,
                Point::AfterOcspSign,
            ];
            if *times == 3 || rare.contains(&here) {
                std::process::abort();
            }
        }
        Ok(())
    });
    work(Path::new(&folder), &failpoints).unwrap();
}

fn spawn(folder: &Path, point: Option<Point>) -> std::process::Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "ca::crash::child"])
        .env(FOLDER, folder);
    if let Some(point) = point {
        command.env(POINT, point.name());
    }
    let quiet = std::process::Stdio::null;
    command.stdout(quiet()).stderr(quiet()).spawn().unwrap()
}

/// Whatever happened before, nothing is lost.
fn check(folder: &Path, last_crl: &mut u64) {
    let ca = open(folder, &Failpoints::default());
    let store = ca.store();
    let head = audit(&**store, &[]).unwrap();
    head.expect("the audit log is in order");
    let mut serials = Vec::new();
    for tbs in Recorder::record(folder) {
        // Lists and responses are signed too.
        let der = adamant::x509::assemble(&tbs, ca.algorithm().unwrap(), &[0]);
        let Ok(certificate) = adamant::x509::Certificate::from_der(&der) else {
            continue;
        };
        let number = adamant_pki::store::Number::try_from(certificate.serial()).unwrap();
        let intent = store
            .intent(number)
            .unwrap()
            .expect("no signature without an intent");
        assert_eq!(intent.intent.tbs, tbs);
        serials.push(number);
    }
    let signed = serials.len();
    serials.sort();
    serials.dedup();
    assert_eq!(serials.len(), signed, "no serial number is signed twice");
    let pending = Filter {
        state: Some(State::Pending),
        revoked: Some(false),
        ..Filter::default()
    };
    for entry in store.list(&pending).unwrap() {
        ca.revoke(entry.serial, RevocationReason::Superseded, None)
            .unwrap();
    }
    for number in serials {
        if store.entry(number).unwrap().unwrap().revoked().is_none() {
            ca.revoke(number, RevocationReason::Superseded, None)
                .unwrap();
        }
    }
    let crl = ca.make_crl(FULL).unwrap();
    assert!(crl.number > *last_crl, "{} after {last_crl}", crl.number);
    *last_crl = crl.number;
}

#[test]
fn at_every_failpoint() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let mut last_crl = 0;
    for point in Point::ALL {
        let status = spawn(folder.path(), Some(*point)).wait().unwrap();
        assert!(!status.success(), "{point} was not reached");
        check(folder.path(), &mut last_crl);
    }
    let status = spawn(folder.path(), None).wait().unwrap();
    assert!(status.success(), "and it works again");
    check(folder.path(), &mut last_crl);
}

#[test]
fn at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let mut last_crl = 0;
    for round in 0..6u64 {
        let mut children: Vec<_> = (0..2).map(|_| spawn(folder.path(), None)).collect();
        std::thread::sleep(std::time::Duration::from_millis(10 + 17 * round));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        check(folder.path(), &mut last_crl);
    }
}

/// Several processes share one CA.
#[test]
fn processes_at_once() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let mut children: Vec<_> = (0..3).map(|_| spawn(folder.path(), None)).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let ca = open(folder.path(), &Failpoints::default());
    let counts = ca.store().counts().unwrap();
    assert_eq!((counts.intents, counts.certificates), (3 * 24, 3 * 24));
    assert_eq!(counts.crls, 3);
    check(folder.path(), &mut 0);
}
