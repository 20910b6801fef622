//! Four elements as the benchmarks of the [`arithmetic`](crate::curve25519::arithmetic) hold them.

use super::four::*;
use super::vector::*;
use crate::curve25519::arithmetic::{FieldElement, Lanes};
use adamant_base::simd::arch::*;
use adamant_base::simd::{load256, store256};

#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
fn read_4(lanes: &Lanes<4>) -> Four {
    core::array::from_fn(|k| load256(&lanes.0[k]))
}

#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
fn write_4(x: Four) -> Lanes<4> {
    let mut lanes = Lanes([[0; 4]; 5]);
    for (to, limb) in lanes.0.iter_mut().zip(x) {
        store256(to, limb);
    }
    lanes
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn load_4(elements: &[FieldElement; 4]) -> Lanes<4> {
    write_4(join(elements.map(|element| element.0.tighten())))
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn store_4(lanes: &Lanes<4>) -> [FieldElement; 4] {
    split(read_4(lanes)).map(FieldElement)
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn add_4(a: &Lanes<4>, b: &Lanes<4>) -> Lanes<4> {
    let sum = add_or_subtract(read_4(a), read_4(b), _mm256_setzero_si256());
    write_4(carry(sum))
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn mul_4(a: &Lanes<4>, b: &Lanes<4>) -> Lanes<4> {
    write_4(carry(multiply!(read_4(a), read_4(b))))
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512ifma,avx512vl")]
pub(in crate::curve25519) fn square_4(a: &Lanes<4>) -> Lanes<4> {
    write_4(carry(square!(read_4(a))))
}
