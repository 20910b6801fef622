//! Links the `libkctsb.a` in the folder that `KCTSB_LIB` names; `build.sh` makes it.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=KCTSB_LIB");
    println!("cargo::rerun-if-env-changed=KCTSB_COMMIT");
    let folder = env::var("KCTSB_LIB").unwrap_or_default();
    let library = Path::new(&folder).join("libkctsb.a");
    if folder.is_empty() || !library.is_file() {
        eprintln!("KCTSB_LIB names no folder with libkctsb.a; engines/kctsb/build.sh makes one");
        std::process::exit(1);
    }
    println!("cargo::rerun-if-changed={}", library.display());
    println!("cargo::rustc-link-search=native={folder}");
    println!("cargo::rustc-link-lib=static=kctsb");
    println!("cargo::rustc-link-lib=stdc++");
    let commit = env::var("KCTSB_COMMIT").unwrap_or_else(|_| "of an unknown commit".into());
    println!("cargo::rustc-env=KCTSB_COMMIT={commit}");
}
