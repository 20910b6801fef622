//! Whether compression functions from elsewhere are those of the standard.

use crate::{sha256, sha512};
use adamant_testkit::TestRng;
use adamant_testkit::conformance::{Mismatch, compression, same};

/// Checks an implementation beside the portable one, at the boundaries that it states and at some
/// more.
///
/// # Errors
/// The first difference.
pub fn sha256(own: &dyn sha256::own::Functions) -> Result<(), Mismatch> {
    let portable = sha256::Backend::portable();
    compression(
        own.implementation(),
        sha256::IV,
        |state, blocks| own.compress(state, blocks),
        |state, blocks| portable.compress(state, blocks),
    )?;
    let mut rng = TestRng::new(1);
    for i in 0..100 {
        let start = [3, 5].map(|nth| match i % nth {
            0 => sha256::IV,
            _ => rng.words().map(|word: u64| word as u32),
        });
        let (blocks, mut states, mut expected) = ([rng.array(), rng.array()], start, start);
        own.compress_pair(&mut states, &blocks);
        portable.compress_pair(&mut expected, &blocks);
        let case = format_args!("{start:x?} {blocks:x?}");
        same("compress_pair", &states, &expected, case)?;
    }
    Ok(())
}

/// Checks an implementation beside the portable one, at the boundaries that it states and at some
/// more.
///
/// # Errors
/// The first difference.
pub fn sha512(own: &dyn sha512::own::Functions) -> Result<(), Mismatch> {
    let portable = sha512::Backend::portable();
    compression(
        own.implementation(),
        sha512::IV,
        |state, blocks| own.compress(state, blocks),
        |state, blocks| portable.compress(state, blocks),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_base::{Implementation, cpu::Features};
    use adamant_testkit::table;

    #[test]
    fn rows_pass() {
        table!(sha256::Backend).for_each(|row| assert_eq!(sha256(&row), Ok(())));
        table!(sha512::Backend).for_each(|row| assert_eq!(sha512(&row), Ok(())));
    }

    /// What is wrong.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Fault {
        None,
        NoBlocks,
        SecondOfMany,
        AtItsStep,
        Carry,
        AtTheStart,
        OfTenBlocks,
        OfLongRuns,
        Pair,
        PairAtTheStart,
    }

    static ROW: Implementation =
        Implementation::new("faulty", Features::NONE).steps(&[47 * 64, 47 * 128]);

    impl sha256::own::Functions for Fault {
        fn implementation(&self) -> &'static Implementation {
            &ROW
        }

        fn compress(&self, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
            let (before, count) = (state[0], blocks.len());
            sha256::Backend::detected().compress(state, blocks);
            state[0] ^= u32::from(match self {
                Fault::NoBlocks => count == 0,
                Fault::SecondOfMany => count > 16,
                Fault::AtItsStep => count == 48,
                // The last addition of each block, where it runs over.
                Fault::Carry => before == u32::MAX && count == 1,
                Fault::AtTheStart => before == sha256::IV[0],
                Fault::OfTenBlocks => count == 10,
                Fault::OfLongRuns => count > 5000,
                _ => false,
            });
        }

        fn compress_pair(&self, states: &mut [[u32; 8]; 2], blocks: &[[u8; 64]; 2]) {
            let starts = *states == [sha256::IV; 2];
            sha256::Backend::detected().compress_pair(states, blocks);
            if *self == Fault::Pair || (*self == Fault::PairAtTheStart && starts) {
                states.swap(0, 1);
            }
        }
    }

    impl sha512::own::Functions for Fault {
        fn implementation(&self) -> &'static Implementation {
            &ROW
        }

        fn compress(&self, state: &mut [u64; 8], blocks: &[[u8; 128]]) {
            let (before, count) = (state[0], blocks.len());
            sha512::Backend::detected().compress(state, blocks);
            state[0] ^= u64::from(match self {
                Fault::NoBlocks => count == 0,
                Fault::SecondOfMany => count > 16,
                Fault::AtItsStep => count == 48,
                Fault::Carry => before == u64::MAX && count == 1,
                Fault::AtTheStart => before == sha512::IV[0],
                Fault::OfTenBlocks => count == 10,
                Fault::OfLongRuns => count > 5000,
                _ => false,
            });
        }
    }

    #[test]
    fn faults_are_found() {
        assert_eq!(
            (sha256(&Fault::None), sha512(&Fault::None)),
            (Ok(()), Ok(()))
        );
        for fault in [
            Fault::NoBlocks,
            Fault::SecondOfMany,
            Fault::AtItsStep,
            Fault::Carry,
            Fault::AtTheStart,
            Fault::OfTenBlocks,
            Fault::OfLongRuns,
        ] {
            assert_eq!(
                sha256(&fault).unwrap_err().function,
                "compress",
                "{fault:?}"
            );
            assert_eq!(
                sha512(&fault).unwrap_err().function,
                "compress",
                "{fault:?}"
            );
        }
        for fault in [Fault::Pair, Fault::PairAtTheStart] {
            assert_eq!(sha256(&fault).unwrap_err().function, "compress_pair");
        }
    }
}
