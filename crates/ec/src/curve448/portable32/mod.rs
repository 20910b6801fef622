//! The operations on 32-bit words, for CPUs without a 64-bit multiplication: the formulas, tables
//! and kernel of the parent, compiled over another field.
//!
//! What a signature consists of keeps its form on the outside, radix 2^56.

// The same files, over another field.
#[path = "../edwards.rs"]
#[allow(clippy::duplicate_mod, dead_code, unreachable_pub)]
mod edwards;
mod field;
#[path = "../kernel.rs"]
#[allow(clippy::duplicate_mod, dead_code)]
mod kernel;
mod table;
#[cfg(test)]
mod tests;

use super::edwards as outside;
use super::field::Fe as OutsideFe;
use super::scalar;
use field::Fe;

/// What one verification checks.
struct Check {
    a: edwards::Affine,
    r: [u8; 57],
    k: scalar::Words,
    s: scalar::Words,
}

fn to_outside(point: &edwards::Affine) -> outside::Affine {
    let [x, y] = [point.x, point.y].map(|x| OutsideFe::from_bytes(&x.to_bytes()));
    outside::Affine { x, y }
}

fn from_outside(point: &outside::Affine) -> edwards::Affine {
    let [x, y] = [point.x, point.y].map(|x| Fe::from_bytes(&x.to_bytes()));
    edwards::Affine { x, y }
}

pub(super) fn mul_base(scalar: &[u64; 7]) -> outside::Affine {
    to_outside(&kernel::mul_base(scalar))
}

pub(super) fn mul_base_u(scalar: &[u64; 7]) -> [u8; 56] {
    kernel::mul_base_u(scalar)
}

pub(super) fn ladder(scalar: &[u8; 56], u: &[u8; 56]) -> [u8; 56] {
    kernel::ladder(scalar, u)
}

pub(super) fn decompress_vartime(bytes: &[u8; 57]) -> Option<outside::Affine> {
    kernel::decompress_vartime(bytes).as_ref().map(to_outside)
}

pub(super) fn verify_vartime(check: &super::Check) -> bool {
    kernel::verify_vartime(&Check {
        a: from_outside(&check.a),
        r: check.r,
        k: check.k,
        s: check.s,
    })
}

super::batches!();
