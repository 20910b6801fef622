//! The program's `enc` and `dec`.

use std::fs;
#[cfg(unix)]
use std::io::Write;
#[cfg(unix)]
use std::process::{Command, Stdio};

use hex_literal::hex;
use tempfile::TempDir;

use crate::common::{self, adamant, adamant_with, failure, stdout};

const HEADER: usize = 63;
const SEALED: usize = (1 << 16) + 16;

/// A folder with a key file, a password file and these files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let key: [u8; 32] = core::array::from_fn(|i| 100 + i as u8);
    for (name, content) in [
        ("key", &key[..]),
        ("password", b"correct horse\nsecond line"),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// The names of the files there but for the key and the password.
fn names(folder: &TempDir) -> Vec<String> {
    common::names(folder, &["key", "password"])
}

/// Waits for what another process does.
#[cfg(unix)]
fn until(done: impl Fn() -> bool, otherwise: &str) {
    let start = std::time::Instant::now();
    while !done() {
        assert!(start.elapsed().as_secs() < 60, "{otherwise}");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * i % 251) as u8).collect()
}

#[test]
fn round_trips() {
    for cipher in ["aes-256-gcm", "chacha20-poly1305"] {
        for len in [0, 1, 65535, 65536, 65537, 131072, 300_000] {
            let text = text(len);
            let folder = folder(&[("text", &text)]);
            let args = ["enc", "text", "--key-file", "key", "--cipher", cipher];
            assert_eq!(stdout(adamant(&folder, &args)), b"");
            let sealed = fs::read(folder.path().join("text.adamant")).unwrap();
            assert_eq!(sealed.len(), HEADER + len + 16 * len.div_ceil(65536).max(1));
            fs::remove_file(folder.path().join("text")).unwrap();
            assert_eq!(
                stdout(adamant(&folder, &["dec", "text.adamant", "-k", "key"])),
                b""
            );
            assert!(
                fs::read(folder.path().join("text")).unwrap() == text,
                "{cipher} {len}"
            );
            assert_eq!(names(&folder), ["text", "text.adamant"]);
        }
    }
}

#[test]
fn standard_streams() {
    let (folder, text) = (folder(&[]), text(200_000));
    let enc = ["enc", "--memory", "1", "-p", "password"];
    let sealed = stdout(adamant_with(&folder, None, &text, &enc));
    assert_ne!(
        sealed,
        stdout(adamant_with(&folder, None, &text, &enc)),
        "no new salt"
    );
    // The same password from the environment.
    let password = Some("correct horse");
    assert!(stdout(adamant_with(&folder, password, &sealed, &["dec"])) == text);
    assert!(
        stdout(adamant_with(
            &folder,
            password,
            &sealed,
            &["dec", "-", "-o", "-"]
        )) == text
    );
    stdout(adamant_with(
        &folder,
        password,
        &sealed,
        &["dec", "-", "-o", "out"],
    ));
    assert!(fs::read(folder.path().join("out")).unwrap() == text);
    assert_eq!(names(&folder), ["out"]);
}

/// A header that asks for 64 passes over 1 GiB: refused before there is a password, and the
/// sentence says what to do.
#[test]
fn headers_that_ask_for_much() {
    let mut sealed = b"adamant\n\x01\x02\x01\x10".to_vec();
    for number in [1 << 20, 64, 64u32] {
        sealed.extend_from_slice(&number.to_be_bytes());
    }
    sealed.resize(HEADER + 16, 7);
    let folder = folder(&[("sealed", &sealed)]);
    let dec = ["dec", "sealed", "-o", "opened"];
    let (_, errors) = failure(adamant(&folder, &dec), 1);
    assert!(
        errors.contains("64 passes over 1024 MiB of memory"),
        "{errors}"
    );
    assert!(errors.contains("--max-work 64"), "{errors}");
    let one_less = [&dec[..], &["--max-work", "63"]].concat();
    failure(adamant_with(&folder, Some("x"), b"", &one_less), 1);
    assert_eq!(names(&folder), ["sealed"]);
    // Two passes over 1 GiB are within the bounds, and announced: nothing is derived without a
    // password.
    sealed[16..20].copy_from_slice(&2u32.to_be_bytes());
    fs::write(folder.path().join("sealed"), &sealed).unwrap();
    let (_, errors) = failure(adamant_with(&folder, Some(""), b"", &dec), 1);
    assert!(errors.contains("2 passes over 1024 MiB"), "{errors}");
}

/// With the costs that there are by default.
#[test]
fn passwords() {
    let folder = folder(&[("text", b"attack at dawn")]);
    let password = Some("correct horse");
    stdout(adamant_with(
        &folder,
        password,
        b"",
        &["enc", "text", "-o", "sealed"],
    ));
    let dec = ["dec", "sealed", "-o", "opened"];
    let (out, errors) = failure(adamant_with(&folder, Some("wrong horse"), b"", &dec), 1);
    assert_eq!(out, b"");
    assert!(errors.contains("wrong password"), "{errors}");
    let (_, errors) = failure(adamant(&folder, &[&dec[..], &["-k", "key"]].concat()), 1);
    assert!(errors.contains("a password, not a key file"), "{errors}");
    assert_eq!(names(&folder), ["sealed", "text"]);
    stdout(adamant_with(&folder, password, b"", &dec));
    assert_eq!(
        fs::read(folder.path().join("opened")).unwrap(),
        b"attack at dawn"
    );
    let (_, errors) = failure(adamant_with(&folder, Some(""), b"", &["enc", "text"]), 1);
    assert!(errors.contains("empty"), "{errors}");
    // There is no option for a password itself.
    failure(
        adamant(&folder, &["enc", "text", "--password", "correct horse"]),
        2,
    );
}

/// Made by the program in Python that the unit tests speak of.
#[test]
fn known_answers() {
    let by_password = hex!(
        "6164616d616e740a010101100000004000000002000000040001020304050607"
        "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1fa0a1a2a3a4a5a6b7"
        "c6e36d7b39e9657ce86c87cfb0ba642e8731f4c5c2f63621ef9aa8663f"
    );
    let by_key = hex!(
        "6164616d616e740a010200100000000000000000000000000001020304050607"
        "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1fa0a1a2a3a4a5a62c"
        "511b279a82cef645e03694f501572680596a160e547508eefda6321b04"
    );
    let folder = folder(&[]);
    for (sealed, args) in [
        (&by_password[..], ["dec", "--password-file", "password"]),
        (&by_key[..], ["dec", "--key-file", "key"]),
    ] {
        let opened = stdout(adamant_with(&folder, None, sealed, &args));
        assert_eq!(opened, b"attack at dawn");
    }
}

/// Files that version 0.1.0 made open, as they have to in every later version: what is under
/// `data/enc-1` is neither changed nor made again. A name says the cipher, where the key comes
/// from (of a password with MiB and passes), and how long the text is.
#[test]
fn files_of_the_first_version() {
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/enc-1");
    let mut sources = std::collections::BTreeSet::new();
    for entry in fs::read_dir(&kept).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let [cipher, source, len] = name.split('.').collect::<Vec<_>>()[..] else {
            continue; // the key and the password
        };
        let (option, secret) = match source {
            "key" => ("--key-file", kept.join("key")),
            _ => ("--password-file", kept.join("password")),
        };
        let folder = folder(&[]);
        let (sealed, secret) = (kept.join(&name), secret.to_str().unwrap());
        let args = ["dec", sealed.to_str().unwrap(), option, secret, "-o", "-"];
        let opened = stdout(adamant(&folder, &args));
        assert!(opened == text(len.parse().unwrap()), "{name}");
        sources.insert(format!("{cipher} {}", &source[..3]));
    }
    let all =
        ["aes-256-gcm", "chacha20-poly1305"].map(|c| [format!("{c} key"), format!("{c} pas")]);
    assert_eq!(sources, all.into_iter().flatten().collect(), "one is gone");
}

/// A changed bit anywhere in the header, in the first and in the last segment.
#[test]
fn changed_files() {
    let folder = folder(&[("text", &text(70_000))]);
    stdout(adamant(
        &folder,
        &["enc", "text", "-k", "key", "-o", "sealed"],
    ));
    let sealed = fs::read(folder.path().join("sealed")).unwrap();
    let places = (0..8 * HEADER).chain([HEADER, SEALED, sealed.len() - 1].map(|byte| 8 * byte));
    for bit in places {
        let mut changed = sealed.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(folder.path().join("changed"), &changed).unwrap();
        let args = ["dec", "changed", "-k", "key", "-o", "opened"];
        let (out, errors) = failure(adamant(&folder, &args), 1);
        assert!(
            out.is_empty() && errors.starts_with("error: "),
            "{bit} {errors}"
        );
        assert_eq!(names(&folder), ["changed", "sealed", "text"], "{bit}");
    }
}

/// A cut file leaves no output; standard output gets the segments that were authentic.
#[test]
fn cut_files() {
    let text = text(2 * 65536 + 1000);
    let folder = folder(&[("text", &text)]);
    stdout(adamant(
        &folder,
        &["enc", "text", "-k", "key", "-o", "sealed"],
    ));
    let sealed = fs::read(folder.path().join("sealed")).unwrap();
    for edge in [
        0,
        HEADER,
        HEADER + SEALED,
        HEADER + 2 * SEALED,
        sealed.len() - 1,
    ] {
        for len in [edge.saturating_sub(1), edge, edge + 1] {
            if len >= sealed.len() {
                continue;
            }
            fs::write(folder.path().join("cut"), &sealed[..len]).unwrap();
            let args = ["dec", "cut", "-k", "key", "-o", "opened"];
            let (_, errors) = failure(adamant(&folder, &args), 1);
            assert!(
                errors.contains("short") || errors.contains("cut"),
                "{errors}"
            );
            assert_eq!(names(&folder), ["cut", "sealed", "text"], "{len}");
            let piped = adamant_with(&folder, None, &sealed[..len], &["dec", "-k", "key"]);
            let (out, _) = failure(piped, 1);
            assert!(text.starts_with(&out) && out.len() % 65536 == 0, "{len}");
        }
    }
}

#[test]
fn refused_arguments() {
    let folder = folder(&[("text", b"text"), ("there", b"old"), ("short", b"0123")]);
    let key = ["-k", "key"];
    let with_key = |args: &[&str]| adamant(&folder, &[args, &key[..]].concat());
    // What exists stays, unless it may be replaced.
    let (_, errors) = failure(with_key(&["enc", "text", "-o", "there"]), 2);
    assert!(errors.contains("--force"), "{errors}");
    assert_eq!(fs::read(folder.path().join("there")).unwrap(), b"old");
    failure(with_key(&["enc", "text", "-o", "."]), 2);
    failure(with_key(&["enc", "missing"]), 1);
    failure(with_key(&["enc", "text", "-o", "no/such/folder"]), 1);
    failure(with_key(&["dec", "text"]), 1);
    stdout(with_key(&["enc", "text", "-o", "there", "--force"]));
    let (_, errors) = failure(with_key(&["dec", "there"]), 2);
    assert!(errors.contains("--output"), "{errors}");
    let (_, errors) = failure(adamant(&folder, &["dec", "there", "-o", "x"]), 1);
    assert!(errors.contains("--key-file"), "{errors}");
    let (_, errors) = failure(adamant(&folder, &["enc", "text", "-k", "short"]), 1);
    assert!(errors.contains("32 bytes"), "{errors}");
    failure(with_key(&["enc", "text", "-p", "password"]), 2);
    failure(with_key(&["enc", "text", "--memory", "8"]), 2);
    failure(adamant(&folder, &["enc", "text", "--memory", "1025"]), 2);
    assert_eq!(names(&folder), ["short", "text", "there"]);
}

/// A request to end leaves nothing behind, and ends the program as if it had never listened.
#[cfg(unix)]
#[test]
fn interrupted() {
    for (name, number) in [("HUP", 1), ("INT", 2), ("TERM", 15)] {
        if !common::ignores(number) {
            ends_by(name, number);
        }
    }
}

#[cfg(unix)]
fn ends_by(name: &str, number: u32) {
    use std::os::unix::process::ExitStatusExt;

    let folder = folder(&[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_adamant"))
        .current_dir(&folder)
        .args(["enc", "-k", "key", "-o", "sealed"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Two segments, the second of which is not whole: the program waits for more.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&text(100_000)).unwrap();
    // There, and so long that the first segment has been written.
    let sealed = |names: Vec<String>| {
        names.iter().any(|name| {
            let file = fs::metadata(folder.path().join(name));
            file.is_ok_and(|file| file.len() > 0)
        })
    };
    until(|| sealed(names(&folder)), "nothing is written");
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([format!("-{name}"), id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(
        child.wait().unwrap().signal(),
        Some(number as i32),
        "{name}"
    );
    assert_eq!(names(&folder), [""; 0]);
}

/// Whoever may read what is sealed may not read what is in it, nor what replaces another file.
#[cfg(unix)]
#[test]
fn opened_files_are_their_owners() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[("text", b"text"), ("there", b"old")]);
    let key = ["-k", "key"];
    let run = |args: &[&str]| stdout(adamant(&folder, &[args, &key[..]].concat()));
    run(&["enc", "text", "-o", "sealed"]);
    run(&["dec", "sealed", "-o", "opened"]);
    run(&["dec", "sealed", "-o", "there", "--force"]);
    for name in ["opened", "there"] {
        let data = fs::metadata(folder.path().join(name)).unwrap();
        assert_eq!(data.permissions().mode() & 0o777, 0o600, "{name}");
    }
}

/// A password is taken whole, or not at all.
#[test]
fn long_passwords() {
    let folder = folder(&[("text", b"text")]);
    let enc = ["enc", "-", "--memory", "1", "--passes", "1", "-p", "long"];
    for (line, end, taken) in [
        (4096, "", true),
        (4096, "\n", true),
        (4096, "\r\n", true),
        (4096, "\nmore", true),
        (4097, "", false),
        (4097, "\n", false),
        (10_000, "\nmore", false),
    ] {
        let password = "x".repeat(line);
        fs::write(folder.path().join("long"), format!("{password}{end}")).unwrap();
        let output = adamant_with(&folder, None, b"text", &enc);
        if !taken {
            let (out, errors) = failure(output, 1);
            assert!(
                out.is_empty() && errors.contains("more than 4096 bytes"),
                "{errors}"
            );
            continue;
        }
        let sealed = stdout(output);
        // All of it is the password.
        let opened = adamant_with(&folder, Some(&password), &sealed, &["dec"]);
        assert_eq!(stdout(opened), b"text", "{line} {end:?}");
        failure(
            adamant_with(&folder, Some(&password[1..]), &sealed, &["dec"]),
            1,
        );
    }
}

#[test]
fn a_directory_is_told() {
    let folder = folder(&[]);
    fs::create_dir(folder.path().join("here")).unwrap();
    for name in [".", "here"] {
        let (_, errors) = failure(adamant(&folder, &["enc", name, "-k", "key"]), 1);
        assert!(
            errors.starts_with(&format!("error: {name}: a directory")),
            "{errors}"
        );
    }
}

/// Nothing is asked or derived for an output that cannot be written.
#[test]
fn the_output_is_opened_first() {
    let folder = folder(&[("text", b"text")]);
    // With the other order the missing password file would be told.
    let args = ["enc", "text", "-o", "no/such/folder", "-p", "missing"];
    let (_, errors) = failure(adamant(&folder, &args), 1);
    assert!(errors.contains("no/such/folder"), "{errors}");
}

/// What a killed run leaves, the next one removes; what a running one has, it leaves.
#[cfg(unix)]
#[test]
fn killed() {
    let folder = folder(&[("text", b"text")]);
    let start = |output: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_adamant"))
            .current_dir(&folder)
            .args(["enc", "-k", "key", "-o", output])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.as_mut().unwrap().write_all(b"some").unwrap();
        child
    };
    let temporary = || {
        names(&folder)
            .iter()
            .filter(|name| name.starts_with('.'))
            .count()
    };
    let mut killed = start("first");
    until(|| temporary() == 1, "no temporary file");
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(temporary(), 1, "it is left");
    let left = names(&folder);
    // It goes, and that of the second run comes.
    let mut running = start("second");
    until(
        || names(&folder) != left && temporary() == 1,
        "what was left stays",
    );
    for _ in 0..3 {
        stdout(adamant(
            &folder,
            &["enc", "text", "-k", "key", "-o", "third", "-f"],
        ));
    }
    assert_eq!(temporary(), 1, "that of the second run is in use");
    drop(running.stdin.take());
    assert!(running.wait().unwrap().success());
    assert_eq!(names(&folder), ["second", "text", "third"]);
    // What has such a name and is no leftover of a file stays.
    fs::create_dir(folder.path().join(".adamant-x.tmp")).unwrap();
    fs::write(folder.path().join(".adamant-x"), b"").unwrap();
    fs::write(folder.path().join(".adamant-letters.tmp"), b"").unwrap();
    // Somebody else's file stays too: for that another owner has to be possible.
    let other = folder.path().join(".adamant-Abc123.tmp");
    fs::write(&other, b"").unwrap();
    if std::os::unix::fs::chown(&other, Some(12_345), None).is_err() {
        adamant_testkit::skipped(
            "files of another owner",
            "only root may make them",
            "ADAMANT_REQUIRE_OWNERS",
        );
        fs::remove_file(&other).unwrap();
    }
    stdout(adamant(
        &folder,
        &["enc", "text", "-k", "key", "-o", "third", "-f"],
    ));
    assert!(!other.exists() || fs::remove_file(&other).is_ok());
    let all = [
        ".adamant-letters.tmp",
        ".adamant-x",
        ".adamant-x.tmp",
        "second",
        "text",
        "third",
    ];
    assert_eq!(names(&folder), all);
}

/// The calls that put a file on the disk: of the file before it has its name, and of the folder
/// when it has.
#[cfg(target_os = "linux")]
#[test]
fn synced() {
    const CALLS: &str = r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <unistd.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        int fsync(int fd) {
            struct stat of;
            const char *what = "unknown";
            if (fstat(fd, &of) == 0) {
                what = S_ISDIR(of.st_mode) ? "folder" : of.st_size > 0 ? "file" : "empty";
            }
            FILE *log = fopen(getenv("CALLS"), "a");
            fprintf(log, "%s %s\n", what, access(getenv("NAME"), F_OK) == 0 ? "named" : "unnamed");
            fclose(log);
            return syscall(SYS_fsync, fd);
        }
    "#;
    let folder = folder(&[("text", b"text"), ("calls.c", CALLS.as_bytes())]);
    let cc = Command::new("cc")
        .current_dir(&folder)
        .args(["-shared", "-fPIC", "-o", "calls.so", "calls.c"])
        .status();
    if !cc.is_ok_and(|status| status.success()) {
        adamant_testkit::skipped(
            "that files are synced",
            "there is no C compiler",
            "ADAMANT_REQUIRE_CC",
        );
        return;
    }
    let log = folder.path().join("log");
    for (name, args) in [
        ("sealed", &["enc", "text", "-k", "key"][..]),
        ("opened", &["dec", "sealed", "-k", "key"]),
        ("key.pem", &["genkey", "ed25519"]),
        ("key.pub", &["pkey", "key.pem", "--public"]),
        ("signature", &["sign", "-k", "key.pem", "text"]),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_adamant"));
        command.args(args).args(["-o", name]).env("CALLS", &log);
        command.env("NAME", folder.path().join(name));
        command.env("LD_PRELOAD", folder.path().join("calls.so"));
        stdout(common::run(&mut command, &folder, b""));
        let calls = fs::read_to_string(&log).unwrap_or_default();
        assert_eq!(calls, "file unnamed\nfolder named\n", "{args:?}");
        fs::remove_file(&log).unwrap();
    }
}

/// No core dump has what a program with keys had in memory.
#[cfg(target_os = "linux")]
#[test]
fn no_core_dumps() {
    use std::os::unix::process::ExitStatusExt;
    let folder = folder(&[]);
    let abort = |script: &str| {
        let mut shell = Command::new("sh");
        let shell = shell.current_dir(&folder).arg("-c").arg(script);
        let child = shell.stdin(Stdio::piped()).spawn();
        child.unwrap()
    };
    let unlimited = "ulimit -c unlimited 2>/dev/null; exec";
    let program = env!("CARGO_BIN_EXE_adamant");
    let dumps = |script: &str, file: Option<&str>| {
        let mut child = abort(&format!("{unlimited} {script}"));
        let there = || file.is_none_or(|file| names(&folder).iter().any(|n| n.contains(file)));
        until(there, "it does not run");
        // A moment for `exec`.
        std::thread::sleep(std::time::Duration::from_millis(200));
        let id = child.id().to_string();
        let _ = Command::new("kill").args(["-ABRT", &id]).status();
        child.wait().unwrap().core_dumped()
    };
    if !dumps("sleep 60", None) {
        adamant_testkit::skipped(
            "core dumps",
            "the system makes none here",
            "ADAMANT_REQUIRE_CORES",
        );
        return;
    }
    let enc = format!("{program} enc -k key -o sealed");
    assert!(!dumps(&enc, Some(".adamant-")));
}
