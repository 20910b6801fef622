//! The constants of a prime field in limbs of 52 bits, computed when the crate is compiled.

use core::marker::PhantomData;

/// Bits of a limb.
pub(super) const BITS: usize = 52;
/// The bits of a limb.
pub(super) const MASK: u64 = (1 << BITS) - 1;

/// A prime p of at most 52 L - 4 bits, and odd, with what the formulas know of the curve.
pub(in super::super) trait Prime<const L: usize>: Copy + 'static {
    /// p in 64-bit words, the lowest first.
    const P: &'static [u64];
    /// Whether the coefficient a of the curve that is computed on is 0; else it is -3.
    const A_IS_ZERO: bool;
}

/// A prime as data, for code that is there once for a number of limbs; the names are those of [`Of`].
pub(super) struct Constants<const L: usize> {
    pub(super) p: [u64; L],
    pub(super) top: usize,
    pub(super) folds: bool,
    pub(super) bound: u64,
    /// [`Of::BOUND`] times p.
    pub(super) bound_p: [u64; L],
    pub(super) full: bool,
    pub(super) quotient: u64,
    pub(super) multiples: [[u64; 16]; L],
    pub(super) one: [u64; L],
    pub(super) r2: [u64; L],
    pub(super) a_is_zero: bool,
}

/// Where sums find the constants of their prime: in [`Of`], whose code is that of one prime, or in
/// data.
pub(super) trait Arithmetic<const L: usize>: Copy {
    fn constants(self) -> &'static Constants<L>;
}

impl<F: Prime<L>, const L: usize> Arithmetic<L> for Of<F, L> {
    #[inline(always)]
    fn constants(self) -> &'static Constants<L> {
        Self::CONSTANTS
    }
}

/// A number below 2^(52 L) in limbs.
pub(super) const fn split<const L: usize>(words: &[u64]) -> [u64; L] {
    let (mut limbs, mut j) = ([0; L], 0);
    while j < L {
        let (word, shift) = (BITS * j / 64, BITS * j % 64);
        if word < words.len() {
            limbs[j] = words[word] >> shift;
        }
        if shift > 64 - BITS && word + 1 < words.len() {
            limbs[j] |= words[word + 1] << (64 - shift);
        }
        limbs[j] &= MASK;
        j += 1;
    }
    limbs
}

/// The number below 2^(64 W) in 64-bit words.
pub(super) const fn join<const L: usize, const W: usize>(limbs: &[u64; L]) -> [u64; W] {
    let (mut words, mut j) = ([0; W], 0);
    while j < L {
        let (word, shift) = (BITS * j / 64, BITS * j % 64);
        if word < W {
            words[word] |= limbs[j] << shift;
        }
        if shift > 64 - BITS && word + 1 < W {
            words[word + 1] |= limbs[j] >> (64 - shift);
        }
        j += 1;
    }
    words
}

/// The bits of a number that is not 0.
pub(super) const fn bit_length(words: &[u64]) -> usize {
    let mut i = words.len();
    while words[i - 1] == 0 {
        i -= 1;
    }
    64 * i - words[i - 1].leading_zeros() as usize
}

/// The constants of the field.
#[derive(Clone, Copy)]
pub(super) struct Of<F, const L: usize>(PhantomData<F>);

impl<F: Prime<L>, const L: usize> Of<F, L> {
    /// The prime.
    pub(super) const PRIME: Self = Of(PhantomData);
    /// As data.
    pub(super) const CONSTANTS: &'static Constants<L> = &Constants {
        p: Self::P,
        top: Self::TOP,
        folds: Self::FOLDS,
        bound: Self::BOUND,
        bound_p: {
            let (mut bound, mut j) = (Self::P, 0);
            while j < L {
                bound[j] *= Self::BOUND;
                j += 1;
            }
            bound
        },
        full: Self::FULL,
        quotient: Self::QUOTIENT,
        multiples: Self::MULTIPLES,
        one: Self::ONE,
        r2: Self::R2,
        a_is_zero: F::A_IS_ZERO,
    };
    /// The length of p.
    pub(super) const LENGTH: usize = bit_length(F::P);
    /// The bits of the highest limb: none where there is a limb more than p fills.
    pub(super) const TOP: usize = Self::LENGTH.saturating_sub(BITS * (L - 1));
    /// p.
    pub(super) const P: [u64; L] = split(F::P);
    /// Whether R is so close to p that coordinates have to be brought back under 2p.
    pub(super) const FOLDS: bool = BITS * L - Self::LENGTH < 8;
    /// What coordinates are below, in multiples of p.
    pub(super) const BOUND: u64 = if Self::FOLDS { 2 } else { 8 };

    /// -1 / p modulo 2^52, by Newton's iteration.
    pub(super) const K: u64 = {
        let (mut inverse, mut i) = (1u64, 0);
        while i < 6 {
            let error = Self::P[0].wrapping_mul(inverse);
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(error));
            i += 1;
        }
        inverse.wrapping_neg() & MASK
    };

    /// The limb above it of -1 / p modulo 2^104.
    pub(super) const K_ABOVE: u64 = {
        let p = Self::P[0] as u128 | (Self::P[1] as u128) << BITS;
        let (mut inverse, mut i) = (1u128, 0);
        while i < 7 {
            inverse = inverse.wrapping_mul(2u128.wrapping_sub(p.wrapping_mul(inverse)));
            i += 1;
        }
        (inverse.wrapping_neg() >> BITS) as u64 & MASK
    };

    /// p in digits from -2^51 to 2^51, the highest excepted.
    pub(super) const SIGNED: [i64; L] = {
        let (mut digits, mut carry, mut j) = ([0; L], 0, 0);
        while j < L {
            digits[j] = Self::P[j] as i64 + carry;
            carry = (j + 1 < L && digits[j] > 1 << (BITS - 1)) as i64;
            digits[j] -= carry << BITS;
            j += 1;
        }
        digits
    };

    /// Whether few of these digits are other than 0.
    pub(super) const SPARSE: bool = {
        let (mut count, mut j) = (0, 0);
        while j < L {
            count += (Self::SIGNED[j] != 0) as usize;
            j += 1;
        }
        count <= 4 && count < L
    };

    /// Whether a reduction may take two columns in a step: for primes of many digits.
    pub(super) const IN_PAIRS: bool = L.is_multiple_of(2) && !Self::SPARSE;

    /// Whether p's highest bits are all ones, so that a number's bits from [`Self::LENGTH`] on are
    /// its quotient by p.
    pub(super) const FULL: bool =
        Self::TOP > 20 && Self::P[L - 1] >> (Self::TOP - 20) == (1 << 20) - 1;

    /// 2^(16 + [`Self::LENGTH`]) / p, cut to an integer.
    pub(super) const QUOTIENT: u64 = {
        // p's highest 40 bits suffice for the 17 of the quotient.
        let top = (Self::P[L - 1] as u128) << BITS | Self::P[L - 2] as u128;
        (1u128 << (16 + Self::TOP + BITS)).div_euclid(top + 1) as u64
    };

    /// -i p for i from -8 to 7, modulo 16: limb by limb, as signed numbers.
    pub(super) const MULTIPLES: [[u64; 16]; L] = {
        let (mut multiples, mut j) = ([[0; 16]; L], 0);
        while j < L {
            let mut i = 0;
            while i < 16 {
                let times = if i < 8 { i as i64 } else { i as i64 - 16 };
                multiples[j][i] = (-times * Self::P[j] as i64) as u64;
                i += 1;
            }
            j += 1;
        }
        multiples
    };

    /// `a + b` modulo p, for numbers below it.
    const fn add(a: &[u64; L], b: &[u64; L]) -> [u64; L] {
        // The sum, less p if that is not negative.
        let (mut sum, mut less) = ([0; L], [0; L]);
        let (mut carry, mut borrow, mut j) = (0, 0i64, 0);
        while j < L {
            carry += a[j] + b[j];
            sum[j] = carry & MASK;
            carry >>= BITS;
            borrow += sum[j] as i64 - Self::P[j] as i64;
            less[j] = borrow as u64 & MASK;
            borrow >>= BITS;
            j += 1;
        }
        if borrow == 0 { less } else { sum }
    }

    /// `2^n x` modulo p.
    pub(super) const fn shift(mut x: [u64; L], n: usize) -> [u64; L] {
        let mut i = 0;
        while i < n {
            x = Self::add(&x, &x);
            i += 1;
        }
        x
    }

    /// `a b` modulo p.
    pub(super) const fn product(a: &[u64; L], b: &[u64; L]) -> [u64; L] {
        let (mut product, mut i) = ([0; L], Self::LENGTH);
        while i > 0 {
            i -= 1;
            product = Self::add(&product, &product);
            if b[i / BITS] >> (i % BITS) & 1 == 1 {
                product = Self::add(&product, a);
            }
        }
        product
    }

    /// `-x / 3` modulo p, for x below it.
    pub(super) const fn minus_third(x: &[u64; L]) -> [u64; L] {
        // Of p - x, 2p - x and 3p - x one is a multiple of 3.
        let mut times = 1;
        loop {
            let (mut number, mut borrow, mut j) = ([0; L], 0i64, 0);
            while j < L {
                borrow += (times * Self::P[j]) as i64 - x[j] as i64;
                number[j] = borrow as u64 & MASK;
                borrow >>= BITS;
                j += 1;
            }
            // From the highest limb on.
            let mut rest = 0;
            while j > 0 {
                j -= 1;
                let part = rest << BITS | number[j];
                (number[j], rest) = (part / 3, part % 3);
            }
            if rest == 0 {
                return number;
            }
            times += 1;
        }
    }

    /// `2^n` modulo p, for n from the length of p less one on.
    pub(super) const fn power_of_two(n: usize) -> [u64; L] {
        let (mut power, highest) = ([0; L], Self::LENGTH - 1);
        power[highest / BITS] = 1 << (highest % BITS);
        Self::shift(power, n - highest)
    }

    /// 1, which takes an element out of Montgomery's form.
    pub(super) const PLAIN_ONE: [u64; L] = split(&[1]);
    /// R = 2^(52 L): 1 in Montgomery's form.
    pub(super) const ONE: [u64; L] = Self::power_of_two(BITS * L);
    /// R^2, which takes an integer into Montgomery's form.
    pub(super) const R2: [u64; L] = Self::power_of_two(2 * BITS * L);
}
