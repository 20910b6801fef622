//! The operating system's generator.

use adamant_base::{Error, Rng};

/// The operating system's generator (`getrandom` on Linux).
///
/// ```
/// use adamant_base::Rng;
/// use adamant_rand::SystemRng;
/// let mut key = [0; 32];
/// SystemRng.fill(&mut key).unwrap();
/// assert_ne!(key, [0; 32]);
/// ```
///
/// It keeps no state in the process, so it is safe across forks.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRng;

impl Rng for SystemRng {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        getrandom::fill(out).map_err(|_| Error::NoEntropy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_everything() {
        let mut rng = SystemRng;
        rng.fill(&mut []).unwrap();
        let (mut one, mut other) = ([0; 4096], [0; 4096]);
        rng.fill(&mut one).unwrap();
        rng.fill(&mut other).unwrap();
        assert_ne!(one, other);
        // Each of 128 stretches of 32 bytes is zero with probability 2^-256.
        assert!(one.chunks(32).all(|c| c.iter().any(|b| *b != 0)));
    }
}
