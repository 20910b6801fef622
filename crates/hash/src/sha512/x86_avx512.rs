//! SHA-512 with scalar rounds (BMI2) beside the message schedules of four blocks (AVX-512).
//!
//! Differences from `x86_avx2`:
//!
//! 1. The schedule of a block does not depend on the state before it. A register holds two words
//!    of four blocks, so an instruction does four times the work, and vectors rotate in one. Eight
//!    registers hold what the next words need.
//! 2. While the rounds go over four blocks, the schedules of the next four are made, a group of
//!    blocks ahead.
//! 3. The blocks after the last whole group go through `x86_avx2`.

use super::{K, woven, x86_avx2};
use adamant_base::simd::{from_fn, load128, store512};
use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_alignr_epi8, _mm512_broadcast_i32x4, _mm512_castsi128_si512,
    _mm512_inserti32x4, _mm512_ror_epi64, _mm512_set4_epi32, _mm512_setzero_si512,
    _mm512_shuffle_epi8, _mm512_srli_epi64, _mm512_ternarylogic_epi64,
};

/// Blocks of a group.
pub(super) const GROUP: usize = 4;

/// From how many groups on their schedules are made together: nothing hides the first one's.
pub(super) const LEAST: usize = 6;

/// W\[t\] + K\[t\] for t = 2s and 2s + 1 of each block of a group at `[s]`, aligned so that no
/// vector crosses a cache line.
#[repr(align(64))]
struct Schedule([[u64; 2 * GROUP]; 40]);

impl Schedule {
    const ZERO: Self = Schedule([[0; 2 * GROUP]; 40]);
}

/// Stores the words of step `s` with the constants added.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(to: &mut Schedule, s: usize, words: __m512i) {
    let k = _mm512_broadcast_i32x4(load128(&K.as_chunks::<2>().0[s]));
    store512(&mut to.0[s], _mm512_add_epi64(words, k));
}

/// The first sixteen words: the blocks themselves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn first_words(to: &mut Schedule, blocks: &[[u8; 128]; GROUP]) -> [__m512i; 8] {
    let big_endian = _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607);
    let mut w = [_mm512_setzero_si512(); 8];
    for s in 0..8 {
        let [a, b, c, d] = from_fn(|i| load128(&blocks[i].as_chunks::<16>().0[s]));
        let ab = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
        let abcd = _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(ab, c), d);
        w[s] = _mm512_shuffle_epi8(abcd, big_endian);
        store(to, s, w[s]);
    }
    w
}

/// The words of step `s`, 8 or later, from those of the eight steps before; that of step i is at
/// i mod 8.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn next_words(w: &mut [__m512i; 8], s: usize) {
    let xor3 = |a, b, c| _mm512_ternarylogic_epi64::<0x96>(a, b, c);
    let before = |i: usize| w[(s - i) % 8];
    let w15 = _mm512_alignr_epi8::<8>(before(7), before(8));
    let w7 = _mm512_alignr_epi8::<8>(before(3), before(4));
    let w2 = before(1);
    let sigma0 = xor3(
        _mm512_ror_epi64::<1>(w15),
        _mm512_ror_epi64::<8>(w15),
        _mm512_srli_epi64::<7>(w15),
    );
    let sigma1 = xor3(
        _mm512_ror_epi64::<19>(w2),
        _mm512_ror_epi64::<61>(w2),
        _mm512_srli_epi64::<6>(w2),
    );
    let early = _mm512_add_epi64(_mm512_add_epi64(before(8), w7), sigma0);
    w[s % 8] = _mm512_add_epi64(early, sigma1);
}

#[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,bmi2")]
pub(super) fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    let (mut groups, mut rest) = blocks.as_chunks::<GROUP>();
    if groups.len() < LEAST {
        (groups, rest) = (&[], blocks);
    }
    if let [first, groups @ ..] = groups {
        in_groups(state, first, groups);
    }
    x86_avx2::compress(state, rest);
}

/// Not inlined: the schedules are 5 KB of stack, which short messages need not have.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn in_groups(state: &mut [u64; 8], first: &[[u8; 128]; GROUP], groups: &[[[u8; 128]; GROUP]]) {
    let (mut a, mut b) = (Schedule::ZERO, Schedule::ZERO);
    let (mut now, mut next) = (&mut a, &mut b);
    let mut w = first_words(now, first);
    for s in 8..40 {
        next_words(&mut w, s);
        store(now, s, w[s % 8]);
    }
    for blocks in groups {
        let w = first_words(next, blocks);
        rounds(state, now, w, next);
        core::mem::swap(&mut now, &mut next);
    }
    for block in 0..GROUP {
        last_rounds(state, now, block);
    }
}

/// Two rounds, the ones with number `$i` of sixteen with number `$n`, and a fourth of the work on
/// a step of the next schedule.
#[rustfmt::skip] // a line for an instruction
macro_rules! two {
    ($v:tt, 0, $n:tt) => { two!($v, 0, $n, early first) };
    ($v:tt, 1, $n:tt) => { two!($v, 1, $n, sigma0 first) };
    ($v:tt, 2, $n:tt) => { two!($v, 2, $n, sigma1 first) };
    ($v:tt, 3, $n:tt) => { two!($v, 3, $n, late first) };
    ($v:tt, 4, $n:tt) => { two!($v, 4, $n, early second) };
    ($v:tt, 5, $n:tt) => { two!($v, 5, $n, sigma0 second) };
    ($v:tt, 6, $n:tt) => { two!($v, 6, $n, sigma1 second) };
    ($v:tt, 7, $n:tt) => { two!($v, 7, $n, late second) };
    ($v:tt, $i:literal, 0, $part:ident first) => { two!($v, $i, 0, $part "{k0}" 0 1 4 5 7) };
    ($v:tt, $i:literal, 0, $part:ident second) => { two!($v, $i, 0, $part "{k1}" 1 2 5 6 0) };
    ($v:tt, $i:literal, 1, $part:ident first) => { two!($v, $i, 1, $part "{k0}" 2 3 6 7 1) };
    ($v:tt, $i:literal, 1, $part:ident second) => { two!($v, $i, 1, $part "{k1}" 3 4 7 0 2) };
    ($v:tt, $i:literal, 2, $part:ident first) => { two!($v, $i, 2, $part "{k0}" 4 5 0 1 3) };
    ($v:tt, $i:literal, 2, $part:ident second) => { two!($v, $i, 2, $part "{k1}" 5 6 1 2 4) };
    ($v:tt, $i:literal, 3, $part:ident first) => { two!($v, $i, 3, $part "{k0}" 6 7 2 3 5) };
    ($v:tt, $i:literal, 3, $part:ident second) => { two!($v, $i, 3, $part "{k1}" 7 0 3 4 6) };
    ($v:tt, $i:literal, $n:tt, early $k:literal $w:literal $w1:literal $w4:literal $w5:literal
        $w7:literal) => {
        two!($v, $i, $n, [
            concat!("vpalignr {t}, {w", $w1, "}, {w", $w, "}, 8"), // W[t-15]
            concat!("vpalignr {u}, {w", $w5, "}, {w", $w4, "}, 8"), // W[t-7]
            concat!("vpaddq {w", $w, "}, {w", $w, "}, {u}"),
            "vprorq {u}, {t}, 1",
            "vprorq {v}, {t}, 8",
            ""
        ])
    };
    ($v:tt, $i:literal, $n:tt, sigma0 $k:literal $w:literal $w1:literal $w4:literal $w5:literal
        $w7:literal) => {
        two!($v, $i, $n, [
            "vpsrlq {t}, {t}, 7",
            "vpternlogq {t}, {u}, {v}, 0x96",
            concat!("vprorq {u}, {w", $w7, "}, 19"), // W[t-2]
            concat!("vprorq {v}, {w", $w7, "}, 61"),
            concat!("vpaddq {w", $w, "}, {w", $w, "}, {t}"),
            ""
        ])
    };
    ($v:tt, $i:literal, $n:tt, sigma1 $k:literal $w:literal $w1:literal $w4:literal $w5:literal
        $w7:literal) => {
        two!($v, $i, $n, [
            concat!("vpsrlq {t}, {w", $w7, "}, 6"),
            "vpternlogq {t}, {u}, {v}, 0x96",
            concat!("vpaddq {w", $w, "}, {w", $w, "}, {t}"),
            concat!("vpaddq {t}, {w", $w, "}, ", $k),
            concat!("vmovdqa64 zmmword ptr [{p} + 64*", $w, "], {t}"),
            ""
        ])
    };
    ($v:tt, $i:literal, $n:tt, late $($more:tt)*) => {
        two!($v, $i, $n, ["", "", "", "", "", ""])
    };
    ($v:tt, $i:literal, $n:tt, [$p0:expr, $p1:expr, $p2:expr, $p3:expr, $p4:expr, $p5:expr]) => {
        woven::two_rounds!($v, concat!("{wk} + 512*", $n, " + 64*", $i),
            [$p0, "", $p1, "", $p2, "", $p3, "", $p4, "", $p5, ""])
    };
}

/// Two rounds by themselves.
macro_rules! bare {
    ($v:tt, $i:literal $(, $n:tt)?) => {
        woven::bare_rounds!($v, concat!("{wk} + 64*", $i $(, " + 512*", $n)?))
    };
}

/// Sixteen rounds and two steps.
macro_rules! two_steps {
    ($n:tt) => {
        concat!(
            "mov rsi, qword ptr [rsp]\n",
            "vbroadcasti32x4 {k0}, xmmword ptr [rsi + 32*",
            $n,
            "]\n",
            "vbroadcasti32x4 {k1}, xmmword ptr [rsi + 32*",
            $n,
            " + 16]\n",
            woven::sixteen_rounds!(two, $n),
        )
    };
}

/// The rounds of a group's blocks, and the schedule of the next group from its first words `w`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
#[allow(unsafe_code)] // In assembly.
fn rounds(state: &mut [u64; 8], now: &Schedule, w: [__m512i; 8], next: &mut Schedule) {
    let mut working = woven::working(*state);
    let [w0, w1, w2, w3, w4, w5, w6, w7] = w;
    // SAFETY: the block reads `now` and K, writes `next` from step 8 on and `state`, and changes
    // the named registers and the flags; what it pushes it takes away.
    unsafe {
        woven::rounds_asm!(
            working.each_mut(),
            concat!(
                "push rdi\n",
                "push 4\n", // blocks
                "push rsi\n",
                ".p2align 6\n",
                "2:\n",
                two_steps!(0),
                two_steps!(1),
                two_steps!(2),
                two_steps!(3),
                woven::sixteen_rounds!(bare, 4),
                "mov rsi, qword ptr [rsp + 16]\n",
                "add rax, qword ptr [rsi]\n",
                "add rcx, qword ptr [rsi + 8]\n",
                "add rdx, qword ptr [rsi + 16]\n",
                "add r8, qword ptr [rsi + 24]\n",
                "add r9, qword ptr [rsi + 32]\n",
                "add r10, qword ptr [rsi + 40]\n",
                "add r11, qword ptr [rsi + 48]\n",
                "add r12, qword ptr [rsi + 56]\n",
                "mov qword ptr [rsi], rax\n",
                "mov qword ptr [rsi + 8], rcx\n",
                "mov qword ptr [rsi + 16], rdx\n",
                "mov qword ptr [rsi + 24], r8\n",
                "mov qword ptr [rsi + 32], r9\n",
                "mov qword ptr [rsi + 40], r10\n",
                "mov qword ptr [rsi + 48], r11\n",
                "mov qword ptr [rsi + 56], r12\n",
                "mov r13, rcx\n",
                "xor r13, rdx\n",
                "add qword ptr [rsp], 128\n", // in K
                "add {wk}, 16\n", // the next block's words
                "add {p}, 512\n",
                "dec qword ptr [rsp + 8]\n",
                "jnz 2b\n",
                "lea rsp, [rsp + 24]\n",
            ),
            [wk = inout(reg) now.0.as_ptr() => _,
            p = inout(reg) next.0[8..].as_mut_ptr() => _,
            w0 = inout(zmm_reg) w0 => _,
            w1 = inout(zmm_reg) w1 => _,
            w2 = inout(zmm_reg) w2 => _,
            w3 = inout(zmm_reg) w3 => _,
            w4 = inout(zmm_reg) w4 => _,
            w5 = inout(zmm_reg) w5 => _,
            w6 = inout(zmm_reg) w6 => _,
            w7 = inout(zmm_reg) w7 => _,
            k0 = out(zmm_reg) _,
            k1 = out(zmm_reg) _,
            t = out(zmm_reg) _,
            u = out(zmm_reg) _,
            v = out(zmm_reg) _,],
            inout("rdi") state.as_mut_ptr() => _,
            inout("rsi") K[16..].as_ptr() => _,
        );
    }
}

/// The rounds of a block of the last group. Not inlined: as assembly it would be there four times.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
#[allow(unsafe_code)] // In assembly.
fn last_rounds(state: &mut [u64; 8], now: &Schedule, block: usize) {
    let mut working = woven::working(*state);
    // SAFETY: the block reads words of `now`, and changes the named registers and the flags.
    unsafe {
        woven::rounds_asm!(
            working.each_mut(),
            concat!(
                "2:\n",
                woven::sixteen_rounds!(bare),
                "add {wk}, 512\n",
                "dec {count}\n",
                "jnz 2b\n",
            ),
            // The block's first words.
            [wk = inout(reg) now.0.as_ptr().wrapping_byte_add(16 * block) => _,
            count = inout(reg) 5u64 => _,],
            out("rdi") _,
            out("rsi") _,
            options(pure, readonly, nostack)
        );
    }
    woven::add_to(state, &working);
}
