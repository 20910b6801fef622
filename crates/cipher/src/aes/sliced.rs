//! AES on planes as FIPS 197 writes it, a round after the other.

use super::RoundKeys;
use super::portable::{
    Plane, State, add_round_key, inv_mix_columns, inv_sub_bytes, mix_columns, shift_rows, sub_bytes,
};
use adamant_base::{BlockCipher, Secret};

/// AES under one key, its round keys as planes, the same for every block of a group.
pub(super) struct Sliced<P: Plane> {
    rounds: usize,
    keys: Secret<[State<P>; 15]>,
}

impl<P: Plane> Sliced<P> {
    pub(super) fn new(keys: &RoundKeys) -> Self {
        let mut sliced = Secret::new([[P::ZERO; 8]; 15]);
        for (to, key) in sliced.iter_mut().zip(&keys.encrypt[..=keys.rounds]) {
            *to = P::repeat(key);
        }
        Sliced {
            rounds: keys.rounds,
            keys: sliced,
        }
    }
}

impl<P: Plane> BlockCipher for Sliced<P> {
    type Block = [u8; 16];

    /// Cipher (5.1) on each block.
    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        let (first, keys, last) = (
            &self.keys[0],
            &self.keys[1..self.rounds],
            &self.keys[self.rounds],
        );
        for blocks in blocks.chunks_mut(P::BLOCKS) {
            let mut q = P::slice(blocks);
            add_round_key(&mut q, first);
            let mut keys = keys.iter();
            loop {
                sub_bytes(&mut q);
                shift_rows(&mut q, 1);
                let Some(key) = keys.next() else {
                    break;
                };
                mix_columns(&mut q);
                add_round_key(&mut q, key);
            }
            add_round_key(&mut q, last);
            P::unslice(&q, blocks);
        }
    }

    /// InvCipher (5.3) on each block.
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        let (first, keys, last) = (
            &self.keys[0],
            &self.keys[1..self.rounds],
            &self.keys[self.rounds],
        );
        for blocks in blocks.chunks_mut(P::BLOCKS) {
            let mut q = P::slice(blocks);
            add_round_key(&mut q, last);
            let mut keys = keys.iter().rev();
            loop {
                shift_rows(&mut q, 3);
                inv_sub_bytes(&mut q);
                let Some(key) = keys.next() else {
                    break;
                };
                add_round_key(&mut q, key);
                inv_mix_columns(&mut q);
            }
            add_round_key(&mut q, first);
            P::unslice(&q, blocks);
        }
    }
}
