//! scryptROMix of several lanes at once: of one password (`p` above 1), or of many.

mod portable;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;

use super::Block;

adamant_base::backends! {
    /// scryptROMix of several lanes.
    pub(crate) struct Backend {
        /// How many lanes a vector has.
        fn vector() -> usize;
        /// How many fill the machine.
        fn lanes() -> usize;
        batch {
            /// Mixes each of as many lanes as said, one after the other in `b`, in `v` (the copies)
            /// and in `x`, as [`scrypt::Backend::ro_mix`](super::Backend::ro_mix) does one. Their
            /// number is a multiple of `vector`, but not more than `lanes`.
            fn ro_mix(b: &mut [Block], v: &mut [Block], x: &mut [Block], lanes: usize);
        }
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f"] lanes [x86_avx512::vector(), x86_avx512::lanes()];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx2 if ["avx2"] lanes [x86_avx2::vector(), x86_avx2::lanes()];
    _ => portable lanes [portable::lanes()];
}

/// Makes the functions of a row over `ro_mix_lanes`.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! row {
    ($features:literal) => {
        pub(super) const fn lanes() -> usize {
            2 * LANES
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = $features)]
        pub(super) fn ro_mix(b: &mut [Block], v: &mut [Block], x: &mut [Block], lanes: usize) {
            crate::scrypt::check(b, v, x, lanes);
            if lanes == LANES {
                ro_mix_lanes::<1>(b, v, x);
            } else {
                assert!(lanes == 2 * LANES);
                ro_mix_lanes::<2>(b, v, x);
            }
        }
    };
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use row;
