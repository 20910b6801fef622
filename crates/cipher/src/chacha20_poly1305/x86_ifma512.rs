//! ChaCha20-Poly1305 with AVX-512 and IFMA. The key stream of a short message is made at once, with
//! block 0, and lies on a shelf until it is needed.

super::compose::composed!(
    @long x86_avx512,
    x86_ifma512,
    "avx512f,avx512bw,avx512vl,avx512ifma,avx512vbmi2"
);

use crate::poly1305::{State, portable64};
use adamant_base::Secret;
use adamant_base::simd::Shelf;
use core::arch::x86_64::__m512i;

macro_rules! any {
    ($name:ident, $long:ident, $decrypt:literal) => {
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma,avx512vbmi2")]
        pub(super) fn $name(
            key: &[u32; 8],
            nonce: &[u32; 3],
            aad: &[u8],
            data: &mut [u8],
        ) -> [u8; 16] {
            match 1 + data.len().div_ceil(64) {
                ..=2 => few::<1, $decrypt>(key, nonce, aad, data),
                3..=4 => few::<2, $decrypt>(key, nonce, aad, data),
                5..=chacha20::AT_ONCE => short::<$decrypt>(key, nonce, aad, data),
                _ => $long(key, nonce, aad, data),
            }
        }
    };
}
any!(seal, seal_long, false);
any!(open, open_long, true);

/// A message that takes at most this many pairs of blocks.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma,avx512vbmi2")]
fn few<const PAIRS: usize, const DECRYPT: bool>(
    key: &[u32; 8],
    nonce: &[u32; 3],
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let mut shelf = Shelf::new();
    chacha20::first_pairs::<PAIRS>(key, nonce, &mut shelf);
    crypt::<DECRYPT>(shelf.steps().as_flattened(), aad, data)
}

/// A message whose key stream is made at once.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma,avx512vbmi2")]
fn short<const DECRYPT: bool>(
    key: &[u32; 8],
    nonce: &[u32; 3],
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let mut shelf = Shelf::new();
    chacha20::stream(key, nonce, 1 + data.len().div_ceil(64), &mut shelf);
    crypt::<DECRYPT>(shelf.steps().as_flattened(), aad, data)
}

/// A message and its key stream, block 0 in front.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma,avx512vbmi2")]
fn crypt<const DECRYPT: bool>(blocks: &[__m512i], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    let stream = &blocks[1..];
    let mut first = Secret::new([[0; 32]; 2]);
    chacha20::add_stream(first.as_flattened_mut(), blocks);
    let mut state = Secret::new(State::new(&first[0]));
    // The last blocks, one by one, are not worth a call.
    let update = |state: &mut State, blocks: &[[u8; 16]], high| match blocks {
        [block] => portable64::update_one(state, block, high),
        _ => poly1305::update(state, blocks, high),
    };
    compose::absorb(&update, &mut state, aad);
    if DECRYPT {
        compose::absorb(&update, &mut state, data);
        chacha20::add_stream(data, stream);
    } else {
        chacha20::add_stream(data, stream);
        compose::absorb(&update, &mut state, data);
    }
    update(&mut state, &[compose::lengths(aad, data)], 1);
    state.tag()
}
