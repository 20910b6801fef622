//! Secrets followed through the rows that Valgrind cannot run.

use crate::BUILD;
use adamant_testkit::skipped;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::OnceLock;

/// What was followed, and what leaked.
struct Followed {
    functions: BTreeSet<String>,
    leaks: Vec<String>,
}

/// What the program prints; none where it cannot follow and need not.
fn run(arguments: &[&str]) -> Option<Vec<String>> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        let why = "it reads the code of x86-64, on Linux, alone";
        skipped("following", why, "ADAMANT_REQUIRE_FOLLOW");
        return None;
    }
    let mut program = Command::new(BUILD.program());
    let output = program
        .args(arguments)
        .output()
        .expect("the program starts");
    let lines = String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(0 | 99) => Some(lines.lines().map(str::to_owned).collect()),
        Some(77) => {
            skipped("following", lines.trim(), "ADAMANT_REQUIRE_FOLLOW");
            None
        }
        _ => panic!("{arguments:?}: {output:?}"),
    }
}

fn follow(group: &str) -> Option<Followed> {
    let mut followed = Followed {
        functions: BTreeSet::new(),
        leaks: vec![],
    };
    for line in run(&["--follow", group])? {
        if let Some(function) = line.strip_prefix("followed: ") {
            followed.functions.insert(function.to_owned());
        } else if !line.ends_with(" instructions") {
            followed.leaks.push(line);
        }
    }
    Some(followed)
}

/// Each group is followed once. Of `der` no row is beyond Valgrind, which, bit by bit, sees that
/// the top bit of a character of base64 is none of its secret.
macro_rules! follow {
    ($($group:ident)*) => {
        $(
            #[test]
            fn $group() {
                if let Some(followed) = once(stringify!($group)) {
                    assert!(followed.leaks.is_empty(), "{}", followed.leaks.join("\n"));
                }
            }
        )*

        fn once(group: &str) -> Option<&'static Followed> {
            $(
                static $group: OnceLock<Option<Followed>> = OnceLock::new();
                if group == stringify!($group) {
                    return $group.get_or_init(|| follow(group)).as_ref();
                }
            )*
            panic!("no group {group}")
        }

        const GROUPS: &[&str] = &[$(stringify!($group)),*];
    };
}

#[allow(non_upper_case_globals)]
mod groups {
    use super::*;
    follow!(cipher dh ec hash hybrid pq rand rsa);
    pub(super) fn all() -> Option<BTreeSet<&'static String>> {
        let all: Option<Vec<_>> = GROUPS.iter().map(|group| once(group)).collect();
        Some(
            all?.iter()
                .flat_map(|followed| &followed.functions)
                .collect(),
        )
    }
}

/// Functions of rows that see nothing secret: what verifies, and what reads public keys.
const PUBLIC: &[&str] = &[
    "_vartime",
    "sample_ntt",
    "rej_ntt_poly",
    "use_hint",
    "simple_bit_unpack",
];

/// Functions of rows that no operation was seen to give a secret, or of which the compiler made
/// copies where they are called: the scan of the assembly has the kernels of these.
const UNSEEN: &[&str] = &[
    "3desNtNtB9_7backend7Backend14decrypt_blocks",
    "3desNtNtB9_7backend7Backend14encrypt_blocks",
    "6ml_dsa4polyNtNtB9_7backend7Backend5scale",
    "6ml_kem4polyNtNtB9_7backend7Backend",
    "6sha2566chainsNtNtB9_7backend7Backend3run",
    "6x25519NtNtB9_7backend7Backend16mul_base_u_batch",
    "8curve448NtNtB9_7backend7Backend12ladder_batch",
    "8curve448NtNtB9_7backend7Backend14mul_base_batch",
];

#[test]
fn secrets_went_through_every_row() {
    let Some(rows) = run(&["--rows"]) else {
        return;
    };
    let Some(followed) = groups::all() else {
        return;
    };
    let missed = rows.iter().filter(|row| !followed.contains(row));
    let known = PUBLIC.iter().chain(UNSEEN);
    let missed = missed.filter(|row| !known.clone().any(|known| row.contains(known)));
    let missed: Vec<_> = missed.collect();
    assert!(rows.len() > 40, "{rows:?}");
    assert!(missed.is_empty(), "{missed:#?}");
}

/// What each control's name begins with is found; nothing in those that are clean.
#[test]
fn planted_leaks_are_found() {
    let Some(lines) = run(&["--follow", "control"]) else {
        return;
    };
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in &lines {
        let Some((name, what)) = line
            .strip_prefix("control: ")
            .and_then(|l| l.split_once(": "))
        else {
            continue;
        };
        let leaks = found.entry(name).or_default();
        if let Some((leak, _)) = what.split_once(" at ") {
            leaks.push(leak);
        }
    }
    assert!(found.len() >= 17, "{lines:#?}");
    for (name, leaks) in found {
        match name.split(' ').next() {
            Some("clean") => assert!(leaks.is_empty(), "{name}: {leaks:?}"),
            leak => assert!(leaks.iter().any(|l| Some(*l) == leak), "{name}: {leaks:?}"),
        }
    }
}
