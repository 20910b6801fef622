//! The linear map of SM4's round as one of bytes, in the basis of [`affine`](super::affine), for the
//! implementations that invert in it.
//!
//! Byte j of L(w) = w + (w <<< 2) + (w <<< 10) + (w <<< 18) + (w <<< 24), counted from the lowest, is
//!
//! ```text
//! (I + U) w_j + R w_{j-1} + R w_{j-2} + (I + D) w_{j-3}
//! ```
//!
//! where U moves a byte's bits two up, D six down and R = U + D rotates them by two. With the
//! matrices `P`, `Q` and `S` for these three in the basis of the inversion, and t_j the bytes
//! inverted, that is P t_j + Q t_{j-1} + Q t_{j-2} + S t_{j-3}, where P = Q + S.

use super::affine::{AES_BACK, AES_CONSTANT, INTO, Matrix, OUT, OUT_CONSTANT};

impl Matrix {
    const ONE: Matrix = Matrix([1, 2, 4, 8, 16, 32, 64, 128]);

    const fn plus(self, other: Matrix) -> Matrix {
        let (mut rows, mut i) = ([0; 8], 0);
        while i < 8 {
            rows[i] = self.0[i] ^ other.0[i];
            i += 1;
        }
        Matrix(rows)
    }

    /// As `gf2p8affineqb` wants it: the row of bit 0 in the highest byte.
    pub(super) const fn gfni(self) -> i64 {
        i64::from_be_bytes([
            self.0[0], self.0[1], self.0[2], self.0[3], self.0[4], self.0[5], self.0[6], self.0[7],
        ])
    }

    /// `x ↦ self x + constant` as two tables of sixteen, for the low and the high half of a byte.
    pub(super) const fn nibbles(self, constant: u8) -> [[u8; 16]; 2] {
        let (mut tables, mut i) = ([[0; 16]; 2], 0);
        while i < 16 {
            tables[0][i] = self.apply(i as u8) ^ constant;
            tables[1][i] = self.apply((i as u8) << 4);
            i += 1;
        }
        tables
    }
}

/// Every byte rotated by two.
const ROTATE: Matrix = Matrix([0x40, 0x80, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20]);
/// I + D.
const STAY_AND_DOWN: Matrix = Matrix::ONE.plus(Matrix([0x40, 0x80, 0, 0, 0, 0, 0, 0]));

/// From an inverse to what it adds to its right neighbour and the one after that.
pub(super) const Q: Matrix = INTO.times(ROTATE).times(OUT);
/// From an inverse to what it adds to its left neighbour.
pub(super) const S: Matrix = INTO.times(STAY_AND_DOWN).times(OUT);
/// From an inverse to what it adds in its place.
pub(super) const P: Matrix = Q.plus(S);
/// What is added to every byte: b through L. P, Q, Q and S add up to R.
pub(super) const CONSTANT: u8 = INTO.times(ROTATE).apply(OUT_CONSTANT);

/// As [`Q`] and [`S`], from the S-box of AES instead of the inverse.
pub(super) const AES_Q: Matrix = Q.times(AES_BACK);
pub(super) const AES_S: Matrix = S.times(AES_BACK);
/// As [`CONSTANT`].
pub(super) const AES_SUM_CONSTANT: u8 = CONSTANT ^ Q.apply(AES_CONSTANT);
