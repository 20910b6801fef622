//! The program in a folder of its own.

// Not every test takes all of it.
#![allow(dead_code)]

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Whether this process ignores a signal, and with it every program that it starts: as in the
/// background of some shells. What shows how the signal ends a program is skipped then, and says so.
#[cfg(unix)]
pub(crate) fn ignores(signal: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let ignored = mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1);
    if ignored {
        let what = format!("the end by signal {signal}");
        let why = "it is ignored where the tests were started";
        adamant_testkit::skipped(&what, why, "ADAMANT_REQUIRE_SIGNALS");
    }
    ignored
}

/// A program in a folder, with this on standard input.
pub(crate) fn run(command: &mut Command, folder: &TempDir, input: &[u8]) -> Output {
    let mut child = command
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // A program that reads nothing closes its input.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap()
    })
}

/// `adamant` in a folder, with a password and this on standard input.
pub(crate) fn adamant_with(
    folder: &TempDir,
    password: Option<&str>,
    input: &[u8],
    args: &[&str],
) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adamant"));
    command.args(args).env_remove("ADAMANT_PASSWORD");
    if let Some(password) = password {
        command.env("ADAMANT_PASSWORD", password);
    }
    run(&mut command, folder, input)
}

pub(crate) fn adamant(folder: &TempDir, args: &[&str]) -> Output {
    adamant_with(folder, None, b"", args)
}

/// Standard output of a run that must succeed and complain of nothing.
pub(crate) fn stdout(output: Output) -> Vec<u8> {
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors, "");
    output.stdout
}

/// Standard output and standard error of a run that must fail with this exit code.
pub(crate) fn failure(output: Output, code: i32) -> (Vec<u8>, String) {
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{errors}");
    (output.stdout, errors)
}

/// The names of the files there, hidden ones too, but for these.
pub(crate) fn names(folder: &TempDir, without: &[&str]) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<_> = entries.map(|e| name(e).into_string().unwrap()).collect();
    names.retain(|name| !without.contains(&&**name));
    names.sort();
    names
}
