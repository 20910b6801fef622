//! Arithmetic to compare with: numbers as plain integers, one bit at a time, and the group law as
//! the textbook has it. It shares nothing with the code under test but the constants p and n.

use crate::weierstrass::p256::N;
use crate::weierstrass::p256::field::P;

pub(super) type Limbs = [u64; 4];

/// Integers modulo an odd number above 2^255.
pub(super) struct Modular(pub(super) Limbs);

/// The field.
pub(super) const FIELD: Modular = Modular(P);
/// The scalars.
pub(super) const SCALARS: Modular = Modular(N);

fn less(a: &Limbs, b: &Limbs) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

fn plus(a: &Limbs, b: &Limbs) -> (Limbs, bool) {
    let mut carry = 0;
    let sum = core::array::from_fn(|i| {
        carry += u128::from(a[i]) + u128::from(b[i]);
        let word = carry as u64;
        carry >>= 64;
        word
    });
    (sum, carry == 1)
}

fn minus(a: &Limbs, b: &Limbs) -> Limbs {
    let complement = b.map(|word| !word);
    let (t, _) = plus(a, &complement);
    plus(&t, &[1, 0, 0, 0]).0
}

/// `a / 2`, with the bit above the top.
fn half(a: &Limbs, top: bool) -> Limbs {
    core::array::from_fn(|i| {
        let above = if i == 3 { u64::from(top) } else { a[i + 1] };
        a[i] >> 1 | above << 63
    })
}

pub(super) fn bit(a: &Limbs, i: usize) -> bool {
    a[i / 64] >> (i % 64) & 1 == 1
}

impl Modular {
    pub(super) fn reduce(&self, a: &Limbs) -> Limbs {
        if less(a, &self.0) {
            *a
        } else {
            minus(a, &self.0)
        }
    }

    pub(super) fn add(&self, a: &Limbs, b: &Limbs) -> Limbs {
        let (sum, carry) = plus(a, b);
        if carry {
            minus(&sum, &self.0)
        } else {
            self.reduce(&sum)
        }
    }

    pub(super) fn neg(&self, a: &Limbs) -> Limbs {
        self.reduce(&minus(&self.0, a))
    }

    pub(super) fn sub(&self, a: &Limbs, b: &Limbs) -> Limbs {
        self.add(a, &self.neg(b))
    }

    pub(super) fn mul(&self, a: &Limbs, b: &Limbs) -> Limbs {
        let mut product = [0; 4];
        for i in (0..256).rev() {
            product = self.add(&product, &product);
            if bit(b, i) {
                product = self.add(&product, a);
            }
        }
        product
    }

    /// `a / 2`.
    pub(super) fn halve(&self, a: &Limbs) -> Limbs {
        if bit(a, 0) {
            let (sum, carry) = plus(a, &self.0);
            half(&sum, carry)
        } else {
            half(a, false)
        }
    }

    /// `1 / a`, for `a` not 0: the binary algorithm of Euclid.
    pub(super) fn invert(&self, a: &Limbs) -> Limbs {
        // x a = u and y a = v.
        let (mut u, mut v, mut x, mut y) = (*a, self.0, [1, 0, 0, 0], [0; 4]);
        while u != [0; 4] {
            if !bit(&u, 0) {
                (u, x) = (half(&u, false), self.halve(&x));
            } else {
                if less(&u, &v) {
                    ((u, x), (v, y)) = ((v, y), (u, x));
                }
                (u, x) = (minus(&u, &v), self.sub(&x, &y));
            }
        }
        assert_eq!(v, [1, 0, 0, 0], "not invertible");
        y
    }
}

/// The base point.
pub(super) const G: [Limbs; 2] = [
    [
        0xf4a1_3945_d898_c296,
        0x7703_7d81_2deb_33a0,
        0xf8bc_e6e5_63a4_40f2,
        0x6b17_d1f2_e12c_4247,
    ],
    [
        0xcbb6_4068_37bf_51f5,
        0x2bce_3357_6b31_5ece,
        0x8ee7_eb4a_7c0f_9e16,
        0x4fe3_42e2_fe1a_7f9b,
    ],
];

/// A point; none for infinity.
pub(super) type Point = Option<[Limbs; 2]>;

pub(super) fn add(p: Point, q: Point) -> Point {
    let (Some([x1, y1]), Some([x2, y2])) = (p, q) else {
        return p.or(q);
    };
    let f = FIELD;
    let slope = if x1 != x2 {
        f.mul(&f.sub(&y2, &y1), &f.invert(&f.sub(&x2, &x1)))
    } else if y1 == y2 {
        let xx = f.sub(&f.mul(&x1, &x1), &[1, 0, 0, 0]);
        f.mul(&f.add(&f.add(&xx, &xx), &xx), &f.invert(&f.add(&y1, &y1)))
    } else {
        return None;
    };
    let x = f.sub(&f.sub(&f.mul(&slope, &slope), &x1), &x2);
    let y = f.sub(&f.mul(&slope, &f.sub(&x1, &x)), &y1);
    Some([x, y])
}

/// `k P`, double and add.
pub(super) fn mul(k: &Limbs, p: Point) -> Point {
    (0..256).rev().fold(None, |sum, i| {
        let sum = add(sum, sum);
        if bit(k, i) { add(sum, p) } else { sum }
    })
}
