//! The compression function with AVX-512: eight words a vector, the whole block in registers.
//!
//! Words lie in memory in an order of this file's own: a vector holds, of two neighbouring rows,
//! two neighbouring columns of registers each (row, columns 2q and 2q + 1; next row, the same).
//! For P on the rows it then holds a, b, c or d of two rows; and for P on the columns a, b, c or d
//! of two columns: a is made of the rows 0 and 1, b of 2 and 3, … Neither needs words moved but for
//! the diagonals. The order is the standard's four words at a time, so that word 0 stays first.

use super::Block;
use adamant_base::simd::{from_fn, load512, store512};
use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_mul_epu32, _mm512_permutex_epi64, _mm512_permutexvar_epi64,
    _mm512_ror_epi64, _mm512_set_epi64, _mm512_setzero_si512, _mm512_shuffle_i64x2,
    _mm512_ternarylogic_epi64, _mm512_xor_si512,
};

/// BlaMka's addition.
#[inline]
#[target_feature(enable = "avx512f")]
fn f(a: __m512i, b: __m512i) -> __m512i {
    let product = _mm512_mul_epu32(a, b);
    _mm512_add_epi64(_mm512_add_epi64(_mm512_add_epi64(a, b), product), product)
}

/// GB on eight columns of words each of four sets; between, the steps of each are side by side.
#[inline]
#[target_feature(enable = "avx512f")]
fn gb(v: &mut [[__m512i; 4]; 4]) {
    macro_rules! step {
        ($x:literal $y:literal $z:literal $bits:literal) => {
            for v in v.iter_mut() {
                v[$x] = f(v[$x], v[$y]);
            }
            for v in v.iter_mut() {
                v[$z] = _mm512_ror_epi64::<$bits>(_mm512_xor_si512(v[$z], v[$x]));
            }
        };
    }
    step!(0 1 3 32);
    step!(2 3 1 24);
    step!(0 1 3 16);
    step!(2 3 1 63);
}

/// P on the rows of four pairs of rows.
#[inline]
#[target_feature(enable = "avx512f")]
fn rows(v: &mut [[__m512i; 4]; 4]) {
    gb(v);
    for [_, b, c, d] in v.iter_mut() {
        *b = _mm512_permutex_epi64::<0x39>(*b);
        *c = _mm512_permutex_epi64::<0x4e>(*c);
        *d = _mm512_permutex_epi64::<0x93>(*d);
    }
    gb(v);
    for [_, b, c, d] in v.iter_mut() {
        *b = _mm512_permutex_epi64::<0x93>(*b);
        *c = _mm512_permutex_epi64::<0x4e>(*c);
        *d = _mm512_permutex_epi64::<0x39>(*d);
    }
}

/// P on the columns of four pairs of columns: a vector holds words 0 and 1 of the first column, of
/// the second, and words 2 and 3 of both.
#[inline]
#[target_feature(enable = "avx512f")]
fn columns(v: &mut [[__m512i; 4]; 4]) {
    // Words 1, 2, 3, 0 of each column, and words 3, 0, 1, 2.
    let left = _mm512_set_epi64(2, 7, 0, 5, 6, 3, 4, 1);
    let right = _mm512_set_epi64(6, 3, 4, 1, 2, 7, 0, 5);
    gb(v);
    for [_, b, c, d] in v.iter_mut() {
        *b = _mm512_permutexvar_epi64(left, *b);
        *c = _mm512_shuffle_i64x2::<0x4e>(*c, *c);
        *d = _mm512_permutexvar_epi64(right, *d);
    }
    gb(v);
    for [_, b, c, d] in v.iter_mut() {
        *b = _mm512_permutexvar_epi64(right, *b);
        *c = _mm512_shuffle_i64x2::<0x4e>(*c, *c);
        *d = _mm512_permutexvar_epi64(left, *d);
    }
}

#[target_feature(enable = "avx512f")]
pub(super) fn compress(x: &Block, y: &Block, out: &mut Block, xor: bool) {
    let (x, y) = (x.as_chunks::<8>().0, y.as_chunks::<8>().0);
    let out = out.as_chunks_mut::<8>().0;
    // By pairs of rows; in each a, b, c, d, or for columns: pairs of columns.
    let mut v = [[_mm512_setzero_si512(); 4]; 4];
    for (i, v) in v.as_flattened_mut().iter_mut().enumerate() {
        *v = _mm512_xor_si512(load512(&x[i]), load512(&y[i]));
    }
    rows(&mut v);
    let mut by_columns: [[__m512i; 4]; 4] = from_fn(|k| from_fn(|i| v[i][k]));
    columns(&mut by_columns);
    const XOR3: i32 = 0x96;
    for i in 0..16 {
        let z = by_columns[i % 4][i / 4];
        let r = if xor {
            _mm512_ternarylogic_epi64::<XOR3>(load512(&x[i]), load512(&y[i]), load512(&out[i]))
        } else {
            _mm512_xor_si512(load512(&x[i]), load512(&y[i]))
        };
        store512(&mut out[i], _mm512_xor_si512(z, r));
    }
}

/// Where the four words lie that are the standard's row `i / 4`, columns `2 (i % 4)` and the next.
const fn place(i: usize) -> usize {
    let (row, q) = (i / 4, i % 4);
    (row / 2 * 4 + q) * 2 + row % 2
}

#[target_feature(enable = "avx512f")]
pub(super) fn arrange(block: &mut Block) {
    let from = *block;
    let to = block.as_chunks_mut::<4>().0;
    for (i, words) in from.as_chunks::<4>().0.iter().enumerate() {
        to[place(i)] = *words;
    }
}

#[target_feature(enable = "avx512f")]
pub(super) fn restore(block: &mut Block) {
    let from = *block;
    let from = from.as_chunks::<4>().0;
    for (i, words) in block.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        *words = from[place(i)];
    }
}
