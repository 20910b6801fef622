//! Tests of P-256, on every implementation that this CPU can run.

mod encodings;
mod group;
mod known_answers;
mod reference;
mod wycheproof;

use super::{Backend, P256, PrivateKey};
use crate::weierstrass::tests::field;
use adamant_testkit::{TestRng, suites, table};

#[test]
fn behaves_as_a_signature() {
    table!(Backend).for_each(|backend| {
        suites::signature::check(|rng| PrivateKey::generate_on(rng, backend));
    });
}

#[test]
fn behaves_as_a_key_agreement() {
    table!(Backend).for_each(|backend| {
        suites::key_agreement::check(|rng| PrivateKey::generate_on(rng, backend));
    });
}

#[test]
fn batches_are_single_calls() {
    let rows: Vec<_> = Backend::available().collect();
    let key =
        |i: usize, rng: &mut TestRng| PrivateKey::generate_on(rng, rows[i % rows.len()]).unwrap();
    suites::batches::signatures(key, &[0, 1, 2, 9]);
    suites::batches::agreements(key, &[0, 1, 2, 9]);
}

#[test]
fn arithmetic() {
    field::arithmetic::<P256, 4>();
}

#[test]
fn choice_of_implementation() {
    let choices = [
        ("westmere", "portable64"),
        ("haswell", "x86_bmi2"),
        ("skylake", "x86_adx"),
        ("zen4", "x86_ifma512"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
}
