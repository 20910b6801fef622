//! Hybrid groups, ML-DSA and RFC 8998 with OpenSSL 4, both ways.
//!
//! Needs a Python with pyOpenSSL, whose `cryptography` brings an OpenSSL of its own; `PYTHON` names
//! it (else `python3`). Where there is none, or an older OpenSSL, the tests say so and pass.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;

use adamant::x509::KeyAlgorithm::{self, Ed25519, MlDsa44, MlDsa65, MlDsa87, P256, Sm2};
use adamant::x509::SecretText;
use rustls::crypto::CryptoProvider;
use rustls::{ServerConnection, StreamOwned};
use rustls_adamant::{default_provider, sm_provider};
use tempfile::TempDir;

use crate::support::{Identity, client, connection, only, server};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/openssl4.py");

fn python(folder: &Path, args: &[&str]) -> Command {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let mut command = Command::new(python);
    command.arg(SCRIPT).args(args).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// A folder with OpenSSL's configuration and the files of an identity; nothing without OpenSSL 4.
fn folder(identity: &Identity, group: &str, suite: &str, scheme: &str) -> Option<TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let mut asked = python(folder.path(), &["version"]);
    let asked = asked.stderr(Stdio::null()).output();
    let version = asked.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    );
    let major = version
        .strip_prefix("OpenSSL ")
        .and_then(|rest| rest.split('.').next());
    if major.and_then(|major| major.parse().ok()).unwrap_or(0) < 4 {
        eprintln!(
            "skipped: no Python with an OpenSSL of version 4 ({})",
            version.trim()
        );
        return None;
    }
    let configuration = format!(
        "openssl_conf = init\n[init]\nssl_conf = tls\n[tls]\nsystem_default = all\n[all]\n\
         Groups = {group}\nCiphersuites = {suite}\nSignatureAlgorithms = {scheme}\n"
    );
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("openssl.cnf", &configuration);
    write("root.pem", &SecretText::pem("CERTIFICATE", &identity.root));
    write(
        "chain.pem",
        &SecretText::pem("CERTIFICATE", &identity.certificate),
    );
    write("key.pem", &identity.key.to_pem());
    Some(folder)
}

/// The other end; what it prints.
fn start(folder: &TempDir, args: &[&str]) -> (Child, BufReader<ChildStdout>) {
    let mut command = python(folder.path(), args);
    command.env("OPENSSL_CONF", folder.path().join("openssl.cnf"));
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap());
    (child, lines)
}

fn line(lines: &mut impl BufRead) -> String {
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    line.trim().to_owned()
}

fn both_ways(provider: CryptoProvider, kind: KeyAlgorithm, group: &str, suite: &str, scheme: &str) {
    let identity = Identity::new(kind, kind);
    let Some(folder) = folder(&identity, group, suite, scheme) else {
        return;
    };
    let what = format!("{group} {suite} {scheme}");
    let message: Vec<u8> = (0..25_600).map(|i| i as u8).collect();
    // OpenSSL serves.
    let (mut child, mut lines) = start(&folder, &["server", "chain.pem", "key.pem"]);
    let port: u16 = line(&mut lines).parse().expect(&what);
    let ours = Arc::new(client(provider.clone(), &identity));
    let unused = Arc::new(server(provider.clone(), &identity));
    let ours = connection(&ours, &unused).client;
    let tcp = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut stream = StreamOwned::new(ours, tcp);
    stream
        .write_all(&message)
        .unwrap_or_else(|e| panic!("{what}: {e}"));
    stream.flush().unwrap();
    let mut answer = vec![0; message.len()];
    stream
        .read_exact(&mut answer)
        .unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(answer, message);
    assert!(line(&mut lines).starts_with(suite), "{what}");
    assert!(child.wait().unwrap().success(), "{what}");
    // OpenSSL connects.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let (mut child, mut lines) = start(&folder, &["client", &port, "root.pem"]);
    let ours = ServerConnection::new(unused).unwrap();
    let mut stream = StreamOwned::new(ours, listener.accept().unwrap().0);
    let mut asked = vec![0; message.len()];
    stream
        .read_exact(&mut asked)
        .unwrap_or_else(|e| panic!("{what}: {e}"));
    stream.write_all(&asked).unwrap();
    stream.flush().unwrap();
    assert!(line(&mut lines).starts_with(suite), "{what}");
    assert!(child.wait().unwrap().success(), "{what}");
}

const AES: &str = "TLS_AES_128_GCM_SHA256";

#[test]
fn hybrid_groups() {
    for (name, code) in [
        ("X25519MLKEM768", 0x11ec),
        ("SecP256r1MLKEM768", 0x11eb),
        ("SecP384r1MLKEM1024", 0x11ed),
        ("X448", 0x001e),
    ] {
        let provider = only(default_provider(), 0x1301, code);
        both_ways(provider, P256, name, AES, "ecdsa_secp256r1_sha256");
    }
}

#[test]
fn ml_dsa() {
    for (kind, scheme) in [
        (MlDsa44, "mldsa44"),
        (MlDsa65, "mldsa65"),
        (MlDsa87, "mldsa87"),
        (Ed25519, "ed25519"),
    ] {
        let provider = only(default_provider(), 0x1301, 0x001d);
        both_ways(provider, kind, "X25519", AES, scheme);
    }
}

#[test]
fn rfc_8998() {
    for (suite, code) in [("TLS_SM4_GCM_SM3", 0x00c6), ("TLS_SM4_CCM_SM3", 0x00c7)] {
        let provider = only(sm_provider(), code, 41);
        both_ways(provider, Sm2, "curveSM2", suite, "sm2sig_sm3");
    }
}
