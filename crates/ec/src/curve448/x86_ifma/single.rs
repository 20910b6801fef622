//! One scalar multiplication at a time, with four multiplications side by side.
//!
//! A point is X, Y, Z, T in lanes 0 to 3; the right side of a sum is x, y, dxy and x + y. A sum or
//! a doubling leads to E, F, G, H, and these to
//!
//! | lane | 0 | 1 | 2 | 3 |
//! |---|---|---|---|---|
//! | | X = E F | Y = G H | Z = F G | T = E H |

use super::super::edwards::{Affine, Extended, MINUS_D, Niels};
use super::super::field::{BYTES, Fe};
use super::super::kernel::Ladder;
use super::super::scalar::{WORDS, Words, naf_vartime, radix16};
use super::super::table::ODD;
use super::four::*;
use super::point::{ROWS_OF_LIMBS, Row};
use adamant_base::Secret;
use adamant_base::ct::barrier;
use adamant_base::simd::arch::*;
use adamant_base::simd::{from_fn, load512, map};

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn neutral() -> Four {
    join([Fe::ZERO, Fe::ONE, Fe::ONE, Fe::ZERO])
}

/// X + Y in lane 3.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn with_sum(p: Four) -> Four {
    let p = insert!(p, 0b1000, p, [0, 0, 0, 0]);
    add_or_subtract(p, permute!(p, [1, 1, 1, 1]), 0b1000, 0)
}

/// `2^n p`: a loop inside, as arguments and results pass through memory.
#[target_feature(enable = "avx512f,avx512ifma")]
fn double_times(mut p: Four, n: u32) -> Four {
    let for_left = multiples_of_p!([4, 0, 2, 4]);
    let for_right = multiples_of_p!([2, 2, 0, 2]);
    for _ in 0..n {
        // XX, YY, 2 ZZ, (X + Y)^2
        let a = with_sum(p);
        let s = multiply!(zero(), a, add_or_subtract(a, a, 0b0100, 0));
        // E = (X + Y)^2 - XX - YY, G = XX + YY, F = G - 2 ZZ, H = XX - YY
        let left = add(permute!(s, [3, 0, 0, 3]), for_left);
        let left = add_or_subtract(left, permute!(s, [0, 1, 1, 0]), 0b0110, 0b1001);
        let left = add_or_subtract(left, permute!(s, [1, 1, 2, 1]), 0, 0b1101);
        let right = add(permute!(s, [0, 0, 0, 0]), for_right);
        let right = add_or_subtract(right, permute!(s, [1, 1, 1, 1]), 0b0101, 0b1010);
        let right = add_or_subtract(right, permute!(s, [2, 2, 2, 2]), 0, 0b0001);
        p = multiply!(zero(), left, right);
    }
    p
}

/// `p + q`, or `p - q` where `negative` is all ones, given the product of both Z in every lane.
macro_rules! add_with {
    ($p:expr, $q:expr, $negative:expr, $zz:expr) => {{
        let (p, q, zz): (Four, Four, Four) = ($p, $q, $zz);
        let negative: __mmask8 = $negative & of(0b0101);
        let two_p = multiples_of_p!([2, 2, 2, 2]);
        let q: Four = from_fn(|j| _mm512_mask_sub_epi64(q[j], negative, two_p[j], q[j]));
        // A, B, C, (X1 + Y1)(X2 + Y2)
        let s = multiply!(zero(), with_sum(permute!(p, [0, 1, 3, 0])), with_sum(q));
        let b = permute!(s, [1, 1, 1, 1]);
        // E = S - A - B, G = ZZ + C, F = ZZ - C, H = B - A
        let left = add(
            insert!(zz, 0b1001, s, [3, 3, 3, 3]),
            multiples_of_p!([4, 0, 2, 4]),
        );
        let left = add_or_subtract(left, permute!(s, [0, 2, 2, 0]), 0b0010, 0b1101);
        let left = add_or_subtract(left, b, 0, 0b1001);
        let right = add(blend(zz, b, 0b1010), multiples_of_p!([2, 2, 0, 2]));
        let right = add_or_subtract(right, permute!(s, [2, 0, 2, 0]), 0b0100, 0b1011);
        multiply!(zero(), left, right)
    }};
}

/// `p + q`, or `p - q`, for an affine `q`.
#[target_feature(enable = "avx512f,avx512ifma")]
fn add_affine(p: Four, q: Four, negative: __mmask8) -> Four {
    add_with!(p, q, negative, permute!(p, [2, 2, 2, 2]))
}

/// The right side of a sum, and its Z in every lane.
#[derive(Clone, Copy)]
struct Cached {
    q: Four,
    z: Four,
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn cache(p: Four) -> Cached {
    let d = Fe::small(MINUS_D as u32).neg();
    let factors = join([Fe::ONE, Fe::ONE, d, Fe::ZERO]);
    Cached {
        q: multiply!(zero(), permute!(p, [0, 1, 3, 3]), factors),
        z: permute!(p, [2, 2, 2, 2]),
    }
}

/// `p + q`, or `p - q`.
#[target_feature(enable = "avx512f,avx512ifma")]
fn add_cached(p: Four, q: &Cached, negative: __mmask8) -> Four {
    let zz = multiply!(zero(), permute!(p, [2, 2, 2, 2]), q.z);
    add_with!(p, q.q, negative, zz)
}

/// Entry `|digit|` of a row, for digits from -8 to 8: all are read, and one picked.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn pick(row: &Row, digit: __m512i) -> Four {
    let index = _mm512_sub_epi64(_mm512_abs_epi64(digit), _mm512_set1_epi64(1));
    let some = _mm512_test_epi64_mask(digit, digit);
    from_fn(|j| {
        // The neutral point where the digit is zero.
        let mut limbs = _mm512_maskz_set1_epi64(0b10, i64::from(j == 0));
        for (i, coordinate) in row.iter().enumerate() {
            for (half, lane) in [(0, 1 << i), (5, 16 << i)] {
                let entries = load512(&coordinate[j + half]);
                limbs = _mm512_mask_permutexvar_epi64(limbs, some & lane, index, entries);
            }
        }
        limbs
    })
}

/// `scalar * B` for a scalar below 2^447.
#[target_feature(enable = "avx512f,avx512ifma")]
fn mul_base_extended(scalar: &Words) -> Secret<Extended> {
    let digits = Secret::new(radix16(scalar));
    let (pairs, _) = digits.as_chunks::<2>();
    let mut sum = neutral();
    for odd in [1, 0] {
        if odd == 0 {
            sum = double_times(sum, 4);
        }
        for (pair, row) in pairs.iter().zip(&ROWS_OF_LIMBS) {
            let digit = _mm512_set1_epi64(i64::from(pair[odd]));
            let negative = _mm512_cmplt_epi64_mask(digit, _mm512_setzero_si512());
            sum = add_affine(sum, pick(row, digit), negative);
        }
    }
    Secret::new(extended(sum))
}

/// The scalar form of a point.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn extended(p: Four) -> Extended {
    let [x, y, z, t] = split(p);
    Extended { x, y, z, t }
}

#[target_feature(enable = "avx512f,avx512ifma,bmi2")]
pub(in super::super) fn mul_base(scalar: &Words) -> Affine {
    mul_base_extended(scalar).to_affine()
}

#[target_feature(enable = "avx512f,avx512ifma,bmi2")]
pub(in super::super) fn mul_base_u(scalar: &Words) -> [u8; BYTES] {
    super::super::kernel::montgomery_u(&mul_base_extended(scalar))
}

/// `[s]B - [k]A` for scalars below 2^447. Variable time: for verification.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn double_base_vartime(a: &Affine, k: &Words, s: &Words) -> Extended {
    let Extended { x, y, z, t } = a.extend();
    let first = join([x, y, z, t]);
    let step = double_times(first, 1);
    let mut odd = [cache(first); 8];
    for i in 1..8 {
        odd[i] = cache(add_cached(step, &odd[i - 1], 0));
    }
    let (k, s) = (naf_vartime(k, 5), naf_vartime(s, 8));
    let sign = |digit: i8| if digit < 0 { 0xff } else { 0 };
    let mut sum = neutral();
    let mut doublings = 0;
    for i in (0..64 * WORDS).rev() {
        doublings += 1;
        if k[i] == 0 && s[i] == 0 {
            continue;
        }
        sum = double_times(sum, doublings);
        doublings = 0;
        if k[i] != 0 {
            sum = add_cached(sum, &odd[k[i].unsigned_abs() as usize / 2], !sign(k[i]));
        }
        if s[i] != 0 {
            let Niels { x, y, dt } = ODD[s[i].unsigned_abs() as usize / 2];
            sum = add_affine(sum, join([x, y, dt, Fe::ZERO]), sign(s[i]));
        }
    }
    extended(double_times(sum, doublings))
}

/// The ladder of RFC 7748, section 5: X2, Z2, X3, Z3 in lanes 0 to 3.
#[target_feature(enable = "avx512f,avx512ifma,bmi2")]
pub(in super::super) fn ladder(scalar: &[u8; BYTES], u: &[u8; BYTES]) -> [u8; BYTES] {
    let x1 = Fe::from_bytes(u);
    let a24 = join([Fe::small(MINUS_D as u32); 4]);
    let pass = join([Fe::ONE, Fe::ZERO, Fe::ONE, x1]);
    let for_first = multiples_of_p!([0, 2, 2, 0]);
    let mut s = join([Fe::ONE, Fe::ZERO, x1, Fe::ONE]);
    let from_x = _mm512_set_epi64(6, 6, 4, 4, 2, 2, 0, 0);
    let from_z = _mm512_set_epi64(7, 7, 5, 5, 3, 3, 1, 1);
    let mut swapped = 0;
    for t in (0..8 * BYTES).rev() {
        let bit = u64::from(scalar[t / 8] >> (t % 8) & 1);
        // Where the bit changes, lanes 0 and 1 change places with lanes 2 and 3: in the indices.
        let exchange = _mm512_set1_epi64((barrier((swapped ^ bit).wrapping_neg()) & 2) as i64);
        swapped = bit;
        let pick = |from| -> Four {
            let from = _mm512_xor_si512(from, exchange);
            map(s, |x| _mm512_permutexvar_epi64(from, x))
        };
        // A = X2 + Z2, B = X2 - Z2, D = X3 - Z3, C = X3 + Z3; and A, B, A, B
        let abdc = add_or_subtract(add(pick(from_x), for_first), pick(from_z), 0b1001, 0b0110);
        let first = multiply!(zero(), abdc, permute!(abdc, [0, 1, 0, 1]));
        // DA + CB, DA - CB, E = AA - BB, AA
        let sums = add(permute!(first, [2, 2, 0, 0]), for_first);
        let others = permute!(first, [3, 3, 1, 1]);
        let sums = add_or_subtract(sums, others, 0b0001, 0b0110);
        let right = blend(blend(sums, others, 0b1000), a24, 0b0100);
        let aa = insert!(zero(), 0b0100, first, [0, 0, 0, 0]);
        let second = multiply!(aa, sums, right);
        let left = insert!(permute!(sums, [0, 2, 0, 0]), 0b1101, second, [3, 0, 0, 1]);
        let right = insert!(pass, 0b0010, second, [0, 2, 0, 0]);
        s = multiply!(zero(), left, right);
    }
    let [x2, z2, x3, z3] = split(s);
    Secret::new(Ladder { x2, z2, x3, z3 }).finish(swapped)
}
