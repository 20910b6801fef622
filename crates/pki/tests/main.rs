//! Everything that is tested from outside, in one program.

mod ca;
#[cfg(feature = "postgres")]
mod conformance;
#[cfg(feature = "serve")]
mod serve;
