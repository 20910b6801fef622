//! Operations of known leakage, which `tests/taint.rs` expects the runner to tell apart.

use adamant_base::ct;
use adamant_testkit::taint::{self, Operation, secret};
use std::hint::black_box;

fn main() {
    taint::main(&[
        (
            "leaky",
            &[
                Operation {
                    name: "early exit",
                    run: early_exit,
                },
                Operation {
                    name: "length from a secret",
                    run: length_from_secret,
                },
            ],
        ),
        (
            "clean",
            &[Operation {
                name: "comparison",
                run: comparison,
            }],
        ),
        (
            "broken",
            &[Operation {
                name: "panics",
                run: || panic!("as intended"),
            }],
        ),
    ]);
}

/// The classic: a comparison that stops at the first difference.
fn early_exit() {
    let (a, b) = (secret([7; 32]), black_box([7; 32]));
    black_box(a.iter().zip(&b).all(|(x, y)| x == y));
}

fn length_from_secret() {
    let length = secret(7u8);
    let buffer = black_box([1u8; 64]);
    black_box(buffer[..usize::from(length)].iter().fold(0, |a, b| a ^ b));
}

fn comparison() {
    let (a, b) = (secret([7; 32]), black_box([7; 32]));
    // The result of a comparison is what its caller acts on.
    assert!(ct::eq(&a, &b).declassify());
}
