//! The comparison: our operations beside those of other libraries, in one run, on one core. An engine is
//! what `adamant-engine` says.
//!
//! | module | holds |
//! |---|---|
//! | [`mod@run`] | a whole run: from a [`run::Plan`] to the report |
//! | [`plan`] | what to measure |
//! | [`engines`] | where the rivals are found |
//! | [`driver`] | checks the rivals and compares: [`driver::compare`] |
//! | [`rival`] | one rival: started, and started again when it has died |
//! | [`cross_check`] | engines check each other |
//! | [`mod@campaign`] | random inputs before all implementations and engines |
//! | [`unbuilt`] | the operations that they have and we do not |
//! | [`mod@emulate`] | instructions in place of machines that are not here |
//! | [`mod@footprint`] | memory, size and other builds |
//! | [`rounds`] | the paired rounds |
//! | [`stats`] | medians and bootstrap intervals |
//! | [`client`] | the driver's end of an engine |
//! | [`clock`] | cycles in a nanosecond, by a reference loop |
//! | [`machine`] | the machine's description |
//! | [`results`] | what a run gives, and the shape of its JSON |
//! | [`mod@file`] | the file of JSON lines that keeps a run |
//! | [`baseline`] | what became faster or slower since such a file |
//! | [`report`] | a table for the terminal, the page `report.html` |
//! | [`suites`] | the tables of five documents, and what of ours stands for their rows |

// What the small programs call the library.
#[cfg(test)]
extern crate adamant as facade;

pub mod baseline;
pub mod campaign;
pub mod client;
pub mod clock;
pub mod cross_check;
pub mod driver;
pub mod emulate;
pub mod engines;
pub mod file;
pub mod footprint;
pub mod machine;
mod noise;
pub mod plan;
mod players;
pub mod report;
pub mod results;
pub mod rival;
pub mod rounds;
pub mod run;
pub mod stats;
pub mod suites;
pub mod unbuilt;
