//! The inner loop with the SHA extensions of x86-64: tags never leave the registers.
//!
//! The 32 `sha256rnds2` of a block depend on each other, and the next block depends on its result,
//! so latency is everything. What is done about it:
//!
//! 1. A state is held as A B E F and C D G H (highest word first), and one shuffle of the two
//!    registers gives four words of the message in order.
//! 2. The first words of the message plus the round constants are the last working variables,
//!    shuffled, plus a constant sum (the state that the block began with, shuffled, and the round
//!    constants): one addition less between two blocks.
//! 3. Rounds 8 to 15 take constants: the padding is always the same.
//! 4. Two chains run side by side: `sha256rnds2` takes four cycles, and the unit takes one in
//!    every two.

use super::{Chains, PADDING, by_pairs};
use crate::sha256::K;
use adamant_base::simd::arch::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_blend_epi16, _mm_castps_si128, _mm_castsi128_ps,
    _mm_set_epi32, _mm_sha256msg1_epu32, _mm_sha256msg2_epu32, _mm_sha256rnds2_epu32,
    _mm_shuffle_epi32, _mm_shuffle_ps, _mm_sub_epi32, _mm_unpackhi_epi64, _mm_xor_si128,
};
use adamant_base::simd::{load128, map, store128};

/// A B E F and C D G H.
type State = [__m128i; 2];

by_pairs!("sha,sse4.1,ssse3");

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn run_some<const N: usize>(
    inner: &[[u32; 8]; N],
    outer: &[[u32; 8]; N],
    value: &mut [[u32; 8]; N],
    sum: &mut [[u32; 8]; N],
    count: u32,
) {
    let zero = _mm_set_epi32(0, 0, 0, 0);
    // The starts: inner and outer; and what is added to the working variables at the end, as part
    // of the next message: each start in the order of a message, plus the round constants.
    let (mut starts, mut sums) = ([[[zero; 2]; N]; 2], [[zero; 2]; N]);
    let (mut first, mut words) = ([[[zero; 2]; N]; 2], [[zero; 2]; N]);
    let mut wk = [[zero; 2]; N];
    for i in 0..N {
        starts[0][i] = load(&inner[i]);
        starts[1][i] = load(&outer[i]);
        sums[i] = load(&sum[i]);
        for side in 0..2 {
            let start = message(starts[side][i]);
            first[side][i] = [add(start[0], k(0)), add(start[1], k(1))];
        }
        words[i] = message(load(&value[i]));
        wk[i] = [add(words[i][0], k(0)), add(words[i][1], k(1))];
    }
    for _ in 0..count {
        for side in 0..2 {
            let end = rounds(&starts[side], &words, &wk);
            for i in 0..N {
                let last = message(end[i]);
                let start = starts[side][i];
                for half in 0..2 {
                    wk[i][half] = add(last[half], first[side][i][half]);
                    words[i][half] = sub_k(wk[i][half], half);
                    if side == 1 {
                        sums[i][half] =
                            _mm_xor_si128(sums[i][half], add(end[i][half], start[half]));
                    }
                }
            }
        }
    }
    for i in 0..N {
        store(&mut sum[i], sums[i]);
        let [low, high] = value[i].as_chunks_mut::<4>().0 else {
            return; // never: eight words are two chunks
        };
        store128(low, words[i][0]);
        store128(high, words[i][1]);
    }
}

/// The working variables after all rounds; `wk` are the first eight words of the message plus
/// their round constants.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn rounds<const N: usize>(
    start: &[State; N],
    words: &[[__m128i; 2]; N],
    wk: &[[__m128i; 2]; N],
) -> [State; N] {
    let padding = PADDING.as_chunks::<4>().0;
    let padding = [load128(&padding[0]), load128(&padding[1])];
    let mut state = *start;
    let mut w = map(*words, |w| [w[0], w[1], padding[0], padding[1]]);
    macro_rules! rounds4 {
        ($i:ident, $wk:expr) => {
            let wk = $wk;
            let [abef, cdgh] = &mut state[$i];
            *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, wk);
            *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_unpackhi_epi64(wk, wk));
        };
    }
    for half in 0..2 {
        for i in 0..N {
            rounds4!(i, wk[i][half]);
        }
    }
    for half in 0..2 {
        for i in 0..N {
            rounds4!(i, add(padding[half], k(2 + half)));
        }
    }
    // Written out: the compiler keeps what is indexed by a loop's counter in memory.
    macro_rules! scheduled {
        ($($t:literal)+) => { $(
            for i in 0..N {
                let [w0, w1, w2, w3] = w[i];
                let next = schedule(w0, w1, w2, w3);
                w[i] = [w1, w2, w3, next];
                rounds4!(i, add(next, k($t)));
            }
        )+ };
    }
    scheduled!(4 5 6 7 8 9 10 11 12 13 14 15);
    state
}

/// The next four words of the schedule from the last sixteen, oldest first.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn schedule(w0: __m128i, w1: __m128i, w2: __m128i, w3: __m128i) -> __m128i {
    let w9 = _mm_alignr_epi8::<4>(w3, w2); // W[t-7..t-3]
    _mm_sha256msg2_epu32(add(_mm_sha256msg1_epu32(w0, w1), w9), w3)
}

#[inline]
#[target_feature(enable = "sse2")]
fn add(a: __m128i, b: __m128i) -> __m128i {
    _mm_add_epi32(a, b)
}

/// The round constants of rounds `4i..4i+4`.
#[inline]
#[target_feature(enable = "sse2")]
fn k(i: usize) -> __m128i {
    load128(&K.0.as_chunks::<4>().0[i])
}

/// Takes the constants of rounds `4i..4i+4` away again.
#[inline]
#[target_feature(enable = "sse2")]
fn sub_k(wk: __m128i, i: usize) -> __m128i {
    _mm_sub_epi32(wk, k(i))
}

/// A state as eight words of a message, lowest first.
#[inline]
#[target_feature(enable = "sse2")]
fn message([abef, cdgh]: State) -> [__m128i; 2] {
    let (abef, cdgh) = (_mm_castsi128_ps(abef), _mm_castsi128_ps(cdgh));
    let abcd = _mm_shuffle_ps::<0b10_11_10_11>(abef, cdgh);
    let efgh = _mm_shuffle_ps::<0b00_01_00_01>(abef, cdgh);
    [_mm_castps_si128(abcd), _mm_castps_si128(efgh)]
}

#[inline]
#[target_feature(enable = "sse4.1,ssse3")]
fn load(words: &[u32; 8]) -> State {
    let [dcba, hgfe] = words.as_chunks::<4>().0 else {
        return [_mm_set_epi32(0, 0, 0, 0); 2]; // never: eight words are two chunks
    };
    let cdab = _mm_shuffle_epi32::<0xb1>(load128(dcba));
    let efgh = _mm_shuffle_epi32::<0x1b>(load128(hgfe));
    [
        _mm_alignr_epi8::<8>(cdab, efgh),
        _mm_blend_epi16::<0xf0>(efgh, cdab),
    ]
}

#[inline]
#[target_feature(enable = "sse2")]
fn store(words: &mut [u32; 8], state: State) {
    let [low, high] = words.as_chunks_mut::<4>().0 else {
        return; // never: eight words are two chunks
    };
    let [abcd, efgh] = message(state);
    store128(low, abcd);
    store128(high, efgh);
}
