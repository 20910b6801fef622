//! The compression function G (RFC 9106, 3.5 and 3.6) in plain Rust.

use super::Block;

/// BlaMka's addition: a + b + 2 · (a mod 2^32) · (b mod 2^32) modulo 2^64.
fn f(a: u64, b: u64) -> u64 {
    let product = u64::from(a as u32) * u64::from(b as u32);
    a.wrapping_add(b).wrapping_add(product << 1)
}

/// GB on four words of `v`.
fn gb(v: &mut Block, a: usize, b: usize, c: usize, d: usize) {
    v[a] = f(v[a], v[b]);
    v[d] = (v[d] ^ v[a]).rotate_right(32);
    v[c] = f(v[c], v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(24);
    v[a] = f(v[a], v[b]);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = f(v[c], v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(63);
}

/// The permutation P on the sixteen words that lie at these places of `v`.
fn p(v: &mut Block, at: impl Fn(usize) -> usize) {
    for [a, b, c, d] in [
        [0, 4, 8, 12],
        [1, 5, 9, 13],
        [2, 6, 10, 14],
        [3, 7, 11, 15],
        [0, 5, 10, 15],
        [1, 6, 11, 12],
        [2, 7, 8, 13],
        [3, 4, 9, 14],
    ] {
        gb(v, at(a), at(b), at(c), at(d));
    }
}

pub(super) fn compress(x: &Block, y: &Block, out: &mut Block, xor: bool) {
    let r: Block = core::array::from_fn(|i| x[i] ^ y[i]);
    let mut z = r;
    for row in 0..8 {
        p(&mut z, |i| 16 * row + i);
    }
    // A register of a column has two words; the next register lies a row, 16 words, further.
    for column in 0..8 {
        p(&mut z, |i| 2 * column + 16 * (i / 2) + i % 2);
    }
    for i in 0..128 {
        let old = if xor { out[i] } else { 0 };
        out[i] = z[i] ^ r[i] ^ old;
    }
}

/// The standard's order.
pub(super) fn arrange(_: &mut Block) {}

pub(super) fn restore(_: &mut Block) {}
