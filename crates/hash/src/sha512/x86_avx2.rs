//! SHA-512 with scalar rounds (BMI2) beside a message schedule in vector registers (AVX2).
//!
//! What this does differently from the portable code:
//!
//! 1. The schedule is computed two words at a time in vector registers. W\[t\] + K\[t\] goes
//!    through memory to the scalar rounds, fourteen rounds ahead of them, so both kinds of
//!    units are busy.
//! 2. `rorx` and `andn` leave their sources in place, and the order of the additions is fixed:
//!    Σ1(e) comes last. The chain from one round's e to the next is then four cycles: a rotation,
//!    two exclusive ors and one addition. A compiler orders a sum as it likes, so the round is in
//!    assembly.
//! 3. For this d must be in the sum before, so the new e is what is made first, and T1 is it less
//!    d.
//! 4. The terms of ch(e, f, g) have no bit in common, so each goes into the sum by itself. So it
//!    is with maj(a, b, c), which is a where b and c differ and b elsewhere; this round's a ⊕ b is
//!    the next one's b ⊕ c.
//!
//! With AVX-512VL the schedule takes fewer instructions, and no less time: the rounds bound it.

use super::K;
use adamant_base::simd::{load128, store128};
use core::arch::x86_64::{
    __m128i, _mm_add_epi64, _mm_alignr_epi8, _mm_set_epi64x, _mm_setzero_si128, _mm_shuffle_epi8,
    _mm_slli_epi64, _mm_srli_epi64, _mm_xor_si128,
};

/// On a cache line, so that no vector crosses one.
#[repr(align(64))]
struct Aligned([u64; 16]);

/// A round's new e, with W\[t\] + K\[t\] at `wk[I]`.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
#[allow(unsafe_code)] // The round is in assembly.
fn next_e<const I: usize>([d, e, f, g, h]: [u64; 5], wk: &[u64; 16]) -> u64 {
    const { assert!(I < 16) };
    let next;
    // SAFETY: the block reads the word I of `wk`, and changes the named registers and the flags.
    unsafe {
        core::arch::asm!(
            "add {h}, qword ptr [{wk} + {i}]",
            "mov {x}, {e}",
            "and {x}, {f}",
            "add {h}, {d}",
            "andn {y}, {e}, {g}",
            "add {h}, {x}",
            "rorx {x}, {e}, 14",
            "add {h}, {y}", // + ch(e, f, g)
            "rorx {y}, {e}, 18",
            "xor {x}, {y}",
            "rorx {y}, {e}, 41",
            "xor {x}, {y}",
            "add {h}, {x}", // + Σ1(e)
            d = in(reg) d,
            e = in(reg) e,
            f = in(reg) f,
            g = in(reg) g,
            h = inout(reg) h => next,
            x = out(reg) _,
            y = out(reg) _,
            wk = in(reg) wk.as_ptr(),
            i = const 8 * I,
            options(pure, readonly, nostack),
        );
    }
    next
}

/// A round's new a; `b_xor_c` becomes the next one.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
#[allow(unsafe_code)] // The round is in assembly.
fn next_a([a, b, d]: [u64; 3], b_xor_c: &mut u64, next_e: u64) -> u64 {
    let next;
    // SAFETY: the block changes the named registers and the flags alone.
    unsafe {
        core::arch::asm!(
            "andn {sum}, {bc}, {b}",
            "and {bc}, {a}",
            "sub {sum}, {d}",
            "mov {d}, {a}",
            "xor {d}, {b}",
            "rorx {x}, {a}, 28",
            "rorx {y}, {a}, 34",
            "xor {x}, {y}",
            "rorx {y}, {a}, 39",
            "add {sum}, {e}", // T1
            "xor {x}, {y}",
            "add {sum}, {bc}", // + maj(a, b, c)
            "add {sum}, {x}", // + Σ0(a)
            a = in(reg) a,
            b = in(reg) b,
            d = inout(reg) d => *b_xor_c,
            e = in(reg) next_e,
            bc = inout(reg) *b_xor_c => _,
            sum = out(reg) next,
            x = out(reg) _,
            y = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    next
}

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
    let ([k0, k @ ..], _) = K.as_chunks::<2>().0.as_chunks::<8>() else {
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

    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    let mut b_xor_c = b ^ c;
    // Two rounds. The variables change names instead of places: the new e is where h was, the
    // new a where d was, and after four rounds all are at home.
    macro_rules! two_rounds {
        ($i:literal: $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
            $h = next_e::<{ 2 * $i }>([$d, $e, $f, $g, $h], &wk.0);
            $d = next_a([$a, $b, $d], &mut b_xor_c, $h);
            $g = next_e::<{ 2 * $i + 1 }>([$c, $h, $e, $f, $g], &wk.0);
            $c = next_a([$d, $a, $c], &mut b_xor_c, $g);
        };
    }
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
        two_rounds!(0: a b c d e f g h);
        schedule!(0, k);
        two_rounds!(1: c d a b g h e f);
        schedule!(1, k);
        two_rounds!(2: a b c d e f g h);
        schedule!(2, k);
        two_rounds!(3: c d a b g h e f);
        schedule!(3, k);
        two_rounds!(4: a b c d e f g h);
        schedule!(4, k);
        two_rounds!(5: c d a b g h e f);
        schedule!(5, k);
        two_rounds!(6: a b c d e f g h);
        schedule!(6, k);
        two_rounds!(7: c d a b g h e f);
        schedule!(7, k);
    }
    two_rounds!(0: a b c d e f g h);
    two_rounds!(1: c d a b g h e f);
    two_rounds!(2: a b c d e f g h);
    two_rounds!(3: c d a b g h e f);
    two_rounds!(4: a b c d e f g h);
    two_rounds!(5: c d a b g h e f);
    two_rounds!(6: a b c d e f g h);
    two_rounds!(7: c d a b g h e f);
    let _ = b_xor_c; // no round follows

    for (word, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(x);
    }
}
