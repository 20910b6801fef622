//! The Montgomery ladder of X25519, one in each lane.

/// See the module.
macro_rules! ladder {
    ($(#[$attribute:meta])*) => {
        use super::convert::{from_bytes, split, words};
        use super::field::{Factor, Mask, NONE, P24, Sum, bit, differ, nowhere};
        use super::inverse::invert;
        use super::{CHUNK, GROUPS, LANES};
        use adamant_base::Secret;

        /// Two points X:Z, a difference of P apart; X2 and Z3 with [`P24`] in them.
        struct Ladder {
            x2: Sum,
            z2: Sum,
            x3: Sum,
            z3: Sum,
        }

        impl Ladder {
            /// A step. The points change places in the lanes of `swap`: the products of the sum are the
            /// same up to their sign, which is squared, so that only what is doubled is chosen.
            #[inline]
            $(#[$attribute])*
            fn step(&mut self, swap: Mask, x1: &Factor) {
                let a = self.x2.plus(&self.z2).carry();
                let b = self.x2.minus(&self.z2).carry();
                let c = self.x3.plus(&self.z3).carry();
                let d = self.z3.minus(&self.x3).carry();
                let da = d.mul(&a, NONE);
                let cb = c.mul(&b, P24);
                let aa = a.blend(swap, &c).square(P24);
                let bb = b.blend(swap, &d).square(NONE);
                let difference = cb.minus(&da).carry();
                let sum = cb.plus(&da).carry();
                self.x3 = difference.square(NONE);
                let square = sum.square(NONE).carry();
                let e = aa.minus(&bb).carry();
                self.x2 = aa.carry().mul(&bb.carry(), P24);
                self.z3 = square.mul(x1, P24);
                self.z2 = e.mul(&aa.plus_small(121_665, &e).carry(), NONE);
            }
        }

        /// X and Z of `scalar * P`, of scalars below 2^255 and points with these coordinates.
        #[cfg_attr(feature = "lab", inline(never))]
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        fn ladders(scalars: &[[u8; 32]; LANES], us: &[[u8; 32]; LANES]) -> [Factor; 2] {
            let x1 = from_bytes(us);
            let mut s = Ladder {
                x2: Sum::constant(&P24).plus(&Sum::one()),
                z2: Sum::constant(&NONE),
                x3: x1,
                z3: Sum::constant(&P24).plus(&Sum::one()),
            };
            let x1 = x1.carry();
            let words = words(scalars);
            let mut swapped = nowhere();
            for t in (0..255).rev() {
                let bits = bit(words[t / 64], t % 64);
                s.step(differ(swapped, bits), &x1);
                swapped = bits;
            }
            [
                s.x2.blend(swapped, &s.x3).carry(),
                s.z2.blend(swapped, &s.z3).carry(),
            ]
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(in crate::curve25519) fn ladder_batch(scalars: &[[u8; 32]], us: &[[u8; 32]], out: &mut [[u8; 32]]) {
            let one = Factor::one();
            let (us, out) = (&us[..scalars.len()], &mut out[..scalars.len()]);
            let mut xs = [one; GROUPS];
            let mut zs = [one; GROUPS];
            for ((scalars, us), out) in scalars
                .chunks(CHUNK)
                .zip(us.chunks(CHUNK))
                .zip(out.chunks_mut(CHUNK))
            {
                let groups = scalars.len().div_ceil(LANES);
                for (i, (scalars, us)) in scalars.chunks(LANES).zip(us.chunks(LANES)).enumerate() {
                    let mut group = Secret::new([[0; 32]; LANES]);
                    let mut group_us = [[0; 32]; LANES];
                    group[..scalars.len()].copy_from_slice(scalars);
                    group_us[..us.len()].copy_from_slice(us);
                    let [x, z] = ladders(&group, &group_us);
                    // Zero has no inverse: where the result is to be zero, it is 0 / 1.
                    let zero = z.is_zero();
                    xs[i] = x.blend(zero, &Factor::zero());
                    zs[i] = z.blend(zero, &one);
                }
                invert(&mut zs[..groups], &mut [one; GROUPS]);
                for ((x, z), out) in xs.iter().zip(&zs).zip(out.chunks_mut(LANES)) {
                    for (to, x) in out.iter_mut().zip(split(&x.times(z))) {
                        *to = x.to_bytes();
                    }
                }
            }
        }
    };
}
pub(in crate::curve25519) use ladder;
