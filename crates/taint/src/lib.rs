//! Follows secrets through the machine code of a running program.
//!
//! [`follow`] runs a function by a translation of its machine code, instruction by instruction,
//! which runs natively, whatever the CPU has, and logs the addresses of its loads and stores. From
//! the log the secrecy of every byte of registers and memory is computed, beginning with the marks
//! of `adamant_base::ct`: client requests to Valgrind, which are understood here too. It reports,
//! once for each place,
//!
//! * a conditional jump on a secret, and a jump, call or return to a secret address;
//! * a load or store at an address that depends on a secret;
//! * a division or square root of a secret, and a repetition as long as a secret says;
//! * an instruction that is not known, where a secret gets to it.
//!
//! Only x86-64 and Linux, on a CPU with BMI2 and AVX-512.
//! One thread is followed, which must not start others. Its signal handlers, mode switches and
//! changed code are not.
//!
//! A program that calls this has [`Allocator`] as its global allocator.
//!
//! The code of ARM64 is followed from outside, by [`arm64`], in an emulator of programs: there
//! [`follow`] tells it that an operation begins, and calls it.

#![cfg_attr(
    not(all(target_arch = "x86_64", target_os = "linux")),
    allow(missing_docs, unreachable_pub)
)]

#[cfg(all(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    target_os = "linux"
))]
mod arena;
#[cfg(all(
    any(target_arch = "x86_64", all(test, target_arch = "aarch64")),
    target_os = "linux"
))]
pub mod arm64;
#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
mod emulated;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod follow;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod functions;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod logged;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod machine;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod model;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod moves;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod run;
#[cfg(all(
    any(target_arch = "x86_64", all(test, target_arch = "aarch64")),
    target_os = "linux"
))]
mod shadow;
#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
mod tests;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod translate;

#[cfg(all(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    target_os = "linux"
))]
pub use arena::Allocator;
#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
pub use emulated::follow;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub use {
    functions::{Function, functions},
    run::{Report, follow},
    shadow::Leak,
};
