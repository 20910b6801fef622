//! The engine of libcrux.
//!
//! ML-KEM and ML-DSA go through the calls that choose their implementation by the CPU; these start
//! from encoded keys. HMAC has no keyed state. The crate for AES-GCM cannot be built beside these
//! versions of the others. Randomness comes from `rand`'s generator of the thread.

mod asymmetric;
mod symmetric;

use std::io;

use adamant_engine::serve::{Engine, serve};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("libcrux", env!("ENGINE_SUFFIX"));
    let build = format!("{}; {}", env!("ENGINE_BUILD"), path());
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), &build);
    symmetric::register(&mut engine);
    asymmetric::register(&mut engine);
    engine
}

/// The implementation that ML-KEM and ML-DSA take on this CPU.
fn path() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        return "lattices with AVX2";
    }
    "lattices as its crates choose"
}

/// Fresh random bytes.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::Rng::fill_bytes(&mut rand::rng(), &mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        adamant_engine::answers::check(&super::engine()).unwrap();
    }
}
