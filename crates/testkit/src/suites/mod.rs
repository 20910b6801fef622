//! Behaviour suites: what every algorithm of a family does, whatever it computes.
//!
//! They complement known answers and never replace them: an algorithm can be consistent with
//! itself and wrong. Each takes a closure that makes the state or key, so that it runs on a chosen
//! implementation as well as on the default one, and panics at the first breach.

pub mod aead;
pub mod batches;
pub mod hash;
pub mod kem;
pub mod key_agreement;
pub mod mac;
pub mod signature;

/// A toy keyed digest: what the toys that test the suites are made of.
#[cfg(test)]
fn toy_digest(parts: &[&[u8]]) -> [u8; 8] {
    let mut x = 0u64;
    for part in parts {
        for &byte in (part.len() as u64).to_le_bytes().iter().chain(*part) {
            x = crate::TestRng::new(x ^ u64::from(byte)).next_u64();
        }
    }
    x.to_le_bytes()
}

/// Checks that the suite panics, and for this reason.
#[cfg(test)]
fn assert_refuses(reason: &str, suite: impl FnOnce()) {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(suite));
    let payload = result.expect_err(reason);
    let message = crate::implementations::panic_message(&*payload);
    assert!(message.contains(reason), "expected {reason:?}: {message}");
}
