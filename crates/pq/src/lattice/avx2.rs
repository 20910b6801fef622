//! Vectors of 256 bits.

use adamant_base::simd::{Words, load256, store256};
use core::arch::x86_64::*;

pub(crate) type V = __m256i;
/// Groups of blocks: a vector holds a row of one block.
pub(crate) const GROUPS: usize = 2;
/// Words of 16 bits.
pub(crate) const LANES16: usize = 16;
/// Words of 32 bits.
pub(crate) const LANES32: usize = 8;

macro_rules! words {
    ($($name:ident($($arg:ident),*) = $intrinsic:ident;)*) => { $(
        #[inline]
        #[target_feature(enable = "avx2")]
        pub(crate) fn $name($($arg: V),*) -> V {
            $intrinsic($($arg),*)
        }
    )* };
}
words! {
    add16(a, b) = _mm256_add_epi16;
    sub16(a, b) = _mm256_sub_epi16;
    mullo16(a, b) = _mm256_mullo_epi16;
    mulhi16(a, b) = _mm256_mulhi_epi16;
    mulhrs16(a, b) = _mm256_mulhrs_epi16;
    madd16(a, b) = _mm256_madd_epi16;
    add32(a, b) = _mm256_add_epi32;
    sub32(a, b) = _mm256_sub_epi32;
    add64(a, b) = _mm256_add_epi64;
    sub64(a, b) = _mm256_sub_epi64;
    mullo32(a, b) = _mm256_mullo_epi32;
    mul_even32(a, b) = _mm256_mul_epi32;
    and(a, b) = _mm256_and_si256;
    unpack_lo32(a, b) = _mm256_unpacklo_epi32;
    unpack_hi32(a, b) = _mm256_unpackhi_epi32;
    unpack_lo64(a, b) = _mm256_unpacklo_epi64;
    unpack_hi64(a, b) = _mm256_unpackhi_epi64;
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn splat16(x: i16) -> V {
    _mm256_set1_epi16(x)
}
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn splat32(x: i32) -> V {
    _mm256_set1_epi32(x)
}
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn sign16(a: V) -> V {
    _mm256_srai_epi16::<15>(a)
}
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn shift_right32<const N: i32>(a: V) -> V {
    _mm256_srai_epi32::<N>(a)
}
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn swap16(a: V) -> V {
    _mm256_or_si256(_mm256_slli_epi32::<16>(a), _mm256_srli_epi32::<16>(a))
}
/// Each word of 32 bits at an odd place in the even one below, too.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn odd32(a: V) -> V {
    _mm256_shuffle_epi32::<0b11_11_01_01>(a)
}
/// The upper halves of `a` in the lower halves of words of 32 bits, beside the upper ones of `b`.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn upper16(a: V, b: V) -> V {
    _mm256_blend_epi16::<0xaa>(_mm256_srli_epi32::<16>(a), b)
}
/// The odd words of 32 bits of `a` one down, beside those of `b`.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn upper32(a: V, b: V) -> V {
    _mm256_blend_epi32::<0xaa>(_mm256_srli_epi64::<32>(a), b)
}
/// The lower 128 bits of `a`, then of `b`.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn join_lo128(a: V, b: V) -> V {
    _mm256_permute2x128_si256::<0x20>(a, b)
}
/// The upper 128 bits of `a`, then of `b`.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn join_hi128(a: V, b: V) -> V {
    _mm256_permute2x128_si256::<0x31>(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn load<W: Words>(from: &W) -> V {
    load256(from)
}
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn store<W: Words>(to: &mut W, v: V) {
    store256(to, v);
}
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn load_halves<W: Words>(low: &W, high: &W, g: usize) -> V {
    load256(if g == 0 { low } else { high })
}
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn store_halves<W: Words>(low: &mut W, high: &mut W, g: usize, v: V) {
    store256(if g == 0 { low } else { high }, v);
}

super::vectors!("avx2");
