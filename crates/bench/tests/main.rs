//! The comparison against engines of every character, in one program.

mod campaign;
mod common;
mod cross_check;
mod driver;
mod openssl;
mod wrong;
