//! ChaCha20 (RFC 8439, 2.3 and 2.4), XChaCha20 (draft-irtf-cfrg-xchacha) and the ChaCha20 of 2008:
//! a stream cipher.
//!
//! A block of key stream is a function of the key, a block counter and a nonce, all held as
//! little-endian 32-bit words. The length of the nonce says which of the three it is ([`Nonce`]).
//! Time depends only on lengths.

#[cfg(target_arch = "aarch64")]
pub(crate) mod arm_neon;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(
        feature = "lab",
        not(any(target_has_atomic = "ptr", feature = "small"))
    )
))]
pub(crate) mod arm_thumb;
mod nonce;
pub(crate) mod portable;
#[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
pub(crate) mod power_crypto;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod x86_avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_avx512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod x86_sse2;

pub use nonce::Nonce;

use adamant_base::{Error, Secret, Wipe};

macro_rules! table {
    ($($rows:tt)*) => {
        adamant_base::backends! {
            /// The block function of ChaCha20.
            pub(crate) struct Backend {
                /// Takes the exclusive or of `data` and the blocks of key stream with the counters
                /// `counter`, `counter + 1`, …, of the last as much as there is data; the counter wraps
                /// around after 2^32 - 1.
                fn xor(key: &[u32; 8], counter: u32, nonce: &[u32; 3], data: &mut [u8]);
            }
            $($rows)*
        }
    };
}

#[cfg(any(feature = "lab", not(feature = "small")))]
table! {
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f", "avx512bw", "avx512vl"]
        steps [128, 256, 512, 1024, 1280, 1536, 64 * x86_avx512::AT_ONCE]
        counters [x86_avx512::AT_ONCE];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx2 if ["avx2"] steps [64 * x86_avx2::FEW, 512] counters [8];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_sse2 if ["sse2"] steps [64 * x86_sse2::FEW, 256] counters [4];
    #[cfg(target_arch = "aarch64")]
    arm_neon if ["neon"]
        steps [2 * 64, 4 * 64, 5 * 64, 64 * arm_neon::AT_ONCE]
        counters [arm_neon::AT_ONCE];
    #[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
    power_crypto if [; "power8-crypto"] steps [64 * power_crypto::FEW, 256] counters [4];
    // ARMv6-M, known by its lack of compare-and-swap, has no other instructions.
    #[cfg(all(target_arch = "arm", not(target_has_atomic = "ptr")))]
    arm_thumb if [] steps [64];
    #[cfg(any(
        feature = "lab",
        not(all(target_arch = "arm", not(target_has_atomic = "ptr")))
    ))]
    portable if [];
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        target_has_atomic = "ptr",
        feature = "lab"
    ))]
    arm_thumb if [] steps [64];
}

#[cfg(all(feature = "small", not(feature = "lab")))]
table! {
    portable if [];
}

impl Backend {
    /// Writes the blocks of key stream with the counters `counter`, `counter + 1`, …; the
    /// counter wraps around after 2^32 - 1.
    pub fn keystream(self, key: &[u32; 8], counter: u32, nonce: &[u32; 3], out: &mut [[u8; 64]]) {
        let out = out.as_flattened_mut();
        out.fill(0);
        self.xor(key, counter, nonce, out);
    }
}

/// The first four words of every state: the ASCII text "expand 32-byte k".
const CONSTANTS: [u32; 4] = words(b"expand 32-byte k");

/// The state of a block before the rounds.
#[inline]
fn state(key: &[u32; 8], counter: u32, nonce: &[u32; 3]) -> [u32; 16] {
    let [c0, c1, c2, c3] = CONSTANTS;
    let [k0, k1, k2, k3, k4, k5, k6, k7] = *key;
    let [n0, n1, n2] = *nonce;
    [
        c0, c1, c2, c3, k0, k1, k2, k3, k4, k5, k6, k7, counter, n0, n1, n2,
    ]
}

/// Bytes as little-endian words.
pub(crate) const fn words<const B: usize, const W: usize>(bytes: &[u8; B]) -> [u32; W] {
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

/// HChaCha20 (draft-irtf-cfrg-xchacha, 2.2): a key from a key and 16 bytes of nonce.
pub(crate) fn hchacha20(key: &[u32; 8], nonce: &[u32; 4]) -> Secret<[u32; 8]> {
    let [counter, n0, n1, n2] = *nonce;
    let mut words = portable::rounds(state(key, counter, &[n0, n1, n2]));
    let [first @ .., _, _, _, _, _, _, _, _, l0, l1, l2, l3] = words;
    let [f0, f1, f2, f3] = first;
    words.wipe();
    Secret::new([f0, f1, f2, f3, l0, l1, l2, l3])
}

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
    /// The number of the next block to make.
    next: u128,
    /// The number after that of the last block.
    end: u128,
    /// The block of which a part is used.
    partial: Secret<[u8; 64]>,
    /// How much of it.
    used: usize,
    backend: Backend,
}

impl ChaCha20 {
    /// The key stream from block `counter` on, on the best implementation of this CPU.
    ///
    /// ```
    /// use adamant_cipher::chacha20::ChaCha20;
    /// let key = [7; 32];
    /// let mut data = [0; 100];
    /// ChaCha20::new(&key, &[1; 24], 0).apply_keystream(&mut data).unwrap(); // XChaCha20
    /// ChaCha20::new(&key, &[1; 8], 1 << 40).apply_keystream(&mut data).unwrap(); // of 2008
    /// ```
    #[must_use]
    pub fn new<N: Nonce>(key: &[u8; 32], nonce: &N, counter: N::Counter) -> Self {
        Self::new_on(key, nonce, counter, Backend::best())
    }

    /// The same on this implementation.
    #[must_use]
    pub fn new_on<N: Nonce>(
        key: &[u8; 32],
        nonce: &N,
        counter: N::Counter,
        backend: Backend,
    ) -> Self {
        let (key, nonce) = nonce.start(Secret::new(words(key)));
        ChaCha20 {
            key,
            nonce,
            next: u128::from(counter.into()),
            end: N::BLOCKS,
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
        let left = (self.end - self.next) * 64 + (64 - self.used) as u128;
        if data.len() as u128 > left {
            return Err(Error::BadLength {
                expected: usize::try_from(left).unwrap_or(usize::MAX),
                actual: data.len(),
            });
        }
        // What is left of the last block.
        let head = data.len().min(64 - self.used);
        let (head, data) = data.split_at_mut(head);
        for (byte, s) in head.iter_mut().zip(&self.partial[self.used..]) {
            *byte ^= s;
        }
        self.used += head.len();
        // Whole blocks.
        let (whole, tail) = data.split_at_mut(data.len() / 64 * 64);
        self.xor_blocks(whole);
        // The start of another block.
        if !tail.is_empty() {
            let mut last = Secret::new([0; 64]);
            self.xor_blocks(&mut *last);
            for (byte, s) in tail.iter_mut().zip(&*last) {
                *byte ^= s;
            }
            self.partial = last;
            self.used = tail.len();
        }
        Ok(())
    }

    /// Whole blocks, of which there are enough. The kernels count with 32 bits, so nothing is
    /// handed to them that reaches beyond; the upper half of a counter of 64 bits is where a
    /// nonce of 12 bytes has its first word.
    fn xor_blocks(&mut self, mut data: &mut [u8]) {
        while !data.is_empty() {
            let until_wrap = (1 << 32) - u64::from(self.next as u32);
            let len = (data.len() as u64).min(64 * until_wrap) as usize;
            let (now, later) = data.split_at_mut(len);
            let mut nonce = self.nonce;
            if self.end > 1 << 32 {
                nonce[0] = (self.next >> 32) as u32;
            }
            self.backend.xor(&self.key, self.next as u32, &nonce, now);
            self.next += (len / 64) as u128;
            data = later;
        }
    }
}
