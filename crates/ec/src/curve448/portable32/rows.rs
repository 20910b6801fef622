//! Ed448 and X448 on words of this size: the parent's kernel and tables over the field beside this
//! module. What a signature consists of keeps its form on the outside, radix 2^56.

// The same files, over another field.
#[path = "../kernel.rs"]
#[allow(clippy::duplicate_mod, dead_code)]
mod kernel;
#[path = "table.rs"]
#[allow(clippy::duplicate_mod)]
mod table;

use super::edwards::Affine;
use super::{edwards, field};
use crate::curve448::edwards as outside;
use crate::curve448::field::Fe as OutsideFe;
use crate::curve448::scalar;
use field::Fe;

fn to_outside(point: &Affine) -> outside::Affine {
    let [x, y] = [point.x, point.y].map(|x| OutsideFe::from_bytes(&x.to_bytes()));
    outside::Affine { x, y }
}

fn from_outside(point: &outside::Affine) -> Affine {
    let [x, y] = [point.x, point.y].map(|x| Fe::from_bytes(&x.to_bytes()));
    Affine { x, y }
}

pub(in crate::curve448) fn mul_base(scalar: &[u64; 7]) -> outside::Affine {
    to_outside(&kernel::mul_base_extended(scalar).to_affine())
}

pub(in crate::curve448) fn mul_base_u(scalar: &[u64; 7]) -> [u8; 56] {
    kernel::montgomery_u(&kernel::mul_base_extended(scalar))
}

pub(in crate::curve448) fn ladder(scalar: &[u8; 56], u: &[u8; 56]) -> [u8; 56] {
    kernel::ladder(scalar, u)
}

pub(in crate::curve448) fn decompress_vartime(bytes: &[u8; 57]) -> Option<outside::Affine> {
    Affine::decompress_vartime(bytes).as_ref().map(to_outside)
}

pub(in crate::curve448) fn verify_vartime(check: &crate::curve448::Check) -> bool {
    let Some(r) = Affine::decompress_vartime(&check.r) else {
        return false;
    };
    let a = from_outside(&check.a);
    kernel::verify_vartime(&a, &r, &check.k, &check.s)
}

crate::curve448::batches!();
