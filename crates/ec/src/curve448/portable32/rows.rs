//! Ed448 and X448 on words of this size: the parent's kernel and tables over the field beside this
//! module. What a signature consists of keeps its form on the outside, radix 2^56.

// The same files, over another field.
#[path = "../kernel.rs"]
#[allow(clippy::duplicate_mod, dead_code)]
mod kernel;
#[path = "table.rs"]
#[allow(clippy::duplicate_mod)]
mod table;

use super::{edwards, field};
use crate::curve448::edwards as outside;
use crate::curve448::field::Fe as OutsideFe;
use crate::curve448::scalar;
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

pub(in crate::curve448) fn mul_base(scalar: &[u64; 7]) -> outside::Affine {
    to_outside(&kernel::mul_base(scalar))
}

pub(in crate::curve448) fn mul_base_u(scalar: &[u64; 7]) -> [u8; 56] {
    kernel::mul_base_u(scalar)
}

pub(in crate::curve448) fn ladder(scalar: &[u8; 56], u: &[u8; 56]) -> [u8; 56] {
    kernel::ladder(scalar, u)
}

pub(in crate::curve448) fn decompress_vartime(bytes: &[u8; 57]) -> Option<outside::Affine> {
    kernel::decompress_vartime(bytes).as_ref().map(to_outside)
}

pub(in crate::curve448) fn verify_vartime(check: &crate::curve448::Check) -> bool {
    kernel::verify_vartime(&Check {
        a: from_outside(&check.a),
        r: check.r,
        k: check.k,
        s: check.s,
    })
}

crate::curve448::batches!();
