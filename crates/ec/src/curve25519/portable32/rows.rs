//! Ed25519 and X25519 on words of this size: the parent's kernel and tables over the field beside
//! this module. What a signature consists of keeps its form on the outside, radix 2^51.

// The same files, over another field.
#[path = "../kernel.rs"]
#[allow(clippy::duplicate_mod, dead_code, unreachable_pub)]
mod kernel;
#[path = "rows/table.rs"]
#[allow(clippy::duplicate_mod)]
mod table;

use super::edwards::{self, Affine as Inside};
use super::field;
use super::group::{from_outside, to_outside};
use crate::curve25519::edwards::Affine;
use crate::curve25519::kernel::{Check, Equation};
use crate::curve25519::memory::Table;
use crate::curve25519::scalar;
use adamant_base::Secret;

fn inside(point: &Affine) -> Inside {
    Inside {
        x: from_outside(point.x),
        y: from_outside(point.y),
    }
}

fn outside(point: &Inside) -> Affine {
    Affine {
        x: to_outside(point.x),
        y: to_outside(point.y),
    }
}

/// What [`kernel::mul_base_extended`] gives.
pub(super) fn mul_base_extended(scalar: &[u8; 32]) -> Secret<edwards::Extended> {
    kernel::mul_base_extended(scalar)
}

pub(in crate::curve25519) fn mul_base(scalar: &[u8; 32]) -> Affine {
    outside(&kernel::mul_base(scalar))
}

pub(in crate::curve25519) fn mul_base_batch(scalars: &[[u8; 32]], out: &mut [Affine]) {
    for (scalar, out) in scalars.iter().zip(out) {
        *out = mul_base(scalar);
    }
}

pub(in crate::curve25519) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
    kernel::mul_base_u(scalar)
}

pub(in crate::curve25519) fn mul_base_u_batch(scalars: &[[u8; 32]], out: &mut [[u8; 32]]) {
    for (scalar, out) in scalars.iter().zip(out) {
        *out = mul_base_u(scalar);
    }
}

pub(in crate::curve25519) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    kernel::ladder(scalar, u)
}

pub(in crate::curve25519) fn ladder_batch(
    scalars: &[[u8; 32]],
    us: &[[u8; 32]],
    out: &mut [[u8; 32]],
) {
    for ((scalar, u), out) in scalars.iter().zip(us).zip(out) {
        *out = ladder(scalar, u);
    }
}

pub(in crate::curve25519) fn decompress_vartime(bytes: &[u8; 32]) -> Option<Affine> {
    kernel::decompress_vartime(bytes).as_ref().map(outside)
}

pub(in crate::curve25519) fn decompress_batch_vartime(
    bytes: &[[u8; 32]],
    out: &mut [Option<Affine>],
) {
    for (bytes, out) in bytes.iter().zip(out) {
        *out = decompress_vartime(bytes);
    }
}

pub(in crate::curve25519) fn verify_vartime(equation: Equation, item: &Check) -> bool {
    let equation = match equation {
        Equation::Cofactored => kernel::Equation::Cofactored,
        Equation::Cofactorless => kernel::Equation::Cofactorless,
    };
    let item = kernel::Check {
        a: inside(&item.a),
        k: item.k,
        s: item.s,
        r: inside(&item.r),
    };
    kernel::verify_vartime(equation, &item)
}

pub(in crate::curve25519) fn verify_batch_vartime(
    equation: Equation,
    items: &[Check],
    out: &mut [bool],
) {
    for (item, out) in items.iter().zip(out) {
        *out = verify_vartime(equation, item);
    }
}

pub(in crate::curve25519) fn sum_is_small_vartime(
    base: &[u64; 4],
    terms: &[Check],
    tables: &mut [Table],
) -> bool {
    let rows = &mut tables.as_flattened_mut()[..2 * terms.len()];
    let terms = terms.iter().flat_map(|term| {
        let pairs = [(term.k, &term.a), (term.s, &term.r)];
        pairs.map(|(scalar, point)| (scalar, inside(point)))
    });
    kernel::sum_is_small_vartime(base, terms, rows)
}
