//! What the programs share: those of the product and those of the laboratory.
//!
//! | module | holds |
//! |---|---|
//! | [`select`] | patterns over names, and the names that may have been meant |
//! | [`strict`] | objects of JSON and TOML that are read whole or not at all |
//! | [`machine`] | the CPU's name |
//! | [`text`] | text for tables |

pub mod machine;
pub mod select;
pub mod strict;
pub mod text;
