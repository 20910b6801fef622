//! The engine of openHiTLS-rs, from the checkout that `build.sh` is given: its crate
//! `hitls-crypto`, and the numbers of `hitls-bignum`.
//!
//! What the library lets its user keep is kept: key schedules of CBC, GCM and CCM, the tables of
//! GHASH, keyed MACs, which are reset. Its other modes take the bytes of the key with each
//! message. The generation of keys for ML-KEM, ML-DSA and SLH-DSA is left out, as the library
//! does not give their private halves away and nobody could judge them.

mod hash;
mod keys;
mod numbers;
mod post_quantum;
mod rsa;
mod symmetric;

use std::io;

use adamant_engine::serve::{Engine, serve};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("openhitls-rs", env!("ENGINE_SUFFIX"));
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), env!("ENGINE_BUILD"));
    hash::register(&mut engine);
    symmetric::register(&mut engine);
    numbers::register(&mut engine);
    keys::register(&mut engine);
    rsa::register(&mut engine);
    post_quantum::register(&mut engine);
    engine
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        adamant_engine::answers::check(&super::engine()).unwrap();
    }
}
