//! How long the validation of costly bundles takes, the least of a few runs: each in milliseconds,
//! with what it came to.
//!
//! ```text
//! cargo run --release -p adamant-x509 --example adversarial [-- PART-OF-A-NAME]
//! ```

use std::time::Instant;

#[path = "../tests/path/adversarial.rs"]
mod adversarial;
#[path = "../tests/path/chain.rs"]
#[allow(dead_code)] // The tests use more of it.
mod chain;

fn main() {
    let part = std::env::args().nth(1).unwrap_or_default();
    for bundle in adversarial::bundles(true) {
        if !bundle.name.contains(&part) {
            continue;
        }
        let mut least = f64::INFINITY;
        let mut verdict = None;
        for _ in 0..5 {
            let start = Instant::now();
            let found = bundle.validate(|_| {});
            least = least.min(start.elapsed().as_secs_f64() * 1e3);
            verdict = Some(found);
        }
        let verdict = match verdict {
            Some(Ok(length)) => format!("a path of {length}"),
            Some(Err(error)) => error.to_string(),
            None => String::new(),
        };
        let verdict: String = verdict.chars().take(80).collect();
        println!(
            "{:28} {:9} octets {least:8.2} ms  {verdict}",
            bundle.name,
            bundle.octets()
        );
    }
}
