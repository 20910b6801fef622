//! The engine of graviola.
//!
//! Its AEADs work in place. ML-KEM keys are used up by the call: fresh ones are laid ready outside
//! the timing, private keys made from their seed, which is the only way in from outside.

mod asymmetric;
mod symmetric;

use std::io;

use adamant_engine::serve::{Engine, serve};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("graviola", env!("ENGINE_SUFFIX"));
    let build = format!("{}; {}", env!("ENGINE_BUILD"), path());
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), &build);
    symmetric::register(&mut engine);
    asymmetric::register(&mut engine);
    engine
}

/// The paths that it takes on this CPU, by the features that it asks for.
#[cfg(target_arch = "x86_64")]
fn path() -> String {
    let wide = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl");
    let aes = wide && is_x86_feature_detected!("vaes") && is_x86_feature_detected!("vpclmulqdq");
    let kem =
        wide && is_x86_feature_detected!("avx512vbmi") && is_x86_feature_detected!("avx512vbmi2");
    let sha = is_x86_feature_detected!("sha");
    format!(
        "AES-GCM with {}, ML-KEM with {}, SHA-256 with {}",
        if aes { "AVX-512" } else { "AES-NI" },
        if kem { "AVX-512" } else { "AVX2" },
        if sha { "SHA-NI" } else { "BMI2" },
    )
}

#[cfg(not(target_arch = "x86_64"))]
fn path() -> String {
    std::env::consts::ARCH.to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        adamant_engine::answers::check(&super::engine()).unwrap();
    }
}
