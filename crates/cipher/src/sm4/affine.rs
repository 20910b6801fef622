//! The S-box of SM4 as an inversion in the field of AES between two affine maps, and the constants
//! that follow from it.
//!
//! ```text
//! S(x) = B (A x + a)⁻¹ + b
//! ```
//!
//! with matrices of 8×8 bits and the inverse in GF(2)[x] / (x^8 + x^4 + x^3 + x + 1), 0⁻¹ = 0. The
//! fast implementations keep the words of the state in the basis of the inversion, every byte
//! multiplied by A, and round keys likewise, with a added: then the sum of three words and a round
//! key is what is inverted.
//!
//! The linear map of the round, L(w) = w + (w <<< 2) + (w <<< 10) + (w <<< 18) + (w <<< 24), is one
//! of bytes: byte j of L(w), counted from the lowest, is
//!
//! ```text
//! (I + U) w_j + R w_{j-1} + R w_{j-2} + (I + D) w_{j-3}
//! ```
//!
//! where U moves a byte's bits two up, D six down and R = U + D rotates them by two. With the
//! matrices `P`, `Q` and `S` for these three in the basis of the inversion, and t_j the bytes
//! inverted, that is P t_j + Q t_{j-1} + Q t_{j-2} + S t_{j-3}, where P = Q + S.

use crate::aes::product;

/// A matrix of 8×8 bits: row i gives bit i.
#[derive(Clone, Copy)]
pub(super) struct Matrix(pub(super) [u8; 8]);

impl Matrix {
    const ONE: Matrix = Matrix([1, 2, 4, 8, 16, 32, 64, 128]);

    /// The product with a byte.
    pub(super) const fn apply(self, x: u8) -> u8 {
        let (mut y, mut i) = (0, 0);
        while i < 8 {
            y |= ((self.0[i] & x).count_ones() as u8 & 1) << i;
            i += 1;
        }
        y
    }

    /// The matrix that applies `other` first.
    const fn times(self, other: Matrix) -> Matrix {
        let (mut rows, mut column) = ([0; 8], 0);
        while column < 8 {
            let image = self.apply(other.apply(1 << column));
            let mut i = 0;
            while i < 8 {
                rows[i] |= (image >> i & 1) << column;
                i += 1;
            }
            column += 1;
        }
        Matrix(rows)
    }

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

/// A: into the basis of the inversion.
pub(super) const INTO: Matrix = Matrix([0x4c, 0x28, 0x7d, 0xb9, 0x1a, 0x22, 0x50, 0x5d]);
/// a.
pub(super) const INTO_CONSTANT: u8 = 0x3e;
/// B.
pub(super) const OUT: Matrix = Matrix([0xf3, 0xab, 0x34, 0xa9, 0x74, 0xa6, 0xb5, 0x89]);
/// b.
pub(super) const OUT_CONSTANT: u8 = 0xd3;
/// A⁻¹.
pub(super) const BACK: Matrix = Matrix([0xb3, 0xa4, 0xf5, 0x86, 0x32, 0x84, 0x72, 0x8b]);

/// Every byte rotated by two.
const ROTATE: Matrix = Matrix([0x40, 0x80, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20]);
/// I + D.
const STAY_AND_DOWN: Matrix = Matrix::ONE.plus(Matrix([0x40, 0x80, 0, 0, 0, 0, 0, 0]));

/// From an inverse to what it adds to its right neighbour and the one behind that.
pub(super) const Q: Matrix = INTO.times(ROTATE).times(OUT);
/// From an inverse to what it adds to its left neighbour.
pub(super) const S: Matrix = INTO.times(STAY_AND_DOWN).times(OUT);
/// From an inverse to what it adds in its place.
pub(super) const P: Matrix = Q.plus(S);
/// What is added to every byte: b through L. P, Q, Q and S add up to R.
pub(super) const CONSTANT: u8 = INTO.times(ROTATE).apply(OUT_CONSTANT);

/// The inverse of the affine map in the S-box of AES, S(x) = E x⁻¹ + 0x63: from the S-box of AES
/// to the inverse it adds [`AES_CONSTANT`].
const AES_BACK: Matrix = Matrix([0xa4, 0x49, 0x92, 0x25, 0x4a, 0x94, 0x29, 0x52]);
const AES_CONSTANT: u8 = 0x05;

/// As [`Q`] and [`S`], from the S-box of AES instead of the inverse.
pub(super) const AES_Q: Matrix = Q.times(AES_BACK);
pub(super) const AES_S: Matrix = S.times(AES_BACK);
/// As [`CONSTANT`].
pub(super) const AES_SUM_CONSTANT: u8 = CONSTANT ^ Q.apply(AES_CONSTANT);
/// B and b from the S-box of AES.
pub(super) const AES_OUT: Matrix = OUT.times(AES_BACK);
pub(super) const AES_OUT_CONSTANT: u8 = OUT_CONSTANT ^ OUT.apply(AES_CONSTANT);

/// The S-box (GB/T 32907, 6.2). Nothing looks it up at run time: it proves the constants.
pub(super) const S_BOX: [u8; 256] = [
    0xd6, 0x90, 0xe9, 0xfe, 0xcc, 0xe1, 0x3d, 0xb7, 0x16, 0xb6, 0x14, 0xc2, 0x28, 0xfb, 0x2c, 0x05,
    0x2b, 0x67, 0x9a, 0x76, 0x2a, 0xbe, 0x04, 0xc3, 0xaa, 0x44, 0x13, 0x26, 0x49, 0x86, 0x06, 0x99,
    0x9c, 0x42, 0x50, 0xf4, 0x91, 0xef, 0x98, 0x7a, 0x33, 0x54, 0x0b, 0x43, 0xed, 0xcf, 0xac, 0x62,
    0xe4, 0xb3, 0x1c, 0xa9, 0xc9, 0x08, 0xe8, 0x95, 0x80, 0xdf, 0x94, 0xfa, 0x75, 0x8f, 0x3f, 0xa6,
    0x47, 0x07, 0xa7, 0xfc, 0xf3, 0x73, 0x17, 0xba, 0x83, 0x59, 0x3c, 0x19, 0xe6, 0x85, 0x4f, 0xa8,
    0x68, 0x6b, 0x81, 0xb2, 0x71, 0x64, 0xda, 0x8b, 0xf8, 0xeb, 0x0f, 0x4b, 0x70, 0x56, 0x9d, 0x35,
    0x1e, 0x24, 0x0e, 0x5e, 0x63, 0x58, 0xd1, 0xa2, 0x25, 0x22, 0x7c, 0x3b, 0x01, 0x21, 0x78, 0x87,
    0xd4, 0x00, 0x46, 0x57, 0x9f, 0xd3, 0x27, 0x52, 0x4c, 0x36, 0x02, 0xe7, 0xa0, 0xc4, 0xc8, 0x9e,
    0xea, 0xbf, 0x8a, 0xd2, 0x40, 0xc7, 0x38, 0xb5, 0xa3, 0xf7, 0xf2, 0xce, 0xf9, 0x61, 0x15, 0xa1,
    0xe0, 0xae, 0x5d, 0xa4, 0x9b, 0x34, 0x1a, 0x55, 0xad, 0x93, 0x32, 0x30, 0xf5, 0x8c, 0xb1, 0xe3,
    0x1d, 0xf6, 0xe2, 0x2e, 0x82, 0x66, 0xca, 0x60, 0xc0, 0x29, 0x23, 0xab, 0x0d, 0x53, 0x4e, 0x6f,
    0xd5, 0xdb, 0x37, 0x45, 0xde, 0xfd, 0x8e, 0x2f, 0x03, 0xff, 0x6a, 0x72, 0x6d, 0x6c, 0x5b, 0x51,
    0x8d, 0x1b, 0xaf, 0x92, 0xbb, 0xdd, 0xbc, 0x7f, 0x11, 0xd9, 0x5c, 0x41, 0x1f, 0x10, 0x5a, 0xd8,
    0x0a, 0xc1, 0x31, 0x88, 0xa5, 0xcd, 0x7b, 0xbd, 0x2d, 0x74, 0xd0, 0x12, 0xb8, 0xe5, 0xb4, 0xb0,
    0x89, 0x69, 0x97, 0x4a, 0x0c, 0x96, 0x77, 0x7e, 0x65, 0xb9, 0xf1, 0x09, 0xc5, 0x6e, 0xc6, 0x84,
    0x18, 0xf0, 0x7d, 0xec, 0x3a, 0xdc, 0x4d, 0x20, 0x79, 0xee, 0x5f, 0x3e, 0xd7, 0xcb, 0x39, 0x48,
];

const _: () = {
    // From S(x) to the inverse.
    let (mut inverse_out, mut x) = ([0; 256], 0);
    while x < 256 {
        inverse_out[(OUT.apply(x as u8) ^ OUT_CONSTANT) as usize] = x as u8;
        x += 1;
    }
    x = 0;
    while x < 256 {
        let inverted = INTO.apply(x as u8) ^ INTO_CONSTANT;
        let inverse = inverse_out[S_BOX[x] as usize];
        assert!(product(inverted, inverse) == (inverted != 0) as u8);
        assert!(inverted != 0 || inverse == 0);
        assert!(BACK.apply(INTO.apply(x as u8)) == x as u8);
        x += 1;
    }
};
