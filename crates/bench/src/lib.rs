//! The comparison: our operations beside those of other libraries, in one run, on one core. An engine is
//! what `adamant-engine` says.
//!
//! | module | holds |
//! |---|---|
//! | [`plan`] | what to measure |
//! | [`driver`] | checks the rivals and compares: [`driver::compare`] |
//! | [`rounds`] | the paired rounds |
//! | [`stats`] | medians and bootstrap intervals |
//! | [`client`] | the driver's end of an engine |
//! | [`clock`] | cycles in a nanosecond, by a reference loop |
//! | [`machine`] | the machine's description |
//! | [`results`] | what a run gives, and the shape of its JSON |
//! | [`file`] | the file of JSON lines that keeps a run |
//! | [`baseline`] | what became faster or slower since such a file |
//! | [`report`] | a table for the terminal, the page `report.html` |
//! | [`suites`] | the tables of five documents, and what of ours stands for their rows |

pub mod baseline;
pub mod client;
pub mod clock;
pub mod driver;
pub mod file;
pub mod machine;
pub mod plan;
pub mod report;
pub mod results;
pub mod rounds;
pub mod stats;
pub mod suites;
