//! Vectors of 512 bits.

use adamant_base::simd::{Words, load256, load512, store256, store512};
use core::arch::x86_64::*;

pub(crate) type V = __m512i;
/// Groups of blocks: one, as a vector holds rows of both.
pub(crate) const GROUPS: usize = 1;
/// Words of 16 bits.
pub(crate) const LANES16: usize = 32;
/// Words of 32 bits.
pub(crate) const LANES32: usize = 16;

macro_rules! words {
    ($($name:ident($($arg:ident),*) = $intrinsic:ident;)*) => { $(
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw")]
        pub(crate) fn $name($($arg: V),*) -> V {
            $intrinsic($($arg),*)
        }
    )* };
}
words! {
    add16(a, b) = _mm512_add_epi16;
    sub16(a, b) = _mm512_sub_epi16;
    mullo16(a, b) = _mm512_mullo_epi16;
    mulhi16(a, b) = _mm512_mulhi_epi16;
    mulhrs16(a, b) = _mm512_mulhrs_epi16;
    madd16(a, b) = _mm512_madd_epi16;
    add32(a, b) = _mm512_add_epi32;
    sub32(a, b) = _mm512_sub_epi32;
    add64(a, b) = _mm512_add_epi64;
    sub64(a, b) = _mm512_sub_epi64;
    mullo32(a, b) = _mm512_mullo_epi32;
    mul_even32(a, b) = _mm512_mul_epi32;
    and(a, b) = _mm512_and_si512;
    unpack_lo32(a, b) = _mm512_unpacklo_epi32;
    unpack_hi32(a, b) = _mm512_unpackhi_epi32;
    unpack_lo64(a, b) = _mm512_unpacklo_epi64;
    unpack_hi64(a, b) = _mm512_unpackhi_epi64;
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn splat16(x: i16) -> V {
    _mm512_set1_epi16(x)
}
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn splat32(x: i32) -> V {
    _mm512_set1_epi32(x)
}
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn sign16(a: V) -> V {
    _mm512_srai_epi16::<15>(a)
}
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn shift_right32<const N: u32>(a: V) -> V {
    _mm512_srai_epi32::<N>(a)
}
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn swap16(a: V) -> V {
    _mm512_rol_epi32::<16>(a)
}
/// Each word of 32 bits at an odd place in the even one below, too.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn odd32(a: V) -> V {
    _mm512_shuffle_epi32::<0b11_11_01_01>(a)
}
/// The upper halves of `a` in the lower halves of words of 32 bits, beside the upper ones of `b`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn upper16(a: V, b: V) -> V {
    _mm512_mask_blend_epi16(0xaaaa_aaaa, _mm512_srli_epi32::<16>(a), b)
}
/// The odd words of 32 bits of `a` one down, beside those of `b`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn upper32(a: V, b: V) -> V {
    _mm512_mask_shuffle_epi32::<0b11_11_01_01>(b, 0x5555, a)
}
/// In each half: the lower 128 bits of `a`, then of `b`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn join_lo128(a: V, b: V) -> V {
    _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), b)
}
/// In each half: the upper 128 bits of `a`, then of `b`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn join_hi128(a: V, b: V) -> V {
    _mm512_permutex2var_epi64(a, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), b)
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn load<W: Words>(from: &W) -> V {
    load512(from)
}
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn store<W: Words>(to: &mut W, v: V) {
    store512(to, v);
}
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn load_halves<W: Words>(low: &W, high: &W, _: usize) -> V {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(load256(low)), load256(high))
}
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn store_halves<W: Words>(low: &mut W, high: &mut W, _: usize, v: V) {
    store256(low, _mm512_castsi512_si256(v));
    store256(high, _mm512_extracti64x4_epi64::<1>(v));
}

super::vectors!("avx512f,avx512bw");
