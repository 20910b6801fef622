//! Follows secrets through the machine code of a program for ARM64 that an emulator runs.
//!
//! The emulator says which blocks of instructions run, and which addresses their loads and stores
//! use: without a value of any register, from which the secrecy of every byte is computed. Marks are
//! the hints of `adamant_base::ct`, and another, [`follow`](crate::follow)'s, is where an operation
//! begins.
//!
//! Bytes stay apart in moves, bitwise operations, shifts and permutations by constants, elements in
//! operations on vectors; all else makes every byte of its result secret if any operand has a secret
//! byte.

#[cfg(target_arch = "x86_64")]
mod follower;
mod integer;
mod memory;
mod state;
#[cfg(test)]
mod tests;
mod vector;

#[cfg(target_arch = "x86_64")]
pub use follower::Follower;
