//! What holds for every operation, in one program.

mod benches;
mod leak;
mod smoke;
