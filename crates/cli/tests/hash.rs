//! The program's `hash`, beside the checksum programs of GNU coreutils where they are installed.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// `adamant hash` in a folder, with this on standard input.
fn hash_with(folder: &TempDir, input: &[u8], args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adamant"));
    run(command.current_dir(folder).arg("hash").args(args), input)
}

fn run(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that reads nothing closes its input.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn hash(folder: &TempDir, args: &[&str]) -> Output {
    hash_with(folder, b"", args)
}

/// Standard output of a run that must succeed and complain of nothing.
fn stdout(output: Output) -> String {
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors, "");
    String::from_utf8(output.stdout).unwrap()
}

/// Exit code, standard output and standard error of a run that must not succeed.
fn failure(output: Output) -> (i32, String, String) {
    let code = output.status.code().unwrap();
    assert_ne!(code, 0);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(output.stdout), text(output.stderr))
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[test]
fn known_answers() {
    // "abc" under each hash, as the standards give it.
    let answers = [
        ("md5", "900150983cd24fb0d6963f7d28e17f72"),
        ("sha1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "sha224",
            "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
        ),
        ("SHA256", ABC),
        (
            "sha512-256",
            "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23",
        ),
        (
            "sha3-256",
            "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
        ),
        (
            "sm3",
            "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0",
        ),
        (
            "blake2s-256",
            "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982",
        ),
        (
            "blake3",
            "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
        ),
    ];
    let folder = folder(&[("abc", b"abc")]);
    for (name, digest) in answers {
        let line = stdout(hash(&folder, &[name, "abc"]));
        assert_eq!(line, format!("{digest}  abc\n"), "{name}");
    }
}

#[test]
fn lengths_and_customization() {
    let folder = folder(&[]);
    let line = |args: &[&str], input: &[u8]| stdout(hash_with(&folder, input, args));
    // FIPS 202's SHAKE128 of the empty message; the sample of NIST for cSHAKE128.
    assert_eq!(line(&["shake128", "-l", "4"], b""), "7f9c2ba4  -\n");
    assert_eq!(
        line(&["shake128", "--tag"], b""),
        "SHAKE128 (-) = 7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26\n"
    );
    let args = [
        "cshake128",
        "--customization",
        "Email Signature",
        "--length",
        "4",
    ];
    assert_eq!(line(&args, &[0, 1, 2, 3]), "c1c36925  -\n");
    let (code, _, errors) = failure(hash(&folder, &["sha256", "--length", "4"]));
    assert!(code == 2 && errors.contains("32 bytes"), "{errors}");
    let (code, _, errors) = failure(hash(&folder, &["sha265"]));
    assert!(code == 2 && errors.contains("sha256"), "{errors}");
}

#[test]
fn standard_input_and_files_in_order() {
    let folder = folder(&[("a", b"abc"), ("b", b"")]);
    let abc = |args: &[&str]| stdout(hash_with(&folder, b"abc", args));
    assert_eq!(abc(&["sha256"]), format!("{ABC}  -\n"));
    let lines = abc(&["sha256", "b", "-", "a"]);
    assert_eq!(lines, format!("{EMPTY}  b\n{ABC}  -\n{ABC}  a\n"));
    let many = [&["sha256"][..], &["a", "b"].repeat(200)].concat();
    assert_eq!(
        abc(&many),
        format!("{ABC}  a\n{EMPTY}  b\n").repeat(200),
        "one line for each, in order"
    );
}

#[test]
fn what_cannot_be_read_is_told_and_passed_over() {
    let folder = folder(&[("a", b"abc")]);
    let (code, lines, errors) = failure(hash(&folder, &["sha256", "nowhere", "a", "."]));
    assert_eq!((code, lines), (1, format!("{ABC}  a\n")));
    let errors: Vec<_> = errors.lines().collect();
    assert!(errors[0].starts_with("error: nowhere: "), "{errors:?}");
    assert!(errors[1].starts_with("error: .: "), "{errors:?}");
    assert!(!errors[0].contains("os error"), "{errors:?}");
}

#[test]
fn check_tells_each_file() {
    let folder = folder(&[("a", b"abc"), ("b", b"abc")]);
    let check = |list: &str, options: &[&str]| {
        fs::write(folder.path().join("list"), list).unwrap();
        hash(&folder, &[&["sha256", "--check", "list"], options].concat())
    };
    let good = format!(
        "# digests\n\n{ABC}  a\nSHA256 (b) = {}\r\n",
        ABC.to_uppercase()
    );
    assert_eq!(stdout(check(&good, &[])), "a: OK\nb: OK\n");
    assert_eq!(stdout(check(&good, &["--quiet"])), "");
    assert_eq!(stdout(check(&good, &["--status"])), "");

    let wrong = format!("{EMPTY}  a\n{ABC} *b\n");
    let (code, lines, errors) = failure(check(&wrong, &[]));
    assert_eq!((code, lines.as_str()), (1, "a: FAILED\nb: OK\n"));
    assert_eq!(errors, "warning: 1 computed checksum did NOT match\n");
    let (code, lines, _) = failure(check(&wrong, &["--quiet"]));
    assert_eq!((code, lines.as_str()), (1, "a: FAILED\n"));
    assert_eq!(
        failure(check(&wrong, &["--status"])),
        (1, String::new(), String::new())
    );

    let missing = format!("{ABC}  a\n{ABC}  nowhere\n");
    let (code, lines, errors) = failure(check(&missing, &[]));
    assert_eq!(
        (code, lines.as_str()),
        (1, "a: OK\nnowhere: FAILED open or read\n")
    );
    assert!(
        errors.ends_with("warning: 1 listed file could not be read\n"),
        "{errors}"
    );
    assert_eq!(stdout(check(&missing, &["--ignore-missing"])), "a: OK\n");
    let none = format!("{ABC}  nowhere\n");
    let (code, _, errors) = failure(check(&none, &["--ignore-missing"]));
    assert_eq!(
        (code, errors.as_str()),
        (1, "error: list: no file was verified\n")
    );
}

#[test]
fn check_weighs_improper_lines() {
    let folder = folder(&[("a", b"abc")]);
    let check = |list: &str, options: &[&str]| {
        let args = [&["sha256", "--check"], options].concat();
        hash_with(&folder, list.as_bytes(), &args)
    };
    let list = format!("nonsense\n{ABC}  a\nMD5 (a) = 00\n");
    let output = check(&list, &["--warn"]);
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "warning: standard input: 1: improperly formatted SHA256 checksum line\n\
         warning: standard input: 3: improperly formatted SHA256 checksum line\n\
         warning: 2 lines are improperly formatted\n"
    );
    let (code, lines, _) = failure(check(&list, &["--strict"]));
    assert_eq!((code, lines.as_str()), (1, "a: OK\n"));
    for list in ["", "nonsense\n"] {
        let (code, _, errors) = failure(check(list, &[]));
        assert_eq!(code, 1);
        assert!(errors.contains("no properly formatted"), "{errors}");
    }
    let (code, _, errors) = failure(hash(&folder, &["sha256", "-c", "nowhere"]));
    assert!(
        code == 1 && errors.starts_with("error: nowhere: "),
        "{errors}"
    );
    let (code, ..) = failure(hash(&folder, &["sha256", "--quiet", "a"]));
    assert_eq!(code, 2, "--quiet is for --check");
}

/// The program where it runs, with this input.
fn other(program: &str, folder: &Path, args: &[&str]) -> Option<Output> {
    let mut command = Command::new(program);
    command.env("LC_ALL", "C").current_dir(folder).args(args);
    let found = Command::new(program).arg("--version").output();
    let gnu = found.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("GNU coreutils"));
    if !gnu {
        println!("{program} of GNU coreutils is not installed: not compared");
    }
    gnu.then(|| run(&mut command, b""))
}

const PROGRAMS: [(&str, &str); 7] = [
    ("md5sum", "md5"),
    ("sha1sum", "sha1"),
    ("sha224sum", "sha224"),
    ("sha256sum", "sha256"),
    ("sha384sum", "sha384"),
    ("sha512sum", "sha512"),
    ("b2sum", "blake2b-512"),
];

#[test]
fn coreutils_print_the_same() {
    // Lengths around the piece that is read at once.
    let long = vec![0x5a; (1 << 18) + 1];
    let folder = folder(&[
        ("empty", b""),
        ("with space", b"abc"),
        ("one short", &long[..(1 << 18) - 1]),
        ("exact", &long[..1 << 18]),
        ("long", &long),
    ]);
    let mut names = vec!["empty", "with space", "one short", "exact", "long"];
    // File systems elsewhere refuse such names.
    for name in ["back\\slash", "new\nline"] {
        if cfg!(unix) {
            fs::write(folder.path().join(name), name).unwrap();
            names.push(name);
        }
    }
    for (program, algorithm) in PROGRAMS {
        for options in [&[][..], &["--tag"], &["--binary"], &["--zero"]] {
            let Some(theirs) = other(program, folder.path(), &[options, &names].concat()) else {
                continue;
            };
            let ours = hash(&folder, &[&[algorithm], options, &names].concat());
            assert_eq!(stdout(ours), stdout(theirs), "{program} {options:?}");
        }
    }
}

#[test]
fn coreutils_and_ours_check_each_other() {
    let folder = folder(&[("a", b"abc"), ("b", b"")]);
    let mut names = vec!["a", "b"];
    if cfg!(unix) {
        fs::write(folder.path().join("new\nline"), "x").unwrap();
        names.push("new\nline");
    }
    for (program, algorithm) in PROGRAMS {
        for options in [&[][..], &["--tag"]] {
            let lines = stdout(hash(&folder, &[&[algorithm], options, &names].concat()));
            fs::write(folder.path().join("list"), lines).unwrap();
            let ours = stdout(hash(&folder, &[algorithm, "--check", "list"]));
            if let Some(theirs) = other(program, folder.path(), &["--check", "list"]) {
                assert_eq!(ours, stdout(theirs), "{program} {options:?}");
            }
        }
    }
}

#[test]
fn coreutils_judge_odd_lists_alike() {
    let folder = folder(&[("a", b"abc")]);
    let lists = [
        format!("{ABC} a\n"),
        format!("{ABC}  a\n{ABC} a\n"),
        format!(" \t{ABC} *a\n"),
        format!("SHA256(a)= {ABC}\n"),
        format!("{ABC}\n{ABC}  a\n"),
        format!("{ABC}0  a\n{ABC}  a"),
        format!("\\{ABC}  \\a\n{ABC}  a\n"),
        format!("{ABC}  a\n\n#\n {ABC}  nowhere\n"),
        format!("SHA1 (a) = {ABC}\n{EMPTY}  a\n"),
    ];
    for list in lists {
        fs::write(folder.path().join("list"), &list).unwrap();
        for options in [&["-c", "list"][..], &["-c", "list", "--strict", "--quiet"]] {
            let Some(theirs) = other("sha256sum", folder.path(), options) else {
                continue;
            };
            let ours = hash(&folder, &[&["sha256"], options].concat());
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
            assert_eq!(text(&ours.stdout), text(&theirs.stdout), "{list}");
            assert_eq!(ours.status.code(), theirs.status.code(), "{list}");
            let warnings = |bytes: &[u8]| text(bytes).to_lowercase().matches("warning").count();
            assert_eq!(warnings(&ours.stderr), warnings(&theirs.stderr), "{list}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = folder(&[("a", b"abc")]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_adamant"))
        .current_dir(&folder)
        .args(["hash", "sha256"])
        .args(["a"; 2000])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}
