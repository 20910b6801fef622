//! ChaCha20-Poly1305 with NEON, both halves side by side.
//!
//! 1. Poly1305 runs on the scalar unit, two blocks beside each double round of ChaCha20: on the
//!    same ciphertext when decrypting, on that of the group before when encrypting.
//! 2. Block 0 of the key stream is made along with the first ones for the data.
//! 3. Of five blocks at once all of Poly1305 fits beside the double rounds. It takes nearly as long as
//!    ChaCha20 on cores with two vector units and a multiplier that is busy for three cycles with a
//!    product, and what of six blocks is left then would wait. Other cores take six (`arm_neon_x6`): they
//!    have the time, and four vector units are not busy with fewer.

use super::compose::{absorb, lengths};
use crate::chacha20::arm_neon::{Blocks, Start};
use crate::poly1305::arm_neon::update;
use crate::poly1305::{State, portable64};
use adamant_base::Secret;
use core::hint::black_box;
use core::mem::take;

/// Blocks at once.
pub(super) const AT_ONCE: usize = 5;
pub(super) const AT_ONCE_X6: usize = 6;

/// As many blocks as the first ones by words and by rows are; beside, those `before` or, without
/// any, the ciphertext that is to be decrypted are taken into the sum.
#[inline(never)]
#[target_feature(enable = "neon")]
fn group<const FOURS: usize, const ROWS: usize>(
    start: &mut Start,
    state: &mut State,
    before: Option<&[[u8; 16]]>,
    data: &mut [[u8; 64]],
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
    let blocks =
        Blocks::<FOURS, ROWS>::new(start, pairs, |block| absorb(core::slice::from_ref(block)));
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
    data: &mut [[u8; 64]],
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
fn crypt<const N: usize, const DECRYPT: bool>(
    key: &[u32; 8],
    nonce: &[u32; 3],
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let lengths = lengths(aad, data);
    let mut start = Start::new(key, 0, nonce);
    let mut buffer = Secret::new([[0; 64]; N]);
    let mut state = Secret::new(State::new(&[0; 32]));

    let (head, mut todo) = data.split_at_mut(data.len().min(64 * (N - 1)));
    buffer.as_flattened_mut()[64..][..head.len()].copy_from_slice(head);
    some(
        1 + head.len().div_ceil(64),
        &mut start,
        &mut state,
        Some(&[]),
        &mut *buffer,
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
        let len = todo.len().min(64 * N);
        let (now, later) = take(&mut todo).split_at_mut(len);
        let cipher = (!DECRYPT).then_some(before.as_chunks().0);
        if len == 64 * N {
            some(N, &mut start, &mut state, cipher, now.as_chunks_mut().0);
        } else {
            buffer.as_flattened_mut()[..len].copy_from_slice(now);
            let (whole, rest) = now.as_chunks();
            let cipher = Some(cipher.unwrap_or(whole));
            some(
                len.div_ceil(64),
                &mut start,
                &mut state,
                cipher,
                &mut *buffer,
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

macro_rules! functions {
    ($($name:ident $n:ident $decrypt:literal;)+) => { $(
        #[target_feature(enable = "neon")]
        pub(super) fn $name(
            key: &[u32; 8],
            nonce: &[u32; 3],
            aad: &[u8],
            data: &mut [u8],
        ) -> [u8; 16] {
            crypt::<$n, $decrypt>(key, nonce, aad, data)
        }
    )+ };
}
functions! {
    seal AT_ONCE false;
    open AT_ONCE true;
    seal_x6 AT_ONCE_X6 false;
    open_x6 AT_ONCE_X6 true;
}
