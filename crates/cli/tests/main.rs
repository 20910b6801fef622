//! The program from its arguments to its files, in one program of tests.

mod bench;
mod ca;
mod common;
mod crypt;
mod hash;
mod hostile;
mod keys;
mod pki;
mod program;
mod tls;
