//! Words of few lanes on CPUs with AVX-512VL: what `avx2` and `sse41` have, with a rotation of one
//! instruction.

/// The operations of `$narrow`, but for the rotation.
macro_rules! with_rotation {
    ($name:ident: $narrow:ident $ror:ident) => {
        pub(crate) mod $name {
            pub(crate) use crate::lanes::$narrow::w32::{
                LANES, PARTS, V, add, load_part_le, load_states, splat, store_states, xor,
            };
            use core::arch::x86_64::$ror;

            /// Rotates right by `R`; `L` is what is missing to the word's width.
            #[inline]
            #[target_feature(enable = "avx512f,avx512vl")]
            pub(crate) fn ror<const R: i32, const L: i32>(x: V) -> V {
                const { assert!(R + L == 32) };
                $ror::<R>(x)
            }
        }
    };
}
with_rotation!(w32x8: avx2 _mm256_ror_epi32);
with_rotation!(w32x4: sse41 _mm_ror_epi32);
