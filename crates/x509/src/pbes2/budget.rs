//! The cost limits of reading: an input can ask for anything.

use super::Kdf;
use crate::ErrorKind;

/// The most that reading one input may cost, all derivations in it together: a PKCS #12 file has
/// one for its MAC, and one for each key and each part that is encrypted.
///
/// The default allows ten million iterations; and for scrypt 1 GiB of copies beside 16 MiB, through
/// which 4 GiB of work may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Iterations of PBKDF2, for each block of its output, and of the derivation of RFC 7292,
    /// appendix B.
    pub iterations: u32,
    /// Bytes of memory at once for scrypt: those of the copies, 128 N r, and twice those of the
    /// blocks, 128 r p. Of blocks that are mixed together, with up to 128 MiB, the copies are
    /// counted together.
    pub memory: u64,
    /// Bytes that scrypt goes through: 128 r p (N + 16), where the 16 stand for PBKDF2, which
    /// makes the blocks and takes them in.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            iterations: 10_000_000,
            memory: (1 << 30) + (16 << 20),
            work: 1 << 32,
        }
    }
}

/// The cost of PBKDF2 before and after scrypt's copies, in copies.
const PBKDF2: u128 = 16;
/// The most memory that the copies of several blocks take that are mixed at once.
const TOGETHER: u128 = 128 << 20;

/// The rest of the limits while an input is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    iterations: u64,
    memory: u128,
    work: u128,
}

impl Budget {
    /// For parameters of your own choice, not those of a file.
    pub(super) const fn unlimited() -> Self {
        Self {
            iterations: u64::MAX,
            memory: u128::MAX,
            work: u128::MAX,
        }
    }

    pub(crate) const fn new(limits: &Limits) -> Self {
        Self {
            iterations: limits.iterations as u64,
            memory: limits.memory as u128,
            work: limits.work as u128,
        }
    }

    /// Takes this many iterations away.
    ///
    /// # Errors
    /// [`ErrorKind::TooCostly`] where fewer are left.
    pub(crate) fn iterate(&mut self, iterations: u64) -> Result<(), ErrorKind> {
        let left = self.iterations.checked_sub(iterations);
        self.iterations = left.ok_or(ErrorKind::TooCostly("iterations"))?;
        Ok(())
    }

    /// Takes away what the derivation of a key of `len` bytes costs.
    ///
    /// # Errors
    /// [`ErrorKind::TooCostly`] with the name of what is not left.
    pub(super) fn charge(&mut self, kdf: Kdf, len: usize) -> Result<(), ErrorKind> {
        match kdf {
            Kdf::Pbkdf2 { prf, iterations } => {
                let blocks = len.div_ceil(prf.output_len()) as u64;
                self.iterate(blocks.saturating_mul(iterations.into()))
            }
            Kdf::Scrypt { n, r, p } => {
                let (n, block, lanes) = (n.into(), 128 * u128::from(r), u128::from(p));
                let copies = block.saturating_mul(n);
                let together = copies.saturating_mul(lanes).min(TOGETHER);
                let memory = copies.max(together).saturating_add(2 * block * lanes);
                let work = (block * lanes).saturating_mul(n + PBKDF2);
                if memory > self.memory {
                    return Err(ErrorKind::TooCostly("memory"));
                }
                let left = self.work.checked_sub(work);
                self.work = left.ok_or(ErrorKind::TooCostly("work"))?;
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pbes2::Prf;

    fn verdict(limits: Limits, kdf: Kdf, len: usize) -> Result<(), ErrorKind> {
        Budget::new(&limits).charge(kdf, len)
    }

    /// A number at its bound, one below and one above it, and as far from it as can be.
    fn around(bound: u128, check: impl Fn(u64, bool)) {
        let Ok(bound) = u64::try_from(bound) else {
            return check(u64::MAX, false);
        };
        check(bound, true);
        check(u64::MAX, true);
        if let Some(less) = bound.checked_sub(1) {
            check(less, false);
            check(0, false);
        }
        check(bound.saturating_add(1), true);
    }

    #[test]
    fn iterations_at_their_bound() {
        let prfs = [Prf::HmacSha1, Prf::HmacSha256, Prf::HmacSha512];
        for (prf, len) in prfs
            .into_iter()
            .flat_map(|prf| [(prf, 16usize), (prf, 32), (prf, 64)])
        {
            for iterations in [1, 2, 1000, 10_000_000, u32::MAX] {
                let blocks = len.div_ceil(prf.output_len()) as u128;
                around(blocks * u128::from(iterations), |limit, passes| {
                    let limits = Limits {
                        iterations: u32::try_from(limit).unwrap_or(u32::MAX),
                        ..Limits::default()
                    };
                    let passes =
                        passes && u128::from(limits.iterations) >= blocks * u128::from(iterations);
                    let expected = match passes {
                        true => Ok(()),
                        false => Err(ErrorKind::TooCostly("iterations")),
                    };
                    assert_eq!(
                        verdict(limits, Kdf::Pbkdf2 { prf, iterations }, len),
                        expected
                    );
                });
            }
        }
    }

    /// Memory and work of scrypt at their bounds, over parameters of all sizes, to the largest
    /// numbers that their types have: nothing overflows.
    #[test]
    fn memory_and_work_at_their_bounds() {
        let numbers = [1, 2, 8, 1 << 10, (1 << 23) - 1, 1 << 30, u32::MAX];
        let costs = [2, 16, 1 << 14, 1 << 20, 1 << 40, 1 << 63];
        for (n, r) in costs.into_iter().flat_map(|n| numbers.map(|r| (n, r))) {
            for p in numbers {
                let kdf = Kdf::Scrypt { n, r, p };
                let block = 128 * u128::from(r);
                let (wide, lanes) = (u128::from(n), u128::from(p));
                let copies = block * wide;
                let together = copies.saturating_mul(lanes);
                let copies = copies.max(together.min(128 << 20));
                around(copies + 2 * block * lanes, |memory, passes| {
                    let limits = Limits {
                        memory,
                        work: u64::MAX,
                        ..Limits::default()
                    };
                    let memory = Err(ErrorKind::TooCostly("memory"));
                    assert_eq!(verdict(limits, kdf, 32) != memory, passes, "{kdf:?}");
                });
                let work = (block * lanes).saturating_mul(wide + 16);
                around(work, |work, passes| {
                    let mut budget = Budget {
                        work: work.into(),
                        ..Budget::unlimited()
                    };
                    assert_eq!(budget.charge(kdf, 32).is_ok(), passes, "{kdf:?}");
                });
            }
        }
    }

    /// What took 42 seconds and 2 GiB: blocks without end, hardly mixed.
    #[test]
    fn many_small_blocks() {
        let kdf = |p| Kdf::Scrypt { n: 2, r: 1, p };
        let costly = |p| verdict(Limits::default(), kdf(p), 32);
        assert_eq!(costly((1 << 23) - 1), Err(ErrorKind::TooCostly("memory")));
        assert_eq!(costly((1 << 22) - 1), Err(ErrorKind::TooCostly("memory")));
        assert_eq!(costly(1 << 20), Ok(()));
        let small = Limits {
            work: 1 << 28,
            ..Limits::default()
        };
        assert_eq!(
            verdict(small, kdf(1 << 20), 32),
            Err(ErrorKind::TooCostly("work"))
        );
        // RFC 7914's own example of a key takes 1 GiB of copies.
        let example = Kdf::Scrypt {
            n: 1 << 20,
            r: 8,
            p: 1,
        };
        assert_eq!(verdict(Limits::default(), example, 32), Ok(()));
        // The parameters that are written by default.
        let usual = Kdf::Scrypt {
            n: 1 << 14,
            r: 8,
            p: 5,
        };
        assert_eq!(verdict(Limits::default(), usual, 32), Ok(()));
    }

    #[test]
    fn charges_add_up() {
        let kdf = Kdf::Pbkdf2 {
            prf: Prf::HmacSha256,
            iterations: 4_000_000,
        };
        let mut budget = Budget::new(&Limits::default());
        assert_eq!(budget.charge(kdf, 32), Ok(()));
        assert_eq!(budget.charge(kdf, 32), Ok(()));
        let over = Err(ErrorKind::TooCostly("iterations"));
        assert_eq!(budget.charge(kdf, 32), over);
        assert_eq!(budget.iterate(2_000_001), over);
        // What was refused cost nothing.
        assert_eq!(budget.iterate(2_000_000), Ok(()));
        assert_eq!(budget.iterate(1), over);
    }
}
