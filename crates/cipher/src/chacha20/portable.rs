//! ChaCha20 as RFC 8439 writes it (2.1 to 2.3).

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

/// The rounds of a block.
pub(super) fn rounds(mut state: [u32; 16]) -> [u32; 16] {
    for _ in 0..10 {
        inner_block(&mut state);
    }
    state
}

pub(crate) fn xor(key: &[u32; 8], mut counter: u32, nonce: &[u32; 3], data: &mut [u8]) {
    for data in data.chunks_mut(64) {
        let initial = super::state(key, counter, nonce);
        let words = rounds(initial);
        let sum: [u32; 16] = core::array::from_fn(|i| words[i].wrapping_add(initial[i]));
        let (whole, rest) = data.as_chunks_mut::<4>();
        for (bytes, word) in whole.iter_mut().zip(sum) {
            *bytes = (u32::from_le_bytes(*bytes) ^ word).to_le_bytes();
        }
        if !rest.is_empty() {
            let last = sum[whole.len()].to_le_bytes();
            for (byte, s) in rest.iter_mut().zip(last) {
                *byte ^= s;
            }
        }
        counter = counter.wrapping_add(1);
    }
}

/// Of so many blocks, how many to make at first if they must be made in two calls.
pub(crate) fn first(_: usize) -> usize {
    1
}
