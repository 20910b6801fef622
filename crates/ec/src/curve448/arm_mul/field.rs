//! The [`field`](super::super::field) in radix 2^56, with products and squares in assembly.
#![allow(unsafe_code)] // a table in another type

use super::columns;
use crate::curve448::edwards::{self, Completed, Extended, Niels, Projective};
use crate::curve448::field::{BYTES, Fe as Portable};
use crate::curve448::fields::Field;
use crate::curve448::table::{self, ODDS, ROWS};
use adamant_base::Wipe;
use core::arch::aarch64::*;

const MASK: u64 = (1 << 56) - 1;

/// A field element, in the form and with the bounds of the other type.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in crate::curve448) struct Fe(Portable);

/// The same points, as those of this field.
const fn inside<const N: usize>(points: &'static [Niels; N]) -> &'static [Niels<Fe>; N] {
    // SAFETY: the layout of a point is that of C, and that of its coordinates is the same.
    unsafe { &*core::ptr::from_ref(points).cast() }
}

impl Fe {
    /// The limbs, two to a register.
    #[inline(always)]
    fn pairs(&self) -> [uint64x2_t; 4] {
        let limbs = self.0.limbs();
        // SAFETY: reads pairs of the eight limbs.
        core::array::from_fn(|i| unsafe { vld1q_u64(limbs[2 * i..].as_ptr()) })
    }

    /// The element of these limbs.
    #[inline(always)]
    fn from_pairs(pairs: [uint64x2_t; 4]) -> Fe {
        let mut limbs = [0; 8];
        for (pair, to) in pairs.into_iter().zip(limbs.chunks_exact_mut(2)) {
            // SAFETY: writes a pair of limbs.
            unsafe { vst1q_u64(to.as_mut_ptr(), pair) };
        }
        Fe(Portable::from_limbs(limbs))
    }

    /// `self - other + n p`, limb by limb, for a small even n.
    #[inline(always)]
    fn minus(self, n: u64, other: Fe) -> [uint64x2_t; 4] {
        let (a, b) = (self.pairs(), other.pairs());
        core::array::from_fn(|i| {
            let mut p = [n * MASK; 2];
            p[0] -= if i == 2 { n } else { 0 };
            // SAFETY: reads two limbs.
            let p = unsafe { vld1q_u64(p.as_ptr()) };
            // SAFETY: every ARM64 has these.
            unsafe { vsubq_u64(vaddq_u64(a[i], p), b[i]) }
        })
    }

    /// The limbs and what each takes from the one below it.
    #[inline(always)]
    fn carried(limbs: [uint64x2_t; 4], carries: [uint64x2_t; 4]) -> Fe {
        // SAFETY: every ARM64 has these.
        unsafe {
            let mut out: [_; 4] = core::array::from_fn(|i| {
                vaddq_u64(limbs[i], vextq_u64(carries[(i + 3) % 4], carries[i], 1))
            });
            out[2] = vaddq_u64(out[2], vextq_u64(carries[3], vdupq_n_u64(0), 1));
            Fe::from_pairs(out)
        }
    }

    #[inline(always)]
    fn carry(r: [uint64x2_t; 4]) -> Fe {
        // SAFETY: every ARM64 has these.
        unsafe {
            Fe::carried(
                r.map(|r| vandq_u64(r, vdupq_n_u64(MASK))),
                r.map(|r| vshrq_n_u64(r, 56)),
            )
        }
    }
}

impl Field for Fe {
    const ZERO: Fe = Fe(Portable::ZERO);
    const ONE: Fe = Fe(Portable::ONE);
    const COMB: &'static [Niels<Fe>; 8 * ROWS] = inside(&table::COMB);
    const ODD: &'static [Niels<Fe>; ODDS] = inside(&table::ODD);

    edwards::formulas!();

    #[inline(always)]
    fn add(self, other: Fe) -> Fe {
        let (a, b) = (self.pairs(), other.pairs());
        // SAFETY: every ARM64 has this.
        Fe::from_pairs(core::array::from_fn(|i| unsafe { vaddq_u64(a[i], b[i]) }))
    }
    #[inline(always)]
    fn sub(self, other: Fe) -> Fe {
        Fe::from_pairs(self.minus(2, other))
    }
    #[inline(always)]
    fn sub_loose(self, other: Fe) -> Fe {
        Fe::carry(self.minus(4, other))
    }
    #[inline(always)]
    fn neg(self) -> Fe {
        Fe::ZERO.sub_loose(self)
    }
    #[inline(always)]
    fn tighten(self) -> Fe {
        Fe::carry(self.pairs())
    }

    #[inline(always)]
    fn mul(self, other: Fe) -> Fe {
        Fe(Portable::from_limbs(columns::multiply(
            self.0.limbs(),
            other.0.limbs(),
        )))
    }
    #[inline(always)]
    fn square(self) -> Fe {
        Fe(Portable::from_limbs(columns::square(self.0.limbs())))
    }
    #[inline(always)]
    fn mul_here(self, other: Fe) -> Fe {
        self.mul(other)
    }
    #[inline(always)]
    fn square_here(self) -> Fe {
        self.square()
    }
    #[inline(always)]
    fn mul_small(self, factor: u64) -> Fe {
        // SAFETY: every ARM64 has these.
        unsafe {
            let a = self.pairs();
            let factor = vdup_n_u32(factor as u32);
            let high: [_; 4] = core::array::from_fn(|i| vmull_u32(vshrn_n_u64(a[i], 32), factor));
            let limbs = core::array::from_fn(|i| {
                let low = vmull_u32(vmovn_u64(a[i]), factor);
                vsraq_n_u64(low, vshlq_n_u64(high[i], 40), 8)
            });
            Fe::carried(limbs, high.map(|x| vshrq_n_u64(x, 24)))
        }
    }

    #[inline(always)]
    fn swap(bit: u64, a: &mut Fe, b: &mut Fe) {
        let mask = adamant_base::ct::barrier(bit.wrapping_neg());
        let old = *a;
        a.assign(mask, *b);
        b.assign(mask, old);
    }
    #[inline(always)]
    fn assign(&mut self, mask: u64, from: Fe) {
        let (a, b) = (self.pairs(), from.pairs());
        // SAFETY: every ARM64 has these.
        *self = Fe::from_pairs(core::array::from_fn(|i| unsafe {
            vbslq_u64(vdupq_n_u64(mask), b[i], a[i])
        }));
    }
    #[inline(always)]
    fn or_masked(&mut self, mask: u64, from: &Fe) {
        let (a, b) = (self.pairs(), from.pairs());
        // SAFETY: every ARM64 has these.
        *self = Fe::from_pairs(core::array::from_fn(|i| unsafe {
            vorrq_u64(a[i], vandq_u64(vdupq_n_u64(mask), b[i]))
        }));
    }

    #[inline(always)]
    fn from_bytes(bytes: &[u8; BYTES]) -> Fe {
        Fe(Portable::from_bytes(bytes))
    }
    #[inline(always)]
    fn to_bytes(self) -> [u8; BYTES] {
        self.0.to_bytes()
    }
    #[inline(always)]
    fn sign(self) -> u8 {
        Field::sign(self.0)
    }
    #[inline(always)]
    fn from_outside(x: Portable) -> Fe {
        Fe(x)
    }
    #[inline(always)]
    fn to_outside(self) -> Portable {
        self.0
    }
}

impl Wipe for Fe {
    #[inline]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}
