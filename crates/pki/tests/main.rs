//! Everything that is tested from outside, in one program.

mod ca;
#[cfg(feature = "postgres")]
mod conformance;
mod openssl;
mod pipeline;
mod rivals;
#[cfg(feature = "serve")]
mod serve;
mod store;
