//! ChaCha20 (RFC 8439, 2.3 and 2.4): a stream cipher.
//!
//! A block of key stream is a function of the key, a 32-bit block counter and a 96-bit nonce, all
//! held as little-endian 32-bit words. Time depends on lengths alone.

mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_avx2;

use adamant_base::{Error, Secret};

adamant_base::backends! {
    /// The block function of ChaCha20.
    pub struct Backend {
        /// Writes the blocks of key stream with the counters `counter`, `counter + 1`, …; the
        /// counter wraps around behind 2^32 - 1.
        fn keystream(key: &[u32; 8], counter: u32, nonce: &[u32; 3], out: &mut [[u8; 64]]);
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx2 if ["avx2"];
    _ => portable;
}

/// The first four words of every state: the ASCII text "expand 32-byte k".
const CONSTANTS: [u32; 4] = words(b"expand 32-byte k");

/// Bytes as little-endian words.
const fn words<const B: usize, const W: usize>(bytes: &[u8; B]) -> [u32; W] {
    const { assert!(B == 4 * W) };
    let mut words = [0; W];
    let mut i = 0;
    while i < W {
        words[i] = u32::from_le_bytes([
            bytes[4 * i],
            bytes[4 * i + 1],
            bytes[4 * i + 2],
            bytes[4 * i + 3],
        ]);
        i += 1;
    }
    words
}

/// Blocks of key stream made at once.
const AT_ONCE: usize = 16;

/// Blocks that a key and nonce give: the counter's range.
const BLOCKS: u64 = 1 << 32;

/// The key stream of one key and nonce, at some place in it.
///
/// ```
/// use adamant_cipher::chacha20::ChaCha20;
/// let (key, nonce) = ([7; 32], [9; 12]);
/// let mut text = *b"attack at dawn";
/// ChaCha20::new(&key, &nonce, 0).apply_keystream(&mut text).unwrap();
/// assert_ne!(&text, b"attack at dawn");
/// ChaCha20::new(&key, &nonce, 0).apply_keystream(&mut text).unwrap();
/// assert_eq!(&text, b"attack at dawn");
/// ```
///
/// This alone detects no change of the ciphertext. A nonce serves one message under a key.
pub struct ChaCha20 {
    key: Secret<[u32; 8]>,
    nonce: [u32; 3],
    /// The counter of the next block to make; [`BLOCKS`] behind the last.
    next: u64,
    /// The block of which a part is used.
    partial: Secret<[u8; 64]>,
    /// How much of it.
    used: usize,
    backend: Backend,
}

impl ChaCha20 {
    /// The key stream from block `counter` on, on the best implementation of this CPU.
    #[must_use]
    pub fn new(key: &[u8; 32], nonce: &[u8; 12], counter: u32) -> Self {
        Self::with_backend(Backend::best(), key, nonce, counter)
    }

    /// The same on this implementation.
    #[must_use]
    pub fn with_backend(backend: Backend, key: &[u8; 32], nonce: &[u8; 12], counter: u32) -> Self {
        ChaCha20 {
            key: Secret::new(words(key)),
            nonce: words(nonce),
            next: u64::from(counter),
            partial: Secret::new([0; 64]),
            used: 64,
            backend,
        }
    }

    /// Takes the exclusive or of `data` and the next bytes of key stream: encrypts or decrypts.
    ///
    /// # Errors
    /// [`Error::BadLength`] when the key stream ends before `data`; `data` is then untouched.
    pub fn apply_keystream(&mut self, data: &mut [u8]) -> Result<(), Error> {
        let left = (BLOCKS - self.next) * 64 + (64 - self.used) as u64;
        if data.len() as u64 > left {
            return Err(Error::BadLength {
                expected: usize::try_from(left).unwrap_or(usize::MAX),
                actual: data.len(),
            });
        }
        // What is left of the last block.
        let head = data.len().min(64 - self.used);
        let (head, data) = data.split_at_mut(head);
        xor(head, &self.partial[self.used..]);
        self.used += head.len();
        // Whole blocks.
        let (blocks, tail) = data.as_chunks_mut::<64>();
        if !blocks.is_empty() {
            let mut stream = Secret::new([[0; 64]; AT_ONCE]);
            for blocks in blocks.chunks_mut(AT_ONCE) {
                let stream = &mut stream[..blocks.len()];
                self.next_blocks(stream);
                xor(blocks.as_flattened_mut(), stream.as_flattened());
            }
        }
        // The start of another block.
        if !tail.is_empty() {
            let mut last = Secret::new([[0; 64]]);
            self.next_blocks(&mut *last);
            self.partial = Secret::new(last[0]);
            xor(tail, &*self.partial);
            self.used = tail.len();
        }
        Ok(())
    }

    fn next_blocks(&mut self, out: &mut [[u8; 64]]) {
        self.backend
            .keystream(&self.key, self.next as u32, &self.nonce, out);
        self.next += out.len() as u64;
    }
}

fn xor(data: &mut [u8], stream: &[u8]) {
    for (byte, s) in data.iter_mut().zip(stream) {
        *byte ^= s;
    }
}
