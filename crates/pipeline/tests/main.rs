//! Everything that is tested from outside, in one program.

mod openssl;
mod pipeline;
mod rivals;
mod store;
