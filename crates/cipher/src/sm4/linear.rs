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

use super::affine::{
    AES_BACK, AES_CONSTANT, AES_OUT, AES_OUT_CONSTANT, BACK, INTO, INTO_CONSTANT, Matrix, OUT,
    OUT_CONSTANT,
};

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
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
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
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) const P: Matrix = Q.plus(S);
/// What is added to every byte: b through L. P, Q, Q and S add up to R.
pub(super) const CONSTANT: u8 = INTO.times(ROTATE).apply(OUT_CONSTANT);

/// As [`Q`] and [`S`], from the S-box of AES instead of the inverse.
const AES_Q: Matrix = Q.times(AES_BACK);
const AES_S: Matrix = S.times(AES_BACK);
/// As [`CONSTANT`].
const AES_SUM_CONSTANT: u8 = CONSTANT ^ Q.apply(AES_CONSTANT);

/// Tables for the low and the high half of a byte.
pub(super) type Nibbles = [[u8; 16]; 2];
pub(super) const ENTER: Nibbles = INTO.nibbles(0);
pub(super) const ENTER_KEYED: Nibbles = INTO.nibbles(INTO_CONSTANT);
pub(super) const LEAVE: Nibbles = BACK.nibbles(0);
pub(super) const MAP_Q: Nibbles = AES_Q.nibbles(AES_SUM_CONSTANT);
pub(super) const MAP_S: Nibbles = AES_S.nibbles(0);
pub(super) const MAP_OUT: Nibbles = AES_OUT.nibbles(AES_OUT_CONSTANT);

/// Where `aesenclast` and `aese` take byte `4 c + r` from, the other way round: InvShiftRows, and each
/// word then rotated to the right by this many bytes.
pub(super) const fn unshift(rotation: usize) -> [u8; 16] {
    let (mut places, mut i) = ([0; 16], 0);
    while i < 16 {
        let (column, row) = (i / 4, (i + rotation) % 4);
        places[i] = (4 * ((column + 4 - row) % 4) + row) as u8;
        i += 1;
    }
    places
}
pub(super) const UNSHIFT: [[u8; 16]; 4] = [unshift(0), unshift(1), unshift(2), unshift(3)];
