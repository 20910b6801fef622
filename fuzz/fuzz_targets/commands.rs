//! Command lines of the program, one word a line, and patterns over names. No command runs.

#![no_main]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use adamant_tool::select::{matches, select};
use libfuzzer_sys::fuzz_target;

const NAMES: &[&str] = &[
    "sha256/digest",
    "ecdsa-p256/sign",
    "ecdsa-p256/sign_batch",
    "x25519",
];

fuzz_target!(|data: &[u8]| {
    let words: Vec<_> = data.split(|&octet| octet == b'\n').collect();
    let name = OsStr::new("adamant");
    let line = [name]
        .into_iter()
        .chain(words.iter().map(|word| OsStr::from_bytes(word)));
    if let Err(answer) = adamant_cli::understand(line) {
        assert!(!answer.is_empty());
    }

    let patterns: Vec<_> = words
        .iter()
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    match select(NAMES, &patterns) {
        Ok(chosen) => assert!(NAMES.iter().enumerate().all(|(i, name)| {
            chosen.contains(&i) == patterns.iter().any(|pattern| matches(pattern, name))
        })),
        Err(unmatched) => assert!(patterns.contains(&unmatched.pattern)),
    }
});
