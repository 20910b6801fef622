//! The ladder of X25519, written once for every field.

/// The ladder over the field `Fe` of the place that asks, which hands in the inversion.
macro_rules! ladder {
    () => {
        /// What a ladder keeps: two points X:Z, a difference of P apart.
        struct Ladder {
            x2: Fe,
            z2: Fe,
            x3: Fe,
            z3: Fe,
        }

        impl adamant_base::Wipe for Ladder {
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
        pub(in crate::curve25519) fn ladder_with(
            scalar: &[u8; 32],
            u: &[u8; 32],
            invert: impl Fn(Fe) -> Fe,
        ) -> [u8; 32] {
            let x1 = Fe::from_bytes(u);
            let mut s = adamant_base::Secret::new(Ladder {
                x2: Fe::ONE,
                z2: Fe::ZERO,
                x3: x1,
                z3: Fe::ONE,
            });
            let mut swapped = 0;
            for t in (0..255).rev() {
                let bit = u64::from(scalar[t / 8] >> (t % 8) & 1);
                let Ladder { x2, z2, x3, z3 } = &mut *s;
                Fe::swap(swapped ^ bit, x2, x3);
                Fe::swap(swapped ^ bit, z2, z3);
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
            Fe::swap(swapped, x2, x3);
            Fe::swap(swapped, z2, z3);
            x2.mul(invert(*z2)).to_bytes()
        }
    };
}
pub(super) use ladder;
