//! SM3 with BMI2 for the rounds and AVX-512VL for the message expansion.
//!
//! What this does differently from the portable code:
//!
//! 1. The expansion is computed four words at a time in vector registers, where AVX-512VL rotates
//!    (`vprold`) and takes the exclusive or of three (`vpternlogd`). The fourth word needs the
//!    first; as P_1 is linear, P_1(W\[j\] <<< 15) is added to it afterwards.
//! 2. W and W′ go through memory to the scalar rounds, sixteen words ahead of them, so both kinds
//!    of units are busy.
//! 3. The rounds use `rorx`, which leaves its source in place. What does not depend on the last A
//!    and E is added up first.
//! 4. The majority is (x ∧ y) + ((x ⊕ y) ∧ z): the terms have no bit in common, so each goes into
//!    the sum by itself.
//! 5. The chain from one E to the next is six cycles: two additions, the rotation of SS1, and P_0,
//!    which is a rotation and two exclusive ors. GG would make it seven, so it does not wait for
//!    the last of these: with E = y ⊕ z, the choice g ⊕ (E ∧ (f ⊕ g)) is made of y and z, of which
//!    z is there first. A compiler undoes this, so this part of the round is in assembly.

use super::T;
use adamant_base::simd::{load128, store128};
use core::arch::x86_64::{
    __m128i, _mm_alignr_epi8, _mm_rol_epi32, _mm_set_epi64x, _mm_shuffle_epi8, _mm_slli_si128,
    _mm_srli_si128, _mm_ternarylogic_epi32, _mm_xor_si128,
};
use core::hint::black_box;

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn xor3(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    _mm_ternarylogic_epi32::<0x96>(a, b, c)
}

/// The next four words of the expansion from the last sixteen, oldest first.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn expand(w0: __m128i, w1: __m128i, w2: __m128i, w3: __m128i) -> __m128i {
    let w9 = _mm_alignr_epi8::<12>(w2, w1); // W[j-9..j-5]
    let w13 = _mm_alignr_epi8::<12>(w1, w0); // W[j-13..j-9]
    let w6 = _mm_alignr_epi8::<8>(w3, w2); // W[j-6..j-2]
    let w_3 = _mm_srli_si128::<4>(w3); // W[j-3..j], and zero for W[j]
    let x = xor3(w0, w9, _mm_rol_epi32::<15>(w_3));
    let p1 = xor3(x, _mm_rol_epi32::<15>(x), _mm_rol_epi32::<23>(x));
    let w = xor3(p1, _mm_rol_epi32::<7>(w13), w6);
    // W[j], now known, in the place of W[j+3], under P_1 ∘ (<<< 15).
    let first = _mm_slli_si128::<12>(w);
    let rest = xor3(
        _mm_rol_epi32::<15>(first),
        _mm_rol_epi32::<30>(first),
        _mm_rol_epi32::<6>(first),
    );
    _mm_xor_si128(w, rest)
}

/// The part of a round that makes the next E, and SS1; `hw` is h + W. Behind GG, in `$gg`, which
/// leaves it in z.
macro_rules! next_e {
    ($(#[$meta:meta])* $name:ident $($gg:literal)+) => {
        $(#[$meta])*
        #[inline]
        #[target_feature(enable = "bmi2")]
        #[allow(unsafe_code)] // In assembly.
        fn $name<const J: usize>(
            a12: u32,
            [mut e, f, g]: [u32; 3],
            mut hw: u32,
            yz: &mut [u32; 2],
        ) -> (u32, u32) {
            let [mut y, mut z] = *yz;
            let ss1;
            // SAFETY: the block changes the named registers and the flags alone.
            unsafe {
                core::arch::asm!(
                    "mov {x:e}, {f:e}",
                    "xor {x:e}, {g:e}",
                    $($gg,)+
                    "lea {s:e}, [{a12:r} + {t}]",
                    "add {s:e}, {e:e}",
                    "add {hw:e}, {z:e}",
                    "rol {s:e}, 7", // SS1
                    "add {hw:e}, {s:e}", // TT2
                    "rorx {z:e}, {hw:e}, 15",
                    "rorx {y:e}, {hw:e}, 23",
                    "xor {y:e}, {hw:e}",
                    "mov {e:e}, {y:e}",
                    "xor {e:e}, {z:e}",
                    f = in(reg) f,
                    g = in(reg) g,
                    a12 = in(reg) a12,
                    e = inout(reg) e,
                    hw = inout(reg) hw,
                    y = inout(reg) y,
                    z = inout(reg) z,
                    s = out(reg) ss1,
                    x = out(reg) _,
                    t = const T[J].cast_signed(),
                    options(pure, nomem, nostack),
                );
            }
            let _ = hw;
            *yz = [y, z];
            (e, ss1)
        }
    };
}
next_e! {
    /// With GG = e ⊕ (f ⊕ g).
    next_e_parity
    "mov {z:e}, {e:e}"
    "xor {z:e}, {x:e}"
}
next_e! {
    /// With GG = (g ⊕ (z ∧ (f ⊕ g))) ⊕ (y ∧ (f ⊕ g)).
    next_e_choose
    "and {z:e}, {x:e}"
    "and {y:e}, {x:e}"
    "xor {z:e}, {g:e}"
    "xor {z:e}, {y:e}"
}

#[target_feature(enable = "avx512f,avx512vl,bmi1,bmi2")]
pub(super) fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    for block in blocks {
        compress_block(state, block);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl,bmi1,bmi2")]
fn compress_block(state: &mut [u32; 8], block: &[u8; 64]) {
    let big_endian = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    let mut w = [_mm_set_epi64x(0, 0); 4];
    for (words, bytes) in w.iter_mut().zip(block.as_chunks::<16>().0) {
        *words = _mm_shuffle_epi8(load128(bytes), big_endian);
    }
    // W and W′ of four rounds each, for the groups i mod 4. Behind `black_box` the compiler does
    // not know what lies there, so it loads the words instead of moving them out of vector
    // registers.
    let mut ahead = [[[0u32; 4]; 2]; 4];
    macro_rules! prepare {
        ($i:literal) => {
            let words = w[$i % 4];
            w[$i % 4] = expand(words, w[($i + 1) % 4], w[($i + 2) % 4], w[($i + 3) % 4]);
            store128(&mut ahead[$i % 4][0], words);
            store128(&mut ahead[$i % 4][1], _mm_xor_si128(words, w[($i + 1) % 4]));
        };
    }

    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    let mut yz = [e, 0]; // E = y ⊕ z
    macro_rules! parity {
        ($sum:expr, $x:ident $y:ident $z:ident) => {
            $sum.wrapping_add($x ^ $y ^ $z)
        };
    }
    macro_rules! majority {
        ($sum:expr, $x:ident $y:ident $z:ident) => {
            $sum.wrapping_add($y & $z).wrapping_add(($y ^ $z) & $x)
        };
    }
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
            $ff:ident $next_e:ident $i:literal $t:literal) => {
            let [w, w1] = ahead[$i % 4].map(|words| words[$t]);
            let a12 = $a.rotate_left(12);
            let hw = $h.wrapping_add(w);
            let (next_e, ss1) = $next_e::<{ 4 * $i + $t }>(a12, [$e, $f, $g], hw, &mut yz);
            $d = $ff!($d.wrapping_add(w1), $a $b $c).wrapping_add(ss1 ^ a12);
            $b = $b.rotate_left(9);
            $f = $f.rotate_left(19);
            $h = next_e;
        };
    }
    macro_rules! group {
        ($ff:ident $next_e:ident $i:literal $($prepare:literal)?) => {
            round!(a b c d e f g h, $ff $next_e $i 0);
            round!(d a b c h e f g, $ff $next_e $i 1);
            round!(c d a b g h e f, $ff $next_e $i 2);
            round!(b c d a f g h e, $ff $next_e $i 3);
            $(prepare!($prepare); black_box(&mut ahead);)?
        };
    }
    prepare!(0);
    prepare!(1);
    prepare!(2);
    black_box(&mut ahead);
    group!(parity next_e_parity 0 3);
    group!(parity next_e_parity 1 4);
    group!(parity next_e_parity 2 5);
    group!(parity next_e_parity 3 6);
    group!(majority next_e_choose 4 7);
    group!(majority next_e_choose 5 8);
    group!(majority next_e_choose 6 9);
    group!(majority next_e_choose 7 10);
    group!(majority next_e_choose 8 11);
    group!(majority next_e_choose 9 12);
    group!(majority next_e_choose 10 13);
    group!(majority next_e_choose 11 14);
    group!(majority next_e_choose 12 15);
    group!(majority next_e_choose 13);
    group!(majority next_e_choose 14);
    group!(majority next_e_choose 15);

    for (word, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word ^= x;
    }
}
