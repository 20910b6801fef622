//! GHASH (NIST SP 800-38D, 6.4): the universal hash of GCM.
//!
//! A block is a polynomial over GF(2) modulo x^128 + x^7 + x^2 + x + 1, the highest bit of its
//! first byte the coefficient of 1. GHASH is the value of the polynomial with the blocks as
//! coefficients at the point H.

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(crate) mod arm_aes;
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon",
    not(feature = "small")
))]
pub(crate) mod arm_neon;
mod portable;
#[cfg(any(
    feature = "lab",
    all(target_arch = "arm", not(target_has_atomic = "ptr"))
))]
pub(crate) mod portable16;
#[cfg(any(
    feature = "lab",
    not(any(
        target_pointer_width = "64",
        all(target_arch = "arm", not(target_has_atomic = "ptr"))
    ))
))]
pub(crate) mod portable32;
#[cfg(target_pointer_width = "64")]
pub(crate) mod portable64;
#[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
pub(crate) mod power_crypto;
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "powerpc64", target_endian = "little", feature = "std")
))]
mod reversed;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod x86_pclmul;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod x86_vpclmul256;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_vpclmul512;

use adamant_base::{Secret, Wipe};

adamant_base::backends! {
    /// Implementations of GHASH.
    pub(crate) struct Backend: own {
        /// What is computed once for a key H.
        fn init(h: &[u8; 16], key: &mut Powers);
        /// For each block: adds it to the sum and multiplies that by H.
        fn update(key: &Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]);
        /// The same for the last data, filled up with zeros, and the block of lengths, a
        /// big-endian number.
        fn finish(key: &Powers, sum: &mut [u8; 16], data: &[u8], lengths: u128) = |own| {
            finish_by(|sum, blocks| own.update(key, sum, blocks), sum, data, lengths);
        };
    }
    #[cfg(target_arch = "x86_64")]
    x86_vpclmul512 if ["vpclmulqdq", "avx512f", "avx512bw", "avx512vl", "pclmulqdq"]
        steps [64, x86_vpclmul512::STEP, 2 * x86_vpclmul512::STEP];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_vpclmul256 if ["vpclmulqdq", "avx2", "pclmulqdq", "ssse3", "sse4.1"]
        steps [16 * x86_pclmul::WIDE, 16 * x86_vpclmul256::WIDE];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_pclmul if ["pclmulqdq", "ssse3", "sse4.1"] steps [16 * x86_pclmul::WIDE];
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    arm_aes if ["neon", "aes"] steps [16 * arm_aes::WIDE];
    #[cfg(all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon",
        not(feature = "small")
    ))]
    arm_neon if ["neon"] steps [16 * arm_neon::WIDE];
    #[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
    power_crypto if [; "power8-crypto"] steps [16 * power_crypto::WIDE];
    // ARMv6-M, known by its lack of compare-and-swap, has products of 32 bits.
    #[cfg(all(target_arch = "arm", not(target_has_atomic = "ptr")))]
    portable16 if [];
    #[cfg(target_pointer_width = "64")]
    portable64 if [] steps [32];
    #[cfg(any(
        feature = "lab",
        not(any(
            target_pointer_width = "64",
            all(target_arch = "arm", not(target_has_atomic = "ptr"))
        ))
    ))]
    portable32 if [];
    #[cfg(all(feature = "lab", not(all(target_arch = "arm", not(target_has_atomic = "ptr")))))]
    portable16 if [];
}

/// Whether an implementation may want more of a key than H, and its square.
const HAS_MANY: bool = cfg!(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    feature = "own"
));
/// Powers kept for a key, or vectors of them: as many as an implementation wants, 36 at most.
pub(crate) const POWERS: usize = if HAS_MANY {
    36
} else if cfg!(all(
    target_arch = "powerpc64",
    target_endian = "little",
    feature = "std"
)) {
    15
} else {
    2
};
const PLACES: usize = if HAS_MANY { POWERS + 4 } else { POWERS };
const HALVES: usize = if HAS_MANY { PLACES } else { 0 };
const FAR: usize = if HAS_MANY { 8 } else { 0 };

/// The powers of H, the highest first, in the form that the implementation wants. The zeros
/// after H let a kernel multiply a last, short group.
#[derive(Clone)]
#[cfg_attr(
    any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"),
    repr(align(64))
)]
pub struct Powers {
    /// H^36 … H^1, 0, 0, 0, 0.
    pub(crate) power: [[u8; 16]; PLACES],
    /// The sum of the halves of each.
    pub(crate) halves: [[u8; 16]; HALVES],
    /// H^64, H^60 … H^36, for kernels that take 64 blocks with one reduction.
    pub(crate) far: [[u8; 16]; FAR],
    /// The sum of the halves of each.
    pub(crate) far_halves: [[u8; 16]; FAR],
}

impl Powers {
    /// None yet.
    pub(crate) const NONE: Self = Powers {
        power: [[0; 16]; PLACES],
        halves: [[0; 16]; HALVES],
        far: [[0; 16]; FAR],
        far_halves: [[0; 16]; FAR],
    };

    /// Room for what an implementation of one's own keeps of H.
    #[cfg(feature = "own")]
    #[must_use]
    pub fn room(&self) -> &[[u8; 16]; POWERS + 4] {
        &self.power
    }

    /// The same, to be filled; zeros at first.
    #[cfg(feature = "own")]
    pub fn room_mut(&mut self) -> &mut [[u8; 16]; POWERS + 4] {
        &mut self.power
    }
}

impl Wipe for Powers {
    fn wipe(&mut self) {
        self.power.wipe();
        self.halves.wipe();
        self.far.wipe();
        self.far_halves.wipe();
    }
}

/// A key H, ready.
///
/// ```
/// use adamant_cipher::hazmat::ghash::Key;
/// let mut one = [0; 16];
/// one[0] = 0x80; // the coefficient of 1
/// let mut sum = [0; 16];
/// Key::new(&one).update(&mut sum, &[[1; 16], [2; 16]]);
/// assert_eq!(sum, [3; 16]);
/// ```
pub struct Key {
    powers: Secret<Powers>,
    backend: Backend,
}

impl Key {
    /// H on the best implementation of this CPU.
    #[must_use]
    pub fn new(h: &[u8; 16]) -> Self {
        Self::new_on(h, Backend::best())
    }

    /// H on this implementation.
    #[must_use]
    pub fn new_on(h: &[u8; 16], backend: Backend) -> Self {
        let mut powers = Secret::new(Powers::NONE);
        backend.init(h, &mut powers);
        Key { powers, backend }
    }

    /// For each block: adds it to the sum and multiplies that by H.
    #[inline]
    pub fn update(&self, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
        self.backend.update(&self.powers, sum, blocks);
    }

    /// The same for the last data, filled up with zeros, and the block of these lengths in bytes.
    #[inline]
    pub(crate) fn finish(&self, sum: &mut [u8; 16], data: &[u8], (aad, text): (usize, usize)) {
        let lengths = lengths(aad, text);
        self.backend.finish(&self.powers, sum, data, lengths);
    }
}

/// `finish` of a table's row by its `update`.
fn finish_by(
    update: impl Fn(&mut [u8; 16], &[[u8; 16]]),
    sum: &mut [u8; 16],
    data: &[u8],
    lengths: u128,
) {
    let (blocks, rest) = data.as_chunks();
    if !blocks.is_empty() {
        update(sum, blocks);
    }
    if !rest.is_empty() {
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        update(sum, &[last]);
    }
    update(sum, &[lengths.to_be_bytes()]);
}

/// The last block of GCM's input as a big-endian number: both lengths in bits.
#[inline]
pub(crate) fn lengths(aad: usize, text: usize) -> u128 {
    (aad as u128 * 8) << 64 | (text as u128 * 8)
}
