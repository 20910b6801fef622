//! Poly1305 in lanes of 64 bits, in five limbs of 26 bits, for CPUs without wide words.
//!
//! 1. Lane i of the sum takes every block from block i on at this distance, so it is multiplied by
//!    r to the number of lanes where the whole sum would be by r; with the last blocks lane i is
//!    multiplied by the power that is left, and the lanes are added.
//! 2. Carries start from two limbs, so that each waits for three others and not for six.
//! 3. A limb of sum and block is below 2^27 + 2^12 and one of a power, times 5, below 2^28.4, so
//!    sums of five products are below 2^57.8.

/// Makes `update` over the vectors `V` of the module at hand; `$order` tells which block a lane has.
macro_rules! kernel {
    ($features:literal, [$($order:literal)*]) => {
        use super::{State, portable, portable32};
        use adamant_base::simd::{from_fn, map};

        pub(super) const LANES: usize = [$($order),*].len();
        /// From how many blocks on lanes are quicker than one by one.
        pub(super) const WORTHWHILE: usize = 12;
        const BITS: u64 = (1 << 26) - 1;

        /// The limbs of a power in each lane, and five times the last four.
        struct Factor([V; 5], [V; 4]);

        #[inline]
        #[target_feature(enable = $features)]
        fn splat(x: u64) -> V {
            load(&[x; LANES])
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn low(x: V) -> V {
            and(x, splat(BITS))
        }

        impl Factor {
            #[inline]
            #[target_feature(enable = $features)]
            fn new(powers: [[u32; 5]; LANES]) -> Self {
                let limb = |i: usize, times: u32| {
                    load(&from_fn::<u64, LANES>(|lane| u64::from(times * powers[lane][i])))
                };
                Factor(from_fn(|i| limb(i, 1)), from_fn(|i| limb(i + 1, 5)))
            }

            /// The products, with carries: limbs below 2^26, the second and the last below
            /// 2^26 + 2^11.
            #[inline]
            #[target_feature(enable = $features)]
            fn multiply(&self, x: &[V; 5]) -> [V; 5] {
                // Read where they lie: a compiler that cut them to 32 bits before forgets here that it
                // did, and takes three multiplications for a product.
                let Factor(r, r5) = core::hint::black_box(self);
                // Limb i of one factor and j of the other: limb i + j; after the fifth, 2^130 = 5.
                let mut sums = map(*r, |limb| mul(x[0], limb));
                for j in 1..5 {
                    for i in 0..5 {
                        let factor = if i < j { r5[4 + i - j] } else { r[i - j] };
                        sums[i] = add(sums[i], mul(x[j], factor));
                    }
                }
                let [d0, d1, d2, d3, d4] = sums;
                let (d1, d4) = (add(d1, shr::<26>(d0)), add(d4, shr::<26>(d3)));
                let over = shr::<26>(d4);
                let five = add(over, shl::<2>(over));
                let (d0, d2) = (add(low(d0), five), add(d2, shr::<26>(d1)));
                let (d1, d3) = (add(low(d1), shr::<26>(d0)), add(low(d3), shr::<26>(d2)));
                let d4 = add(low(d4), shr::<26>(d3));
                [low(d0), d1, low(d2), low(d3), d4]
            }
        }

        /// The sum with these blocks; `high` has bit 24 set for whole ones.
        #[inline]
        #[target_feature(enable = $features)]
        fn plus(sum: [V; 5], blocks: &[[u8; 16]; LANES], high: V) -> [V; 5] {
            let (parts, _) = blocks.as_flattened().as_chunks::<{ 8 * LANES }>();
            let (a, b) = (load(&parts[0]), load(&parts[1]));
            let (x, y) = (unpack_low(a, b), unpack_high(a, b));
            [
                add(sum[0], low(x)),
                add(sum[1], low(shr::<26>(x))),
                add(sum[2], low(or(shr::<52>(x), shl::<12>(y)))),
                add(sum[3], low(shr::<14>(y))),
                add(sum[4], or(shr::<40>(y), high)),
            ]
        }

        #[target_feature(enable = $features)]
        pub(crate) fn update(state: &mut State, mut input: &[[u8; 16]], high: u32) {
            if input.len() >= WORTHWHILE {
                let (groups, rest) = input.as_chunks::<LANES>();
                lanes(state, groups, high);
                input = rest;
            }
            portable32::update(state, input, high);
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn lanes(state: &mut State, groups: &[[[u8; 16]; LANES]], high: u32) {
            debug_assert!(high <= 1);
            let Some((last, groups)) = groups.split_last() else {
                return;
            };
            // The powers of r, the highest first. A block without its one multiplies by r.
            let mut powers = [[0; 5]; LANES];
            let before = core::mem::replace(&mut state.sum, [state.r[0], state.r[1], 0]);
            for power in powers.iter_mut().rev() {
                *power = portable::limbs::<5, 26>(state.sum);
                portable32::update(state, &[[0; 16]], 0);
            }
            let all = Factor::new([powers[0]; LANES]);
            let each = Factor::new([$(powers[$order]),*]);
            // The sum so far belongs to the first block.
            let before = portable::limbs::<5, 26>(before);
            let mut sum = map(before, |limb| {
                load(&from_fn::<u64, LANES>(|lane| if lane == 0 { limb.into() } else { 0 }))
            });
            let high = splat(u64::from(high) << 24);
            for group in groups {
                sum = all.multiply(&plus(sum, group, high));
            }
            sum = each.multiply(&plus(sum, last, high));
            state.sum = portable::join::<5, 26>(map(sum, |limb| {
                let mut lanes = [0u64; LANES];
                store(&mut lanes, limb);
                lanes.iter().sum()
            }));
        }
    };
}
pub(super) use kernel;
