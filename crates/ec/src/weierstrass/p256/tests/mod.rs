//! Tests of P-256, on every implementation that this CPU can run.

mod encodings;
mod group;
mod known_answers;
mod reference;
mod wycheproof;

use super::Backend;

#[test]
fn choice_of_implementation() {
    let choices = [
        ("westmere", "portable64"),
        ("haswell", "x86_bmi2"),
        ("skylake", "x86_adx"),
        ("zen4", "x86_ifma512"),
        ("armv8", "arm_umull"),
        ("neoverse-n1", "arm_umull"),
        ("apple-m1", "arm_mul"),
        ("neoverse-v1", "arm_mul"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
}
