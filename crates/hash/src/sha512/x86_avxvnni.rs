//! SHA-512 with scalar rounds (BMI2) beside a message schedule in vector registers (AVX2), where
//! there are five units for integers or more: of the CPUs with AVX-VNNI, only Intel's small cores
//! have fewer.
//!
//! Differences from the portable code:
//!
//! 1. The schedule is computed two words at a time in vector registers. W\[t\] + K\[t\] goes
//!    through memory to the scalar rounds, fourteen rounds ahead of them, so both kinds of
//!    units are busy.
//! 2. The rounds are those of [`rounds`](super::rounds).

use super::K;
use super::rounds::Working;
use adamant_base::simd::{in_place, load128, store128};
use core::arch::x86_64::{
    __m128i, _mm_add_epi64, _mm_alignr_epi8, _mm_set_epi64x, _mm_setzero_si128, _mm_shuffle_epi8,
    _mm_slli_epi64, _mm_srli_epi64, _mm_xor_si128,
};

/// On a cache line, so that no vector crosses one.
#[repr(align(64))]
struct Aligned([u64; 16]);

/// The exclusive or of these.
macro_rules! xor {
    ($x:expr) => { $x };
    ($x:expr, $($rest:expr),+) => { _mm_xor_si128($x, xor!($($rest),+)) };
}

/// W\[t..t+2\] from W\[t-16..t-14\], W\[t-15..t-13\], W\[t-7..t-5\] and W\[t-2..t\].
#[inline]
#[target_feature(enable = "avx2")]
fn next_words(w16: __m128i, w15: __m128i, w7: __m128i, w2: __m128i) -> __m128i {
    // A rotation is a shift to each side; by eight bits, it moves bytes.
    let ror8 = _mm_set_epi64x(0x080f_0e0d_0c0b_0a09, 0x0007_0605_0403_0201);
    let sigma0 = xor!(
        _mm_srli_epi64::<1>(w15),
        _mm_slli_epi64::<63>(w15),
        _mm_shuffle_epi8(w15, ror8),
        _mm_srli_epi64::<7>(w15)
    );
    let sigma1 = xor!(
        _mm_srli_epi64::<19>(w2),
        _mm_slli_epi64::<45>(w2),
        _mm_srli_epi64::<61>(w2),
        _mm_slli_epi64::<3>(w2),
        _mm_srli_epi64::<6>(w2)
    );
    _mm_add_epi64(_mm_add_epi64(_mm_add_epi64(w16, w7), sigma0), sigma1)
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    for block in blocks {
        compress_block(state, block);
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn compress_block(state: &mut [u64; 8], block: &[u8; 128]) {
    let big_endian = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
    let ([k0, k @ ..], _) = in_place(&K).as_chunks::<2>().0.as_chunks::<8>() else {
        return; // never: K is not empty
    };
    // W[t] + K[t] of the sixteen rounds ahead, at t mod 16.
    let mut wk = Aligned([0u64; 16]);
    let mut w = [_mm_setzero_si128(); 8];
    for i in 0..8 {
        w[i] = _mm_shuffle_epi8(load128(&block.as_chunks::<16>().0[i]), big_endian);
        store128(
            &mut wk.0.as_chunks_mut::<2>().0[i],
            _mm_add_epi64(w[i], load128(&k0[i])),
        );
    }

    let mut working = Working::new(state);
    // The places of two words that were used get those of sixteen rounds later.
    macro_rules! schedule {
        ($i:literal, $k:ident) => {
            let w15 = _mm_alignr_epi8::<8>(w[($i + 1) % 8], w[$i]);
            let w7 = _mm_alignr_epi8::<8>(w[($i + 5) % 8], w[($i + 4) % 8]);
            w[$i] = next_words(w[$i], w15, w7, w[($i + 7) % 8]);
            store128(
                &mut wk.0.as_chunks_mut::<2>().0[$i],
                _mm_add_epi64(w[$i], load128(&$k[$i])),
            );
        };
    }
    for k in k {
        working.two_rounds::<0, 1, 16>(&wk.0);
        schedule!(0, k);
        working.two_rounds::<2, 3, 16>(&wk.0);
        schedule!(1, k);
        working.two_rounds::<4, 5, 16>(&wk.0);
        schedule!(2, k);
        working.two_rounds::<6, 7, 16>(&wk.0);
        schedule!(3, k);
        working.two_rounds::<8, 9, 16>(&wk.0);
        schedule!(4, k);
        working.two_rounds::<10, 11, 16>(&wk.0);
        schedule!(5, k);
        working.two_rounds::<12, 13, 16>(&wk.0);
        schedule!(6, k);
        working.two_rounds::<14, 15, 16>(&wk.0);
        schedule!(7, k);
    }
    working.two_rounds::<0, 1, 16>(&wk.0);
    working.two_rounds::<2, 3, 16>(&wk.0);
    working.two_rounds::<4, 5, 16>(&wk.0);
    working.two_rounds::<6, 7, 16>(&wk.0);
    working.two_rounds::<8, 9, 16>(&wk.0);
    working.two_rounds::<10, 11, 16>(&wk.0);
    working.two_rounds::<12, 13, 16>(&wk.0);
    working.two_rounds::<14, 15, 16>(&wk.0);
    working.add_to(state);
}
