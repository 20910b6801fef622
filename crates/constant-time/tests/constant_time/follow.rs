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
        let why = "it reads only the code of x86-64 on Linux";
        skipped("following", why, "ADAMANT_REQUIRE_FOLLOW");
        return None;
    }
    let mut program = Command::new(BUILD.program());
    if arguments.contains(&"control") {
        // Leaks are planted in code for this CPU, whatever is masked.
        program.env_remove("ADAMANT_CPU");
    }
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
            followed.functions.insert(counted(function).to_owned());
        } else if !line.ends_with(" instructions") {
            followed.leaks.push(line);
        }
    }
    Some(followed)
}

/// The function after a number of instructions.
fn counted(line: &str) -> &str {
    line.split_once(' ').expect("a count and a function").1
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

/// Parts of the symbols of functions that see nothing secret.
const PUBLIC: &[&str] = &[
    // What verifies: sums of multiples, and the tables for them.
    "_vartime",
    "7buckets6rights",
    "6verify13odd_multiples",
    "curve4488x86_ifma6single10add_cached",
    "curve4488x86_ifma6single5cache",
    "10x86_avx5128use_hint",
    // What reads public keys and ciphertexts.
    "10x86_avx51210sample_ntt",
    "10x86_avx51212rej_ntt_poly",
    "6ml_kem10x86_avx51210decompress",
    // Public points, and tables of their multiples.
    "11weierstrass11x86_ifma5125table",
    "11weierstrass11x86_ifma5124four9multiples",
    "_E5pointB8_", // Of `weierstrass::x86_ifma512::four::Steps`.
    "11weierstrass11x86_ifma5124four9add_entry",
    "11weierstrass11x86_ifma5126groups6points",
    "11weierstrass11x86_ifma5125batch9multiples",
    "11weierstrass11x86_ifma5125point",
    "11weierstrass11x86_ifma5126single5there",
    "11weierstrass11x86_ifma5126single7convert",
    "11weierstrass11x86_ifma5125field5limbs",
    "11x86_ifma_x85entry",
    "5pairs5pairs0",
    "5eight4join",
    // What only calls functions that see all, moves what they made, or wipes it.
    "17chacha20_poly1305NtNtB9_7backend7Backend4open4ROWS4open",
    "17chacha20_poly1305NtNtB9_7backend7Backend4seal4ROWS4seal",
    "9sm2p256v111x86_ifma51214mul_base_batch",
    "5lanesNtNtB9_7backend7Backend8compress4ROWS8compress",
    "curve4488x86_ifma6single8mul_base",
    "11x86_ifma5126single8power_of",
];

#[test]
fn secrets_went_through_every_kernel() {
    let Some(rows) = run(&["--rows"]) else {
        return;
    };
    let Some(followed) = groups::all() else {
        return;
    };
    let missed = rows
        .iter()
        .filter(|row| !followed.iter().any(|f| *f == counted(row)))
        .filter(|row| !PUBLIC.iter().any(|public| row.contains(public)));
    let missed: Vec<_> = missed.collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(followed.len() > 300, "{followed:#?}");
}

#[test]
fn planted_leaks_are_found() {
    let Some(lines) = run(&["--follow", "control"]) else {
        return;
    };
    // A leak has a line with its kind, and one for each function that it is in.
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut last = None;
    for line in &lines {
        let named = line.strip_prefix("control: ");
        if let Some((name, what)) = named.and_then(|line| line.split_once(": ")) {
            let leaks = found.entry(name).or_default();
            leaks.extend(what.split_once(" at ").map(|(leak, _)| leak.to_owned()));
            last = Some(name);
        } else if let Some(leaks) = last.and_then(|name| found.get_mut(name))
            && let Some(leak) = leaks.last_mut()
        {
            leak.push_str(line);
        }
    }
    assert!(found.len() >= 36, "{lines:#?}");
    crate::check_planted(&found, |leak, file| leak.contains(file));
}
