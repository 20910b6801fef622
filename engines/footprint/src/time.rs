//! The time of an operation in this build: a line of JSON for each, in nanoseconds.

mod curve25519;

use curve25519::{Keys, NAME};
use std::hint::black_box;
use std::time::{Duration, Instant};

const MESSAGE: [u8; 32] = [5; 32];

fn main() {
    let keys = Keys::new(&[7; 32], &MESSAGE);
    assert!(keys.verify(&MESSAGE), "the signature of {NAME} is wrong");
    assert!(!keys.verify(b"another"), "{NAME} verifies anything");
    row("sign", || {
        black_box(keys.sign(black_box(&MESSAGE)));
    });
    row("verify", || {
        black_box(keys.verify(black_box(&MESSAGE)));
    });
    row("derive", || {
        black_box(keys.derive());
    });
}

/// The median of rounds of at least a hundredth of a second.
fn row(name: &str, operation: impl Fn()) {
    let took = |times: u32| {
        let start = Instant::now();
        (0..times).for_each(|_| operation());
        start.elapsed()
    };
    let mut times = 1;
    while took(times) < Duration::from_millis(10) {
        times *= 2;
    }
    let mut rounds: Vec<f64> = (0..21)
        .map(|_| took(times).as_nanos() as f64 / f64::from(times))
        .collect();
    rounds.sort_by(f64::total_cmp);
    println!("{{\"name\":\"{name}\",\"value\":{:.1}}}", rounds[10]);
}
