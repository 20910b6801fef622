//! Handshakes, in one program.

#[cfg(feature = "batching")]
mod batching;
mod failures;
mod openssl4;
mod pairs;
mod rfc8998;
mod support;
mod vectors;
