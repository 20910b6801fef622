//! Operations with their secrets followed through machine code.

use crate::{GROUPS, controls};
use adamant_base::Implementation;
use adamant_base::cpu::profile;
#[cfg(target_arch = "x86_64")]
use adamant_base::cpu::{NAMES, features};
#[cfg(target_arch = "x86_64")]
use adamant_taint::Function;
use adamant_testkit::is_slow;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
#[cfg(target_arch = "x86_64")]
use std::collections::BTreeSet;
use std::process::ExitCode;

#[cfg(all(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    target_os = "linux"
))]
#[global_allocator]
static ALLOCATOR: adamant_taint::Allocator = adamant_taint::Allocator;

static FOLLOWING: AtomicBool = AtomicBool::new(false);

/// Whether an operation is to be run on a row: on ARM64, where Valgrind has no marks, on all but those
/// for narrower words.
pub(crate) fn is_wanted(row: &Implementation) -> bool {
    let here = cfg!(target_arch = "aarch64") && !is_slow(row);
    !is_on() || here || row.features.names().any(is_beyond_valgrind)
}

/// How many items a batch is to have: enough for all lanes of the rows that are followed, and few
/// where other rows go one by one, under Valgrind.
pub(crate) fn batch() -> usize {
    if is_on() { 9 } else { 2 }
}

/// Lengths of messages: the usual ones, and while secrets are followed those past each length from
/// which on a row goes another way, and past twice that.
pub(crate) fn lengths(row: &Implementation, usual: &[usize]) -> Vec<usize> {
    let mut lengths = usual.to_vec();
    if is_on() {
        for step in row.steps {
            lengths.push(step + 53);
            lengths.push(2 * step + 117);
        }
    }
    lengths
}

/// Numbers of items: the usual one, and while secrets are followed those past each number that a
/// row takes side by side.
pub(crate) fn counts(row: &Implementation, usual: usize) -> Vec<usize> {
    let mut counts = vec![usual];
    if is_on() {
        counts.extend(row.lanes.iter().map(|lanes| lanes + 3));
    }
    counts
}

/// Whether operations are followed.
pub(crate) fn is_on() -> bool {
    FOLLOWING.load(Relaxed)
}

/// Whether a feature is one that Valgrind hides: AVX2 and what came before it, it runs.
fn is_beyond_valgrind(feature: &str) -> bool {
    feature != "adx" && !profile("haswell").is_some_and(|haswell| haswell.has(feature))
}

/// Groups, or operations, of these names.
fn operations(wanted: &[String]) -> impl Iterator<Item = (String, fn())> {
    let planted = [controls::kernels::OPERATIONS, controls::OPERATIONS];
    let groups = GROUPS
        .iter()
        .copied()
        .chain(planted.map(|planted| ("control", planted)));
    let all = groups.flat_map(|(group, operations)| operations.iter().map(move |o| (group, o)));
    all.filter_map(|(group, operation)| {
        let name = format!("{group}: {}", operation.name);
        let is_wanted = wanted
            .iter()
            .any(|wanted| *wanted == group || *wanted == name);
        is_wanted.then_some((name, operation.run))
    })
}

/// Runs groups, or operations, of these names, for the plugin of the emulator, which follows them and
/// prints what it finds.
#[cfg(target_arch = "aarch64")]
pub(crate) fn main(wanted: &[String]) -> ExitCode {
    FOLLOWING.store(true, Relaxed);
    for (name, run) in operations(wanted) {
        println!("operation: {name}");
        adamant_taint::follow(run);
    }
    ExitCode::SUCCESS
}

/// Follows groups, or operations, of these names.
#[cfg(target_arch = "x86_64")]
pub(crate) fn main(wanted: &[String]) -> ExitCode {
    FOLLOWING.store(true, Relaxed);
    if wanted.iter().any(|name| name.starts_with("control")) && !controls::are_here() {
        println!("not all kernels here in which leaks are planted");
        return ExitCode::from(77);
    }
    let mut leaks = false;
    let mut secret = BTreeSet::new();
    for (name, run) in operations(wanted) {
        let report = match adamant_taint::follow(run) {
            Ok(report) => report,
            Err(why) => {
                println!("{why}");
                return ExitCode::from(77);
            }
        };
        println!("operation: {name}");
        for line in report.lines() {
            leaks = true;
            println!("{line}");
        }
        secret.extend(report.secret);
        println!("{} instructions", report.instructions);
    }
    for (function, needing) in kernels() {
        let seen = needing.iter().filter(|at| secret.contains(at)).count();
        let range = function.address..function.address + function.size;
        if secret.range(range).next().is_some() {
            println!("followed: {seen} {}", function.name);
        }
    }
    ExitCode::from(if leaks { 99 } else { 0 })
}

/// Prints the functions of rows that need a feature that Valgrind hides, and how many of their
/// instructions do.
#[cfg(target_arch = "x86_64")]
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
    for (function, needing) in kernels() {
        println!("{} {}", needing.len(), function.name);
    }
    ExitCode::SUCCESS
}

/// The library's functions that have instructions that need a feature that Valgrind hides, and these.
#[cfg(target_arch = "x86_64")]
fn kernels() -> impl Iterator<Item = (Function, Vec<u64>)> {
    let is_ours = |f: &Function| f.name.contains("adamant_") && !f.name.contains("8controls");
    let is_needed = |feature: &str| NAMES.contains(&feature) && is_beyond_valgrind(feature);
    let ours = adamant_taint::functions().into_iter().filter(is_ours);
    let ours = ours.map(move |f| (f.clone(), f.instructions(is_needed)));
    ours.filter(|(_, needing)| !needing.is_empty())
}
