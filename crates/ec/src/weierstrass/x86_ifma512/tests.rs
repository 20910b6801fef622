//! What the rows of the curves are tested with: batches against the portable implementation, and the
//! fields at the bounds of their limbs.

use super::field::Eight;
use super::prime::{BITS, MASK, Of, split};
use super::{Lanes, Row, table::BaseTable};
use crate::weierstrass::curve::Derived;
use crate::weierstrass::{Check, Curve, Group, words};

/// Numbers of all sorts: splitmix64.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// From 1 to n - 1.
    fn scalar<C: Curve<W>, const W: usize>(&mut self) -> [u64; W] {
        loop {
            let x = core::array::from_fn(|_| self.next());
            let x = words::shift_right(&x, (64 * W - C::ORDER.bits) as u32);
            if C::ORDER.is_above_and_not_zero(&x).declassify() {
                return x;
            }
        }
    }

    /// A limb that is often at a bound.
    fn limb(&mut self) -> u64 {
        match self.next() % 4 {
            0 => 0,
            1 | 2 => MASK,
            _ => self.next() & MASK,
        }
    }
}

/// `n - x` for the order n.
fn negative<C: Curve<W>, const W: usize>(x: &[u64; W]) -> [u64; W] {
    C::ORDER.sub(&[0; W], x)
}

/// `a b` modulo n.
fn times<C: Curve<W>, const W: usize>(a: &[u64; W], b: &[u64; W]) -> [u64; W] {
    C::ORDER.mul(&C::ORDER.to_residue(a), b)
}

fn small<const W: usize>(x: u64) -> [u64; W] {
    let mut small = [0; W];
    small[0] = x;
    small
}

/// Scalars at the edges, among them those whose last addition is a doubling: n less twice a lowest
/// digit, and twice a highest one less n.
fn edges<C: Curve<W>, const W: usize>() -> Vec<[u64; W]> {
    let mut ks: Vec<[u64; W]> = [1, 2, 3, 4, 15, 16, 31, 32, 33].map(small).to_vec();
    for twice in (2..64).step_by(4).chain([1, 3]) {
        ks.push(negative::<C, W>(&small(twice)));
    }
    let length = C::ORDER.bits;
    for width in 5..=7 {
        for digit in [1, 3, 5, 7, 9, 11] {
            let mut top = small(2 * digit);
            for _ in 0..(length - 1) / width * width {
                top = C::ORDER.add(&top, &top);
            }
            ks.push(top);
            ks.push(negative::<C, W>(&top));
        }
    }
    ks
}

/// A curve's batches against its portable implementation.
pub(in super::super) fn check_batches<C: Curve<W>, const W: usize>() {
    let (group, single) = (C::Group::best(), C::Group::portable());
    let mut numbers = Numbers(W as u64);
    let mut ks = edges::<C, W>();
    for _ in 0..20 {
        ks.push(numbers.scalar::<C, W>());
    }
    let ds: Vec<[u64; W]> = ks.iter().map(|_| numbers.scalar::<C, W>()).collect();
    let products: Vec<_> = ks.iter().map(|k| single.mul_base(k)).collect();
    let qs: Vec<_> = ds.iter().map(|d| single.mul_base(d)).collect();
    let shared: Vec<_> = ks.iter().zip(&qs).map(|(k, q)| single.mul(k, q)).collect();
    for len in (0..=17).chain([ks.len()]) {
        for start in [0, (ks.len() - len) / 2, ks.len() - len] {
            let range = start..start + len;
            let mut out = vec![[[7; W]; 2]; len + 1];
            group.mul_base_batch(&ks[range.clone()], &mut out);
            assert_eq!(out[..len], products[range.clone()], "{} {range:?}", C::NAME);
            group.mul_batch(&ks[range.clone()], &qs[range.clone()], &mut out);
            assert_eq!(out[..len], shared[range.clone()], "{} {range:?}", C::NAME);
            assert_eq!(out[len], [[7; W]; 2]);
        }
    }
    check_verification::<C, W>(&ks, &ds, &qs);
    // One key for all, whose table many share.
    check_verification::<C, W>(&ks, &vec![ds[0]; ks.len()], &vec![qs[0]; ks.len()]);
}

/// Right and wrong sums, and the exceptions of their addition.
fn check_verification<C: Curve<W>, const W: usize>(
    u1s: &[[u64; W]],
    ds: &[[u64; W]],
    qs: &[[[u64; W]; 2]],
) {
    let (group, single) = (C::Group::best(), C::Group::portable());
    let mut numbers = Numbers(9);
    let mut items: Vec<Check<W>> = Vec::new();
    for (i, ((u1, d), q)) in u1s.iter().zip(ds).zip(qs).enumerate() {
        let u2 = if i % 2 == 0 {
            u1s[i / 2]
        } else {
            numbers.scalar::<C, W>()
        };
        let u2d = times::<C, W>(&u2, d);
        let zero = [0; W];
        let (u1, u2) = match i % 12 {
            0 => (u2d, u2),
            1 => (negative::<C, W>(&u2d), u2),
            2 => (zero, u2),
            3 => (*u1, zero),
            4 => (zero, zero),
            _ => (*u1, u2),
        };
        let sum = C::ORDER.add(&u1, &times::<C, W>(&u2, d));
        let mut r = [0; W];
        if sum != zero {
            r = C::ORDER.reduce(&single.mul_base(&sum)[0]);
        }
        if i % 5 == 1 {
            r = small(i as u64); // for most primes, r + n is below p
        }
        items.push((u1, u2, *q, r));
    }
    for ((u2, d), q) in u1s.iter().zip(ds).zip(qs) {
        let sum = C::ORDER.add(&small(5), &times::<C, W>(u2, d));
        let r = C::ORDER.reduce(&single.mul_base(&sum)[0]);
        items.push((small(5), *u2, *q, r));
    }
    let expected: Vec<bool> = (items.iter())
        .map(|(u1, u2, q, r)| single.has_x_vartime(u1, u2, q, r))
        .collect();
    assert!(expected.iter().filter(|valid| **valid).count() > items.len() / 2);
    for ((u1, u2, q, r), expected) in items.iter().zip(&expected) {
        assert_eq!(group.has_x_vartime(u1, u2, q, r), *expected, "{}", C::NAME);
    }
    for len in (0..=17).chain([47, 48, 49, 65, items.len()]) {
        for start in [0, items.len() - len] {
            let mut out = vec![false; len];
            group.has_x_batch_vartime(&items[start..start + len], &mut out);
            assert_eq!(
                out,
                expected[start..start + len],
                "{} {start} {len}",
                C::NAME
            );
        }
    }
}

/// The number of limbs modulo p.
fn modulo<C: Curve<W>, const W: usize>(limbs: &[u64]) -> [u64; W] {
    let mut x = [0; W];
    for bit in (0..limbs.len() * BITS).rev() {
        x = C::FIELD.add(&x, &x);
        if limbs[bit / BITS] >> (bit % BITS) & 1 == 1 {
            x = C::FIELD.add(&x, &small(1));
        }
    }
    x
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn check_field<C: Lanes<W, L>, const W: usize, const L: usize>() {
    let product = |a: &[u64; W], b: &[u64; W]| C::FIELD.mul(&C::FIELD.to_residue(a), b);
    let (f, row) = (Of::<C, L>::PRIME, Row::of::<C>());
    let calls = &row.field;
    let r = modulo::<C, W>(&Of::<C, L>::ONE);
    let rr = product(&r, &r);
    let mut numbers = Numbers(L as u64);
    for _ in 0..100 {
        // Below 4p, as coordinates never are more of.
        let mut element = || {
            let mut limbs: [u64; L] = core::array::from_fn(|_| numbers.limb());
            limbs[L - 1] &= (2 << Of::<C, L>::TOP) - 1;
            if Of::<C, L>::TOP == 1 {
                limbs[L - 1] &= 1;
            }
            limbs
        };
        let (a, b) = (element(), element());
        let (x, y) = (modulo::<C, W>(&a), modulo::<C, W>(&b));
        let (a, b) = (Eight::constant(&a), Eight::constant(&b));
        // Two factors R are missing from the result: by the multiplication, and as an integer.
        let of = |e: &Eight<L>| product(&calls.integers::<W>(e).map(|word| word[5]), &rr);
        let (aa, bb, ab) = (a.square(f), b.square(f), a.mul(&b, f));
        assert_eq!(of(&ab), product(&x, &y), "{}", C::NAME);
        assert_eq!(of(&calls.mul(&a, &b)), product(&x, &y), "{}", C::NAME);
        assert_eq!(of(&aa), product(&x, &x), "{}", C::NAME);
        let once = |e: &Eight<L>| product(&calls.integers::<W>(e).map(|word| word[2]), &r);
        let doubled = C::FIELD.add(&x, &x);
        let sum = aa.sum().minus(bb.sum().plus(aa.sum()));
        let negative = C::FIELD.sub(&[0; W], &once(&bb));
        assert_eq!(once(&sum.settle(4, f)), negative);
        assert_eq!(once(&sum.settle(4, calls)), negative);
        let sum = a.sum().shift::<1>().minus(ab.sum());
        let difference = C::FIELD.sub(&doubled, &once(&ab));
        assert_eq!(once(&sum.carry(2, f)), difference);
        assert_eq!(once(&sum.carry(2, calls)), difference);
        assert_eq!(calls.is_zero(&a) == 0xff, x == [0; W]);
    }
    let p = Eight::constant(&split(&<C as Curve<W>>::P));
    assert_eq!(
        (calls.is_zero(&p), calls.is_zero(&Eight::zero())),
        (0xff, 0xff)
    );
    assert_eq!(calls.is_zero(&calls.one()), 0);
    let _ = BaseTable::get(&row);
}

/// The field of a curve at the bounds of its limbs, where the CPU has the instructions.
#[allow(unsafe_code)]
pub(in super::super) fn check_limbs<C: Lanes<W, L>, const W: usize, const L: usize>() {
    let all = std::is_x86_feature_detected!("avx512ifma");
    if all && std::is_x86_feature_detected!("avx512f") {
        // SAFETY: the features are there.
        unsafe { check_field::<C, W, L>() };
    }
}
