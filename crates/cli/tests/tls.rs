//! The program's `tls serve` and `tls connect`, with each other and with the `openssl` of the
//! system, both ways.

use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

fn adamant(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adamant"));
    command.current_dir(folder).args(["tls"]).args(args);
    command
}

/// A server that is ended with the test.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `tls serve` on a port of its choice, with the root of a trial in `root.pem`.
fn serve(folder: &TempDir, args: &[&str]) -> Server {
    let listen = [
        "serve",
        "--listen",
        "localhost:0",
        "--trust",
        "root.pem",
        "--force",
        "--json",
    ];
    let mut command = adamant(folder, &[&listen[..], args].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut line = String::new();
    let mut errors = BufReader::new(child.stderr.take().expect("piped"));
    errors.read_line(&mut line).expect("a line");
    let port = line.trim().rsplit(':').next().expect("a port").to_owned();
    thread::spawn(move || errors.read_to_end(&mut Vec::new()));
    assert!(line.starts_with("listening on "), "{line}");
    Server {
        child,
        address: format!("localhost:{port}"),
    }
}

fn connect(folder: &TempDir, args: &[&str]) -> Output {
    let mut command = adamant(folder, &[&["connect", "--json"][..], args].concat());
    command.output().expect("the program runs")
}

/// What `tls connect` said, a value for each connection.
fn told(output: &Output) -> Vec<Value> {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    lines.collect()
}

#[test]
fn with_ourselves() {
    let folder = tempfile::tempdir().expect("a folder");
    for (kind, choice, suite, group) in [
        (
            "p-256",
            &[][..],
            "TLS13_AES_256_GCM_SHA384",
            "x25519mlkem768",
        ),
        (
            "ml-dsa-44",
            &["--groups", "p384", "--suites", "chacha20-poly1305"],
            "TLS13_CHACHA20_POLY1305_SHA256",
            "p384",
        ),
        (
            "sm2",
            &["--suites", "sm4-ccm"],
            "TLS_SM4_CCM_SM3",
            "curvesm2",
        ),
        (
            "ed25519",
            &["--tls", "1.2", "--suites", "aes-128-gcm"],
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "x25519",
        ),
    ] {
        let server = serve(
            &folder,
            &[&["--trial", kind, "--alpn", "a,b", "--echo"], choice].concat(),
        );
        let arguments = [
            &server.address,
            "--ca",
            "root.pem",
            "--alpn",
            "b",
            "--send",
            "hello",
        ];
        let told = told(&connect(
            &folder,
            &[&arguments[..], choice, &["--times", "2"]].concat(),
        ));
        assert_eq!(told[0]["suite"], suite);
        assert_eq!(told[0]["group"], group);
        assert_eq!(told[0]["alpn"], "b");
        assert_eq!(told[0]["answer"], "hello\n");
        assert_eq!(told[0]["handshake"], "full");
        assert_eq!(told[0]["peer"][0]["issuer"], "CN=Trial Authority");
        assert_eq!(told[1]["handshake"], "resumed", "{kind}");
    }
}

#[test]
fn refusals() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&folder, &["--trial", "p-256"]);
    let refused = |args: &[&str], sentence: &str| {
        let output = connect(&folder, &[&[server.address.as_str()], args].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && errors.contains(sentence),
            "{errors}"
        );
    };
    refused(
        &["--ca", "root.pem", "--name", "elsewhere.example"],
        "not valid for name",
    );
    refused(&["--ca", "missing.pem"], "missing.pem");
    refused(&["--ca", "root.pem", "--suites", "sm4-gcm"], "alert");
    refused(
        &[
            "--ca", "root.pem", "--suites", "sm4-gcm", "--groups", "x25519",
        ],
        "do not go",
    );
    // Another authority of the same name.
    drop(serve(&folder, &["--trial", "p-256"]));
    refused(&["--ca", "root.pem"], "certificate");
}

/// In TLS 1.3 a server looks at the client's certificate when the handshake is over for the
/// client: its refusal comes after.
#[test]
fn late_refusals() {
    let folder = tempfile::tempdir().expect("a folder");
    for version in ["1.3", "1.2"] {
        let server = serve(&folder, &["--trial", "p-256", "--tls", version]);
        // The root of a trial is nobody's client.
        let demands = serve(
            &folder,
            &[
                "--trial",
                "p-256",
                "--tls",
                version,
                "--client-ca",
                "root.pem",
            ],
        );
        drop(server);
        for more in [&[][..], &["--send", "hello"], &["--times", "2"]] {
            let args = [&demands.address, "--ca", "root.pem"];
            let output = connect(&folder, &[&args[..], more].concat());
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{version} {more:?} {errors}");
            assert!(errors.contains("ertificate"), "{version} {more:?} {errors}");
            assert!(output.stdout.is_empty(), "nothing was agreed on");
        }
    }
}

#[test]
fn what_is_there_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("root.pem");
    std::fs::write(&path, "another root").expect("written");
    let args = ["serve", "--listen", "localhost:0", "--trial", "p-256"];
    let mut command = adamant(&folder, &[&args[..], &["--trust", "root.pem"]].concat());
    let mut child = command
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut errors = String::new();
    let mut lines = BufReader::new(child.stderr.take().expect("piped"));
    lines.read_line(&mut errors).expect("a line");
    // One that serves goes on.
    let _ = child.kill();
    child.wait().expect("it ends");
    assert!(errors.contains("--force replaces it"), "{errors}");
    assert_eq!(std::fs::read(&path).expect("read"), b"another root");
}

#[test]
fn measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let few = [
        "--groups",
        "x25519",
        "--keys",
        "p-256",
        "--suites",
        "aes-128-gcm",
    ];
    let quick = ["bench", "--json", "--seconds", "0.01", "--engine", "none"];
    let output = adamant(&folder, &[&quick[..], &few].concat()).output();
    let told = told(&output.expect("the program runs"));
    let names: Vec<_> = told.iter().map(|row| row["operation"].as_str()).collect();
    let full = Some("tls/handshake/x25519-p-256/full");
    let resumed = Some("tls/handshake/x25519-p-256/resumed");
    assert_eq!(names, [full, resumed, Some("tls/transfer/aes-128-gcm")]);
    for row in told {
        assert_eq!(row["provider"], "adamant");
        assert!(row["per_second"].as_f64().expect("a number") > 1.0);
    }
}

/// Whether the system has a program `openssl`.
fn openssl() -> bool {
    let there = Command::new("openssl").arg("version").output();
    let there = there.is_ok_and(|output| output.status.success());
    if !there {
        adamant_testkit::skipped(
            "what openssl says of it",
            "there is no such program",
            "ADAMANT_REQUIRE_OPENSSL",
        );
    }
    there
}

fn openssl_in(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("openssl");
    command.current_dir(folder).args(args).stdin(Stdio::null());
    command
}

#[test]
fn with_openssl_as_client() {
    if !openssl() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for kind in ["rsa", "p-256", "p-384", "p-521", "ed25519", "ed448"] {
        for (version, choice) in [
            (
                "-tls1_3",
                &[
                    "-groups",
                    "X25519",
                    "-ciphersuites",
                    "TLS_AES_128_GCM_SHA256",
                ],
            ),
            (
                "-tls1_3",
                &[
                    "-groups",
                    "P-384",
                    "-ciphersuites",
                    "TLS_CHACHA20_POLY1305_SHA256",
                ],
            ),
            (
                "-tls1_3",
                &["-groups", "X448", "-ciphersuites", "TLS_AES_256_GCM_SHA384"],
            ),
            (
                "-tls1_2",
                &["-groups", "P-256:P-384:P-521", "-cipher", "ECDHE+AESGCM"],
            ),
            (
                "-tls1_2",
                &["-groups", "P-521:P-384:P-256", "-cipher", "ECDHE+CHACHA20"],
            ),
        ] {
            if kind == "ed448" && version == "-tls1_2" {
                continue; // rustls has no such scheme there
            }
            let server = serve(&folder, &["--trial", kind]);
            let arguments = [
                "s_client",
                "-connect",
                &server.address,
                "-CAfile",
                "root.pem",
            ];
            let strict = ["-verify_return_error", "-servername", "localhost", version];
            let all = [&arguments[..], &strict, choice].concat();
            let output = openssl_in(folder.path(), &all).output().expect("it runs");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let verified = text.contains("Verify return code: 0 (ok)");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success() && verified,
                "{kind} {all:?}\n{text}\n{errors}"
            );
        }
    }
}

#[test]
fn with_openssl_as_server() {
    if !openssl() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for key in [
        &["rsa:2048"][..],
        &["ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
        &["ec", "-pkeyopt", "ec_paramgen_curve:P-384"],
        &["ed25519"],
    ] {
        let subject = [
            "req",
            "-x509",
            "-nodes",
            "-subj",
            "/CN=localhost",
            "-days",
            "2",
        ];
        let files = ["-keyout", "key.pem", "-out", "cert.pem", "-newkey"];
        let names = ["-addext", "subjectAltName=DNS:localhost", "-addext"];
        let all = [
            &subject[..],
            &names,
            &["basicConstraints=critical,CA:FALSE"],
            &files,
            key,
        ];
        let made = openssl_in(folder.path(), &all.concat())
            .output()
            .expect("it runs");
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let port = {
            let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
            free.local_addr().expect("an address").port().to_string()
        };
        let arguments = [
            "s_server", "-accept", &port, "-cert", "cert.pem", "-key", "key.pem",
        ];
        let mut command = openssl_in(
            folder.path(),
            &[&arguments[..], &["-www", "-quiet"]].concat(),
        );
        let child = command.stdout(Stdio::null()).stderr(Stdio::null());
        let address = format!("localhost:{port}");
        let server = Server {
            child: child.spawn().expect("it runs"),
            address: address.clone(),
        };
        let tried = (0..100).find(|_| {
            thread::sleep(Duration::from_millis(50));
            TcpStream::connect(&address).is_ok()
        });
        assert!(tried.is_some(), "it does not listen");
        for choice in [
            &["--groups", "x25519", "--suites", "aes-256-gcm"][..],
            &["--groups", "p521", "--suites", "chacha20-poly1305"],
            &["--groups", "x448", "--suites", "aes-128-gcm"],
            &["--tls", "1.2", "--groups", "p384,p256"],
        ] {
            let arguments = [
                &server.address,
                "--ca",
                "cert.pem",
                "--send",
                "GET / HTTP/1.0\r\n",
            ];
            let told = told(&connect(&folder, &[&arguments[..], choice].concat()));
            let answer = told[0]["answer"].as_str().expect("an answer");
            assert!(answer.contains("200"), "{key:?} {choice:?} {answer}");
        }
    }
}
