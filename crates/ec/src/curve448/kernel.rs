//! The operations of Ed448 and X448 on 64-bit words, written once.
//!
//! Everything here is inlined into the modules that are rows of the table of implementations,
//! each of which compiles it for its CPU features.

use super::Check;
use super::edwards::{Affine, Cached, Completed, Extended, MINUS_D, Niels};
use super::field::{BYTES, Fe};
use super::scalar::{DIGITS, WORDS, Words, magnitude, naf_vartime, radix16};
use super::table::{COMB, ODD, ODD_WIDTH, ROWS};
use adamant_base::{Secret, Wipe};

/// `|digit| 256^i B` for a digit from -8 to 8, and as a mask its sign: every entry of the row is
/// read.
#[inline(always)]
fn select(row: &[Niels; 8], digit: i8) -> (Niels, u64) {
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

/// `scalar * B` for a scalar below 2^447.
///
/// The sum over the odd digits, times 16, plus the sum over the even ones; without tables, a digit
/// after the other.
#[inline(always)]
fn mul_base_extended(scalar: &Words) -> Secret<Extended> {
    const STEPS: usize = DIGITS / ROWS;
    let digits = Secret::new(radix16(scalar));
    let (digits, _) = digits.as_chunks::<STEPS>();
    let (rows, _) = COMB.as_chunks::<8>();
    let mut sum = Secret::new(Extended::NEUTRAL);
    for step in (0..STEPS).rev() {
        if step < STEPS - 1 {
            let mut p = sum.projective();
            for _ in 0..3 {
                p = p.double().projective();
            }
            *sum = p.double().extended();
        }
        for (digits, row) in digits.iter().zip(rows) {
            let (mut entry, sign) = select(row, digits[step]);
            entry.neg_masked(sign);
            *sum = sum.add_niels(&entry).extended();
        }
    }
    sum
}

/// `scalar * B` in affine coordinates, for a scalar below 2^447.
#[inline(always)]
pub(super) fn mul_base(scalar: &Words) -> Affine {
    mul_base_extended(scalar).to_affine()
}

/// The u-coordinate of `scalar * B` on curve448, for a scalar that is below 2^447 and no multiple
/// of l.
#[inline(always)]
pub(super) fn mul_base_u(scalar: &Words) -> [u8; BYTES] {
    montgomery_u(&mul_base_extended(scalar))
}

/// The u-coordinate of the image of a point other than the four of small order, by the 4-isogeny
/// of RFC 7748, section 4.2: u = y^2 / x^2. It takes the base point to the base point.
#[inline(always)]
pub(super) fn montgomery_u(p: &Extended) -> [u8; BYTES] {
    p.y.mul(p.x.invert()).square().to_bytes()
}

/// What a ladder keeps: two points X:Z, a difference of P apart.
pub(super) struct Ladder {
    pub(super) x2: Fe,
    pub(super) z2: Fe,
    pub(super) x3: Fe,
    pub(super) z3: Fe,
}

impl Wipe for Ladder {
    fn wipe(&mut self) {
        self.x2.wipe();
        self.z2.wipe();
        self.x3.wipe();
        self.z3.wipe();
    }
}

impl Ladder {
    /// The u-coordinate of the multiple, after the last exchange.
    #[inline(always)]
    pub(super) fn finish(&mut self, swapped: u64) -> [u8; BYTES] {
        let Ladder { x2, z2, x3, z3 } = self;
        Fe::swap(swapped, x2, x3);
        Fe::swap(swapped, z2, z3);
        x2.mul(z2.invert()).to_bytes()
    }
}

/// The u-coordinate of `scalar * P`, for P of u-coordinate `u`: the ladder of RFC 7748,
/// section 5. Zero where P is of small order. The scalar is taken as it is.
#[inline(always)]
pub(super) fn ladder(scalar: &[u8; BYTES], u: &[u8; BYTES]) -> [u8; BYTES] {
    let x1 = Fe::from_bytes(u);
    let mut s = Secret::new(Ladder {
        x2: Fe::ONE,
        z2: Fe::ZERO,
        x3: x1,
        z3: Fe::ONE,
    });
    let mut swapped = 0;
    for t in (0..8 * BYTES).rev() {
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
        *z2 = e.mul(aa.add(e.mul_small(MINUS_D)));
    }
    s.finish(swapped)
}

/// The point of an encoding, if it is canonical and of a point of the curve. Variable time.
#[inline(always)]
pub(super) fn decompress_vartime(bytes: &[u8; 57]) -> Option<Affine> {
    Affine::decompress_vartime(bytes)
}

/// Whether `[4]([s]B - [k]A - R)` is the neutral point, for scalars below 2^447, and R is a
/// canonical encoding. Variable time: for verification.
#[inline(always)]
pub(super) fn verify_vartime(check: &Check) -> bool {
    let Some(r) = Affine::decompress_vartime(&check.r) else {
        return false;
    };
    // Odd multiples of A, up to 15 A.
    let first = check.a.extend();
    let step = first.projective().double().extended();
    let mut odd: [Cached; 8] = [first.cache(); 8];
    for i in 1..8 {
        odd[i] = step.add(&odd[i - 1]).extended().cache();
    }
    let (k, s) = (naf_vartime(&check.k, 5), naf_vartime(&check.s, ODD_WIDTH));
    let top = (0..64 * WORDS).rev().find(|&i| k[i] != 0 || s[i] != 0);
    let mut sum = Completed::NEUTRAL;
    for i in (0..top.map_or(0, |i| i + 1)).rev() {
        sum = sum.projective().double();
        match k[i] {
            0 => {}
            d if d > 0 => sum = sum.extended().sub(&odd[d as usize / 2]),
            d => sum = sum.extended().add(&odd[d.unsigned_abs() as usize / 2]),
        }
        match s[i] {
            0 => {}
            d if d > 0 => sum = sum.extended().add_niels(&ODD[d as usize / 2]),
            d => {
                let entry = ODD[d.unsigned_abs() as usize / 2].neg();
                sum = sum.extended().add_niels(&entry);
            }
        }
    }
    differ_by_small_order(&sum.extended(), &r)
}

/// Whether `[4](p - q)` is the neutral point.
#[inline(always)]
pub(super) fn differ_by_small_order(p: &Extended, q: &Affine) -> bool {
    let difference = p.add_niels(&Niels::new(q).neg());
    difference.projective().has_small_order().declassify()
}
