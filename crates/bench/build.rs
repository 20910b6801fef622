//! Tells the crate which compiler builds it and how, for the machine's description.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok());
    let version = version.as_deref().map_or("unknown", str::trim);
    println!("cargo::rustc-env=ADAMANT_RUSTC={version}");

    let var = |name| env::var(name).unwrap_or_default();
    let mut build = format!("{}, {}", var("TARGET"), var("PROFILE"));
    let flags = var("CARGO_ENCODED_RUSTFLAGS").replace('\x1f', " ");
    if !flags.is_empty() {
        build = format!("{build}, {flags}");
    }
    println!("cargo::rustc-env=ADAMANT_BUILD={build}");
    println!("cargo::rerun-if-changed=build.rs");
}
