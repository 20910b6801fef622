//! The comparison against engines of every character, in one program.

mod common;
mod cross_check;
mod driver;
mod openssl;
mod wrong;
