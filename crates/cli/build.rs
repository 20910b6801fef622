//! Has the linker put functions of the same code together in an optimised program, if it can
//! (`--icf`, which lld, gold and mold know): every twelfth byte of its code is there twice. Nothing
//! compares addresses of functions.

use std::env;
use std::path::Path;
use std::process::Command;

const FOLD: &str = "-Wl,--icf=all";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |variable: &str, value: &str| env::var(variable).is_ok_and(|it| it == value);
    let optimised = !is("OPT_LEVEL", "0");
    let native = env::var("HOST").ok() == env::var("TARGET").ok();
    if optimised && native && is("CARGO_CFG_TARGET_OS", "linux") && links() {
        println!("cargo:rustc-link-arg-bins={FOLD}");
    }
}

/// Whether an empty program links with the option.
fn links() -> bool {
    let out = env::var("OUT_DIR").unwrap();
    let source = Path::new(&out).join("empty.rs");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let mut rustc = Command::new(env::var("RUSTC").unwrap());
    rustc
        .args(flags.split('\x1f').filter(|flag| !flag.is_empty()))
        .arg(format!("-Clink-arg={FOLD}"))
        .args(["--crate-name", "empty", "--out-dir", &out])
        .arg(&source);
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    std::fs::write(&source, "fn main() {}\n").is_ok()
        && rustc.output().is_ok_and(|output| output.status.success())
}
