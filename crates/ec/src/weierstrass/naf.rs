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
    fn new<const WIDTH: usize, const W: usize>(k: &[u64; W], is_negative: bool) -> Self {
        let digits = non_adjacent_vartime::<WIDTH, W>(k);
        let last = digits.iter().rposition(|&digit| digit != 0);
        Term {
            digits,
            len: last.map_or(0, |last| last + 1),
            is_negative,
            is_g: false,
            by_lambda: false,
        }
    }

    /// The terms of `k` times a point, with digits below 2^(WIDTH - 1): with an endomorphism two
    /// halves, otherwise one and nothing.
    pub(crate) fn of<const WIDTH: usize, const W: usize>(
        k: &[u64; W],
        order: &Modulus<W>,
        endomorphism: Option<&Endomorphism<W>>,
    ) -> [Self; 2] {
        match endomorphism {
            None => [
                Self::new::<WIDTH, W>(k, false),
                Self::new::<WIDTH, W>(&[0; W], false),
            ],
            Some(endomorphism) => {
                let [(k1, negative1), (k2, negative2)] =
                    (endomorphism.split)(endomorphism, k, order);
                let mut second = Self::new::<WIDTH, W>(&k2, negative2.declassify());
                second.by_lambda = true;
                [Self::new::<WIDTH, W>(&k1, negative1.declassify()), second]
            }
        }
    }
}

/// Room for the digits of a number of nine words.
const MAX_DIGITS: usize = 64 * 9 + 1;

/// The non-adjacent form: digits zero or odd, below 2^(width - 1) by absolute value, each digit
/// that is not zero followed by at least width - 1 zeros.
fn non_adjacent_vartime<const WIDTH: usize, const W: usize>(k: &[u64; W]) -> [i8; MAX_DIGITS] {
    let mut digits = [0; MAX_DIGITS];
    let (mut i, mut carry) = (0, 0);
    while i <= 64 * W {
        let (word, shift) = (i / 64, i % 64);
        let mut bits = if word < W { k[word] >> shift } else { 0 };
        if shift > 64 - WIDTH && word + 1 < W {
            bits |= k[word + 1] << (64 - shift);
        }
        if bits & 1 == carry {
            i += 1;
            continue;
        }
        let value = (bits % (1 << WIDTH) + carry) as i8;
        carry = u64::from(value >= 1 << (WIDTH - 1));
        digits[i] = if carry == 1 {
            value - (1 << WIDTH)
        } else {
            value
        };
        i += WIDTH;
    }
    digits
}
