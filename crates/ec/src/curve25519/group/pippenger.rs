//! How the scalars of a large sum are cut into digits.

use super::super::scalar::Scalar;
use alloc::vec::Vec;

/// From as many points on, words take buckets instead of tables.
pub(in crate::curve25519) const FROM: usize = 160;

/// The bits of a digit that words take.
#[cfg_attr(not(feature = "lab"), inline)]
pub(in crate::curve25519) fn width(points: usize) -> u32 {
    match points {
        0..400 => 6,
        400..1000 => 7,
        1000..4000 => 8,
        4000..16000 => 10,
        _ => 12,
    }
}

/// Signed digits of all scalars of a sum.
pub(in crate::curve25519) struct Plan {
    width: u32,
    windows: usize,
    /// A digit of each scalar, from -2^(width - 1) to 2^(width - 1), window by window.
    digits: Vec<i16>,
    points: usize,
}

impl Plan {
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(in crate::curve25519) fn new(scalars: &[Scalar], width: u32) -> Plan {
        let points = scalars.len();
        // One bit more than a scalar has, for the last carry.
        let windows = 254usize.div_ceil(width as usize);
        let mut digits = alloc::vec![0; windows * points];
        for (i, scalar) in scalars.iter().enumerate() {
            let words = scalar.words();
            let mut carry = 0;
            for window in 0..windows {
                let (word, bit) = (window * width as usize / 64, window * width as usize % 64);
                let mut value = words[word] >> bit;
                if bit + width as usize > 64 && word < 3 {
                    value |= words[word + 1] << (64 - bit);
                }
                let digit = (value & ((1 << width) - 1)) + carry;
                carry = u64::from(digit > 1 << (width - 1));
                digits[window * points + i] = (digit as i64 - ((carry as i64) << width)) as i16;
            }
        }
        Plan {
            width,
            windows,
            digits,
            points,
        }
    }

    /// The bits of a digit.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(in crate::curve25519) fn width(&self) -> u32 {
        self.width
    }

    /// The digits of a scalar.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(in crate::curve25519) fn windows(&self) -> usize {
        self.windows
    }

    /// The magnitudes that a digit may have, but zero.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(in crate::curve25519) fn buckets(&self) -> usize {
        1 << (self.width - 1)
    }

    /// The digit of each scalar in this window.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(in crate::curve25519) fn digits(&self, window: usize) -> impl Iterator<Item = i16> + Clone {
        self.digits[window * self.points..][..self.points]
            .iter()
            .copied()
    }
}
