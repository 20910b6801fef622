//! The division steps in assembly: conditional moves make a step short, and a compiler that is asked
//! for them is free to branch instead.
//!
//! Twenty steps depend only on the lowest twenty bits of f and g, and their matrix has entries up to
//! 2^20. So a row of it fits in one word beside its number: f + 2^21 u + 2^42 v and
//! g + 2^21 q + 2^42 r, of which sums and halves are those of all three parts. They start from -2^20
//! times the unit matrix, of which twenty halvings leave whole numbers; negative, so that every part
//! stays within its bits. The packing is that of Bernstein and Yang; three times twenty steps make a
//! batch.

use super::{Matrix, STEPS};
use core::arch::asm;

/// Steps of packed words.
const PACKED: u32 = 20;
const _: () = assert!(STEPS == 3 * PACKED);

/// The batch of steps, as the parent's.
#[inline(always)]
pub(super) fn steps(mut zeta: i64, f: i64, g: i64) -> (i64, Matrix) {
    let first = packed(&mut zeta, f, g);
    let (f, g) = apply(&first, f, g);
    let second = packed(&mut zeta, f, g);
    let (f, g) = apply(&second, f, g);
    let third = packed(&mut zeta, f, g);
    (zeta, product(&third, &product(&second, &first)))
}

/// The low bits of the numbers after twenty steps.
#[inline(always)]
fn apply(t: &Matrix, f: i64, g: i64) -> (i64, i64) {
    let dot = |a: i64, b: i64| a.wrapping_mul(f).wrapping_add(b.wrapping_mul(g)) >> PACKED;
    (dot(t.u, t.v), dot(t.q, t.r))
}

/// The steps of `a` after those of `b`.
#[inline(always)]
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    Matrix {
        u: a.u * b.u + a.v * b.q,
        v: a.u * b.v + a.v * b.r,
        q: a.q * b.u + a.r * b.q,
        r: a.q * b.v + a.r * b.r,
    }
}

/// Twenty steps.
#[inline(always)]
fn packed(zeta: &mut i64, f: i64, g: i64) -> Matrix {
    let low = (1 << PACKED) - 1;
    let (mut f, mut g) = ((f & low) - (1 << 41), (g & low) - (1 << 62));
    twenty(zeta, &mut f, &mut g);
    // The parts are rounded to the closest: those below them may be negative.
    let middle = |row: i64| -(((row + (1 << 20)) << 22) >> 43);
    let upper = |row: i64| -((row + (1 << 20) + (1 << 41)) >> 42);
    Matrix {
        u: middle(f),
        v: upper(f),
        q: middle(g),
        r: upper(g),
    }
}

/// Twenty steps of packed words.
///
/// Where delta > 0, which is zeta < 0, an odd g becomes g - f, f becomes g, and zeta its complement;
/// any other odd g becomes g + f.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code)]
fn twenty(zeta: &mut i64, f: &mut i64, g: &mut i64) {
    // SAFETY: the block calculates on registers and touches no memory.
    unsafe {
        asm!(
            ".rept 20",
            "mov {difference}, {g}",
            "sub {difference}, {f}",
            "lea {sum}, [{g} + {f}]",
            "mov {next_f}, {f}",
            "mov {next_zeta}, {zeta}",
            "not {next_zeta}",
            "test {zeta}, {zeta}",
            "cmovs {sum}, {difference}",
            "cmovs {next_f}, {g}",
            "cmovns {next_zeta}, {zeta}",
            "test {g:l}, 1",
            "cmovnz {f}, {next_f}",
            "cmovnz {g}, {sum}",
            "cmovnz {zeta}, {next_zeta}",
            "sar {g}, 1",
            "dec {zeta}",
            ".endr",
            zeta = inout(reg) *zeta,
            f = inout(reg) *f,
            g = inout(reg) *g,
            difference = out(reg) _,
            sum = out(reg) _,
            next_f = out(reg) _,
            next_zeta = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
}

/// The same.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
#[allow(unsafe_code)]
fn twenty(zeta: &mut i64, f: &mut i64, g: &mut i64) {
    // SAFETY: the block calculates on registers and touches no memory.
    unsafe {
        asm!(
            ".rept 20",
            "tst {g}, #1",
            "csel {addend}, {f}, xzr, ne",
            "ccmp {zeta}, #0, #0, ne", // negative where g is odd and zeta negative
            "cneg {addend}, {addend}, mi",
            "csel {f}, {g}, {f}, mi",
            "cinv {zeta}, {zeta}, mi",
            "add {g}, {g}, {addend}",
            "sub {zeta}, {zeta}, #1",
            "asr {g}, {g}, #1",
            ".endr",
            zeta = inout(reg) *zeta,
            f = inout(reg) *f,
            g = inout(reg) *g,
            addend = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::portable_steps;
    use super::steps;
    use adamant_testkit::TestRng;

    #[test]
    fn agree_with_the_portable_ones() {
        let mut rng = TestRng::new(17);
        for i in 0..20_000u64 {
            let [f, g, zeta, shape] = rng.words::<4>();
            // Of random bits, of few, and of runs.
            let shaped = |x: u64| {
                let x = match shape % 4 {
                    0 => x,
                    1 => x % 8,
                    2 => (x % 8) << (i % 61),
                    _ => (x % 8).wrapping_neg(),
                };
                x as i64
            };
            let (f, g, zeta) = (shaped(f) | 1, shaped(g), (zeta % 80) as i64 - 40);
            let (expected, a) = portable_steps(zeta, f, g);
            let (found, b) = steps(zeta, f, g);
            let entries = |t: &super::Matrix| [t.u, t.v, t.q, t.r];
            assert_eq!(
                (found, entries(&b)),
                (expected, entries(&a)),
                "{zeta} {f:x} {g:x}"
            );
        }
    }
}
