//! The program's `speed` and `list`, run as a user runs them.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program, on what the CPU has (`""`) or what a value of `ADAMANT_CPU` leaves.
fn adamant(args: &[&str], cpu: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_adamant"))
        .args(args)
        .env("ADAMANT_CPU", cpu)
        .output()
        .expect("the program runs")
}

#[test]
fn its_name() {
    let version = concat!("adamant ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(stdout(&["--version"]), version);
}

/// Standard output of a run that must succeed.
fn stdout_on(cpu: &str, args: &[&str]) -> String {
    let output = adamant(args, cpu);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn stdout(args: &[&str]) -> String {
    stdout_on("", args)
}

/// The exit code and standard error of a run that must not succeed.
fn failure(args: &[&str]) -> (i32, String) {
    let output = adamant(args, "");
    let code = output.status.code().expect("an exit code");
    assert_ne!(code, 0, "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    (code, String::from_utf8(output.stderr).expect("UTF-8"))
}

fn json_lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(serde_json::from_str);
    lines
        .collect::<Result<_, _>>()
        .expect("a JSON object a line")
}

/// The rows of `adamant speed ARGS --json`, two iterations each.
fn speed(args: &[&str]) -> Vec<Value> {
    let quick = ["--iterations", "2", "--json"];
    json_lines(&stdout(&[&["speed"], args, &quick].concat()))
}

#[test]
fn speed_prints_json_lines() {
    let args = [
        "speed",
        "sha256/digest",
        "--bytes",
        "64",
        "--seconds",
        "0.01",
        "--json",
    ];
    let text = stdout(&args);
    let start = r#"{"op":"sha256/digest","bytes":64,"batch":1,"backend":""#;
    assert!(text.starts_with(start), "{text}");

    let rows = speed(&["sha256/digest", "--bytes", "0,64"]);
    assert_eq!(rows.len(), 2, "without --backend, only the default one");
    for (row, bytes) in rows.iter().zip([0.0, 64.0]) {
        assert_eq!(row["bytes"].as_f64(), Some(bytes));
        let number = |key: &str| row[key].as_f64().expect(key);
        let ns = number("ns_per_op");
        assert!((number("ops_per_s") * ns / 1e9 - 1.0).abs() < 0.05, "{row}");
        assert!(
            (number("mb_per_s") * ns / 1e3 - bytes).abs() < 0.05 * bytes + 1e-9,
            "{row}"
        );
        assert!(number("spread") >= 0.0);
    }

    let rows = speed(&["sha256/*", "--bytes", "10", "--batch", "1,3"]);
    let sizes: Vec<_> = rows
        .iter()
        .map(|r| (r["op"].as_str(), r["batch"].as_u64()))
        .collect();
    let (digest, digest_batch) = (Some("sha256/digest"), Some("sha256/digest_batch"));
    let expected = [
        (digest, Some(1)),
        (digest_batch, Some(1)),
        (digest_batch, Some(3)),
    ];
    assert_eq!(sizes, expected);
}

#[test]
fn speed_takes_implementations_by_name() {
    let on = |backend| speed(&["sha512/digest", "--bytes", "1", "--backend", backend]);
    assert_eq!(on("portable32")[0]["backend"], "portable32");
    assert_eq!(on("all").last().expect("a row")["backend"], "portable32");
    let args = [
        "speed",
        "sha256/digest",
        "--bytes",
        "1",
        "--iterations",
        "1",
        "--json",
    ];
    let row = &json_lines(&stdout_on("portable", &args))[0];
    assert_eq!(row["backend"], "portable");
}

#[test]
fn shares_of_rows_are_all_of_them_once() {
    let args = ["sha512/digest", "--bytes", "1,2", "--backend", "all"];
    let key = |row: &Value| (row["bytes"].as_u64(), row["backend"].to_string());
    let mut all: Vec<_> = speed(&args).iter().map(key).collect();
    let share = |number: usize| {
        let share = format!("{number}/3");
        speed(&[&args[..], &["--share", &share]].concat())
    };
    let mut shares: Vec<_> = (1..=3).flat_map(share).map(|row| key(&row)).collect();
    all.sort();
    shares.sort();
    assert_eq!(shares, all);
}

#[test]
fn speed_prints_a_table() {
    let text = stdout(&[
        "speed",
        "hmac-*",
        "hkdf*",
        "--bytes",
        "64",
        "--iterations",
        "3",
    ]);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[1].starts_with("operation"), "{text}");
    assert!(lines[2].starts_with("hmac-sha256/mac"), "{text}");
    let width = |line: &str| line.chars().count();
    for line in &lines[2..] {
        assert!(line.contains('±'), "{line}");
        assert_eq!(width(line), width(lines[1]), "{text}");
    }
}

#[test]
fn wrong_arguments_are_told() {
    let too_much = [
        "speed",
        "*_batch",
        "--bytes",
        "1000000000",
        "--batch",
        "100",
    ];
    for (args, sentence) in [
        (&["speed", "sha257/digest"][..], "near it: sha256/digest"),
        (&["speed", "sha256"], "near it: sha256/*"),
        (
            &["speed", "sha*", "nonsense*"],
            "nothing matches \"nonsense*\"",
        ),
        (
            &["speed", "sha*", "--backend", "abacus"],
            "\"abacus\"; there is ",
        ),
        (&["speed", "--seconds", "0"], "a number of seconds above 0"),
        (&["speed", "--share", "0/3"], "a number of a share"),
        (&["speed", "--share", "4/3"], "a number of a share"),
        (
            &["speed", "sha256/digest", "--bytes", "1", "--share", "2/2"],
            "this share has no row",
        ),
        (
            &["speed", "--seconds", "1", "--iterations", "1"],
            "cannot be used with",
        ),
        (&["speed", "--batch", "0"], "0 is not in 1.."),
        (&too_much, "are more than"),
        (&["list", "sha25"], "near it: sha25*"),
        (&["list", "sha256", "--cpu"], "cannot be used with"),
        (&["spead"], "unrecognized subcommand"),
    ] {
        let (code, errors) = failure(args);
        assert_eq!(code, 2, "{args:?}");
        assert!(errors.contains(sentence), "{args:?}: {errors}");
    }
}

#[test]
fn sizes_that_an_operation_refuses_are_told() {
    let args = ["speed", "hkdf-sha256/derive", "--bytes", "9000", "--json"];
    let (code, errors) = failure(&args);
    assert_eq!(code, 1);
    assert!(errors.contains("8160 bytes at most"), "{errors}");
    let output = adamant(
        &[&args[..], &["sha256/digest", "--iterations", "1"]].concat(),
        "",
    );
    assert!(output.status.success(), "another row has a result");
    assert!(String::from_utf8_lossy(&output.stderr).contains("8160 bytes at most"));
}

#[test]
fn speed_looks_for_leaks() {
    let args =
        |op, more: &[&'static str]| [&["speed", "--leak", op, "--bytes", "64"], more].concat();
    for op in ["hmac-sha256/mac", "sha256/digest_batch"] {
        let more = [
            "--batch",
            "2",
            "--backend",
            "all",
            "--iterations",
            "1500",
            "--json",
        ];
        // A busy machine may well show something: only the form is certain.
        let output = adamant(&args(op, &more), "");
        let rows = json_lines(&String::from_utf8(output.stdout).expect("UTF-8"));
        for row in &rows {
            assert_eq!(
                (row["op"].as_str(), row["samples"].as_u64()),
                (Some(op), Some(1500))
            );
            assert_eq!(row["bytes"], 64);
            assert!(row["t"].is_f64() && row["correlation"].is_f64(), "{row}");
            assert!(
                row["detectable_ns"].as_f64().expect("a number") > 0.0,
                "{row}"
            );
        }
        assert!(!rows.is_empty());
        let leaks = rows.iter().filter(|row| row["verdict"] == "leak").count();
        assert_eq!(output.status.code(), Some(i32::from(leaks > 0)));
    }
    let (code, errors) = failure(&["speed", "--leak", "x509/parse", "ed25519/verify"]);
    assert_eq!(code, 2);
    assert!(
        errors.contains("ed25519/verify: what goes in is public"),
        "{errors}"
    );
    let output = adamant(&args("hmac-sha256/mac", &["--iterations", "10"]), "");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let header: Vec<_> = text
        .lines()
        .nth(1)
        .expect("a header")
        .split_whitespace()
        .collect();
    assert_eq!((header[0], header.last()), ("operation", Some(&"verdict")));
    assert!(text.contains("too few samples"), "{text}");
}

#[test]
fn list_tells_what_is_chosen() {
    let rows = json_lines(&stdout(&["list", "--json"]));
    for row in &rows {
        let implementations = row["implementations"].as_array().expect("an array");
        let chosen = implementations.iter().filter(|i| i["chosen"] == true);
        assert_eq!(chosen.count(), 1, "{row}");
        for i in implementations {
            assert!(i["constant_time"].is_boolean(), "{row}");
            assert_ne!(i["why"], "", "{row}");
        }
    }
    let sha256 = rows.iter().find(|row| row["algorithm"] == "sha256");
    let sha256 = sha256.expect("a row for sha256");
    assert_eq!(sha256["oid"], "2.16.840.1.101.3.4.2.1");
    assert_eq!(sha256["parameters"]["digest"], 32);

    let text = stdout(&["list", "hmac-sha256"]);
    assert!(
        text.contains("portable") && !text.contains("sha512"),
        "{text}"
    );

    let row = &json_lines(&stdout_on("portable", &["list", "sha256", "--json"]))[0];
    for i in row["implementations"].as_array().expect("an array") {
        assert_eq!(i["chosen"], i["name"] == "portable", "{row}");
    }
}

#[test]
fn list_shows_the_cpu() {
    let line = &json_lines(&stdout(&["list", "--cpu", "--json"]))[0];
    assert_eq!(line["arch"], std::env::consts::ARCH);
    let features = line["features"].as_array().expect("an array");
    for f in features {
        assert!(f["found"].is_boolean() && f["used_by"].is_array(), "{f}");
    }
    #[cfg(target_arch = "x86_64")]
    {
        let found = |name: &str| {
            features
                .iter()
                .any(|f| f["name"] == name && f["found"] == true)
        };
        assert!(found("sse2"));
        assert_eq!(found("avx2"), std::is_x86_feature_detected!("avx2"));
        let table = stdout(&["list", "--cpu"]);
        assert!(table.contains("AES-NI"));
        assert!(table.lines().all(|line| line.len() < 200), "{table}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_adamant"))
        .args(["speed", "sha*", "--iterations", "1", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success());
    assert!(
        output.stderr.is_empty(),
        "{:?}",
        String::from_utf8(output.stderr)
    );
}
