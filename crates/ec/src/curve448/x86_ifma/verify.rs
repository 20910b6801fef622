//! Many verifications by one equation.
//!
//! With coefficients z drawn from a hash of all checks, the sum of `[z]([k]A + R)`, less
//! `[sum of z s]B`, is of small order if every check is good, and but with a chance of 2^-128 only
//! then. Where it is not, the checks are made one by one. As single verification clears the
//! cofactor too, both accept the same.
//!
//! A lane has every eighth check; doublings are shared by all (Straus, 1964). Everything here is
//! public, and its time varies.

use super::super::edwards::{Affine, Extended, MINUS_D};
use super::super::field::Fe;
use super::super::fields::Field;
use super::super::scalar::{DIGITS, Scalar, Words, biased16};
use super::super::{Check, kernel};
use super::batch::transpose;
use super::eight::{self, Eight};
use super::point::*;
use super::{single, verify_vartime};
use adamant_base::simd::arch::*;
use adamant_hash::Shake256;
use alloc::vec::Vec;

/// The checks of one equation.
const CHUNK: usize = 64;
/// The bytes of a coefficient, and one past its last digit of four bits.
const BYTES: usize = 16;
const COEFFICIENT_DIGITS: usize = 2 * BYTES + 1;

/// The right sides of eight sums, with their Z.
#[derive(Clone, Copy)]
struct Cached {
    q: Entries,
    z: Eight,
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn cache(p: &Points) -> Cached {
    let d = eight::splat(Fe::small(MINUS_D as u32).neg());
    let dt = eight::mul(&p.t, &d);
    Cached {
        q: Entries { x: p.x, y: p.y, dt },
        z: p.z,
    }
}

/// The multiples 1 to 8 of a point in each lane, and the digits of its scalar.
struct Term {
    multiples: [Cached; 8],
    digits: Digits,
}

impl Term {
    #[cfg_attr(feature = "lab", inline(never))]
    #[cfg_attr(not(feature = "lab"), inline)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn new(points: &[Affine; 8], scalars: &[Words; 8]) -> Term {
        let x = eight::join(&points.map(|p| p.x));
        let y = eight::join(&points.map(|p| p.y));
        let mut multiple = Points {
            x,
            y,
            z: one(),
            t: eight::mul(&x, &y),
        };
        let first = cache(&multiple).q;
        let mut multiples = [cache(&multiple); 8];
        for entry in &mut multiples[1..] {
            add_entries(&mut multiple, &first);
            *entry = cache(&multiple);
        }
        Term {
            multiples,
            digits: Digits(transpose(&scalars.map(|scalar| biased16(&scalar)))),
        }
    }

    /// Adds the multiple by digit `i`.
    #[cfg_attr(feature = "lab", inline(never))]
    #[cfg_attr(not(feature = "lab"), inline)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn add(&self, sum: &mut Points, i: usize) {
        let digit = self.digits.get(i);
        let magnitude = _mm512_abs_epi64(digit);
        let (mut x, mut y, mut z, mut dt) = (zero(), one(), one(), zero());
        for (m, Cached { q, z: q_z }) in (1..).zip(&self.multiples) {
            let here = _mm512_cmpeq_epi64_mask(magnitude, _mm512_set1_epi64(m));
            x = eight::blend(&x, &q.x, here);
            y = eight::blend(&y, &q.y, here);
            dt = eight::blend(&dt, &q.dt, here);
            z = eight::blend(&z, q_z, here);
        }
        let negative = _mm512_cmplt_epi64_mask(digit, _mm512_setzero_si512());
        let (x, dt) = (
            eight::negate_if(&x, negative),
            eight::negate_if(&dt, negative),
        );
        add_cached(sum, &Entries { x, y, dt }, &z);
    }
}

/// The points of eight encodings, as `Affine::decompress_vartime` finds them.
#[cfg_attr(feature = "lab", inline(never))]
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,bmi2")]
fn decompress_8(encodings: &[[u8; 57]; 8]) -> [Option<Affine>; 8] {
    let parsed = encodings.map(|bytes| Affine::parse_vartime(&bytes));
    let y = eight::join(&parsed.map(|parsed| parsed.map_or(Fe::ONE, |(y, _)| y)));
    let yy = eight::square(&y);
    let u = eight::sub(&one(), &yy);
    let v = eight::mul_small_add(&one(), &yy, MINUS_D);
    let uv = eight::mul(&u, &v);
    let u3v = eight::mul(&uv, &eight::square(&u));
    let u5v3 = eight::mul(&eight::mul(&u3v, &uv), &uv);
    let x = eight::mul(&u3v, &eight::pow_p34(&u5v3));
    let error = eight::sub(&u, &eight::mul(&eight::square(&x), &v));
    let (xs, errors) = (eight::split(&x), eight::split(&error));
    core::array::from_fn(|i| {
        let (y, sign) = parsed[i]?;
        if !errors[i].is_zero().declassify() {
            return None;
        }
        Affine::with_sign_vartime(xs[i].tighten(), y, sign)
    })
}

/// The coefficients, from a hash of all that is checked.
#[cfg_attr(not(feature = "lab"), inline)]
fn coefficients(checks: &[Check]) -> Vec<Scalar> {
    let mut hash = Shake256::new();
    for check in checks {
        hash.update(&check.a.compress());
        hash.update(&check.r);
        for word in check.k.iter().chain(&check.s) {
            hash.update(&word.to_le_bytes());
        }
    }
    let mut reader = hash.finalize_xof();
    let mut next = || {
        let mut bytes = [0; 56];
        reader.read(&mut bytes[..BYTES]);
        Scalar::reduce(&bytes)
    };
    checks.iter().map(|_| next()).collect()
}

#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,bmi2")]
pub(in super::super) fn verify_batch_vartime(checks: &[Check], out: &mut [bool]) {
    for (checks, out) in checks.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        // A few are no faster in lanes.
        if checks.len() < 8 || !all_hold(checks, out) {
            for (check, valid) in checks.iter().zip(out) {
                *valid = verify_vartime(check);
            }
        }
    }
}

/// Whether all checks hold, but for those whose R is not a point. On success, the verdicts are in
/// `out`.
#[cfg_attr(not(feature = "lab"), inline)]
#[target_feature(enable = "avx512f,avx512ifma,bmi2")]
fn all_hold(checks: &[Check], out: &mut [bool]) -> bool {
    let coefficients = coefficients(checks);
    let zero = Scalar::reduce(&[0; 56]);
    let mut s = zero;
    let mut terms = Vec::new();
    let mut nonces = Vec::new();
    let groups = checks.chunks(8).zip(coefficients.chunks(8));
    for ((checks, coefficients), out) in groups.zip(out.chunks_mut(8)) {
        let mut encodings = [<Affine>::NEUTRAL.compress(); 8];
        for (encoding, check) in encodings.iter_mut().zip(checks) {
            *encoding = check.r;
        }
        let found = decompress_8(&encodings);
        let mut points = [[Affine::NEUTRAL; 8]; 2];
        let mut scalars = [[[0; 7]; 8]; 2];
        for (i, (check, z)) in checks.iter().zip(coefficients).enumerate() {
            out[i] = found[i].is_some();
            let Some(r) = found[i] else { continue };
            s = z.mul_add(&Scalar::from_words(check.s), &s);
            let zk = z.mul_add(&Scalar::from_words(check.k), &zero);
            (points[0][i], points[1][i]) = (check.a, r);
            (scalars[0][i], scalars[1][i]) = (*zk.words(), *z.words());
        }
        terms.push(Term::new(&points[0], &scalars[0]));
        nonces.push(Term::new(&points[1], &scalars[1]));
    }
    let mut sum = neutral();
    for i in (0..DIGITS).rev() {
        double_times(&mut sum, 4);
        terms.iter().for_each(|term| term.add(&mut sum, i));
        if i < COEFFICIENT_DIGITS {
            nonces.iter().for_each(|term| term.add(&mut sum, i));
        }
    }
    let [x, y, z, t] = [sum.x, sum.y, sum.z, sum.t].map(|x| eight::split(&x));
    let lane = |i: usize| Extended {
        x: x[i],
        y: y[i],
        z: z[i],
        t: t[i],
    };
    let mut total = lane(0);
    for i in 1..8 {
        kernel::add(&mut total, &lane(i).cache(), false, true);
    }
    kernel::differ_by_small_order(&total, &single::mul_base(s.words()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve448::Backend;

    /// One equation holds for good checks: where it does not, they are made one by one, to the same
    /// verdicts.
    #[test]
    #[allow(unsafe_code)] // features
    fn one_equation_holds() {
        let mut rows = Backend::available();
        if !rows.any(|backend| backend.implementation().name == "x86_ifma") {
            return;
        }
        let scalar = |number: u64| {
            let mut bytes = [0; 56];
            bytes[..8].copy_from_slice(&number.to_le_bytes());
            Scalar::reduce(&bytes)
        };
        let point = |scalar: &Scalar| Backend::portable().mul_base(scalar.words());
        let checks = (0..CHUNK as u64).map(|i| {
            let (key, nonce, k) = (scalar(i + 1), scalar(i << 40 | 99), scalar(7 * i + 3));
            Check {
                a: point(&key),
                r: point(&nonce).compress(),
                k: *k.words(),
                s: *k.mul_add(&key, &nonce).words(),
            }
        });
        let checks: Vec<_> = checks.collect();
        for (count, wrong) in [(1, 1), (8, 8), (9, 0), (CHUNK, CHUNK), (CHUNK, CHUNK - 1)] {
            let mut checks = checks[..count].to_vec();
            if let Some(check) = checks.get_mut(wrong) {
                check.s[0] ^= 1;
            }
            // SAFETY: the CPU has what the implementation needs.
            let holds = unsafe { all_hold(&checks, &mut vec![false; count]) };
            assert_eq!(holds, wrong == count, "{count}");
        }
        // What is no point has its verdict, and the others their equation.
        let mut encodings = (2..).map(|y| core::array::from_fn(|i| if i == 0 { y } else { 0 }));
        let is_none = |r: &[u8; 57]| Backend::portable().decompress_vartime(r).is_none();
        let mut checks = checks;
        checks[5].r = encodings.find(is_none).unwrap();
        let mut out = [false; CHUNK];
        // SAFETY: as above.
        assert!(unsafe { all_hold(&checks, &mut out) });
        assert!(out.iter().enumerate().all(|(i, valid)| *valid == (i != 5)));
    }

    /// Whoever knows the coefficients before the signatures can have errors cancel: all depend on
    /// every part of every check.
    #[test]
    fn coefficients_depend_on_all() {
        let all = |checks: &[Check]| -> Vec<_> {
            let all = coefficients(checks);
            all.iter().map(|z| *z.words()).collect()
        };
        let check = || Check {
            a: Affine::NEUTRAL,
            r: [0; 57],
            k: [0; 7],
            s: [0; 7],
        };
        let mut checks: Vec<_> = (0..CHUNK).map(|_| check()).collect();
        let mut seen = all(&checks);
        for i in [0, 1, CHUNK - 1] {
            for at in 0..57 {
                checks[i].r[at] ^= 1;
                seen.extend(all(&checks));
                checks[i].r[at] ^= 1;
            }
            for at in 0..7 {
                checks[i].k[at] ^= 1 << 63;
                seen.extend(all(&checks));
                checks[i].k[at] ^= 1 << 63;
                checks[i].s[at] ^= 1;
                seen.extend(all(&checks));
                checks[i].s[at] ^= 1;
            }
            checks[i].a = Backend::portable().mul_base(&[3, 0, 0, 0, 0, 0, 0]);
            seen.extend(all(&checks));
            checks[i].a = Affine::NEUTRAL;
        }
        let count = seen.len();
        let bits = |words: fn(&[u64; 2], &[u64; 2]) -> [u64; 2], from| {
            let halves = seen.iter().map(|z| [z[0], z[1]]);
            halves.fold(from, |sum, z| words(&sum, &z))
        };
        let or = |a: &[u64; 2], b: &[u64; 2]| [a[0] | b[0], a[1] | b[1]];
        let and = |a: &[u64; 2], b: &[u64; 2]| [a[0] & b[0], a[1] & b[1]];
        assert_eq!(bits(or, [0; 2]), [u64::MAX; 2]);
        assert_eq!(bits(and, [u64::MAX; 2]), [0; 2]);
        assert!(seen.iter().all(|z| z[2..] == [0; 5]));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count);
    }
}
