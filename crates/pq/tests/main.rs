//! Vectors of the three schemes, in one program.

mod hashed;
mod ml_dsa;
mod ml_kem;
mod slh_dsa;
