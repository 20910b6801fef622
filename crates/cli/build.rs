//! In release builds, where the linker can: equal functions are in the program once, whichever crates
//! they come from.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Instances of generics differ only by their types, and each crate has its own of those of the
/// standard library. Functions whose address is asked for stay apart.
const FOLD: &str = "-Wl,--icf=safe";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name, value| env::var(name).is_ok_and(|found| found == value);
    let asked = is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux");
    if asked && links_with(FOLD).unwrap_or(false) {
        println!("cargo::rustc-link-arg-bins={FOLD}");
    }
}

/// Whether an empty program is linked with this option; the compiler's own linker and others know it,
/// that of GNU does not.
fn links_with(option: &str) -> Option<bool> {
    let program = PathBuf::from(env::var_os("OUT_DIR")?).join("probe");
    let source = program.with_extension("rs");
    std::fs::write(&source, "fn main() {}\n").ok()?;
    let mut rustc = Command::new(env::var_os("RUSTC")?);
    rustc.args(["--target", &env::var("TARGET").ok()?]);
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    rustc.arg(format!("-Clink-arg={option}"));
    rustc.arg(&source).arg("-o").arg(&program);
    let done = rustc.stdout(Stdio::null()).stderr(Stdio::null()).status();
    Some(done.ok()?.success())
}
