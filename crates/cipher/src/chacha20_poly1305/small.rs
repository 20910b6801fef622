use super::compose::{absorb, lengths};
use crate::chacha20::portable::xor;
use crate::poly1305::{State, small::update};
use adamant_base::Secret;

pub(super) fn seal(key: &[u32; 8], nonce: &[u32; 3], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt(key, nonce, aad, data, false)
}

pub(super) fn open(key: &[u32; 8], nonce: &[u32; 3], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt(key, nonce, aad, data, true)
}

#[inline(never)]
fn crypt(key: &[u32; 8], nonce: &[u32; 3], aad: &[u8], data: &mut [u8], decrypt: bool) -> [u8; 16] {
    let mut one_time = Secret::new([0; 32]);
    xor(key, 0, nonce, &mut *one_time);
    let mut state = Secret::new(State::new(&one_time));
    absorb(&update, &mut state, aad);
    if !decrypt {
        xor(key, 1, nonce, data);
    }
    absorb(&update, &mut state, data);
    if decrypt {
        xor(key, 1, nonce, data);
    }
    update(&mut state, &[lengths(aad, data)], 1);
    state.tag()
}
