//! One chain after the other.

use super::{Chains, length};
use crate::sha256::portable;
use adamant_base::Wipe;

pub(super) const fn lanes() -> usize {
    1
}

pub(super) const fn break_even() -> usize {
    1
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn run(chains: Chains, node_words: usize, steps: u32) {
    chains.check(node_words, steps);
    for i in 0..chains.count() {
        let node = &mut chains.nodes[i];
        let mut block = [0; 64];
        let end = 22 + 4 * node_words;
        block[end] = 0x80;
        block[60..].copy_from_slice(&length(node_words).to_be_bytes());
        let mut address = chains.addresses[i];
        for step in 0..=steps {
            if chains.keep[i] == step {
                chains.kept[i] = *node;
            }
            if step == steps {
                break;
            }
            for (bytes, word) in block[..24].chunks_exact_mut(4).zip(address) {
                bytes.copy_from_slice(&word.to_be_bytes());
            }
            for (bytes, word) in block[22..end].chunks_exact_mut(4).zip(*node) {
                bytes.copy_from_slice(&word.to_be_bytes());
            }
            *node = chains.prefixes[i];
            portable::compress(node, &[block]);
            address[5] = address[5].wrapping_add(1 << 16);
        }
        block.wipe();
    }
}
