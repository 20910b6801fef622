//! The build script of the engines whose library is a crate: it tells the program which versions
//! its lockfile holds and how it is built.
//!
//! | variable | holds |
//! |---|---|
//! | `ENGINE_SUFFIX` | `-native` where the code is for the CPU it is built on, else nothing |
//! | `ENGINE_VERSIONS` | the direct dependencies with their versions; of a library that is built from a `checkout`, its commit too |
//! | `ENGINE_BUILD` | the compiler and its flags |

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=Cargo.lock");
    println!("cargo::rerun-if-changed=Cargo.toml");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let flags: Vec<&str> = flags
        .split('\x1f')
        .filter(|flag| !flag.is_empty())
        .collect();
    let native = flags.iter().any(|flag| flag.contains("target-cpu=native"));
    let suffix = if native { "-native" } else { "" };
    println!("cargo::rustc-env=ENGINE_SUFFIX={suffix}");

    let manifest = fs::read_to_string("Cargo.toml").expect("the manifest is here");
    let lock = fs::read_to_string("Cargo.lock").expect("the lockfile is here");
    let mut versions = versions(&manifest, &lock);
    if Path::new("checkout").exists() {
        versions.push(commit());
    }
    println!("cargo::rustc-env=ENGINE_VERSIONS={}", versions.join(", "));

    let level = env::var("OPT_LEVEL").unwrap_or_default();
    let profile = env::var("PROFILE").unwrap_or_default();
    let mut build = format!("{}, opt-level={level}", compiler());
    if profile == "release" {
        build += ", lto=fat, codegen-units=1";
    }
    for flag in flags {
        build += ", ";
        build += flag;
    }
    println!("cargo::rustc-env=ENGINE_BUILD={build}");
}

/// `rustc 1.95.0`, without the commit.
fn compiler() -> String {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let text = told(Command::new(rustc).arg("--version"));
    text.split_whitespace()
        .take(2)
        .collect::<Vec<_>>()
        .join(" ")
}

/// That of the library's checkout, if it is a clone.
fn commit() -> String {
    println!("cargo::rerun-if-changed=checkout/.git/HEAD");
    let git = ["-C", "checkout", "log", "-1", "--format=%h of %cs"];
    match told(Command::new("git").args(git)).trim() {
        "" => "no commit".into(),
        commit => format!("commit {commit}"),
    }
}

/// What the program writes, or nothing.
fn told(command: &mut Command) -> String {
    command.output().map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

/// The dependencies of the manifest, as the lockfile has them. What only serves the engine itself
/// is left out.
fn versions(manifest: &str, lock: &str) -> Vec<String> {
    let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let lines = section
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(" = ").next());
    let names = names
        .filter(|name| !name.is_empty() && !["adamant-engine", "getrandom", "rand"].contains(name));
    names
        .map(|name| {
            let start = format!("name = \"{name}\"\nversion = \"");
            let version = lock
                .split(&start)
                .nth(1)
                .and_then(|rest| rest.split('"').next());
            format!("{name} {}", version.unwrap_or("of an unknown version"))
        })
        .collect()
}
