//! Secrets followed through the rows that Valgrind cannot run.

use crate::BUILD;
use crate::followed::{Followed, counted, groups};
use adamant_testkit::skipped;
use std::process::Command;

/// What the program prints; none where it cannot follow and need not.
fn run(arguments: &[&str]) -> Option<String> {
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
        Some(0 | 99) => Some(lines.into_owned()),
        Some(77) => {
            skipped("following", lines.trim(), "ADAMANT_REQUIRE_FOLLOW");
            None
        }
        _ => panic!("{arguments:?}: {output:?}"),
    }
}

fn follow(group: &str) -> Option<Followed> {
    Some(Followed::read(&run(&["--follow", group])?))
}

// Of `der` no row is beyond Valgrind.
groups!(follow {} cipher dh ec hash hybrid pq rand rsa);

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
    "6ml_kem10arithmeticNtNtB9_7backend7Backend10sample_ntt",
    "6ml_kem10arithmeticNtNtB9_7backend7Backend10decompress",
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
    "3des11x86_vbmi51214encrypt_blocks",
    "17chacha20_poly1305NtNtB9_7backend7Backend4open4ROWS4open",
    "17chacha20_poly1305NtNtB9_7backend7Backend4seal4ROWS4seal",
    "9sm2p256v111x86_ifma51214mul_base_batch",
    "5lanesNtNtB9_7backend7Backend8compress4ROWS8compress",
    "curve4488x86_ifma6single8mul_base",
    "11x86_ifma5126single8power_of",
];

#[test]
fn secrets_went_through_every_kernel() {
    if let Some(rows) = run(&["--rows"]) {
        let rows: Vec<_> = rows.lines().map(counted).collect();
        assert!(rows.len() > 300, "{rows:#?}");
        GROUPS.check_functions(rows.into_iter(), PUBLIC);
    }
}

#[test]
fn planted_leaks_are_found() {
    if let Some(followed) = follow("control") {
        followed.check_planted(36, |leak, file| leak.contains(file));
    }
}
