//! OpenSSL, built from its sources and linked statically, as an engine of the comparison: the
//! engine of `adamant_engine::openssl` on a libcrypto of its own.

use std::io;

use adamant_engine::openssl::{Libcrypto, OPTIONS, engine_of};
use adamant_engine::serve::{Engine, serve};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    engine_of("openssl", Libcrypto::linked(), OPTIONS)
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        adamant_engine::answers::check(&super::engine()).unwrap();
    }
}
