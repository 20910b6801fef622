//! NEON: what the kernels of both schemes share, beside the steps of layers.

use adamant_base::simd::{load_i16, load_u8, load_u16, store_i16};
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
}

/// Eight of the `8 · G` numbers of D bits in `G · D` bytes at a time: as words of 16 bits.
pub(crate) struct Numbers16<const D: usize, const G: usize>;

impl<const D: usize, const G: usize> Numbers16<D, G> {
    /// Where the sixteen bytes that hold group `g` start: the last ones must not lie past the end.
    const fn start(g: usize) -> usize {
        assert!(D <= 12 && G * D >= 16);
        let last = G * D - 16;
        if g * D < last { g * D } else { last }
    }
    /// Byte `n` of those that each number starts in, from its start on, for two bytes of a word;
    /// none where the number has ended.
    const fn bytes(n: usize) -> [[u8; 16]; G] {
        let mut at = [[u8::MAX; 16]; G];
        let mut i = 0;
        while i < 16 * G {
            let (g, number, byte) = (i / 16, i / 2 % 8, n + i % 2);
            if 8 * byte < D * number % 8 + D {
                at[g][i % 16] = (D * g - Self::start(g) + D * number / 8 + byte) as u8;
            }
            i += 1;
        }
        at
    }
    const FIRST: [[u8; 16]; G] = Self::bytes(0);
    const THIRD: [[u8; 16]; G] = Self::bytes(2);
    /// Where within its first byte each number starts, to the right, and the third one to the left.
    const RIGHT: [i16; 8] = Self::shifts(0);
    const LEFT: [i16; 8] = Self::shifts(16);
    const fn shifts(bits: i16) -> [i16; 8] {
        let mut by = [0; 8];
        let mut i = 0;
        while i < 8 {
            by[i] = bits - (D * i % 8) as i16;
            i += 1;
        }
        by
    }

    /// Group `g` of all of `bytes`.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn unpack(bytes: &[u8], g: usize) -> uint16x8_t {
        let from = bytes[Self::start(g)..].first_chunk();
        let from = load_u8(from.expect("sixteen bytes"));
        let cut = |bytes: &[[u8; 16]; G], by: &[i16; 8]| {
            let words = vreinterpretq_u16_u8(vqtbl1q_u8(from, load_u8(&bytes[g])));
            vshlq_u16(words, load_i16(by))
        };
        let mut words = cut(const { &Self::FIRST }, const { &Self::RIGHT });
        // Numbers of up to nine bits, and those of an even width, lie within two bytes.
        if D > 9 && D % 2 == 1 {
            words = vorrq_u16(words, cut(const { &Self::THIRD }, const { &Self::LEFT }));
        }
        vandq_u16(words, vdupq_n_u16((1 << D) - 1))
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

macro_rules! pack16 {
    ($($name:ident $d:literal $width:ident;)*) => { $(
        /// The lower bits of each number in a row.
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
    pack10 10 over64;
    pack11 11 over64;
    pack12 12 over64;
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

/// The words that a mask, which is public, selects, and then zeros; and how many these are.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn choose(words: int16x8_t, mask: uint16x8_t) -> (int16x8_t, usize) {
    const BITS: [u16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
    let bits = vandq_u16(mask, load_u16(&BITS));
    let mask = usize::from(vaddvq_u16(bits) as u8);
    let words = vqtbl1q_u8(vreinterpretq_u8_s16(words), load_u8(&CHOSEN[mask]));
    (vreinterpretq_s16_u8(words), usize::from(COUNTS[mask]))
}

/// Writes words from `count` on, as far as there is room.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn put_chosen(to: &mut [i16; 256], count: usize, words: int16x8_t) {
    if let Some(place) = to.get_mut(count..).and_then(<[i16]>::first_chunk_mut) {
        store_i16(place, words);
    } else if let Some(last) = to.last_chunk_mut() {
        // Eight words that begin earlier: places outside of the first vector keep what they have.
        const PLACES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        let earlier = vdupq_n_u8(2 * count.saturating_sub(248) as u8);
        let kept = vreinterpretq_u8_s16(load_i16(last));
        let places = vsubq_u8(load_u8(&PLACES), earlier);
        let words = vqtbx1q_u8(kept, vreinterpretq_u8_s16(words), places);
        store_i16(last, vreinterpretq_s16_u8(words));
    }
}
