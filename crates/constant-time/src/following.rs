//! Operations with their secrets followed through machine code.

use crate::{GROUPS, controls};
use adamant_base::Implementation;
use adamant_base::cpu::{NAMES, features, profile};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::process::ExitCode;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[global_allocator]
static ALLOCATOR: adamant_taint::Allocator = adamant_taint::Allocator;

static FOLLOWING: AtomicBool = AtomicBool::new(false);

/// Whether an operation is to be run on a row.
pub(crate) fn is_wanted(row: &Implementation) -> bool {
    !FOLLOWING.load(Relaxed) || row.features.names().any(is_beyond_valgrind)
}

/// How many items a batch is to have: enough for all lanes of the rows that are followed, and few
/// where other rows go one by one, under Valgrind.
pub(crate) fn batch() -> usize {
    if FOLLOWING.load(Relaxed) { 9 } else { 2 }
}

/// Whether a feature is one that Valgrind hides: AVX2 and what came before it, it runs.
fn is_beyond_valgrind(feature: &str) -> bool {
    feature != "adx" && !profile("haswell").is_some_and(|haswell| haswell.has(feature))
}

/// Follows groups, or operations, of these names.
pub(crate) fn main(wanted: &[String]) -> ExitCode {
    FOLLOWING.store(true, Relaxed);
    let mut leaks = false;
    for (group, operations) in GROUPS.iter().chain([&("control", controls::OPERATIONS)]) {
        for operation in *operations {
            let name = format!("{group}: {}", operation.name);
            if !wanted
                .iter()
                .any(|wanted| wanted == group || *wanted == name)
            {
                continue;
            }
            let report = match adamant_taint::follow(operation.run) {
                Ok(report) => report,
                Err(why) => {
                    println!("{why}");
                    return ExitCode::from(77);
                }
            };
            for line in report.lines() {
                leaks = true;
                println!("{name}: {line}");
            }
            for function in report.functions() {
                println!("followed: {function}");
            }
            println!("{name}: {} instructions", report.instructions);
        }
    }
    ExitCode::from(if leaks { 99 } else { 0 })
}

/// Prints the functions of rows that need a feature that Valgrind hides.
pub(crate) fn rows() -> ExitCode {
    let x86 = NAMES.iter().filter(|name| is_beyond_valgrind(name));
    // What decides between rows of vectors: which of them run is then another matter.
    let decides = |name: &str| {
        ["avx512", "avxvnni", "golden-cove"]
            .iter()
            .any(|part| name.contains(part))
    };
    let mut missing = x86.filter(|name| !features().has(name) && decides(name));
    if let Some(missing) = missing.next_back() {
        println!("no {missing} here");
        return ExitCode::from(77);
    }
    let is_row = |name: &str| name.contains("4ROWS") && !name.contains("8controls");
    for function in adamant_taint::functions() {
        if !is_row(&function.name) {
            continue;
        }
        let mut needed = function.features().into_iter();
        if needed.any(|feature| NAMES.contains(&&*feature) && is_beyond_valgrind(&feature)) {
            println!("{}", function.name);
        }
    }
    ExitCode::SUCCESS
}
