//! Eight elements as the benchmarks of the [`arithmetic`](crate::curve25519::arithmetic) hold them.

use super::convert::{join, split};
use super::field::{Factor, NONE, Sum};
use crate::curve25519::arithmetic::{FieldElement, Lanes};
use adamant_base::simd::{load512, store512};

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn read_8(lanes: &Lanes<8>) -> Factor {
    Factor(core::array::from_fn(|k| load512(&lanes.0[k])))
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn write_8(x: Sum) -> Lanes<8> {
    let mut lanes = Lanes([[0; 8]; 5]);
    for (to, limb) in lanes.0.iter_mut().zip(x.carry().0) {
        store512(to, limb);
    }
    lanes
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in crate::curve25519) fn load_8(elements: &[FieldElement; 8]) -> Lanes<8> {
    write_8(join(&elements.map(|element| element.0.tighten())))
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in crate::curve25519) fn store_8(lanes: &Lanes<8>) -> [FieldElement; 8] {
    split(&read_8(lanes)).map(FieldElement)
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in crate::curve25519) fn add_8(a: &Lanes<8>, b: &Lanes<8>) -> Lanes<8> {
    write_8(read_8(a).sum().plus(&read_8(b).sum()))
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in crate::curve25519) fn mul_8(a: &Lanes<8>, b: &Lanes<8>) -> Lanes<8> {
    write_8(read_8(a).mul(&read_8(b), NONE))
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(in crate::curve25519) fn square_8(a: &Lanes<8>) -> Lanes<8> {
    write_8(read_8(a).square(NONE))
}
