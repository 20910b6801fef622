//! BLAKE3 (O'Connor, Aumasson, Neves and Wilcox-O'Hearn, 2020): hash, keyed hash, key derivation,
//! and output of any length.
//!
//! The message is cut into chunks of 1024 bytes, the leaves of a binary tree; chaining values are
//! eight 32-bit words, and words are in little-endian order. Many chunks are compressed at once
//! where the CPU can. Time depends only on lengths. Section numbers are those of the paper.

#[cfg(target_arch = "aarch64")]
mod arm_neon;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;
mod portable;
#[cfg(test)]
mod tests;
mod tree;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;
#[cfg(target_arch = "x86_64")]
mod x86_avx512vbmi2;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_sse41;

use crate::sha256::IV;
use adamant_base::family::{self, Hash, Xof};
use adamant_base::{Secret, Wipe};
use tree::{Node, Tree};

adamant_base::backends! {
    /// The compression function of BLAKE3, on one block and on many chunks or nodes, of which the
    /// rows state where they take more at once.
    pub(crate) struct Backend {
        /// One block of `len` bytes into the chaining value `h`, all sixteen words of output.
        fn compress(h: &[u32; 8], m: &[u32; 16], t: u64, len: u32, flags: u32) -> [u32; 16];
        /// Whole blocks of chunk `t` into the chaining value `h`, in order: `flags` in each, `start`
        /// in the first one and `end` in the last one besides.
        fn blocks(
            h: &mut [u32; 8],
            blocks: &[[u8; 64]],
            t: u64,
            flags: u32,
            start: u32,
            end: u32,
        );
        /// The chaining values of whole chunks, the first of which has number `t`; as many as
        /// `out` has places.
        fn chunks(key: &[u32; 8], chunks: &[[u8; 1024]], t: u64, flags: u32, out: &mut [[u32; 8]]);
        /// The chaining values of nodes from those of their two children; as many as `out` has
        /// places.
        fn parents(key: &[u32; 8], children: &[[u32; 16]], flags: u32, out: &mut [[u32; 8]]);
    }
    // Where a vector operation takes two cycles, what it does differently takes longer.
    #[cfg(target_arch = "x86_64")]
    x86_avx512vbmi2 if ["avx512f", "avx512bw", "avx512vl", "avx512vbmi2"; "avx512quick"]
        lanes [2, 4, 5, 8, 9, 16];
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f", "avx512bw", "avx512vl"] lanes [2, 4, 5, 8, 9, 16, 17, 32];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx2 if ["avx2"] lanes [2, 8];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_sse41 if ["sse4.1", "ssse3"] lanes [2, 4];
    #[cfg(target_arch = "aarch64")]
    arm_neon if ["neon"] lanes [2, 4];
    // The tree above goes by these.
    _ => portable lanes [tree::FEW, tree::MAX_SUBTREE];
}

// Table 3: the flags.
const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 2;
const PARENT: u32 = 4;
const ROOT: u32 = 8;
const KEYED_HASH: u32 = 16;
const DERIVE_KEY_CONTEXT: u32 = 32;
const DERIVE_KEY_MATERIAL: u32 = 64;

/// Bytes of a chunk.
const CHUNK: usize = 1024;

/// Table 2: which word of the message goes where, in each of seven rounds.
const SCHEDULE: [[usize; 16]; 7] = {
    let permutation = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
    let mut schedule = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]; 7];
    let mut i = 16;
    while i < 112 {
        schedule[i / 16][i % 16] = schedule[i / 16 - 1][permutation[i % 16]];
        i += 1;
    }
    schedule
};

/// BLAKE3.
///
/// ```
/// use adamant_hash::Blake3;
/// let mut hash = Blake3::new();
/// hash.update(b"a");
/// hash.update(b"bc");
/// assert_eq!(hash.clone().finalize(), Blake3::digest(b"abc"));
///
/// let mut long = [0; 100];
/// hash.finalize_xof().read(&mut long);
/// assert_eq!(long[..32], Blake3::digest(b"abc"));
/// ```
///
/// Under a key it is a MAC; with a context, a KDF:
///
/// ```
/// use adamant_hash::Blake3;
/// let mut mac = Blake3::keyed(&[7; 32]);
/// mac.update(b"message");
/// assert_ne!(mac.finalize(), Blake3::digest(b"message"));
///
/// let mut kdf = Blake3::derive_key("example.com 2024-05-01 session tokens");
/// kdf.update(&[7; 32]); // the key material
/// let key = kdf.finalize();
/// # assert_ne!(key, Blake3::digest(&[7; 32]));
/// ```
///
/// Compare tags with [`adamant_base::ct::eq`]. States are wiped on drop.
#[derive(Clone)]
pub struct Blake3 {
    tree: Tree,
}

impl Blake3 {
    /// The state before any input, on the best implementation of this CPU.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self::new_on(Backend::best())
    }

    /// The state before any input, on this implementation.
    #[inline]
    #[must_use]
    pub fn new_on(backend: Backend) -> Self {
        Self::start(backend, IV, 0)
    }

    /// The keyed hash, a MAC and a pseudorandom function, on the best implementation of this CPU.
    #[must_use]
    pub fn keyed(key: &[u8; 32]) -> Self {
        on::keyed_on(key, Backend::best())
    }

    /// Key derivation on the best implementation of this CPU: the input is the key material, the
    /// output the derived key. The context is a constant of the program, unique to this use.
    #[must_use]
    pub fn derive_key(context: &str) -> Self {
        on::derive_key_on(context, Backend::best())
    }

    fn start(backend: Backend, key: [u32; 8], flags: u32) -> Self {
        Blake3 {
            tree: Tree::new(backend, key, flags),
        }
    }

    /// The hash after `t` chunks, which made these values.
    #[cfg(test)]
    pub(crate) fn behind(backend: Backend, values: &[[u32; 8]], t: u64) -> Self {
        let mut hash = Self::new_on(backend);
        hash.tree.set_behind(values, t);
        hash
    }

    /// Takes in more of the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.tree.update(data);
    }

    /// The digest of everything taken in, of 32 bytes.
    #[inline(always)] // A call would move the tree.
    #[must_use]
    pub fn finalize(mut self) -> [u8; 32] {
        self.finish()
    }

    fn finish(&mut self) -> [u8; 32] {
        bytes(&self.tree.root().output(0))
    }

    /// The digest of everything taken in, of any length.
    #[must_use]
    pub fn finalize_xof(mut self) -> XofReader {
        XofReader {
            root: self.tree.root(),
            block: Secret::new([0; 64]),
            position: 0,
        }
    }

    /// The digest of `data`.
    #[inline]
    #[must_use]
    pub fn digest(data: &[u8]) -> [u8; 32] {
        Self::digest_at_once(Backend::best(), data)
    }

    fn digest_at_once(backend: Backend, data: &[u8]) -> [u8; 32] {
        if data.len() <= CHUNK {
            return bytes(&tree::single_chunk(backend, &IV, data));
        }
        // With places for as many values as there are at most: those that are not used cost time.
        if data.len() <= tree::FEW * CHUNK {
            return bytes(&tree::few_chunks::<{ tree::FEW }>(backend, &IV, data));
        }
        if data.len() <= tree::MAX_SUBTREE * CHUNK {
            return bytes(&tree::few_chunks::<{ tree::MAX_SUBTREE }>(
                backend, &IV, data,
            ));
        }
        let mut hash = Self::new_on(backend);
        hash.update(data);
        hash.finish()
    }
}

/// What `hazmat` has beside [`Blake3::new_on`].
pub(crate) mod on {
    use super::*;

    /// [`Blake3::keyed`] on this implementation.
    #[must_use]
    pub fn keyed_on(key: &[u8; 32], backend: Backend) -> Blake3 {
        Blake3::start(backend, words(key), KEYED_HASH)
    }

    /// [`Blake3::derive_key`] on this implementation.
    #[must_use]
    pub fn derive_key_on(context: &str, backend: Backend) -> Blake3 {
        let mut hash = Blake3::start(backend, IV, DERIVE_KEY_CONTEXT);
        hash.update(context.as_bytes());
        Blake3::start(backend, words(&hash.finalize()), DERIVE_KEY_MATERIAL)
    }
}

/// A digest of any length, of which [`finalize`](Blake3::finalize) gives the first 32 bytes.
///
/// ```
/// use adamant_hash::Blake3;
/// let mut reader = Blake3::new().finalize_xof();
/// let (mut a, mut b) = ([0; 100], [0; 30]);
/// reader.read(&mut a);
/// reader.set_position(70);
/// reader.read(&mut b);
/// assert_eq!(a[70..], b);
/// ```
#[derive(Clone)]
pub struct XofReader {
    root: Node,
    /// The block that `position` lies in, unless it lies at its start.
    block: Secret<[u8; 64]>,
    position: u64,
}

impl XofReader {
    /// The next bytes of the digest; there are 2^64.
    pub fn read(&mut self, mut out: &mut [u8]) {
        while !out.is_empty() {
            let start = self.position as usize % 64;
            if start == 0 {
                *self.block = bytes(&self.root.output(self.position / 64));
            }
            let len = out.len().min(64 - start);
            let (now, later) = out.split_at_mut(len);
            now.copy_from_slice(&self.block[start..][..len]);
            self.position = self.position.wrapping_add(len as u64);
            out = later;
        }
    }

    /// Goes to this byte of the digest.
    pub fn set_position(&mut self, position: u64) {
        self.position = position;
        *self.block = bytes(&self.root.output(position / 64));
    }
}

impl Hash for Blake3 {
    type Output = [u8; 32];
    const BLOCK_LEN: usize = 64;
    const OUTPUT_LEN: usize = 32;

    #[inline]
    fn new() -> Self {
        Blake3::new()
    }
    #[inline]
    fn update(&mut self, data: &[u8]) {
        Blake3::update(self, data);
    }
    #[inline(always)]
    fn finalize(self) -> [u8; 32] {
        Blake3::finalize(self)
    }
    #[inline]
    fn finish(&mut self) -> [u8; 32] {
        Blake3::finish(self)
    }
    fn finish_with(&self, parts: &[&[u8]]) -> [u8; 32] {
        if let ([data], Some(backend)) = (parts, self.tree.unused()) {
            return Self::digest_at_once(backend, data);
        }
        let mut hash = self.clone();
        parts.iter().for_each(|part| hash.update(part));
        hash.finish()
    }
    #[inline]
    fn digest(data: &[u8]) -> [u8; 32] {
        Blake3::digest(data)
    }
}

impl Xof for Blake3 {
    type Reader = XofReader;
    const BLOCK_LEN: usize = 64;

    #[inline]
    fn new() -> Self {
        Blake3::new()
    }
    #[inline]
    fn update(&mut self, data: &[u8]) {
        Blake3::update(self, data);
    }
    #[inline]
    fn finalize_xof(self) -> XofReader {
        Blake3::finalize_xof(self)
    }
}

impl family::XofReader for XofReader {
    #[inline]
    fn read(&mut self, out: &mut [u8]) {
        XofReader::read(self, out);
    }
}

impl Default for Blake3 {
    fn default() -> Self {
        Self::new()
    }
}

impl Wipe for Blake3 {
    fn wipe(&mut self) {
        self.tree.wipe();
    }
}

/// The first words as bytes.
fn bytes<const BYTES: usize>(words: &[u32; 16]) -> [u8; BYTES] {
    const { assert!(BYTES <= 64) };
    let mut bytes = [0; BYTES];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// Bytes as words.
fn words<const BYTES: usize, const WORDS: usize>(bytes: &[u8; BYTES]) -> [u32; WORDS] {
    const { assert!(BYTES == 4 * WORDS) };
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}
