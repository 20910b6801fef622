//! The program's `pki bench`, run as a user runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn bench(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adamant"));
    command.args(["pki", "bench"]).args(args);
    command.output().expect("the program runs")
}

/// Standard output of a run that must succeed; it says nothing else.
fn stdout(args: &[&str]) -> String {
    let output = bench(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The exit code and standard error of a run that must not succeed.
fn failure(args: &[&str]) -> (i32, String) {
    let output = bench(args);
    let code = output.status.code().expect("an exit code");
    assert!(output.stdout.is_empty(), "{args:?}");
    (code, String::from_utf8(output.stderr).expect("UTF-8"))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn json_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("measured.sqlite");
    let args = [
        "--sizes",
        "1,3",
        "--ca-key-algo",
        "ecdsa-p256,Ed25519",
        "--min-seconds",
        "0",
        "--threads",
        "2",
        "--db",
        text(&path),
        "--json",
    ];
    let lines = stdout(&args);
    let start = r#"{"stage":"ca_self_sign","algo":"ecdsa-p256","batch":1,"ms":"#;
    assert!(lines.starts_with(start), "{lines}");
    let rows: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), 19 * 4);
    let fields = [
        "stage",
        "algo",
        "batch",
        "ms",
        "items_per_s",
        "keys",
        "synchronous",
        "provider",
        "threads",
        "der_bytes",
        "passes",
    ];
    for row in &rows {
        let row = row.as_object().expect("an object");
        assert_eq!(row.len(), fields.len());
        assert!(fields.iter().all(|&field| row.contains_key(field)));
        assert!(row["ms"].as_f64().is_some_and(|ms| ms > 0.0));
        assert!(row["items_per_s"].as_f64().is_some_and(|rate| rate > 0.0));
        assert_eq!(
            (&row["provider"], row["threads"].as_u64()),
            (&"adamant".into(), Some(2))
        );
    }
    let distinct = |field: &str| {
        let mut values: Vec<_> = rows.iter().map(|row| row[field].to_string()).collect();
        values.sort();
        values.dedup();
        values
    };
    assert_eq!(distinct("stage").len(), 15);
    assert_eq!(distinct("algo"), [r#""ecdsa-p256""#, r#""ed25519""#]);
    assert_eq!(distinct("batch"), ["1", "3"]);
    assert_eq!(distinct("keys"), [r#""beforehand""#, r#""counted""#]);
    assert_eq!(distinct("synchronous"), [r#""full""#, r#""normal""#]);

    // The file is ours, and may be used again.
    let again = [
        "--sizes",
        "2",
        "--min-seconds",
        "0",
        "--db",
        text(&path),
        "--json",
    ];
    assert_eq!(stdout(&again).lines().count(), 19);
}

#[test]
fn a_table() {
    let two = [
        "--ca-key-algo",
        "ecdsa-p256,ed25519",
        "--sizes",
        "1,2,3,4,5",
        "--min-seconds",
        "0",
    ];
    let table = stdout(&two);
    let count = |text: &str| table.matches(text).count();
    // Four sizes abreast, then the fifth, for each algorithm.
    assert_eq!(count("\nstage "), 4, "{table}");
    assert_eq!(count("\necdsa-p256 "), 2, "{table}");
    assert_eq!(count("cert_gen, keys beforehand "), 4, "{table}");
    assert_eq!(count("db_insert_ocsp, full "), 4, "{table}");
    assert_eq!(count("batch of 5\n"), 2, "{table}");

    let one = [
        "--sizes",
        "1",
        "--min-seconds",
        "0",
        "--synchronous",
        "normal",
        "--threads",
        "1",
    ];
    let table = stdout(&one);
    assert!(
        !table.contains("full") && table.contains(", 1 thread,"),
        "{table}"
    );
}

#[test]
fn wrong_arguments_are_told() {
    for (args, sentence) in [
        (
            &["--ca-key-algo", "rsa1"][..],
            "there is ecdsa-p256, ecdsa-p224, ecdsa-p384, ",
        ),
        (&["--sizes", "0"], "0 is not in 1.."),
        (&["--min-seconds", "3601"], "a number of seconds"),
        (&["--synchronous", "sometimes"], "normal, full, both"),
        (&["--threads", "0"], "0 is not in 1.."),
        (&["--provider", "boringssl"], "there is openssl"),
    ] {
        let (code, errors) = failure(args);
        assert_eq!(code, 2, "{args:?}");
        assert!(errors.contains(sentence), "{args:?}: {errors}");
    }
}

#[test]
fn absent_libraries_and_baselines_are_told() {
    for (args, sentence) in [
        (
            ["--provider", "openssl=/no/such/libcrypto.so"],
            "no OpenSSL: ",
        ),
        (["--baseline", "/no/such/file.jsonl"], "/no/such/file.jsonl"),
    ] {
        let (code, errors) = failure(&args);
        assert_eq!(code, 1, "{args:?}");
        assert!(errors.contains(sentence), "{args:?}: {errors}");
    }
}

#[test]
fn differences_from_an_earlier_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("before.jsonl");
    let mut args = vec!["--sizes", "2", "--min-seconds", "0", "--json"];
    fs::write(&path, stdout(&args)).expect("a file");
    args.pop();
    args.extend(["--baseline", text(&path)]);
    let differences = stdout(&args);
    assert!(differences.contains("before, ms"), "{differences}");
    assert_eq!(differences.matches("\necdsa-p256 ").count(), 19);
    assert!(!differences.contains("not in the earlier run"));
}

#[test]
fn other_files_are_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("precious.txt");
    fs::write(&path, "precious").expect("a file");
    let (code, errors) = failure(&["--db", text(&path)]);
    assert_eq!(code, 1);
    assert!(errors.contains("was left as it is"), "{errors}");
    assert_eq!(fs::read(&path).expect("the file"), b"precious");
}
