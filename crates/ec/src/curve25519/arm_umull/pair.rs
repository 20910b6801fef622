//! Two field elements side by side.
//!
//! Five registers hold two elements in ten limbs each, radix 2^25.5: those of even index have 26 bits,
//! the others 25. Register j has limbs 2j of both elements and then limbs 2j + 1. `umull` multiplies the
//! lower halves of two registers, `umull2` the upper ones; of one factor there is a copy whose halves
//! have changed places, for products of limbs of even with those of odd index.
//!
//! * *Carried*: limbs of even index are below 2^26 + 2^14, the others below 2^25 + 2^17. Returned by
//!   products.
//! * Sums of two such elements have limbs below twice these bounds, differences, to which 2p is added
//!   first, below three times: products take both, uncarried, on either side.
//!
//! Products of limbs of odd index count twice, and what passes 2^255 counts 19 times. The second factor
//! is multiplied by 19 as limbs of 32 bits, which 19 times three times the bounds does not exceed, and
//! twice that of a limb of odd index neither; the first one's limbs of odd index are doubled. See the
//! assertions below for the columns.
#![allow(unsafe_code)] // assembly

use crate::curve25519::field::Fe;
use adamant_base::simd::{load_u32, store_u32};
use core::arch::aarch64::*;
use core::arch::asm;

/// The limbs of an element.
pub(super) type Limbs = [u32; 10];

/// Two field elements.
#[derive(Clone, Copy)]
pub(super) struct Pair(pub(super) [uint32x4_t; 5]);

/// The bits of limb `i`.
pub(super) const fn bits(i: usize) -> u32 {
    26 - (i as u32 & 1)
}

/// The bounds of carried limbs, of even and of odd index.
pub(super) const CARRIED: [u64; 2] = [(1 << 26) + (1 << 14), (1 << 25) + (1 << 17)];

/// Limb `i` of 2p.
pub(super) const fn twice_p(i: usize) -> u32 {
    (2 << bits(i)) - if i == 0 { 38 } else { 2 }
}

/// What products rely on, of factors three times the bounds.
const _: () = {
    let (even, odd) = (3 * CARRIED[0], 3 * CARRIED[1]);
    assert!(19 * even < 1 << 32 && 2 * 19 * odd < 1 << 32);
    // Column 0 takes a product of limbs of even index once and four 19 times, and five of odd index,
    // doubled, 19 times; column 1 two products of one of each once, and eight 19 times.
    let columns = [
        even as u128 * even as u128 * (1 + 4 * 19) + odd as u128 * odd as u128 * (2 * 5 * 19),
        even as u128 * odd as u128 * (2 + 8 * 19),
    ];
    assert!(columns[0] + (1 << 42) < 1 << 63 && columns[1] + (1 << 42) < 1 << 63);
    // Carries go from limb 0 to 5 and from 5 to 0, and one limb further. What comes from 9 to 0 is
    // below 2^38 and counts 19 times, what comes from 4 to 5 is below 2^37.
    assert!(1 << 25 | ((1 << 26) + 19 * (1 << 38)) >> 26 < CARRIED[1]);
    assert!(1 << 26 | ((1 << 25) + (1 << 37)) >> 25 < CARRIED[0]);
};

/// What the lists load.
#[repr(C, align(16))]
pub(super) struct Constants {
    masks: [[u64; 2]; 2],
    packed: [u32; 4],
    twice: [u32; 4],
}

pub(super) static CONSTANTS: Constants = Constants {
    masks: [[(1 << 26) - 1; 2], [(1 << 25) - 1; 2]],
    packed: [(1 << 26) - 1, (1 << 26) - 1, (1 << 25) - 1, (1 << 25) - 1],
    twice: [0, 0, 1, 1],
};

/// Limbs of the two elements, the same of each.
const fn register(even: [u32; 2], odd: [u32; 2]) -> [u32; 4] {
    [even[0], even[1], odd[0], odd[1]]
}

/// In the first lane all ones, and 2p and 1: with these, and exclusively, a number is subtracted there
/// from what is added.
static MINUS: ([u32; 4], [[u32; 4]; 5]) = {
    let (mut p, mut j) = ([[0; 4]; 5], 0);
    while j < 5 {
        p[j] = register([twice_p(2 * j) + 1, 0], [twice_p(2 * j + 1) + 1, 0]);
        j += 1;
    }
    ([!0, 0, !0, 0], p)
};

impl Pair {
    /// The pair of two elements.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn new(first: &Limbs, second: &Limbs) -> Pair {
        Pair(core::array::from_fn(|j| {
            let both = |i: usize| [first[i], second[i]];
            load_u32(&register(both(2 * j), both(2 * j + 1)))
        }))
    }

    /// The limbs of both.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn limbs(self) -> [Limbs; 2] {
        let mut limbs = [[0; 10]; 2];
        for (j, register) in self.0.into_iter().enumerate() {
            let mut words = [0; 4];
            store_u32(&mut words, register);
            for (i, word) in words.into_iter().enumerate() {
                limbs[i % 2][2 * j + i / 2] = word;
            }
        }
        limbs
    }

    /// Both elements, which must be carried, tight.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn split(self) -> [Fe; 2] {
        self.limbs().map(|limbs| element(&limbs.map(u64::from)))
    }

    /// The elements of the first lanes.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn firsts(self, other: Pair) -> Pair {
        Pair(core::array::from_fn(|j| vtrn1q_u32(self.0[j], other.0[j])))
    }

    /// The elements of the second lanes.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn seconds(self, other: Pair) -> Pair {
        Pair(core::array::from_fn(|j| vtrn2q_u32(self.0[j], other.0[j])))
    }

    /// The elements the other way round.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn turned(self) -> Pair {
        Pair(self.0.map(|x| vrev64q_u32(x)))
    }

    /// The second less the first, which must be carried, and the sum of both.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn difference_and_sum(self) -> Pair {
        let mask = load_u32(&MINUS.0);
        Pair(core::array::from_fn(|j| {
            let turned = vaddq_u32(vrev64q_u32(self.0[j]), load_u32(&MINUS.1[j]));
            vaddq_u32(turned, veorq_u32(self.0[j], mask))
        }))
    }

    /// `self * other` in each lane.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn mul(self, other: Pair) -> Pair {
        // SAFETY: the block calculates on registers and reads the constants.
        Pair(unsafe {
            block!(product!(text), self, other; options(pure, readonly, nostack, preserves_flags))
        })
    }

    /// `self^2` in each lane.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn square(self) -> Pair {
        let [a0, a1, a2, a3, a4] = self.0;
        let (r0, r1, r2, r3, r4);
        // SAFETY: as above.
        unsafe {
            asm!(
                square!(text),
                a0 = inout(vreg) a0 => r0,
                a1 = inout(vreg) a1 => _,
                a2 = inout(vreg) a2 => r1,
                a3 = inout(vreg) a3 => r3,
                a4 = inout(vreg) a4 => r4,
                d0 = out(vreg) _,
                d1 = out(vreg) _,
                d2 = out(vreg) _,
                d3 = out(vreg) _,
                d4 = out(vreg) _,
                s0 = out(vreg) _,
                s1 = out(vreg) _,
                s2 = out(vreg) _,
                s3 = out(vreg) _,
                s4 = out(vreg) _,
                f2 = out(vreg) _,
                f3 = out(vreg) _,
                f4 = out(vreg) _,
                g3 = out(vreg) _,
                g4 = out(vreg) _,
                t3 = out(vreg) _,
                c0 = out(vreg) _,
                c1 = out(vreg) _,
                c2 = out(vreg) _,
                c3 = out(vreg) _,
                c4 = out(vreg) r2,
                c5 = out(vreg) _,
                c6 = out(vreg) _,
                c7 = out(vreg) _,
                c8 = out(vreg) _,
                c9 = out(vreg) _,
                n = out(vreg) _,
                constants = in(reg) &raw const CONSTANTS,
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        Pair([r0, r1, r2, r3, r4])
    }
}

/// The element of carried limbs, tight.
pub(super) fn element(limbs: &[u64; 10]) -> Fe {
    let (halves, _) = limbs.as_chunks::<2>();
    Fe::from_limbs(core::array::from_fn(|i| {
        halves[i][0] + (halves[i][1] << 26)
    }))
    .tighten()
}
