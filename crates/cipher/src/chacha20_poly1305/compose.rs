//! The AEAD of a ChaCha20 and a Poly1305 (RFC 8439, 2.8).
//!
//! Block 0 of the key stream gives the key of Poly1305, block 1 is the first for the data. The
//! blocks for the start of the data are made along with block 0, so a short message needs one
//! call of the block function.

use crate::poly1305::State;
use adamant_base::Secret;

/// Bytes encrypted before they are authenticated, and back: they stay in the first cache.
pub(super) const AT_ONCE: usize = 16384;
/// Takes data into the sum, the last block filled up with zeros (2.8, padding).
#[inline(always)]
pub(super) fn absorb(
    update: &impl Fn(&mut State, &[[u8; 16]], u32),
    state: &mut State,
    data: &[u8],
) {
    let (blocks, rest) = data.as_chunks();
    if !blocks.is_empty() {
        update(state, blocks, 1);
    }
    if !rest.is_empty() {
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        update(state, &[last], 1);
    }
}

/// The last block of Poly1305's message.
#[inline(always)]
pub(super) fn lengths(aad: &[u8], data: &[u8]) -> [u8; 16] {
    let mut lengths = [0; 16];
    lengths[..8].copy_from_slice(&(aad.len() as u64).to_le_bytes());
    lengths[8..].copy_from_slice(&(data.len() as u64).to_le_bytes());
    lengths
}

/// Encrypts or decrypts in place; the tag that there should be. `xor` is the key stream from a
/// counter on, `update` Poly1305. Of the blocks, `first` are made along with block 0, at most
/// `BLOCKS`.
#[inline(always)]
fn crypt<const BLOCKS: usize, const DECRYPT: bool>(
    first: usize,
    xor: impl Fn(u32, &mut [u8]),
    update: impl Fn(&mut State, &[[u8; 16]], u32),
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    debug_assert!((1..=BLOCKS).contains(&first));
    let lengths = lengths(aad, data);
    let head = data.len().min(64 * (first - 1));
    let mut stream = Secret::new([[0; 64]; BLOCKS]);
    xor(0, &mut stream.as_flattened_mut()[..64 + head]);
    let (key, stream) = stream.as_flattened().split_at(64);
    let key = Secret::new(core::array::from_fn(|i| key[i]));
    let mut state = Secret::new(State::new(&key));

    absorb(&update, &mut state, aad);
    let mut ready = Some(stream);
    let mut counter = 1u32;
    for data in data.chunks_mut(AT_ONCE) {
        if DECRYPT {
            absorb(&update, &mut state, data);
        }
        if let Some(stream) = ready.take() {
            let (head, rest) = data.split_at_mut(head);
            for (byte, s) in head.iter_mut().zip(stream) {
                *byte ^= s;
            }
            xor(first as u32, rest);
        } else {
            xor(counter, data);
        }
        if !DECRYPT {
            absorb(&update, &mut state, data);
        }
        counter = counter.wrapping_add((AT_ONCE / 64) as u32);
    }
    update(&mut state, &[lengths], 1);
    state.tag()
}

/// Encrypts or decrypts in place; the tag that there should be. Of this many blocks `first` tells
/// how many to make at first, which are never more than `MOST`.
#[inline(always)]
pub(super) fn any_length<const MOST: usize, const DECRYPT: bool>(
    first: impl Fn(usize) -> usize,
    xor: impl Fn(u32, &mut [u8]),
    update: impl Fn(&mut State, &[[u8; 16]], u32),
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let first = first(1 + data.len().div_ceil(64));
    if const { MOST > 8 } && first > 8 {
        return crypt::<MOST, DECRYPT>(first, xor, update, aad, data);
    }
    if const { MOST > 4 } && first > 4 {
        return crypt::<8, DECRYPT>(first, xor, update, aad, data);
    }
    crypt::<4, DECRYPT>(first, xor, update, aad, data)
}

/// Makes the functions of a table's row from a ChaCha20 and a Poly1305.
macro_rules! composed {
    ($chacha20:ident, $poly1305:ident $(, $features:literal)?) => {
        $crate::chacha20_poly1305::compose::composed!(@use $chacha20, $poly1305);
        $crate::chacha20_poly1305::compose::composed!(@whole seal false $(, $features)?);
        $crate::chacha20_poly1305::compose::composed!(@whole open true $(, $features)?);
    };
    // The same under other names, for long messages.
    (@long $chacha20:ident, $poly1305:ident, $features:literal) => {
        $crate::chacha20_poly1305::compose::composed!(@use $chacha20, $poly1305);
        $crate::chacha20_poly1305::compose::composed!(@whole seal_long false, $features);
        $crate::chacha20_poly1305::compose::composed!(@whole open_long true, $features);
    };
    (@use $chacha20:ident, $poly1305:ident) => {
        use super::compose;
        use crate::chacha20::$chacha20 as chacha20;
        use crate::poly1305::$poly1305 as poly1305;
    };
    (@whole $name:ident $decrypt:literal $(, $features:literal)?) => {
        $(#[target_feature(enable = $features)])?
        pub(super) fn $name(
            key: &[u32; 8],
            nonce: &[u32; 3],
            aad: &[u8],
            data: &mut [u8],
        ) -> [u8; 16] {
            compose::any_length::<{ chacha20::MOST_AT_FIRST }, $decrypt>(
                |blocks| chacha20::first(blocks),
                |counter, data| chacha20::xor(key, counter, nonce, data),
                |state, blocks, high| poly1305::update(state, blocks, high),
                aad,
                data,
            )
        }
    };
}
pub(super) use composed;
