//! Vectors of others, in one program.

mod acvp;
mod common;
mod openssl;
