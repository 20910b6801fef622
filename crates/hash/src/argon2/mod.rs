//! Argon2 (RFC 9106, version 0x13): keys from passwords, at the cost of memory and time.
//!
//! A matrix of blocks of 1 KiB, a row for each lane, is filled column by column; each block is the
//! compression G of the one before in its lane and of another, chosen among all that are finished,
//! and the passes after the first add what was there. The last column makes the output.
//!
//! **Secrets and time**: which other block it is depends on the password in Argon2d, and in
//! Argon2id after the first half of the first pass: that is their design. Whoever shares the cache
//! with the program and observes it may learn enough to test guesses against less memory. Argon2i
//! chooses by public numbers. Nothing else depends on secrets.
//!
//! ```
//! use adamant_hash::argon2::{Argon2, Variant};
//! // RFC 9106, 4: the second recommendation, 64 MiB, three passes, four lanes.
//! let argon2 = Argon2::new(Variant::Id, 64 << 10, 3, 4).unwrap();
//! let mut key = [0; 32];
//! argon2.derive(b"password", b"a random salt...", &mut key).unwrap();
//! ```

mod fill;
mod hash;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;

#[cfg(feature = "alloc")]
use adamant_base::memory::Memory;
use adamant_base::{Error, Wipe};

/// 1 KiB: an 8 × 8 matrix of 16-byte registers, row by row, each two words.
pub(crate) type Block = [u64; 128];

adamant_base::backends! {
    /// The compression function G.
    pub(crate) struct Backend {
        /// `out = G(x, y)`; with `xor`, `out ^= G(x, y)`. All are in the order of
        /// [`arrange`](Self::arrange).
        fn compress(x: &Block, y: &Block, out: &mut Block, xor: bool);
        /// Brings a block into the order of words that the implementation works on.
        fn arrange(block: &mut Block);
        /// Undoes [`arrange`](Self::arrange).
        fn restore(block: &mut Block);
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f"];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx2 if ["avx2"];
    _ => portable;
}

/// How the other block is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// By secrets: the strongest against attackers with much hardware and no view of the cache.
    D = 0,
    /// By public numbers.
    I = 1,
    /// By public numbers at first, then by secrets: the one to choose.
    Id = 2,
}

/// An Argon2 of chosen cost.
#[derive(Clone, Copy)]
pub struct Argon2<'a> {
    variant: Variant,
    memory: u32,
    passes: u32,
    lanes: u32,
    secret: &'a [u8],
    associated_data: &'a [u8],
    backend: Backend,
}

impl<'a> Argon2<'a> {
    /// With `memory` KiB, this many passes over it, and this many lanes, which can be filled in
    /// parallel (they are, with the feature `rayon`).
    ///
    /// # Errors
    /// [`Error::BadParameter`]: `passes` is 0, `lanes` is 0 or above 2^24 - 1, `memory` is less
    /// than `8 lanes`.
    pub fn new(variant: Variant, memory: u32, passes: u32, lanes: u32) -> Result<Self, Error> {
        if passes == 0 {
            return Err(Error::BadParameter("passes"));
        }
        if lanes == 0 || lanes >= 1 << 24 {
            return Err(Error::BadParameter("lanes"));
        }
        if memory < 8 * lanes {
            return Err(Error::BadParameter("memory"));
        }
        Ok(Argon2 {
            variant,
            memory,
            passes,
            lanes,
            secret: &[],
            associated_data: &[],
            backend: Backend::best(),
        })
    }

    /// On this implementation.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// With a secret that is not kept beside the result (a "pepper").
    #[must_use]
    pub fn with_secret(mut self, secret: &'a [u8]) -> Self {
        self.secret = secret;
        self
    }

    /// With data that the result depends on.
    #[must_use]
    pub fn with_associated_data(mut self, associated_data: &'a [u8]) -> Self {
        self.associated_data = associated_data;
        self
    }

    /// Derives `out` from a password.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a salt of less than 8 bytes or an output of less than 4, and for
    /// inputs of 2^32 bytes or more; [`Error::OutOfMemory`]. `out` is then untouched.
    #[cfg(feature = "alloc")]
    pub fn derive(&self, password: &[u8], salt: &[u8], out: &mut [u8]) -> Result<(), Error> {
        self.check(password, salt, out)?;
        let words = fill::Shape::new(self).blocks().checked_mul(128);
        let mut memory = Memory::<u64>::zeroed(words.ok_or(Error::OutOfMemory)?)?;
        self.derive_checked(password, salt, memory.as_chunks_mut().0, out);
        Ok(())
    }

    /// As [`Self::derive`], without heap: in as many blocks as there are KiB. They are wiped.
    ///
    /// ```
    /// use adamant_hash::argon2::{Argon2, Variant};
    /// let argon2 = Argon2::new(Variant::Id, 32, 3, 4).unwrap();
    /// let (mut key, mut same) = ([0; 32], [0; 32]);
    /// argon2.derive_within(b"password", b"a random salt...", &mut [[0; 128]; 32], &mut key).unwrap();
    /// argon2.derive(b"password", b"a random salt...", &mut same).unwrap();
    /// assert_eq!(key, same);
    /// ```
    ///
    /// # Errors
    /// As there; [`Error::OutOfMemory`] for fewer blocks.
    pub fn derive_within(
        &self,
        password: &[u8],
        salt: &[u8],
        memory: &mut [[u64; 128]],
        out: &mut [u8],
    ) -> Result<(), Error> {
        self.check(password, salt, out)?;
        let blocks = memory.get_mut(..fill::Shape::new(self).blocks());
        let blocks = blocks.ok_or(Error::OutOfMemory)?;
        self.derive_checked(password, salt, blocks, out);
        blocks.as_flattened_mut().wipe();
        Ok(())
    }

    /// Whether the lengths are in range.
    fn check(&self, password: &[u8], salt: &[u8], out: &[u8]) -> Result<(), Error> {
        for (actual, least) in [(salt.len(), 8), (out.len(), 4)] {
            if actual < least {
                return Err(Error::BadLength {
                    expected: least,
                    actual,
                });
            }
        }
        let inputs = [password, salt, self.secret, self.associated_data];
        let lengths = inputs.map(<[u8]>::len).into_iter().chain([out.len()]);
        for actual in lengths {
            if u32::try_from(actual).is_err() {
                return Err(Error::BadLength {
                    expected: u32::MAX as usize,
                    actual,
                });
            }
        }
        Ok(())
    }

    fn derive_checked(&self, password: &[u8], salt: &[u8], blocks: &mut [Block], out: &mut [u8]) {
        let backend = self.backend;
        let shape = fill::Shape::new(self);
        let h0 = hash::h0(self, password, salt, out.len());
        fill::start(&shape, backend, &h0, blocks);
        fill::fill(&shape, backend, blocks);
        fill::finish(&shape, backend, blocks, out);
    }
}
