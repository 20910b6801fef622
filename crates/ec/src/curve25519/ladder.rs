//! The ladder of X25519, written once for every field.

use super::fields::Ring;
use adamant_base::{Secret, Wipe};

/// (486662 - 2) / 4, of the curve's equation.
pub(super) const A24: u64 = 121_665;

/// What a ladder keeps: two points X:Z, a difference of P apart.
pub struct Ladder<F> {
    pub(super) x2: F,
    pub(super) z2: F,
    pub(super) x3: F,
    pub(super) z3: F,
}

impl<F: Wipe> Wipe for Ladder<F> {
    fn wipe(&mut self) {
        self.x2.wipe();
        self.z2.wipe();
        self.x3.wipe();
        self.z3.wipe();
    }
}

/// Exchanges the points where `swap` is 1, doubles the first, and makes the second the sum of the two,
/// whose difference has the u-coordinate `x1`.
#[inline(always)]
pub(super) fn step<F: Ring>(ladder: &mut Ladder<F>, swap: u64, x1: F) {
    let Ladder { x2, z2, x3, z3 } = ladder;
    F::swap(swap, x2, x3);
    F::swap(swap, z2, z3);
    let a = x2.add(*z2);
    let aa = a.square();
    let b = x2.sub(*z2);
    let bb = b.square();
    let e = aa.sub(bb);
    let da = x3.sub(*z3).mul(a);
    let cb = x3.add(*z3).mul(b);
    *x3 = da.add(cb).square();
    *z3 = da.sub(cb).square().mul(x1);
    *x2 = aa.mul(bb);
    *z2 = e.mul(aa.add(e.mul_small(A24)));
}

/// The u-coordinate of `scalar * P`, for P of u-coordinate `u`: the ladder of RFC 7748,
/// section 5. Zero where P is of small order. The scalar is taken as it is, below 2^255.
#[cfg_attr(feature = "small", inline(never))]
#[cfg_attr(not(feature = "small"), inline(always))]
pub(super) fn ladder_with<F: Ring>(
    scalar: &[u8; 32],
    u: &[u8; 32],
    invert: impl Fn(F) -> F,
) -> [u8; 32] {
    let x1 = F::from_bytes(u);
    let mut s = Secret::new(Ladder {
        x2: F::ONE,
        z2: F::ZERO,
        x3: x1,
        z3: F::ONE,
    });
    let mut swapped = 0;
    for t in (0..255).rev() {
        let bit = u64::from(scalar[t / 8] >> (t % 8) & 1);
        F::step(&mut s, swapped ^ bit, x1);
        swapped = bit;
    }
    let Ladder { x2, z2, x3, z3 } = &mut *s;
    F::swap(swapped, x2, x3);
    F::swap(swapped, z2, z3);
    x2.mul(invert(*z2)).to_bytes()
}
