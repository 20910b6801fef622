//! Poly1305 with multiplications of 32 bits that keep the low 32, for small cores: ten limbs of
//! 13 bits.
//!
//! All limbs are below 2^13 when they are multiplied, but for the top limb of the sum, which is
//! below 2.5 · 2^13: with the factor 5 of what wraps around, ten products are at most
//! (1 + 5 · 8 + 5 · 2.5) · 2^26 < 2^32.

use super::State;
use super::portable::{block_words, join, limbs};

const MASK: u32 = (1 << 13) - 1;

pub(crate) fn update(state: &mut State, blocks: &[[u8; 16]], high: u32) {
    let mut h: [u32; 10] = limbs::<10, 13>(state.sum);
    let r: [u32; 10] = limbs::<10, 13>([state.r[0], state.r[1], 0]);
    for block in blocks {
        let m: [u32; 10] = limbs::<10, 13>(block_words(block, high));
        let mut carry = 0;
        for i in 0..10 {
            let sum = h[i] + m[i] + carry;
            // The top limb keeps its excess.
            let mask = if i == 9 { u32::MAX } else { MASK };
            (h[i], carry) = (sum & mask, sum >> 13);
        }
        let mut d = [0; 10];
        for i in 0..10 {
            let (mut straight, mut wrapped) = (0u32, 0u32);
            for j in 0..10 {
                if j <= i {
                    straight += h[j] * r[i - j];
                } else {
                    wrapped += h[j] * r[10 + i - j];
                }
            }
            d[i] = straight + 5 * wrapped;
        }
        let mut carry = 0;
        for i in 0..10 {
            let sum = d[i] + carry;
            (h[i], carry) = (sum & MASK, sum >> 13);
        }
        // Back in at the bottom.
        let low = h[0] + 5 * carry;
        h[0] = low & MASK;
        h[1] += low >> 13;
    }
    state.sum = join::<10, 13>(h.map(u64::from));
}
