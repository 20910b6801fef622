//! The hashes of SLH-DSA, many at a time (FIPS 205, 4.1 and 11), and the table of implementations.
//!
//! PRF is F of SK.seed under an address of its own type, and H is T₂, so that three calls are
//! enough: chains from secrets or from nodes, T_l, and the hashes of messages.

use super::parameters::{Adrs, Parameters, W};
use super::{sha2, shake};
use crate::sponge::Keccak;
use adamant_hash::hazmat::{keccak, sha256, sha512};
use alloc::vec::Vec;

/// A node: n bytes, then zeros.
pub(super) type Node = [u8; 32];

/// A chain of F, from the address with its first step, and its node; then the end of the chain.
#[derive(Clone, Copy)]
pub(super) struct Chain<'a> {
    pub(super) seed: &'a Seed,
    pub(super) adrs: Adrs,
    pub(super) node: Node,
    /// Public: the step before which the node is kept; any other number for none.
    pub(super) keep: u32,
    pub(super) kept: Node,
}

/// One T_l: the message is l nodes in a row, and `out` gets what comes out.
pub(super) struct Call<'a> {
    pub(super) seed: &'a Seed,
    pub(super) adrs: Adrs,
    pub(super) message: &'a [u8],
    pub(super) out: Node,
}

/// PK.seed, which every hash begins with, and the states of SHA-2 after it.
#[derive(Clone)]
pub(super) struct Seed {
    pub(super) bytes: Node,
    pub(super) sha256: [u32; 8],
    pub(super) sha512: [u64; 8],
}

/// The implementations of the hashes.
#[derive(Clone, Copy)]
pub(super) struct Hashes {
    pub(super) chains256: sha256::chains::Backend,
    pub(super) sha256: sha256::lanes::Backend,
    pub(super) sha512: sha512::lanes::Backend,
    pub(super) keccak: Keccak,
}

adamant_base::backends! {
    /// A choice of implementations of the hashes.
    pub(crate) struct Backend {
        /// These.
        fn hashes() -> Hashes;
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f", "avx512bw"];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_sha if ["sha", "sse4.1", "ssse3"];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx2 if ["avx2"];
    #[cfg(target_arch = "aarch64")]
    arm_neon if ["neon"];
    _ => portable;
}

/// Makes a row of the table: the implementations of these names, or else the portable ones.
macro_rules! row {
    ($module:ident, $sha256:literal, $others:literal, $one:literal) => {
        mod $module {
            use super::*;

            pub(super) fn hashes() -> Hashes {
                use adamant_hash::hazmat::keccak::lanes;
                Hashes {
                    chains256: sha256::chains::Backend::named($sha256)
                        .unwrap_or(sha256::chains::Backend::portable()),
                    sha256: sha256::lanes::Backend::named($sha256)
                        .unwrap_or(sha256::lanes::Backend::portable()),
                    sha512: sha512::lanes::Backend::named($others)
                        .unwrap_or(sha512::lanes::Backend::portable()),
                    keccak: Keccak {
                        one: keccak::Backend::named($one).unwrap_or(keccak::Backend::portable()),
                        eight: lanes::Backend::named($others).unwrap_or(lanes::Backend::portable()),
                    },
                }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
row!(x86_avx512, "x86_avx512", "x86_avx512", "x86_avx512");
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
row!(x86_sha, "x86_sha", "x86_avx2", "x86_bmi1");
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
row!(x86_avx2, "x86_avx2", "x86_avx2", "x86_bmi1");
row!(portable, "portable", "portable", "portable");
/// ARM64's instructions for one hash come without those for another: each table has its best.
#[cfg(target_arch = "aarch64")]
mod arm_neon {
    use super::*;

    pub(super) fn hashes() -> Hashes {
        Hashes {
            chains256: sha256::chains::Backend::best(),
            sha256: sha256::lanes::Backend::best(),
            sha512: sha512::lanes::Backend::best(),
            keccak: Keccak {
                one: keccak::Backend::best(),
                eight: keccak::lanes::Backend::best(),
            },
        }
    }
}

/// Chains that one core takes at a time, and calls of T_l.
#[cfg(feature = "rayon")]
const SHARE: usize = 64;

/// Does every item, or in several threads shares of them.
fn shared<T: Send>(items: &mut [T], work: impl Fn(&mut [T]) + Sync) {
    #[cfg(feature = "rayon")]
    if items.len() > SHARE {
        use rayon::prelude::*;
        items.par_chunks_mut(SHARE).for_each(&work);
        return;
    }
    work(items);
}

impl Hashes {
    /// The chains whose starts are secrets, PRF of `sk_seed` under the address with its type
    /// changed, to their ends: `steps` times F (algorithm 5).
    pub(super) fn chains_of_secrets(
        &self,
        p: &Parameters,
        sk_seed: &Node,
        chains: &mut [Chain],
        steps: u32,
    ) {
        shared(chains, |chains| {
            if p.shake {
                shake::chains(self, p, Some(sk_seed), chains, steps);
            } else {
                sha2::chains(self, p, Some(sk_seed), chains, steps);
            }
        });
    }

    /// `keep` times F in each of the chains, to its `kept`. They are sorted by this number,
    /// longest first.
    pub(super) fn chains_of_nodes(&self, p: &Parameters, chains: &mut [Chain]) {
        if p.shake {
            for chains in chains.chunks_mut(shake::LANES) {
                let steps = chains.first().map_or(0, |chain| chain.keep);
                shake::chains(self, p, None, chains, steps);
            }
        } else {
            sha2::chains_of_lengths(self, p, chains);
        }
    }

    /// T_l of each call; their messages have the same length.
    pub(super) fn t(&self, p: &Parameters, calls: &mut [Call]) {
        shared(calls, |calls| {
            if p.shake {
                shake::t(self, p, calls);
            } else if p.n == 16 {
                sha2::t256(self, p, calls);
            } else {
                sha2::t512(self, p, calls);
            }
        });
    }
}

impl Seed {
    pub(super) fn new(p: &Parameters, bytes: &[u8]) -> Self {
        let mut seed = Seed {
            bytes: [0; 32],
            sha256: [0; 8],
            sha512: [0; 8],
        };
        seed.bytes[..p.n].copy_from_slice(bytes);
        if !p.shake {
            sha2::absorb_seed(&mut seed);
        }
        seed
    }
}

/// The first n bytes of each node, in a row.
pub(super) fn in_a_row<'a>(
    p: &Parameters,
    nodes: impl ExactSizeIterator<Item = &'a Node>,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(nodes.len() * p.n);
    for node in nodes {
        bytes.extend_from_slice(&node[..p.n]);
    }
    bytes
}

/// The digits of a node and their checksum (algorithm 7, steps 1 to 8); public.
pub(super) fn digits(p: &Parameters, message: &[u8]) -> impl Iterator<Item = u32> {
    let nibbles = |byte: &u8| [u32::from(byte >> 4), u32::from(byte & 15)];
    let mut digits = [0; 2 * 32 + 3];
    let mut checksum = 0;
    for (to, digit) in digits
        .iter_mut()
        .zip(message[..p.n].iter().flat_map(nibbles))
    {
        *to = digit;
        checksum += W - 1 - digit;
    }
    for (i, to) in digits[2 * p.n..p.len()].iter_mut().enumerate() {
        *to = checksum >> (8 - 4 * i) & 15;
    }
    digits.into_iter().take(p.len())
}
