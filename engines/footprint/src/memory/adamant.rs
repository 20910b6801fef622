//! Batches, and the group, by adamant.

use crate::{keep, row};
use adamant_ec::ed25519;
use adamant_ec::{curve25519::Scalar, hazmat::group::EdwardsPoint};

pub(crate) fn rows() {
    let key = ed25519::PrivateKey::from_seed(&[7; 32]);
    let (public, signature) = (key.public_key(), key.sign(b"message"));
    let all = [(&public, &b"message"[..], &signature); 32];
    row("verify-batch-32", &|| {
        ed25519::verify_batch_into(&all, &mut [Ok(()); 32]).expect("as many places");
    });
    let scalars: Vec<Scalar> = (1..=32u64).map(|i| Scalar::from(i).invert()).collect();
    let points: Vec<EdwardsPoint> = scalars.iter().map(EdwardsPoint::mul_base).collect();
    row("mul", &|| keep(points[3] * scalars[5]));
    row("mul-base", &|| keep(EdwardsPoint::mul_base(&scalars[5])));
    row("msm-32", &|| {
        keep(EdwardsPoint::multiscalar_mul(&scalars, &points))
    });
    row("msm-vartime-32", &|| {
        keep(EdwardsPoint::multiscalar_mul_vartime(&scalars, &points));
    });
}
