//! Chains of SHA-256 over one short block each, many at once: F of SLH-DSA (FIPS 205, 11.2),
//! again and again (algorithm 5).
//!
//! Every hash of a chain begins with the same whole blocks, which are a state here, the prefix.
//! After them come an address of 22 bytes and a node of 16, 24 or 32 bytes, which is the
//! beginning of the hash before. Bytes 20 and 21 of the address count the steps.
//!
//! ```
//! use adamant_hash::{Sha256, hazmat::sha256::{IV, chains, lanes}};
//! // A prefix of one block of zeros, an address of zeros and a node of ones.
//! let mut prefix = [IV];
//! lanes::Backend::best().compress_blocks(&mut prefix, &[[0; 64]]);
//! let (mut nodes, mut kept) = ([[0x0101_0101; 8]], [[0; 8]]);
//! let chains = chains::Chains {
//!     prefixes: &prefix,
//!     addresses: &[[0; 6]],
//!     nodes: &mut nodes,
//!     keep: &[1],
//!     kept: &mut kept,
//! };
//! chains::Backend::best().run(chains, 4, 2);
//!
//! let bytes = |words: &[u32]| words.iter().flat_map(|w| w.to_be_bytes()).collect::<Vec<_>>();
//! let first = Sha256::digest(&[&[0; 86][..], &[1; 16]].concat());
//! assert_eq!(bytes(&kept[0][..4]), first[..16]);
//! let mut address = [0; 22];
//! address[21] = 1;
//! let second = Sha256::digest(&[&[0; 64][..], &address, &first[..16]].concat());
//! assert_eq!(bytes(&nodes[0][..4]), second[..16]);
//! ```

#[cfg(target_arch = "aarch64")]
mod arm_neon;
#[cfg(target_arch = "aarch64")]
mod arm_sha2;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
mod kernel;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_sha;

/// Chains, the parts of each at the same index; as many as the shortest list has.
#[derive(Debug)]
pub struct Chains<'a> {
    /// The states after 64 bytes.
    pub prefixes: &'a [[u32; 8]],
    /// Big-endian words of the addresses; the lower half of the last one is zero.
    pub addresses: &'a [[u32; 6]],
    /// Big-endian words of the nodes, of which the first 4, 6 or 8 count; then what became of
    /// them, followed by anything.
    pub nodes: &'a mut [[u32; 8]],
    /// Public: the step before which a node is written to `kept`; with the number of steps, the
    /// last one is, with a larger one none.
    pub keep: &'a [u32],
    /// The nodes kept, followed by anything.
    pub kept: &'a mut [[u32; 8]],
}

impl<'a> Chains<'a> {
    /// How many there are.
    fn count(&self) -> usize {
        let nodes = self.nodes.len().min(self.kept.len());
        let inputs = self.prefixes.len().min(self.addresses.len());
        nodes.min(inputs).min(self.keep.len())
    }

    /// What the kernels take for granted.
    #[inline]
    fn check(&self, node_words: usize, steps: u32) {
        debug_assert!(matches!(node_words, 4 | 6 | 8));
        debug_assert!(steps <= 1 << 16);
        debug_assert!(
            self.addresses
                .iter()
                .all(|address| address[5] & 0xffff == 0)
        );
    }

    /// These from `start` to `end`.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
    fn part(&mut self, start: usize, end: usize) -> Chains<'_> {
        Chains {
            prefixes: &self.prefixes[start..end],
            addresses: &self.addresses[start..end],
            nodes: &mut self.nodes[start..end],
            keep: &self.keep[start..end],
            kept: &mut self.kept[start..end],
        }
    }
}

adamant_base::backends! {
    /// Chains of SHA-256.
    pub(crate) struct Backend {
        /// How many chains fill the machine.
        fn lanes() -> usize;
        /// From how many chains on this is quicker than one after the other.
        fn break_even() -> usize;
        batch {
            /// Takes that many steps in each chain; bytes 20 and 21 of the address, as a number,
            /// grow by one from step to step. Nodes have 4, 6 or 8 words.
            fn run(chains: Chains, node_words: usize, steps: u32);
        }
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f", "avx512bw"]
        lanes [x86_avx512::break_even(), x86_avx512::VECTOR, x86_avx512::lanes()];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_sha if ["sha", "sse4.1", "ssse3"] lanes [x86_sha::lanes()];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx2 if ["avx2"] lanes [x86_avx2::break_even(), x86_avx2::VECTOR, x86_avx2::lanes()];
    #[cfg(target_arch = "aarch64")]
    arm_sha2 if ["neon", "sha2"] lanes [arm_sha2::lanes()];
    #[cfg(target_arch = "aarch64")]
    arm_neon if ["neon"] lanes [arm_neon::break_even(), arm_neon::VECTOR, arm_neon::lanes()];
    _ => portable lanes [portable::lanes()];
}

/// The bits of a hash with a node of this many words: 64 bytes, 22 and the node.
#[inline]
const fn length(node_words: usize) -> u32 {
    8 * (64 + 22 + 4 * node_words as u32)
}

/// Makes the functions of a row over the `run_streams` of the module at hand, which takes one chain or
/// two side by side, with nodes of so many words.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! by_pairs {
    ($features:literal) => {
        pub(super) const fn lanes() -> usize {
            2
        }

        pub(super) const fn break_even() -> usize {
            1
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = $features)]
        pub(super) fn run(mut chains: Chains, node_words: usize, steps: u32) {
            chains.check(node_words, steps);
            let count = chains.count();
            let mut at = 0;
            while at < count {
                let end = count.min(at + 2);
                let part = chains.part(at, end);
                match (node_words, end - at) {
                    (4, 2) => run_streams::<2, 4>(part, steps),
                    (4, _) => run_streams::<1, 4>(part, steps),
                    (6, 2) => run_streams::<2, 6>(part, steps),
                    (6, _) => run_streams::<1, 6>(part, steps),
                    (_, 2) => run_streams::<2, 8>(part, steps),
                    (_, _) => run_streams::<1, 8>(part, steps),
                }
                at = end;
            }
        }
    };
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
use by_pairs;
