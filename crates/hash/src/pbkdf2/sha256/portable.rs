//! The inner loop over the compression function.

use super::{Chains, PADDING};
use crate::pbkdf2::run_each;
use crate::sha256;

pub(super) fn run(chains: Chains<[u32; 8]>, count: u32) {
    let put = |block: &mut [u8], words: &[u32]| {
        for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_be_bytes();
        }
    };
    let mut block = [0; 64];
    put(&mut block[32..], &PADDING);
    let hash = sha256::Backend::portable();
    run_each(
        chains,
        count,
        block,
        |block, tag| put(block, tag),
        |state, blocks| hash.compress(state, blocks),
    );
}
