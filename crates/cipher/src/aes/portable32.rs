//! Bitsliced in planes of 32 bits, two blocks at once.
//!
//! Where code need not be small, ShiftRows waits in every other round: MixColumns then takes its rows from
//! where they still are, as do the round keys, and the next round shifts by twice as much, which moves
//! two rows only (Adomnicai and Peyrin, "Fixslicing AES-like ciphers", 2020).

#[cfg(not(feature = "small"))]
pub(super) use fixsliced::Sliced;
/// AES under one key.
#[cfg(feature = "small")]
pub(super) type Sliced = super::sliced::Sliced<u32>;

super::portable::row! { Sliced }

#[cfg(not(feature = "small"))]
mod fixsliced {
    use adamant_base::{BlockCipher, Secret};

    use crate::aes::RoundKeys;
    use crate::aes::portable::{
        Plane, State, add_round_key, inv_mix_columns, inv_mix_columns_by, inv_sub_bytes,
        mix_columns, mix_columns_by, shift_rows, sub_bytes,
    };

    /// AES under one key, its round keys as planes, the same for both blocks; those of rounds of an odd
    /// number wait for ShiftRows.
    pub(in crate::aes) struct Sliced {
        rounds: usize,
        keys: Secret<[State<u32>; 15]>,
    }

    /// The bits of `a` in this mask, the others of `b`.
    #[inline(always)]
    fn chosen(mask: u32, a: u32, b: u32) -> u32 {
        (a ^ b) & mask ^ b
    }

    /// All rows one column to the left.
    #[inline(always)]
    fn next_column(x: u32) -> u32 {
        chosen(0x3f3f_3f3f, x >> 2, x << 6)
    }

    /// All rows two columns to the left.
    #[inline(always)]
    fn two_columns(x: u32) -> u32 {
        chosen(0x0f0f_0f0f, x >> 4, x << 4)
    }

    /// Of rows that wait to be shifted: for each byte that in the row below, in the column where it is.
    #[inline(always)]
    fn below(x: u32) -> u32 {
        next_column(x).rotate_rows(1)
    }

    /// The same two rows below.
    #[inline(always)]
    fn two_below(x: u32) -> u32 {
        two_columns(x).rotate_rows(2)
    }

    impl Sliced {
        pub(in crate::aes) fn new(keys: &RoundKeys) -> Self {
            debug_assert!(keys.rounds.is_multiple_of(2));
            let mut sliced = Secret::new([[0; 8]; 15]);
            for (i, (to, key)) in sliced
                .iter_mut()
                .zip(&keys.encrypt[..=keys.rounds])
                .enumerate()
            {
                *to = u32::repeat(key);
                if i % 2 == 1 {
                    shift_rows(to, 3);
                }
            }
            Sliced {
                rounds: keys.rounds,
                keys: sliced,
            }
        }
    }

    impl BlockCipher for Sliced {
        type Block = [u8; 16];

        /// Cipher (FIPS 197, 5.1) on each block.
        fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            let [first, keys @ ..] = &*self.keys;
            let keys = keys[..self.rounds].as_chunks::<2>().0;
            for blocks in blocks.chunks_mut(u32::BLOCKS) {
                let mut q = u32::slice(blocks);
                add_round_key(&mut q, first);
                for (i, [odd, even]) in (1..).zip(keys) {
                    sub_bytes(&mut q);
                    mix_columns_by(&mut q, below, two_below);
                    add_round_key(&mut q, odd);
                    sub_bytes(&mut q);
                    shift_rows(&mut q, 2);
                    if i < keys.len() {
                        mix_columns(&mut q);
                    }
                    add_round_key(&mut q, even);
                }
                u32::unslice(&q, blocks);
            }
        }

        /// InvCipher (5.3) on each block.
        fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
            let [first, keys @ ..] = &*self.keys;
            let keys = keys[..self.rounds].as_chunks::<2>().0;
            for blocks in blocks.chunks_mut(u32::BLOCKS) {
                let mut q = u32::slice(blocks);
                for (i, [odd, even]) in (0..).zip(keys.iter().rev()) {
                    add_round_key(&mut q, even);
                    if i > 0 {
                        inv_mix_columns(&mut q);
                    }
                    shift_rows(&mut q, 2);
                    inv_sub_bytes(&mut q);
                    add_round_key(&mut q, odd);
                    inv_mix_columns_by(&mut q, below, two_below);
                    inv_sub_bytes(&mut q);
                }
                add_round_key(&mut q, first);
                u32::unslice(&q, blocks);
            }
        }
    }
}
