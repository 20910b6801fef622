//! Finds `libcrypto_mb.a` in the folder that `CRYPTO_MB_LIB` names.

use std::env;
use std::path::PathBuf;

const FILE: &str = "libcrypto_mb.a";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CRYPTO_MB_LIB");
    let Some(folder) = env::var_os("CRYPTO_MB_LIB").map(PathBuf::from) else {
        eprintln!(
            "CRYPTO_MB_LIB has to name the folder of {FILE}: it is data/lib of the Python wheel \
             that pip download ipp-crypto-static gives, which is a zip file"
        );
        std::process::exit(1);
    };
    if !folder.join(FILE).is_file() {
        eprintln!(
            "{FILE} is not in {}, which CRYPTO_MB_LIB names",
            folder.display()
        );
        std::process::exit(1);
    }
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("x86_64") {
        eprintln!("{FILE} is only for x86-64");
        std::process::exit(1);
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=static=crypto_mb");
}
