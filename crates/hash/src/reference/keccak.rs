//! KECCAK-p\[1600\], the sponge and the functions of the SHA-3 family (FIPS 202, SP 800-185,
//! RFC 9861).

use std::sync::LazyLock;

/// FIPS 202, 3.2.5.
static RC: LazyLock<[u64; 24]> = LazyLock::new(|| {
    core::array::from_fn(|round| (0..7).map(|j| rc(j + 7 * round) << ((1 << j) - 1)).sum())
});

/// FIPS 202, algorithm 5.
fn rc(t: usize) -> u64 {
    let mut r = vec![1, 0, 0, 0, 0, 0, 0, 0];
    for _ in 0..t % 255 {
        r.insert(0, 0);
        for i in [0, 4, 5, 6] {
            r[i] ^= r[8];
        }
        r.pop();
    }
    r[0]
}

/// FIPS 202, algorithm 7: the last `rounds` of 24. Lane (x, y) is at x + 5y.
pub(crate) fn permute(state: &mut [u64; 25], rounds: usize) {
    let at = |x: usize, y: usize| x % 5 + 5 * (y % 5);
    for round in 24 - rounds..24 {
        // θ
        let a = *state;
        let column = |x: usize| (0..5).fold(0, |sum, y| sum ^ a[at(x, y)]);
        for x in 0..5 {
            for y in 0..5 {
                state[at(x, y)] ^= column(x + 4) ^ column(x + 1).rotate_left(1);
            }
        }
        // ρ
        let (mut x, mut y) = (1, 0);
        for t in 0..24 {
            state[at(x, y)] = state[at(x, y)].rotate_left((t + 1) * (t + 2) / 2 % 64);
            (x, y) = (y, (2 * x + 3 * y) % 5);
        }
        // π
        let a = *state;
        for x in 0..5 {
            for y in 0..5 {
                state[at(x, y)] = a[at(x + 3 * y, x)];
            }
        }
        // χ
        let a = *state;
        for x in 0..5 {
            for y in 0..5 {
                state[at(x, y)] = a[at(x, y)] ^ (!a[at(x + 1, y)] & a[at(x + 2, y)]);
            }
        }
        // ι
        state[0] ^= RC[round];
    }
}

/// A function of the family: the bytes of a block, the bits after the message with the first one
/// of the padding, and the number of rounds.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    pub(crate) rate: usize,
    pub(crate) suffix: u8,
    pub(crate) rounds: usize,
}

impl Function {
    /// SHA3 with a digest of this many bytes.
    pub(crate) const fn sha3(output: usize) -> Self {
        Function {
            rate: 200 - 2 * output,
            suffix: 0x06,
            rounds: 24,
        }
    }
    pub(crate) const fn shake(security: usize) -> Self {
        Function {
            rate: 200 - security / 4,
            suffix: 0x1f,
            rounds: 24,
        }
    }
    pub(crate) const fn cshake(security: usize) -> Self {
        Function {
            suffix: 0x04,
            ..Self::shake(security)
        }
    }
    pub(crate) const fn turboshake(security: usize, domain: u8) -> Self {
        Function {
            suffix: domain,
            rounds: 12,
            ..Self::shake(security)
        }
    }

    /// FIPS 202, algorithm 8.
    pub(crate) fn output(self, message: &[u8], len: usize) -> Vec<u8> {
        let mut padded = message.to_vec();
        padded.push(self.suffix);
        padded.resize(padded.len().next_multiple_of(self.rate), 0);
        *padded.last_mut().unwrap() ^= 0x80;
        let mut state = [0; 25];
        for block in padded.chunks(self.rate) {
            for (i, byte) in block.iter().enumerate() {
                state[i / 8] ^= u64::from(*byte) << (8 * (i % 8));
            }
            permute(&mut state, self.rounds);
        }
        let mut out = Vec::new();
        while out.len() < len {
            out.extend(state.map(u64::to_le_bytes).as_flattened()[..self.rate].to_vec());
            permute(&mut state, self.rounds);
        }
        out.truncate(len);
        out
    }
}

/// SP 800-185, 2.3.1.
fn left_encode(x: usize) -> Vec<u8> {
    let mut out = right_encode(x);
    out.rotate_right(1);
    out
}

fn right_encode(x: usize) -> Vec<u8> {
    let mut out: Vec<u8> = (x as u64)
        .to_be_bytes()
        .into_iter()
        .skip_while(|b| *b == 0)
        .collect();
    if out.is_empty() {
        out.push(0);
    }
    out.push(out.len() as u8);
    out
}

fn encode_string(string: &[u8]) -> Vec<u8> {
    [left_encode(8 * string.len()), string.to_vec()].concat()
}

fn bytepad(mut x: Vec<u8>, w: usize) -> Vec<u8> {
    x.splice(0..0, left_encode(w));
    x.resize(x.len().next_multiple_of(w), 0);
    x
}

/// SP 800-185, 3.3.
pub(crate) fn cshake(
    security: usize,
    message: &[u8],
    len: usize,
    name: &[u8],
    custom: &[u8],
) -> Vec<u8> {
    if name.is_empty() && custom.is_empty() {
        return Function::shake(security).output(message, len);
    }
    let function = Function::cshake(security);
    let strings = [encode_string(name), encode_string(custom)].concat();
    let input = [&bytepad(strings, function.rate), message].concat();
    function.output(&input, len)
}

/// SP 800-185, 4.3; `xof` is 4.3.1.
pub(crate) fn kmac(
    security: usize,
    key: &[u8],
    message: &[u8],
    len: usize,
    custom: &[u8],
    xof: bool,
) -> Vec<u8> {
    let rate = Function::cshake(security).rate;
    let end = right_encode(if xof { 0 } else { 8 * len });
    let input = [bytepad(encode_string(key), rate), message.to_vec(), end].concat();
    cshake(security, &input, len, b"KMAC", custom)
}
