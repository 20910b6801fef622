//! Everything that is tested from outside, in one program.

mod asn1;
mod ber;
mod errors;
mod known_answers;
mod pem;
mod properties;
