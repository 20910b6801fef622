//! Tables of multiples of a point that is used often.

use super::super::edwards::{Extended, Niels};
use super::super::scalar::{Scalar, words};
use super::{Backend, EdwardsPoint};
use adamant_base::Secret;
use alloc::vec::Vec;

/// How much memory a [`FixedBase`] takes. Larger tables need fewer sums, and longer scans: every
/// entry of a row is read, as the scalar is secret. The scans win in the end, the sooner the faster
/// sums are: on AVX-512 IFMA the smallest table is as fast as any, without vectors that of 96 or
/// 161 KB, and where multiplications take 32 or 16 bits the largest
/// (`adamant speed 'edwards25519/mul-base-*' --backend all`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSize {
    /// 60 KB: 64 digits of 4 bits.
    Kib60,
    /// 96 KB: 51 digits of 5 bits.
    Kib96,
    /// 161 KB: 43 digits of 6 bits.
    Kib161,
    /// 278 KB: 37 digits of 7 bits.
    Kib278,
    /// 480 KB: 32 digits of 8 bits.
    Kib480,
}

impl TableSize {
    /// Every size, the smallest first.
    pub const ALL: [TableSize; 5] = [
        TableSize::Kib60,
        TableSize::Kib96,
        TableSize::Kib161,
        TableSize::Kib278,
        TableSize::Kib480,
    ];

    /// The bits of a digit.
    #[cfg_attr(not(feature = "lab"), inline)]
    fn width(self) -> usize {
        match self {
            TableSize::Kib60 => 4,
            TableSize::Kib96 => 5,
            TableSize::Kib161 => 6,
            TableSize::Kib278 => 7,
            TableSize::Kib480 => 8,
        }
    }

    /// The digits of a scalar, below 2^253: the last may be larger by a carry.
    #[cfg_attr(not(feature = "lab"), inline)]
    fn digits(self) -> usize {
        253usize.div_ceil(self.width())
    }
}

/// A point with a table of its multiples: its products are several times faster, and take constant
/// time.
///
/// The base point has a table of 30 KB without this ([`EdwardsPoint::mul_base`]), and any point
/// can be multiplied without one.
///
/// ```
/// use adamant_ec::curve25519::{Scalar, TableSize};
/// use adamant_ec::hazmat::group::{EdwardsPoint, FixedBase};
/// let generator = EdwardsPoint::mul_base(&Scalar::from(7));
/// let table = FixedBase::new(&generator, TableSize::Kib96);
/// let scalar = Scalar::from(1234);
/// assert_eq!(table.mul(&scalar), generator * scalar);
/// ```
#[derive(Clone)]
pub struct FixedBase {
    size: TableSize,
    /// `j 2^(width i) P` for j from 1 to 2^(width - 1), for each digit i.
    table: Vec<Niels>,
}

impl FixedBase {
    /// Computes the table of a point.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn new(point: &EdwardsPoint, size: TableSize) -> Self {
        let row_length = 1 << (size.width() - 1);
        let mut points: Vec<Extended> = Vec::with_capacity(size.digits() * row_length);
        let mut first = point.0;
        for _ in 0..size.digits() {
            let step = first.cache();
            let mut multiple = first;
            points.push(multiple);
            for _ in 1..row_length {
                multiple = multiple.add(&step).extended();
                points.push(multiple);
            }
            // The last is 2^(width - 1) times the first.
            first = multiple.projective().double().extended();
        }
        FixedBase {
            size,
            table: super::batch::normalize(&points),
        }
    }

    /// The size asked for.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn size(&self) -> TableSize {
        self.size
    }

    /// `scalar * P`.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn mul(&self, scalar: &Scalar) -> EdwardsPoint {
        self.mul_on(scalar, Backend::best())
    }

    /// The same on the given implementation.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn mul_on(&self, scalar: &Scalar, backend: Backend) -> EdwardsPoint {
        let mut digits = Secret::new([0; 64]);
        let count = self.size.digits();
        recode(scalar, self.size.width(), &mut digits[..count]);
        backend.mul_fixed(&digits[..count], &self.table)
    }
}

/// Digits of `width` bits, from -2^(width - 1) to 2^(width - 1) - 1; the last has no sign.
#[cfg_attr(not(feature = "lab"), inline)]
pub(in super::super) fn recode(scalar: &Scalar, width: usize, digits: &mut [i8]) {
    let bytes = Secret::new(scalar.to_bytes());
    let words = Secret::new(words(&bytes));
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
