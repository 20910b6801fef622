//! Ed25519 and X25519 on words of this size: the parent's kernel and tables over the field beside
//! this module. What a signature consists of keeps its form on the outside, radix 2^51.

// The same files, over another field.
#[path = "../kernel.rs"]
#[allow(
    clippy::duplicate_mod,
    dead_code,
    unreachable_pub,
    unused_imports,
    unused_macros
)]
mod kernel;
#[path = "rows/table.rs"]
#[allow(clippy::duplicate_mod)]
mod table;

use super::edwards;
use super::edwards::{Affine as Inside, Cached, Completed, Extended};
use super::field::{self, Fe};
use crate::curve25519::edwards::Affine;
use crate::curve25519::field::Fe as OutsideFe;
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

crate::curve25519::kernel::shared!(Inside;);

/// The multiple of the base point.
pub(super) fn mul_base_extended(scalar: &[u8; 32]) -> Secret<Extended> {
    kernel::mul_base_extended(scalar, |sum| double(sum, 4))
}

pub(in crate::curve25519) fn mul_base(scalar: &[u8; 32]) -> Affine {
    let product = mul_base_extended(scalar);
    outside(&product.scale(invert(&product.z)))
}

pub(in crate::curve25519) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
    if !cfg!(feature = "tables") {
        let mut base = [0; 32];
        base[0] = 9;
        return ladder(scalar, &base);
    }
    kernel::montgomery_u(&mul_base_extended(scalar), |x| invert(&x))
}

pub(in crate::curve25519) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    kernel::ladder_with(scalar, u, |x| invert(&x))
}

pub(in crate::curve25519) fn decompress_vartime(bytes: &[u8; 32]) -> Option<Affine> {
    Inside::decompress_zip215_vartime(bytes, multiply, |x| pow_p58(&x))
        .as_ref()
        .map(outside)
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
    kernel::verify_vartime(equation, &item, Completed::NEUTRAL, odd_multiples)
}

#[cfg_attr(not(feature = "lab"), inline)]
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
    kernel::sum_is_small_vartime(base, terms, rows, Completed::NEUTRAL, odd_multiples)
}

crate::curve25519::kernel::batches_of_x25519!();
crate::curve25519::kernel::batches_of_ed25519!();

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn from_outside(x: OutsideFe) -> Fe {
    Fe::from_bytes(&x.to_bytes())
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn to_outside(x: Fe) -> OutsideFe {
    OutsideFe::from_bytes(&x.to_bytes())
}
