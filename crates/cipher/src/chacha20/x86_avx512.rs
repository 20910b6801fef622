//! ChaCha20 with AVX-512: sixteen blocks at once, or twice sixteen.
//!
//! Vector `i` holds word `i` of sixteen states, so a quarter round on vectors is sixteen quarter
//! rounds.
//!
//! 1. An operation takes two cycles and the CPU begins up to four in one, so the four quarter
//!    rounds of one set of states leave it half idle. Two sets take exactly the 32 registers; no
//!    compiler keeps them all in place, hence the assembly.
//! 2. Behind the rounds, each set is transposed and goes straight into the data.
//! 3. For a few blocks, a vector holds one row of four states instead: nothing is transposed.

use super::state;
use adamant_base::simd::{load128, load512, load512_partial, store512, store512_partial};
use core::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_broadcast_i32x4, _mm512_rol_epi32, _mm512_set1_epi32,
    _mm512_shuffle_epi32, _mm512_shuffle_i32x4, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64,
    _mm512_unpacklo_epi32, _mm512_unpacklo_epi64, _mm512_xor_si512,
};

/// The words of sixteen states.
type Words = [__m512i; 16];

/// Quarter rounds side by side, on the registers of these numbers.
macro_rules! quarter_rounds {
    ($($a:literal $b:literal $c:literal $d:literal),*) => {
        concat!(
            quarter_rounds!(@half "16" "12" $($a $b $c $d),*),
            quarter_rounds!(@half "8" "7" $($a $b $c $d),*),
        )
    };
    (@half $first:literal $second:literal $($a:literal $b:literal $c:literal $d:literal),*) => {
        concat!(
            $("vpaddd zmm", $a, ", zmm", $a, ", zmm", $b, "\n",)*
            $("vpxord zmm", $d, ", zmm", $d, ", zmm", $a, "\n",)*
            $("vprold zmm", $d, ", zmm", $d, ", ", $first, "\n",)*
            $("vpaddd zmm", $c, ", zmm", $c, ", zmm", $d, "\n",)*
            $("vpxord zmm", $b, ", zmm", $b, ", zmm", $c, "\n",)*
            $("vprold zmm", $b, ", zmm", $b, ", ", $second, "\n",)*
        )
    };
}

/// The twenty rounds on registers 0 to 15, or 0 to 31, that start and end with these words.
macro_rules! rounds {
    ([$($columns:tt)*] [$($diagonals:tt)*] $($register:tt $word:expr),*) => {
        // SAFETY: the block reads and writes the named registers and the counter alone.
        unsafe {
            core::arch::asm!(
                "2:",
                quarter_rounds!($($columns)*),
                quarter_rounds!($($diagonals)*),
                "sub {left:e}, 1",
                "jnz 2b",
                left = inout(reg) 10u32 => _,
                $(inout($register) $word,)*
                options(pure, nomem, nostack)
            );
        }
    };
}

// The registers are assigned by hand.
#[allow(unsafe_code)]
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn rounds_once(a: &mut Words) {
    rounds!(
        [0 4 8 12, 1 5 9 13, 2 6 10 14, 3 7 11 15]
        [0 5 10 15, 1 6 11 12, 2 7 8 13, 3 4 9 14]
        "zmm0" a[0], "zmm1" a[1], "zmm2" a[2], "zmm3" a[3],
        "zmm4" a[4], "zmm5" a[5], "zmm6" a[6], "zmm7" a[7],
        "zmm8" a[8], "zmm9" a[9], "zmm10" a[10], "zmm11" a[11],
        "zmm12" a[12], "zmm13" a[13], "zmm14" a[14], "zmm15" a[15]
    );
}

// The registers are assigned by hand.
#[allow(unsafe_code)]
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn rounds_twice(a: &mut Words, b: &mut Words) {
    rounds!(
        [
            0 4 8 12, 1 5 9 13, 2 6 10 14, 3 7 11 15,
            16 20 24 28, 17 21 25 29, 18 22 26 30, 19 23 27 31
        ]
        [
            0 5 10 15, 1 6 11 12, 2 7 8 13, 3 4 9 14,
            16 21 26 31, 17 22 27 28, 18 23 24 29, 19 20 25 30
        ]
        "zmm0" a[0], "zmm1" a[1], "zmm2" a[2], "zmm3" a[3],
        "zmm4" a[4], "zmm5" a[5], "zmm6" a[6], "zmm7" a[7],
        "zmm8" a[8], "zmm9" a[9], "zmm10" a[10], "zmm11" a[11],
        "zmm12" a[12], "zmm13" a[13], "zmm14" a[14], "zmm15" a[15],
        "zmm16" b[0], "zmm17" b[1], "zmm18" b[2], "zmm19" b[3],
        "zmm20" b[4], "zmm21" b[5], "zmm22" b[6], "zmm23" b[7],
        "zmm24" b[8], "zmm25" b[9], "zmm26" b[10], "zmm27" b[11],
        "zmm28" b[12], "zmm29" b[13], "zmm30" b[14], "zmm31" b[15]
    );
}

/// Sixteen states, their counters one apart.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn states(initial: &[u32; 16]) -> Words {
    let mut words = initial.map(|word| _mm512_set1_epi32(word as i32));
    let lanes: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    words[12] = _mm512_add_epi32(words[12], load512(&lanes));
    words
}

/// Adds the states from before the rounds and brings the words of each block together.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn blocks(words: Words, initial: &[u32; 16]) -> Words {
    let start = states(initial);
    let mut w = words;
    for i in 0..16 {
        w[i] = _mm512_add_epi32(w[i], start[i]);
    }
    // Four rows at a time: row `j` of `fours[i]` has words 4i to 4i + 3 of blocks j, j + 4, …
    let fours: [[__m512i; 4]; 4] = [0, 4, 8, 12].map(|i| {
        let (a0, a1) = (
            _mm512_unpacklo_epi32(w[i], w[i + 1]),
            _mm512_unpackhi_epi32(w[i], w[i + 1]),
        );
        let (b0, b1) = (
            _mm512_unpacklo_epi32(w[i + 2], w[i + 3]),
            _mm512_unpackhi_epi32(w[i + 2], w[i + 3]),
        );
        [
            _mm512_unpacklo_epi64(a0, b0),
            _mm512_unpackhi_epi64(a0, b0),
            _mm512_unpacklo_epi64(a1, b1),
            _mm512_unpackhi_epi64(a1, b1),
        ]
    });
    let mut out = w;
    for j in 0..4 {
        let columns = transpose(fours.map(|rows| rows[j]));
        for (k, column) in columns.into_iter().enumerate() {
            out[j + 4 * k] = column;
        }
    }
    out
}

/// Columns of a 4 × 4 matrix of quarter registers, given as its rows.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transpose([p, q, r, s]: [__m512i; 4]) -> [__m512i; 4] {
    // Quarters 0 and 1, and quarters 2 and 3, of two rows each.
    let (a, b) = (
        _mm512_shuffle_i32x4::<0x44>(p, q),
        _mm512_shuffle_i32x4::<0x44>(r, s),
    );
    let (c, d) = (
        _mm512_shuffle_i32x4::<0xee>(p, q),
        _mm512_shuffle_i32x4::<0xee>(r, s),
    );
    [
        _mm512_shuffle_i32x4::<0x88>(a, b),
        _mm512_shuffle_i32x4::<0xdd>(a, b),
        _mm512_shuffle_i32x4::<0x88>(c, d),
        _mm512_shuffle_i32x4::<0xdd>(c, d),
    ]
}

/// Four blocks. The quarter rounds of a round are lanes of the same four registers; for those on
/// the diagonals, the other rows move along the second, which is the last to be ready.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn four_blocks(initial: &[u32; 16]) -> [__m512i; 4] {
    let (rows, _) = initial.as_chunks::<4>();
    let row = |i: usize| _mm512_broadcast_i32x4(load128(&rows[i]));
    let lanes: [u32; 16] = [0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0];
    let start = [
        row(0),
        row(1),
        row(2),
        _mm512_add_epi32(row(3), load512(&lanes)),
    ];
    let [mut a, mut b, mut c, mut d] = start;
    macro_rules! quarter_round {
        () => {
            a = _mm512_add_epi32(a, b);
            d = _mm512_rol_epi32::<16>(_mm512_xor_si512(d, a));
            c = _mm512_add_epi32(c, d);
            b = _mm512_rol_epi32::<12>(_mm512_xor_si512(b, c));
            a = _mm512_add_epi32(a, b);
            d = _mm512_rol_epi32::<8>(_mm512_xor_si512(d, a));
            c = _mm512_add_epi32(c, d);
            b = _mm512_rol_epi32::<7>(_mm512_xor_si512(b, c));
        };
    }
    for _ in 0..10 {
        quarter_round!();
        a = _mm512_shuffle_epi32::<0x93>(a);
        c = _mm512_shuffle_epi32::<0x39>(c);
        d = _mm512_shuffle_epi32::<0x4e>(d);
        quarter_round!();
        a = _mm512_shuffle_epi32::<0x39>(a);
        c = _mm512_shuffle_epi32::<0x93>(c);
        d = _mm512_shuffle_epi32::<0x4e>(d);
    }
    let end = [a, b, c, d];
    transpose(core::array::from_fn(|i| _mm512_add_epi32(end[i], start[i])))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn into_whole(data: &mut [[u8; 64]; 16], stream: Words) {
    for (data, stream) in data.iter_mut().zip(stream) {
        store512(data, _mm512_xor_si512(load512(data), stream));
    }
}

/// Into at most as many blocks, the last of any length.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn into_part(data: &mut [u8], stream: &[__m512i]) {
    for (data, stream) in data.chunks_mut(64).zip(stream) {
        store512_partial(data, _mm512_xor_si512(load512_partial(data), *stream));
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn further(initial: &[u32; 16]) -> [u32; 16] {
    let mut next = *initial;
    next[12] = next[12].wrapping_add(16);
    next
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn xor(key: &[u32; 8], counter: u32, nonce: &[u32; 3], data: &mut [u8]) {
    let mut first = state(key, counter, nonce);
    let (whole, _) = data.as_chunks_mut::<64>();
    let (steps, _) = whole.as_chunks_mut::<32>();
    let done = size_of_val(steps);
    for step in steps {
        let second = further(&first);
        let (mut a, mut b) = (states(&first), states(&second));
        rounds_twice(&mut a, &mut b);
        if let ([low, high], _) = step.as_chunks_mut::<16>() {
            into_whole(low, blocks(a, &first));
            into_whole(high, blocks(b, &second));
        }
        first = further(&second);
    }
    let rest = &mut data[done..];
    if let Some((low, high)) = rest.split_at_mut_checked(1024)
        && !high.is_empty()
    {
        let second = further(&first);
        let (mut a, mut b) = (states(&first), states(&second));
        rounds_twice(&mut a, &mut b);
        into_part(low, &blocks(a, &first));
        into_part(high, &blocks(b, &second));
    } else if rest.len() > 256 {
        let mut a = states(&first);
        rounds_once(&mut a);
        into_part(rest, &blocks(a, &first));
    } else if rest.len() > 64 {
        into_part(rest, &four_blocks(&first));
    } else {
        super::portable::xor(key, first[12], nonce, rest);
    }
}
