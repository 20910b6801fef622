//! Batches that end early, and what is done about it; certificates written again.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Folder, words};
use crate::common::{adamant, failure, ignores, names, stdout};

/// A public key in PEM.
fn public_key(folder: &Folder) -> String {
    let key = stdout(adamant(&folder.0, &["genkey", "ed25519"]));
    folder.write("key.pem", std::str::from_utf8(&key).unwrap());
    let public = stdout(adamant(&folder.0, &["pkey", "key.pem", "--public"]));
    String::from_utf8(public).unwrap()
}

/// Lines of a batch, for h0.example and so on.
fn lines(folder: &Folder, number: usize) -> Vec<String> {
    let key = public_key(folder);
    let line = |i| json!({ "names": [format!("h{i}.example")], "public_key": key }).to_string();
    (0..number).map(line).collect()
}

/// The answers in a file: the names of their certificates have to be those of their lines.
fn answers(folder: &Folder, name: &str) -> Vec<Value> {
    let text = folder.read(name);
    let all: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    for answer in &all {
        let pem = answer["certificate"].as_str().unwrap();
        let block = adamant::der::pem::decode_first(pem, &["CERTIFICATE"]).unwrap();
        let certificate = adamant::x509::Certificate::from_der(block.der()).unwrap();
        let line = answer["line"].as_u64().unwrap();
        let subject = certificate.subject().unwrap().to_string();
        assert_eq!(subject, format!("CN=h{}.example", line - 1));
        assert_eq!(answer["serial"], certificate.serial().to_string());
    }
    all
}

fn count(folder: &Folder, what: &str) -> u64 {
    folder.json("show")[what].as_u64().unwrap()
}

/// A place that cannot be written is told before anything is signed.
#[test]
fn outputs_come_first() {
    let folder = Folder::with_root();
    let folder = &folder;
    let line = lines(folder, 1).pop().unwrap();
    folder.write("batch", &line);
    folder.key("issue --san a.example --key-out a.key -o a.pem");
    let key = "adamant genkey ed25519 -o c.key";
    stdout(adamant(&folder.0, &words(key)[1..]));
    let head = folder.pki("audit");
    let before = names(&folder.0, &[]);
    for line in [
        "issue --san b.example --key-out b.key -o none/b.pem",
        "issue --san b.example --key-out none/b.key -o b.pem",
        "issue --san b.example --public-key a.pem -o none/b.pem",
        "issue --san b.example --public-key a.pem -o none/b.pem --json",
        "issue --batch batch -o none/b.jsonl",
        "crl -o none/ca.crl",
        "crl --delta -o none/ca.crl --json",
        "crl --all -o a.pem",
        "ocsp batch -o none/response",
        "--store new.db init --name CN=New -o none/new.pem",
        "export -o none/all.pem",
    ] {
        let with = match line.starts_with("export") {
            true => line.to_owned(),
            false => format!("{line} --passphrase-file pass"),
        };
        let said = folder.refused(&with);
        assert!(
            said.contains("none/") || said.contains("a.pem"),
            "{line}: {said}"
        );
        assert_eq!(names(&folder.0, &[]), before, "{line}");
    }
    assert_eq!(folder.pki("audit"), head, "nothing was written down");
}

/// Places that turn out to be none only when the file gets its name, and two outputs of which one
/// would take the other's place: told before anything is signed.
#[cfg(unix)]
#[test]
fn places_that_are_none() {
    let folder = Folder::with_root();
    let folder = &folder;
    std::os::unix::fs::symlink("nowhere", folder.0.path().join("dangling")).unwrap();
    std::fs::create_dir(folder.0.path().join("there")).unwrap();
    folder.write("batch", &lines(folder, 1)[0]);
    let head = folder.pki("audit");
    let before = names(&folder.0, &[]);
    let long = "a".repeat(300);
    for options in [
        "--key-out dangling -o a.pem",
        "--key-out a.key -o dangling",
        "--key-out a.key -o dangling --force",
        "--key-out new/ -o a.pem",
        "--key-out a.key -o new/",
        "--key-out a.key -o new/.",
        "--key-out a.key -o ''",
        &format!("--key-out {long} -o a.pem"),
        &format!("--key-out a.key -o {long}"),
        "--key-out same -o same",
        "--key-out same -o there/../same --force",
        "--batch batch -o new/",
        "--batch batch -o dangling",
        "--batch batch -o issued --chain",
    ] {
        let san = match options.contains("--batch") {
            true => "",
            false => "--san a.example",
        };
        let output = folder.output(&format!("issue {san} {options} --passphrase-file pass"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{options}");
        assert!(said.starts_with("error: "), "{options}: {said}");
        assert_eq!(names(&folder.0, &[]), before, "{options}");
        assert_eq!(folder.pki("audit"), head, "{options}");
    }
}

/// Of a batch whose reader went away not all is issued, and that is no success.
#[test]
fn a_reader_that_goes_away() {
    let folder = Folder::with_root();
    folder.write("batch", &lines(&folder, 50).join("\n"));
    let line = "pki issue --batch batch --batch-size 1 --passphrase-file pass";
    let mut child = Command::new(env!("CARGO_BIN_EXE_adamant"))
        .args(words(line))
        .current_dir(folder.0.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let (_, said) = failure(child.wait_with_output().unwrap(), 1);
    assert!(said.starts_with("error: output: "), "{said}");
    assert!(count(&folder, "certificates") < 50);
    folder.key("issue --batch batch --resume -o issued");
    assert_eq!(answers(&folder, "issued").len(), 50);
}

/// What was issued is issued, whatever happened to the answers.
#[test]
fn a_second_run() {
    let folder = Folder::with_root();
    let folder = &folder;
    let all = lines(folder, 9);
    folder.write(
        "batch",
        &(all[..5].join("\n") + "\n{\"csr\": 5}\n" + &all[6..].join("\n")),
    );
    let said = folder.refused("issue --batch batch --batch-size 2 -o first --passphrase-file pass");
    assert!(
        said.contains("line 6, column 9: csr: invalid type"),
        "{said}"
    );
    assert_eq!(answers(folder, "first").len(), 4);
    // The same lines again: it is known.
    let again = folder.refused("issue --batch batch -o other --passphrase-file pass");
    assert!(
        again.contains("4 certificates of this batch") && again.contains("--resume"),
        "{again}"
    );
    // Another file is another batch, unless it has the name; then every line must be what it was.
    folder.write("batch", &all.join("\n"));
    folder.key("issue --batch batch --batch-name week --batch-size 4 -o second");
    assert_eq!(answers(folder, "second").len(), 9);
    assert_eq!(count(folder, "certificates"), 13);
    folder.write("changed", &format!("{}\n{}", all[1], all[0]));
    let changed =
        "issue --batch changed --batch-name week --resume -o other --passphrase-file pass";
    let said = folder.refused(changed);
    assert!(
        said.contains("line 1: item 1 of the batch week was issued for something else"),
        "{said}"
    );
    let other = "issue --batch batch --batch-name week --resume --days 9 -o other --force";
    folder.refused(&format!("{other} --passphrase-file pass"));
    // Those that follow are new; those before are answered again.
    let more = lines(folder, 12);
    let more = [&all[..], &more[9..]].concat().join("\n");
    folder.write("more", &more);
    let told = "issue --batch more --batch-name week --resume -o third --json";
    let output = folder.output(&format!("{told} --passphrase-file pass"));
    assert!(output.status.success());
    let told: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(
        told,
        json!({ "issued": 3, "issued_before": 9, "batch": "week" })
    );
    let (second, third) = (answers(folder, "second"), answers(folder, "third"));
    assert_eq!((&second[..], third.len()), (&third[..9], 12));
    assert_eq!(count(folder, "certificates"), 16);
    // A pipe can be read but once.
    #[cfg(unix)]
    {
        let shell = |options: &str| {
            let program = env!("CARGO_BIN_EXE_adamant");
            let script = format!(
                "cat batch | '{program}' pki issue --batch /dev/stdin {options} -o piped \
                 --passphrase-file pass"
            );
            let mut command = Command::new("sh");
            command.args(["-c", &script]).current_dir(folder.0.path());
            command.output().unwrap()
        };
        let (_, said) = failure(shell(""), 2);
        assert!(said.contains("--batch-name"), "{said}");
        assert!(shell("--batch-name piped").status.success());
        assert_eq!(answers(folder, "piped").len(), 9);
    }
    folder.pki("audit");
}

/// A run that is asked to end writes what it has issued, and ends by the signal.
#[cfg(unix)]
#[test]
fn asked_to_end() {
    use std::os::unix::process::ExitStatusExt;

    let folder = Folder::with_root();
    let folder = &folder;
    folder.write("batch", &lines(folder, 3000).join("\n"));
    let issue = "issue --batch batch --batch-size 2 -o issued --passphrase-file pass";
    let mut done = 0;
    for (name, number) in [("TERM", 15), ("INT", 2)] {
        if ignores(number) {
            continue;
        }
        let line = format!("pki {issue} --resume --force");
        let child = Command::new(env!("CARGO_BIN_EXE_adamant"))
            .args(words(&line))
            .current_dir(folder.0.path())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // It issues.
        let start = Instant::now();
        while count(folder, "certificates") < done + 10 {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "it does not issue"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        let id = child.id().to_string();
        let mut kill = Command::new("kill");
        assert!(
            kill.args([&format!("-{name}"), &id])
                .status()
                .unwrap()
                .success()
        );
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.signal(), Some(number as i32), "{said}");
        assert!(said.starts_with("asked to end: "), "{said}");
        let issued = answers(folder, "issued").len() as u64;
        assert_eq!(issued, count(folder, "certificates"));
        assert_eq!(
            issued,
            count(folder, "intents"),
            "nothing is left half done"
        );
        assert!(issued >= done + 10 && issued < 3000, "{issued}");
        done = issued;
        let left = names(&folder.0, &[]);
        assert!(
            !left.iter().any(|name| name.starts_with(".adamant")),
            "{left:?}"
        );
    }
    if done == 0 {
        return;
    }
    // Another run issues the rest.
    folder.write(
        "batch",
        &folder
            .read("batch")
            .lines()
            .take(done as usize + 3)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    let before = folder.json("list --limit 1");
    let name = before["batch"].as_str().unwrap();
    folder.key(&format!(
        "issue --batch batch --batch-name {name} --resume --force -o issued"
    ));
    assert_eq!(answers(folder, "issued").len() as u64, done + 3);
    assert_eq!(count(folder, "certificates"), done + 3);
    folder.pki("audit");
}

#[test]
fn export() {
    let folder = Folder::with_root();
    let folder = &folder;
    folder.write("batch", &lines(folder, 5).join("\n"));
    folder.key("issue --batch batch --batch-name five -o issued");
    folder.key("issue --subject CN=Ann --profile client --public-key key.pem -o ann.pem");
    folder.key("issue --san z.example --public-key key.pem -o z.pem");
    folder.pki("revoke --certificate z.pem");
    let pems = |line: &str| {
        let text = folder.pki(&format!("export {line}"));
        text.matches("-----BEGIN CERTIFICATE-----").count()
    };
    let objects = |line: &str| -> Vec<Value> {
        let text = folder.pki(&format!("export --format jsonl {line}"));
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    assert_eq!((pems(""), pems("--valid"), pems("--revoked")), (7, 6, 1));
    assert_eq!((pems("--profile client"), pems("--profile server")), (1, 6));
    assert_eq!((pems("--state pending"), pems("--state issued")), (0, 7));
    assert_eq!((pems("--subject h"), pems("--subject Ann")), (5, 1));
    assert_eq!(
        (pems("--since 2020-01-01"), pems("--until 2020-01-01")),
        (7, 0)
    );
    assert_eq!(
        (
            pems("--since 2100-01-01"),
            pems("--expires-before 2100-01-01")
        ),
        (0, 7)
    );
    assert_eq!(pems("--batch five"), 5);
    let ann = objects("--profile client");
    assert_eq!(ann[0]["certificate"], folder.read("ann.pem"));
    assert_eq!(
        (&ann[0]["subject"], &ann[0]["batch"]),
        (&json!("CN=Ann"), &Value::Null)
    );
    let revoked = objects("--revoked");
    assert_eq!(revoked[0]["revocation"]["reason"], "unspecified");
    // The answers of a batch are all in the store.
    let exported = objects("--batch five");
    let issued = answers(folder, "issued");
    for (exported, issued) in exported.iter().zip(&issued) {
        for field in ["line", "serial", "certificate"] {
            assert_eq!(exported[field], issued[field]);
        }
        assert_eq!(exported["batch"], "five");
    }
    assert_eq!(exported.len(), issued.len());
    assert!(
        folder
            .refused("export --batch six")
            .contains("no batch six")
    );
    failure(folder.output("export --batch five --revoked"), 2);
    folder.pki("export --valid -o valid.pem");
    failure(folder.output("export --valid -o valid.pem"), 2);
}

/// The program on a store that its first version made.
#[test]
fn of_an_earlier_version() {
    let folder = Folder::new();
    let made = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pki/tests/data/store-1/ca.db");
    std::fs::copy(made, folder.0.path().join("ca.db")).unwrap();
    folder.write("pass", "fixture\n");
    let anchor = "67:21b7576fc0452354664fec57efcc5b2e0bf67bc8cf4b4943d1ba0af5d599e82a";
    folder.pki(&format!("audit --anchor {anchor}"));
    assert_eq!(folder.pki("list --state pending").lines().count(), 4);
    let text = folder.pki("export --format jsonl");
    assert_eq!(text.lines().count(), 21);
    let bob = folder.json("list --profile mail");
    folder.pki(&format!("revoke {}", bob["serial"].as_str().unwrap()));
    folder.write("batch", &lines(&folder, 2).join("\n"));
    folder.key("issue --batch batch -o issued");
    folder.key("crl --all -o crls");
    folder.pki(&format!("audit --anchor {anchor}"));
}

/// A CA whose time is over signs lists only when it is told to.
#[test]
fn of_the_past() {
    use std::sync::Arc;

    use adamant::x509::{KeyAlgorithm, PrivateKey};
    use adamant_pki::ca::{Authority, KEY, LocalKey, RootRequest, Settings};
    use adamant_pki::store::SqliteCa;

    let folder = Folder::new();
    // Any CA's key will do: that of another, under its passphrase.
    folder
        .pki("--store other.db init --name CN=Other --kdf pbkdf2 --passphrase-file pass -o o.pem");
    let open = |name: &str| SqliteCa::open(&folder.0.path().join(name)).unwrap();
    let other: Box<dyn adamant_pki::store::CaStore> = Box::new(open("other.db"));
    let encrypted = other.document(KEY).unwrap().unwrap();
    let limits = adamant::x509::pbes2::Limits::default();
    let key = PrivateKey::from_encrypted_der(&encrypted, b"correct horse", &limits).unwrap();
    assert_eq!(key.algorithm(), KeyAlgorithm::P256);
    let key = Box::new(LocalKey::new(key).unwrap());
    let root = RootRequest {
        days: 10,
        ..RootRequest::new("CN=Past".parse().unwrap())
    };
    let documents = [(KEY, &encrypted[..])];
    let store = Arc::new(open("ca.db"));
    let then = || "2020-01-01".parse().unwrap();
    let settings = Settings::default();
    Authority::init_root_with(store, key, settings, &root, &documents, then).unwrap();
    for line in ["crl -o ca.crl", "crl --all -o crls", "ocsp --presign"] {
        let said = folder.refused(&format!("{line} --passphrase-file pass"));
        assert!(said.contains("holds from 2020-01-01"), "{said}");
    }
    assert!(!folder.0.path().join("ca.crl").exists());
    folder.key("crl --at-any-time -o ca.crl");
}
