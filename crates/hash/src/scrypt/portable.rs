//! scryptROMix in plain Rust.

use super::Block;

/// RFC 7914, 3: the Salsa20/8 core.
fn salsa20_8(b: &mut Block) {
    let mut x = *b;
    let mut quarter = |a: usize, b: usize, c: usize, d: usize| {
        x[b] ^= x[a].wrapping_add(x[d]).rotate_left(7);
        x[c] ^= x[b].wrapping_add(x[a]).rotate_left(9);
        x[d] ^= x[c].wrapping_add(x[b]).rotate_left(13);
        x[a] ^= x[d].wrapping_add(x[c]).rotate_left(18);
    };
    for _ in 0..4 {
        quarter(0, 4, 8, 12);
        quarter(5, 9, 13, 1);
        quarter(10, 14, 2, 6);
        quarter(15, 3, 7, 11);
        quarter(0, 1, 2, 3);
        quarter(5, 6, 7, 4);
        quarter(10, 11, 8, 9);
        quarter(15, 12, 13, 14);
    }
    for (b, x) in b.iter_mut().zip(x) {
        *b = b.wrapping_add(x);
    }
}

/// RFC 7914, 4: scryptBlockMix from `b` to `y`.
fn block_mix(b: &[Block], y: &mut [Block]) {
    let r = b.len() / 2;
    let mut x = b[2 * r - 1];
    for (i, block) in b.iter().enumerate() {
        xor(&mut x, block);
        salsa20_8(&mut x);
        // Y_0, Y_2, … come first, then Y_1, Y_3, …
        y[i / 2 + i % 2 * r] = x;
    }
}

fn xor(x: &mut Block, y: &Block) {
    for (x, y) in x.iter_mut().zip(y) {
        *x ^= y;
    }
}

/// RFC 7914, 5: scryptROMix.
pub(super) fn ro_mix(b: &mut [Block], v: &mut [Block], x: &mut [Block]) {
    super::check(b, v, x, 1);
    let len = b.len();
    let n = v.len() / len;
    for copy in v.chunks_exact_mut(len) {
        copy.copy_from_slice(b);
        block_mix(copy, b);
    }
    for _ in 0..n {
        let j = super::integerify(b, n);
        for ((x, b), v) in x.iter_mut().zip(&*b).zip(&v[j * len..][..len]) {
            *x = *b;
            xor(x, v);
        }
        block_mix(x, b);
    }
}
