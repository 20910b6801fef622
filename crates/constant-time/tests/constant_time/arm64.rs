//! Secrets followed through the code for ARM64, in QEMU's emulator of programs: all rows but those for
//! narrower words, with every feature that the emulator has. It takes minutes: `.ci/deep follow-arm64`.

use crate::followed::{Followed, groups};
use adamant_testkit::build::Build;
use adamant_testkit::skipped;
use object::{Object, ObjectSymbol, SymbolKind};
use std::path::Path;
use std::process::Command;

const TARGET: &str = "aarch64-unknown-linux-musl";

static PROGRAM: Build = Build::with(
    env!("CARGO_MANIFEST_DIR"),
    ["--bin", "adamant-constant-time"],
    &["--features", "taint", "--target", TARGET],
);

static PLUGIN: Build = Build::with(
    concat!(env!("CARGO_MANIFEST_DIR"), "/../taint"),
    ["--example", "plugin"],
    &[],
);

/// Why secrets cannot be followed here.
fn missing() -> Option<&'static str> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Some("it is done on x86-64 under Linux");
    }
    let runs = |program: &mut Command| program.output().is_ok_and(|o| o.status.success());
    if !runs(Command::new("qemu-aarch64").arg("--version")) {
        return Some("no qemu-aarch64 here");
    }
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    let output = rustc
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .expect("rustc starts");
    let folder = String::from_utf8_lossy(&output.stdout);
    (!Path::new(folder.trim()).is_dir()).then_some("the target is not installed")
}

/// The program; none where it cannot be followed and need not.
fn program() -> Option<&'static Path> {
    if let Some(why) = missing() {
        skipped("following on ARM64", why, "ADAMANT_REQUIRE_FOLLOW_ARM64");
        return None;
    }
    Some(PROGRAM.program())
}

/// What it prints, and the plugin in between.
fn follow(group: &str) -> Option<Followed> {
    let program = program()?;
    let output = Command::new("qemu-aarch64")
        .env_remove("ADAMANT_CPU")
        .args(["-cpu", "max", "-plugin"])
        .arg(PLUGIN.program())
        .arg(program)
        .args(["--follow", group])
        .output()
        .expect("the emulator starts");
    let lines = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{group}: {lines}{errors}");
    assert!(lines.ends_with(" instructions\n"), "{group}: {lines}");
    Some(Followed::read(&lines))
}

groups!(follow { #[ignore = "takes minutes"] } cipher der dh ec hash hybrid pq rand rsa);

/// Parts of the symbols of functions that see nothing secret.
const PUBLIC: &[&str] = &[
    // What verifies: sums of multiples, and the tables for them.
    "_vartime",
    "14spec_from_elem", // Buckets of points.
    "curve255197arm_mul13odd_multiples",
    "curve255197arm_mul3add",
    "6kernel13odd_multiples",
    "curve4486kernel3add",
    "curve4486kernel9add_niels",
    "6ml_dsa8arm_neon8use_hint",
    // What reads public keys and ciphertexts.
    "curve255197arm_mul7pow_p58",
    "curve255195field2Fej2_3map", // The two numbers whose ratio is a square or not.
    "curve4487arm_mul17decompress_inside",
    "15has_small_order",
    "7arm_mul5field2FeE5twice",
    "5halveINtB1R_14Multiplication", // One with a mask of words there.
    "6ml_dsa8arm_neon12rej_ntt_poly",
    "6ml_kem8arm_neon10decompress",
    // What begins with a constant: where the same is done to a secret, it is part of its caller.
    "9arm_umull4baseNtB2_5Point3new",
    // What only calls functions that see all, or allocates for them.
    "3gcm8arm_neon4init",
    "5ghash7arm_aes6finish0",
    "3sm43gcm7arm_aes4open",
    "7gcm_siv7arm_aes4open",
    "7gcm_siv7arm_aes6expand",
    "7gcm_siv8arm_neon6expand",
    "3sm35lanes7arm_sm48compress",
    "6sha5125lanes8arm_sha38compress",
    "7slh_dsa4hash8arm_neon6hashes",
    "15multiscalar_muls_0EE9from_iter",
    // Copies for the way to a panic: what sees secrets is part of its callers.
    "5lanes8arm_neon4load",
    "6ml_kem8arm_neon10decode_ntt",
    // For public points: for others it is part of its callers.
    "curve255195group7arm_mul10sqrt_ratio",
];

/// Whether a symbol has a module of a row for ARM64 in its path: `arm_…`, after its length.
fn is_of_row(symbol: &str) -> bool {
    let mut names = symbol.match_indices("arm_");
    names.any(|(at, _)| symbol[..at].ends_with(|c: char| c.is_ascii_digit()))
}

#[test]
#[ignore = "takes minutes"]
fn secrets_went_through_every_kernel() {
    let Some(program) = program() else {
        return;
    };
    let bytes = std::fs::read(program).expect("the program");
    let file = object::File::parse(&*bytes).expect("a program");
    let functions = file
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0);
    let rows = functions
        .filter_map(|symbol| symbol.name().ok())
        .filter(|name| is_of_row(name) && !name.contains("8controls"));
    let rows: Vec<_> = rows.collect();
    assert!(rows.len() > 200, "{rows:#?}");
    GROUPS.check_functions(rows.into_iter(), PUBLIC);
}

#[test]
#[ignore = "takes minutes"]
fn planted_leaks_are_found() {
    let Some(followed) = follow("control") else {
        return;
    };
    // A file is a part of the symbol: each name of the path after its length.
    followed.check_planted(30, |leak, file| {
        let (_, path) = file.split_once("/src/").expect("a file of a crate");
        let symbol: String = path
            .split('/')
            .map(|name| format!("{}{name}", name.len()))
            .collect();
        leak.contains(&symbol)
    });
}
