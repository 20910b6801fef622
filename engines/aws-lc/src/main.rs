//! AWS-LC as an engine of the comparison, through the bindings of `aws-lc-sys`.
//!
//! Of the ways that its headers recommend, the most direct is taken: one-shot digests, `EVP_AEAD`
//! for authenticated encryption, `ECDSA_sign`, `ED25519_sign`, `X25519` and `RSA_sign` on keys
//! that are parsed once, `EVP_PKEY` where there is nothing below it. Ed25519 and X25519 have no
//! parsed form of a key there: `verify` and `verify-encoded` are the same.

mod ciphers;
mod curves;
mod dh;
mod hashes;
mod offers;
mod op;
mod pq;
mod rsa;

/// The library.
mod ffi {
    pub(crate) use aws_lc_sys::*;
}

use std::ffi::CStr;
use std::io;

use adamant_engine::serve::{Engine, serve};

/// What `aws-lc-sys` builds in the release profile.
const BUILD: &str = "aws-lc-sys 0.47.0: compiled with -O3, with assembly that is chosen by the \
                     CPU at run time, not FIPS";

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    // SAFETY: it takes any number and gives a string that lives as long as the program.
    let version = unsafe { CStr::from_ptr(ffi::OpenSSL_version(0)) }.to_string_lossy();
    let mut engine = Engine::new("aws-lc", &version, BUILD);
    hashes::register(&mut engine);
    ciphers::register(&mut engine);
    curves::register(&mut engine);
    rsa::register(&mut engine);
    dh::register(&mut engine);
    pq::register(&mut engine);
    engine
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        adamant_engine::answers::check(&super::engine()).unwrap();
    }
}
