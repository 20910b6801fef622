//! Suites that every implementation is put through.

mod cargo;
pub mod equivalence;
pub mod implementations;
pub mod rng;
pub mod suites;
pub mod taint;

pub use implementations::Table;
pub use rng::{BrokenRng, TestRng};
