//! The Montgomery ladder of X25519, three multiplications of four lanes a step.

use super::super::field::Fe;
use super::super::fields::Field;
use super::four::*;
use super::invert;
use super::vector::*;
use adamant_base::ct::barrier;
use adamant_base::simd::arch::*;
use adamant_base::simd::map;

/// As the scalar ladder, with X2, Z2, X3, Z3 in the lanes. A step is three multiplications:
///
/// | lane | 0 | 1 | 2 | 3 |
/// |---|---|---|---|---|
/// | first | A A | B B | D A | C B |
/// | second | (DA + CB)^2 | (DA - CB)^2 | AA + a24 E | AA BB |
/// | third | X2 = AA BB | Z2 = E (AA + a24 E) | X3 | Z3 = x1 (DA - CB)^2 |
#[target_feature(enable = "avx512ifma,avx512vl,bmi2")]
pub(super) fn ladder(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    let x1 = Fe::from_bytes(u);
    let zero = [_mm256_setzero_si256(); 5];
    let a24 = join([Fe::small(121_665); 4]);
    let pass = join([Fe::ONE, Fe::ZERO, Fe::ONE, x1]);
    let minus_1_2 = _mm256_set_epi64x(0, -1, -1, 0);
    let minus_1_3 = _mm256_set_epi64x(-1, 0, -1, 0);
    let mut s = join([Fe::ONE, Fe::ZERO, x1, Fe::ONE]);
    let mut swapped = 0;
    for t in (0..255).rev() {
        let bit = u64::from(scalar[t / 8] >> (t % 8) & 1);
        // Where the bit changes, lanes 0 and 1 change places with lanes 2 and 3: in the indices.
        let exchange = _mm256_set1_epi64x((barrier((swapped ^ bit).wrapping_neg()) & 2) as i64);
        swapped = bit;
        let pick = |from: __m256i| {
            let from = _mm256_xor_si256(from, exchange);
            map(s, |x| _mm256_permutexvar_epi64(from, x))
        };
        // A = X2 + Z2, B = X2 - Z2, D = X3 - Z3, C = X3 + Z3; and A, B, A, B
        let abdc = carry(add_or_subtract(
            pick(_mm256_set_epi64x(2, 2, 0, 0)),
            pick(_mm256_set_epi64x(3, 3, 1, 1)),
            minus_1_2,
        ));
        let abab = carry(add_or_subtract(
            pick(zero[0]),
            pick(_mm256_set1_epi64x(1)),
            minus_1_3,
        ));
        let first = multiply!(abdc, abab);
        // DA + CB, DA - CB, E = AA - BB, AA
        let sums = carry(add_or_subtract(
            permute!(first, [2, 2, 0, 0]),
            insert!(zero, 0b0111, first, [3, 3, 1, 0]),
            minus_1_2,
        ));
        let bb = insert!(a24, 0b1000, carry(first), [0, 0, 0, 1]);
        let product = multiply!(sums, blend!(sums, bb, 0b1100));
        let aa = insert!(zero, 0b0100, first, [0, 0, 0, 0]);
        let second = carry(add_or_subtract(product, aa, zero[0]));
        let left = insert!(permute!(sums, [0, 2, 0, 0]), 0b1101, second, [3, 0, 0, 1]);
        let right = insert!(pass, 0b0010, second, [0, 2, 0, 0]);
        s = multiply!(left, right);
    }
    let [x2, z2, x3, z3] = split(carry(s));
    let (mut x, mut z) = (x2, z2);
    let last = barrier(swapped.wrapping_neg());
    x.assign(last, x3);
    z.assign(last, z3);
    x.mul(invert(&z)).to_bytes()
}
