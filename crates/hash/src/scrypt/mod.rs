//! scrypt (RFC 7914): keys from passwords, at the cost of memory.
//!
//! PBKDF2-HMAC-SHA256 with one iteration makes `p` blocks of `128 r` bytes from the password;
//! scryptROMix mixes each with the help of `N` remembered copies; PBKDF2 makes the output from
//! what became of them.
//!
//! **Secrets and time**: the copies are read in an order that depends on the password: that is
//! scrypt's design. Whoever shares the cache with the program and observes it may learn enough to
//! test guesses without the memory. Nothing else depends on secrets, and the PBKDF2 that comes
//! first does not: the order says nothing about a password that was not guessed.

pub(crate) mod lanes;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod vectors;
#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx512vl;

use crate::{Sha256, pbkdf2};
#[cfg(feature = "alloc")]
use adamant_base::memory::Memory;
use adamant_base::{Error, Secret, Wipe, ct, same_length};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// One block of Salsa20: sixteen words.
pub(crate) type Block = [u32; 16];

adamant_base::backends! {
    /// scryptROMix.
    pub(crate) struct Backend {
        /// Mixes `b`, `2r` blocks, with `N` copies of it. `v` has room for the copies and `x` for
        /// one; what is in them does not matter.
        fn ro_mix(b: &mut [Block], v: &mut [Block], x: &mut [Block]);
    }
    // Where a vector operation takes two cycles, words are quicker.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx512vl if ["avx512vl"; "avx512quick"];
    #[cfg(target_arch = "x86_64")]
    x86_64 if [];
    _ => portable;
}

/// The cost of a derivation.
///
/// ```
/// use adamant_hash::scrypt::Params;
/// let params = Params::new(1 << 14, 8, 1).unwrap(); // 16 MiB
/// let mut key = [0; 32];
/// params.derive(b"password", b"salt", &mut key).unwrap();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    n: usize,
    r: usize,
    p: usize,
    /// What mixes one block after the other, if that is asked for.
    backend: Option<Backend>,
    lanes: lanes::Backend,
}

impl Params {
    /// `n` copies of `128 r` bytes each, `p` times.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for an `n` that is not a power of two above 1, nor below 2^(16 r); an
    /// `r` or `p` of 0; `r p` from 2^30 on; more memory than addresses can tell apart.
    pub fn new(n: u64, r: u32, p: u32) -> Result<Self, Error> {
        let below = u128::from(r) * 16;
        if n < 2 || !n.is_power_of_two() || u128::from(n.ilog2()) >= below {
            return Err(Error::BadParameter("n"));
        }
        if r == 0 || r >= 1 << 30 {
            return Err(Error::BadParameter("r"));
        }
        if p == 0 || u64::from(p) * u64::from(r) >= 1 << 30 {
            return Err(Error::BadParameter("p"));
        }
        let size = |x: u64| usize::try_from(x).map_err(|_| Error::BadParameter("n"));
        let params = Params {
            n: size(n)?,
            r: size(r.into())?,
            p: size(p.into())?,
            backend: None,
            lanes: lanes::Backend::best(),
        };
        let words = params.r.checked_mul(32);
        let copies = words.and_then(|w| w.checked_mul(params.n));
        let all = copies.zip(words.and_then(|w| w.checked_mul(params.p + 1)));
        all.and_then(|(v, b)| v.checked_add(b))
            .filter(|words| *words <= isize::MAX as usize / 4)
            .ok_or(Error::BadParameter("n"))?;
        Ok(params)
    }

    /// On this implementation, which mixes one block after the other.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.backend = Some(backend);
        self
    }

    /// On these lanes, where several blocks are mixed at once.
    #[must_use]
    pub fn with_lanes(mut self, lanes: lanes::Backend) -> Self {
        self.lanes = lanes;
        self
    }

    /// The blocks that [`Self::derive_within`] takes: `128 r (n + p + 1)` bytes.
    #[must_use]
    pub const fn blocks(&self) -> usize {
        2 * self.r * (self.n + self.p + 1)
    }

    /// The bytes that it takes beside them: `128 r p`.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        128 * self.r * self.p
    }

    /// As [`Self::derive`], without heap: in [`Self::blocks`] blocks and [`Self::bytes`] bytes, with one of
    /// the `p` blocks after the other. They are wiped.
    ///
    /// ```
    /// use adamant_hash::scrypt::Params;
    /// let params = Params::new(16, 1, 1).unwrap();
    /// let (mut key, mut same) = ([0; 64], [0; 64]);
    /// params.derive_within(b"", b"", &mut [[0; 16]; 36], &mut [0; 128], &mut key).unwrap();
    /// params.derive(b"", b"", &mut same).unwrap();
    /// assert_eq!(key, same);
    /// ```
    ///
    /// # Errors
    /// As there; [`Error::OutOfMemory`] for fewer.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn derive_within(
        &self,
        password: &[u8],
        salt: &[u8],
        blocks: &mut [[u32; 16]],
        bytes: &mut [u8],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let memory = blocks.get_mut(..self.blocks());
        let memory = memory.zip(bytes.get_mut(..self.bytes()));
        let (blocks, bytes) = memory.ok_or(Error::OutOfMemory)?;
        let derived = self.derive_in(password, salt, blocks, bytes, out);
        blocks.as_flattened_mut().wipe();
        bytes.wipe();
        derived
    }

    /// Derives `out`, with one block after the other, in so many blocks and bytes.
    #[cfg_attr(not(feature = "lab"), inline)]
    fn derive_in(
        &self,
        password: &[u8],
        salt: &[u8],
        blocks: &mut [Block],
        bytes: &mut [u8],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let backend = self.backend.unwrap_or_else(Backend::best);
        let per_copy = 2 * self.r;
        // The blocks B, one more copy, and the memory V, in this order.
        let (b, rest) = blocks.split_at_mut(per_copy * self.p);
        let (x, v) = rest.split_at_mut(per_copy);

        pbkdf2::derive::<Sha256>(password, salt, 1, bytes)?;
        read(bytes, b);
        for b in b.chunks_exact_mut(per_copy) {
            backend.ro_mix(b, v, x);
        }
        write(b, bytes);
        pbkdf2::derive::<Sha256>(password, bytes, 1, out)
    }
}

#[cfg(feature = "alloc")]
impl Params {
    /// Derives `out` from a password. For `p` above 1, several of the `p` blocks are mixed at
    /// once, as long as their copies take no more than 128 MiB together.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; [`Error::BadLength`] for an output of more than 32 (2^32 - 1)
    /// bytes. `out` is then untouched.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn derive(&self, password: &[u8], salt: &[u8], out: &mut [u8]) -> Result<(), Error> {
        if self.p == 1 || self.backend.is_some() {
            return self.derive_in_turn(password, salt, out);
        }
        let most = Self::TOGETHER / (128 * self.r * self.n);
        self.derive_lanes(most, &[(password, salt)], &mut [out])
    }

    /// Derives a key of `N` bytes from each password and its salt, many at once: the copies take
    /// the memory of up to eight derivations.
    ///
    /// ```
    /// use adamant_hash::scrypt::Params;
    /// let params = Params::new(1 << 10, 8, 1).unwrap();
    /// let inputs: [(&[u8], &[u8]); 2] = [(b"secret", b"salt"), (b"secrets", b"salt and pepper")];
    /// let keys = params.derive_batch::<32>(&inputs).unwrap();
    /// let mut alone = [0; 32];
    /// params.derive(b"secrets", b"salt and pepper", &mut alone).unwrap();
    /// assert_eq!(*keys[1], alone);
    /// ```
    ///
    /// # Errors
    /// As [`Self::derive`].
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn derive_batch<const N: usize>(
        &self,
        inputs: &[(&[u8], &[u8])],
    ) -> Result<Vec<Secret<[u8; N]>>, Error> {
        pbkdf2::keys(inputs.len(), |out| self.derive_batch_into(inputs, out))
    }

    /// [`Self::derive_batch`] to these places, which may differ in their lengths.
    ///
    /// ```
    /// use adamant_hash::scrypt::Params;
    /// let params = Params::new(1 << 10, 8, 1).unwrap();
    /// let (mut one, mut other, mut alone) = ([0; 32], [0; 16], [0; 16]);
    /// let inputs: [(&[u8], &[u8]); 2] = [(b"secret", b"salt"), (b"secrets", b"salt and pepper")];
    /// params.derive_batch_into(&inputs, &mut [&mut one, &mut other]).unwrap();
    /// params.derive(b"secrets", b"salt and pepper", &mut alone).unwrap();
    /// assert_eq!(other, alone);
    /// ```
    ///
    /// # Errors
    /// As [`Self::derive`], for the first output that is too long; [`Error::BadLength`] also when
    /// there are not as many outputs as inputs. The outputs are then untouched.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn derive_batch_into(
        &self,
        inputs: &[(&[u8], &[u8])],
        out: &mut [&mut [u8]],
    ) -> Result<(), Error> {
        self.derive_lanes(usize::MAX, inputs, out)
    }

    /// The most memory, in bytes, that the copies of one password may take together.
    const TOGETHER: usize = 128 << 20;

    /// Derives many outputs, with the copies of at most this many blocks at once.
    #[cfg_attr(not(feature = "lab"), inline)]
    fn derive_lanes(
        &self,
        most: usize,
        inputs: &[(&[u8], &[u8])],
        out: &mut [&mut [u8]],
    ) -> Result<(), Error> {
        same_length(inputs.len(), out.len())?;
        let limit = usize::try_from(32 * u64::from(u32::MAX)).unwrap_or(usize::MAX);
        if let Some(long) = out.iter().find(|out| out.len() > limit) {
            return Err(Error::BadLength {
                expected: limit,
                actual: long.len(),
            });
        }
        let per_copy = 2 * self.r;
        // As many lanes as fill the machine, or a vector, or one: as there is work and memory for.
        // A vector is worth it if more than half of it is filled.
        let (vector, all) = (self.lanes.vector(), inputs.len().saturating_mul(self.p));
        let mut room = None;
        for (least, width) in [(vector + 1, self.lanes.lanes()), (vector / 2 + 1, vector)] {
            if room.is_none() && least <= all && width <= most {
                let words = (16 * per_copy).checked_mul(width * (self.n + 1));
                let memory = words.and_then(|words| Memory::<u32>::zeroed(words).ok());
                room = memory.map(|memory| (width, memory));
            }
        }
        let Some((width, mut memory)) = room else {
            for ((password, salt), out) in inputs.iter().zip(out) {
                self.derive_in_turn(password, salt, out)?;
            }
            return Ok(());
        };
        let (blocks, _) = memory.as_chunks_mut::<16>();
        let (x, v) = blocks.split_at_mut(per_copy * width);

        // Passwords whose blocks fill the lanes together; idle ones mix zeros.
        let group = (width / self.p).max(1);
        let most_lanes = (group * self.p).next_multiple_of(vector);
        let mut memory = Memory::<u32>::zeroed(16 * per_copy * most_lanes)?;
        let (b, _) = memory.as_chunks_mut::<16>();
        let mut bytes = Memory::<u8>::zeroed(64 * per_copy * group * self.p)?;
        for (inputs, out) in inputs.chunks(group).zip(out.chunks_mut(group)) {
            let bytes = &mut bytes[..64 * per_copy * self.p * inputs.len()];
            let each = 64 * per_copy * self.p;
            for ((password, salt), bytes) in inputs.iter().zip(bytes.chunks_exact_mut(each)) {
                pbkdf2::derive::<Sha256>(password, salt, 1, bytes)?;
            }
            read(bytes, b);
            let lanes = (inputs.len() * self.p).next_multiple_of(vector);
            for b in b[..lanes * per_copy].chunks_mut(width * per_copy) {
                // What is left may fill a vector, or need both.
                let lanes = b.len() / per_copy;
                let (x, v) = (&mut x[..b.len()], &mut v[..b.len() * self.n]);
                self.lanes.ro_mix(b, v, x, lanes);
            }
            write(b, bytes);
            for (((password, _), bytes), out) in
                inputs.iter().zip(bytes.chunks_exact(each)).zip(out)
            {
                pbkdf2::derive::<Sha256>(password, bytes, 1, out)?;
            }
        }
        Ok(())
    }

    /// [`Self::derive_in`] memory of the heap.
    #[cfg_attr(not(feature = "lab"), inline)]
    fn derive_in_turn(&self, password: &[u8], salt: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let mut blocks = Memory::<u32>::zeroed(16 * self.blocks())?;
        let mut bytes = Memory::<u8>::zeroed(self.bytes())?;
        let (blocks, _) = blocks.as_chunks_mut();
        self.derive_in(password, salt, blocks, &mut bytes, out)
    }
}

/// What the kernels take for granted, for this many lanes: `2r` blocks of each, copies of them
/// whose number is a power of two above 1, and room for one more.
#[inline]
fn check(b: &[Block], v: &[Block], x: &[Block], lanes: usize) {
    debug_assert!(!b.is_empty() && b.len().is_multiple_of(2 * lanes) && x.len() >= b.len());
    debug_assert!(v.len() > b.len() && v.len().is_multiple_of(b.len()));
    debug_assert!((v.len() / b.len()).is_power_of_two());
}

/// As many blocks as there are bytes for.
fn read(bytes: &[u8], blocks: &mut [Block]) {
    for (word, bytes) in blocks
        .as_flattened_mut()
        .iter_mut()
        .zip(bytes.as_chunks().0)
    {
        *word = u32::from_le_bytes(*bytes);
    }
}

/// The reverse of [`read`].
fn write(blocks: &[Block], bytes: &mut [u8]) {
    for (bytes, word) in bytes
        .as_chunks_mut()
        .0
        .iter_mut()
        .zip(blocks.as_flattened())
    {
        *bytes = word.to_le_bytes();
    }
}

/// RFC 7914, 5: Integerify, a little-endian number, modulo `n`, a power of two below 2^64.
#[inline]
fn integerify(b: &[Block], n: usize) -> usize {
    let last = &b[b.len() - 1];
    integer(last[0], last[1], n)
}

/// The number of these words, the lower one first, modulo `n`.
#[inline]
fn integer(low: u32, high: u32, n: usize) -> usize {
    let mut j = (u64::from(high) << 32 | u64::from(low)) as usize & (n - 1);
    // Public by design: the order in which copies are read is not hidden.
    ct::mark_public_value(&mut j);
    j
}

/// Derives `out` from a password with `n` copies of `128 r` bytes, `p` times.
///
/// ```
/// let mut key = [0; 64];
/// adamant_hash::scrypt::derive(b"", b"", 16, 1, 1, &mut key).unwrap();
/// assert_eq!(key[..4], [0x77, 0xd6, 0x57, 0x62]); // RFC 7914, 12
/// ```
///
/// # Errors
/// As [`Params::new`] and [`Params::derive`]; `out` is then untouched.
#[cfg(feature = "alloc")]
#[cfg_attr(not(feature = "lab"), inline)]
pub fn derive(
    password: &[u8],
    salt: &[u8],
    n: u64,
    r: u32,
    p: u32,
    out: &mut [u8],
) -> Result<(), Error> {
    Params::new(n, r, p)?.derive(password, salt, out)
}
