//! Every operation on secrets, by crate. `tests/constant_time` builds this program as a release
//! with marks, and runs it under Valgrind, and again following its secrets through the rows that
//! Valgrind cannot run:
//!
//! * `--follow NAME…` follows these groups or operations. After the name of each (`operation: NAME`)
//!   it prints what depends on a secret, and at the end the functions of rows that secrets went
//!   through (`followed: COUNT SYMBOL`, of instructions that Valgrind does not know); the exit code
//!   is 99 where something leaks, and 77 where this machine cannot follow;
//! * `--rows` prints the functions of rows that have such instructions, and how many;
//! * all else is [`adamant_testkit::taint::main`]'s.

/// The rows of a table that are to be run: all that the CPU can, and while secrets are followed
/// only those that Valgrind cannot.
macro_rules! rows {
    ($backend:ty) => {
        <$backend>::available().filter(|row| crate::following::is_wanted(row.implementation()))
    };
}

mod cipher;
mod controls;
mod der;
mod dh;
mod ec;
mod following;
mod hash;
mod hybrid;
mod pq;
mod rand;
mod rsa;

use adamant_testkit::taint::Operation;

const GROUPS: &[(&str, &[Operation])] = &[
    ("cipher", cipher::OPERATIONS),
    ("der", der::OPERATIONS),
    ("dh", dh::OPERATIONS),
    ("ec", ec::OPERATIONS),
    ("hash", hash::OPERATIONS),
    ("hybrid", hybrid::OPERATIONS),
    ("pq", pq::OPERATIONS),
    ("rand", rand::OPERATIONS),
    ("rsa", rsa::OPERATIONS),
];

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("--follow") => following::main(&arguments[1..]),
        #[cfg(target_arch = "x86_64")]
        Some("--rows") => following::rows(),
        _ => {
            adamant_testkit::taint::main(GROUPS);
            std::process::ExitCode::SUCCESS
        }
    }
}
