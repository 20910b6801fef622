//! Poly1305 with multiplications of 32 by 32 bits into 64: five limbs of 26 bits.
//!
//! A limb of the sum is below 2^27 + 2^26 when it is multiplied and one of r, times 5, below
//! 2^28.4, so five products are below 2^58.4.

use super::State;
use super::portable::{block_words, join, limbs};

const MASK: u64 = (1 << 26) - 1;

pub(crate) fn update(state: &mut State, blocks: &[[u8; 16]], high: u32) {
    let mut h: [u32; 5] = limbs::<5, 26>(state.sum);
    let r: [u32; 5] = limbs::<5, 26>([state.r[0], state.r[1], 0]);
    let r5 = r.map(|limb| 5 * limb);
    let product = |a: u32, b: u32| u64::from(a) * u64::from(b);
    for block in blocks {
        let m: [u32; 5] = limbs::<5, 26>(block_words(block, high));
        let [a0, a1, a2, a3, a4] = core::array::from_fn(|i| h[i] + m[i]);
        // Limb i of one factor and j of the other: limb i + j; after the fifth, 2^130 = 5.
        let d0 = product(a0, r[0])
            + product(a1, r5[4])
            + product(a2, r5[3])
            + product(a3, r5[2])
            + product(a4, r5[1]);
        let d1 = product(a0, r[1])
            + product(a1, r[0])
            + product(a2, r5[4])
            + product(a3, r5[3])
            + product(a4, r5[2]);
        let d2 = product(a0, r[2])
            + product(a1, r[1])
            + product(a2, r[0])
            + product(a3, r5[4])
            + product(a4, r5[3]);
        let d3 = product(a0, r[3])
            + product(a1, r[2])
            + product(a2, r[1])
            + product(a3, r[0])
            + product(a4, r5[4]);
        let d4 = product(a0, r[4])
            + product(a1, r[3])
            + product(a2, r[2])
            + product(a3, r[1])
            + product(a4, r[0]);
        let d1 = d1 + (d0 >> 26);
        let d2 = d2 + (d1 >> 26);
        let d3 = d3 + (d2 >> 26);
        let d4 = d4 + (d3 >> 26);
        let low = (d0 & MASK) + 5 * (d4 >> 26);
        h = [
            (low & MASK) as u32,
            ((d1 & MASK) + (low >> 26)) as u32,
            (d2 & MASK) as u32,
            (d3 & MASK) as u32,
            (d4 & MASK) as u32,
        ];
    }
    state.sum = join::<5, 26>(h.map(u64::from));
}
