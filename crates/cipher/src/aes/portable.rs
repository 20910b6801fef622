//! AES in plain integer operations, bitsliced: FIPS 197 without a table.
//!
//! A group of blocks is turned on its side: plane i holds bit i of every byte, so a round's
//! S-boxes are one circuit of logic operations on eight planes. Byte (row r, column c) of block b
//! is at bit
//!
//! ```text
//! (r * 4 + c) * BLOCKS + b
//! ```
//!
//! of each plane: a row is a quarter of a plane, so ShiftRows rotates the quarters and MixColumns
//! takes a neighbouring row by rotating the plane. Planes of 64 bits hold four blocks
//! (`portable64`), of 32 bits two (`portable32`), of 128 bits eight (`arm_neon`); all run the code of
//! this file.
//!
//! The S-box is the circuit of Boyar and Peralta ("A depth-16 circuit for the AES S-box", 2011);
//! its inverse is taken from it: S(x) = A(1/x) with A affine, so S⁻¹ = A⁻¹ ∘ S ∘ A⁻¹.

use core::ops::{BitAnd, BitXor, BitXorAssign, Not};

use adamant_base::Wipe;

use super::RoundKeys;

/// A word of bits, one plane of a group of blocks.
pub(crate) trait Plane:
    Copy + BitAnd<Output = Self> + BitXor<Output = Self> + BitXorAssign + Not<Output = Self> + Wipe
{
    /// Blocks in a group.
    const BLOCKS: usize;
    /// No bit set.
    const ZERO: Self;

    /// The planes of a group.
    fn slice(blocks: &[[u8; 16]]) -> State<Self>;
    /// The planes of a group of blocks that are all this one.
    fn repeat(block: &[u8; 16]) -> State<Self> {
        Self::slice(&[*block; 4][..Self::BLOCKS])
    }
    /// The group of these planes.
    fn unslice(state: &State<Self>, blocks: &mut [[u8; 16]]);
    /// Each row takes the place of the row `by` above.
    fn rotate_rows(self, by: u32) -> Self;
    /// Rotates row r by `r * by` columns to the left.
    fn rotate_columns(self, by: u32) -> Self;
}

/// Plane i holds the bits of value 2^i.
pub(crate) type State<P> = [P; 8];

/// The masks and shifts that turn 8×8 bits on their side in eight words of bytes: bit i of byte
/// k of word j goes to bit j of byte k of word i.
macro_rules! transpose {
    ($word:ty, $w:ident) => {
        for (step, mask) in [(1, 0x55), (2, 0x33), (4, 0x0f)] {
            let mask = <$word>::MAX / 255 * mask;
            for low in (0..8).filter(|i| i & step == 0) {
                let (a, b) = ($w[low], $w[low + step]);
                let t = ((a >> step) ^ b) & mask;
                $w[low] = a ^ (t << step);
                $w[low + step] = b ^ t;
            }
        }
    };
}
pub(crate) use transpose;

/// Column `c` of a block, row 0 lowest.
fn column(block: &[u8; 16], c: usize) -> u32 {
    u32::from_le_bytes(block.as_chunks().0[c])
}

/// Turns eight words of bytes on their side.
#[cfg_attr(feature = "small", inline(never))]
#[cfg_attr(not(feature = "small"), inline(always))]
fn turn(w: &mut State<u32>) {
    transpose!(u32, w);
}

impl Plane for u32 {
    const BLOCKS: usize = 2;
    const ZERO: Self = 0;

    // Bit 8k + j of a plane comes from byte k of word j: byte k is row k, and word j the column
    // j / 2 of block j % 2.
    fn slice(blocks: &[[u8; 16]]) -> State<u32> {
        let mut w = [0; 8];
        for (b, block) in blocks.iter().enumerate() {
            for c in 0..4 {
                w[2 * c + b] = column(block, c);
            }
        }
        turn(&mut w);
        w
    }

    fn unslice(state: &State<u32>, blocks: &mut [[u8; 16]]) {
        let mut w = *state;
        turn(&mut w);
        for (b, block) in blocks.iter_mut().enumerate() {
            for (c, column) in block.as_chunks_mut().0.iter_mut().enumerate() {
                *column = w[2 * c + b].to_le_bytes();
            }
        }
    }

    #[inline(always)]
    fn rotate_rows(self, by: u32) -> Self {
        self.rotate_right(8 * by)
    }

    /// Rows two and three by two columns, then one and three by one or three; or these by two.
    #[inline(always)]
    fn rotate_columns(self, by: u32) -> Self {
        let two = |x: u32, rows: u32| {
            let swapped = (x ^ x >> 4) & 0x0f0f_0f0f & rows;
            x ^ swapped ^ swapped << 4
        };
        if by == 2 {
            return two(self, 0xff00_ff00);
        }
        let x = two(self, 0xffff_0000);
        let low = (0xff >> (2 * by)) * 0x0100_0100;
        x & 0x00ff_00ff | x >> (2 * by) & low | x << (8 - 2 * by) & (0xff00_ff00 ^ low)
    }
}

impl Plane for u64 {
    const BLOCKS: usize = 4;
    const ZERO: Self = 0;

    // Byte k of word j is row k / 2 and column 2 (k % 2) + j / 4 of block j % 4. That puts the
    // column's bits in the order 0 1 2 3 when j counts within and k above: word j of block b holds
    // the columns j / 4 and j / 4 + 2, byte by byte in turn.
    fn slice(blocks: &[[u8; 16]]) -> State<u64> {
        let mut w = [0; 8];
        for (b, block) in blocks.iter().enumerate() {
            for half in 0..2 {
                let (even, odd) = (column(block, half), column(block, half + 2));
                w[4 * half + b] = spread(even) | spread(odd) << 8;
            }
        }
        transpose!(u64, w);
        w
    }

    fn unslice(state: &State<u64>, blocks: &mut [[u8; 16]]) {
        let mut w = *state;
        transpose!(u64, w);
        for (b, block) in blocks.iter_mut().enumerate() {
            let columns = block.as_chunks_mut::<4>().0;
            for half in 0..2 {
                let w = w[4 * half + b];
                columns[half] = gather(w).to_le_bytes();
                columns[half + 2] = gather(w >> 8).to_le_bytes();
            }
        }
    }

    #[inline(always)]
    fn rotate_rows(self, by: u32) -> Self {
        self.rotate_right(16 * by)
    }

    #[inline(always)]
    fn rotate_columns(self, by: u32) -> Self {
        let rows: [u16; 4] = core::array::from_fn(|r| (self >> (16 * r)) as u16);
        let mut turned = 0;
        for (r, row) in rows.into_iter().enumerate() {
            turned |= u64::from(row.rotate_right(4 * by * r as u32)) << (16 * r);
        }
        turned
    }
}

/// The four bytes with an empty byte above each.
fn spread(x: u32) -> u64 {
    let x = u64::from(x);
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// Every other byte.
fn gather(x: u64) -> u32 {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) as u32
}

/// SubBytes (5.1.1).
#[cfg_attr(feature = "small", inline(never))]
#[cfg_attr(not(feature = "small"), inline(always))]
pub(crate) fn sub_bytes<P: Plane>(q: &mut State<P>) {
    let [x7, x6, x5, x4, x3, x2, x1, x0] = *q; // x0 has the highest bits
    // Linear: into the tower of fields.
    let y14 = x3 ^ x5;
    let y13 = x0 ^ x6;
    let y9 = x0 ^ x3;
    let y8 = x0 ^ x5;
    let t0 = x1 ^ x2;
    let y1 = t0 ^ x7;
    let y4 = y1 ^ x3;
    let y12 = y13 ^ y14;
    let y2 = y1 ^ x0;
    let y5 = y1 ^ x6;
    let y3 = y5 ^ y8;
    let t1 = x4 ^ y12;
    let y15 = t1 ^ x5;
    let y20 = t1 ^ x1;
    let y6 = y15 ^ x7;
    let y10 = y15 ^ t0;
    let y11 = y20 ^ y9;
    let y7 = x7 ^ y11;
    let y17 = y10 ^ y11;
    let y19 = y10 ^ y8;
    let y16 = t0 ^ y11;
    let y21 = y13 ^ y16;
    let y18 = x0 ^ y16;
    // The inversion.
    let t2 = y12 & y15;
    let t3 = y3 & y6;
    let t4 = t3 ^ t2;
    let t5 = y4 & x7;
    let t6 = t5 ^ t2;
    let t7 = y13 & y16;
    let t8 = y5 & y1;
    let t9 = t8 ^ t7;
    let t10 = y2 & y7;
    let t11 = t10 ^ t7;
    let t12 = y9 & y11;
    let t13 = y14 & y17;
    let t14 = t13 ^ t12;
    let t15 = y8 & y10;
    let t16 = t15 ^ t12;
    let t21 = t4 ^ t14 ^ y20;
    let t22 = t6 ^ t16 ^ y19;
    let t23 = t9 ^ t14 ^ y21;
    let t24 = t11 ^ t16 ^ y18;
    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t28 = t25 & t27;
    let t29 = t28 ^ t22;
    let t30 = t23 ^ t24;
    let t31 = t22 ^ t26;
    let t32 = t31 & t30;
    let t33 = t32 ^ t24;
    let t34 = t23 ^ t33;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = t36 ^ t34;
    let t38 = t27 ^ t36;
    let t39 = t29 & t38;
    let t40 = t25 ^ t39;
    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;
    let z0 = t44 & y15;
    let z1 = t37 & y6;
    let z2 = t33 & x7;
    let z3 = t43 & y16;
    let z4 = t40 & y1;
    let z5 = t29 & y7;
    let z6 = t42 & y11;
    let z7 = t45 & y17;
    let z8 = t41 & y10;
    let z9 = t44 & y12;
    let z10 = t37 & y3;
    let z11 = t33 & y4;
    let z12 = t43 & y13;
    let z13 = t40 & y5;
    let z14 = t29 & y2;
    let z15 = t42 & y9;
    let z16 = t45 & y14;
    let z17 = t41 & y8;
    // Linear: out of the tower, and the affine map.
    let t46 = z15 ^ z16;
    let t47 = z10 ^ z11;
    let t48 = z5 ^ z13;
    let t49 = z9 ^ z10;
    let t50 = z2 ^ z12;
    let t51 = z2 ^ z5;
    let t52 = z7 ^ z8;
    let t53 = z0 ^ z3;
    let t54 = z6 ^ z7;
    let t55 = z16 ^ z17;
    let t56 = z12 ^ t48;
    let t57 = t50 ^ t53;
    let t58 = z4 ^ t46;
    let t59 = z3 ^ t54;
    let t60 = t46 ^ t57;
    let t61 = z14 ^ t57;
    let t62 = t52 ^ t58;
    let t63 = t49 ^ t58;
    let t64 = z4 ^ t59;
    let t65 = t61 ^ t62;
    let t66 = z1 ^ t63;
    let s0 = t59 ^ t63;
    let s6 = t56 ^ !t62;
    let s7 = t48 ^ !t60;
    let t67 = t64 ^ t65;
    let s3 = t53 ^ t66;
    let s4 = t51 ^ t66;
    let s5 = t47 ^ t65;
    let s1 = t64 ^ !s3;
    let s2 = t55 ^ !t67;
    *q = [s7, s6, s5, s4, s3, s2, s1, s0];
}

/// A⁻¹, the inverse of the affine map of the S-box: y becomes the x with
/// x_i = y_{i+2} + y_{i+5} + y_{i+7} + d_i, indices modulo 8, d = 0x05.
#[inline(always)]
fn affine_inverse<P: Plane>(q: &mut State<P>) {
    let y = *q;
    *q = core::array::from_fn(|i| y[(i + 2) % 8] ^ y[(i + 5) % 8] ^ y[(i + 7) % 8]);
    q[0] = !q[0];
    q[2] = !q[2];
}

/// InvSubBytes (5.3.2).
#[inline(always)]
pub(super) fn inv_sub_bytes<P: Plane>(q: &mut State<P>) {
    affine_inverse(q);
    sub_bytes(q);
    affine_inverse(q);
}

/// Every byte times x, modulo x^8 + x^4 + x^3 + x + 1.
#[inline(always)]
fn double<P: Plane>(q: &State<P>) -> State<P> {
    let [a, b, c, d, e, f, g, high] = *q;
    [high, a ^ high, b, c ^ high, d ^ high, e, f, g]
}

/// MixColumns (5.1.3): with b the row below, c = a + b: 2c + b + (rows two and three below).
#[inline(always)]
pub(super) fn mix_columns<P: Plane>(q: &mut State<P>) {
    mix_columns_by(q, |x| x.rotate_rows(1), |x| x.rotate_rows(2));
}

/// MixColumns where these give the row below, and that two below.
#[inline(always)]
pub(super) fn mix_columns_by<P: Plane>(
    q: &mut State<P>,
    below: impl Fn(P) -> P,
    two_below: impl Fn(P) -> P,
) {
    let (mut c, mut others) = (*q, *q);
    for i in 0..8 {
        let next = below(q[i]);
        c[i] = q[i] ^ next;
        others[i] = next ^ two_below(c[i]);
    }
    let twice = double(&c);
    for i in 0..8 {
        q[i] = twice[i] ^ others[i];
    }
}

/// InvMixColumns (5.3.3).
#[inline(always)]
pub(super) fn inv_mix_columns<P: Plane>(q: &mut State<P>) {
    inv_mix_columns_by(q, |x| x.rotate_rows(1), |x| x.rotate_rows(2));
}

/// InvMixColumns, as MixColumns after a + 4 (a + the row two below).
#[inline(always)]
pub(super) fn inv_mix_columns_by<P: Plane>(
    q: &mut State<P>,
    below: impl Fn(P) -> P,
    two_below: impl Fn(P) -> P,
) {
    let a = *q;
    let c = core::array::from_fn(|i| a[i] ^ two_below(a[i]));
    let four = double(&double(&c));
    for i in 0..8 {
        q[i] ^= four[i];
    }
    mix_columns_by(q, below, two_below);
}

#[cfg_attr(feature = "small", inline(never))]
#[cfg_attr(not(feature = "small"), inline(always))]
pub(super) fn shift_rows<P: Plane>(q: &mut State<P>, by: u32) {
    for plane in q {
        *plane = plane.rotate_columns(by);
    }
}

#[cfg_attr(feature = "small", inline(never))]
#[cfg_attr(not(feature = "small"), inline(always))]
pub(super) fn add_round_key<P: Plane>(q: &mut State<P>, key: &State<P>) {
    for (plane, k) in q.iter_mut().zip(key) {
        *plane ^= *k;
    }
}

/// KeyExpansion (5.2), and the keys of the equivalent inverse cipher (5.3.5).
pub(crate) fn expand(key: &[u8], keys: &mut RoundKeys) {
    let nk = key.len() / 4;
    keys.rounds = nk + 6;
    let words = keys.encrypt.as_flattened_mut().as_chunks_mut::<4>().0;
    for (word, from) in words.iter_mut().zip(key.as_chunks::<4>().0) {
        *word = *from;
    }
    let mut round_constant = 1u8;
    for i in nk..4 * (nk + 7) {
        let mut word = words[i - 1];
        if i % nk == 0 {
            let [first, second, third, fourth] = sub_word(word);
            word = [second ^ round_constant, third, fourth, first];
            round_constant = (round_constant << 1) ^ ((round_constant >> 7) * 0x1b);
        } else if nk > 6 && i % nk == 4 {
            word = sub_word(word);
        }
        words[i] = core::array::from_fn(|k| words[i - nk][k] ^ word[k]);
    }
    // Bitsliced, a cipher is inverted with the same keys.
    if cfg!(all(
        feature = "small",
        not(feature = "table-ciphers"),
        not(test)
    )) {
        return;
    }
    keys.decrypt[0] = keys.encrypt[keys.rounds];
    keys.decrypt[keys.rounds] = keys.encrypt[0];
    for i in 1..keys.rounds {
        let mut q = u32::slice(&[keys.encrypt[keys.rounds - i]]);
        inv_mix_columns(&mut q);
        u32::unslice(&q, &mut keys.decrypt[i..=i]);
    }
}

/// SubWord (5.2).
fn sub_word(word: [u8; 4]) -> [u8; 4] {
    let mut block = [[0; 16]];
    block[0][..4].copy_from_slice(&word);
    let mut q = u32::slice(&block);
    sub_bytes(&mut q);
    u32::unslice(&q, &mut block);
    [block[0][0], block[0][1], block[0][2], block[0][3]]
}

/// Makes the functions of a table's row, those of the trait on a sliced key; chains may
/// have others, of fewer blocks.
macro_rules! row {
    ($sliced:ty) => {
        $crate::aes::portable::row! { $sliced, chains: $sliced }
    };
    ($sliced:ty, chains: $chains:ty) => {
        use super::RoundKeys;
        use adamant_base::BlockCipher;

        pub(crate) use super::portable::expand;

        $crate::aes::portable::row! { @each $sliced:
            encrypt_blocks(blocks: &mut [[u8; 16]])
            decrypt_blocks(blocks: &mut [[u8; 16]])
            ctr(counter: &mut [u8; 16], width: usize, blocks: &mut [[u8; 16]])
            cbc_decrypt(iv: &mut [u8; 16], blocks: &mut [[u8; 16]])
            xts_encrypt(tweak: &mut [u8; 16], blocks: &mut [[u8; 16]])
            xts_decrypt(tweak: &mut [u8; 16], blocks: &mut [[u8; 16]])
        }
        $crate::aes::portable::row! { @each $chains:
            cbc_encrypt(iv: &mut [u8; 16], blocks: &mut [[u8; 16]])
            cbc_mac(sum: &mut [u8; 16], blocks: &[[u8; 16]])
        }
    };
    (@each $sliced:ty: $($name:ident($($argument:ident: $type:ty),*))+) => { $(
        pub(crate) fn $name(keys: &RoundKeys, $($argument: $type),*) {
            <$sliced>::new(keys).$name($($argument),*);
        }
    )+ };
}
pub(crate) use row;
