//! Arithmetic modulo an odd number of `W` words: for scalars on every curve, and for the fields of
//! those that have no better.
//!
//! Residues are in Montgomery's form, x * 2^(64 W) mod m, and always below m. Everything but what is
//! named `_vartime` takes the same time for every value.

#[cfg(target_arch = "aarch64")]
use super::arm_mul::any;
use super::small::Ring;
#[cfg(not(target_arch = "aarch64"))]
use super::words::By64;
use super::words::{Product, adc, add, is_zero, one, sub};
#[cfg(not(feature = "small"))]
use crate::invert::{self, Divisor};
use crate::limbs::bits;
use adamant_base::Secret;
use adamant_base::ct::{Choice, barrier};

/// An odd number and what arithmetic modulo it needs.
pub(crate) struct Modulus<const W: usize> {
    /// The number.
    pub(crate) words: [u64; W],
    /// Its length.
    pub(crate) bits: usize,
    /// 1 in Montgomery's form.
    pub(crate) one: [u64; W],
    /// 2^(128 W), which takes an integer into Montgomery's form.
    pub(crate) r2: [u64; W],
    /// -1 / m mod 2^64.
    pub(crate) n0: u64,
    #[cfg(not(feature = "small"))]
    divisor: Divisor,
}

impl<const W: usize> Modulus<W> {
    /// Prepares an odd number above 1.
    pub(crate) const fn new(words: &[u64; W]) -> Self {
        assert!(words[0] & 1 == 1);
        // Newton's iteration: an odd number is its own inverse mod 8, and each round doubles the
        // number of right bits.
        let (mut inverse, mut round) = (words[0], 0);
        while round < 5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(words[0].wrapping_mul(inverse)));
            round += 1;
        }
        let n0 = inverse.wrapping_neg();
        // From 2^(bits - 1), which is below the number, to R = 2^(64 W).
        let bits = bits(words);
        let (mut power, mut i) = ([0; W], bits - 1);
        power[i / 64] = 1 << (i % 64);
        while i < 64 * W {
            power = twice(&power, words);
            i += 1;
        }
        let r = power;
        // From R to 2^W R, whose 64th power in Montgomery's form is R^2.
        while i < 65 * W {
            power = twice(&power, words);
            i += 1;
        }
        while i < 65 * W + 6 {
            power = product(&power, &power, words, n0);
            i += 1;
        }
        Modulus {
            words: *words,
            bits,
            one: r,
            r2: power,
            n0,
            #[cfg(not(feature = "small"))]
            divisor: Divisor::new(words, inverse),
        }
    }

    /// The number for arithmetic on slices.
    pub(crate) fn ring(&self) -> Ring<'_> {
        Ring {
            m: &self.words,
            n0: self.n0,
        }
    }

    /// `x`, with this bit above it, less m if it is not below m; `x < 2m`.
    #[inline(always)]
    pub(crate) fn reduce_once(&self, (mut x, carry): ([u64; W], bool)) -> [u64; W] {
        if cfg!(feature = "small") {
            self.ring().reduce_once(&mut x, u64::from(carry));
            return x;
        }
        let (less, borrow) = sub(&x, &self.words);
        let mask = barrier(u64::from(borrow & !carry).wrapping_neg());
        add(&less, &self.words.map(|word| word & mask)).0
    }

    /// `x` mod m, for any number below 2m.
    #[inline(always)]
    pub(crate) fn reduce(&self, x: &[u64; W]) -> [u64; W] {
        self.reduce_once((*x, false))
    }

    /// Whether `x` is below m.
    pub(crate) fn is_above(&self, x: &[u64; W]) -> Choice {
        Choice::from_bit(u64::from(sub(x, &self.words).1))
    }

    /// Whether `x` is from 1 to m - 1.
    pub(crate) fn is_above_and_not_zero(&self, x: &[u64; W]) -> Choice {
        self.is_above(x).and(!is_zero(x))
    }

    /// `a + b` mod m.
    #[inline(always)]
    pub(crate) fn add(&self, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        if cfg!(feature = "small") {
            let mut sum = *a;
            self.ring().add(&mut sum, b);
            return sum;
        }
        self.reduce_once(add(a, b))
    }

    /// `a - b` mod m.
    #[inline(always)]
    pub(crate) fn sub(&self, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        if cfg!(feature = "small") {
            let mut difference = *a;
            self.ring().sub(&mut difference, b);
            return difference;
        }
        let (difference, borrow) = sub(a, b);
        let mask = barrier(u64::from(borrow).wrapping_neg());
        add(&difference, &self.words.map(|word| word & mask)).0
    }

    /// `a b / 2^(64 W)` mod m: of two residues, or of a residue and an integer, which gives an
    /// integer.
    #[inline(never)]
    pub(crate) fn mul(&self, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        if cfg!(feature = "small") {
            let mut product = [0; W];
            self.ring().mul(&mut product, a, b);
            return product;
        }
        #[cfg(target_arch = "aarch64")]
        return any::multiply(self, a, b);
        #[cfg(not(target_arch = "aarch64"))]
        self.mul_inline::<By64>(a, b)
    }

    /// [`Modulus::mul`], computed by the compiler.
    pub(crate) const fn mul_const(&self, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        product(a, b, &self.words, self.n0)
    }

    /// [`Modulus::mul`], to be compiled with the features and the constants of the caller.
    #[inline(always)]
    pub(crate) fn mul_inline<M: Product>(&self, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        let (low, high) = M::wide(a, b);
        self.montgomery::<M>(low, &high)
    }

    /// `a^2 / 2^(64 W)` mod m.
    #[cfg_attr(not(feature = "small"), inline(never))]
    pub(crate) fn square(&self, a: &[u64; W]) -> [u64; W] {
        if cfg!(feature = "small") {
            return self.mul(a, a);
        }
        #[cfg(target_arch = "aarch64")]
        return any::square(self, a);
        #[cfg(not(target_arch = "aarch64"))]
        self.square_inline::<By64>(a)
    }

    /// [`Modulus::square`], to be compiled with the features and the constants of the caller.
    #[inline(always)]
    pub(crate) fn square_inline<M: Product>(&self, a: &[u64; W]) -> [u64; W] {
        let (low, high) = M::wide_square(a);
        self.montgomery::<M>(low, &high)
    }

    /// [`Modulus::mul`] by such products of words, and nothing that the compiler could know of m:
    /// the same instructions serve every modulus of this length.
    #[cfg(feature = "lab")]
    #[inline(never)]
    pub(crate) fn mul_generic<M: Product>(&self, a: &[u64; W], b: &[u64; W]) -> [u64; W] {
        core::hint::black_box(self).mul_inline::<M>(a, b)
    }

    /// [`Modulus::square`] in the same way.
    #[cfg(feature = "lab")]
    #[inline(never)]
    pub(crate) fn square_generic<M: Product>(&self, a: &[u64; W]) -> [u64; W] {
        core::hint::black_box(self).square_inline::<M>(a)
    }

    /// `t / 2^(64 W)` mod m, for `t < 2^(64 W) m`.
    #[inline(always)]
    fn montgomery<M: Product>(&self, mut low: [u64; W], high: &[u64; W]) -> [u64; W] {
        for _ in 0..W {
            // Clears the lowest word and drops it; what is left stays below 2^(64 W), and is at
            // most m in the end.
            let (t, top) = mul_add_row::<M, W>(&low, &self.words, M::mul_low(low[0], self.n0));
            low = shift_in(&t, top);
        }
        self.reduce_once(add(&low, high))
    }

    /// The residue of an integer below m.
    pub(crate) fn to_residue(&self, x: &[u64; W]) -> [u64; W] {
        self.mul(x, &self.r2)
    }

    /// The integer of a residue.
    pub(crate) fn to_integer(&self, x: &[u64; W]) -> [u64; W] {
        self.mul(x, &one())
    }

    /// `scale / x`, both below m; 0 for 0.
    pub(crate) fn divide(&self, scale: &[u64; W], x: &[u64; W]) -> [u64; W] {
        #[cfg(not(feature = "small"))]
        return invert::divide(scale, x, &self.divisor);
        #[cfg(feature = "small")]
        {
            let mut inverse = Secret::new([0; W]);
            self.ring().invert(&mut *inverse, x, &self.one);
            self.to_integer(&self.mul(scale, &inverse))
        }
    }

    /// [`Modulus::divide`], in a time that depends on the values.
    pub(crate) fn divide_vartime(&self, scale: &[u64; W], x: &[u64; W]) -> [u64; W] {
        #[cfg(not(feature = "small"))]
        return invert::divide_vartime(scale, x, &self.divisor);
        #[cfg(feature = "small")]
        self.divide(scale, x)
    }

    /// The residues of the inverses of integers, with one inversion for all; none may be 0.
    pub(crate) fn invert_all(&self, xs: &[[u64; W]], inverses: &mut [[u64; W]]) {
        // The inverse of each is that of the product up to it, times the product before it.
        let mut product = Secret::new(self.one);
        for (before, x) in inverses.iter_mut().zip(xs) {
            *before = *product;
            *product = self.mul(&product, &self.to_residue(x));
        }
        // The residue p of the product gives 2^(128 W) / p, the residue of its inverse.
        let mut inverse = Secret::new(self.divide(&self.r2, &product));
        for (before, x) in inverses.iter_mut().zip(xs).rev() {
            *before = self.mul(&inverse, before);
            *inverse = self.mul(&inverse, &self.to_residue(x));
        }
    }
}

/// `2 x` mod m, computed by the compiler.
const fn twice<const W: usize>(x: &[u64; W], m: &[u64; W]) -> [u64; W] {
    less_once(add(x, x), m)
}

/// `x y / 2^(64 W)` mod m, computed by the compiler: what the product of two residues is.
const fn product<const W: usize>(x: &[u64; W], y: &[u64; W], m: &[u64; W], n0: u64) -> [u64; W] {
    let (mut sum, mut top, mut i) = ([0u64; W], 0u64, 0);
    while i < W {
        // Adds x times a word of y and what clears the lowest word, and drops that.
        let factor = sum[0]
            .wrapping_add(x[0].wrapping_mul(y[i]))
            .wrapping_mul(n0);
        let (mut first, mut second, mut j) = (0, 0, 0);
        while j < W {
            first += sum[j] as u128 + x[j] as u128 * y[i] as u128;
            second += first as u64 as u128 + m[j] as u128 * factor as u128;
            if j > 0 {
                sum[j - 1] = second as u64;
            }
            (first, second, j) = (first >> 64, second >> 64, j + 1);
        }
        let above = first + second + top as u128;
        (sum[W - 1], top) = (above as u64, (above >> 64) as u64);
        i += 1;
    }
    less_once((sum, top == 1), m)
}

/// A number below 2m, with this bit above it, mod m.
const fn less_once<const W: usize>((x, carry): ([u64; W], bool), m: &[u64; W]) -> [u64; W] {
    let (less, borrow) = sub(&x, m);
    if borrow && !carry { x } else { less }
}

/// A row without its lowest word, and the word above it.
#[inline(always)]
fn shift_in<const W: usize>(t: &[u64; W], top: u64) -> [u64; W] {
    let mut shifted = [top; W];
    shifted[..W - 1].copy_from_slice(&t[1..]);
    shifted
}

/// `t + a * b`: `W` words and the one above.
///
/// One chain of carries for the low halves and one for the high halves, which compiles to runs of
/// add-with-carry.
#[inline(always)]
pub(crate) fn mul_add_row<M: Product, const W: usize>(
    t: &[u64; W],
    a: &[u64; W],
    b: u64,
) -> ([u64; W], u64) {
    let (mut low, mut high) = ([0; W], [0; W]);
    for i in 0..W {
        (low[i], high[i]) = M::mul(a[i], b);
    }
    let (mut sum, carry) = add(t, &low);
    let (mut top, _) = adc(high[W - 1], 0, carry); // a product's high word is below 2^64 - 1
    let mut carry = false;
    for i in 1..W {
        (sum[i], carry) = adc(sum[i], high[i - 1], carry);
    }
    (top, _) = adc(top, 0, carry); // t + a * b < 2^(64 W + 64)
    (sum, top)
}

/// The product: its lower and its upper half.
#[inline(always)]
pub(crate) fn mul_wide<M: Product, const W: usize>(
    a: &[u64; W],
    b: &[u64; W],
) -> ([u64; W], [u64; W]) {
    let (mut low, mut t) = ([0; W], [0; W]);
    for i in 0..W {
        let (sum, top) = mul_add_row::<M, W>(&t, a, b[i]);
        low[i] = sum[0];
        t = shift_in(&sum, top);
    }
    (low, t)
}

/// The square: each product of two different words once, doubled, and the squares of the words.
#[inline(always)]
pub(crate) fn square_wide<M: Product, const W: usize>(a: &[u64; W]) -> ([u64; W], [u64; W]) {
    let mut halves = [[0u64; W]; 2];
    let t = halves.as_flattened_mut();
    for i in 0..W {
        let mut top = 0;
        let mut carry = false;
        for j in 0..W {
            if j > i {
                let (lo, hi) = M::mul(a[i], a[j]);
                let (lo, c) = adc(lo, top, carry);
                let (sum, d) = adc(t[i + j], lo, false);
                (t[i + j], top, carry) = (sum, hi, c);
                // Both carries go into the next word: hi is below 2^64 - 1.
                top += u64::from(d);
            }
        }
        t[i + W] = top + u64::from(carry);
    }
    let mut carry = false;
    let mut above = 0; // the bit shifted out of the word before
    for i in 0..W {
        let (lo, hi) = M::mul(a[i], a[i]);
        let (even, odd) = (t[2 * i], t[2 * i + 1]);
        let c;
        (t[2 * i], c) = adc(even << 1 | above, lo, carry);
        (t[2 * i + 1], carry) = adc(odd << 1 | even >> 63, hi, c);
        above = odd >> 63;
    }
    let [low, high] = halves;
    (low, high)
}
