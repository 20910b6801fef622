//! Public scalars in non-adjacent form.

use super::endomorphism::Endomorphism;
use super::modulus::Modulus;

/// A public multiple of a point in a sum of several.
pub(crate) struct Term {
    /// Its scalar in non-adjacent form.
    pub(crate) digits: [i8; MAX_DIGITS],
    /// How many digits there are.
    pub(crate) len: usize,
    /// The scalar counts negative.
    pub(crate) is_negative: bool,
    /// The point is G.
    pub(super) is_g: bool,
    /// The point is first multiplied by lambda.
    pub(crate) by_lambda: bool,
}

impl Term {
    fn new(k: &[u64], width: usize, is_negative: bool) -> Self {
        let digits = non_adjacent_vartime(k, width);
        let last = digits.iter().rposition(|&digit| digit != 0);
        Term {
            digits,
            len: last.map_or(0, |last| last + 1),
            is_negative,
            is_g: false,
            by_lambda: false,
        }
    }

    /// The terms of `k` times a point, with digits below 2^(width - 1): with an endomorphism two
    /// halves, otherwise one and nothing.
    pub(crate) fn of<const W: usize>(
        k: &[u64; W],
        width: usize,
        order: &Modulus<W>,
        endomorphism: Option<&Endomorphism<W>>,
    ) -> [Self; 2] {
        match endomorphism {
            None => [Self::new(k, width, false), Self::new(&[0; W], width, false)],
            Some(endomorphism) => {
                let [(k1, negative1), (k2, negative2)] =
                    (endomorphism.split)(endomorphism, k, order);
                let mut second = Self::new(&*k2, width, negative2.declassify());
                second.by_lambda = true;
                [Self::new(&*k1, width, negative1.declassify()), second]
            }
        }
    }
}

/// Room for the digits of a number of nine words.
const MAX_DIGITS: usize = 64 * 9 + 1;

/// The non-adjacent form: digits zero or odd, below 2^(width - 1) by absolute value, each digit
/// that is not zero followed by at least width - 1 zeros.
#[inline(never)]
fn non_adjacent_vartime(k: &[u64], width: usize) -> [i8; MAX_DIGITS] {
    let word = |i| k.get(i).copied().unwrap_or(0);
    let mut digits = [0; MAX_DIGITS];
    let (mut i, mut carry) = (0, 0);
    while i <= 64 * k.len() {
        // The 64 bits from this place on. Two shifts, as one by 64 is none.
        let shift = i % 64;
        let bits = word(i / 64) >> shift | word(i / 64 + 1) << 1 << (63 - shift);
        // Those that are as the carry give zeros.
        let zeros = (bits ^ u64::wrapping_neg(carry)).trailing_zeros();
        if zeros > 0 {
            i += zeros as usize;
            continue;
        }
        let value = (bits % (1 << width) + carry) as i8;
        carry = u64::from(value >= 1 << (width - 1));
        digits[i] = if carry == 1 {
            value - (1 << width)
        } else {
            value
        };
        i += width;
    }
    digits
}
