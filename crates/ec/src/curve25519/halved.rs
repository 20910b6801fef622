//! Verification with scalars of half the length.
//!
//! The difference T = [S]B - R - [k]A is on a curve of 8l points. An odd v that l does not divide has
//! an inverse modulo 8l, so T and [v]T are the neutral point, or of small order, at the same time.
//! With u = v k mod 8l, and as l B is the neutral point,
//!
//! `[v]T = [v S mod l]B - [v]R - [u]A`,
//!
//! where u and v are found to be of about 128 bits: then half of the doublings are left. The idea is
//! that of Antipa, Brown, Gallant, Lambert, Struik and Vanstone ("Accelerated Verification of ECDSA
//! Signatures", 2005); that u is to be congruent modulo 8l, not l, for equations without the cofactor
//! to stay what they are, is Pornin's ("Optimized Lattice Basis Reduction in Dimension 2, and Fast
//! Schnorr and EdDSA Signature Verification", 2020).
//!
//! Euclid's algorithm on 8l and k goes through remainders r with factors t, r = t k mod 8l but for
//! the sign, of which two in a row have |t r'| + |t' r| = 8l; it is broken off where they are of the
//! same size. Several steps at once are done on the leading 64 bits: Lehmer's method with the
//! condition of Jebelean ("A Double-Digit Lehmer-Euclid Algorithm for Finding the GCD of Long
//! Integers", 1995).

use super::scalar::{L, Scalar, sbb};

/// What [v]T is computed with. Everything is public.
pub(super) struct Halved {
    /// Of about 128 bits, seldom more.
    pub(super) u: Scalar,
    /// Whether it is -u that is `v k` mod 8l.
    pub(super) minus: bool,
    /// Odd, below 2^128.
    pub(super) v: Scalar,
    /// v S mod l.
    pub(super) s: Scalar,
}

impl Halved {
    /// For k and S below l. Variable time.
    #[inline(never)] // Its stack is free where sums begin.
    pub(super) fn new(k: &[u64; 4], s: &[u64; 4]) -> Halved {
        let (u, v, minus) = shorten(k);
        let v = Scalar::from_words([v as u64, (v >> 64) as u64, 0, 0]);
        Halved {
            u: Scalar::from_words(u),
            minus,
            v,
            s: v.mul(&Scalar::from_words(*s)),
        }
    }

    /// The lower 128 bits of s, and the others.
    pub(super) fn parts(&self) -> [[u64; 4]; 2] {
        let [a, b, c, d] = *self.s.words();
        [[a, b, 0, 0], [c, d, 0, 0]]
    }
}

/// 8l.
const L8: [u64; 4] = shifted(&L, 3);

/// `x 2^n`, which must be below 2^256.
const fn shifted(x: &[u64; 4], n: u32) -> [u64; 4] {
    let (words, n) = ((n / 64) as usize, n % 64);
    let mut out = [0; 4];
    let mut i = words;
    while i < 4 {
        out[i] = x[i - words] << n;
        if n > 0 && i > words {
            out[i] |= x[i - words - 1] >> (64 - n);
        }
        i += 1;
    }
    out
}

/// The bits of a number.
fn bits(x: &[u64; 4]) -> u32 {
    let top = x.iter().rposition(|word| *word != 0);
    top.map_or(0, |i| 64 * (i as u32 + 1) - x[i].leading_zeros())
}

/// 64 bits from bit n on, which is below 193.
fn window(x: &[u64; 4], n: u32) -> u64 {
    let (word, n) = ((n / 64) as usize, n % 64);
    let pair = u128::from(x[word]) | u128::from(*x.get(word + 1).unwrap_or(&0)) << 64;
    (pair >> n) as u64
}

/// `a - b`, unless that is negative.
fn difference(a: &[u64; 4], b: &[u64; 4]) -> Option<[u64; 4]> {
    let mut out = [0; 4];
    let mut borrow = 0;
    for (i, out) in out.iter_mut().enumerate() {
        (*out, borrow) = sbb(a[i], b[i], borrow);
    }
    (borrow == 0).then_some(out)
}

/// `a x - b y`, which must be at least 0 and below 2^256; a and b below 2^62.
fn combination(a: u64, x: &[u64; 4], b: u64, y: &[u64; 4]) -> [u64; 4] {
    let mut carry = 0;
    core::array::from_fn(|i| {
        let product = |a: u64, x: u64| (u128::from(a) * u128::from(x)) as i128;
        carry += product(a, x[i]) - product(b, y[i]);
        let word = carry as u64;
        carry >>= 64;
        word
    })
}

/// Two remainders in a row, the second the smaller, and their factors.
struct Euclid {
    r: [[u64; 4]; 2],
    t: [u128; 2],
    /// Whether the second remainder is `-t k` mod 8l; for the first it is the other way round.
    minus: bool,
}

impl Euclid {
    /// The steps that the leading 64 bits tell, while remainders stay above 2^128; whether there is
    /// one.
    fn several(&mut self) -> bool {
        let below = bits(&self.r[0]) - 64;
        let [mut x, mut y] = [0, 1].map(|i| window(&self.r[i], below));
        let least = if below < 128 { 1 << (128 - below) } else { 1 };
        let ([mut a, mut b], [mut c, mut d]) = ([1, 0], [0, 1]);
        let mut minus = false;
        while let Some(quotient) = x.checked_div(y) {
            let rest = x - quotient * y;
            // y d + x b stays below 2^64, so nothing overflows.
            let (e, f) = (a + quotient * c, b + quotient * d);
            if rest < least.max(f) || y - rest < d + f {
                break;
            }
            (x, y) = (y, rest);
            ([a, b], [c, d]) = ([c, d], [e, f]);
            minus = !minus;
        }
        if b == 0 {
            return false;
        }
        let [r0, r1] = &self.r;
        // The remainders are a r0 - b r1 and d r1 - c r0, or the opposite.
        self.r = if minus {
            [combination(b, r1, a, r0), combination(c, r0, d, r1)]
        } else {
            [combination(a, r0, b, r1), combination(d, r1, c, r0)]
        };
        let [t0, t1] = self.t;
        let sum = |a: u64, b: u64| u128::from(a) * t0 + u128::from(b) * t1;
        self.t = [sum(a, b), sum(c, d)];
        self.minus ^= minus;
        true
    }

    /// Takes the second remainder from the first as often as it is in there, as the first has more
    /// than this many bits, and as the factor has room.
    fn subtract(&mut self, most: u32) {
        let [r0, r1] = &mut self.r;
        let [t0, t1] = &mut self.t;
        let shift = bits(r0).saturating_sub(bits(r1));
        for shift in (0..=shift.min(t1.leading_zeros())).rev() {
            if bits(r0) <= most {
                return;
            }
            let rest = difference(r0, &shifted(r1, shift));
            if let (Some(rest), Some(t)) = (rest, t0.checked_add(*t1 << shift)) {
                (*r0, *t0) = (rest, t);
            }
        }
    }
}

/// u, an odd v below 2^128, and whether u or -u is `v k` mod 8l. For k below l, as u then is.
fn shorten(k: &[u64; 4]) -> ([u64; 4], u128, bool) {
    let mut state = Euclid {
        r: [L8, *k],
        t: [0, 1],
        minus: false,
    };
    // The first remainder stays above 2^128, so that no factor is.
    while state.r[1][2..] != [0; 2] {
        if !state.several() {
            state.subtract(0);
            state.r.swap(0, 1);
            state.t.swap(0, 1);
            state.minus = !state.minus;
        }
    }
    if state.t[1] % 2 == 1 {
        return (state.r[1], state.t[1], state.minus);
    }
    // Two factors in a row have no common divisor: this one is odd.
    state.subtract(128);
    (state.r[0], state.t[0], !state.minus)
}
