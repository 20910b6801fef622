//! OpenSSL, built from its sources and linked statically, as an engine of the comparison: the
//! engine of `adamant_engine::openssl` on a libcrypto of its own.

use std::io;

use adamant_engine::openssl::{Libcrypto, engine_of};
use adamant_engine::serve::serve;

fn main() -> io::Result<()> {
    let engine = engine_of("openssl", Libcrypto::linked(), env!("OPTIONS"));
    serve(&engine, io::stdin().lock(), io::stdout().lock())
}
