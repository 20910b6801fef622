//! NEON: what the kernels of both schemes share, beside the steps of layers.

use adamant_base::simd::{load_i16, load_i32, load_u8};
use core::arch::aarch64::*;

/// Trades between two vectors, for butterflies of words of 32 bits in the same one.
macro_rules! trades {
    ($($module:ident $v:ident $to32:path, $from32:path;)*) => { $(
        pub(crate) mod $module {
            use core::arch::aarch64::*;

            /// The lower halves of both, and the upper ones. Twice, it changes nothing.
            #[inline]
            #[target_feature(enable = "neon")]
            pub(crate) fn trade64(a: $v, b: $v) -> ($v, $v) {
                let (a, b) = ($to32(a), $to32(b));
                let (a, b) = (vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b));
                let (low, high) = (vtrn1q_s64(a, b), vtrn2q_s64(a, b));
                let (low, high) = (vreinterpretq_s32_s64(low), vreinterpretq_s32_s64(high));
                ($from32(low), $from32(high))
            }

            /// The even words of both in turn, and the odd ones. Twice, it changes nothing.
            #[inline]
            #[target_feature(enable = "neon")]
            pub(crate) fn trade32(a: $v, b: $v) -> ($v, $v) {
                let (a, b) = ($to32(a), $to32(b));
                ($from32(vtrn1q_s32(a, b)), $from32(vtrn2q_s32(a, b)))
            }

            /// The words of both in turn: what [`trade64`] and then [`trade32`] make of two
            /// vectors becomes these again.
            #[inline]
            #[target_feature(enable = "neon")]
            pub(crate) fn zip32(a: $v, b: $v) -> ($v, $v) {
                let (a, b) = ($to32(a), $to32(b));
                ($from32(vzip1q_s32(a, b)), $from32(vzip2q_s32(a, b)))
            }

            /// What [`trade64`] and then [`trade32`] make of two vectors.
            #[inline]
            #[target_feature(enable = "neon")]
            pub(crate) fn unzip32(a: $v, b: $v) -> ($v, $v) {
                let (a, b) = ($to32(a), $to32(b));
                ($from32(vuzp1q_s32(a, b)), $from32(vuzp2q_s32(a, b)))
            }
        }
    )* };
}
trades! {
    pairs16 int16x8_t vreinterpretq_s32_s16, vreinterpretq_s16_s32;
    words32 int32x4_t core::convert::identity, core::convert::identity;
}

/// Groups of `N` numbers of D bits, cut out of the `D · N · G / 8` bytes that hold `G` groups: eight
/// words of 16 bits, or four of 32.
pub(crate) struct Numbers<const D: usize, const N: usize, const G: usize>;

impl<const D: usize, const N: usize, const G: usize> Numbers<D, N, G> {
    /// Where the sixteen bytes that hold a group start: the last ones must not lie past the end.
    const fn start(g: usize) -> usize {
        let (first, last) = (D * N * g / 8, D * N * G / 8 - 16);
        if first < last { first } else { last }
    }
    /// The bytes of each number from byte `n` of it on, as many as a word has; none where the number
    /// has ended.
    const fn bytes(n: usize) -> [[u8; 16]; G] {
        let mut at = [[u8::MAX; 16]; G];
        let mut i = 0;
        while i < 16 * G {
            let (g, width) = (i / 16, 16 / N);
            let (bit, byte) = (D * (i / width), n + i % width);
            if 8 * byte < bit % 8 + D {
                at[g][i % 16] = (bit / 8 + byte - Self::start(g)) as u8;
            }
            i += 1;
        }
        at
    }
    const FIRST: [[u8; 16]; G] = Self::bytes(0);
    const THIRD: [[u8; 16]; G] = Self::bytes(2);
    /// Where within its first byte number `i` starts.
    const fn shift(i: usize) -> i16 {
        (D * i % 8) as i16
    }
}

impl<const D: usize, const G: usize> Numbers<D, 8, G> {
    /// How far words move to the left, from the first byte and from the third.
    const FROM_FIRST: [i16; 8] = Self::shifts(0);
    const FROM_THIRD: [i16; 8] = Self::shifts(16);
    const fn shifts(bits: i16) -> [i16; 8] {
        let mut by = [0; 8];
        let mut i = 0;
        while i < 8 {
            by[i] = bits - Self::shift(i);
            i += 1;
        }
        by
    }

    /// Group `g` of all of `bytes`.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn words16(bytes: &[u8], g: usize) -> uint16x8_t {
        const { assert!(D <= 12) };
        let from = bytes[Self::start(g)..].first_chunk();
        let from = load_u8(from.expect("sixteen bytes"));
        let cut = |bytes: &[[u8; 16]; G], by: &[i16; 8]| {
            let words = vreinterpretq_u16_u8(vqtbl1q_u8(from, load_u8(&bytes[g])));
            vshlq_u16(words, load_i16(by))
        };
        let mut words = cut(const { &Self::FIRST }, const { &Self::FROM_FIRST });
        // Numbers of up to nine bits, and those of an even width, lie within two bytes.
        if D > 9 && D % 2 == 1 {
            let third = cut(const { &Self::THIRD }, const { &Self::FROM_THIRD });
            words = vorrq_u16(words, third);
        }
        vandq_u16(words, vdupq_n_u16((1 << D) - 1))
    }
}

impl<const D: usize, const G: usize> Numbers<D, 4, G> {
    /// How far words move to the left.
    const SHIFTS: [[i32; 4]; G] = {
        let mut by = [[0; 4]; G];
        let mut i = 0;
        while i < 4 * G {
            by[i / 4][i % 4] = -(Self::shift(i) as i32);
            i += 1;
        }
        by
    };

    /// Group `g` of all of `bytes`.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn words32(bytes: &[u8], g: usize) -> int32x4_t {
        // Seven bits below it, and it fits into a word.
        const { assert!(D + 7 <= 32) };
        let from = bytes[Self::start(g)..].first_chunk();
        let from = load_u8(from.expect("sixteen bytes"));
        let bytes = const { &Self::FIRST };
        let mut words = vreinterpretq_u32_u8(vqtbl1q_u8(from, load_u8(&bytes[g])));
        if !D.is_multiple_of(8) {
            words = vshlq_u32(words, load_i32(&const { &Self::SHIFTS }[g]));
        }
        vreinterpretq_s32_u32(vandq_u32(words, vdupq_n_u32((1 << D) - 1)))
    }
}

/// Writes two numbers of `$bits` bits, the lower ones of each lane of 64, to all of `$to`.
macro_rules! join {
    (over64 $to:ident, $bits:expr, $lanes:expr) => {
        let (low, high) = ($lanes, vdupq_laneq_u64::<1>($lanes));
        let first = vsliq_n_u64::<{ $bits }>(low, high);
        let last = vsliq_n_u64::<{ 64 - $bits }>(vshrq_n_u64::<{ 2 * $bits - 64 }>(low), high);
        if let Some(to) = $to.first_chunk_mut() {
            *to = vgetq_lane_u64::<0>(first).to_le_bytes();
        }
        if let Some(to) = $to.last_chunk_mut() {
            *to = vgetq_lane_u64::<0>(last).to_le_bytes();
        }
    };
    (upto64 $to:ident, $bits:expr, $lanes:expr) => {
        let all = vsliq_n_u64::<{ $bits }>($lanes, vdupq_laneq_u64::<1>($lanes));
        let all = vgetq_lane_u64::<0>(all);
        if let Some(to) = $to.first_chunk_mut() {
            *to = (all as u32).to_le_bytes();
        }
        if let Some(to) = $to.last_chunk_mut() {
            *to = ((all >> (2 * $bits - 32)) as u32).to_le_bytes();
        }
    };
}

/// Writes the lower bits of each number in a row.
macro_rules! pack16 {
    ($($name:ident $d:literal $width:ident;)*) => { $(
        #[inline]
        #[target_feature(enable = "neon")]
        pub(crate) fn $name(to: &mut [u8; $d], numbers: uint16x8_t) {
            let one = vreinterpretq_u32_u16(numbers);
            let two = vsliq_n_u32::<$d>(one, vshrq_n_u32::<16>(one));
            let two = vreinterpretq_u64_u32(two);
            let four = vsliq_n_u64::<{ 2 * $d }>(two, vshrq_n_u64::<32>(two));
            join!($width to, 4 * $d, four);
        }
    )* };
}
pack16! {
    pack4 4 upto64;
    pack5 5 upto64;
    pack6 6 upto64;
    pack10 10 over64;
    pack11 11 over64;
    pack12 12 over64;
    pack13 13 over64;
}

/// The same of numbers in words of 32 bits.
macro_rules! pack32 {
    ($($name:ident $d:literal;)*) => { $(
        #[inline]
        #[target_feature(enable = "neon")]
        pub(crate) fn $name(to: &mut [u8; $d / 2], numbers: int32x4_t) {
            let one = vreinterpretq_u64_s32(numbers);
            let two = vsliq_n_u64::<$d>(one, vshrq_n_u64::<32>(one));
            join!(over64 to, 2 * $d, two);
        }
    )* };
}
pack32! {
    pack18 18;
    pack20 20;
}

/// For each mask of eight words of 16 bits: the bytes of those that it has, in a row.
static CHOSEN: [[u8; 16]; 256] = {
    let mut all = [[u8::MAX; 16]; 256];
    let mut i = 0;
    while i < 256 * 8 {
        let (mask, word) = (i / 8, i % 8);
        if mask >> word & 1 == 1 {
            let at = (mask as u8 & ((1 << word) - 1)).count_ones() as usize;
            all[mask][2 * at] = 2 * word as u8;
            all[mask][2 * at + 1] = 2 * word as u8 + 1;
        }
        i += 1;
    }
    all
};
/// And how many it has.
static COUNTS: [u8; 256] = {
    let mut all = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        all[mask] = (mask as u8).count_ones() as u8;
        mask += 1;
    }
    all
};

/// The words that a mask selects, which is public, and then zeros; and how many these are.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn choose(words: int16x8_t, mask: u8) -> (int16x8_t, usize) {
    let mask = usize::from(mask);
    let words = vqtbl1q_u8(vreinterpretq_u8_s16(words), load_u8(&CHOSEN[mask]));
    (vreinterpretq_s16_u8(words), usize::from(COUNTS[mask]))
}

/// What the last eight of 256 places become when words are written from `count` on, fewer than eight
/// from their end.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn last_places(kept: int16x8_t, count: usize, words: int16x8_t) -> int16x8_t {
    const BYTES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    // A place before the first word has no byte of one, and keeps what it has.
    let before = vdupq_n_u8(2 * count.saturating_sub(248) as u8);
    let bytes = vsubq_u8(load_u8(&BYTES), before);
    let (kept, words) = (vreinterpretq_u8_s16(kept), vreinterpretq_u8_s16(words));
    vreinterpretq_s16_u8(vqtbx1q_u8(kept, words, bytes))
}
