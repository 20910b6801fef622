//! The inner loop with SHA-256.

mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_sha;

use super::Chain;
use crate::sha256;

adamant_base::backends! {
    /// Implementations of the inner loop of PBKDF2-HMAC-SHA256.
    pub struct Backend {
        /// Runs each chain `count` times.
        fn run(chains: &mut [Chain<u32, 8>], count: u32);
    }
    #[cfg(target_arch = "x86_64")]
    x86_sha if ["sha", "sse4.1", "ssse3"];
    _ => portable;
}

/// Runs each chain, if the hash is on the best implementation; otherwise does nothing, and the
/// compression function that was asked for is to be used.
pub(crate) fn run(hash: sha256::Backend, chains: &mut [Chain<u32, 8>], count: u32) -> bool {
    let best = hash == sha256::Backend::best();
    if best {
        Backend::best().run(chains, count);
    }
    best
}

/// The message's block behind a tag: the padding and the length of a block and a tag in bits.
const PADDING: [u32; 8] = [0x8000_0000, 0, 0, 0, 0, 0, 0, (64 + 32) * 8];
