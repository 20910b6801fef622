//! The program's certification authority, run as a person runs it, and what OpenSSL says of it.

mod batch;
mod lenient;
mod postgres;

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{adamant, failure, names, run, stdout};

/// A folder with a passphrase in a file.
struct Folder(TempDir);

/// The words of a line; those within apostrophes stay together.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(i, part)| match i % 2 {
        1 => vec![part],
        _ => part.split_whitespace().collect(),
    });
    words.collect()
}

impl Folder {
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("pass", "correct horse\n");
        folder
    }

    /// With a root in ca.db, and its certificate in root.pem.
    fn with_root() -> Self {
        let folder = Self::new();
        folder
            .pki("init --name 'CN=Root,O=Adamant' -o root.pem --passphrase-file pass --kdf pbkdf2");
        folder
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    fn output(&self, line: &str) -> Output {
        let mut all = vec!["pki"];
        all.extend(words(line));
        adamant(&self.0, &all)
    }

    /// A run that must succeed: standard output.
    fn pki(&self, line: &str) -> String {
        String::from_utf8(stdout(self.output(line))).unwrap()
    }

    /// The same with the passphrase.
    fn key(&self, line: &str) -> String {
        self.pki(&format!("{line} --passphrase-file pass"))
    }

    /// A run that must not succeed: standard error.
    fn refused(&self, line: &str) -> String {
        failure(self.output(line), 1).1
    }

    fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.pki(&format!("{line} --json"))).unwrap()
    }

    /// OpenSSL, where there is one: its output.
    fn openssl(&self, line: &str) -> Option<String> {
        if Command::new("openssl").arg("version").output().is_err() {
            adamant_testkit::skipped(
                "what openssl says of it",
                "there is no such program",
                "ADAMANT_REQUIRE_OPENSSL",
            );
            return None;
        }
        let output = run(Command::new("openssl").args(words(line)), &self.0, b"");
        let text = [&output.stdout[..], &output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        assert!(output.status.success(), "openssl {line}: {text}");
        Some(text)
    }
}

#[test]
fn a_first_certificate() {
    let folder = Folder::with_root();
    folder.key("issue --san www.example.org --san 192.0.2.1 --key-out www.key -o www.pem");
    let said = folder.pki("verify www.pem --host www.example.org --purpose serverAuth");
    assert!(
        said.starts_with("valid: CN=www.example.org < CN=Root,O=Adamant\n"),
        "{said}"
    );
    folder.pki("verify www.pem --host 192.0.2.1 --rules webpki");
    folder.refused("verify www.pem --host other.example.org");
    folder.refused("verify www.pem --purpose clientAuth");
    folder.refused("verify www.pem --at 2020-01-01");
    if let Some(said) = folder.openssl("verify -x509_strict -CAfile root.pem www.pem") {
        assert_eq!(said, "www.pem: OK\n");
        folder.openssl("pkey -in www.key -check -noout");
        folder.openssl("verify -CAfile root.pem -verify_hostname www.example.org www.pem");
    }
    #[cfg(unix)]
    for secret in ["ca.db", "www.key"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = folder
            .0
            .path()
            .join(secret)
            .metadata()
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{secret}");
    }
    let listed = folder.pki("list");
    assert!(
        listed.contains("issued") && listed.contains("CN=www.example.org"),
        "{listed}"
    );
    let entry: Value = serde_json::from_str(&folder.pki("list --json")).unwrap();
    let serial = entry["serial"].as_str().unwrap();
    let shown = folder.pki(&format!("show {serial}"));
    assert!(shown.contains("name        IP:192.0.2.1"), "{shown}");
    assert_eq!(
        folder.pki(&format!("show {serial} --pem")),
        folder.read("www.pem")
    );
    assert_eq!(folder.pki("show --pem"), folder.read("root.pem"));
    assert_eq!(folder.json("show")["certificates"], 1);
}

#[test]
fn what_goes_wrong() {
    let folder = Folder::new();
    let none = folder.refused("list");
    assert!(none.contains("adamant pki init makes a CA"), "{none}");
    assert!(names(&folder.0, &["pass"]).is_empty(), "no file was made");
    let folder = Folder::with_root();
    let twice = folder.refused("init --name CN=Other --passphrase-file pass");
    assert!(twice.contains("has a CA already"), "{twice}");
    folder.write("wrong", "horse");
    let wrong = folder.refused("issue --san a.example --key-out k -o c --passphrase-file wrong");
    assert_eq!(wrong, "error: the passphrase is wrong\n");
    let line = "issue --san 'a b' --days 500 --key-out k -o c --passphrase-file pass";
    let refused = folder.refused(line);
    assert!(refused.contains("nothing was signed"), "{refused}");
    assert!(
        refused.contains("RFC 5280, 4.2.1.6") && refused.contains("398 days"),
        "{refused}"
    );
    let (json, errors) = failure(folder.output(&format!("{line} --json")), 1);
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["findings"].as_array().unwrap().len(), 2);
    assert_eq!(errors, "");
    let left = names(&folder.0, &["pass", "wrong", "root.pem"]);
    assert!(
        left.iter().all(|name| name.starts_with("ca.db")),
        "{left:?}"
    );
    let profile =
        folder.refused("issue --san a.b --profile mail --key-out k --passphrase-file pass");
    assert!(profile.contains("there is server"), "{profile}");
    folder.refused("revoke 0123");
    failure(folder.output("revoke xyz"), 2);
    failure(folder.output("revoke 01 --reason because"), 2);
    let (_, keyless) = failure(folder.output("issue --san a.example"), 2);
    assert!(keyless.contains("--key-out makes a new one"), "{keyless}");
}

/// Names beyond ASCII, and files of another kind: what to do instead is said.
#[test]
fn what_to_do_instead() {
    let folder = Folder::with_root();
    for (line, instead) in [
        (
            "issue --san bücher.example --key-out k -o c --passphrase-file pass",
            "xn--bcher-kva.example",
        ),
        (
            "issue --san ann@BÜCHER.example --key-out k -o c --passphrase-file pass",
            "ann@xn--bcher-kva.example",
        ),
        (
            "verify root.pem --host bücher.example",
            "xn--bcher-kva.example",
        ),
        (
            "sign-csr root.pem --passphrase-file pass",
            "adamant pki issue --public-key",
        ),
    ] {
        let (_, errors) = failure(folder.output(line), 2);
        assert!(errors.contains(instead), "{line}: {errors}");
    }
    let none = folder.refused("show missing.pem");
    assert!(none.contains("no such file"), "{none}");
}

/// A file that was there before its CA, for all to read, becomes readable only by its owner.
#[cfg(unix)]
#[test]
fn a_lax_file_is_narrowed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let mode = |name: &str| folder.0.path().join(name).metadata().unwrap().permissions();
    folder.write("ca.db", "");
    let lax = PermissionsExt::from_mode(0o666);
    std::fs::set_permissions(folder.0.path().join("ca.db"), lax).unwrap();
    folder.pki("init --name CN=Root -o root.pem --passphrase-file pass --kdf pbkdf2");
    for name in names(&folder.0, &["pass", "root.pem"]) {
        assert_eq!(mode(&name).mode() & 0o777, 0o600, "{name}");
    }
}

/// `show` and `lint` take any file, in PEM and DER; a private key is not shown.
#[test]
fn any_file() {
    let folder = Folder::with_root();
    folder.key("issue --san www.example.org --key-out www.key -o www.pem");
    folder.key("crl -o ca.crl");
    folder.key("crl --format pem -o crl.pem");
    folder.pki("--store sub.db init --name CN=Sub --subordinate -o sub.csr --passphrase-file pass");
    let www = std::fs::read(folder.0.path().join("www.pem")).unwrap();
    let www = adamant::der::pem::decode_first(&www, &["CERTIFICATE"]).unwrap();
    std::fs::write(folder.0.path().join("www.der"), www.der()).unwrap();
    let key = folder.read("www.key");
    for (file, kind, says) in [
        ("www.pem", "certificate", "subject     CN=www.example.org"),
        ("www.der", "certificate", "name        DNS:www.example.org"),
        ("root.pem", "certificate", "CA          yes"),
        ("sub.csr", "request", "signed      by this key"),
        ("ca.crl", "list of revoked certificates", "entries     0"),
        (
            "crl.pem",
            "list of revoked certificates",
            "issuer      CN=Root,O=Adamant",
        ),
        ("www.key", "key", "P-256 private key"),
    ] {
        let shown = folder.pki(&format!("show {file}"));
        assert!(shown.contains(says), "{file}: {shown}");
        folder.json(&format!("show {file}"));
        let lines = key.lines().filter(|line| !line.starts_with('-'));
        assert!(lines.clone().all(|line| !shown.contains(line)), "{shown}");
        let linted = folder.pki(&format!("lint {file}"));
        assert_eq!(linted, format!("{file}: {kind}: nothing is wrong\n"));
    }
    // Of the private key no octet is there: its number begins after `0420`.
    let der = adamant::der::pem::decode_first(&key, &["PRIVATE KEY"]).unwrap();
    let hex: String = der.der().iter().map(|b| format!("{b:02x}")).collect();
    let (_, number) = hex.split_once("0420").unwrap();
    for line in ["show www.key", "show www.key --json"] {
        assert!(!folder.pki(line).contains(&number[..64]), "{line}");
    }
    // Each key of a file is looked at, also after a certificate.
    let ed25519 = String::from_utf8(stdout(adamant(&folder.0, &["genkey", "ed25519"]))).unwrap();
    folder.write("bundle", &(folder.read("root.pem") + &ed25519 + &key));
    let shown = folder.pki("show bundle");
    let keys: Vec<_> = shown
        .lines()
        .filter(|line| line.contains("private key"))
        .collect();
    assert!(
        matches!(keys[..], [a, b] if a.contains("Ed25519") && b.contains("P-256")),
        "{shown}"
    );
    // What is wrong is told, with the exit code.
    let shifted = folder.read("www.pem").replacen("M", "N", 1);
    folder.write("broken.pem", &shifted);
    let (said, errors) = failure(folder.output("lint www.pem broken.pem"), 1);
    let said = String::from_utf8(said).unwrap();
    assert!(
        said.contains("broken.pem: certificate: it cannot be read"),
        "{said}{errors}"
    );
}

#[test]
fn revocation() {
    let folder = Folder::with_root();
    let folder = &folder;
    for name in ["a", "b"] {
        folder.key(&format!(
            "issue --san {name}.example --key-out {name}.key -o {name}.pem"
        ));
    }
    folder.key("crl -o before.crl");
    folder.pki("verify a.pem");
    folder.pki("revoke --certificate a.pem --reason keyCompromise");
    folder.key("crl --delta -o delta.crl");
    folder.key("crl --format pem -o after.pem");
    let said = folder.refused("verify a.pem");
    assert!(said.contains("keyCompromise"), "{said}");
    folder.pki("verify b.pem");
    folder.pki("verify b.pem --ca root.pem --crl after.pem");
    folder.pki("verify a.pem --ca root.pem --crl before.crl");
    folder.refused("verify a.pem --ca root.pem --crl before.crl --crl delta.crl");
    assert!(
        folder
            .refused("revoke --certificate a.pem")
            .contains("is revoked since")
    );
    assert_eq!(
        folder.json("list --revoked")["revocation"]["reason"],
        "keyCompromise"
    );
    let said = folder.openssl("crl -in after.pem -CAfile root.pem -noout -crlnumber");
    assert!(said.is_none_or(|said| said.contains("verify OK") && said.contains("0x03")));
    if folder
        .openssl("ocsp -issuer root.pem -cert a.pem -reqout a.req")
        .is_some()
    {
        folder.openssl("ocsp -issuer root.pem -cert b.pem -no_nonce -reqout b.req");
        folder.key("ocsp a.req -o a.response");
        let presigned = folder.key("ocsp --presign --json");
        assert_eq!(presigned, "{\"responses\":2}\n");
        folder.key("ocsp b.req -o b.response");
        let check = |cert: &str, word: &str| {
            let line = format!(
                "ocsp -issuer root.pem -cert {cert}.pem -CAfile root.pem -no_nonce -respin {cert}.response"
            );
            let said = folder.openssl(&line).unwrap();
            assert!(
                said.contains("Response verify OK") && said.contains(word),
                "{said}"
            );
        };
        check("a", "a.pem: revoked");
        check("b", "b.pem: good");
        folder.pki("verify b.pem --ca root.pem --ocsp b.response");
        folder.refused("verify a.pem --ca root.pem --ocsp a.response");
    }
    let head = folder.pki("audit");
    let head = head.trim();
    folder.pki(&format!("audit --anchor {head}"));
    let (number, hash) = head.split_once(':').unwrap();
    let other = format!("{number}:{}{}", &hash[1..], &hash[..1]);
    let said = folder.refused(&format!("audit --anchor {other}"));
    assert!(said.contains("not the one that was seen before"), "{said}");
    assert!(folder.pki("audit --log").contains(" revoke "));
}

#[test]
fn a_subordinate() {
    let folder = Folder::with_root();
    folder.key("--store sub.db init --name CN=Sub --subordinate --key-alg ed25519 -o sub.csr");
    let early = "--store sub.db issue --san a.b --key-out a.key -o a.pem --passphrase-file pass";
    assert!(folder.refused(early).contains("no certificate yet"));
    folder.key("sign-csr sub.csr --profile intermediate -o sub.pem");
    folder.pki("--store sub.db install sub.pem");
    folder.key("--store sub.db issue --san a.example --key-out a.key --chain -o a.pem");
    folder.pki("verify a.pem --ca root.pem");
    folder.openssl("verify -x509_strict -CAfile root.pem -untrusted sub.pem a.pem");
    // Those who are certified elsewhere come with a request.
    if folder
        .openssl(
            "req -new -newkey rsa:2048 -nodes -keyout b.key -subj /CN=b.example \
                       -addext subjectAltName=DNS:b.example -out b.csr",
        )
        .is_some()
    {
        folder.key("--store sub.db sign-csr b.csr -o b.pem");
        folder.pki("verify b.pem --ca root.pem --untrusted sub.pem --host b.example");
        folder.openssl("verify -x509_strict -CAfile root.pem -untrusted sub.pem b.pem");
    }
}

#[test]
fn in_bulk() {
    let folder = Folder::with_root();
    let key = "adamant genkey ed25519";
    let key = adamant(&folder.0, &words(key)[1..]);
    folder.write("key.pem", &String::from_utf8(stdout(key)).unwrap());
    let public = adamant(&folder.0, &["pkey", "key.pem", "--public"]);
    let public = String::from_utf8(stdout(public)).unwrap();
    let line = |i: usize| {
        let names = [format!("h{i}.example")];
        serde_json::json!({ "names": names, "public_key": public }).to_string()
    };
    let lines: Vec<_> = (0..25).map(line).collect();
    folder.write("batch", &lines.join("\n"));
    folder.key("issue --batch batch --batch-size 7 -o issued");
    let issued = folder.read("issued");
    let issued: Vec<Value> = issued
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(issued.len(), 25);
    folder.write("last.pem", issued[24]["certificate"].as_str().unwrap());
    folder.pki("verify last.pem --host h24.example");
    // Names of the wrong type do not become those of the request.
    if folder
        .openssl(
            "req -new -newkey rsa:2048 -nodes -keyout evil.key -subj /CN=evil.example \
                       -addext subjectAltName=DNS:evil.example -out evil.csr",
        )
        .is_some()
    {
        let wish = serde_json::json!({ "csr": folder.read("evil.csr"), "names": "good.example" });
        folder.write("batch", &wish.to_string());
        let said = folder.refused("issue --batch batch -o other --passphrase-file pass");
        assert!(
            said.contains("line 1, column") && said.contains("names: invalid type"),
            "{said}"
        );
        assert_eq!(folder.json("show")["certificates"], 25);
    }
    folder.write("batch", &format!("{}\n{{\"csr\": 5}}\n", lines[0]));
    let said = folder.refused("issue --batch batch -o other --force --passphrase-file pass");
    assert!(
        said.contains("line 2, column 9: csr: invalid type"),
        "{said}"
    );
    folder.pki("audit");
}

#[test]
fn configured() {
    let folder = Folder::with_root();
    folder.write(
        "p.toml",
        "[[profile]]\nname = 'mail'\ndays = 9\nkey_usage = ['digitalSignature']",
    );
    folder.pki("configure --crl-url http://a.example/ca.crl --profiles p.toml");
    let settings: Value = serde_json::from_str(&folder.pki("configure")).unwrap();
    assert_eq!(settings["crl_url"], "http://a.example/ca.crl");
    assert_eq!(settings["profiles"][0]["name"], "mail");
    folder.key("issue --subject CN=Ann --profile mail --key-out k -o c.pem");
    folder.pki("verify c.pem");
    let said = folder.openssl("x509 -in c.pem -noout -text");
    assert!(said.is_none_or(|said| said.contains("URI:http://a.example/ca.crl")));
    folder.refused("configure --ocsp-url nowhere");
}

/// Whether a server gives its CA's certificate away.
fn answers(address: &str) {
    use std::io::{Read, Write};

    let mut client = std::net::TcpStream::connect(address).unwrap();
    client
        .write_all(b"GET /issuer.cer HTTP/1.0\r\n\r\n")
        .unwrap();
    let mut answer = Vec::new();
    client.read_to_end(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.0 200 OK\r\n"));
}

/// The server tells where it listens, answers, and ends in order when it is asked to.
#[cfg(unix)]
#[test]
fn served() {
    use std::io::{BufRead, BufReader};

    let folder = Folder::with_root();
    let mut child = Command::new(env!("CARGO_BIN_EXE_adamant"))
        .args(words(
            "pki serve --listen 127.0.0.1:0 --json --passphrase-file pass",
        ))
        .current_dir(folder.0.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: Value = serde_json::from_str(&told.next().unwrap().unwrap()).unwrap();
    let address = first["address"].as_str().unwrap();
    answers(address);
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    let last = told.map(Result::unwrap).last().unwrap();
    assert!(last.contains("\"stopped\""), "{last}");
    assert!(child.wait().unwrap().success());
    folder.refused("--store none.db serve --no-key");
}
