//! The compression function with AVX2: four words a vector.
//!
//! A row is four vectors, a, b, c and d of P. Of two neighbouring columns, a vector holds two words
//! of each: the rows 0, 2, 4 and 6 give the first halves of a, b, c and d, the odd rows the second
//! halves. Diagonals form by moving words between the halves, and c's halves only change names.

use super::Block;
use adamant_base::simd::arch::{
    __m256i, _mm256_add_epi64, _mm256_alignr_epi8, _mm256_mul_epu32, _mm256_permute4x64_epi64,
    _mm256_set_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_shuffle_epi32,
    _mm256_srli_epi64, _mm256_xor_si256,
};
use adamant_base::simd::{load256, map, store256};

/// BlaMka's addition.
#[inline]
#[target_feature(enable = "avx2")]
fn f(a: __m256i, b: __m256i) -> __m256i {
    let product = _mm256_mul_epu32(a, b);
    _mm256_add_epi64(_mm256_add_epi64(a, b), _mm256_add_epi64(product, product))
}

/// `x ^ y`, rotated right by this many bytes; the order of bytes is `order`.
#[inline]
#[target_feature(enable = "avx2")]
fn xor_rotate(x: __m256i, y: __m256i, order: __m256i) -> __m256i {
    _mm256_shuffle_epi8(_mm256_xor_si256(x, y), order)
}

/// GB on four columns of words each of `N` sets.
#[inline]
#[target_feature(enable = "avx2")]
fn gb<const N: usize>(
    a: &mut [__m256i; N],
    b: &mut [__m256i; N],
    c: &mut [__m256i; N],
    d: &mut [__m256i; N],
) {
    let by_24 = _mm256_set_epi64x(
        0x0a09_080f_0e0d_0c0b,
        0x0201_0007_0605_0403,
        0x0a09_080f_0e0d_0c0b,
        0x0201_0007_0605_0403,
    );
    let by_16 = _mm256_set_epi64x(
        0x0908_0f0e_0d0c_0b0a,
        0x0100_0706_0504_0302,
        0x0908_0f0e_0d0c_0b0a,
        0x0100_0706_0504_0302,
    );
    for i in 0..N {
        a[i] = f(a[i], b[i]);
        d[i] = _mm256_shuffle_epi32::<0xb1>(_mm256_xor_si256(d[i], a[i]));
        c[i] = f(c[i], d[i]);
        b[i] = xor_rotate(b[i], c[i], by_24);
        a[i] = f(a[i], b[i]);
        d[i] = xor_rotate(d[i], a[i], by_16);
        c[i] = f(c[i], d[i]);
        let x = _mm256_xor_si256(b[i], c[i]);
        b[i] = _mm256_xor_si256(_mm256_srli_epi64::<63>(x), _mm256_add_epi64(x, x));
    }
}

/// P on two rows.
#[inline]
#[target_feature(enable = "avx2")]
fn rows(v: &mut [__m256i; 32], first: usize) {
    let at = |k: usize| [4 * first + k, 4 * first + 4 + k];
    let get = |v: &[__m256i; 32], k| map(at(k), |i| v[i]);
    let (mut a, mut b, mut c, mut d) = (get(v, 0), get(v, 1), get(v, 2), get(v, 3));
    gb(&mut a, &mut b, &mut c, &mut d);
    for i in 0..2 {
        b[i] = _mm256_permute4x64_epi64::<0x39>(b[i]);
        c[i] = _mm256_permute4x64_epi64::<0x4e>(c[i]);
        d[i] = _mm256_permute4x64_epi64::<0x93>(d[i]);
    }
    gb(&mut a, &mut b, &mut c, &mut d);
    for i in 0..2 {
        v[at(0)[i]] = a[i];
        v[at(1)[i]] = _mm256_permute4x64_epi64::<0x93>(b[i]);
        v[at(2)[i]] = _mm256_permute4x64_epi64::<0x4e>(c[i]);
        v[at(3)[i]] = _mm256_permute4x64_epi64::<0x39>(d[i]);
    }
}

/// The upper words of both lanes of `x`, then the lower ones of `y`, lane by lane.
#[inline]
#[target_feature(enable = "avx2")]
fn upper_lower(x: __m256i, y: __m256i) -> __m256i {
    _mm256_alignr_epi8::<8>(y, x)
}

/// P on the columns of the vectors at `k` of each row.
#[inline]
#[target_feature(enable = "avx2")]
fn columns(v: &mut [__m256i; 32], k: usize) {
    // Even rows, then odd ones.
    let at = |role: usize| [8 * role + k, 8 * role + 4 + k];
    let get = |v: &[__m256i; 32], role| map(at(role), |i| v[i]);
    let (mut a, mut b, mut c, mut d) = (get(v, 0), get(v, 1), get(v, 2), get(v, 3));
    gb(&mut a, &mut b, &mut c, &mut d);
    b = [upper_lower(b[0], b[1]), upper_lower(b[1], b[0])];
    c = [c[1], c[0]];
    d = [upper_lower(d[1], d[0]), upper_lower(d[0], d[1])];
    gb(&mut a, &mut b, &mut c, &mut d);
    b = [upper_lower(b[1], b[0]), upper_lower(b[0], b[1])];
    c = [c[1], c[0]];
    d = [upper_lower(d[0], d[1]), upper_lower(d[1], d[0])];
    for (role, x) in [a, b, c, d].into_iter().enumerate() {
        for i in 0..2 {
            v[at(role)[i]] = x[i];
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn compress(x: &Block, y: &Block, out: &mut Block, xor: bool) {
    let (x, y) = (x.as_chunks::<4>().0, y.as_chunks::<4>().0);
    let out = out.as_chunks_mut::<4>().0;
    let mut v = [_mm256_setzero_si256(); 32];
    for i in 0..32 {
        v[i] = _mm256_xor_si256(load256(&x[i]), load256(&y[i]));
    }
    for first in [0, 2, 4, 6] {
        rows(&mut v, first);
    }
    for k in 0..4 {
        columns(&mut v, k);
    }
    for i in 0..32 {
        let r = _mm256_xor_si256(load256(&x[i]), load256(&y[i]));
        let mut z = _mm256_xor_si256(v[i], r);
        if xor {
            z = _mm256_xor_si256(z, load256(&out[i]));
        }
        store256(&mut out[i], z);
    }
}

/// The standard's order.
#[target_feature(enable = "avx2")]
pub(super) fn arrange(_: &mut Block) {}

#[target_feature(enable = "avx2")]
pub(super) fn restore(_: &mut Block) {}
