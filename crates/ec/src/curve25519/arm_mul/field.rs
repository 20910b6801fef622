//! Arithmetic modulo p = 2^255 - 19 in four words, with the 64-bit multiplications of ARM64.
//!
//! The interface is that of the [`field`](super::super::field) in radix 2^51, and so is what a
//! function is for. An element is an integer below 2^256, modulo p:
//!
//! * *tight*: below 2^255 + 2^210. Returned by multiplications.
//! * *loose*: any. Taken by multiplications, and returned by sums and differences.
//! * [`Fe::add`] takes one loose element at most, [`Fe::sub`] any two.
//!
//! A compiler moves the carry of such sums between the flag and registers, time and again: in
//! assembly it stays in the flag. What passes 2^256 comes back times 38, what passes 2^255 times 19.
#![allow(unsafe_code)] // assembly

use super::base;
use crate::curve25519::fields::{converted, stored};
use crate::curve25519::ladder::{A24, Ladder};
use crate::invert::{self, Divisor};
use crate::limbs::{selections, words};
#[cfg(feature = "simd")]
use adamant_base::Secret;
use adamant_base::Wipe;
use core::arch::asm;

#[cfg(test)]
mod tests;

/// A field element.
#[derive(Clone, Copy)]
pub(in crate::curve25519) struct Fe([u64; 4]);

/// The bits of the top word below 2^255.
const TOP: u64 = u64::MAX >> 1;
/// 2^256 mod p, and 2^255.
const FOLD: [u64; 2] = [38, 19];

/// p, and what is 1 / p mod 2^64.
const P: [u64; 4] = [u64::MAX - 18, u64::MAX, u64::MAX, TOP];
const INVERSE: u64 = 0x7943_5e50_d794_35e5;
const _: () = assert!(P[0].wrapping_mul(INVERSE) == 1);
static DIVISOR: Divisor = Divisor::new(&P, INVERSE);

/// Brings `{t0}` to `{t7}` below 2^255 + 2^198, in `{t0}` to `{t3}`, as the text of the assembly.
///
/// Times 38, the upper words have high halves up to 37. With all but three of these added, what
/// passes 2^255 is below 78, and comes back with them.
#[rustfmt::skip] // an instruction a line
macro_rules! reduction {
    () => {
        concat!(
            "mul {x}, {t4}, {fold}\n",
            "mul {y}, {t5}, {fold}\n",
            "mul {z}, {t6}, {fold}\n",
            "mul {w}, {t7}, {fold}\n",
            "umulh {t7}, {t7}, {fold}\n",
            "adds {t0}, {t0}, {x}\n",
            "umulh {t4}, {t4}, {fold}\n",
            "adcs {t1}, {t1}, {y}\n",
            "umulh {t5}, {t5}, {fold}\n",
            "adcs {t2}, {t2}, {z}\n",
            "umulh {t6}, {t6}, {fold}\n",
            "adcs {t3}, {t3}, {w}\n",
            "adc {t7}, {t7}, xzr\n",
            top!("{t7}" "{t4}" "{t5}" "{t6}"),
        )
    };
}

/// Brings back what `{t0}` to `{t3}`, and a word above them, have from bit 255 on, and adds three
/// words from the second on, as the text of the assembly.
#[rustfmt::skip] // an instruction a line
macro_rules! top {
    ($above:literal $u0:literal $u1:literal $u2:literal) => {
        concat!(
            "extr {x}, ", $above, ", {t3}, 63\n",
            "mul {x}, {x}, {fold_less}\n",
            "and {t3}, {t3}, 0x7fffffffffffffff\n",
            "adds {t0}, {t0}, {x}\n",
            "adcs {t1}, {t1}, ", $u0, "\n",
            "adcs {t2}, {t2}, ", $u1, "\n",
            "adc {t3}, {t3}, ", $u2, "\n",
        )
    };
}

/// `$a`, in `{t0}` to `{t3}`, and `$b`, in `{b0}` to `{b3}`, as this assembly makes them an element.
macro_rules! carried {
    ($a:expr, $b:expr; $($text:literal,)+) => {{
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = ($a.0, $b.0);
        let [t0, t1, t2, t3]: [u64; 4];
        // SAFETY: the block calculates on registers and touches no memory.
        unsafe {
            asm!(
                $($text,)+
                t0 = inout(reg) a0 => t0,
                t1 = inout(reg) a1 => t1,
                t2 = inout(reg) a2 => t2,
                t3 = inout(reg) a3 => t3,
                b0 = in(reg) b0,
                b1 = in(reg) b1,
                b2 = in(reg) b2,
                b3 = in(reg) b3,
                fold = in(reg) FOLD[0],
                x = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        Fe([t0, t1, t2, t3])
    }};
}

impl Fe {
    /// A small constant.
    pub(super) const fn small(x: u32) -> Fe {
        Fe([x as u64, 0, 0, 0])
    }

    const fn from_words([a, b, c, d]: &Words) -> Fe {
        Fe([*a, *b, *c, *d & TOP])
    }

    /// The number below 2^256 that it is.
    #[cfg(feature = "simd")]
    pub(in crate::curve25519) const fn words(&self) -> &Words {
        &self.0
    }

    /// `self + n`, which must be below 2^256.
    #[inline(always)]
    fn plus(self, n: u64) -> Fe {
        let [a, b, c, d] = self.0;
        let (a, carry) = a.overflowing_add(n);
        let (b, carry) = b.overflowing_add(carry.into());
        let (c, carry) = c.overflowing_add(carry.into());
        Fe([a, b, c, d + u64::from(carry)])
    }

    /// Without bit 255.
    #[inline(always)]
    fn without_top(self) -> Fe {
        let [a, b, c, d] = self.0;
        Fe([a, b, c, d & TOP])
    }

    /// `self - other`, for a tight `other`: where that borrows, 38 less does not again.
    #[inline(always)]
    fn sub_tight(self, other: Fe) -> Fe {
        debug_assert!(other.is_tight());
        carried! { self, other;
            "subs {t0}, {t0}, {b0}",
            "sbcs {t1}, {t1}, {b1}",
            "sbcs {t2}, {t2}, {b2}",
            "sbcs {t3}, {t3}, {b3}",
            "csel {x}, {fold}, xzr, cc",
            "subs {t0}, {t0}, {x}",
            "sbcs {t1}, {t1}, xzr",
            "sbcs {t2}, {t2}, xzr",
            "sbc {t3}, {t3}, xzr",
        }
    }

    /// `self * factor + other`, for a factor below 2^17 and a tight `other`. Tight.
    #[inline(always)]
    fn mul_small_add(self, factor: u64, other: Fe) -> Fe {
        debug_assert!(factor < 1 << 17 && other.is_tight());
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.0, other.0);
        let [t0, t1, t2, t3]: [u64; 4];
        // SAFETY: the block calculates on registers and touches no memory.
        unsafe {
            asm!(
                "mul {x}, {a0}, {factor}",
                "mul {y}, {a1}, {factor}",
                "mul {z}, {a2}, {factor}",
                "mul {w}, {a3}, {factor}",
                "adds {t0}, {t0}, {x}",
                "umulh {x}, {a3}, {factor}",
                "adcs {t1}, {t1}, {y}",
                "umulh {y}, {a0}, {factor}",
                "adcs {t2}, {t2}, {z}",
                "umulh {z}, {a1}, {factor}",
                "adcs {t3}, {t3}, {w}",
                "umulh {w}, {a2}, {factor}",
                "adc {x}, {x}, xzr",
                top!("{x}" "{y}" "{z}" "{w}"),
                a0 = in(reg) a0,
                a1 = in(reg) a1,
                a2 = in(reg) a2,
                a3 = in(reg) a3,
                factor = in(reg) factor,
                fold_less = in(reg) FOLD[1],
                t0 = inout(reg) b0 => t0,
                t1 = inout(reg) b1 => t1,
                t2 = inout(reg) b2 => t2,
                t3 = inout(reg) b3 => t3,
                x = out(reg) _,
                y = out(reg) _,
                z = out(reg) _,
                w = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        Fe([t0, t1, t2, t3])
    }

    /// `a` where `choice` is zero, else `b`.
    #[inline(always)]
    fn select(choice: u64, a: Fe, b: Fe) -> Fe {
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a.0, b.0);
        let [t0, t1, t2, t3]: [u64; 4];
        // SAFETY: the block calculates on registers and touches no memory.
        unsafe {
            asm!(
                "cmp {choice}, 0",
                "csel {t0}, {t0}, {b0}, eq",
                "csel {t1}, {t1}, {b1}, eq",
                "csel {t2}, {t2}, {b2}, eq",
                "csel {t3}, {t3}, {b3}, eq",
                choice = in(reg) choice,
                t0 = inout(reg) a0 => t0,
                t1 = inout(reg) a1 => t1,
                t2 = inout(reg) a2 => t2,
                t3 = inout(reg) a3 => t3,
                b0 = in(reg) b0,
                b1 = in(reg) b1,
                b2 = in(reg) b2,
                b3 = in(reg) b3,
                options(pure, nomem, nostack),
            );
        }
        Fe([t0, t1, t2, t3])
    }

    /// Whether the element is tight; for the checks of debug builds.
    const fn is_tight(&self) -> bool {
        self.0[3] <= (1 << 63) + (1 << 18)
    }
}

impl Ring for Fe {
    const ZERO: Fe = Fe([0; 4]);
    const ONE: Fe = Fe::small(1);

    selections!(swap u64);

    #[inline(always)]
    fn from_bytes(bytes: &[u8; 32]) -> Fe {
        Fe::from_words(&words(bytes))
    }

    #[inline(always)]
    fn to_bytes(self) -> [u8; 32] {
        // Below 2p. It reaches p exactly where value + 19 reaches 2^255.
        let x = self.tighten();
        let reaches = x.plus(19).0[3] >> 63;
        let mut out = [0; 32];
        let words = x.plus(19 * reaches).without_top().0;
        for (to, word) in out.as_chunks_mut().0.iter_mut().zip(words) {
            *to = word.to_le_bytes();
        }
        out
    }

    #[inline(always)]
    fn add(self, other: Fe) -> Fe {
        debug_assert!(self.is_tight() || other.is_tight());
        carried! { self, other;
            "adds {t0}, {t0}, {b0}",
            "adcs {t1}, {t1}, {b1}",
            "adcs {t2}, {t2}, {b2}",
            "adcs {t3}, {t3}, {b3}",
            "csel {x}, {fold}, xzr, cs",
            "adds {t0}, {t0}, {x}",
            "adcs {t1}, {t1}, xzr",
            "adcs {t2}, {t2}, xzr",
            "adc {t3}, {t3}, xzr",
        }
    }

    #[inline(always)]
    fn sub(self, other: Fe) -> Fe {
        carried! { self, other;
            "subs {t0}, {t0}, {b0}",
            "sbcs {t1}, {t1}, {b1}",
            "sbcs {t2}, {t2}, {b2}",
            "sbcs {t3}, {t3}, {b3}",
            "csel {x}, {fold}, xzr, cc",
            "subs {t0}, {t0}, {x}",
            "sbcs {t1}, {t1}, xzr",
            "sbcs {t2}, {t2}, xzr",
            "sbcs {t3}, {t3}, xzr",
            // What borrows twice is 2^256 - 38 or more, and is so in the lowest word.
            "csel {x}, {fold}, xzr, cc",
            "sub {t0}, {t0}, {x}",
        }
    }

    #[inline(always)]
    fn mul(self, other: Fe) -> Fe {
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.0, other.0);
        let [t0, t1, t2, t3]: [u64; 4];
        // SAFETY: the block calculates on registers and touches no memory.
        unsafe {
            asm!(
                concat!(arm_product!(), reduction!()),
                a0 = in(reg) a0,
                a1 = in(reg) a1,
                a2 = in(reg) a2,
                a3 = in(reg) a3,
                b0 = in(reg) b0,
                b1 = in(reg) b1,
                b2 = in(reg) b2,
                b3 = in(reg) b3,
                fold = in(reg) FOLD[0],
                fold_less = in(reg) FOLD[1],
                t0 = out(reg) t0,
                t1 = out(reg) t1,
                t2 = out(reg) t2,
                t3 = out(reg) t3,
                t4 = out(reg) _,
                t5 = out(reg) _,
                t6 = out(reg) _,
                t7 = out(reg) _,
                x = out(reg) _,
                y = out(reg) _,
                z = out(reg) _,
                w = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        Fe([t0, t1, t2, t3])
    }

    #[inline(always)]
    fn square(self) -> Fe {
        let [a0, a1, a2, a3] = self.0;
        let [t0, t1, t2, t3]: [u64; 4];
        // SAFETY: the block calculates on registers and touches no memory.
        unsafe {
            asm!(
                concat!(arm_square!(), reduction!()),
                a0 = in(reg) a0,
                a1 = in(reg) a1,
                a2 = in(reg) a2,
                a3 = in(reg) a3,
                fold = in(reg) FOLD[0],
                fold_less = in(reg) FOLD[1],
                t0 = out(reg) t0,
                t1 = out(reg) t1,
                t2 = out(reg) t2,
                t3 = out(reg) t3,
                t4 = out(reg) _,
                t5 = out(reg) _,
                t6 = out(reg) _,
                t7 = out(reg) _,
                x = out(reg) _,
                y = out(reg) _,
                z = out(reg) _,
                w = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        Fe([t0, t1, t2, t3])
    }

    #[inline(always)]
    fn mul_small(self, factor: u64) -> Fe {
        self.mul_small_add(factor, Fe::ZERO)
    }

    /// The points are not exchanged: their sum comes from the same two products either way, and which
    /// of them is doubled is chosen.
    #[inline(always)]
    fn step(ladder: &mut Ladder<Fe>, swap: u64, x1: Fe) {
        let Ladder { x2, z2, x3, z3 } = ladder;
        let (a, b) = (x2.add(*z2), x2.sub_tight(*z2));
        let (c, d) = (x3.add(*z3), x3.sub_tight(*z3));
        let (da, cb) = (d.mul(a), c.mul(b));
        let aa = Fe::select(swap, a, c).square();
        let bb = Fe::select(swap, b, d).square();
        *x3 = da.add(cb).square();
        *z3 = da.sub_tight(cb).square().mul(x1);
        let e = aa.sub_tight(bb);
        *x2 = aa.mul(bb);
        *z2 = e.mul(e.mul_small_add(A24, aa));
    }
}

impl Field for Fe {
    converted!(sub_tight);
    stored!(u64);

    #[inline(always)]
    fn assign(&mut self, mask: u64, from: Fe) {
        *self = Fe::select(mask, *self, from);
    }

    #[inline(always)]
    fn or_masked(&mut self, mask: u64, from: &Fe) {
        for (to, from) in self.0.iter_mut().zip(from.0) {
            *to |= mask & from;
        }
    }

    #[inline(always)]
    fn pick(row: &[Niels<Fe>; 8], number: u64) -> Niels<Fe> {
        base::pick(row, number)
    }

    /// `2p - self` is the complement of the words less 37.
    #[inline(always)]
    fn negate_masked(&mut self, mask: u64) {
        debug_assert!(self.is_tight());
        let [a0, a1, a2, a3] = self.0;
        let [t0, t1, t2, t3]: [u64; 4];
        // SAFETY: the block calculates on registers and touches no memory.
        unsafe {
            asm!(
                "eor {t0}, {t0}, {mask}",
                "eor {t1}, {t1}, {mask}",
                "eor {t2}, {t2}, {mask}",
                "eor {t3}, {t3}, {mask}",
                "subs {t0}, {t0}, {less}",
                "sbcs {t1}, {t1}, xzr",
                "sbcs {t2}, {t2}, xzr",
                "sbc {t3}, {t3}, xzr",
                mask = in(reg) mask,
                less = in(reg) mask & (FOLD[0] - 1),
                t0 = inout(reg) a0 => t0,
                t1 = inout(reg) a1 => t1,
                t2 = inout(reg) a2 => t2,
                t3 = inout(reg) a3 => t3,
                options(pure, nomem, nostack),
            );
        }
        *self = Fe([t0, t1, t2, t3]);
    }

    #[cfg(feature = "simd")]
    #[inline(always)]
    fn mul_base(
        scalar: &[u8; 32],
        double: impl Fn(&mut Extended<Fe>, u32),
    ) -> Secret<Extended<Fe>> {
        base::mul_base(scalar, double)
    }

    /// By division steps, which take less time than the power.
    #[cfg(not(feature = "small"))]
    #[inline(always)]
    fn invert(self) -> Fe {
        Fe(invert::divide(
            &Fe::ONE.0,
            &words(&self.to_bytes()),
            &DIVISOR,
        ))
    }

    #[inline(always)]
    fn neg(self) -> Fe {
        Fe::ZERO.sub(self).tighten()
    }

    #[inline(always)]
    fn tighten(self) -> Fe {
        self.without_top().plus(19 * (self.0[3] >> 63))
    }
}

converted!(tables);

impl Wipe for Fe {
    #[inline]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}
