//! `adamant bench` from its arguments to its files, with the engine as a process of its own.

use std::fs;
use std::path::Path;
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

/// A run of many rows that is asked to end leaves what it has, and ends by the signal.
#[test]
#[cfg(unix)]
fn asked_to_end() {
    use std::io::{BufRead, BufReader, Read};
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    const SIGTERM: i32 = 15;
    let folder = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    let mut program = Command::new(env!("CARGO_BIN_EXE_adamant"))
        .current_dir(&folder)
        .args(["bench", "*/digest", "--seconds", "3600"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(program.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let id = program.id().to_string();
    let killed = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(killed.success());
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    let output = program.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.signal(), Some(SIGTERM), "{stderr}");
    assert!(stderr.contains("stopped: rows not begun: "), "{stderr}");
    assert!(stderr.contains("asked to end"), "{stderr}");
    assert!(rest.contains("The page: "), "{rest}");
    assert!(folder.path().join("report.html").exists());
    assert!(begin.elapsed() < Duration::from_secs(120));
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
    // Builds are not measured in rounds, and have names of their own.
    for (argument, said) in [("--quick", "no --quick"), ("tea/*", "tea/*")] {
        let (_, output) = bench(None, &["--footprint", argument]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(said));
    }
}

#[test]
fn suites_are_measured_in_the_documents_tables() {
    let arguments = [
        "--quick",
        "--suite",
        "kctsb",
        "hkdf-sha256/*",
        "--seconds",
        "5",
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
    assert_eq!(
        stdout,
        "curve25519: modelled, as the sum of measured operations: 17 rows of Ed25519/4, X25519/3, Field/3, \
         Points/3\n\
         curve25519: quoted: Apple M1: 3 rows of Platforms/1\n"
    );
    assert_eq!(output.status.code(), Some(0));
    let (_, output) = bench(None, &["--list-absent", "--suite", "bearssl"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    for kind in ["emulated, by --emulate: ", "quoted: POWER8: "] {
        assert!(stdout.contains(&format!("bearssl: {kind}")), "{stdout}");
    }
    assert_eq!(output.status.code(), Some(0));
    let (_, output) = bench(None, &["--list-absent", "--quick"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A folder with engines of the test's own, by name: scripts that have our program at hand.
#[cfg(target_os = "linux")]
fn scripts(engines: &[(&str, &str)]) -> TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_adamant");
    for (name, text) in engines {
        let path = folder.path().join(format!("adamant-engine-{name}"));
        fs::write(&path, format!("#!/bin/sh\nADAMANT='{program}'\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

/// The first row of a quick comparison with these engines, and what was said.
#[cfg(target_os = "linux")]
fn against(engines: &[(&str, &str)]) -> (serde_json::Value, String) {
    let folder = scripts(engines);
    let output = Command::new(env!("CARGO_BIN_EXE_adamant"))
        .current_dir(&folder)
        .env("ADAMANT_ENGINES", folder.path())
        .args([
            "bench",
            "--quick",
            "hkdf-sha256/derive",
            "--json",
            "run.json",
        ])
        .args(engines.iter().flat_map(|(name, _)| ["--engine", name]))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{stderr}");
    let run = fs::read_to_string(folder.path().join("run.json")).unwrap();
    let row = run.lines().nth(1).unwrap();
    (serde_json::from_str(row).unwrap(), stderr)
}

#[test]
#[cfg(target_os = "linux")]
fn programs_are_found_and_keep_their_names() {
    let (row, stderr) = against(&[("mine", "exec \"$ADAMANT\" engine self")]);
    assert_eq!(row["engine"], "mine", "{stderr}");
    assert!(
        row["engine_version"]
            .as_str()
            .unwrap()
            .starts_with("adamant ")
    );
    assert!(row["ratio_low"].as_f64() <= row["ratio_high"].as_f64());
    assert!(row["ours_cycles"].as_f64() > Some(0.0) && row["theirs_cycles"].as_f64() > Some(0.0));
}

#[test]
#[cfg(target_os = "linux")]
fn engines_killed_in_the_middle_are_told() {
    // Six replies: hello, list, check, and a few runs.
    let cut = "\"$ADAMANT\" engine self | { sed -u 6q; kill -9 $$; }";
    let (row, stderr) = against(&[("mine", cut)]);
    assert!(row.get("ratio").is_none() && row["ours_ns"].is_number());
    assert!(
        row["note"]
            .as_str()
            .unwrap()
            .contains("mine: it ended (signal: 9"),
        "{row}"
    );
    assert!(
        stderr.contains("hkdf-sha256/derive 32 B: mine: it ended"),
        "{stderr}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn engines_that_talk_nonsense_are_told() {
    let (row, stderr) = against(&[
        ("once", "echo nonsense; cat"),
        ("ever", "yes nonsense"),
        ("gone", "exit 7"),
        (
            "new",
            "sed -u 's/.*/{\"reply\":\"hello\",\"protocol\":9,\"name\":\"x\",\"version\":\"1\"}/'",
        ),
    ]);
    for why in [
        "once is left out: line 1 of its replies: expected ident: \"nonsense\"",
        "ever is left out: line 1 of its replies: expected ident: \"nonsense\"",
        "gone is left out: it ended (exit status: 7)",
        "new is left out: it speaks version 9 of the protocol, not 1",
    ] {
        assert!(stderr.contains(why), "{stderr}");
    }
    assert!(row["ours_ns"].is_number());
}

#[test]
fn engines_that_are_not_there_are_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("engines/some")).unwrap();
    fs::write(folder.path().join("engines/some/Cargo.toml"), "").unwrap();
    let run = |engine: &str| {
        Command::new(env!("CARGO_BIN_EXE_adamant"))
            .current_dir(&folder)
            .env_remove("ADAMANT_ENGINES")
            .args(["bench", "--quick", "hkdf-sha256/derive", "--engine", engine])
            .output()
            .unwrap()
    };
    let output = run("some-native");
    assert!(output.status.success());
    let stderr = String::from_utf8_lossy(&output.stderr);
    let manifest = Path::new("engines/some/Cargo.toml").display().to_string();
    let build = format!("-Ctarget-cpu=native cargo build --release --manifest-path {manifest}");
    assert!(
        stderr.contains("some-native is left out: it is not built; "),
        "{stderr}"
    );
    assert!(stderr.contains(&build), "{stderr}");

    let output = run("sone");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no engine is called \"sone\""));
}

#[test]
fn runs_are_compared_with_earlier_ones() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_adamant"))
            .current_dir(&folder)
            .args(["bench", "--quick", "hkdf-sha256/derive", "--engine", "self"])
            .args(arguments)
            .output()
            .unwrap()
    };
    assert!(run(&["--json", "run.json"]).status.success());
    let output = run(&["--baseline", "run.json"]);
    assert!(output.status.success());
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        stdout.contains("since 20") && stdout.contains("1 compared, "),
        "{stdout}"
    );

    fs::write(folder.path().join("other.json"), "{}\n").unwrap();
    for (file, why) in [
        ("no.json", "no.json: "),
        ("other.json", "not the file of a run"),
    ] {
        let output = run(&["--baseline", file]);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains(why));
    }
}

#[test]
fn engines_check_each_other() {
    let (_, output) = bench(
        None,
        &[
            "--cross-check",
            "hkdf-*",
            "ecdsa-p256/sign",
            "--engine",
            "self",
        ],
    );
    assert!(output.status.success());
    let stdout = String::from_utf8_lossy(&output.stdout);
    let row = stdout
        .lines()
        .find(|line| line.contains("hkdf-sha256/derive"));
    assert!(row.unwrap().ends_with("ok 1"), "{stdout}");
    assert!(stdout.contains("0 in doubt, 0 failed"), "{stdout}");
    let (_, output) = bench(None, &["--cross-check", "no/such", "--engine", "self"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_campaign_tells_engines_that_are_not_there_from_disagreement() {
    let campaign = |engine: &str| {
        let arguments = [
            "--cross-check",
            "hkdf-*",
            "--cases",
            "30",
            "--engine",
            "self",
        ];
        bench(None, &[&arguments[..], &["--engine", engine]].concat()).1
    };
    let output = campaign("self");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}");
    let row = stdout
        .lines()
        .find(|line| line.starts_with("all 3 cheap operations"));
    assert!(row.unwrap().ends_with(" 0"), "{stdout}");
    let output = campaign("./no/such");
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("./no/such is left out: "), "{stdout}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("all that took part agree"), "{stderr}");
}
