//! The inner loop with SHA-256.

#[cfg(target_arch = "aarch64")]
mod arm_sha2;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_sha;

use super::Chains;

adamant_base::backends! {
    /// Implementations of the inner loop of PBKDF2-HMAC-SHA256.
    pub(crate) struct Backend {
        /// Runs each chain `count` times.
        fn run(chains: Chains<[u32; 8]>, count: u32);
    }
    #[cfg(target_arch = "x86_64")]
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
