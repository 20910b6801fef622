//! MD5 with each word in a vector register of its own.
//!
//! Every step waits for the one before. `vpternlogd` makes any of the four functions in one
//! instruction, where F and I take two, so with the two additions and the rotation a step has four
//! on this chain. Golden Cove gains by it; where a vector operation takes two cycles, and on Zen 4, the
//! portable code is faster.

use super::T;
use adamant_base::simd::arch::{
    __m128i, _mm_add_epi32, _mm_cvtsi32_si128, _mm_cvtsi128_si32, _mm_rol_epi32, _mm_set1_epi32,
    _mm_ternarylogic_epi32,
};
use adamant_base::simd::map;

/// The function of x, y and z for `vpternlogd`.
const F: i32 = 0xca;
const G: i32 = 0xe4;
const H: i32 = 0x96;
const I: i32 = 0x39;

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn add(a: __m128i, b: __m128i) -> __m128i {
    _mm_add_epi32(a, b)
}

/// `sum`, computed before it is added to anything: left alone, the compiler adds the constants
/// last, after the word that everything waits for.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
#[allow(unsafe_code)] // In assembly.
fn first(mut sum: __m128i) -> __m128i {
    // SAFETY: the block is empty.
    unsafe {
        core::arch::asm!(
            "/* {} */",
            inout(xmm_reg) sum,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}

/// Step `i` of the standard, counted from zero: the new a.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn step<const F: i32, const S: i32>(
    [a, b, c, d]: [__m128i; 4],
    i: usize,
    k: usize,
    x: &[[u8; 4]; 16],
) -> __m128i {
    let x = u32::from_le_bytes(x[k % 16]);
    let sum = add(a, _mm_set1_epi32(T[i].cast_signed()));
    let sum = first(add(sum, _mm_set1_epi32(x.cast_signed())));
    let sum = add(sum, _mm_ternarylogic_epi32::<F>(b, c, d));
    add(_mm_rol_epi32::<S>(sum), b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn compress(state: &mut [u32; 4], blocks: &[[u8; 64]]) {
    let [mut a, mut b, mut c, mut d] = map(*state, |word| _mm_cvtsi32_si128(word.cast_signed()));
    for block in blocks {
        let Some(x) = block.as_chunks().0.first_chunk() else {
            return; // never: 64 bytes are sixteen words
        };
        let old = [a, b, c, d];
        // Sixteen steps from the $i-th on; the index of X starts at $k and goes on by $by.
        macro_rules! round {
            ($f:ident $i:literal, $k:literal $by:literal,
                $s0:literal $s1:literal $s2:literal $s3:literal) => {
                for j in (0..16).step_by(4) {
                    a = step::<$f, $s0>([a, b, c, d], $i + j, $k + $by * j, x);
                    d = step::<$f, $s1>([d, a, b, c], $i + j + 1, $k + $by * (j + 1), x);
                    c = step::<$f, $s2>([c, d, a, b], $i + j + 2, $k + $by * (j + 2), x);
                    b = step::<$f, $s3>([b, c, d, a], $i + j + 3, $k + $by * (j + 3), x);
                }
            };
        }
        round!(F 0, 0 1, 7 12 17 22);
        round!(G 16, 1 5, 5 9 14 20);
        round!(H 32, 5 3, 4 11 16 23);
        round!(I 48, 0 7, 6 10 15 21);
        (a, b) = (add(a, old[0]), add(b, old[1]));
        (c, d) = (add(c, old[2]), add(d, old[3]));
    }
    *state = map([a, b, c, d], |word| _mm_cvtsi128_si32(word).cast_unsigned());
}
