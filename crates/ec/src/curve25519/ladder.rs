//! The ladder of X25519, written once for every field.

use super::fields::Ring;
use adamant_base::{Secret, Wipe};

/// What a ladder keeps: two points X:Z, a difference of P apart.
struct Ladder<F> {
    x2: F,
    z2: F,
    x3: F,
    z3: F,
}

impl<F: Wipe> Wipe for Ladder<F> {
    fn wipe(&mut self) {
        self.x2.wipe();
        self.z2.wipe();
        self.x3.wipe();
        self.z3.wipe();
    }
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
        let Ladder { x2, z2, x3, z3 } = &mut *s;
        F::swap(swapped ^ bit, x2, x3);
        F::swap(swapped ^ bit, z2, z3);
        swapped = bit;
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
        *z2 = e.mul(aa.add(e.mul_small(121_665)));
    }
    let Ladder { x2, z2, x3, z3 } = &mut *s;
    F::swap(swapped, x2, x3);
    F::swap(swapped, z2, z3);
    x2.mul(invert(*z2)).to_bytes()
}
