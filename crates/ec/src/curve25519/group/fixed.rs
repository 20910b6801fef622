//! Tables of multiples of a point that is used often.
//!
//! For an odd scalar k, `k P` is the sum of a multiple for each digit, where digits are odd, so that
//! there are half as many multiples and none is neutral. An even one is k + 1, and the sum starts at -P:
//! either way, the digits are those of k / 2 without its fraction (see `scalar::odd_digit`).

use super::super::edwards::Niels;
use super::super::field::Fe;
use super::super::scalar::Scalar;
use super::super::table::{ENTRIES, Row};
use super::{Backend, EdwardsPoint};
use adamant_base::Secret;
use adamant_base::ct::{Choice, barrier};
use adamant_base::simd::from_fn;
use alloc::vec::Vec;

/// How much memory a [`FixedBase`] takes at most.
///
/// Larger tables need fewer sums, and longer scans: every entry of a row is read, as the scalar is
/// secret. The scans win in the end, the sooner the faster sums are. So a table stays smaller where
/// more memory would make it slower, and a larger size is not slower: on AVX-512 IFMA each gives a
/// table of 49 KB, with other 64-bit multiplications none takes more than 96 KB, with those of 32 bits
/// none more than 278 KB, and with those of 16 bits the largest is the fastest
/// (`adamant speed 'edwards25519/mul-base-*' --backend all`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSize {
    /// 60 KB: 51 digits of 5 bits, every two of which share their multiples (49 KB).
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

    /// The form that is the fastest where digits of up to as many bits pay.
    #[inline]
    pub(super) fn form(self, widest: usize) -> Form {
        let (width, shared) = match self {
            TableSize::Kib60 => (5, 2),
            TableSize::Kib96 => (5, 1),
            TableSize::Kib161 => (6, 1),
            TableSize::Kib278 => (7, 1),
            TableSize::Kib480 => (8, 1),
        };
        Form {
            width: width.min(widest),
            shared,
        }
    }
}

/// How a table is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The bits of a digit, from 5 to 8.
    pub(in super::super) width: usize,
    /// How many digits share a row: one or two.
    pub(in super::super) shared: usize,
}

impl Form {
    /// How many digits a scalar has: it is below 2^253.
    #[inline(always)]
    pub(in super::super) fn digits(self) -> usize {
        253usize.div_ceil(self.width)
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
    pub(in super::super) form: Form,
    /// The multiples `j 2^(shared width i) P` for odd j below 2^width, for each i.
    pub(in super::super) rows: Vec<Row>,
    opposite: EdwardsPoint,
}

impl Backend {
    /// The table that is best for this implementation; all can use it.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn fixed_base(self, point: &EdwardsPoint, size: TableSize) -> FixedBase {
        let form = self.form_of_table(size);
        let Form { width, shared } = form;
        let multiples = 1 << (width - 1);
        let mut points = Vec::new();
        let mut first = *point;
        for i in 0..form.digits().div_ceil(shared) {
            if i > 0 {
                for _ in 0..width * shared {
                    first = self.double(&first);
                }
            }
            let step = self.double(&first);
            let mut multiple = first;
            points.push(multiple.0);
            for _ in 1..multiples {
                multiple = self.add_points(&multiple, &step);
                points.push(multiple.0);
            }
        }
        let points = super::batch::normalize(&points);
        FixedBase {
            size,
            form,
            rows: points.as_chunks().0.iter().map(Row::new).collect(),
            opposite: -*point,
        }
    }
}

impl FixedBase {
    /// Computes the table of a point.
    #[cfg_attr(not(feature = "lab"), inline)]
    #[must_use]
    pub fn new(point: &EdwardsPoint, size: TableSize) -> Self {
        Backend::best().fixed_base(point, size)
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
        Backend::best().mul_fixed(scalar, self)
    }

    /// The bits of the digits, and what their sum starts at.
    #[inline(always)]
    pub(in super::super) fn recode(&self, scalar: &Scalar) -> (Secret<[u64; 5]>, EdwardsPoint) {
        let words = scalar.words();
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        let mut bits = Secret::new(from_fn(|i| word(i) >> 1 | word(i + 1) << 63));
        // The sum of all the 2^width - 1 that digits have less, halved.
        let top = self.form.digits() * self.form.width - 1;
        bits[top / 64] |= 1 << (top % 64);
        let odd = Choice::from_bit(words[0] & 1);
        let start = EdwardsPoint::select(odd, &EdwardsPoint::NEUTRAL, &self.opposite);
        (bits, start)
    }

    /// The row of digit i, sixteen entries at a time.
    #[inline(always)]
    pub(in super::super) fn row(&self, i: usize) -> &[Row] {
        let length = (1 << (self.form.width - 1)) / ENTRIES;
        &self.rows[i / self.form.shared * length..][..length]
    }
}

/// The entry of a row at this place: every entry is read.
#[inline(always)]
pub(in super::super) fn pick(row: &[Row], place: u64) -> Niels {
    // Zero alone gets negative, and the sign is the mask: vectors have that, and comparisons not
    // everywhere.
    let place = barrier(place);
    let mut found = [0; 15];
    for (i, row) in row.iter().enumerate() {
        let masks: [u64; ENTRIES] = from_fn(|j| {
            let difference = place ^ (ENTRIES * i + j) as u64;
            (difference.wrapping_sub(1) as i64 >> 63) as u64
        });
        for (found, limbs) in found.iter_mut().zip(&row.0) {
            for (limb, mask) in limbs.iter().zip(&masks) {
                *found |= limb & mask;
            }
        }
    }
    let (coordinates, _) = found.as_chunks();
    Niels {
        y_plus_x: Fe::from_limbs(coordinates[0]),
        y_minus_x: Fe::from_limbs(coordinates[1]),
        xy2d: Fe::from_limbs(coordinates[2]),
    }
}
