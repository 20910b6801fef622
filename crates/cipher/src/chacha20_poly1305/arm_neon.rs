//! ChaCha20-Poly1305 with NEON, both halves side by side.
//!
//! 1. Poly1305 runs on the scalar unit, two blocks beside each double round of ChaCha20: on the
//!    same ciphertext when decrypting, on that of the group before when encrypting.
//! 2. Block 0 of the key stream is made along with the first five for the data.

use super::compose::{absorb, lengths};
use crate::chacha20::arm_neon::{Blocks, Start};
use crate::poly1305::arm_neon::update;
use crate::poly1305::{State, portable64};
use adamant_base::Secret;
use core::hint::black_box;
use core::mem::take;

pub(super) use crate::chacha20::arm_neon::AT_ONCE;

type Group = [[u8; 64]; AT_ONCE];

/// As many blocks as the first ones by words and by rows are; beside, those `before` or, without
/// any, the ciphertext that is to be decrypted are taken into the sum.
#[inline(never)]
#[target_feature(enable = "neon")]
fn group<const FOURS: usize, const ROWS: usize>(
    start: &mut Start,
    state: &mut State,
    before: Option<&[[u8; 16]]>,
    data: &mut Group,
) {
    let (mut sum, r) = (state.sum, state.r);
    // The compiler is not to know it: it would add carries and the one by two instructions.
    let high = black_box(1);
    let mut absorb = |blocks: &[[u8; 16]]| {
        for block in blocks {
            sum = portable64::add_and_multiply(sum, r, block, high);
        }
    };
    let cipher = before.unwrap_or(data.as_flattened().as_chunks().0);
    let (pairs, _) = cipher.as_chunks::<2>();
    let pairs = &pairs[..pairs.len().min(10)];
    let blocks = Blocks::<FOURS, ROWS>::new(start, pairs, |pair| absorb(pair));
    absorb(&cipher[2 * pairs.len()..]);
    blocks.add_to(start, data);
    start.advance(4 * FOURS + ROWS);
    state.sum = sum;
}

/// The number of blocks that are needed.
#[inline]
#[target_feature(enable = "neon")]
fn some(
    needed: usize,
    start: &mut Start,
    state: &mut State,
    before: Option<&[[u8; 16]]>,
    data: &mut Group,
) {
    match needed {
        ..=2 => group::<0, 2>(start, state, before, data),
        3..=4 => group::<1, 0>(start, state, before, data),
        5 => group::<1, 1>(start, state, before, data),
        _ => group::<1, 2>(start, state, before, data),
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn crypt<const DECRYPT: bool>(
    key: &[u32; 8],
    nonce: &[u32; 3],
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let lengths = lengths(aad, data);
    let mut start = Start::new(key, 0, nonce);
    let mut buffer = Secret::new([[0; 64]; AT_ONCE]);
    let mut state = Secret::new(State::new(&[0; 32]));

    let (head, mut todo) = data.split_at_mut(data.len().min(64 * (AT_ONCE - 1)));
    buffer.as_flattened_mut()[64..][..head.len()].copy_from_slice(head);
    some(
        1 + head.len().div_ceil(64),
        &mut start,
        &mut state,
        Some(&[]),
        &mut buffer,
    );
    let key = Secret::new(core::array::from_fn(|i| buffer[0][i]));
    *state = State::new(&key);
    let update = |state: &mut State, blocks: &[[u8; 16]], high| update(state, blocks, high);
    absorb(&update, &mut state, aad);
    if DECRYPT {
        absorb(&update, &mut state, head);
    }
    head.copy_from_slice(&buffer.as_flattened()[64..][..head.len()]);

    // What was encrypted last is not yet in the sum.
    let mut before = &*head;
    while !todo.is_empty() {
        let len = todo.len().min(size_of::<Group>());
        let (now, later) = take(&mut todo).split_at_mut(len);
        let cipher = (!DECRYPT).then_some(before.as_chunks().0);
        if let [whole] = now.as_chunks_mut().0.as_chunks_mut().0 {
            group::<1, 2>(&mut start, &mut state, cipher, whole);
        } else {
            buffer.as_flattened_mut()[..len].copy_from_slice(now);
            let (whole, rest) = now.as_chunks();
            let cipher = Some(cipher.unwrap_or(whole));
            some(
                len.div_ceil(64),
                &mut start,
                &mut state,
                cipher,
                &mut buffer,
            );
            if DECRYPT {
                absorb(&update, &mut state, rest);
            }
            now.copy_from_slice(&buffer.as_flattened()[..len]);
        }
        (before, todo) = (now, later);
    }
    if !DECRYPT {
        absorb(&update, &mut state, before);
    }
    update(&mut state, &[lengths], 1);
    state.tag()
}

#[target_feature(enable = "neon")]
pub(super) fn seal(key: &[u32; 8], nonce: &[u32; 3], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<false>(key, nonce, aad, data)
}

#[target_feature(enable = "neon")]
pub(super) fn open(key: &[u32; 8], nonce: &[u32; 3], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<true>(key, nonce, aad, data)
}
