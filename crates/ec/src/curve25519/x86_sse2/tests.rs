//! The two-lane field against the scalar one, on limbs at their bounds.

use super::field::{Factor, NONE, P24, Sum};
use crate::curve25519::field::Fe;
use crate::curve25519::fields::Field;
use crate::curve25519::tests::limbs_at;
use adamant_base::simd::load128;

/// The limbs of two elements.
type Limbs = [[u64; 10]; 2];

#[target_feature(enable = "sse2")]
fn read([x, y]: &Limbs) -> Factor {
    Factor(core::array::from_fn(|k| load128(&[x[k], y[k]])))
}

fn scalar(x: &[u64; 10]) -> Fe {
    let halves = core::array::from_fn(|k| x[2 * k] + (x[2 * k + 1] << 26));
    Fe::from_limbs(halves).tighten()
}

/// There and back.
#[target_feature(enable = "sse2")]
fn write(x: &Sum) -> [[u8; 32]; 2] {
    let [x, y] = x.carry().split();
    Factor::join(&x, &y).split().map(|x| x.to_bytes())
}

#[target_feature(enable = "sse2")]
fn check(a: &Limbs, b: &Limbs) {
    let [x, y] = a.each_ref().map(scalar);
    let [u, v] = b.each_ref().map(scalar);
    let bytes = |x: Fe, y: Fe| [x, y].map(|x| x.to_bytes());
    let (a, b) = (read(a), read(b));
    let product = a.mul(&b, NONE);
    let (xu, yv) = (x.mul(u), y.mul(v));
    assert_eq!(write(&product), bytes(xu, yv));
    assert_eq!(write(&a.mul(&b, P24)), bytes(xu, yv));
    assert_eq!(write(&a.square(NONE)), bytes(x.square(), y.square()));
    let sums = product.sum_and_difference();
    assert_eq!(write(&sums), bytes(xu.add(yv), xu.sub(yv)));
    let differences = product.first_and_difference();
    assert_eq!(write(&differences), bytes(xu, xu.sub(yv)));
    let more = product.second_and_more(121_666, &b);
    assert_eq!(write(&more), bytes(yv, yv.add(v.mul_small(121_666))));
    assert_eq!(write(&Sum(a.swapped().0)), bytes(y, x));
    let none = load128(&[0u64; 2]);
    let all = load128(&[u64::MAX; 2]);
    assert_eq!(write(&Sum(a.choose(none, &b).0)), bytes(x, y));
    assert_eq!(write(&Sum(a.choose(all, &b).0)), bytes(u, v));
}

#[test]
#[allow(unsafe_code)]
fn arithmetic() {
    if !std::arch::is_x86_feature_detected!("sse2") {
        return;
    }
    let all = limbs_at(core::array::from_fn(|i| match i % 2 {
        0 => (1 << 26) + (1 << 14),
        _ => (1 << 25) + (1 << 17),
    }));
    for (i, x) in all.iter().enumerate() {
        for (j, y) in all.iter().enumerate() {
            // Other elements in the other lane: neither may reach over.
            let other = |k: usize| all[k % all.len()];
            let (mut a, mut b) = ([other(i + j); 2], [other(i + 3 * j); 2]);
            (a[j % 2], b[j % 2]) = (*x, *y);
            // SAFETY: the CPU has these instructions.
            unsafe { check(&a, &b) };
        }
    }
}

#[target_feature(enable = "sse2")]
fn inverses_of(x: Fe, y: Fe) -> [Fe; 2] {
    Factor::join(&x, &y).invert().split()
}

#[test]
#[allow(unsafe_code)]
fn inverses() {
    if !std::arch::is_x86_feature_detected!("sse2") {
        return;
    }
    for x in limbs_at([(1 << 25) - 1; 10]) {
        let (x, y) = (scalar(&x), scalar(&x).square());
        // SAFETY: the CPU has these instructions.
        let found = unsafe { inverses_of(x, y) };
        assert_eq!(
            found.map(|x| x.to_bytes()),
            [x, y].map(|x| x.invert().to_bytes())
        );
    }
}
