//! What the vector kernels of both lattice schemes share: vectors of words, and transforms.
//!
//! A polynomial lies in memory as rows of 32 bytes, sixteen or thirty-two of them. Butterflies of
//! far coefficients join whole rows. For the near ones, blocks of eight rows are transposed as
//! 8 × 8 words of 32 bits, and then these join whole rows, too. The NTT domain keeps the transposed
//! order: all that happens there is pointwise, and bytes are transposed back when they are written.
//!
//! `avx2` works on one block of eight rows at a time, `avx512` on two: its vectors have a row of
//! the one in their lower half and of the other in their upper. `neon` keeps the standard's order:
//! its vectors hold so few words that near butterflies need no more than to trade parts of two.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod bits;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;

/// The steps of three layers between eight rows: both rows, and the number of the constant, of which
/// the layers have one, two and four. Compilers do not always unroll loops over them.
macro_rules! layers {
    ($step:ident) => {
        $step!(0, 4, 0);
        $step!(1, 5, 0);
        $step!(2, 6, 0);
        $step!(3, 7, 0);
        $step!(0, 2, 1);
        $step!(1, 3, 1);
        $step!(4, 6, 2);
        $step!(5, 7, 2);
        $step!(0, 1, 3);
        $step!(2, 3, 4);
        $step!(4, 5, 5);
        $step!(6, 7, 6);
    };
}
pub(crate) use layers;

/// The same steps, the last layer first.
macro_rules! layers_backwards {
    ($step:ident) => {
        $step!(0, 1, 3);
        $step!(2, 3, 4);
        $step!(4, 5, 5);
        $step!(6, 7, 6);
        $step!(0, 2, 1);
        $step!(1, 3, 1);
        $step!(4, 6, 2);
        $step!(5, 7, 2);
        $step!(0, 4, 0);
        $step!(1, 5, 0);
        $step!(2, 6, 0);
        $step!(3, 7, 0);
    };
}
pub(crate) use layers_backwards;

/// Makes what is the same for every kind of vector, in a module that has its operations.
#[cfg(target_arch = "x86_64")]
macro_rules! vectors {
    ($features:literal) => {
        /// The transpose of 8 × 8 words of 32 bits, in each half of 256 bits.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn transpose(r: &mut [V; 8]) {
            let t = [
                unpack_lo32(r[0], r[1]),
                unpack_hi32(r[0], r[1]),
                unpack_lo32(r[2], r[3]),
                unpack_hi32(r[2], r[3]),
                unpack_lo32(r[4], r[5]),
                unpack_hi32(r[4], r[5]),
                unpack_lo32(r[6], r[7]),
                unpack_hi32(r[6], r[7]),
            ];
            // Columns 0 to 3 of four rows, with columns 4 to 7 in the upper 128 bits.
            let upper = [
                unpack_lo64(t[0], t[2]),
                unpack_hi64(t[0], t[2]),
                unpack_lo64(t[1], t[3]),
                unpack_hi64(t[1], t[3]),
            ];
            let lower = [
                unpack_lo64(t[4], t[6]),
                unpack_hi64(t[4], t[6]),
                unpack_lo64(t[5], t[7]),
                unpack_hi64(t[5], t[7]),
            ];
            for i in 0..4 {
                r[i] = join_lo128(upper[i], lower[i]);
                r[i + 4] = join_hi128(upper[i], lower[i]);
            }
        }

        /// Row `r` of the blocks of group `g`.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn load_block<W: Words>(blocks: &[[W; 8]; 2], g: usize) -> [V; 8] {
            let mut rows = [splat32(0); 8];
            for r in 0..8 {
                rows[r] = load_halves(&blocks[0][r], &blocks[1][r], g);
            }
            rows
        }

        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn store_block<W: Words>(blocks: &mut [[W; 8]; 2], g: usize, rows: [V; 8]) {
            let [first, second] = blocks;
            for r in 0..8 {
                store_halves(&mut first[r], &mut second[r], g, rows[r]);
            }
        }

        /// A constant of group `g`.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn load_constant<W: Words>(halves: &[W; 2], g: usize) -> V {
            load_halves(&halves[0], &halves[1], g)
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use vectors;
