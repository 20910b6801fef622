//! One X25519 or Ed25519 operation on AVX-512 IFMA: four field elements side by side.
//!
//! A [`Four`] is five registers; register j holds limb j, radix 2^51, of four elements. The
//! formulas of the curves are arranged so that the four lanes have a multiplication to do at the
//! same time. Departures from the scalar field:
//!
//! 1. `vpmadd52` multiplies the low 52 bits of its factors, so every factor has limbs below 2^52:
//!    sums and differences are carried at once, and elements stay below 2^51 + 2^15.
//! 2. It gives bits 0 to 51 and bits 52 to 103 of a product. The upper half counts twice at the
//!    next limb, as 2^52 = 2 * 2^51: upper halves have sums of their own, doubled at the end.
//! 3. The ten columns are folded to five by 19 = 16 + 2 + 1 with shifts.
//!
//! Column k is at most 5 * 2^52 + 2 * 5 * 2^52 + 2^52 = 2^56 with an addend; with what is folded
//! 20 * 2^56 < 2^61, so one pass of carries leaves limbs below 2^51 + 19 * 2^10 < 2^51 + 2^15.

use super::field::Fe;
use adamant_base::ct::barrier;
use adamant_base::simd::{load256, store256};
use core::arch::x86_64::*;

type Four = [__m256i; 5];

const MASK: i64 = (1 << 51) - 1;
/// The limbs of 2p, and one more: what is added with the complement of a subtrahend.
const TWO_P_PLUS_1: [i64; 5] = [
    (1 << 52) - 37,
    (1 << 52) - 1,
    (1 << 52) - 1,
    (1 << 52) - 1,
    (1 << 52) - 1,
];

/// `addend + a * b` in each lane.
///
/// A macro, as a function this long would not be inlined, and its arguments pass through memory.
macro_rules! multiply {
    ($addend:expr, $a:expr, $b:expr) => {{
        let (addend, a, b): (Four, Four, Four) = ($addend, $a, $b);
        let zero = _mm256_setzero_si256();
        let mut low = [zero; 10];
        let mut high = [zero; 10];
        low[..5].copy_from_slice(&addend);
        for i in 0..5 {
            for j in 0..5 {
                low[i + j] = _mm256_madd52lo_epu64(low[i + j], a[i], b[j]);
                high[i + j + 1] = _mm256_madd52hi_epu64(high[i + j + 1], a[i], b[j]);
            }
        }
        let column = |k: usize| _mm256_add_epi64(low[k], _mm256_add_epi64(high[k], high[k]));
        let folded = |k: usize| {
            let x = column(k + 5);
            let x3 = _mm256_add_epi64(x, _mm256_add_epi64(x, x));
            _mm256_add_epi64(_mm256_add_epi64(column(k), x3), _mm256_slli_epi64::<4>(x))
        };
        carry([folded(0), folded(1), folded(2), folded(3), folded(4)])
    }};
}

/// One pass of carries, all at once.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
fn carry(x: Four) -> Four {
    let mask = _mm256_set1_epi64x(MASK);
    let low = x.map(|x| _mm256_and_si256(x, mask));
    let high = x.map(|x| _mm256_srli_epi64::<51>(x));
    [
        _mm256_madd52lo_epu64(low[0], high[4], _mm256_set1_epi64x(19)),
        _mm256_add_epi64(low[1], high[0]),
        _mm256_add_epi64(low[2], high[1]),
        _mm256_add_epi64(low[3], high[2]),
        _mm256_add_epi64(low[4], high[3]),
    ]
}

/// `a + b`, or `a - b` in the lanes of `minus` (all ones there, zero elsewhere).
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
fn add_or_subtract(a: Four, b: Four, minus: __m256i) -> Four {
    carry(core::array::from_fn(|j| {
        let two_p = _mm256_and_si256(minus, _mm256_set1_epi64x(TWO_P_PLUS_1[j]));
        let b = _mm256_xor_si256(b[j], minus);
        _mm256_add_epi64(_mm256_add_epi64(a[j], two_p), b)
    }))
}

/// Elements side by side.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
fn join(elements: [Fe; 4]) -> Four {
    core::array::from_fn(|j| load256(&elements.map(|x| x.limbs()[j])))
}

/// The elements, one by one.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
fn split(x: Four) -> [Fe; 4] {
    let limbs = x.map(|x| {
        let mut lanes = [0u64; 4];
        store256(&mut lanes, x);
        lanes
    });
    core::array::from_fn(|lane| Fe::from_limbs(limbs.map(|limb| limb[lane])))
}

/// The immediate of a permutation: lane i of the result is lane `from[i]` of the source.
const fn lanes(from: [i32; 4]) -> i32 {
    from[0] | from[1] << 2 | from[2] << 4 | from[3] << 6
}

macro_rules! permute {
    ($x:expr, $from:expr) => {
        $x.map(|x| _mm256_permutex_epi64::<{ lanes($from) }>(x))
    };
}

/// `into`, with the lanes of the mask `k` from a permutation of `x`.
macro_rules! insert {
    ($into:expr, $k:expr, $x:expr, $from:expr) => {{
        let (into, x): (Four, Four) = ($into, $x);
        let permuted: Four = core::array::from_fn(|j| {
            _mm256_mask_permutex_epi64::<{ lanes($from) }>(into[j], $k, x[j])
        });
        permuted
    }};
}

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
    let minus_1_3 = _mm256_set_epi64x(-1, 0, -1, 0);
    let minus_1_2 = _mm256_set_epi64x(0, -1, -1, 0);
    let mut s = join([Fe::ONE, Fe::ZERO, x1, Fe::ONE]);
    let mut swapped = 0;
    for t in (0..255).rev() {
        let bit = u64::from(scalar[t / 8] >> (t % 8) & 1);
        s = swap(s, swapped ^ bit);
        swapped = bit;
        // A = X2 + Z2, B = X2 - Z2, C = X3 + Z3, D = X3 - Z3
        let abcd = add_or_subtract(
            permute!(s, [0, 0, 2, 2]),
            permute!(s, [1, 1, 3, 3]),
            minus_1_3,
        );
        let first = multiply!(zero, permute!(abcd, [0, 1, 3, 2]), permute!(abcd, [0, 1, 0, 1]));
        // DA + CB, DA - CB, E = AA - BB, AA
        let sums = add_or_subtract(
            permute!(first, [2, 2, 0, 0]),
            insert!(zero, 0b0111, first, [3, 3, 1, 0]),
            minus_1_2,
        );
        let right = insert!(sums, 0b1000, first, [0, 0, 0, 1]);
        let right = insert!(right, 0b0100, a24, [0, 0, 0, 0]);
        let second = multiply!(insert!(zero, 0b0100, first, [0, 0, 0, 0]), sums, right);
        let left = insert!(permute!(second, [3, 0, 0, 1]), 0b0010, sums, [0, 2, 0, 0]);
        s = multiply!(zero, left, insert!(pass, 0b0010, second, [0, 2, 0, 0]));
    }
    let [x2, z2, _, _] = split(swap(s, swapped));
    x2.mul(z2.invert()).to_bytes()
}

/// Exchanges lanes 0 and 1 with lanes 2 and 3 where `bit` is 1.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl")]
fn swap(s: Four, bit: u64) -> Four {
    let mask = _mm256_set1_epi64x(barrier(bit.wrapping_neg()) as i64);
    s.map(|x| {
        let other = _mm256_permutex_epi64::<{ lanes([2, 3, 0, 1]) }>(x);
        let difference = _mm256_and_si256(_mm256_xor_si256(x, other), mask);
        _mm256_xor_si256(x, difference)
    })
}

#[target_feature(enable = "avx512ifma,avx512vl,bmi2")]
pub(super) fn mul_base_u(scalar: &[u8; 32]) -> [u8; 32] {
    super::kernel::mul_base_u(scalar)
}
