//! ChaCha20 with AVX-512: sixteen blocks at once, or twice sixteen.
//!
//! Vector `i` holds word `i` of sixteen states, so a quarter round on vectors is sixteen quarter
//! rounds.
//!
//! 1. An operation takes two cycles and the CPU begins up to four in one, so the four quarter
//!    rounds of one set of states leave it half idle. Two sets take exactly the 32 registers; no
//!    compiler keeps them all in place, hence the assembly.
//! 2. After the rounds, each set is transposed and goes straight into the data.
//! 3. For a few blocks, and for up to eight after sixteen, a vector holds one row of four states
//!    instead: nothing is transposed.
//! 4. The states from before the rounds lie in memory, where the sums find them.

use super::state;
use adamant_base::simd::{
    Shelf, from_fn, load128, load512, load512_partial, store512, store512_partial,
};
use adamant_base::{Secret, Wipe};
use core::arch::x86_64::{
    __m256i, __m512i, _mm256_add_epi32, _mm256_permute2x128_si256, _mm256_rol_epi32,
    _mm256_shuffle_epi32, _mm256_xor_si256, _mm512_add_epi32, _mm512_broadcast_i32x4,
    _mm512_castsi256_si512, _mm512_castsi512_si256, _mm512_inserti64x4, _mm512_rol_epi32,
    _mm512_set1_epi32, _mm512_setzero_si512, _mm512_shuffle_epi32, _mm512_shuffle_i32x4,
    _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
    _mm512_xor_si512,
};

/// The words of sixteen states.
type Words = [__m512i; 16];

/// Quarter rounds side by side, on the registers of these numbers. Rotations wait for one unit of
/// Intel's CPUs, so they come spread out: three operations of each quarter round in turn.
macro_rules! quarter_rounds {
    ($($a:literal $b:literal $c:literal $d:literal),*) => {
        concat!(
            quarter_rounds!(@half "16" "12" $($a $b $c $d),*),
            quarter_rounds!(@half "8" "7" $($a $b $c $d),*),
        )
    };
    (@half $first:literal $second:literal $($a:literal $b:literal $c:literal $d:literal),*) => {
        concat!(
            $(
                "vpaddd zmm", $a, ", zmm", $a, ", zmm", $b, "\n",
                "vpxord zmm", $d, ", zmm", $d, ", zmm", $a, "\n",
                "vprold zmm", $d, ", zmm", $d, ", ", $first, "\n",
            )*
            $(
                "vpaddd zmm", $c, ", zmm", $c, ", zmm", $d, "\n",
                "vpxord zmm", $b, ", zmm", $b, ", zmm", $c, "\n",
                "vprold zmm", $b, ", zmm", $b, ", ", $second, "\n",
            )*
        )
    };
}

/// An instruction for each register and the row of the start of this number.
macro_rules! rows {
    ($kind:ident first) => {
        rows!($kind 0 0, 1 1, 2 2, 3 3, 4 4, 5 5, 6 6, 7 7, 8 8, 9 9, 10 10, 11 11, 12 12, 13 13,
            14 14, 15 15)
    };
    ($kind:ident second) => {
        rows!($kind 16 0, 17 1, 18 2, 19 3, 20 4, 21 5, 22 6, 23 7, 24 8, 25 9, 26 10, 27 11,
            28 12, 29 13, 30 14, 31 15)
    };
    (load $($register:literal $row:literal),*) => {
        concat!($("vmovdqa32 zmm", $register, ", [{start} + 64*", $row, "]\n"),*)
    };
    (add $($register:literal $row:literal),*) => {
        concat!($("vpaddd zmm", $register, ", zmm", $register, ", [{start} + 64*", $row, "]\n"),*)
    };
}

/// Rows of states, in memory: the rounds leave no register for them.
#[repr(C, align(64))]
struct Start {
    /// Row `i` is word `i` of sixteen states, their counters one apart; the last row is what
    /// takes the counters on.
    rows: [[u32; 16]; 17],
}

impl Start {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn new(initial: &[u32; 16]) -> Secret<Self> {
        let mut start = Secret::new(Start {
            rows: [[16; 16]; 17],
        });
        for (row, word) in start.rows.iter_mut().zip(initial) {
            store512(row, _mm512_set1_epi32(*word as i32));
        }
        let lanes: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        start.add(&lanes);
        start
    }

    /// Goes on to the next sixteen states.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn advance(&mut self) {
        self.add(&[16; 16]);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn add(&mut self, lanes: &[u32; 16]) {
        let counters = _mm512_add_epi32(load512(&self.rows[12]), load512(lanes));
        store512(&mut self.rows[12], counters);
    }
}

impl Wipe for Start {
    #[inline]
    fn wipe(&mut self) {
        self.rows.as_flattened_mut().wipe();
    }
}

// The registers are assigned by hand.
#[allow(unsafe_code)]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn sixteen(start: &Start) -> Words {
    let mut a = [_mm512_setzero_si512(); 16];
    // SAFETY: the block reads `start`, and writes only the named registers and the count.
    unsafe {
        core::arch::asm!(
            rows!(load first),
            "2:",
            quarter_rounds!(0 4 8 12, 1 5 9 13, 2 6 10 14, 3 7 11 15),
            quarter_rounds!(0 5 10 15, 1 6 11 12, 2 7 8 13, 3 4 9 14),
            "sub {left:e}, 1",
            "jnz 2b",
            rows!(add first),
            start = in(reg) start,
            left = inout(reg) 10u32 => _,
            out("zmm0") a[0], out("zmm1") a[1], out("zmm2") a[2], out("zmm3") a[3],
            out("zmm4") a[4], out("zmm5") a[5], out("zmm6") a[6], out("zmm7") a[7],
            out("zmm8") a[8], out("zmm9") a[9], out("zmm10") a[10], out("zmm11") a[11],
            out("zmm12") a[12], out("zmm13") a[13], out("zmm14") a[14], out("zmm15") a[15],
            options(pure, readonly, nostack)
        );
    }
    blocks(a)
}

// The registers are assigned by hand.
#[allow(unsafe_code)]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn thirty_two(start: &Start) -> [Words; 2] {
    let mut a = [_mm512_setzero_si512(); 16];
    let mut b = a;
    // SAFETY: the block reads `start`, and writes only the named registers and the count.
    unsafe {
        core::arch::asm!(
            rows!(load first),
            rows!(load second),
            rows!(add 28 16),
            "2:",
            quarter_rounds!(
                0 4 8 12, 1 5 9 13, 2 6 10 14, 3 7 11 15,
                16 20 24 28, 17 21 25 29, 18 22 26 30, 19 23 27 31
            ),
            quarter_rounds!(
                0 5 10 15, 1 6 11 12, 2 7 8 13, 3 4 9 14,
                16 21 26 31, 17 22 27 28, 18 23 24 29, 19 20 25 30
            ),
            "sub {left:e}, 1",
            "jnz 2b",
            rows!(add first),
            rows!(add second),
            rows!(add 28 16),
            start = in(reg) start,
            left = inout(reg) 10u32 => _,
            out("zmm0") a[0], out("zmm1") a[1], out("zmm2") a[2], out("zmm3") a[3],
            out("zmm4") a[4], out("zmm5") a[5], out("zmm6") a[6], out("zmm7") a[7],
            out("zmm8") a[8], out("zmm9") a[9], out("zmm10") a[10], out("zmm11") a[11],
            out("zmm12") a[12], out("zmm13") a[13], out("zmm14") a[14], out("zmm15") a[15],
            out("zmm16") b[0], out("zmm17") b[1], out("zmm18") b[2], out("zmm19") b[3],
            out("zmm20") b[4], out("zmm21") b[5], out("zmm22") b[6], out("zmm23") b[7],
            out("zmm24") b[8], out("zmm25") b[9], out("zmm26") b[10], out("zmm27") b[11],
            out("zmm28") b[12], out("zmm29") b[13], out("zmm30") b[14], out("zmm31") b[15],
            options(pure, readonly, nostack)
        );
    }
    [blocks(a), blocks(b)]
}

/// Makes a function for sixteen blocks and those after them, in the layout of [`fours`]: four for
/// each list of registers.
macro_rules! sixteen_and {
    ($(#[$meta:meta])* $name:ident, $fours:literal:
        $([$a:literal $b:literal $c:literal $d:literal], $i:literal:
            $za:tt $zb:tt $zc:tt $zd:tt;)*) => {
        $(#[$meta])*
        // The registers are assigned by hand.
        #[allow(unsafe_code)]
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn $name(start: &Start, initial: &[u32; 16]) -> (Words, [[__m512i; 4]; $fours]) {
            let fours = [$(lying(initial, 16 + 4 * $i)),*];
            let mut a = [_mm512_setzero_si512(); 16];
            let mut b = fours;
            // SAFETY: the block reads `start`, and writes only the named registers and the count.
            unsafe {
                core::arch::asm!(
                    rows!(load first),
                    "2:",
                    quarter_rounds!(
                        0 4 8 12, 1 5 9 13, 2 6 10 14, 3 7 11 15, $($a $b $c $d),*
                    ),
                    $(
                        concat!("vpshufd zmm", $a, ", zmm", $a, ", 0x93"),
                        concat!("vpshufd zmm", $c, ", zmm", $c, ", 0x39"),
                        concat!("vpshufd zmm", $d, ", zmm", $d, ", 0x4e"),
                    )*
                    quarter_rounds!(
                        0 5 10 15, 1 6 11 12, 2 7 8 13, 3 4 9 14, $($a $b $c $d),*
                    ),
                    $(
                        concat!("vpshufd zmm", $a, ", zmm", $a, ", 0x39"),
                        concat!("vpshufd zmm", $c, ", zmm", $c, ", 0x93"),
                        concat!("vpshufd zmm", $d, ", zmm", $d, ", 0x4e"),
                    )*
                    "sub {left:e}, 1",
                    "jnz 2b",
                    rows!(add first),
                    start = in(reg) start,
                    left = inout(reg) 10u32 => _,
                    out("zmm0") a[0], out("zmm1") a[1], out("zmm2") a[2], out("zmm3") a[3],
                    out("zmm4") a[4], out("zmm5") a[5], out("zmm6") a[6], out("zmm7") a[7],
                    out("zmm8") a[8], out("zmm9") a[9], out("zmm10") a[10], out("zmm11") a[11],
                    out("zmm12") a[12], out("zmm13") a[13], out("zmm14") a[14], out("zmm15") a[15],
                    $(
                        inout($za) b[$i][0], inout($zb) b[$i][1],
                        inout($zc) b[$i][2], inout($zd) b[$i][3],
                    )*
                    options(pure, readonly, nostack)
                );
            }
            (blocks(a), [$(transpose(sums(b[$i], fours[$i]))),*])
        }
    };
}
sixteen_and! {
    /// Twenty blocks.
    twenty, 1:
    [16 17 18 19], 0: "zmm16" "zmm17" "zmm18" "zmm19";
}
sixteen_and! {
    /// Twenty-four blocks.
    twenty_four, 2:
    [16 17 18 19], 0: "zmm16" "zmm17" "zmm18" "zmm19";
    [20 21 22 23], 1: "zmm20" "zmm21" "zmm22" "zmm23";
}

/// Brings the words of each block together.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn blocks(w: Words) -> Words {
    // Four rows at a time: row `j` of `fours[i]` has words 4i to 4i + 3 of blocks j, j + 4, …
    let fours: [[__m512i; 4]; 4] = from_fn(|i| {
        let i = 4 * i;
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
        let columns = transpose(from_fn(|i| fours[i][j]));
        for (k, column) in columns.into_iter().enumerate() {
            out[j + 4 * k] = column;
        }
    }
    out
}

/// Columns of a 4 × 4 matrix of quarter registers, given as its rows.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
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

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn sums(a: [__m512i; 4], b: [__m512i; 4]) -> [__m512i; 4] {
    from_fn(|i| _mm512_add_epi32(a[i], b[i]))
}

/// The states of four blocks, the first `further` after the initial one: a vector has one row of
/// each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn lying(initial: &[u32; 16], further: u32) -> [__m512i; 4] {
    let (rows, _) = initial.as_chunks::<4>();
    let row = |i: usize| _mm512_broadcast_i32x4(load128(&rows[i]));
    let mut lanes = [0; 16];
    for block in 0..4 {
        lanes[4 * block] = further + block as u32;
    }
    let last = _mm512_add_epi32(row(3), load512(&lanes));
    [row(0), row(1), row(2), last]
}

/// A few times two or four blocks. The quarter rounds of a round are lanes of the same four
/// registers; for those on the diagonals, the other rows move along the second, which is the last
/// to be ready.
macro_rules! few {
    ($(#[$meta:meta])* $name:ident, $blocks:literal, $lying:ident $finish:ident,
        $add:ident $xor:ident $rotate:ident $shuffle:ident) => {
        $(#[$meta])*
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn $name<const TIMES: usize>(initial: &[u32; 16]) -> [[__m512i; $blocks]; TIMES] {
            let start: [_; TIMES] = from_fn(|i| $lying(initial, $blocks * i as u32));
            let mut states = start;
            for _ in 0..10 {
                for diagonal in [false, true] {
                    macro_rules! half_round {
                        ($first:literal $second:literal) => {
                            for [a, b, c, d] in &mut states {
                                *a = $add(*a, *b);
                                *d = $rotate::<$first>($xor(*d, *a));
                                *c = $add(*c, *d);
                                *b = $rotate::<$second>($xor(*b, *c));
                            }
                        };
                    }
                    half_round!(16 12);
                    half_round!(8 7);
                    for [a, _, c, d] in &mut states {
                        if diagonal {
                            *a = $shuffle::<0x39>(*a);
                            *c = $shuffle::<0x93>(*c);
                        } else {
                            *a = $shuffle::<0x93>(*a);
                            *c = $shuffle::<0x39>(*c);
                        }
                        *d = $shuffle::<0x4e>(*d);
                    }
                }
            }
            from_fn(|i| {
                let ([a, b, c, d], [e, f, g, h]) = (states[i], start[i]);
                $finish([$add(a, e), $add(b, f), $add(c, g), $add(d, h)])
            })
        }
    };
}
few! {
    /// Twice two and twice four blocks are as quick as one. But where a register goes through its
    /// unit in halves, as in Zen 4, a chain on half the width is quicker.
    pairs, 2, lying_pair join,
    _mm256_add_epi32 _mm256_xor_si256 _mm256_rol_epi32 _mm256_shuffle_epi32
}
few! {
    /// See [`pairs`].
    fours, 4, lying transpose,
    _mm512_add_epi32 _mm512_xor_si512 _mm512_rol_epi32 _mm512_shuffle_epi32
}

/// As [`lying`], of two blocks.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn lying_pair(initial: &[u32; 16], further: u32) -> [__m256i; 4] {
    let [a, b, c, d] = lying(initial, further);
    [
        _mm512_castsi512_si256(a),
        _mm512_castsi512_si256(b),
        _mm512_castsi512_si256(c),
        _mm512_castsi512_si256(d),
    ]
}

/// Two blocks, given as their rows.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn join([a, b, c, d]: [__m256i; 4]) -> [__m512i; 2] {
    let block = |low, high| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
    [
        block(
            _mm256_permute2x128_si256::<0x20>(a, b),
            _mm256_permute2x128_si256::<0x20>(c, d),
        ),
        block(
            _mm256_permute2x128_si256::<0x31>(a, b),
            _mm256_permute2x128_si256::<0x31>(c, d),
        ),
    ]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn into_whole(data: &mut [[u8; 64]; 16], stream: Words) {
    for (data, stream) in data.iter_mut().zip(stream) {
        store512(data, _mm512_xor_si512(load512(data), stream));
    }
}

/// Puts the first two blocks of the key stream on a shelf, or the first four.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) fn first_pairs<const PAIRS: usize>(
    key: &[u32; 8],
    nonce: &[u32; 3],
    shelf: &mut Shelf<1>,
) {
    let mut initial = state(key, 0, nonce);
    let blocks = pairs::<PAIRS>(&initial);
    shelf.push(&from_fn(|i| blocks[i / 2 % PAIRS][i % 2]));
    initial.wipe();
}

/// Most blocks that [`stream`] makes.
pub(crate) const AT_ONCE: usize = 32;

/// Puts the first blocks of the key stream on a shelf: `blocks` or more, of at most [`AT_ONCE`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) fn stream(key: &[u32; 8], nonce: &[u32; 3], blocks: usize, shelf: &mut Shelf<4>) {
    debug_assert!(blocks <= AT_ONCE);
    let mut initial = state(key, 0, nonce);
    match blocks {
        ..=8 => {
            let [[a, b, c, d], [e, f, g, h]] = fours::<2>(&initial);
            shelf.push(&[a, b, c, d, e, f, g, h]);
        }
        9..=16 => put(shelf, &sixteen(&Start::new(&initial))),
        17..=20 => {
            let (low, [[a, b, c, d]]) = twenty(&Start::new(&initial), &initial);
            put(shelf, &low);
            shelf.push(&[a, b, c, d, d, d, d, d]);
        }
        21..=24 => {
            let (low, [[a, b, c, d], [e, f, g, h]]) = twenty_four(&Start::new(&initial), &initial);
            put(shelf, &low);
            shelf.push(&[a, b, c, d, e, f, g, h]);
        }
        _ => {
            let [low, high] = thirty_two(&Start::new(&initial));
            put(shelf, &low);
            put(shelf, &high);
        }
    }
    initial.wipe();
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn put(shelf: &mut Shelf<4>, blocks: &Words) {
    let (eights, _) = blocks.as_chunks();
    for eight in eights {
        shelf.push(eight);
    }
}

/// Adds a key stream that is long enough. Not every CPU forwards a masked store to the next
/// load, so whole blocks are stored without a mask.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) fn add_stream(data: &mut [u8], stream: &[__m512i]) {
    debug_assert!(data.len() <= size_of_val(stream), "{} bytes", data.len());
    let (whole, rest) = data.as_chunks_mut::<64>();
    for (data, stream) in whole.iter_mut().zip(stream) {
        store512(data, _mm512_xor_si512(load512(data), *stream));
    }
    if let Some(last) = stream.get(whole.len()) {
        store512_partial(rest, _mm512_xor_si512(load512_partial(rest), *last));
    }
}

/// The most that [`first`] gives.
pub(crate) const MOST_AT_FIRST: usize = AT_ONCE;

/// Of this many blocks, how many to make at first if they must be made in two calls: after them
/// the steps of 32 are whole.
pub(crate) fn first(blocks: usize) -> usize {
    (blocks - 1) % AT_ONCE + 1
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) fn xor(key: &[u32; 8], counter: u32, nonce: &[u32; 3], data: &mut [u8]) {
    let mut initial = state(key, counter, nonce);
    match data.len().div_ceil(64) {
        ..=2 => add_stream(data, pairs::<1>(&initial).as_flattened()),
        3..=4 => add_stream(data, pairs::<2>(&initial).as_flattened()),
        5..=8 => add_stream(data, fours::<2>(&initial).as_flattened()),
        _ => many(&mut initial, data),
    }
    initial.wipe();
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn many(initial: &mut [u32; 16], data: &mut [u8]) {
    let mut start = Start::new(initial);
    let (whole, _) = data.as_chunks_mut::<64>();
    let (steps, _) = whole.as_chunks_mut::<32>();
    let done = size_of_val(steps);
    for step in steps {
        if let ([low, high], _) = step.as_chunks_mut::<16>() {
            let [a, b] = thirty_two(&start);
            into_whole(low, a);
            into_whole(high, b);
        }
        start.advance();
        start.advance();
    }
    let rest = &mut data[done..];
    initial[12] = initial[12].wrapping_add((done / 64) as u32);
    match rest.len().div_ceil(64) {
        0 => {}
        1..=4 => add_stream(rest, pairs::<2>(initial).as_flattened()),
        5..=8 => add_stream(rest, fours::<2>(initial).as_flattened()),
        9..=16 => add_stream(rest, &sixteen(&start)),
        blocks => {
            let (low, high) = rest.split_at_mut(1024);
            if blocks <= 20 {
                let (a, b) = twenty(&start, initial);
                add_stream(low, &a);
                add_stream(high, b.as_flattened());
            } else if blocks <= 24 {
                let (a, b) = twenty_four(&start, initial);
                add_stream(low, &a);
                add_stream(high, b.as_flattened());
            } else {
                let [a, b] = thirty_two(&start);
                add_stream(low, &a);
                add_stream(high, &b);
            }
        }
    }
}
