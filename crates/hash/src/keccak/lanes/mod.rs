//! Eight states at once, for many messages.
//!
//! This is the level for constructions that hash many short inputs of one shape: they lay out
//! their blocks, padding included, and read the states. Messages of any lengths go through the
//! batch calls of [`sha3`](crate::sha3).

#[cfg(target_arch = "aarch64")]
mod arm_sha3;
#[cfg(target_arch = "aarch64")]
mod arm_shifted;
pub(crate) mod batch;
mod hmac;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;

use super::{Rate, Rounds};

/// Eight states: lane (x, y) of state i at `[x + 5y][i]`.
pub type States = [[u64; 8]; 25];

/// What goes into the first 24 lanes of each state: a block of any hash, zeros after it.
pub type Blocks = [[u8; 192]; 8];

/// The shape of chains.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// The lane of the state where the node begins, after a lane whose last byte counts the
    /// steps.
    pub at: usize,
    /// Lanes of a node, 1 to 4: the first ones of the hash.
    pub words: usize,
    /// How many steps to take. Public, as is `keep`: the step before which a node is written to
    /// `kept`, or, with the number of steps, the last node.
    pub steps: u64,
}

impl Chain {
    /// The places of the count and of the node.
    fn places(self) -> (usize, core::ops::Range<usize>) {
        debug_assert!((1..=25 - 4).contains(&self.at) && (1..=4).contains(&self.words));
        let at = self.at.clamp(1, 25 - 4);
        (at - 1, at..at + self.words.min(4))
    }

    /// What a step adds to the lane that counts.
    const ONE: u64 = 1 << 56;
}

adamant_base::backends! {
    /// The permutation of eight states.
    pub(crate) struct Backend {
        /// From how many states on this is quicker than one after the other.
        fn break_even() -> usize;
        batch {
            /// Permutes each of the states.
            fn permute(states: &mut States, rounds: Rounds);
            /// Takes a block into each state by exclusive or, then permutes.
            fn absorb(states: &mut States, blocks: &Blocks, rounds: Rounds);
            /// Writes the first 24 lanes of each state, in the order in which they are taken in.
            fn squeeze(states: &States, blocks: &mut Blocks);
            /// While every one of the messages has a block of `rate` bytes left: takes these blocks
            /// into their states, then permutes.
            fn absorb_messages(
                states: &mut States,
                messages: &[&[u8]; 8],
                rate: Rate,
                rounds: Rounds,
            );
            /// Takes steps in chains of hashes of one block (F of SLH-DSA, FIPS 205, 11.1 and
            /// algorithm 5): `blocks` holds, in the order of [`States`], the padded block of each
            /// chain, where the node of the hash before is put in each time.
            fn chain(blocks: &mut States, kept: &mut [[u64; 8]; 4], keep: &[u64; 8], chain: Chain);
        }
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f"] lanes [x86_avx512::break_even(), 8];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx2 if ["avx2"] lanes [x86_avx2::break_even(), 4, 8];
    #[cfg(target_arch = "aarch64")]
    arm_sha3 if ["neon", "sha3"; "sha3quick"] lanes [arm_sha3::break_even(), 2, 8];
    #[cfg(target_arch = "aarch64")]
    arm_shifted if ["neon"] lanes [arm_shifted::break_even(), 8];
    _ => portable lanes [portable::break_even(), 8];
}

/// The next block of each message, if all have one.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
fn next_blocks<'a, const N: usize>(
    messages: &mut [&'a [u8]; N],
    rate: Rate,
) -> Option<[&'a [[u8; 8]]; N]> {
    let mut blocks: [&[[u8; 8]]; N] = [&[]; N];
    for i in 0..N {
        blocks[i] = rate.next(&mut messages[i])?;
    }
    Some(blocks)
}
