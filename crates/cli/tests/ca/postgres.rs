//! The same in PostgreSQL, on a server that ends with the test.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, ChildStdin, Command, Stdio};

use tempfile::TempDir;

use super::{Folder, answers, words};
use crate::common::{adamant, stdout};

/// The server of the store's own tests.
const SCRIPT: &str = include_str!("../../../pki/tests/conformance/postgres.sh");

struct Server {
    script: Child,
    commands: Option<ChildStdin>,
    url: String,
    _folder: TempDir,
}

impl Server {
    /// None where Debian's package is not installed.
    fn start() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port().to_string();
        drop(free);
        let mut script = Command::new("sh")
            .args(["-c", SCRIPT, "postgres.sh"])
            .arg(folder.path())
            .args([&port, "fsync=off"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut answers = BufReader::new(script.stdout.take().unwrap());
        answers.read_line(&mut said).unwrap();
        let server = Server {
            commands: script.stdin.take(),
            script,
            url: format!("postgres://ca@127.0.0.1:{port}/postgres"),
            _folder: folder,
        };
        if said.trim() == "ready" {
            return Some(server);
        }
        adamant_testkit::skipped(
            "the store in PostgreSQL",
            "none in /usr/lib/postgresql (Debian's package postgresql)",
            "ADAMANT_REQUIRE_POSTGRES",
        );
        None
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The end of its input ends the script, and the script the server.
        drop(self.commands.take());
        let _ = self.script.wait();
    }
}

/// Why a database cannot be reached is told to the end.
#[test]
fn nobody_there() {
    let folder = Folder::new();
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let cause = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap_err();
    let said = folder.refused(&format!("--store postgres://ca@127.0.0.1:{port}/ca list"));
    assert!(said.contains(&cause.to_string()), "{said}");
}

#[test]
fn a_whole_life() {
    let Some(server) = Server::start() else {
        return;
    };
    let folder = Folder::new();
    let at = |line: &str| format!("--store {} {line}", server.url);
    let none = folder.refused(&at("list"));
    assert!(none.contains("init makes"), "{none}");
    let root = "init --name 'CN=Root,O=Adamant' -o root.pem --kdf pbkdf2";
    folder.key(&at(root));
    let twice = folder.refused(&at("init --name CN=Other --passphrase-file pass"));
    assert!(twice.contains("has a CA already"), "{twice}");
    for name in ["a", "b"] {
        folder.key(&at(&format!(
            "issue --san {name}.example --key-out {name}.key -o {name}.pem"
        )));
    }
    folder.pki(&at("verify a.pem --host a.example"));
    folder.pki(&at("revoke --certificate a.pem --reason keyCompromise"));
    folder.key(&at("crl -o full.crl"));
    assert!(
        folder
            .refused(&at("verify a.pem"))
            .contains("keyCompromise")
    );
    folder.pki("verify b.pem --ca root.pem --crl full.crl");
    assert_eq!(
        folder.json(&at("list --revoked"))["subject"],
        "CN=a.example"
    );
    assert_eq!(folder.json(&at("show"))["certificates"], 2);
    assert_eq!(folder.key(&at("ocsp --presign")), "2 responses\n");
    folder.key(&at(
        "issue --profile ocsp --subject CN=Responder --key-out ocsp.key -o ocsp.pem",
    ));
    let responder = "--responder ocsp.pem --responder-key ocsp.key";
    assert_eq!(
        folder.pki(&at(&format!("ocsp --presign {responder}"))),
        "3 responses\n"
    );

    let mut child = Command::new(env!("CARGO_BIN_EXE_adamant"))
        .arg("pki")
        .args(words(&at(&format!(
            "serve --listen 127.0.0.1:0 --json {responder}"
        ))))
        .current_dir(folder.0.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = told.next().unwrap().unwrap();
    let first: serde_json::Value = serde_json::from_str(&first).unwrap();
    answers(first["address"].as_str().unwrap());
    child.kill().unwrap();
    child.wait().unwrap();
    let public = adamant(&folder.0, &["pkey", "a.key", "--public"]);
    let public = serde_json::Value::from(String::from_utf8(stdout(public)).unwrap());
    let line = |i| format!("{{\"names\": [\"h{i}.example\"], \"public_key\": {public}}}");
    let lines: Vec<_> = (0..7).map(line).collect();
    folder.write("batch", &(lines[..5].join("\n") + "\n{}"));
    let issue =
        "issue --batch batch --batch-name b --batch-size 2 --passphrase-file pass -o issued";
    folder.refused(&at(issue));
    folder.write("batch", &lines.join("\n"));
    folder.pki(&at(&format!("{issue} --resume --force")));
    let exported = folder.pki(&at("export --batch b --format jsonl"));
    assert_eq!(exported.lines().count(), 7);
    assert_eq!(folder.read("issued").lines().count(), 7);
    let head = folder.pki(&at("audit"));
    folder.pki(&at(&format!("audit --anchor {}", head.trim())));
}
