//! BoringSSL as an engine of the comparison, through the bindings of `boring-sys`.
//!
//! Its interface is the one that AWS-LC grew out of: what both have is called by the files of
//! `engines/aws-lc`. Post-quantum schemes have functions of their own here.

#[path = "../../aws-lc/src/ciphers.rs"]
mod ciphers;
#[path = "../../aws-lc/src/curves.rs"]
mod curves;
#[path = "../../aws-lc/src/dh.rs"]
mod dh;
#[path = "../../aws-lc/src/hashes.rs"]
#[allow(dead_code, reason = "no digest of extendable length is offered here")]
mod hashes;
mod more;
mod offers;
#[path = "../../aws-lc/src/op.rs"]
mod op;
mod pq;
#[path = "../../aws-lc/src/rsa.rs"]
mod rsa;
mod tls;

/// The library.
mod ffi {
    pub(crate) use boring_sys::*;
}

use std::io;

use adamant_engine::serve::{Engine, serve};

const BUILD: &str = "boring-sys: CMake's release build (-O3 -DNDEBUG), with assembly that is \
                     chosen by the CPU at run time, not FIPS";

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    // The library has no number but that of its interface.
    let version = format!(
        "{}, interface {}",
        env!("ENGINE_VERSIONS"),
        ffi::BORINGSSL_API_VERSION
    );
    let mut engine = Engine::new("boringssl", &version, BUILD);
    hashes::register(&mut engine);
    ciphers::register(&mut engine);
    curves::register(&mut engine);
    rsa::register(&mut engine);
    dh::register(&mut engine);
    tls::register(&mut engine);
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
