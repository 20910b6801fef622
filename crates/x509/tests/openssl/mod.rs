//! Interoperation with the `openssl` program, where version 3 or later is installed: what is made
//! here is accepted there, and the reverse.

mod certificates;
mod encrypted;
mod entity;
mod keys;
mod lists;
mod ocsp;
mod partitions;
mod pkcs12;
mod program;
mod responders;
mod signatures;
