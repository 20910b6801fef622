//! What a terminal would obey, in every name of a certificate, a request, a list, a response and
//! a peer: none of it leaves the program as it is, on whatever command's standard output or error.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use adamant::SystemRng;
use adamant::der::{Time, oid, pem};
use adamant::x509::crl::{CrlBuilder, Revocation};
use adamant::x509::csr::RequestBuilder;
use adamant::x509::extensions::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, GeneralName, KeyUsage,
    SubjectAltName, SubjectKeyIdentifier,
};
use adamant::x509::ocsp::{CertStatus, IssuerId, ResponderId, ResponseBuilder, SingleResponse};
use adamant::x509::{
    Certificate, CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey, SerialNumber,
    Untrusted,
};
use serde_json::json;
use tempfile::TempDir;

use crate::common::{adamant, stdout};

/// What a line would look like that the program never wrote.
const FAKE: &str = "valid: CN=fake";

/// In names: a screen cleared, an extra line, text from right to left, and other controls.
fn text(seed: u32) -> String {
    let mut pieces = [
        "\u{1b}[2J",
        "\u{1b}]0;title\u{7}",
        "\n",
        "\r",
        "\u{9b}31m",
        "\u{202e}",
        "\u{2066}",
        "\u{2028}",
        "\u{2029}",
        "\u{85}",
        "\u{7f}",
        "\u{8}",
        "\u{200b}",
        "\u{feff}",
        "\u{e0041}",
        "\\",
        "ü",
    ];
    let len = pieces.len();
    pieces.rotate_left(seed as usize % len);
    format!("a{}\n{FAKE}\n{}", pieces.concat(), pieces[0])
}

/// The same of ASCII, for the names that have no other characters.
fn ascii(seed: u32) -> String {
    text(seed).chars().filter(char::is_ascii).collect()
}

fn name(seed: u32) -> DistinguishedName {
    DistinguishedName::new()
        .organization(&text(seed))
        .with(oid!("1.2.840.113549.1.9.1"), &ascii(seed + 1))
        .common_name(&text(seed + 2))
}

fn names(seed: u32) -> [String; 3] {
    let text = ascii(seed);
    [
        text.clone(),
        format!("{text}@{text}"),
        format!("uri:{text}"),
    ]
}

struct Files {
    folder: TempDir,
    seed: u32,
}

impl Files {
    fn write(&self, name: &str, label: &str, der: &[u8]) {
        fs::write(self.folder.path().join(name), pem::encode(label, der)).unwrap();
        fs::write(self.folder.path().join(format!("{name}.der")), der).unwrap();
    }

    /// A root, a server's certificate under it, a request, a list and a response, all with hostile
    /// names; and the root that another has.
    fn new(seed: u32) -> Self {
        let files = Files {
            folder: tempfile::tempdir().unwrap(),
            seed,
        };
        let from: Time = "2026-01-01".parse().unwrap();
        let until: Time = "2049-01-01".parse().unwrap();
        let generate = || PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng).unwrap();
        let (root_key, key) = (generate(), generate());
        let (root_public, public) = (root_key.public_key(), key.public_key());
        let (root_name, subject) = (name(seed), name(seed + 5));
        let (root_name, subject) = (root_name.as_name(), subject.as_name());
        let id = root_public.key_id();
        let serial = SerialNumber::from(0x5a5a_5a5a);
        let root = CertificateBuilder::new(serial, root_name, from, until, root_name, &root_public)
            .extension(&BasicConstraints::ca(None))
            .extension(&(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN))
            .extension(&SubjectKeyIdentifier(&id))
            .sign(root_key.signer().unwrap())
            .unwrap();
        files.write("root", "CERTIFICATE", &root);
        let [dns, email, uri] = names(seed);
        let alternative = [
            GeneralName::Dns("localhost"),
            GeneralName::Dns(&dns),
            GeneralName::Email(&email),
            GeneralName::Uri(&uri),
            GeneralName::Directory(root_name),
        ];
        let leaf = |alternative: &SubjectAltName<'_>| {
            let server = oid!("1.3.6.1.5.5.7.3.1");
            let client = oid!("1.3.6.1.5.5.7.3.2");
            CertificateBuilder::new(serial, root_name, from, until, subject, &public)
                .extension(&KeyUsage::DIGITAL_SIGNATURE)
                .extension(&ExtendedKeyUsage((&[server, client]).into()))
                .extension(&AuthorityKeyIdentifier::new(&id))
                .extension(alternative)
                .sign(root_key.signer().unwrap())
                .unwrap()
        };
        let www = leaf(&SubjectAltName((&alternative).into()));
        files.write("www", "CERTIFICATE", &www);
        let local = [GeneralName::Dns("localhost")];
        // What rustls reads: the subject is as hostile.
        files.write(
            "peer",
            "CERTIFICATE",
            &leaf(&SubjectAltName((&local).into())),
        );
        let pkcs8 = key.to_der();
        files.write("key", "PRIVATE KEY", &pkcs8);
        let request = RequestBuilder::new(subject)
            .extension(&SubjectAltName((&alternative).into()))
            .sign(key.signer().unwrap())
            .unwrap();
        files.write("request", "CERTIFICATE REQUEST", &request);
        let list = CrlBuilder::new(root_name, from, until)
            .number(SerialNumber::from(1))
            .authority_key_id(&id)
            .sign([Revocation::new(serial, from)], root_key.signer().unwrap())
            .unwrap();
        files.write("list", "X509 CRL", &list);
        let issuer = Certificate::from_der(&root).unwrap();
        let issuer = IssuerId::new(&issuer).unwrap();
        let good = CertStatus::Good;
        let answer = SingleResponse::new(issuer.cert_id(serial), good, from, Some(until));
        let response = ResponseBuilder::new(ResponderId::Name(root_name), from)
            .sign(&[answer], root_key.signer().unwrap())
            .unwrap();
        files.write("response", "OCSP RESPONSE", &response);
        fs::write(files.folder.path().join("pass"), "correct horse\n").unwrap();
        files
    }

    /// Runs a command and looks at all that it says; whether it succeeded.
    fn run(&self, args: &[&str]) -> bool {
        let output = adamant(&self.folder, args);
        self.look(args, &output);
        output.status.success()
    }

    fn look(&self, args: &[&str], output: &Output) {
        for (stream, bytes) in [("output", &output.stdout), ("error", &output.stderr)] {
            let said = str::from_utf8(bytes);
            let said = said.unwrap_or_else(|e| panic!("{} {args:?}: {e}", self.seed));
            let hidden = said.chars().find(|c| *c != '\n' && !Untrusted::shows(*c));
            let seed = self.seed;
            assert_eq!(hidden, None, "{seed} {args:?}: standard {stream}: {said:?}");
            let fake = said
                .lines()
                .find(|line| line.trim_start().starts_with(FAKE));
            assert_eq!(fake, None, "{seed} {args:?}: standard {stream}: {said:?}");
        }
        // Not for want of anything to say.
        assert!(output.stdout.len() + output.stderr.len() > 0, "{args:?}");
    }
}

#[test]
fn names_of_others() {
    for seed in [0, 7] {
        let files = Files::new(seed);
        for file in ["root", "www", "request", "list", "response"] {
            for form in ["", ".der"] {
                let file = format!("{file}{form}");
                assert!(files.run(&["pki", "show", &file]), "{file}");
                assert!(files.run(&["pki", "show", &file, "--json"]), "{file}");
                files.run(&["pki", "lint", &file]);
                files.run(&["pki", "lint", &file, "--json"]);
            }
            assert!(files.run(&["pki", "show", file, "--pem"]), "{file}");
        }
        assert!(files.run(&["pkey", "www"]) && files.run(&["pkey", "www", "--json"]));
        // Valid and not, for several reasons that name names.
        let verify = |more: &[&str]| files.run(&[&["pki", "verify", "www"], more].concat());
        let path = ["--ca", "root", "--rules", "path"];
        let with = |more: &[&'static str]| verify(&[&path[..], more].concat());
        assert!(with(&[]) && with(&["--json"]) && with(&["--host", "localhost"]));
        assert!(!with(&["--crl", "list"]) && with(&["--ocsp", "response.der"]));
        assert!(!with(&["--purpose", "codeSigning"]) && !with(&["--at", "2020-01-01"]));
        for reason in [
            &["--ca", "www"][..],
            &["--ca", "www", "--json"],
            &["--ca", "root", "--host", "\u{1b}[2J\nvalid: CN=fake"],
            &["--ca", "root", "--email", "\u{1b}[2J\nvalid: CN=fake@a"],
            &["--ca", "root", "--untrusted", "request"],
        ] {
            assert!(!verify(reason), "{reason:?}");
        }
    }
}

#[test]
fn names_that_a_ca_is_asked_for() {
    let files = Files::new(3);
    let folder = &files.folder;
    let pass = ["--passphrase-file", "pass"];
    let pki = |args: &[&str]| files.run(&[&["pki"], args, &pass].concat());
    let init = [
        "pki", "init", "--name", "CN=Root", "-o", "ca.pem", "--kdf", "pbkdf2",
    ];
    stdout(adamant(folder, &[&init[..], &pass].concat()));
    assert!(!pki(&["sign-csr", "request"]));
    assert!(!pki(&["sign-csr", "request", "--json"]));
    assert!(!pki(&["sign-csr", "www"]));
    for subject in ["CN=a\\1b[2J\\0avalid: CN=fake", "C=\\e2\\80\\ae,CN=b"] {
        let args = [
            "--san",
            "b.example",
            "--subject",
            subject,
            "--public-key",
            "www",
        ];
        assert!(!pki(&[&["issue"], &args[..]].concat()), "{subject}");
    }
    let request = fs::read_to_string(folder.path().join("request")).unwrap();
    let hostile = json!({ "csr": request });
    let named = json!({ "csr": request, "names": ["a\u{1b}[2J\nvalid: CN=fake"] });
    let unknown = json!({ "csr": request, "a\u{1b}[2J\nvalid: CN=fake": 1 });
    for line in [hostile, named, unknown] {
        fs::write(folder.path().join("batch"), format!("{line}\n")).unwrap();
        assert!(!pki(&["issue", "--batch", "batch"]));
    }
    // A name that passes, as text of another direction does, is in the database and the log.
    let subject = "CN=a\u{202e}b.example,O=\u{202e}\u{2066}c";
    let args = [
        "issue",
        "--profile",
        "client",
        "--subject",
        subject,
        "--public-key",
        "www",
    ];
    assert!(pki(&args));
    let key = stdout(adamant(folder, &["genkey", "ed25519"]));
    fs::write(folder.path().join("key"), &key).unwrap();
    let key = stdout(adamant(folder, &["pkey", "key", "--public"]));
    let key = str::from_utf8(&key).unwrap();
    let line = json!({ "subject": "CN=b", "profile": "client", "public_key": key });
    fs::write(folder.path().join("batch"), format!("{line}\n")).unwrap();
    let batch = [
        "issue",
        "--batch",
        "batch",
        "--batch-name",
        "a\u{9b}31m\u{202e}\u{1b}[2J",
    ];
    assert!(pki(&batch) && !pki(&batch));
    for args in [
        &["list"][..],
        &["list", "--json"],
        &["export", "--format", "jsonl"],
        &["audit", "--log"],
        &["audit", "--log", "--json"],
        &["show"],
        &["show", "--json"],
    ] {
        assert!(files.run(&[&["pki"], args].concat()), "{args:?}");
    }
    assert!(!files.run(&[
        "pki",
        "configure",
        "--crl-url",
        "http://a\u{202e}b\u{1b}[2J"
    ]));
    let entry = stdout(adamant(
        folder,
        &["pki", "list", "--json", "--subject", "example"],
    ));
    let entry: serde_json::Value = serde_json::from_slice(&entry).unwrap();
    let serial = entry["serial"].as_str().unwrap();
    assert!(files.run(&["pki", "show", serial]) && files.run(&["pki", "show", serial, "--json"]));
}

/// Both sides of a connection show the other's certificate, and the client what was answered.
#[test]
fn peers() {
    let files = Files::new(11);
    let folder: &Path = files.folder.path();
    for json in [&[][..], &["--json"]] {
        let serve = [
            "tls",
            "serve",
            "--listen",
            "localhost:0",
            "--cert",
            "peer",
            "--key",
            "key",
        ];
        let more = [
            "--client-ca",
            "root",
            "--alpn",
            "a\u{1b}[2J",
            "--echo",
            "--count",
            "1",
        ];
        let args = [&serve[..], &more, json].concat();
        let mut server = Command::new(env!("CARGO_BIN_EXE_adamant"));
        server.current_dir(folder).args(&args);
        let server = server.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut server = server.unwrap();
        let mut line = String::new();
        let mut errors = BufReader::new(server.stderr.take().unwrap());
        errors.read_line(&mut line).unwrap();
        let address = format!("localhost:{}", line.trim().rsplit(':').next().unwrap());
        let connect = [
            "tls",
            "connect",
            &address,
            "--ca",
            "root",
            "--alpn",
            "a\u{1b}[2J",
        ];
        let send = [
            "--send",
            "\u{1b}[2J\u{9b}\u{202e}\r",
            "--cert",
            "peer",
            "--key",
            "key",
        ];
        let connected = files.run(&[&connect[..], &send, json].concat());
        let mut output = server.wait_with_output().unwrap();
        errors.read_to_end(&mut output.stderr).unwrap();
        assert!(connected, "{}", String::from_utf8_lossy(&output.stderr));
        files.look(&args, &output);
    }
}
