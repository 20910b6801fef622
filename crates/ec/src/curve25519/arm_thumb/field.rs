//! Arithmetic modulo p = 2^255 - 19 in eight words, in the instructions that every 32-bit ARM core has.
//!
//! The interface is that of the [`field`](super::super::field) in radix 2^51, and so is what a
//! function is for. An element is any integer below 2^256, modulo p: what passes 2^256 comes back
//! times 38.

#![allow(unsafe_code)] // assembly

use crate::curve25519::fields::{converted, stored};
use crate::limbs::{selections, words};
use crate::thumb_words::{product, squared};
use adamant_base::Wipe;
use core::arch::naked_asm;
use core::mem::MaybeUninit;

const LIMBS: usize = 8;

/// A field element.
#[derive(Clone, Copy)]
pub(in crate::curve25519) struct Fe([u32; LIMBS]);

/// What `$first` and `$next` do to the number at `[r0]`: `$first` of 38 times `r6` to its lowest word,
/// `$next` with 0 to the others; then what passes the top comes back once more, which is 1 at most, and
/// leaves the lowest word so small that it stays there. `$above` makes of it in `r5`, where it is 1 or all
/// ones, 38.
#[rustfmt::skip] // an instruction a line
macro_rules! folded {
    ($first:literal $next:literal, $above:literal) => {
        concat!(
            "movs r7, #38\n",
            "movs r5, #0\n",
            "muls r6, r7, r6\n",
            "ldr r2, [r0]\n",
            "ldr r3, [r0, #4]\n",
            $first, " r2, r2, r6\n",
            $next, " r3, r5\n",
            "stm r0!, {{r2, r3}}\n",
            "ldr r2, [r0]\n",
            "ldr r3, [r0, #4]\n",
            $next, " r2, r5\n",
            $next, " r3, r5\n",
            "stm r0!, {{r2, r3}}\n",
            "ldr r2, [r0]\n",
            "ldr r3, [r0, #4]\n",
            $next, " r2, r5\n",
            $next, " r3, r5\n",
            "stm r0!, {{r2, r3}}\n",
            "ldr r2, [r0]\n",
            "ldr r3, [r0, #4]\n",
            $next, " r2, r5\n",
            $next, " r3, r5\n",
            "stm r0!, {{r2, r3}}\n",
            $next, " r5, r5\n",
            $above, "\n",
            "subs r0, #32\n",
            "ldr r2, [r0]\n",
            $first, " r2, r2, r5\n",
            "str r2, [r0]\n",
        )
    };
}

/// What `$first` and `$next` make of the words from `[r1]` and `[r2]` on, from `[r0]` on, which moves back.
#[rustfmt::skip] // an instruction a line
macro_rules! both {
    ($first:literal $next:literal) => {
        concat!(
            both!(@ $first $next),
            both!(@ $next $next),
            both!(@ $next $next),
            both!(@ $next $next),
            "movs r6, #0\n",
            $next, " r6, r6\n",
            "subs r0, #32\n",
        )
    };
    (@ $first:literal $next:literal) => {
        concat!(
            "ldm r1!, {{r3, r4}}\n",
            "ldm r2!, {{r5, r6}}\n",
            $first, " r3, r5\n",
            $next, " r4, r6\n",
            "stm r0!, {{r3, r4}}\n",
        )
    };
}

/// Adds 38 times the word at `[r1, $high]` and the word `r6` to the word at `[r1, $at]`, to `[r0]`; `r6` is
/// what is above. `r5` is zero and `r7` is 38.
#[rustfmt::skip] // an instruction a line
macro_rules! fold {
    ($at:literal) => {
        concat!(
            "ldr r2, [r1, #32+4*", $at, "]\n",
            "uxth r3, r2\n",
            "lsrs r2, r2, #16\n",
            "muls r3, r7, r3\n",
            "muls r2, r7, r2\n",
            "lsls r4, r2, #16\n",
            "lsrs r2, r2, #16\n",
            "adds r3, r3, r4\n",
            "adcs r2, r5\n",
            "adds r3, r3, r6\n",
            "adcs r2, r5\n",
            "ldr r4, [r1, #4*", $at, "]\n",
            "adds r3, r3, r4\n",
            "adcs r2, r5\n",
            "str r3, [r0, #4*", $at, "]\n",
            "movs r6, r2\n",
        )
    };
}

/// The next word times the factor, of which the 16 low bits are in `r7` and the highest is spread over
/// `r12`, and the word `r6` that is above the one before.
#[rustfmt::skip] // an instruction a line
macro_rules! scaled {
    () => {
        concat!(
            "ldm r1!, {{r2}}\n",
            "mov r4, r12\n",
            "ands r4, r2\n",
            "uxth r3, r2\n",
            "lsrs r2, r2, #16\n",
            "muls r3, r7, r3\n",
            "muls r2, r7, r2\n",
            "adds r3, r3, r6\n",
            "movs r6, #0\n",
            "adcs r6, r6\n",
            "lsls r5, r2, #16\n",
            "lsrs r2, r2, #16\n",
            "adds r3, r3, r5\n",
            "adcs r6, r2\n",
            "lsls r5, r4, #16\n",
            "lsrs r4, r4, #16\n",
            "adds r3, r3, r5\n",
            "adcs r6, r4\n",
            "stm r0!, {{r3}}\n",
        )
    };
}

/// The sum, at `to`.
#[unsafe(naked)]
unsafe extern "C" fn add(to: *mut Fe, a: *const Fe, b: *const Fe) {
    naked_asm!(
        "push {{r4, r5, r6, r7, lr}}",
        both!("adds" "adcs"),
        folded!("adds" "adcs", "muls r5, r7, r5"),
        "pop {{r4, r5, r6, r7, pc}}",
    )
}

/// The difference, at `to`.
#[unsafe(naked)]
unsafe extern "C" fn subtract(to: *mut Fe, a: *const Fe, b: *const Fe) {
    naked_asm!(
        "push {{r4, r5, r6, r7, lr}}",
        both!("subs" "sbcs"),
        // All ones where it is negative, so far.
        "rsbs r6, r6, #0",
        folded!("subs" "sbcs", "ands r5, r7"),
        "pop {{r4, r5, r6, r7, pc}}",
    )
}

/// The number below 2^512 brought below 2^256, at `to`.
#[unsafe(naked)]
unsafe extern "C" fn reduce(to: *mut Fe, t: *const [u32; 16]) {
    naked_asm!(
        "push {{r4, r5, r6, r7, lr}}",
        "movs r5, #0",
        "movs r6, #0",
        "movs r7, #38",
        fold!("0"),
        fold!("1"),
        fold!("2"),
        fold!("3"),
        fold!("4"),
        fold!("5"),
        fold!("6"),
        fold!("7"),
        folded!("adds" "adcs", "muls r5, r7, r5"),
        "pop {{r4, r5, r6, r7, pc}}",
    )
}

/// The element times a factor below 2^17, at `to`.
#[unsafe(naked)]
unsafe extern "C" fn scale(to: *mut Fe, a: *const Fe, factor: u32) {
    naked_asm!(
        "push {{r4, r5, r6, r7, lr}}",
        "uxth r7, r2",
        "lsrs r2, r2, #16",
        "rsbs r2, r2, #0",
        "mov r12, r2",
        "movs r6, #0",
        scaled!(),
        scaled!(),
        scaled!(),
        scaled!(),
        scaled!(),
        scaled!(),
        scaled!(),
        scaled!(),
        "subs r0, #32",
        folded!("adds" "adcs", "muls r5, r7, r5"),
        "pop {{r4, r5, r6, r7, pc}}",
    )
}

/// What a function writes.
fn written(write: impl FnOnce(*mut Fe)) -> Fe {
    let mut element = MaybeUninit::uninit();
    write(element.as_mut_ptr());
    // SAFETY: all functions here write all words.
    unsafe { element.assume_init() }
}

impl Fe {
    /// A small constant.
    pub(super) const fn small(x: u32) -> Fe {
        let mut limbs = [0; LIMBS];
        limbs[0] = x;
        Fe(limbs)
    }

    pub(super) const fn from_words(words: &Words) -> Fe {
        let mut limbs = [0; LIMBS];
        let mut i = 0;
        while i < LIMBS {
            limbs[i] = (words[i / 2] >> (32 * (i % 2))) as u32;
            i += 1;
        }
        // The top bit is ignored.
        limbs[LIMBS - 1] &= u32::MAX >> 1;
        Fe(limbs)
    }

    /// `self + n`, which must be below 2^256.
    fn plus(mut self, n: u32) -> Fe {
        let mut above = n;
        for limb in &mut self.0 {
            let (sum, carry) = limb.overflowing_add(above);
            (*limb, above) = (sum, carry.into());
        }
        self
    }

    /// Brings bit 255 back, times 19.
    fn without_top(mut self) -> Fe {
        let top = self.0[LIMBS - 1] >> 31;
        self.0[LIMBS - 1] &= u32::MAX >> 1;
        self.plus(19 * top)
    }
}

impl Ring for Fe {
    const ZERO: Fe = Fe([0; LIMBS]);
    const ONE: Fe = Fe::small(1);

    selections!(swap u32);

    fn from_bytes(bytes: &[u8; 32]) -> Fe {
        Fe::from_words(&words(bytes))
    }

    fn to_bytes(self) -> [u8; 32] {
        // Below 2^255 + 19 after the first, below 2^255 after the second: it reaches p exactly where
        // value + 19 reaches 2^255.
        let x = self.without_top().without_top();
        let q = x.plus(19).0[LIMBS - 1] >> 31;
        let mut x = x.plus(19 * q);
        x.0[LIMBS - 1] &= u32::MAX >> 1;
        let mut out = [0; 32];
        for (to, limb) in out.as_chunks_mut().0.iter_mut().zip(x.0) {
            *to = limb.to_le_bytes();
        }
        out
    }

    fn add(self, other: Fe) -> Fe {
        // SAFETY: the function reads two elements and writes a third.
        written(|to| unsafe { add(to, &self, &other) })
    }

    fn sub(self, other: Fe) -> Fe {
        // SAFETY: the function reads two elements and writes a third.
        written(|to| unsafe { subtract(to, &self, &other) })
    }

    fn mul(self, other: Fe) -> Fe {
        let product = product(&self.0, &other.0);
        // SAFETY: the function reads the product and writes an element.
        written(|to| unsafe { reduce(to, &product) })
    }

    fn square(self) -> Fe {
        let square = squared(&self.0);
        // SAFETY: the function reads the square and writes an element.
        written(|to| unsafe { reduce(to, &square) })
    }

    fn mul_small(self, factor: u64) -> Fe {
        debug_assert!(factor < 1 << 17);
        // SAFETY: the function reads an element and writes another.
        written(|to| unsafe { scale(to, &self, factor as u32) })
    }
}

impl Field for Fe {
    converted!(sub);
    selections!(assign u32);

    fn neg(self) -> Fe {
        Fe::ZERO.sub(self)
    }

    fn tighten(self) -> Fe {
        self
    }

    stored!(u32);
}

converted!(tables);

impl Wipe for Fe {
    #[inline]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_testkit::TestRng;

    /// The element that these words stand for, in the other form.
    fn outside(words: &[u32; LIMBS]) -> Outside {
        let mut bytes = [0; 32];
        for (to, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *to = word.to_le_bytes();
        }
        let top = 19 * u32::from(bytes[31] >> 7);
        Outside::from_bytes(&bytes)
            .add(Outside::small(top))
            .tighten()
    }

    /// Around 0, p, 2^255, 2p and 2^256, and at random.
    fn elements() -> Vec<[u32; LIMBS]> {
        let ones = [u32::MAX; LIMBS];
        let mut elements = vec![[0; LIMBS], ones];
        for top in [u32::MAX >> 1, u32::MAX] {
            for less in [1, 17, 18, 19, 20, 36, 37, 38, 39, 40, 1482, 1520] {
                let mut element = ones;
                element[0] -= less;
                element[LIMBS - 1] = top;
                elements.push(element);
            }
        }
        for small in [1, 18, 19, 37, 38, 39, u32::MAX] {
            elements.push(Fe::small(small).0);
            let mut element = Fe::small(small).0;
            element[LIMBS - 1] = 1 << 31;
            elements.push(element);
        }
        let mut rng = TestRng::new(2);
        for _ in 0..20 {
            let words = rng.words::<4>();
            elements.push(core::array::from_fn(|i| {
                (words[i / 2] >> (32 * (i % 2))) as u32
            }));
        }
        elements
    }

    #[test]
    fn at_the_edges() {
        let elements = elements();
        for a in &elements {
            let (x, big) = (outside(a), Fe(*a));
            assert_eq!(big.to_bytes(), x.to_bytes(), "{a:x?}");
            assert_eq!(big.square().to_bytes(), x.square().to_bytes(), "{a:x?}^2");
            for factor in [0, 1, 2, 121_665, (1 << 16) - 1, 1 << 16, (1 << 17) - 1] {
                let expected = x.mul(Outside::small(factor as u32));
                assert_eq!(
                    big.mul_small(factor).to_bytes(),
                    expected.to_bytes(),
                    "{factor} {a:x?}"
                );
            }
            for b in &elements {
                let (y, other) = (outside(b), Fe(*b));
                assert_eq!(
                    big.add(other).to_bytes(),
                    x.add(y).to_bytes(),
                    "{a:x?} + {b:x?}"
                );
                assert_eq!(
                    big.sub(other).to_bytes(),
                    x.sub(y).to_bytes(),
                    "{a:x?} - {b:x?}"
                );
                assert_eq!(
                    big.mul(other).to_bytes(),
                    x.mul(y).to_bytes(),
                    "{a:x?} * {b:x?}"
                );
            }
        }
    }
}
