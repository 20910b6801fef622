//! The engine of RustCrypto: its crates for each algorithm, behind their shared traits.
//!
//! Key schedules are made outside the timing and lent to the mode; randomness comes from `rand`'s
//! generator of the thread.

mod bignum;
mod cipher;
mod hash;
mod mac;
mod post_quantum;
mod rsa_keys;
mod weierstrass;

use std::io;

use adamant_engine::serve::{Engine, serve};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("rustcrypto", env!("ENGINE_SUFFIX"));
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), env!("ENGINE_BUILD"));
    hash::register(&mut engine);
    mac::register(&mut engine);
    cipher::register(&mut engine);
    bignum::register(&mut engine);
    weierstrass::register(&mut engine);
    rsa_keys::register(&mut engine);
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
