//! Builds Botan as `botan-src` brings it, once, and the operations in C++ against it.

use std::env;
use std::path::PathBuf;

const FILES: [&str; 5] = [
    "cpp/engine.cpp",
    "cpp/hashes.cpp",
    "cpp/ciphers.cpp",
    "cpp/signatures.cpp",
    "cpp/exchange.cpp",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=cpp");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let build = out.join("botan-build");
    if !build.join("libbotan-3.a").exists() {
        botan_src::build();
    }
    cc::Build::new()
        .cpp(true)
        .std("c++20")
        .include(build.join("build/include/public"))
        .files(FILES)
        .compile("adamant_botan");
    println!("cargo::rustc-link-search=native={}", build.display());
    println!("cargo::rustc-link-lib=static=botan-3");
}
