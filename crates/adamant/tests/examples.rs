//! The examples do what they say: each runs, and the one that reads files hashes one.

use std::path::PathBuf;
use std::process::Command;

/// The program that `cargo test` has built of an example.
fn program(name: &str) -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let profile = tests.ancestors().nth(2).unwrap();
    let program = profile.join("examples").join(name);
    assert!(
        program
            .with_extension(std::env::consts::EXE_EXTENSION)
            .exists(),
        "{} is not built: `cargo build -p adamant --examples --features own` builds it",
        program.display()
    );
    program
}

#[track_caller]
fn run(name: &str, arguments: &[&str]) -> String {
    let output = Command::new(program(name))
        .args(arguments)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_example_runs() {
    let listed = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap();
    let names = listed.map(|file| file.unwrap().path());
    let names = names.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    let names: Vec<_> = names.filter(|name| name != "hash_file").collect();
    assert!(names.len() >= 9, "{names:?}");
    for name in names {
        assert!(!run(&name, &[]).is_empty(), "{name} says nothing");
    }
}

#[test]
fn a_file_is_hashed() {
    let file = std::env::temp_dir().join(format!("adamant-example-{}", std::process::id()));
    std::fs::write(&file, b"abc").unwrap();
    let output = run("hash_file", &[file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    assert!(
        output.starts_with("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  "),
        "{output}"
    );
}
