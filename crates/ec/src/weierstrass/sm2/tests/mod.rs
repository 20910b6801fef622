//! Tests of SM2, on every implementation that this CPU can run.

mod encryption;
mod exchange;
mod signatures;

use super::PrivateKey;
use crate::hazmat::sm2::Backend;
use adamant_base::hazmat::GenerateOn;
use adamant_testkit::{TestRng, suites, table};

/// The key pair of the standard's examples of signature and encryption (GB/T 32918.5, A.2).
const EXAMPLE_KEY: [u8; 32] =
    hex_literal::hex!("3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8");
/// The nonce of these examples.
const EXAMPLE_NONCE: [u8; 32] =
    hex_literal::hex!("59276E27D506861A16680F3AD9C02DCCEF3CC1FA3CDBE4CE6D54B80DEAC1BC21");

/// A generator that gives one value again and again: nonces of known answers.
struct Constant([u8; 32]);

impl adamant_base::Rng for Constant {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), adamant_base::Error> {
        out.copy_from_slice(&self.0[..out.len()]);
        Ok(())
    }
}

#[test]
fn behaves_as_a_signature() {
    table!(Backend).for_each(|backend| {
        suites::signature::check(|rng| PrivateKey::generate_on(rng, backend));
    });
}

#[test]
fn batches_are_single_calls() {
    let rows: Vec<_> = Backend::available().collect();
    let key =
        |i: usize, rng: &mut TestRng| PrivateKey::generate_on(rng, rows[i % rows.len()]).unwrap();
    suites::batches::signatures(key, &[0, 1, 2, 9]);
}

#[test]
fn choice_of_implementation() {
    let choices = [
        ("westmere", "portable64"),
        ("haswell", "portable64"),
        ("skylake", "x86_adx"),
        ("zen4", "x86_ifma512"),
        ("armv8", "arm_umull"),
        ("neoverse-n1", "arm_umull"),
        ("apple-m1", "arm_mul"),
        ("neoverse-v1", "arm_mul"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
}
