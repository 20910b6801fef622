//! SM3 with BMI2 for the rounds and AVX-512 for the message expansion.
//!
//! Differences from the portable code:
//!
//! 1. The expansion is computed four words at a time in the quarters of a vector, for four blocks
//!    of the message at once: it does not depend on the state. AVX-512 rotates (`vprold`) and takes
//!    the exclusive or of three (`vpternlogd`). The fourth word needs the first; as P_1 is linear,
//!    P_1(W\[j\] <<< 15) is added to it afterwards.
//! 2. W and W′ go through memory to the scalar rounds. It is computed beside the first block's
//!    rounds, sixteen words ahead of them, so both kinds of units are busy; the other three blocks
//!    find it there.
//! 3. The rounds use `rorx`, which leaves its source in place. What does not depend on the last A
//!    and E is added up first. A compiler undoes this, so a round is in assembly, in as few
//!    instructions as possible: there are enough of them to keep all units busy.
//! 4. The majority is (x ∧ y) + ((x ⊕ y) ∧ z): the terms have no bit in common, so each goes into
//!    the sum by itself.

use super::T;
use adamant_base::simd::{load512, store512};
use core::arch::x86_64::{
    __m512i, _mm512_alignr_epi8, _mm512_bslli_epi128, _mm512_bsrli_epi128, _mm512_rol_epi32,
    _mm512_set4_epi32, _mm512_shuffle_epi8, _mm512_shuffle_i32x4, _mm512_ternarylogic_epi32,
    _mm512_xor_si512,
};
use core::hint::black_box;

/// Blocks whose expansion is computed at once.
pub(super) const BLOCKS: usize = 4;

/// W and W′ of four rounds each, four words of each block.
type Expanded = [[[u32; 4 * BLOCKS]; 2]; 16];

#[inline]
#[target_feature(enable = "avx512f")]
fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<0x96>(a, b, c)
}

/// The next four words of the expansion from the last sixteen, oldest first.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn expand(w0: __m512i, w1: __m512i, w2: __m512i, w3: __m512i) -> __m512i {
    let w9 = _mm512_alignr_epi8::<12>(w2, w1); // W[j-9..j-5]
    let w13 = _mm512_alignr_epi8::<12>(w1, w0); // W[j-13..j-9]
    let w6 = _mm512_alignr_epi8::<8>(w3, w2); // W[j-6..j-2]
    let w_3 = _mm512_bsrli_epi128::<4>(w3); // W[j-3..j], and zero for W[j]
    let x = xor3(w0, w9, _mm512_rol_epi32::<15>(w_3));
    let p1 = xor3(x, _mm512_rol_epi32::<15>(x), _mm512_rol_epi32::<23>(x));
    let w = xor3(p1, _mm512_rol_epi32::<7>(w13), w6);
    // W[j], now known, in the place of W[j+3], under P_1 ∘ (<<< 15).
    let first = _mm512_bslli_epi128::<12>(w);
    let rest = xor3(
        _mm512_rol_epi32::<15>(first),
        _mm512_rol_epi32::<30>(first),
        _mm512_rol_epi32::<6>(first),
    );
    _mm512_xor_si512(w, rest)
}

/// Words 4 i to 4 i + 3 of every block at place i.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(blocks: [&[u8; 64]; BLOCKS]) -> [__m512i; 4] {
    let swap = _mm512_set4_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203);
    let [a, b, c, d] = [
        _mm512_shuffle_epi8(load512(blocks[0]), swap),
        _mm512_shuffle_epi8(load512(blocks[1]), swap),
        _mm512_shuffle_epi8(load512(blocks[2]), swap),
        _mm512_shuffle_epi8(load512(blocks[3]), swap),
    ];
    let (ab, cd) = (
        _mm512_shuffle_i32x4::<0b01_00_01_00>(a, b),
        _mm512_shuffle_i32x4::<0b01_00_01_00>(c, d),
    );
    let (above_ab, above_cd) = (
        _mm512_shuffle_i32x4::<0b11_10_11_10>(a, b),
        _mm512_shuffle_i32x4::<0b11_10_11_10>(c, d),
    );
    [
        _mm512_shuffle_i32x4::<0b10_00_10_00>(ab, cd),
        _mm512_shuffle_i32x4::<0b11_01_11_01>(ab, cd),
        _mm512_shuffle_i32x4::<0b10_00_10_00>(above_ab, above_cd),
        _mm512_shuffle_i32x4::<0b11_01_11_01>(above_ab, above_cd),
    ]
}

/// A round, where d has W′ in it and h has W: b, d, f and h after it, under these names still.
/// `$gg` makes GG out of f ⊕ g in t, `$ff` adds FF to d.
macro_rules! round {
    ($(#[$meta:meta])* $name:ident gg: $($gg:literal)+, ff: $($ff:literal)+) => {
        $(#[$meta])*
        #[inline]
        #[target_feature(enable = "bmi2")]
        #[allow(unsafe_code)] // In assembly.
        fn $name<const J: usize>(
            [a, mut b, c, mut d]: [u32; 4],
            [e, mut f, g, mut h]: [u32; 4],
        ) -> [u32; 4] {
            // SAFETY: the block changes only the named registers and the flags.
            unsafe {
                core::arch::asm!(
                    "rorx {x:e}, {a:e}, 20",
                    "mov {t:e}, {f:e}",
                    "xor {t:e}, {g:e}",
                    "lea {s:e}, [{x:r} + {e:r} + {t_j}]",
                    $($gg,)+
                    "add {h:e}, {t:e}",
                    "rol {s:e}, 7", // SS1
                    "add {h:e}, {s:e}", // TT2
                    "xor {x:e}, {s:e}", // SS2
                    $($ff,)+
                    "add {d:e}, {x:e}", // TT1
                    "rorx {t:e}, {h:e}, 15",
                    "rorx {s:e}, {h:e}, 23",
                    "xor {h:e}, {t:e}",
                    "rol {b:e}, 9",
                    "rol {f:e}, 19",
                    "xor {h:e}, {s:e}", // P_0
                    a = in(reg) a,
                    b = inout(reg) b,
                    c = in(reg) c,
                    d = inout(reg) d,
                    e = in(reg) e,
                    f = inout(reg) f,
                    g = in(reg) g,
                    h = inout(reg) h,
                    s = out(reg) _,
                    t = out(reg) _,
                    x = out(reg) _,
                    t_j = const T[J].cast_signed(),
                    options(pure, nomem, nostack),
                );
            }
            [b, d, f, h]
        }
    };
}
round! {
    /// One of the first sixteen rounds.
    early
    gg: "xor {t:e}, {e:e}",
    ff: "mov {t:e}, {a:e}"
        "xor {t:e}, {b:e}"
        "xor {t:e}, {c:e}"
        "add {d:e}, {t:e}"
}
round! {
    /// One of the other rounds.
    late
    gg: "and {t:e}, {e:e}" "xor {t:e}, {g:e}",
    ff: "mov {t:e}, {b:e}"
        "and {t:e}, {c:e}"
        "add {d:e}, {t:e}"
        "mov {t:e}, {b:e}"
        "xor {t:e}, {c:e}"
        "and {t:e}, {a:e}"
        "add {d:e}, {t:e}"
}

#[target_feature(enable = "avx512f,avx512bw,bmi2")]
pub(super) fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    let mut expanded = [[[0; 16]; 2]; 16];
    for blocks in blocks.chunks(BLOCKS) {
        let block = |i| blocks.get(i).unwrap_or(&blocks[0]);
        let words = load([block(0), block(1), block(2), block(3)]);
        rounds::<true>(state, words, &mut expanded, 0);
        for i in 1..blocks.len() {
            rounds::<false>(state, words, &mut expanded, i);
        }
    }
}

/// All rounds of the block of this number, out of those expanded together: of the first one beside
/// the expansion of their first words `w`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn rounds<const FIRST: bool>(
    state: &mut [u32; 8],
    mut w: [__m512i; 4],
    expanded: &mut Expanded,
    block: usize,
) {
    // Behind `black_box` the compiler does not know what lies there, so it loads the words instead
    // of moving them out of vector registers.
    macro_rules! prepare {
        ($i:literal) => {
            let words = w[$i % 4];
            w[$i % 4] = expand(words, w[($i + 1) % 4], w[($i + 2) % 4], w[($i + 3) % 4]);
            store512(&mut expanded[$i][0], words);
            store512(
                &mut expanded[$i][1],
                _mm512_xor_si512(words, w[($i + 1) % 4]),
            );
        };
    }
    let offset = 4 * (block % BLOCKS); // of its words

    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
            $round:ident $i:literal $t:literal) => {
            let [w, w1] = [expanded[$i][0][offset + $t], expanded[$i][1][offset + $t]];
            [$b, $d, $f, $h] = $round::<{ 4 * $i + $t }>(
                [$a, $b, $c, $d.wrapping_add(w1)],
                [$e, $f, $g, $h.wrapping_add(w)],
            );
        };
    }
    macro_rules! group {
        ($round:ident $i:literal $($prepare:literal)?) => {
            round!(a b c d e f g h, $round $i 0);
            round!(d a b c h e f g, $round $i 1);
            round!(c d a b g h e f, $round $i 2);
            round!(b c d a f g h e, $round $i 3);
            $(if FIRST { prepare!($prepare); black_box(&mut *expanded); })?
        };
    }
    if FIRST {
        prepare!(0);
        prepare!(1);
        prepare!(2);
        black_box(&mut *expanded);
    }
    group!(early 0 3);
    group!(early 1 4);
    group!(early 2 5);
    group!(early 3 6);
    group!(late 4 7);
    group!(late 5 8);
    group!(late 6 9);
    group!(late 7 10);
    group!(late 8 11);
    group!(late 9 12);
    group!(late 10 13);
    group!(late 11 14);
    group!(late 12 15);
    group!(late 13);
    group!(late 14);
    group!(late 15);

    for (word, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word ^= x;
    }
}
