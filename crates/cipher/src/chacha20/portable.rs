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
    if cfg!(feature = "small") {
        // Four columns, then four diagonals: in each row one place further than in the one above.
        for i in 0..8 {
            let place = |row: usize| 4 * row + (i + i / 4 * row) % 4;
            quarter_round(state, place(0), place(1), place(2), place(3));
        }
        return;
    }
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

/// A block of key stream.
fn block(key: &[u32; 8], counter: u32, nonce: &[u32; 3]) -> [u32; 16] {
    let initial = super::state(key, counter, nonce);
    let words = rounds(initial);
    core::array::from_fn(|i| words[i].wrapping_add(initial[i]))
}

pub(crate) fn xor(key: &[u32; 8], mut counter: u32, nonce: &[u32; 3], data: &mut [u8]) {
    if cfg!(feature = "small") {
        for data in data.chunks_mut(64) {
            let stream = block(key, counter, nonce).map(u32::to_le_bytes);
            for (byte, s) in data.iter_mut().zip(stream.as_flattened()) {
                *byte ^= s;
            }
            counter = counter.wrapping_add(1);
        }
        return;
    }
    let (blocks, rest) = data.as_chunks_mut::<64>();
    for data in blocks {
        let stream = block(key, counter, nonce);
        for (bytes, word) in data.as_chunks_mut().0.iter_mut().zip(stream) {
            *bytes = (u32::from_le_bytes(*bytes) ^ word).to_le_bytes();
        }
        counter = counter.wrapping_add(1);
    }
    if !rest.is_empty() {
        let stream = block(key, counter, nonce).map(u32::to_le_bytes);
        for (byte, s) in rest.iter_mut().zip(stream.as_flattened()) {
            *byte ^= s;
        }
    }
}

/// The most that [`first`] gives.
pub(crate) const MOST_AT_FIRST: usize = 1;

/// Of this many blocks, how many to make at first if they must be made in two calls.
pub(crate) fn first(_: usize) -> usize {
    1
}
