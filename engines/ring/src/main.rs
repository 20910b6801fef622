//! The engine of ring.
//!
//! Its AEADs work in place. Keys for an agreement are made of random bytes and used up by
//! the call: `derive` lays keys ready outside the timing, made through ring's deterministic
//! generator for tests, the only way in for a given key.

mod asymmetric;
mod symmetric;

use std::io;

use adamant_engine::serve::{Engine, serve};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("ring", env!("ENGINE_SUFFIX"));
    let build = env!("ENGINE_BUILD");
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), build);
    symmetric::register(&mut engine);
    asymmetric::register(&mut engine);
    engine
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        adamant_engine::answers::check(&super::engine()).unwrap();
    }
}
