//! Suites that every implementation is put through.

pub mod equivalence;
pub mod implementations;
pub mod rng;
pub mod suites;

pub use implementations::Table;
pub use rng::{BrokenRng, TestRng};
