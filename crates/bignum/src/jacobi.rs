//! The Jacobi symbol, of public numbers.

use crate::{Modulus, Number, limbs};

/// The Jacobi symbol of `a`, below the modulus and as long: for a prime modulus 1 for a square, -1
/// for what is none, and 0 for zero; in general 0 where both have a factor in common.
///
/// Binary, by the laws of quadratic reciprocity: twos are taken out of a, which turns the sign for a
/// modulus that is 3 or 5 modulo 8; the smaller of both odd numbers is taken from the larger, and
/// becomes the modulus, which turns the sign where both are 3 modulo 4.
///
/// ```
/// use adamant_bignum::{Modulus, jacobi_vartime};
/// let seven = Modulus::new(&[7]).unwrap();
/// assert_eq!([1, 2, 3].map(|a| jacobi_vartime(&[a], &seven)), [1, 1, -1]);
/// ```
///
/// # Panics
/// When the lengths differ.
#[must_use]
pub fn jacobi_vartime(a: &[u64], modulus: &Modulus) -> i8 {
    assert_eq!(a.len(), modulus.len());
    let (mut a, mut n) = (Number::from_limbs(a), Number::from_limbs(modulus.limbs()));
    let mut len = n.len();
    let mut negative = false;
    loop {
        while a[len - 1] | n[len - 1] == 0 {
            len -= 1;
        }
        if a[..len].iter().all(|limb| *limb == 0) {
            let one = n[0] == 1 && limbs::bits_vartime(&n) == 1;
            return i8::from(one) * if negative { -1 } else { 1 };
        }
        while a[0] == 0 {
            // 64 twos turn nothing.
            a.copy_within(1..len, 0);
            a[len - 1] = 0;
        }
        let twos = a[0].trailing_zeros();
        if twos > 0 {
            shift_right_by(&mut a[..len], twos);
            negative ^= twos & 1 == 1 && matches!(n[0] & 7, 3 | 5);
        }
        if a[..len].iter().rev().lt(n[..len].iter().rev()) {
            core::mem::swap(&mut a, &mut n);
            negative ^= a[0] & n[0] & 3 == 3;
        }
        limbs::sub(&mut a[..len], &n[..len]);
    }
}

/// Without the lowest `count` bits, 1 to 63.
fn shift_right_by(a: &mut [u64], count: u32) {
    let mut above = 0;
    for limb in a.iter_mut().rev() {
        (*limb, above) = (*limb >> count | above, *limb << (64 - count));
    }
}
