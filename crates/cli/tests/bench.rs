//! `adamant bench` from its arguments to its files, with the engine as a process of its own.

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

fn bench(libcrypto: Option<&str>, arguments: &[&str]) -> (TempDir, Output) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_adamant"));
    command
        .current_dir(&folder)
        .env_remove("ADAMANT_LIBCRYPTO")
        .arg("bench")
        .args(arguments);
    if let Some(path) = libcrypto {
        command.env("ADAMANT_LIBCRYPTO", path);
    }
    let output = command.output().unwrap();
    (folder, output)
}

#[test]
fn rows_and_page() {
    let (folder, output) = bench(
        None,
        &["--quick", "hkdf-sha256/derive", "--json", "rows.json"],
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("hkdf-sha256/derive"), "{stdout}");
    let rows = fs::read_to_string(folder.path().join("rows.json")).unwrap();
    let rows: Vec<serde_json::Value> = rows
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 2);
    assert!(rows[0]["machine"]["cpu"].is_string() && rows[0]["clock"]["low"].is_number());
    let row = &rows[1];
    assert_eq!(row["bytes"], 32);
    if row["ratio"].is_number() {
        assert_eq!(row["engine"], "openssl-system");
    } else {
        assert!(stderr.contains("openssl-system"), "{stderr}");
    }
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("adamant bench --quick hkdf-sha256/derive"));
}

#[test]
fn an_absent_openssl_is_told_and_the_run_goes_on() {
    let (folder, output) = bench(
        Some("/no/such/libcrypto.so.3"),
        &["--quick", "hkdf-sha256/derive", "--html", "page.html"],
    );
    assert!(output.status.success());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("openssl-system is left out: no OpenSSL: "),
        "{stderr}"
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("hkdf-sha256/derive"));
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("no OpenSSL: "));
}

#[test]
fn arguments_are_checked() {
    let (_, output) = bench(None, &["no-such-operation"]);
    assert_eq!(output.status.code(), Some(2));
    let (_, output) = bench(
        Some("/no/such/libcrypto.so.3"),
        &[
            "--quick",
            "hkdf-sha256/derive",
            "--html",
            "no/such/folder/x.html",
        ],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no/such/folder/x.html"));
}

#[test]
fn suites_are_measured_in_the_documents_tables() {
    let arguments = [
        "--quick",
        "--suite",
        "kctsb",
        "hkdf-sha256/*",
        "--markdown",
        "page.md",
    ];
    let (folder, output) = bench(None, &arguments);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        stdout.contains("8 Key derivation") && stdout.contains("1600"),
        "{stdout}"
    );
    let markdown = fs::read_to_string(folder.path().join("page.md")).unwrap();
    assert!(markdown.contains("## Suite kctsb") && markdown.contains("| HKDF-SHA256 |"));
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("suite-kctsb"));
    let (_, output) = bench(None, &["--suite", "no-such-suite"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn absent_rows_are_listed() {
    let (_, output) = bench(None, &["--list-absent", "--suite", "curve25519"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    let absent = stdout.lines().count();
    assert!(
        stdout.lines().all(|line| line.starts_with("curve25519, ")),
        "{stdout}"
    );
    assert_eq!(output.status.code(), Some(i32::from(absent > 0)));
    assert!(!stdout.contains("ed25519/sign\n"), "{stdout}");
    let (_, output) = bench(None, &["--list-absent", "--quick"]);
    assert_eq!(output.status.code(), Some(2));
}
