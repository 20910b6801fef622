//! Eight states at once, for many messages.
//!
//! This is the level for constructions that hash many short inputs of one shape: they lay out
//! their blocks, padding included, and read the states. Messages of any lengths go through the
//! batch calls of [`sha3`](crate::sha3).
//!
//! ```
//! use adamant_hash::keccak::{Rounds, lanes};
//! use adamant_hash::Shake128;
//! // SHAKE128 of eight messages of one byte.
//! let mut blocks = [[0; 192]; 8];
//! for (i, block) in blocks.iter_mut().enumerate() {
//!     (block[0], block[1], block[167]) = (i as u8, 0x1f, 0x80);
//! }
//! let mut states = [[0; 8]; 25];
//! lanes::Backend::best().absorb(&mut states, &blocks, Rounds::ALL);
//!
//! let mut first = [0; 8];
//! Shake128::digest(&[5], &mut first);
//! assert_eq!(states[0][5], u64::from_le_bytes(first));
//! ```

pub(crate) mod batch;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;

use super::{Rate, Rounds};

/// Eight states: lane (x, y) of state i at `[x + 5y][i]`.
pub type States = [[u64; 8]; 25];

/// What goes into the first 24 lanes of each state: a block of any hash, zeros behind it.
pub type Blocks = [[u8; 192]; 8];

adamant_base::backends! {
    /// The permutation of eight states.
    pub struct Backend {
        /// Permutes each of the states.
        fn permute(states: &mut States, rounds: Rounds);
        /// Takes a block into each state by exclusive or, then permutes.
        fn absorb(states: &mut States, blocks: &Blocks, rounds: Rounds);
        /// While every one of the messages has a block of `rate` bytes left: takes these blocks
        /// into their states, then permutes.
        fn absorb_messages(
            states: &mut States,
            messages: &[&[u8]; 8],
            rate: Rate,
            rounds: Rounds,
        );
        /// From how many states on this is quicker than one after the other.
        fn break_even() -> usize;
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f"];
    #[cfg(target_arch = "x86_64")]
    x86_avx2 if ["avx2"];
    _ => portable;
}

/// The next block of each message, if all have one.
#[cfg(target_arch = "x86_64")]
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
