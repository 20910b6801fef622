//! Deterministic pseudo-random data for tests.

use adamant_base::{Error, Rng};
use alloc::{vec, vec::Vec};

/// A generator of repeatable test data (SplitMix64: a counter through a 64-bit mixer).
///
/// Not for keys: its whole state is one 64-bit number, and any output reveals it.
///
/// ```
/// use adamant_base::Rng;
/// use adamant_testkit::TestRng;
/// let (mut a, mut b) = (TestRng::new(1), TestRng::new(1));
/// let mut key = [0; 32];
/// a.fill(&mut key).unwrap();
/// assert_eq!(key.to_vec(), b.bytes(32));
/// ```
#[derive(Clone, Debug)]
pub struct TestRng(u64);

impl TestRng {
    /// The generator that starts from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        TestRng(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15); // 2^64 / golden ratio
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number below `bound`, which is not zero; near enough to uniform for tests.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }

    /// The next `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.fill_bytes(&mut out);
        out
    }

    /// An array of random bytes.
    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        self.fill_bytes(&mut out);
        out
    }

    /// Words for arithmetic: half of them random, half from the edges where carries go wrong.
    pub fn words<const N: usize>(&mut self) -> [u64; N] {
        const EDGES: [u64; 8] = [
            0,
            1,
            u64::MAX,
            u64::MAX - 1,
            1 << 63,
            (1 << 63) - 1,
            0xffff_ffff,
            0xffff_ffff_0000_0000,
        ];
        core::array::from_fn(|_| {
            let x = self.next_u64();
            if x & 1 == 0 {
                EDGES[self.below(EDGES.len())]
            } else {
                self.next_u64()
            }
        })
    }

    fn fill_bytes(&mut self, out: &mut [u8]) {
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]);
        }
    }
}

impl Rng for TestRng {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(out);
        Ok(())
    }
}

/// A generator that always fails, for the paths that must pass its error on.
///
/// ```
/// use adamant_base::{Error, Rng};
/// assert_eq!(adamant_testkit::BrokenRng.fill(&mut [0]), Err(Error::NoEntropy));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BrokenRng;

impl Rng for BrokenRng {
    fn fill(&mut self, _out: &mut [u8]) -> Result<(), Error> {
        Err(Error::NoEntropy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeatable_and_of_every_length() {
        assert_ne!(TestRng::new(1).bytes(16), TestRng::new(2).bytes(16));
        for len in 0..20 {
            let bytes = TestRng::new(7).bytes(len);
            assert_eq!(bytes, TestRng::new(7).bytes(32)[..len]);
        }
        let words: [u64; 64] = TestRng::new(3).words();
        assert!(words.contains(&0) && words.contains(&u64::MAX));
    }
}
