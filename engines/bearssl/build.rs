//! Finds `libbearssl.a`: in the folder that `BEARSSL_LIB` names, or where Debian puts it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const FILE: &str = "libbearssl.a";
const PACKAGE: &str = "libbearssl-dev";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=BEARSSL_LIB");
    let asked = env::var_os("BEARSSL_LIB").map(PathBuf::from);
    let folders = match &asked {
        Some(folder) => vec![folder.clone()],
        None => usual(),
    };
    let Some(folder) = folders.iter().find(|folder| folder.join(FILE).is_file()) else {
        let place = asked.map_or_else(
            || format!("install Debian's package {PACKAGE}, or name its folder with BEARSSL_LIB"),
            |folder| format!("BEARSSL_LIB names {}", folder.display()),
        );
        eprintln!("{FILE} is not there: {place}");
        std::process::exit(1);
    };
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=static=bearssl");
    println!(
        "cargo::rustc-env=BEARSSL_VERSION={}",
        version(folder, asked.is_some())
    );
    println!("cargo::rustc-env=BEARSSL_FOLDER={}", folder.display());
}

fn usual() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = ["/usr/local/lib", "/usr/lib", "/usr/lib64"]
        .map(PathBuf::from)
        .into();
    // Debian has a folder for each architecture.
    let entries = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    folders.extend(
        entries
            .map(|entry| entry.path())
            .filter(|path| path.is_dir()),
    );
    folders
}

/// That of the package: the library does not tell.
fn version(folder: &Path, asked: bool) -> String {
    let query = || {
        let output = Command::new("dpkg-query")
            .args(["-W", "-f", "${Version}", PACKAGE])
            .output();
        let text = String::from_utf8(output.ok()?.stdout).ok()?;
        (!asked && !text.is_empty()).then_some(text)
    };
    query().unwrap_or_else(|| format!("of {}", folder.display()))
}
