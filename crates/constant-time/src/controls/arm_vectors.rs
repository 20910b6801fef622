//! Leaks by vectors.

use core::arch::aarch64::*;
use core::hint::black_box;

macro_rules! kernels {
    ($($(#[$meta:meta])* fn $f:ident($($arg:ident: $t:ty),*) -> $r:ty $body:block)*) => { $(
        #[target_feature(enable = "neon,aes,sha2")]
        pub(super) fn $f($($arg: $t),*) -> $r $body
    )* };
}

kernels! {
    fn branch(x: u64) -> u64 {
        let mask = vceqq_u64(vdupq_n_u64(x), vdupq_n_u64(1));
        if vgetq_lane_u64::<1>(mask) == 0 { black_box(1) } else { black_box(2) }
    }

    fn index(x: u64, table: &[u8; 256]) -> u64 {
        let x = vdup_n_u32(x as u32);
        let product = vmlal_u32(vdupq_n_u64(7), x, x);
        u64::from(table[vgetq_lane_u64::<1>(product) as usize & 255])
    }

    fn divide(x: u64) -> u64 {
        let x = vreinterpretq_u8_u64(vdupq_n_u64(x));
        let round = vreinterpretq_u64_u8(vaesmcq_u8(vaeseq_u8(x, x)));
        black_box(1000) / (vgetq_lane_u64::<1>(round) | 1)
    }

    fn hash(x: u64, table: &[u8; 256]) -> u64 {
        let zero = vdupq_n_u32(0);
        let round = vsha256hq_u32(zero, zero, vreinterpretq_u32_u64(vdupq_n_u64(x)));
        u64::from(table[vgetq_lane_u32::<3>(round) as usize & 255])
    }

    fn compress(x: u64) -> u64 {
        // Goes on for as long as a sum over lanes says.
        let mut left = vaddvq_u8(vcntq_u8(vreinterpretq_u8_u64(vdupq_n_u64(x))));
        let mut count = 0;
        while left > 0 {
            left -= 1;
            count += black_box(1);
        }
        count
    }

    fn field(x: u64) -> u64 {
        let product = vreinterpretq_u64_p128(vmull_p64(x, black_box(5)));
        if vgetq_lane_u64::<1>(product) == 5 { black_box(1) } else { black_box(2) }
    }

    fn gather(x: u64, table: &[i32; 64]) -> u64 {
        let places = vandq_u32(vdupq_n_u32(x as u32), vdupq_n_u32(63));
        let first = table[vgetq_lane_u32::<0>(places) as usize & 63];
        let second = table[vgetq_lane_u32::<2>(places) as usize & 63];
        first as u64 + second as u64
    }

    fn clean(x: u64, y: u64, table: &[i32; 64]) -> [u64; 2] {
        let both = vsetq_lane_u64::<1>(y, vdupq_n_u64(x));
        let turned = vextq_u64::<1>(both, both);
        let sum = vaddq_u64(turned, vzip1q_u64(turned, turned));
        let [of_public, of_secret] = [vgetq_lane_u64::<0>(sum), vgetq_lane_u64::<1>(sum)];
        let one = table[of_public as usize & 63] as u64;
        [of_secret ^ one, of_public]
    }
}
