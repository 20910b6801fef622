//! Suites that every implementation is put through; a dev-dependency of the algorithm crates, and
//! behind their feature `own` what checks the implementations of their users.
//!
//! | module | holds |
//! |---|---|
//! | [`implementations`] | a test on every implementation that can run here, or must |
//! | [`equivalence`] | every implementation against the portable one |
//! | [`conformance`] | an implementation from elsewhere against the portable one |
//! | [`boundaries`] | the inputs at which kernels change their ways, and their combinations |
//! | [`suites`] | behaviour suites: hash, MAC, AEAD, signature, KEM, key agreement |
//! | [`taint`] | no branch and no address depends on a secret: runs under Valgrind |
//! | [`build`] | the build that it looks at |
//! | [`rng`] | repeatable test data |
//! | [`skipped`] | what is not checked here, and the failure where it must be |
//!
//! The suites and the taint check are themselves tested on code that is broken or leaks on purpose.
//!
//! # Environment
//!
//! | variable | effect |
//! |---|---|
//! | `ADAMANT_REQUIRE=x86_sha,x86_avx2` or `all` | a test fails where this CPU cannot run these |
//! | `ADAMANT_REQUIRE_VALGRIND=1` | the taint check fails where it cannot run |
//! | `ADAMANT_REQUIRE_ROWS=1` | comparisons of implementations, and checks of which is chosen, fail where there is only the portable one |
//! | `ADAMANT_FULL=1` | slow rows are tested on all cases, too ([`share`]) |
//! | `ADAMANT_CPU=haswell` or `-avx512f` | runs as on a CPU without some features ([`adamant_base::cpu`]) |
//!
//! # Equivalence and behaviour
//!
//! In a test of the algorithm's module, with `new_on` to choose the implementation:
//!
//! ```text
//! use adamant_testkit::{equivalence, suites, table};
//!
//! #[test]
//! fn implementations_agree() {
//!     equivalence::hash(&table!(Backend), Sha256::new_on);
//! }
//!
//! #[test]
//! fn behaves_as_a_hash() {
//!     table!(Backend).for_each(|backend| suites::hash::check(|| Sha256::new_on(backend)));
//! }
//!
//! #[test]
//! fn arithmetic_agrees() {
//!     let mut rng = adamant_testkit::TestRng::new(1);
//!     table!(Backend).against_portable(|backend, portable| {
//!         for _ in 0..10_000 {
//!             let (a, b) = (rng.words(), rng.words()); // edges among them
//!             assert_eq!(backend.mul(&a, &b), portable.mul(&a, &b), "{a:x?} {b:x?}");
//!         }
//!     });
//! }
//! ```
//!
//! # Taint check
//!
//! The program of `crates/constant-time` lists the operations, and its feature `taint` goes down to
//! `adamant-base/taint`:
//!
//! ```
//! use adamant_base::ct;
//! use adamant_testkit::taint::{self, Operation, secret};
//!
//! const OPERATIONS: &[Operation] = &[Operation { name: "comparison", run: comparison }];
//!
//! fn main() {
//!     taint::main(&[("base", OPERATIONS)]);
//! }
//!
//! fn comparison() {
//!     // Here once, elsewhere `for backend in Backend::available()`.
//!     let (a, b) = (secret([1u8; 32]), secret([2u8; 32]));
//!     assert!(!ct::eq(&a, &b).declassify()); // the answer is public
//! }
//! ```
//!
//! Its tests run them:
//!
//! ```text
//! static BUILD: Build = Build::new(env!("CARGO_MANIFEST_DIR"), ["--bin", "the-program"]);
//!
//! #[test]
//! fn no_branch_or_address_depends_on_a_secret() {
//!     if let Some(program) = Program::prove(&BUILD) {
//!         program.check("base");
//!     }
//! }
//! ```
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
pub mod boundaries;
#[cfg(feature = "std")]
pub mod build;
#[cfg(feature = "alloc")]
pub mod conformance;
#[cfg(feature = "std")]
pub mod equivalence;
#[cfg(feature = "std")]
pub mod implementations;
#[cfg(feature = "alloc")]
pub mod rng;
#[cfg(feature = "std")]
mod skip;
#[cfg(feature = "std")]
pub mod suites;
#[cfg(feature = "std")]
pub mod taint;

#[cfg(feature = "std")]
pub use implementations::{Table, check_choices, is_full, is_slow, share};
#[cfg(feature = "alloc")]
pub use rng::{BrokenRng, TestRng};
#[cfg(feature = "std")]
pub use skip::skipped;
