//! The permutation KECCAK-p\[1600, n\] (FIPS 202, 3) and the sponge around it.
//!
//! The state is 25 lanes of 64 bits, lane (x, y) at index x + 5y; bytes are little-endian in it.
//! [`sha3`](crate::sha3) and [`kmac`](crate::kmac) are made from it; [`lanes`] permutes eight
//! states at once. Time depends only on lengths.

#[cfg(target_arch = "aarch64")]
mod arm_sha3;
#[cfg(target_arch = "aarch64")]
mod arm_shifted;
pub(crate) mod lanes;
#[cfg(any(
    feature = "lab",
    not(any(target_pointer_width = "64", target_arch = "wasm32"))
))]
mod portable32;
#[cfg(any(target_pointer_width = "64", target_arch = "wasm32"))]
mod portable64;
#[cfg(any(
    feature = "lab",
    target_arch = "x86_64",
    not(any(target_pointer_width = "64", target_arch = "wasm32"))
))]
mod round;
mod sponge;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;
#[cfg(target_arch = "x86_64")]
mod x86_bmi1;

/// Two permutations of an implementation that has no better than one after the other.
macro_rules! one_by_one {
    ($(#[$features:meta])?) => {
        $(#[$features])?
        pub(super) fn permute_two(a: &mut State, b: &mut State, rounds: Rounds) {
            permute(a, rounds);
            permute(b, rounds);
        }
    };
}
use one_by_one;

pub(crate) use sponge::Sponge;

/// A state: lane (x, y) at index x + 5y.
pub type State = [u64; 25];

adamant_base::backends! {
    /// The permutation of one state.
    pub(crate) struct Backend {
        /// Permutes `state`.
        fn permute(state: &mut State, rounds: Rounds);
        /// Takes every block of `rate` bytes into the first lanes by exclusive or, then permutes.
        /// Bytes after the last whole block are left alone.
        fn absorb(state: &mut State, blocks: &[u8], rate: Rate, rounds: Rounds);
        /// Permutes both states, in the time of one where a vector has room for two.
        fn permute_two(a: &mut State, b: &mut State, rounds: Rounds);
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f", "avx512vl"];
    #[cfg(target_arch = "x86_64")]
    x86_bmi1 if ["bmi1"];
    #[cfg(target_arch = "aarch64")]
    arm_sha3 if ["neon", "sha3"; "sha3quick"];
    #[cfg(target_arch = "aarch64")]
    arm_shifted if ["neon"];
    #[cfg(any(target_pointer_width = "64", target_arch = "wasm32"))]
    portable64 if [];
    #[cfg(any(feature = "lab", not(any(target_pointer_width = "64", target_arch = "wasm32"))))]
    portable32 if [];
}

/// The rounds of a permutation: the last ones of the 24 that Keccak-f\[1600\] has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds(&'static [[u64; 2]]);

impl Rounds {
    /// All 24: Keccak-f\[1600\].
    pub const ALL: Rounds = Rounds(RC.as_chunks().0);
    /// The last 12: the permutation of TurboSHAKE (RFC 9861).
    pub const LAST_12: Rounds = Rounds(RC.as_chunks().0.split_at(6).1);

    /// The constants of the rounds, by pairs.
    #[inline(always)]
    pub(crate) const fn constants(self) -> &'static [[u64; 2]] {
        self.0
    }
}

/// The bytes of a block: a multiple of 8, from 8 to 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate(usize);

impl Rate {
    /// The rate of this many bytes, if there is one.
    ///
    /// ```
    /// use adamant_hash::hazmat::keccak::Rate;
    /// assert!(Rate::new(136).is_some());
    /// assert!(Rate::new(0).is_none() && Rate::new(135).is_none() && Rate::new(208).is_none());
    /// ```
    #[must_use]
    pub const fn new(bytes: usize) -> Option<Self> {
        if bytes.is_multiple_of(8) && 0 < bytes && bytes <= 200 {
            Some(Rate(bytes))
        } else {
            None
        }
    }

    /// All bytes of the state.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    const MOST: Rate = Rate(200);

    /// Whether there is a block.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    const fn fits(self, blocks: &[u8]) -> bool {
        blocks.len() >= self.0
    }

    /// The block at the head of `blocks`, which then starts after it.
    #[inline(always)]
    fn next<'a>(self, blocks: &mut &'a [u8]) -> Option<&'a [[u8; 8]]> {
        let (block, rest) = blocks.split_at_checked(self.0)?;
        *blocks = rest;
        Some(block.as_chunks().0)
    }
}

/// FIPS 202, 3.2.5: the constants of the rounds; bit 2^j − 1 is rc(j + 7 · round).
static RC: [u64; 24] = {
    let mut constants = [0; 24];
    let mut round = 0;
    // The register of algorithm 5, R\[0\] in bit 0: rc(t) is that bit after t steps.
    let mut register = 1u32;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            constants[round] |= ((register & 1) as u64) << ((1 << j) - 1);
            // R = 0 || R, then R[8] goes into R[0], R[4], R[5] and R[6].
            register <<= 1;
            register = (register ^ ((register >> 8) * 0b0111_0001)) & 0xff;
            j += 1;
        }
        round += 1;
    }
    constants
};

// The first and last as the reference implementations print them.
const _: () = assert!(RC[0] == 1 && RC[1] == 0x8082);
const _: () = assert!(RC[23] == 0x8000_0000_8000_8008);
