//! SHA-512 with BMI2 for the rounds and AVX-512VL for the message schedule.
//!
//! What this does differently from the portable code:
//!
//! 1. The schedule is computed two words at a time in vector registers, where AVX-512VL rotates
//!    (`vprorq`) and takes the exclusive or of three (`vpternlogq`). W\[t\] + K\[t\] goes through
//!    memory to the scalar rounds, sixteen words ahead of them, so both kinds of units are busy.
//! 2. The rounds use `rorx` and `andn`, which leave their sources in place. The chain from one
//!    round's e to the next is then four cycles: a rotation, two exclusive ors and one addition.
//! 3. maj(a, b, c) is b ⊕ ((a ⊕ b) ∧ (b ⊕ c)); this round's a ⊕ b is the next one's b ⊕ c.

use super::K;
use adamant_base::simd::{load128, store128};
use core::arch::x86_64::{
    __m128i, _mm_add_epi64, _mm_alignr_epi8, _mm_ror_epi64, _mm_set_epi64x, _mm_shuffle_epi8,
    _mm_srli_epi64, _mm_ternarylogic_epi64,
};
use core::hint::black_box;

/// W\[t..t+2\] from W\[t-16..t-14\], W\[t-15..t-13\], W\[t-7..t-5\] and W\[t-2..t\].
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn next_words(w16: __m128i, w15: __m128i, w7: __m128i, w2: __m128i) -> __m128i {
    const XOR3: i32 = 0x96;
    let sigma0 = _mm_ternarylogic_epi64::<XOR3>(
        _mm_ror_epi64::<1>(w15),
        _mm_ror_epi64::<8>(w15),
        _mm_srli_epi64::<7>(w15),
    );
    let sigma1 = _mm_ternarylogic_epi64::<XOR3>(
        _mm_ror_epi64::<19>(w2),
        _mm_ror_epi64::<61>(w2),
        _mm_srli_epi64::<6>(w2),
    );
    _mm_add_epi64(_mm_add_epi64(_mm_add_epi64(w16, w7), sigma0), sigma1)
}

#[target_feature(enable = "avx512f,avx512vl,bmi1,bmi2")]
pub(super) fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    for block in blocks {
        compress_block(state, block);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl,bmi1,bmi2")]
fn compress_block(state: &mut [u64; 8], block: &[u8; 128]) {
    let big_endian = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
    let k = K.as_chunks::<2>().0.as_chunks::<8>().0;
    // W[t] + K[t], by pairs: sixteen for the rounds at hand, sixteen for those that follow. Behind
    // `black_box` the compiler does not know what lies there, so it loads the words instead of
    // moving them out of vector registers.
    let mut wk = [[[0u64; 2]; 8]; 2];
    let mut w = [_mm_set_epi64x(0, 0); 8];
    for i in 0..8 {
        w[i] = _mm_shuffle_epi8(load128(&block.as_chunks::<16>().0[i]), big_endian);
        store128(&mut wk[0][i], _mm_add_epi64(w[i], load128(&k[0][i])));
    }

    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    let mut b_xor_c = b ^ c;
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $wk:expr) => {
            let a_xor_b = $a ^ $b;
            $h = $h.wrapping_add($wk);
            let sigma1 = $e.rotate_right(14) ^ $e.rotate_right(18) ^ $e.rotate_right(41);
            let t1 = $h
                .wrapping_add($e & $f)
                .wrapping_add(!$e & $g)
                .wrapping_add(sigma1);
            let sigma0 = $a.rotate_right(28) ^ $a.rotate_right(34) ^ $a.rotate_right(39);
            let maj = $b ^ (a_xor_b & b_xor_c);
            $d = $d.wrapping_add(t1);
            $h = t1.wrapping_add(sigma0.wrapping_add(maj));
            b_xor_c = a_xor_b;
        };
    }
    macro_rules! schedule {
        ($i:literal $next:literal $k:literal) => {
            let w15 = _mm_alignr_epi8::<8>(w[($i + 1) % 8], w[$i]);
            let w7 = _mm_alignr_epi8::<8>(w[($i + 5) % 8], w[($i + 4) % 8]);
            w[$i] = next_words(w[$i], w15, w7, w[($i + 7) % 8]);
            store128(
                &mut wk[$next][$i],
                _mm_add_epi64(w[$i], load128(&k[$k][$i])),
            );
        };
    }
    macro_rules! sixteen_rounds {
        ($now:literal $(, $next:literal $k:literal)?) => {
            black_box(&mut wk);
            $(schedule!(0 $next $k);)?
            round!(a b c d e f g h, wk[$now][0][0]);
            round!(h a b c d e f g, wk[$now][0][1]);
            $(schedule!(1 $next $k);)?
            round!(g h a b c d e f, wk[$now][1][0]);
            round!(f g h a b c d e, wk[$now][1][1]);
            $(schedule!(2 $next $k);)?
            round!(e f g h a b c d, wk[$now][2][0]);
            round!(d e f g h a b c, wk[$now][2][1]);
            $(schedule!(3 $next $k);)?
            round!(c d e f g h a b, wk[$now][3][0]);
            round!(b c d e f g h a, wk[$now][3][1]);
            $(schedule!(4 $next $k);)?
            round!(a b c d e f g h, wk[$now][4][0]);
            round!(h a b c d e f g, wk[$now][4][1]);
            $(schedule!(5 $next $k);)?
            round!(g h a b c d e f, wk[$now][5][0]);
            round!(f g h a b c d e, wk[$now][5][1]);
            $(schedule!(6 $next $k);)?
            round!(e f g h a b c d, wk[$now][6][0]);
            round!(d e f g h a b c, wk[$now][6][1]);
            $(schedule!(7 $next $k);)?
            round!(c d e f g h a b, wk[$now][7][0]);
            round!(b c d e f g h a, wk[$now][7][1]);
        };
    }
    sixteen_rounds!(0, 1 1);
    sixteen_rounds!(1, 0 2);
    sixteen_rounds!(0, 1 3);
    sixteen_rounds!(1, 0 4);
    sixteen_rounds!(0);
    let _ = b_xor_c; // no round follows

    for (word, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(x);
    }
}
