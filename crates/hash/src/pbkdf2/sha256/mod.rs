//! The inner loop with SHA-256.

#[cfg(target_arch = "aarch64")]
mod arm_sha2;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_sha;

use super::Chains;

adamant_base::backends! {
    /// Implementations of the inner loop of PBKDF2-HMAC-SHA256.
    pub(crate) struct Backend {
        /// Runs each chain `count` times.
        fn run(chains: Chains<[u32; 8]>, count: u32);
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_sha if ["sha", "sse4.1", "ssse3"] lanes [2];
    #[cfg(target_arch = "aarch64")]
    arm_sha2 if ["neon", "sha2"] lanes [2];
    _ => portable;
}

/// Runs each chain `count` times, on the best implementation.
pub(crate) fn run(chains: Chains<[u32; 8]>, count: u32) {
    Backend::best().run(chains, count);
}

/// The message's block after a tag: the padding and the length of a block and a tag in bits.
const PADDING: [u32; 8] = [0x8000_0000, 0, 0, 0, 0, 0, 0, (64 + 32) * 8];

/// Makes `run` over the `run_some` of the module at hand, which takes one chain or two side by side.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! by_pairs {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn run(chains: Chains<[u32; 8]>, count: u32) {
            debug_assert!(
                [chains.outer.len(), chains.value.len(), chains.sum.len()]
                    == [chains.inner.len(); 3]
            );
            let (inner, last_inner) = chains.inner.as_chunks::<2>();
            let (outer, last_outer) = chains.outer.as_chunks::<2>();
            let (value, last_value) = chains.value.as_chunks_mut::<2>();
            let (sum, last_sum) = chains.sum.as_chunks_mut::<2>();
            for (i, sum) in sum.iter_mut().enumerate() {
                run_some(&inner[i], &outer[i], &mut value[i], sum, count);
            }
            if let ([inner], [outer], [value], [sum]) =
                (last_inner, last_outer, last_value, last_sum)
            {
                let one = core::array::from_ref;
                let one_mut = core::array::from_mut;
                run_some(one(inner), one(outer), one_mut(value), one_mut(sum), count);
            }
        }
    };
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
use by_pairs;
