//! Modular inversion by division steps: Bernstein and Yang, "Fast constant-time gcd computation
//! and modular inversion" (2019), with the start delta = 1/2, for which (45907 b + 30179) / 19929
//! steps are enough for any inputs below 2^b: the bound that Wuille's program for convex hulls gives
//! (590 for b = 256) follows this line.
//!
//! A division step takes an odd f and any g:
//! if delta > 0 and g is odd, (delta, f, g) becomes (1 - delta, g, (g - f) / 2), else
//! (1 + delta, f, (g + (g mod 2) f) / 2). From f = modulus and g = x it ends at g = 0 and
//! f = ±gcd = ±1. Beside f and g run d and e with d x = f and e x = g modulo the modulus, so that
//! in the end ±d is the inverse.
//!
//! Each batch of 60 steps looks only at the lowest words and gathers a matrix, scaled by 2^60,
//! which is then applied to the long numbers at once. Those are signed, `W` + 1 limbs of 60 bits
//! for a modulus of `W` words, with the sign in the top limb; d and e stay between -2 modulus and modulus.

#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
mod packed_steps;

use crate::limbs::bits;
use adamant_base::ct::barrier;
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
use packed_steps::steps;
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
use portable_steps as steps;

/// Limbs of the longest numbers: those of nine words.
const MAX_LIMBS: usize = 10;

/// A signed number: limbs of 60 bits, those below the top from 0 to 2^60 - 1. A modulus of `W` words
/// uses `W` + 1; the others stay 0.
type Signed = [i64; MAX_LIMBS];

/// The bits of a limb.
const MASK: u64 = u64::MAX >> (64 - STEPS);
/// Steps of a batch, as many as a limb has bits.
const STEPS: u32 = 60;
/// The bits that a limb is short of a word.
const SHORT: usize = 64 - STEPS as usize;

/// An odd modulus and what the inversion needs of it.
pub(crate) struct Divisor {
    limbs: Signed,
    /// 1 / modulus mod 2^60.
    inverse: u64,
    /// Batches of the constant-time inversion.
    batches: usize,
}

impl Divisor {
    /// Prepares an odd number, with its inverse mod 2^64.
    pub(crate) const fn new<const W: usize>(modulus: &[u64; W], inverse: u64) -> Self {
        assert!(W < MAX_LIMBS);
        let steps = (45907 * bits(modulus) + 30179) / 19929;
        Divisor {
            limbs: to_signed(modulus),
            inverse: inverse & MASK,
            batches: steps.div_ceil(STEPS as usize),
        }
    }
}

/// Splits into limbs of 60 bits.
const fn to_signed<const W: usize>(x: &[u64; W]) -> Signed {
    let (mut limbs, mut i) = ([0; MAX_LIMBS], 0);
    while i <= W {
        // Limb i starts at bit 60 i, which is bit 64 - 4 i of word i - 1: these numbers are short.
        let low = if i > 0 {
            x[i - 1] >> (64 - SHORT * i)
        } else {
            0
        };
        let high = if i < W { x[i] << (SHORT * i) } else { 0 };
        limbs[i] = ((low | high) & MASK) as i64;
        i += 1;
    }
    limbs
}

/// Joins limbs of 60 bits, for a number from 0 to 2^(64 W) - 1.
fn from_signed<const W: usize>(x: &Signed) -> [u64; W] {
    let shift = |i| SHORT * i;
    core::array::from_fn(|i| (x[i] as u64) >> shift(i) | (x[i + 1] as u64) << (60 - shift(i)))
}

/// What 60 steps do: f becomes (u f + v g) / 2^60, g becomes (q f + r g) / 2^60.
/// |u| + |v| and |q| + |r| are at most 2^60.
struct Matrix {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

/// 60 division steps on the lowest bits of f and g. `zeta` is -(delta + 1/2).
#[cfg(any(test, not(any(target_arch = "aarch64", target_arch = "x86_64"))))]
#[inline(always)]
fn portable_steps(mut zeta: i64, f: i64, g: i64) -> (i64, Matrix) {
    let (mut f, mut g) = (f as u64, g as u64);
    let (mut u, mut v, mut q, mut r) = (1u64, 0u64, 0u64, 1u64);
    for _ in 0..STEPS {
        // delta > 0, and g odd.
        let positive = barrier((zeta >> 63) as u64);
        let odd = barrier((g & 1).wrapping_neg());
        // g + f or g - f.
        g = g.wrapping_add(((f ^ positive).wrapping_sub(positive)) & odd);
        q = q.wrapping_add(((u ^ positive).wrapping_sub(positive)) & odd);
        r = r.wrapping_add(((v ^ positive).wrapping_sub(positive)) & odd);
        // Where both hold, f takes g's old value: f + (g - f).
        let swap = positive & odd;
        zeta = (zeta ^ swap as i64) - 1;
        f = f.wrapping_add(g & swap);
        u = u.wrapping_add(q & swap);
        v = v.wrapping_add(r & swap);
        // Halve g by doubling the scale of the others.
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    let matrix = Matrix {
        u: u as i64,
        v: v as i64,
        q: q as i64,
        r: r as i64,
    };
    (zeta, matrix)
}

/// The same steps with `eta = -delta`, skipping over runs of zeros of g and clearing up to six
/// of its bits at once.
#[cfg(feature = "weierstrass")]
fn steps_vartime(mut eta: i64, f: i64, g: i64) -> (i64, Matrix) {
    let (mut f, mut g) = (f as u64, g as u64);
    let (mut u, mut v, mut q, mut r) = (1u64, 0u64, 0u64, 1u64);
    let mut left = STEPS;
    loop {
        // Each zero bit of g is a step that halves it.
        let zeros = (g | u64::MAX << left).trailing_zeros();
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= i64::from(zeros);
        left -= zeros;
        if left == 0 {
            break;
        }
        // g is odd. Where delta > 0, this step exchanges f and g.
        if eta < 0 {
            eta = -eta;
            (f, g) = (g, f.wrapping_neg());
            (u, q) = (q, u.wrapping_neg());
            (v, r) = (r, v.wrapping_neg());
        }
        // The next eta + 1 steps only add f to g: clear as many low bits of g with one multiple.
        // -1 / f mod 64 is f (f^2 - 2), as f^2 = 1 mod 8.
        let bits = left.min(6).min(u32::try_from(eta + 1).unwrap_or(6));
        let inverse = f.wrapping_mul(f.wrapping_mul(f).wrapping_sub(2));
        let w = g.wrapping_mul(inverse) & (u64::MAX >> (64 - bits));
        g = g.wrapping_add(f.wrapping_mul(w));
        q = q.wrapping_add(u.wrapping_mul(w));
        r = r.wrapping_add(v.wrapping_mul(w));
    }
    let matrix = Matrix {
        u: u as i64,
        v: v as i64,
        q: q as i64,
        r: r as i64,
    };
    (eta, matrix)
}

/// `a * x + b * y`; with the matrix's bounds and limbs of 60 bits, below 2^121.
#[inline(always)]
fn dot(a: i64, x: i64, b: i64, y: i64) -> i128 {
    i128::from(a) * i128::from(x) + i128::from(b) * i128::from(y)
}

/// The low 60 bits.
#[inline(always)]
fn low(x: i128) -> i64 {
    (x as u64 & MASK) as i64
}

/// Applies the matrix to f and g: the division by 2^60 is exact.
#[inline(always)]
fn update_fg<const W: usize>(f: &mut Signed, g: &mut Signed, t: &Matrix) {
    let mut cf = dot(t.u, f[0], t.v, g[0]) >> STEPS;
    let mut cg = dot(t.q, f[0], t.r, g[0]) >> STEPS;
    for i in 1..=W {
        cf += dot(t.u, f[i], t.v, g[i]);
        cg += dot(t.q, f[i], t.r, g[i]);
        f[i - 1] = low(cf);
        g[i - 1] = low(cg);
        cf >>= STEPS;
        cg >>= STEPS;
    }
    f[W] = cf as i64;
    g[W] = cg as i64;
}

/// Applies the matrix to d and e modulo the modulus.
#[inline(always)]
fn update_de<const W: usize>(d: &mut Signed, e: &mut Signed, t: &Matrix, modulus: &Divisor) {
    // Multiples of the modulus to add: first such that negative inputs count as raised by one
    // modulus, which keeps the range, then such that the lowest limb becomes zero.
    let (negative_d, negative_e) = (d[W] >> 63, e[W] >> 63);
    let mut md = (t.u & negative_d) + (t.v & negative_e);
    let mut me = (t.q & negative_d) + (t.r & negative_e);
    let mut cd = dot(t.u, d[0], t.v, e[0]);
    let mut ce = dot(t.q, d[0], t.r, e[0]);
    let fix = |m: i64, c: i128| {
        let low = modulus
            .inverse
            .wrapping_mul(c as u64)
            .wrapping_add(m as u64)
            & MASK;
        m - low as i64
    };
    md = fix(md, cd);
    me = fix(me, ce);
    cd += i128::from(modulus.limbs[0]) * i128::from(md);
    ce += i128::from(modulus.limbs[0]) * i128::from(me);
    cd >>= STEPS;
    ce >>= STEPS;
    for i in 1..=W {
        cd += dot(t.u, d[i], t.v, e[i]) + i128::from(modulus.limbs[i]) * i128::from(md);
        ce += dot(t.q, d[i], t.r, e[i]) + i128::from(modulus.limbs[i]) * i128::from(me);
        d[i - 1] = low(cd);
        e[i - 1] = low(ce);
        cd >>= STEPS;
        ce >>= STEPS;
    }
    d[W] = cd as i64;
    e[W] = ce as i64;
}

/// `d`, or `-d` where `sign` is negative, brought from (-2 modulus, modulus) to [0, modulus).
fn normalize<const W: usize>(mut d: Signed, sign: i64, modulus: &Divisor) -> Signed {
    for negate in [barrier((sign >> 63) as u64) as i64, 0] {
        let raise = barrier((d[W] >> 63) as u64) as i64;
        let mut carry = 0;
        for i in 0..=W {
            let limb = d[i] + (modulus.limbs[i] & raise);
            carry += (limb ^ negate) - negate;
            d[i] = carry & MASK as i64;
            carry >>= STEPS;
        }
        d[W] += carry << STEPS;
    }
    d
}

/// `scale / x` modulo the modulus, both below it; 0 for 0.
pub(crate) fn divide<const W: usize>(
    scale: &[u64; W],
    x: &[u64; W],
    modulus: &Divisor,
) -> [u64; W] {
    let (mut f, mut g) = (modulus.limbs, to_signed(x));
    let (mut d, mut e) = ([0; MAX_LIMBS], to_signed(scale));
    let mut zeta = -1;
    for _ in 0..modulus.batches {
        let t;
        (zeta, t) = steps(zeta, f[0] | f[1] << STEPS, g[0] | g[1] << STEPS);
        update_de::<W>(&mut d, &mut e, &t, modulus);
        update_fg::<W>(&mut f, &mut g, &t);
    }
    from_signed(&normalize::<W>(d, f[W], modulus))
}

/// [`divide`] in a time that depends on the values.
#[cfg(feature = "weierstrass")]
pub(crate) fn divide_vartime<const W: usize>(
    scale: &[u64; W],
    x: &[u64; W],
    modulus: &Divisor,
) -> [u64; W] {
    let (mut f, mut g) = (modulus.limbs, to_signed(x));
    let (mut d, mut e) = ([0; MAX_LIMBS], to_signed(scale));
    let mut eta = -1;
    while g != [0; MAX_LIMBS] {
        let t;
        (eta, t) = steps_vartime(eta, f[0] | f[1] << STEPS, g[0] | g[1] << STEPS);
        update_de::<W>(&mut d, &mut e, &t, modulus);
        update_fg::<W>(&mut f, &mut g, &t);
    }
    from_signed(&normalize::<W>(d, f[W], modulus))
}
