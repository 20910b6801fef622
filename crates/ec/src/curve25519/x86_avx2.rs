//! The operations on AVX2: multiples of secret scalars in batches are those of
//! [`x86_avx2_x4`](super::x86_avx2_x4), four side by side; all else, where four lanes take longer than
//! one after the other, is that of [`x86_bmi2`](super::x86_bmi2).

use super::edwards::Affine;
use super::{x86_avx2_x4, x86_bmi2};

pub(super) use x86_bmi2::{
    decompress_batch_vartime, decompress_vartime, ladder, mul_base, mul_base_u,
    sum_is_small_vartime, verify_batch_vartime, verify_vartime,
};

/// How many of this many items four lanes are worth while for: two are done alone in less time than
/// with two lanes idle.
#[cfg_attr(not(feature = "lab"), inline)]
fn in_lanes(items: usize) -> usize {
    if items % 4 <= 2 {
        items - items % 4
    } else {
        items
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx2,bmi2")]
pub(super) fn ladder_batch(scalars: &[[u8; 32]], us: &[[u8; 32]], out: &mut [[u8; 32]]) {
    let count = in_lanes(scalars.len());
    x86_avx2_x4::ladder_batch(&scalars[..count], &us[..count], &mut out[..count]);
    x86_bmi2::ladder_batch(&scalars[count..], &us[count..], &mut out[count..]);
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx2,bmi2")]
pub(super) fn mul_base_batch(scalars: &[[u8; 32]], out: &mut [Affine]) {
    let count = in_lanes(scalars.len());
    x86_avx2_x4::mul_base_batch(&scalars[..count], &mut out[..count]);
    x86_bmi2::mul_base_batch(&scalars[count..], &mut out[count..]);
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx2,bmi2")]
pub(super) fn mul_base_u_batch(scalars: &[[u8; 32]], out: &mut [[u8; 32]]) {
    let count = in_lanes(scalars.len());
    x86_avx2_x4::mul_base_u_batch(&scalars[..count], &mut out[..count]);
    x86_bmi2::mul_base_u_batch(&scalars[count..], &mut out[count..]);
}
