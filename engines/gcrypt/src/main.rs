//! The engine of gcrypt, from the checkout that `build.sh` is given: Ed25519, X25519 and the
//! arithmetic beneath them.
//!
//! Signatures are by `sign_deterministic`, its form of RFC 8032. Points travel compressed, scalars
//! and field elements as 32 bytes with the lowest first. Sums of many products are left out: the
//! feature that has them, `batch-operations`, does not compile.

mod curve;
mod keys;

use std::io;

use adamant_engine::serve::{Engine, serve};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("gcrypt", env!("ENGINE_SUFFIX"));
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), env!("ENGINE_BUILD"));
    keys::register(&mut engine);
    curve::register(&mut engine);
    engine
}

#[cfg(test)]
mod tests {
    use adamant_engine::answers;

    /// What is wrong with the library where the README says so; the engine has no other mistakes.
    const WRONG: &[&str] = &["ed25519/", "x25519/derive"];

    #[test]
    fn other_answers_are_known() {
        let wrong = answers::check(&super::engine()).err().unwrap_or_default();
        let known = |line: &&str| WRONG.iter().any(|name| line.starts_with(name));
        let other: Vec<&str> = wrong.lines().filter(|line| !known(line)).collect();
        assert_eq!(other, [""; 0]);
    }
}
