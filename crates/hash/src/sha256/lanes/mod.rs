//! SHA-256 on many states at once.
//!
//! This is the level for constructions that hash many short inputs of one shape: they lay out
//! their blocks, padding included, and read the states. Messages of any lengths go through
//! [`Sha256::digest_batch`](super::Sha256::digest_batch).
//!
//! ```
//! use adamant_hash::sha256::{IV, Sha256, lanes};
//! // SHA-256 of twenty messages of one byte.
//! let mut blocks = [[0; 64]; 20];
//! for (i, block) in blocks.iter_mut().enumerate() {
//!     (block[0], block[1], block[63]) = (i as u8, 0x80, 8);
//! }
//! let mut states = [IV; 20];
//! lanes::Backend::best().compress_blocks(&mut states, &blocks);
//!
//! let digest = states[5].map(u32::to_be_bytes);
//! assert_eq!(digest.as_flattened(), Sha256::digest(&[5]));
//! ```

mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;
#[cfg(target_arch = "x86_64")]
mod x86_avx512_registers;
#[cfg(target_arch = "x86_64")]
pub(super) mod x86_sha;

crate::lanes::table! {
    "SHA-256", state: [u32; 8], block: 64,
    rows: {
        #[cfg(target_arch = "x86_64")]
        x86_avx512_registers if ["avx512f", "avx512bw"; "golden-cove"];
        #[cfg(target_arch = "x86_64")]
        x86_avx512 if ["avx512f", "avx512bw"];
        #[cfg(target_arch = "x86_64")]
        x86_sha if ["sha", "sse4.1", "ssse3"];
        #[cfg(target_arch = "x86_64")]
        x86_avx2 if ["avx2"];
        _ => portable;
    }
}
