//! Batches, and the group, by dalek's crates.

use crate::{keep, row};
use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{MultiscalarMul, VartimeMultiscalarMul};
use ed25519_dalek::{Signer, SigningKey, verify_batch};

pub(crate) fn rows() {
    let key = SigningKey::from_bytes(&[7; 32]);
    let keys = [key.verifying_key(); 32];
    let signatures = [key.sign(b"message"); 32];
    let messages = [&b"message"[..]; 32];
    row("verify-batch-32", &|| {
        verify_batch(&messages, &signatures, &keys).expect("good signatures");
    });
    let scalars: Vec<Scalar> = (1..=32u64).map(|i| Scalar::from(i).invert()).collect();
    let points: Vec<EdwardsPoint> = scalars.iter().map(EdwardsPoint::mul_base).collect();
    row("mul", &|| keep(points[3] * scalars[5]));
    row("mul-base", &|| keep(EdwardsPoint::mul_base(&scalars[5])));
    row("msm-32", &|| {
        keep(EdwardsPoint::multiscalar_mul(&scalars, &points))
    });
    row("msm-vartime-32", &|| {
        keep(EdwardsPoint::vartime_multiscalar_mul(&scalars, &points));
    });
}
