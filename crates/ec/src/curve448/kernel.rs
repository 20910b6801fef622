//! The operations of Ed448 and X448, written once for words of every size.
//!
//! The formulas of a point are functions: of eight limbs and more they are too long to be inlined wherever
//! they are asked for. What they take and leave are products, which are stored word by word; sums may
//! be stored by vectors, and reading words of those waits.

use super::edwards::{Affine, Cached, Extended, MINUS_D, Niels};
use super::field::{BYTES, Fe};
use super::fields::Field;
use super::scalar::{DIGITS, WORDS, Words, magnitude, naf_vartime, radix16};
use super::table::{ODD_WIDTH, ROWS};
use adamant_base::ct::Choice;
use adamant_base::{Secret, Wipe};

/// `|digit| 256^i B` for a digit from -8 to 8, and as a mask its sign: every entry of the row is
/// read.
#[inline(always)]
fn select<F: Field>(row: &[Niels<F>; 8], digit: i8) -> (Niels<F>, u64) {
    let (magnitude, sign) = magnitude(digit);
    let mut found = Niels::ZERO;
    found.or_masked(equal(magnitude, 0), &Niels::NEUTRAL);
    for (j, entry) in row.iter().enumerate() {
        found.or_masked(equal(magnitude, j as u64 + 1), entry);
    }
    (found, sign)
}

/// All ones where `a == b`.
#[inline(always)]
fn equal(a: u64, b: u64) -> u64 {
    adamant_base::ct::Choice::eq_u64(a, b).mask()
}

/// Becomes `2^n sum`.
#[inline(never)]
fn double<F: Field>(sum: &mut Extended<F>, n: u32) {
    for left in (0..n).rev() {
        sum.set(&sum.projective().double(), left == 0);
    }
}

/// Adds a point, or subtracts it where the first flag says so; without T where the second does not
/// ask for it, for a doubling needs none.
#[inline(never)]
pub(super) fn add<F: Field>(sum: &mut Extended<F>, other: &Cached<F>, minus: bool, t: bool) {
    let other = if minus { other.neg() } else { *other };
    sum.set(&sum.add(&other), t);
}

/// The same for a point of a table.
#[inline(never)]
fn add_niels<F: Field>(sum: &mut Extended<F>, other: &Niels<F>, minus: bool, t: bool) {
    let other = if minus { other.neg() } else { *other };
    sum.set(&sum.add_niels(&other), t);
}

/// 1, 3, 5, … 15 times a point.
#[inline(never)]
fn odd_multiples<F: Field>(point: &Affine<F>) -> [Cached<F>; 8] {
    let mut multiple = point.extend();
    let mut twice = multiple;
    double(&mut twice, 1);
    let twice = twice.cache();
    core::array::from_fn(|i| {
        if i > 0 {
            add(&mut multiple, &twice, false, true);
        }
        multiple.cache()
    })
}

/// `scalar * B` for a scalar below 2^447.
///
/// The sum over the odd digits, times 16, plus the sum over the even ones; without tables, a digit
/// after the other. The one addition is in the loop: what goes to a function and back waits for
/// memory.
#[inline(never)]
pub(super) fn mul_base_extended<F: Field>(scalar: &Words) -> Secret<Extended<F>> {
    const STEPS: usize = DIGITS / ROWS;
    let digits = Secret::new(radix16(scalar));
    let (rows, _) = F::COMB.as_chunks::<8>();
    let mut sum = Secret::new(Extended::<F>::NEUTRAL);
    for i in 0..DIGITS {
        #[allow(clippy::modulo_one)] // Without tables there is one row.
        let (step, row) = (i / ROWS, i % ROWS);
        if row == 0 && step > 0 {
            double(&mut sum, 4);
        }
        let (mut entry, sign) = select(&rows[row], digits[STEPS * row + STEPS - 1 - step]);
        entry.neg_masked(sign);
        *sum = sum.add_niels(&entry).extended();
    }
    sum
}

/// The u-coordinate of the image of a point other than the four of small order, by the 4-isogeny
/// of RFC 7748, section 4.2: u = y^2 / x^2. It takes the base point to the base point.
#[inline(always)]
pub(super) fn montgomery_u<F: Field>(p: &Extended<F>) -> [u8; BYTES] {
    p.y.mul(p.x.invert()).square().to_bytes()
}

/// What a ladder keeps: two points X:Z, a difference of P apart.
pub(super) struct Ladder<F = Fe> {
    pub(super) x2: F,
    pub(super) z2: F,
    pub(super) x3: F,
    pub(super) z3: F,
}

impl<F: Wipe> Wipe for Ladder<F> {
    fn wipe(&mut self) {
        self.x2.wipe();
        self.z2.wipe();
        self.x3.wipe();
        self.z3.wipe();
    }
}

impl<F: Field> Ladder<F> {
    /// The u-coordinate of the multiple, after the last exchange.
    #[inline(always)]
    pub(super) fn finish(&mut self, swapped: u64) -> [u8; BYTES] {
        let Ladder { x2, z2, x3, z3 } = self;
        F::swap(swapped, x2, x3);
        F::swap(swapped, z2, z3);
        x2.mul(z2.invert()).to_bytes()
    }
}

/// The u-coordinate of `scalar * P`, for P of u-coordinate `u`: the ladder of RFC 7748,
/// section 5. Zero where P is of small order. The scalar is taken as it is.
///
/// The points are not exchanged: their sum comes from the same two products either way, and which of
/// them is doubled is chosen.
#[inline(never)]
pub(super) fn ladder<F: Field>(scalar: &[u8; BYTES], u: &[u8; BYTES]) -> [u8; BYTES] {
    let x1 = F::from_bytes(u);
    let mut s = Secret::new(Ladder {
        x2: F::ONE,
        z2: F::ZERO,
        x3: x1,
        z3: F::ONE,
    });
    let mut swapped = 0;
    for t in (0..8 * BYTES).rev() {
        let bit = u64::from(scalar[t / 8] >> (t % 8) & 1);
        let other = adamant_base::ct::barrier((swapped ^ bit).wrapping_neg());
        swapped = bit;
        let Ladder { x2, z2, x3, z3 } = &mut *s;
        let (mut a, mut b) = (x2.add(*z2), x2.sub(*z2));
        let (c, d) = (x3.add(*z3), x3.sub(*z3));
        let (da, cb) = (d.mul(a), c.mul(b));
        a.assign(other, c);
        b.assign(other, d);
        let (aa, bb) = (a.square(), b.square());
        let e = aa.sub(bb);
        *x3 = da.add(cb).square();
        *z3 = da.sub(cb).square().mul(x1);
        *x2 = aa.mul(bb);
        *z2 = e.mul(aa.add(e.mul_small(MINUS_D)));
    }
    s.finish(swapped)
}

/// Whether `[4]([s]B - [k]A - R)` is the neutral point, for scalars below 2^447. Variable time: for
/// verification.
pub(super) fn verify_vartime<F: Field>(a: &Affine<F>, r: &Affine<F>, k: &Words, s: &Words) -> bool {
    let odd = odd_multiples(a);
    let (k, s) = (naf_vartime(k, 5), naf_vartime(s, ODD_WIDTH));
    let top = (0..64 * WORDS).rev().find(|&i| k[i] != 0 || s[i] != 0);
    let mut sum = Extended::NEUTRAL;
    let mut doublings = 0;
    for i in (0..top.map_or(0, |i| i + 1)).rev() {
        doublings += 1;
        if k[i] == 0 && s[i] == 0 {
            continue;
        }
        double(&mut sum, doublings);
        doublings = 0;
        if k[i] != 0 {
            let multiple = &odd[usize::from(k[i].unsigned_abs() / 2)];
            add(&mut sum, multiple, k[i] > 0, s[i] != 0 || i == 0);
        }
        if s[i] != 0 {
            let multiple = &F::ODD[usize::from(s[i].unsigned_abs() / 2)];
            add_niels(&mut sum, multiple, s[i] < 0, i == 0);
        }
    }
    double(&mut sum, doublings);
    differ_by_small_order(&sum, r)
}

/// Whether `[4](p - q)` is the neutral point.
pub(super) fn differ_by_small_order<F: Field>(p: &Extended<F>, q: &Affine<F>) -> bool {
    let mut difference = *p;
    add_niels(&mut difference, &Niels::new(q), true, false);
    has_small_order(&difference).declassify()
}

/// Whether a point is one of the four that 4 takes to the neutral one.
#[inline(never)]
pub(super) fn has_small_order<F: Field>(p: &Extended<F>) -> Choice {
    let mut p = *p;
    double(&mut p, 2);
    p.projective().is_neutral()
}

/// Makes the operations of a row over a field. Points have the form of radix 2^56 on the outside.
macro_rules! row {
    ($field:ty) => {
        use super::edwards::Affine;
        use super::{Check, kernel};

        pub(super) fn mul_base(scalar: &[u64; 7]) -> Affine {
            let product = kernel::mul_base_extended::<$field>(scalar);
            product.to_affine().outside()
        }

        pub(super) fn mul_base_u(scalar: &[u64; 7]) -> [u8; 56] {
            kernel::montgomery_u(&kernel::mul_base_extended::<$field>(scalar))
        }

        pub(super) fn ladder(scalar: &[u8; 56], u: &[u8; 56]) -> [u8; 56] {
            kernel::ladder::<$field>(scalar, u)
        }

        #[inline(never)]
        fn decompress_inside(bytes: &[u8; 57]) -> Option<Affine<$field>> {
            Affine::decompress_vartime(bytes)
        }

        pub(super) fn decompress_vartime(bytes: &[u8; 57]) -> Option<Affine> {
            decompress_inside(bytes).map(|point| point.outside())
        }

        pub(super) fn verify_vartime(check: &Check) -> bool {
            let Some(r) = decompress_inside(&check.r) else {
                return false;
            };
            kernel::verify_vartime(&check.a.inside(), &r, &check.k, &check.s)
        }

        super::batches!();
    };
}
pub(super) use row;
