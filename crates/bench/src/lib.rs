//! The comparison: our operations beside those of other libraries, in one run, on one core.
//!
//! | module | holds |
//! |---|---|
//! | [`plan`] | what to measure |
//! | [`driver`] | checks the rivals and compares: [`driver::compare`] |
//! | [`rounds`] | the paired rounds |
//! | [`stats`] | medians and bootstrap intervals |
//! | [`client`] | the driver's end of an engine |
//! | [`protocol`] | what the driver and an engine say to each other |
//! | [`engine`] | the engine's side: a helper to write one, and the one of the system's OpenSSL |
//! | [`machine`] | the machine's description |
//! | [`results`] | what a run gives, and the shape of its JSON |
//! | [`report`] | a table for the terminal, the page `report.html` |

pub mod client;
pub mod driver;
pub mod engine;
pub mod machine;
pub mod plan;
pub mod protocol;
pub mod report;
pub mod results;
pub mod rounds;
pub mod stats;
