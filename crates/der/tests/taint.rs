//! Base64 of secrets under Valgrind's Memcheck, which reports branches and addresses that depend
//! on them: `cargo test -p adamant-der --features taint --test taint` (x86-64, with Valgrind).
#![cfg(all(feature = "taint", target_arch = "x86_64"))]

use adamant_base::ct;
use adamant_der::{Writer, base64, parse};
use std::process::Command;

const CHILD: &str = "ADAMANT_TAINT_CHILD";
const REPORTED: i32 = 99;

/// Runs a test of this file under Memcheck and returns its exit status.
fn memcheck(test: &str) -> Option<i32> {
    let status = Command::new("valgrind")
        .args(["--quiet", &format!("--error-exitcode={REPORTED}")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--test-threads=1"])
        .env(CHILD, "1")
        .status();
    status.expect("valgrind starts").code()
}

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

#[test]
fn base64_and_contents() {
    if !is_child() {
        assert_eq!(memcheck("base64_and_contents"), Some(0));
        return;
    }
    for length in (0..20).chain([47, 48, 49, 100]) {
        let octets: Vec<u8> = (0..length).map(|i: u8| i.wrapping_mul(37)).collect();
        ct::mark_secret(&octets);
        let text = base64::encode(&octets).into_bytes();

        // Padding is public, the rest is decoded as a secret.
        ct::mark_public(&text);
        let characters = text.iter().take_while(|&&c| c != b'=').count();
        ct::mark_secret(&text[..characters]);
        let decoded = base64::decode(&text).unwrap();

        let mut w = Writer::with_capacity(200);
        w.octet_string(&decoded);
        let der = w.finish();
        let read = parse(&der, |r| r.octet_string()).unwrap();
        ct::mark_public(read);
        ct::mark_public(&octets);
        assert_eq!(read, octets);
    }
}

/// The check itself works: a branch on a secret is reported.
#[test]
fn a_leak_is_reported() {
    if !is_child() {
        assert_eq!(memcheck("a_leak_is_reported"), Some(REPORTED));
        return;
    }
    let secret = vec![7; 16];
    ct::mark_secret(&secret);
    if secret.contains(&b'A') {
        println!("found");
    }
}
