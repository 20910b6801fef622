//! Products of field elements side by side: once for eight in registers of 512 bits, once for four
//! in those of 256, of which some CPUs multiply twice as many in a cycle.
//!
//! Register j holds limb j, radix 2^52, of each element; products are Montgomery's, with
//! R = 2^(52 L).

use super::prime::{BITS, MASK, Of, Prime};

/// The most limbs.
const MOST: usize = 11;

/// Unrolls a loop over the limbs, so that columns lie in registers: over all, or every other one.
macro_rules! each {
    ($i:ident < $limbs:ident $body:block) => {
        each!(@ $i $limbs $body 0 1 2 3 4 5 6 7 8 9 10)
    };
    ($i:ident < $limbs:ident by 2 $body:block) => {
        each!(@ $i $limbs $body 0 2 4 6 8 10)
    };
    (@ $i:ident $limbs:ident $body:block $($n:literal)*) => {
        $(if const { $n < $limbs } {
            let $i: usize = $n;
            $body
        })*
    };
}
pub(super) use each;

/// A loop over limbs within [`each`]: one over a range costs the compiler several times as much.
macro_rules! from {
    ($first:expr, $j:ident < $limbs:ident $body:block) => {
        let mut $j: usize = $first;
        while $j < $limbs {
            $body
            $j += 1;
        }
    };
}
pub(super) use from;

/// The arithmetic in one kind of register, by the names of what the CPU does with it.
macro_rules! lanes {
    (
        $(#[$documentation:meta])* $module:ident, $features:literal, pairs: $pairs:literal;
        $($intrinsic:ident $name:ident)*
    ) => {
        $(#[$documentation])*
        pub(super) mod $module {
            use super::{BITS, MASK, MOST, Of, Prime};
            pub(in super::super) use adamant_base::simd::arch::{$($intrinsic as $name),*};

            /// The columns of a product of up to 11 limbs.
            pub(in super::super) type Columns = [Vector; 2 * MOST];

            #[inline]
            #[target_feature(enable = $features)]
            pub(in super::super) fn splat(x: u64) -> Vector {
                set(x as i64)
            }

            /// Passes what is above 52 bits on, limb by limb; the number may not be negative.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in super::super) fn carry<const L: usize>(mut x: [Vector; L]) -> [Vector; L] {
                for j in 1..L {
                    x[j] = add(x[j], shift_right::<{ BITS as u32 }>(x[j - 1]));
                    x[j - 1] = and(x[j - 1], splat(MASK));
                }
                x
            }

            /// `x / 2^52`, and 1 more where that is not exact: what a column leaves to the next
            /// once a number below 2^52 has cleared it.
            #[inline]
            #[target_feature(enable = $features)]
            fn quotient_above(x: Vector) -> Vector {
                shift_right::<{ BITS as u32 }>(add(x, splat(MASK)))
            }

            /// `t / R`: each step clears the lowest column with a multiple m of p.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in super::super) fn reduce<F: Prime<L>, const L: usize>(
                mut t: Columns,
            ) -> [Vector; L] {
                if const { $pairs && Of::<F, L>::IN_PAIRS } {
                    return reduce_in_pairs::<F, L>(t);
                }
                let zero = zero();
                each!(i < L {
                    let x = t[i];
                    let m = if const { Of::<F, L>::K == 1 } {
                        x
                    } else if const { Of::<F, L>::K == MASK } {
                        sub(zero, x)
                    } else if const { Of::<F, L>::K == (1 << 32) + 1 } {
                        add(x, shift_left::<32>(x))
                    } else {
                        multiply_low(zero, x, splat(Of::<F, L>::K))
                    };
                    if const { Of::<F, L>::SPARSE } {
                        let lowest = Of::<F, L>::SIGNED[0];
                        if const { Of::<F, L>::SIGNED[0] < 0 } {
                            // x and the low half of -lowest m agree in 52 bits.
                            t[i + 1] = add(t[i + 1], shift_right::<{ BITS as u32 }>(x));
                            if const { Of::<F, L>::SIGNED[0] < -1 } {
                                let high = multiply_high(zero, m, splat(lowest.unsigned_abs()));
                                t[i + 1] = sub(t[i + 1], high);
                            }
                        } else {
                            t[i + 1] = add(t[i + 1], quotient_above(x));
                            if const { Of::<F, L>::SIGNED[0] > 1 } {
                                t[i + 1] = multiply_high(t[i + 1], m, splat(lowest as u64));
                            }
                        }
                        from!(1, j < L {
                            let digit = Of::<F, L>::SIGNED[j];
                            let size = splat(digit.unsigned_abs());
                            if digit == 2 {
                                let m = and(m, splat(MASK));
                                t[i + j] = add(t[i + j], shift_left::<1>(m));
                            } else if digit > 0 {
                                t[i + j] = multiply_low(t[i + j], m, size);
                                t[i + j + 1] = multiply_high(t[i + j + 1], m, size);
                            } else if digit < 0 {
                                let low = multiply_low(zero, m, size);
                                let high = multiply_high(zero, m, size);
                                t[i + j] = sub(t[i + j], low);
                                t[i + j + 1] = sub(t[i + j + 1], high);
                            }
                        });
                    } else {
                        // The next step waits for this column: its products side by side.
                        let high = multiply_high(quotient_above(x), m, splat(Of::<F, L>::P[0]));
                        let low = multiply_low(t[i + 1], m, splat(Of::<F, L>::P[1]));
                        t[i + 1] = add(low, high);
                        from!(2, j < L {
                            t[i + j] = multiply_low(t[i + j], m, splat(Of::<F, L>::P[j]));
                        });
                        from!(1, j < L {
                            t[i + j + 1] = multiply_high(t[i + j + 1], m, splat(Of::<F, L>::P[j]));
                        });
                    }
                });
                let mut result = [zero; L];
                result.copy_from_slice(&t[L..2 * L]);
                result
            }

            /// The same by two columns in a step, whose multiples of p do not wait for each other:
            /// sooner done, with more products.
            #[inline]
            #[target_feature(enable = $features)]
            fn reduce_in_pairs<F: Prime<L>, const L: usize>(mut t: Columns) -> [Vector; L] {
                let zero = zero();
                each!(i < L by 2 {
                    let x = t[i];
                    let next = add(t[i + 1], shift_right::<{ BITS as u32 }>(x));
                    let m = multiply_low(zero, x, splat(Of::<F, L>::K));
                    let low = multiply_low(zero, next, splat(Of::<F, L>::K));
                    let high = multiply_high(zero, x, splat(Of::<F, L>::K));
                    let cross = multiply_low(zero, x, splat(Of::<F, L>::K_ABOVE));
                    let n = add(add(high, cross), low);
                    let p = Of::<F, L>::P;
                    let rest = add(t[i + 1], quotient_above(x));
                    let rest = multiply_low(rest, m, splat(p[1]));
                    let rest = add(rest, multiply_high(zero, m, splat(p[0])));
                    let early = multiply_low(t[i + 2], m, splat(p[2]));
                    let early = add(early, multiply_high(zero, m, splat(p[1])));
                    let early = add(early, quotient_above(rest));
                    let late = multiply_low(zero, n, splat(p[1]));
                    let late = add(late, multiply_high(zero, n, splat(p[0])));
                    t[i + 2] = add(early, late);
                    from!(3, j < L {
                        t[i + j] = multiply_low(t[i + j], m, splat(p[j]));
                    });
                    from!(2, j < L {
                        t[i + j + 1] = multiply_high(t[i + j + 1], m, splat(p[j]));
                        t[i + j + 1] = multiply_low(t[i + j + 1], n, splat(p[j]));
                    });
                    from!(1, j < L {
                        t[i + j + 2] = multiply_high(t[i + j + 2], n, splat(p[j]));
                    });
                });
                let mut result = [zero; L];
                result.copy_from_slice(&t[L..2 * L]);
                result
            }

            /// `a b / R` before its carries.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in super::super) fn multiply<F: Prime<L>, const L: usize>(
                a: &[Vector; L],
                b: &[Vector; L],
            ) -> [Vector; L] {
                let mut t = [zero(); 2 * MOST];
                each!(i < L {
                    from!(0, j < L {
                        t[i + j] = multiply_low(t[i + j], a[i], b[j]);
                    });
                    from!(0, j < L {
                        t[i + j + 1] = multiply_high(t[i + j + 1], a[i], b[j]);
                    });
                });
                reduce::<F, L>(t)
            }

            /// [`multiply`] out of line: for what is not a step of a multiplication of points, and of
            /// many limbs, which fill the caches of decoded instructions.
            #[inline(never)]
            #[target_feature(enable = $features)]
            pub(in super::super) fn multiply_far<F: Prime<L>, const L: usize>(
                a: &[Vector; L],
                b: &[Vector; L],
            ) -> [Vector; L] {
                multiply::<F, L>(a, b)
            }
        }
    };
}

lanes!(
    /// Eight elements.
    eight, "avx512f,avx512ifma", pairs: false;
    __m512i Vector
    _mm512_setzero_si512 zero
    _mm512_set1_epi64 set
    _mm512_add_epi64 add
    _mm512_sub_epi64 sub
    _mm512_and_si512 and
    _mm512_slli_epi64 shift_left
    _mm512_srai_epi64 shift_right
    _mm512_madd52lo_epu64 multiply_low
    _mm512_madd52hi_epu64 multiply_high
);
lanes!(
    /// Four elements.
    four, "avx512f,avx512ifma,avx512vl", pairs: true;
    __m256i Vector
    _mm256_setzero_si256 zero
    _mm256_set1_epi64x set
    _mm256_add_epi64 add
    _mm256_sub_epi64 sub
    _mm256_and_si256 and
    _mm256_slli_epi64 shift_left
    _mm256_srai_epi64 shift_right
    _mm256_madd52lo_epu64 multiply_low
    _mm256_madd52hi_epu64 multiply_high
);
