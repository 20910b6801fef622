//! The comparison: our operations beside those of other libraries, in one run, on one core.
//!
//! | module | holds |
//! |---|---|
//! | [`protocol`] | what the driver and an engine say to each other |
//! | [`engine`] | the engine's side: a helper to write one, and the one of the system's OpenSSL |
//! | [`stats`] | medians and bootstrap intervals |

pub mod engine;
pub mod protocol;
pub mod stats;
