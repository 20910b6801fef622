//! Arithmetic modulo the order of the base point, l = 2^252 + 27742317777372353535851937790883648493
//! (RFC 8032, section 5.1).
//!
//! A [`Scalar`] is four 64-bit words, least significant first, always below l. Products are
//! Montgomery's, with R = 2^256. All of it runs in constant time but the recodings named
//! `_vartime`, which are for public scalars. What users call is in `group::scalar`.

use adamant_base::Wipe;
use adamant_base::ct::{Choice, barrier};
use adamant_base::simd::from_fn;

/// The order l.
pub(super) const L: [u64; 4] = [
    0x5812_631a_5cf5_d3ed,
    0x14de_f9de_a2f7_9cd6,
    0,
    0x1000_0000_0000_0000,
];
/// -1 / l modulo 2^64.
const L_INVERSE: u64 = 0xd2b5_1da3_1254_7e1b;
const _: () = assert!(L[0].wrapping_mul(L_INVERSE) == u64::MAX);

/// 2^256 mod l and 2^512 mod l.
const R: Scalar = power_of_two(256);
const RR: Scalar = power_of_two(512);

/// An integer modulo the order of the base point, l = 2^252 + 27742317777372353535851937790883648493.
///
/// All operations run in constant time but those named `_vartime`. A scalar is a plain value; one
/// that is secret belongs into a [`Secret`](adamant_base::Secret), which wipes it.
///
/// ```
/// use adamant_ec::curve25519::Scalar;
/// let (two, three) = (Scalar::from(2), Scalar::from(3));
/// assert_eq!(two * three - Scalar::ONE, Scalar::from(5));
/// assert_eq!(three * three.invert(), Scalar::ONE);
/// ```
#[derive(Clone, Copy)]
pub struct Scalar([u64; 4]);

/// `2^exponent` mod l, by doubling: for constants, in variable time.
const fn power_of_two(exponent: u32) -> Scalar {
    let mut x = [1, 0, 0, 0];
    let mut i = 0;
    while i < exponent {
        x = sum(&x, &x);
        let (reduced, borrow) = minus_l(&x);
        if borrow == 0 {
            x = reduced;
        }
        i += 1;
    }
    Scalar(x)
}

/// `a + b`, for a sum below 2^256.
#[inline(always)]
const fn sum(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let (x0, carry) = adc(a[0], b[0], 0);
    let (x1, carry) = adc(a[1], b[1], carry);
    let (x2, carry) = adc(a[2], b[2], carry);
    let (x3, _) = adc(a[3], b[3], carry);
    [x0, x1, x2, x3]
}

/// `a + b + carry` as a word and the carry.
#[inline(always)]
const fn adc(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let t = a as u128 + b as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// `a - b - borrow` as a word and the borrow, 0 or 1.
#[inline(always)]
pub(super) const fn sbb(a: u64, b: u64, borrow: u64) -> (u64, u64) {
    let t = (a as u128)
        .wrapping_sub(b as u128)
        .wrapping_sub(borrow as u128);
    (t as u64, (t >> 64) as u64 & 1)
}

/// `a + b * c + carry` as a word and the carry.
#[inline(always)]
const fn mac(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    let t = a as u128 + b as u128 * c as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// `x - l` and the borrow, 0 or 1.
#[inline(always)]
const fn minus_l(x: &[u64; 4]) -> ([u64; 4], u64) {
    let (d0, borrow) = sbb(x[0], L[0], 0);
    let (d1, borrow) = sbb(x[1], L[1], borrow);
    let (d2, borrow) = sbb(x[2], L[2], borrow);
    let (d3, borrow) = sbb(x[3], L[3], borrow);
    ([d0, d1, d2, d3], borrow)
}

/// `x - l` if that is not negative, else `x`; for `x` below 2l.
#[inline(always)]
fn subtract_l(x: [u64; 4]) -> Scalar {
    let (d, borrow) = minus_l(&x);
    let mask = barrier(borrow.wrapping_neg());
    Scalar(from_fn(|i| d[i] ^ (mask & (d[i] ^ x[i]))))
}

/// The words of 32 bytes, least significant first.
#[inline(always)]
pub(super) fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks::<8>();
    from_fn(|i| u64::from_le_bytes(words[i]))
}

/// `a * b / 2^256` mod l, for any `a` and `b` below l (or `a` below l and any `b`).
///
/// The sum before the subtraction is below (2^256 l + 2^256 l) / 2^256 = 2l.
#[inline(always)]
fn montgomery(a: &[u64; 4], b: &[u64; 4]) -> Scalar {
    let mut t = [0u64; 5];
    for i in 0..4 {
        let mut carry = 0;
        for j in 0..4 {
            (t[j], carry) = mac(t[j], a[i], b[j], carry);
        }
        t[4] = carry;
        let q = t[0].wrapping_mul(L_INVERSE);
        let (_, mut carry) = mac(t[0], q, L[0], 0);
        for j in 1..4 {
            (t[j - 1], carry) = mac(t[j], q, L[j], carry);
        }
        (t[3], carry) = adc(t[4], carry, 0);
        debug_assert!(carry == 0);
    }
    subtract_l([t[0], t[1], t[2], t[3]])
}

impl Scalar {
    /// Zero.
    pub const ZERO: Scalar = Scalar([0; 4]);
    /// One.
    pub const ONE: Scalar = Scalar([1, 0, 0, 0]);

    /// The integer of these words, which must be below l.
    #[inline(always)]
    pub(super) const fn from_words(words: [u64; 4]) -> Scalar {
        debug_assert!(minus_l(&words).1 == 1);
        Scalar(words)
    }

    /// Whether words are below l.
    #[inline(always)]
    pub(super) fn is_canonical(x: &[u64; 4]) -> Choice {
        Choice::from_bit(minus_l(x).1)
    }

    /// `-self`.
    #[inline(always)]
    pub(super) fn minus(self) -> Scalar {
        // l - x is l for zero, which the last subtraction takes away.
        let (d0, borrow) = sbb(L[0], self.0[0], 0);
        let (d1, borrow) = sbb(L[1], self.0[1], borrow);
        let (d2, borrow) = sbb(L[2], self.0[2], borrow);
        let (d3, _) = sbb(L[3], self.0[3], borrow);
        subtract_l([d0, d1, d2, d3])
    }

    /// Reads an encoding; `None` unless the value is below l. Variable time: for the public half
    /// of a signature.
    pub(super) fn from_canonical_vartime(bytes: &[u8; 32]) -> Option<Scalar> {
        let x = words(bytes);
        let below = x.iter().rev().lt(L.iter().rev());
        below.then_some(Scalar(x))
    }

    /// The value of 32 bytes, least significant first, mod l.
    pub(super) fn reduce(bytes: &[u8; 32]) -> Scalar {
        montgomery(&words(bytes), &R.0)
    }

    /// The value of 64 bytes, least significant first, mod l.
    pub(super) fn reduce_wide(bytes: &[u8; 64]) -> Scalar {
        let (halves, _) = bytes.as_chunks::<32>();
        // low + 2^256 high = montgomery(low, R) + montgomery(high, R^2)
        Scalar::reduce(&halves[0]).add(montgomery(&words(&halves[1]), &RR.0))
    }

    /// The encoding: 32 bytes, least significant first.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 32] {
        let mut out = [0; 32];
        for (to, word) in out.as_chunks_mut::<8>().0.iter_mut().zip(self.0) {
            *to = word.to_le_bytes();
        }
        out
    }

    /// `self + other`.
    #[inline(always)]
    pub(super) fn add(self, other: Scalar) -> Scalar {
        subtract_l(sum(&self.0, &other.0))
    }

    /// `self * b + c`.
    pub(super) fn mul_add(&self, b: &Scalar, c: &Scalar) -> Scalar {
        self.mul(b).add(*c)
    }

    /// `self * b`.
    #[inline(always)]
    pub(super) fn mul(&self, b: &Scalar) -> Scalar {
        montgomery(&montgomery(&self.0, &b.0).0, &RR.0)
    }

    /// `1 / self`, and 0 for 0.
    // `self^(l - 2)`, by the exponent's digits of four bits, which are public.
    #[must_use]
    pub fn invert(&self) -> Scalar {
        let mut powers = [R; 16];
        powers[1] = montgomery(&self.0, &RR.0);
        for i in 2..16 {
            powers[i] = montgomery(&powers[i - 1].0, &powers[1].0);
        }
        let mut x = R;
        for i in (0..64).rev() {
            for _ in 0..4 {
                x = montgomery(&x.0, &x.0);
            }
            // No digit of l - 2 borrows: the last word of l ends in 0xd3ed.
            let word = L[i / 16] - if i / 16 == 0 { 2 } else { 0 };
            let digit = (word >> (4 * (i % 16)) & 15) as usize;
            if digit != 0 {
                x = montgomery(&x.0, &powers[digit].0);
            }
        }
        let result = montgomery(&x.0, &[1, 0, 0, 0]);
        powers.iter_mut().for_each(Wipe::wipe);
        x.wipe();
        result
    }

    /// The words of the value, or of l more where it is even: an odd number below 2^254.
    #[inline(always)]
    pub(super) fn odd_words(&self) -> [u64; 4] {
        let even = barrier((self.0[0] & 1).wrapping_sub(1));
        sum(&self.0, &L.map(|word| word & even))
    }

    /// The words, least significant first.
    pub(super) fn words(&self) -> &[u64; 4] {
        &self.0
    }
}

impl Wipe for Scalar {
    #[inline]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

/// Signed radix 16: digits from -8 to 8 whose sum times powers of 16 is the value of `bytes`,
/// which must be below 2^255.
///
/// Adding 8 to every digit but the top one makes the digits of a plain radix-16 number: so add
/// 0x0888...8, cut into nibbles, and take 8 away again. The top digit is at most 7 plus a carry.
#[inline(always)]
pub(super) fn radix16(bytes: &[u8; 32]) -> [i8; 64] {
    debug_assert!(bytes[31] < 0x80);
    const EIGHTS: u64 = 0x8888_8888_8888_8888;
    let x = words(bytes);
    let (x0, carry) = adc(x[0], EIGHTS, 0);
    let (x1, carry) = adc(x[1], EIGHTS, carry);
    let (x2, carry) = adc(x[2], EIGHTS, carry);
    let (x3, _) = adc(x[3], EIGHTS >> 4, carry);
    let shifted = [x0, x1, x2, x3];
    let mut digits = [0; 64];
    for (i, digit) in digits.iter_mut().enumerate() {
        *digit = (shifted[i / 16] >> (4 * (i % 16)) & 15) as i8 - 8;
    }
    digits[63] += 8;
    digits
}

/// A digit from -8 to 8 as its magnitude and, as a mask, its sign.
#[inline(always)]
pub(super) fn magnitude(digit: i8) -> (u64, u64) {
    let mask = barrier((i64::from(digit) >> 63) as u64);
    ((i64::from(digit) as u64 ^ mask).wrapping_sub(mask), mask)
}

/// Digits of `width` bits, from -2^(width - 1) to 2^(width - 1) - 1; the last has no sign.
#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn recode(scalar: &Scalar, width: usize, digits: &mut [i8]) {
    let words = scalar.words();
    let mut carry = 0;
    let last = digits.len() - 1;
    for (i, digit) in digits.iter_mut().enumerate() {
        let (word, bit) = (i * width / 64, i * width % 64);
        let mut value = words[word] >> bit;
        if bit + width > 64 && word < 3 {
            value |= words[word + 1] << (64 - bit);
        }
        let value = (value & ((1 << width) - 1)) + carry;
        carry = if i == last {
            0
        } else {
            value >> (width - 1) & 1 | value >> width
        };
        *digit = (value as i64 - ((carry as i64) << width)) as i8;
    }
}

/// Digit i of a number in the odd digits `2 b_i - (2^width - 1)`, for the `width` bits `b_i` at
/// `width * i` of these words: the place of its magnitude among the odd numbers and, as a mask, its
/// sign.
#[inline(always)]
pub(super) fn odd_digit(words: &[u64], width: usize, i: usize) -> (u64, u64) {
    let (word, shift) = (i * width / 64, i * width % 64);
    let mut digit = words[word] >> shift;
    if shift > 64 - width && word + 1 < words.len() {
        digit |= words[word + 1] << (64 - shift);
    }
    // It is negative where the top bit of b is not set.
    let sign = barrier((digit >> (width - 1) & 1).wrapping_sub(1));
    ((digit ^ sign) & ((1 << (width - 1)) - 1), sign)
}

/// Non-adjacent form of width `w`: digits that are zero or odd and below 2^(w-1) in magnitude,
/// with at least w - 1 zeros after each that is not. The value must be below 2^255. Variable
/// time: for verification only.
#[inline(always)]
pub(super) fn naf_vartime(x: &[u64; 4], w: u32) -> [i8; 256] {
    let mut digits = [0; 256];
    let mut position = 0;
    let mut carry = 0;
    while position < 256 {
        let (word, bit) = (position / 64, position % 64);
        let mut window = x[word] >> bit;
        if bit > 0 && word < 3 {
            window |= x[word + 1] << (64 - bit);
        }
        // A carry makes ones zeros and goes on above them.
        let zeros = (window ^ 0u64.wrapping_sub(carry)).trailing_zeros() as usize;
        position += zeros.min(64 - w as usize);
        if zeros > 64 - w as usize {
            continue;
        }
        let Some(digit) = digits.get_mut(position) else {
            break;
        };
        let value = (window >> zeros & ((1 << w) - 1)) + carry;
        carry = u64::from(value > 1 << (w - 1));
        *digit = (value as i64 - ((carry as i64) << w)) as i8;
        position += w as usize;
    }
    digits
}
