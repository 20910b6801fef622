//! Arithmetic modulo the order of the base point, l = 2^446 -
//! 13818066809895115352007386748515426880336692474882178609894547503885 (RFC 8032, section 5.2).
//!
//! A [`Scalar`] is seven 64-bit words, least significant first, always below l. Products are
//! Montgomery's, with R = 2^448. All of it runs in constant time but the recodings named
//! `_vartime`, which are for public scalars.

use adamant_base::Wipe;
use adamant_base::ct::barrier;
use adamant_base::simd::from_fn;

/// The words of a scalar.
pub(super) const WORDS: usize = 7;
/// Its digits of four bits.
pub(super) const DIGITS: usize = 16 * WORDS;
pub(super) type Words = [u64; WORDS];

/// The order l.
const L: Words = [
    0x2378_c292_ab58_44f3,
    0x216c_c272_8dc5_8f55,
    0xc44e_db49_aed6_3690,
    0xffff_ffff_7cca_23e9,
    u64::MAX,
    u64::MAX,
    0x3fff_ffff_ffff_ffff,
];
/// -1 / l modulo 2^64.
const L_INVERSE: u64 = 0x03bd_440f_ae91_8bc5;
const _: () = assert!(L[0].wrapping_mul(L_INVERSE) == u64::MAX);

/// 2^448, 2^896 and 2^1344 mod l.
const R: [Scalar; 3] = {
    let first = power_of_two(448);
    let second = times_two(first, 448);
    [first, second, times_two(second, 448)]
};

/// An integer below l.
#[derive(Clone, Copy)]
pub(super) struct Scalar(Words);

/// `2^exponent` mod l, by doubling: for constants, in variable time.
const fn power_of_two(exponent: u32) -> Scalar {
    times_two(Scalar([1, 0, 0, 0, 0, 0, 0]), exponent)
}

/// `2^exponent x` mod l, by doubling: for constants, in variable time.
const fn times_two(x: Scalar, exponent: u32) -> Scalar {
    let mut x = x.0;
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

/// `a + b * c + carry` as a word and the carry.
#[inline(always)]
const fn mac(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    let t = a as u128 + b as u128 * c as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// `a + b`, for a sum below 2^448.
#[inline(always)]
const fn sum(a: &Words, b: &Words) -> Words {
    let mut out = [0; WORDS];
    let mut carry = 0;
    let mut i = 0;
    while i < WORDS {
        (out[i], carry) = mac(a[i], b[i], 1, carry);
        i += 1;
    }
    out
}

/// `x - l` and the borrow, 0 or 1.
#[inline(always)]
const fn minus_l(x: &Words) -> (Words, u64) {
    let mut out = [0; WORDS];
    let mut borrow = 0;
    let mut i = 0;
    while i < WORDS {
        let t = (x[i] as u128)
            .wrapping_sub(L[i] as u128)
            .wrapping_sub(borrow as u128);
        out[i] = t as u64;
        borrow = (t >> 64) as u64 & 1;
        i += 1;
    }
    (out, borrow)
}

/// `x - l` if that is not negative, else `x`; for `x` below 2l.
#[inline(always)]
fn subtract_l(x: Words) -> Scalar {
    let (d, borrow) = minus_l(&x);
    let mask = barrier(borrow.wrapping_neg());
    Scalar(from_fn(|i| d[i] ^ (mask & (d[i] ^ x[i]))))
}

/// The words of 56 bytes, least significant first.
#[inline(always)]
pub(super) fn words(bytes: &[u8; 56]) -> Words {
    let (words, _) = bytes.as_chunks::<8>();
    from_fn(|i| u64::from_le_bytes(words[i]))
}

/// `a * b / 2^448` mod l, for `b` below l and any `a`.
///
/// The sum before the subtraction is below (2^448 l + 2^448 l) / 2^448 = 2l.
#[inline(always)]
fn montgomery(a: &Words, b: &Words) -> Scalar {
    let mut t = [0u64; WORDS + 1];
    for &a in a {
        let mut carry = 0;
        for j in 0..WORDS {
            (t[j], carry) = mac(t[j], a, b[j], carry);
        }
        t[WORDS] = carry;
        let q = t[0].wrapping_mul(L_INVERSE);
        let (_, mut carry) = mac(t[0], q, L[0], 0);
        for j in 1..WORDS {
            (t[j - 1], carry) = mac(t[j], q, L[j], carry);
        }
        (t[WORDS - 1], carry) = mac(t[WORDS], 1, carry, 0);
        debug_assert!(carry == 0);
    }
    subtract_l(from_fn(|i| t[i]))
}

impl Scalar {
    /// Reads an encoding; `None` unless the value is below l. Variable time: for the public half
    /// of a signature.
    pub(super) fn from_canonical_vartime(bytes: &[u8; 57]) -> Option<Scalar> {
        let (low, high) = bytes.split_first_chunk::<56>()?;
        let x = words(low);
        let below = x.iter().rev().lt(L.iter().rev());
        (below && high == [0]).then_some(Scalar(x))
    }

    /// The scalar of these words, which must be below l.
    pub(super) fn from_words(words: Words) -> Scalar {
        debug_assert!(minus_l(&words).1 == 1);
        Scalar(words)
    }

    /// The value of 56 bytes, least significant first, mod l.
    pub(super) fn reduce(bytes: &[u8; 56]) -> Scalar {
        montgomery(&words(bytes), &R[0].0)
    }

    /// The value of 114 bytes, least significant first, mod l.
    pub(super) fn reduce_wide(bytes: &[u8; 114]) -> Scalar {
        let (parts, rest) = bytes.as_chunks::<56>();
        let mut last = [0; 56];
        last[..2].copy_from_slice(rest);
        let mut sum = Scalar::reduce(&parts[0]);
        for (part, power) in [parts[1], last].iter().zip(&R[1..]) {
            sum = sum.add(montgomery(&words(part), &power.0));
        }
        last.wipe();
        sum
    }

    /// The encoding, least significant byte first; the last byte is always 0.
    pub(super) fn to_bytes(self) -> [u8; 57] {
        let mut out = [0; 57];
        for (to, word) in out.as_chunks_mut::<8>().0.iter_mut().zip(self.0) {
            *to = word.to_le_bytes();
        }
        out
    }

    /// `self + other`.
    #[inline(always)]
    fn add(self, other: Scalar) -> Scalar {
        subtract_l(sum(&self.0, &other.0))
    }

    /// `self * b + c`.
    pub(super) fn mul_add(&self, b: &Scalar, c: &Scalar) -> Scalar {
        montgomery(&montgomery(&self.0, &b.0).0, &R[1].0).add(*c)
    }

    /// The words, least significant first.
    pub(super) fn words(&self) -> &Words {
        &self.0
    }
}

impl Wipe for Scalar {
    #[inline]
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

/// Signed radix 16: digits from -8 to 7, but up to 8 at the top, whose sum times powers of 16 is
/// the value, which must be below 2^447.
#[inline(always)]
pub(super) fn radix16(x: &Words) -> [i8; DIGITS] {
    let mut biased = biased16(x);
    let mut digits = [0; DIGITS];
    for (i, digit) in digits.iter_mut().enumerate() {
        *digit = (biased[i / 16] >> (4 * (i % 16)) & 15) as i8 - 8;
    }
    digits[DIGITS - 1] += 8;
    biased.wipe();
    digits
}

/// The value, which must be below 2^447, with 8 added to every digit of [`radix16`] but the top
/// one, so that these are the digits of a plain radix-16 number: cut into nibbles, and 8 taken
/// away again, they are signed. The top digit is at most 7 plus a carry.
#[inline(always)]
pub(super) fn biased16(x: &Words) -> Words {
    debug_assert!(x[WORDS - 1] >> 63 == 0);
    let mut eights = [0x8888_8888_8888_8888; WORDS];
    eights[WORDS - 1] >>= 4;
    sum(x, &eights)
}

/// A digit from -8 to 8 as its magnitude and, as a mask, its sign.
#[inline(always)]
pub(super) fn magnitude(digit: i8) -> (u64, u64) {
    let mask = barrier((i64::from(digit) >> 63) as u64);
    ((i64::from(digit) as u64 ^ mask).wrapping_sub(mask), mask)
}

/// Non-adjacent form of width `w`: digits that are zero or odd and below 2^(w-1) in magnitude,
/// with at least w - 1 zeros after each that is not. The value must be below 2^447. Variable
/// time: for verification only.
#[inline(always)]
pub(super) fn naf_vartime(x: &Words, w: u32) -> [i8; 64 * WORDS] {
    let mut digits = [0; 64 * WORDS];
    let mut position = 0;
    let mut carry = 0;
    while position < digits.len() {
        let (word, bit) = (position / 64, position % 64);
        let mut window = x[word] >> bit;
        if bit > 64 - w as usize && word + 1 < WORDS {
            window |= x[word + 1] << (64 - bit);
        }
        let value = (window & ((1 << w) - 1)) + carry;
        if value & 1 == 0 {
            // The carry stays: it meets the same parity at the next position.
            position += 1;
            continue;
        }
        carry = u64::from(value > 1 << (w - 1));
        digits[position] = (value as i64 - ((carry as i64) << w)) as i8;
        position += w as usize;
    }
    digits
}
