//! Secrets followed through the code for ARM64, in QEMU's emulator of programs: all rows but those for
//! narrower words, with every feature that the emulator has. It takes minutes: `.ci/deep follow-arm64`.

use adamant_testkit::build::Build;
use adamant_testkit::skipped;
use std::collections::BTreeMap;
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
    (!std::path::Path::new(folder.trim()).is_dir()).then_some("the target is not installed")
}

/// What the program prints, and the plugin in between; none where it cannot be followed and need not.
fn run(group: &str) -> Option<Vec<String>> {
    if let Some(why) = missing() {
        skipped("following on ARM64", why, "ADAMANT_REQUIRE_FOLLOW_ARM64");
        return None;
    }
    let output = Command::new("qemu-aarch64")
        .env_remove("ADAMANT_CPU")
        .args(["-cpu", "max", "-plugin"])
        .arg(PLUGIN.program())
        .arg(PROGRAM.program())
        .args(["--follow", group])
        .output()
        .expect("the emulator starts");
    let lines = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{group}: {lines}{errors}");
    assert!(lines.ends_with(" instructions\n"), "{group}: {lines}");
    Some(lines.lines().map(str::to_owned).collect())
}

/// What leaked, by the names of operations.
fn leaks(lines: &[String]) -> BTreeMap<&str, Vec<String>> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut last = "the start";
    for line in lines {
        if let Some(name) = line.strip_prefix("operation: ") {
            last = name;
            found.entry(name).or_default();
        } else if !line.starts_with("followed: ") && !line.ends_with(" instructions") {
            found.entry(last).or_default().push(line.clone());
        }
    }
    found
}

/// Nothing leaks in these groups.
macro_rules! clean {
    ($($group:ident)*) => { $(
        #[test]
        #[ignore = "takes minutes"]
        fn $group() {
            let Some(lines) = run(stringify!($group)) else {
                return;
            };
            let found = leaks(&lines);
            assert!(!found.is_empty(), "no operation was followed: {lines:#?}");
            for (name, leaks) in found {
                assert!(leaks.is_empty(), "{name}: {}", leaks.join("\n"));
            }
        }
    )* };
}

// Of `der` a check of UTF-8 looks at the top bits of characters of base64, which are no secret; the
// state has no bits.
clean!(cipher dh ec hash hybrid pq rand rsa);

#[test]
#[ignore = "takes minutes"]
fn planted_leaks_are_found() {
    let Some(lines) = run("control") else {
        return;
    };
    let found = leaks(&lines);
    let named = found
        .iter()
        .filter_map(|(name, leaks)| Some((name.strip_prefix("control: ")?, leaks.clone())));
    let found: BTreeMap<&str, Vec<String>> = named.collect();
    assert!(found.len() >= 30, "{lines:#?}");
    // A file is a part of the symbol: each name of the path after its length.
    crate::check_planted(&found, |leak, file| {
        let (_, path) = file.split_once("/src/").expect("a file of a crate");
        let symbol: String = path
            .split('/')
            .map(|name| format!("{}{name}", name.len()))
            .collect();
        leak.contains(&symbol)
    });
}
