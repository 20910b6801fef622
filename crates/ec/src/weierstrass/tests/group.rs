//! Multiplications of points against the group law of the textbook.

use super::field::values;
use super::reference::{Doublings, scalars, small};
use crate::weierstrass::curve::{Curve, Derived, Group};
use adamant_testkit::{TestRng, is_full, is_slow, share};
use core::marker::PhantomData;

/// Scalars with their multiples of G and of another point, and sums of two.
pub(super) struct Cases<C, const W: usize> {
    base: [[u64; W]; 2],
    multiples: Vec<([u64; W], [[u64; W]; 2], [[u64; W]; 2])>,
    /// u1, u2, q and x of u1 G + u2 q G; none for infinity.
    sums: Vec<([u64; W], [u64; W], [u64; W], Option<[u64; W]>)>,
    curve: PhantomData<C>,
}

impl<C: Curve<W>, const W: usize> Cases<C, W> {
    /// With the scalars 1, 2, …, those around the windows' edges and those for which the last
    /// addition doubles or nearly does, their negatives, and random ones.
    pub(super) fn new() -> Self {
        let n = scalars::<C, W>();
        let mut ks: Vec<[u64; W]> = [1, 2, 31, 32, 33].map(small).to_vec();
        for bit in [65, C::ORDER.bits - 1] {
            let mut power = [0; W];
            power[bit / 64] = 1 << (bit % 64);
            let one = small(1);
            ks.extend([power, n.add(&power, &one), n.sub(&power, &one)]);
        }
        // n = 32 s + d for an odd s: the digits of 2 d are those of n - 2 d = 32 s - d, where the last
        // addition is one of equal points.
        for d in [1, 3, 31, (C::N[0] % 64).saturating_sub(32)] {
            ks.push(small(2 * d));
        }
        ks.extend(&values(&n, 7, 1)[4..]);
        let negatives: Vec<[u64; W]> = ks.iter().map(|k| n.neg(k)).collect();
        ks.extend(negatives);
        ks.retain(|k| *k != [0; W]);
        let g = Doublings::<C, W>::new(Some(C::G));
        assert_eq!(g.sum(&C::N), None, "n is the order");
        let base = g.times(&small(0x1234_5678_9abc_def1)).unwrap();
        let other = Doublings::<C, W>::new(Some(base));
        let multiples = ks
            .iter()
            .map(|k| (*k, g.times(k).unwrap(), other.times(k).unwrap()));
        let mut sums = vec![];
        let mut rng = TestRng::new(8);
        let random = values(&n, rng.below(100) as u64, 4);
        for q in [small(1), small(2), random[8]] {
            for u1 in [small(0), small(1), random[9]] {
                for u2 in [small(0), small(1), random[8]] {
                    sums.push((u1, u2, q));
                    sums.push((n.neg(&u1), u2, q));
                }
            }
            // The sum is infinity.
            sums.push((n.neg(&n.mul(&random[9], &q)), random[9], q));
        }
        let sums = sums.into_iter().map(|(u1, u2, q)| {
            let k = n.add(&u1, &n.mul(&u2, &q));
            (u1, u2, q, g.times(&k).map(|[x, _]| x))
        });
        Cases {
            base,
            multiples: multiples.collect(),
            sums: sums.collect(),
            curve: PhantomData,
        }
    }

    pub(super) fn multiplications(&self, group: C::Group) {
        for (k, of_g, of_base) in share(group.implementation(), &self.multiples) {
            assert_eq!(group.mul_base(k), *of_g, "{k:x?} G");
            assert_eq!(group.mul(k, &C::G), *of_g, "{k:x?} G");
            assert_eq!(group.mul(k, &self.base), *of_base, "{k:x?} P");
        }
    }

    pub(super) fn sums(&self, group: C::Group) {
        let n = scalars::<C, W>();
        let (mut checks, mut expected) = (vec![], vec![]);
        for (u1, u2, q, x) in share(group.implementation(), &self.sums) {
            let key = group.mul_base(q);
            let r = x.map_or(small(1), |x| n.reduce(&x));
            for (r, valid) in [(r, x.is_some()), (n.add(&r, &small(1)), false)] {
                assert_eq!(
                    group.has_x_vartime(u1, u2, &key, &r),
                    valid,
                    "{u1:x?} G + {u2:x?} {q:x?} G"
                );
                checks.push((*u1, *u2, key, r));
                expected.push(valid);
            }
        }
        let mut verdicts = vec![false; checks.len()];
        group.has_x_batch_vartime(&checks, &mut verdicts);
        assert_eq!(verdicts, expected);
    }

    pub(super) fn batches(&self, group: C::Group) {
        let ks: Vec<_> = self.multiples.iter().map(|(k, _, _)| *k).collect();
        let points: Vec<_> = (0..ks.len())
            .map(|i| if i % 2 == 0 { self.base } else { C::G })
            .collect();
        // Of one, of a group and a part; the place after is left alone. Slow rows take one after the
        // other.
        let lengths = [0, 1, 9, 7, 8, ks.len()];
        let tried = if is_slow(group.implementation()) && !is_full() {
            3
        } else {
            6
        };
        for &len in &lengths[..tried] {
            let mut out = vec![[[7; W]; 2]; len + 1];
            group.mul_base_batch(&ks[..len], &mut out);
            for (i, (_, of_g, _)) in self.multiples[..len].iter().enumerate() {
                assert_eq!(out[i], *of_g);
            }
            group.mul_batch(&ks[..len], &points, &mut out);
            for (i, (_, of_g, of_base)) in self.multiples[..len].iter().enumerate() {
                assert_eq!(out[i], if i % 2 == 0 { *of_base } else { *of_g });
            }
            assert_eq!(out[len], [[7; W]; 2]);
        }
    }
}
