//! Arithmetic to compare with: numbers as plain integers, one bit at a time, and the group law as
//! the textbook has it. It shares nothing with the code under test but the constants of the curve.

use crate::weierstrass::Curve;
use core::marker::PhantomData;

/// Integers modulo an odd number.
pub(crate) struct Modular<const W: usize>(pub(crate) [u64; W]);

/// The field.
pub(crate) const fn field<C: Curve<W>, const W: usize>() -> Modular<W> {
    Modular(C::P)
}

/// The scalars.
pub(crate) const fn scalars<C: Curve<W>, const W: usize>() -> Modular<W> {
    Modular(C::N)
}

/// A number of one word.
pub(crate) fn small<const W: usize>(x: u64) -> [u64; W] {
    core::array::from_fn(|i| if i == 0 { x } else { 0 })
}

fn less<const W: usize>(a: &[u64; W], b: &[u64; W]) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

fn plus<const W: usize>(a: &[u64; W], b: &[u64; W]) -> ([u64; W], bool) {
    let mut carry = 0;
    let sum = core::array::from_fn(|i| {
        carry += u128::from(a[i]) + u128::from(b[i]);
        let word = carry as u64;
        carry >>= 64;
        word
    });
    (sum, carry == 1)
}

fn minus<const W: usize>(a: &[u64; W], b: &[u64; W]) -> [u64; W] {
    let complement = b.map(|word| !word);
    let (t, _) = plus(a, &complement);
    plus(&t, &small(1)).0
}

/// `a / 2`, with the bit above the top.
fn half<const W: usize>(a: &[u64; W], top: bool) -> [u64; W] {
    core::array::from_fn(|i| {
        let above = if i == W - 1 { u64::from(top) } else { a[i + 1] };
        a[i] >> 1 | above << 63
    })
}

pub(crate) fn bit<const W: usize>(a: &[u64; W], i: usize) -> bool {
    a[i / 64] >> (i % 64) & 1 == 1
}

impl<const W: usize> Modular<W> {
    pub(crate) fn reduce(&self, a: &[u64; W]) -> [u64; W] {
        if less(a, &self.0) {
            *a
        } else {
            minus(a, &self.0)
        }
    }

    pub(crate) fn add(&self, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        let (sum, carry) = plus(a, b);
        if carry {
            minus(&sum, &self.0)
        } else {
            self.reduce(&sum)
        }
    }

    pub(crate) fn neg(&self, a: &[u64; W]) -> [u64; W] {
        self.reduce(&minus(&self.0, a))
    }

    pub(crate) fn sub(&self, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        self.add(a, &self.neg(b))
    }

    pub(crate) fn mul(&self, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        let mut product = [0; W];
        for i in (0..64 * W).rev() {
            product = self.add(&product, &product);
            if bit(b, i) {
                product = self.add(&product, a);
            }
        }
        product
    }

    /// `a / 2`.
    pub(crate) fn halve(&self, a: &[u64; W]) -> [u64; W] {
        if bit(a, 0) {
            let (sum, carry) = plus(a, &self.0);
            half(&sum, carry)
        } else {
            half(a, false)
        }
    }

    /// `1 / a`, for `a` not 0: the binary algorithm of Euclid.
    pub(crate) fn invert(&self, a: &[u64; W]) -> [u64; W] {
        // x a = u and y a = v.
        let (mut u, mut v, mut x, mut y) = (*a, self.0, small(1), [0; W]);
        while u != [0; W] {
            if !bit(&u, 0) {
                (u, x) = (half(&u, false), self.halve(&x));
            } else {
                if less(&u, &v) {
                    ((u, x), (v, y)) = ((v, y), (u, x));
                }
                (u, x) = (minus(&u, &v), self.sub(&x, &y));
            }
        }
        assert_eq!(v, small(1), "not invertible");
        y
    }
}

/// A point; none for infinity.
pub(crate) type Point<const W: usize> = Option<[[u64; W]; 2]>;

pub(crate) fn add<C: Curve<W>, const W: usize>(p: Point<W>, q: Point<W>) -> Point<W> {
    let (Some([x1, y1]), Some([x2, y2])) = (p, q) else {
        return p.or(q);
    };
    let f = field::<C, W>();
    let slope = if x1 != x2 {
        f.mul(&f.sub(&y2, &y1), &f.invert(&f.sub(&x2, &x1)))
    } else if y1 == y2 {
        let xx = f.mul(&x1, &x1);
        let m = f.add(&f.add(&f.add(&xx, &xx), &xx), &C::A);
        f.mul(&m, &f.invert(&f.add(&y1, &y1)))
    } else {
        return None;
    };
    let x = f.sub(&f.sub(&f.mul(&slope, &slope), &x1), &x2);
    let y = f.sub(&f.mul(&slope, &f.sub(&x1, &x)), &y1);
    Some([x, y])
}

/// A point doubled again and again: its multiples are sums of these.
pub(crate) struct Doublings<C, const W: usize>(Vec<Point<W>>, PhantomData<C>);

impl<C: Curve<W>, const W: usize> Doublings<C, W> {
    pub(crate) fn new(p: Point<W>) -> Self {
        let doublings = core::iter::successors(Some(p), |p| Some(add::<C, W>(*p, *p)));
        Self(doublings.take(64 * W).collect(), PhantomData)
    }

    /// `k P`, as it is.
    pub(crate) fn sum(&self, k: &[u64; W]) -> Point<W> {
        let ones = (0..64 * W).filter(|&i| bit(k, i));
        ones.fold(None, |sum, i| add::<C, W>(sum, self.0[i]))
    }

    /// `k P`, from `k` or `n - k`, whichever has fewer bits.
    pub(crate) fn times(&self, k: &[u64; W]) -> Point<W> {
        let ones = |k: &[u64; W]| k.iter().map(|word| word.count_ones()).sum::<u32>();
        let other = scalars::<C, W>().neg(k);
        if ones(k) <= ones(&other) {
            return self.sum(k);
        }
        let negative = self.sum(&other);
        negative.map(|[x, y]| [x, field::<C, W>().neg(&y)])
    }
}
