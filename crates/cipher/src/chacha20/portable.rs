//! ChaCha20 as RFC 8439 writes it (2.1 to 2.3).

use super::CONSTANTS;

/// QUARTERROUND on the words `x`, `y`, `z` and `w` of the state.
fn quarter_round(state: &mut [u32; 16], x: usize, y: usize, z: usize, w: usize) {
    let [mut a, mut b, mut c, mut d] = [state[x], state[y], state[z], state[w]];
    a = a.wrapping_add(b);
    d = (d ^ a).rotate_left(16);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_left(12);
    a = a.wrapping_add(b);
    d = (d ^ a).rotate_left(8);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_left(7);
    [state[x], state[y], state[z], state[w]] = [a, b, c, d];
}

fn inner_block(state: &mut [u32; 16]) {
    quarter_round(state, 0, 4, 8, 12);
    quarter_round(state, 1, 5, 9, 13);
    quarter_round(state, 2, 6, 10, 14);
    quarter_round(state, 3, 7, 11, 15);
    quarter_round(state, 0, 5, 10, 15);
    quarter_round(state, 1, 6, 11, 12);
    quarter_round(state, 2, 7, 8, 13);
    quarter_round(state, 3, 4, 9, 14);
}

pub(super) fn block(key: &[u32; 8], counter: u32, nonce: &[u32; 3], out: &mut [u8; 64]) {
    let [c0, c1, c2, c3] = CONSTANTS;
    let [k0, k1, k2, k3, k4, k5, k6, k7] = *key;
    let [n0, n1, n2] = *nonce;
    let initial = [
        c0, c1, c2, c3, k0, k1, k2, k3, k4, k5, k6, k7, counter, n0, n1, n2,
    ];
    let mut state = initial;
    for _ in 0..10 {
        inner_block(&mut state);
    }
    for ((bytes, x), y) in out.as_chunks_mut().0.iter_mut().zip(state).zip(initial) {
        *bytes = x.wrapping_add(y).to_le_bytes();
    }
}

pub(super) fn keystream(key: &[u32; 8], counter: u32, nonce: &[u32; 3], out: &mut [[u8; 64]]) {
    for (i, out) in out.iter_mut().enumerate() {
        block(key, counter.wrapping_add(i as u32), nonce, out);
    }
}
