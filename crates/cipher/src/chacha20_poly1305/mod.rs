//! ChaCha20-Poly1305 (RFC 8439, 2.8) and XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha, 2.3):
//! authenticated encryption with associated data.
//!
//! A nonce must never serve two messages under one key. Those of ChaCha20-Poly1305 are short:
//! count them. Those of XChaCha20-Poly1305 may be random.

#[cfg(target_arch = "aarch64")]
mod arm_neon;
#[cfg(target_arch = "aarch64")]
mod arm_neon_x6;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(
        feature = "lab",
        not(any(target_has_atomic = "ptr", feature = "small"))
    )
))]
mod arm_thumb;
mod compose;
#[cfg(feature = "lab")]
mod portable16;
#[cfg(any(
    feature = "lab",
    not(any(
        target_pointer_width = "64",
        all(target_arch = "arm", not(target_has_atomic = "ptr"))
    ))
))]
mod portable32;
#[cfg(target_pointer_width = "64")]
mod portable64;
#[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
mod power_crypto;
#[cfg(any(feature = "lab", feature = "small"))]
mod small;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_ifma512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_sse2;

use crate::aead::{self, aead, exactly};
use crate::chacha20::{hchacha20, words};
use adamant_base::{Error, Secret};

macro_rules! table {
    ($($rows:tt)*) => {
        adamant_base::backends! {
            /// Implementations of ChaCha20-Poly1305.
            pub(crate) struct Backend {
                /// Encrypts in place; the tag.
                fn seal(key: &[u32; 8], nonce: &[u32; 3], aad: &[u8], data: &mut [u8]) -> [u8; 16];
                /// Decrypts in place; the tag that there should be.
                fn open(key: &[u32; 8], nonce: &[u32; 3], aad: &[u8], data: &mut [u8]) -> [u8; 16];
            }
            $($rows)*
        }
    };
}

#[cfg(any(feature = "lab", not(feature = "small")))]
table! {
    #[cfg(target_arch = "x86_64")]
    x86_ifma512 if ["avx512f", "avx512bw", "avx512vl", "avx512ifma", "avx512vbmi2"]
        // A block of key stream more than of data.
        steps [
            64, 3 * 64, 7 * 64, 15 * 64, 19 * 64, 23 * 64, 31 * 64, 32 * 64, compose::AT_ONCE,
        ];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx2 if ["avx2"] steps [3 * 64, 7 * 64, 8 * 64, compose::AT_ONCE];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_sse2 if ["sse2"] steps [3 * 64, 4 * 64, compose::AT_ONCE];
    // Cores that came with the instructions of SHA-3 or later have quick multipliers.
    #[cfg(target_arch = "aarch64")]
    arm_neon_x6 if ["neon"; "sha3"]
        // A block of key stream more than of data, and then as many.
        steps [
            64, 3 * 64, 4 * 64, 5 * 64, 7 * 64, 9 * 64, 10 * 64, 11 * 64, 64 * arm_neon::AT_ONCE_X6,
        ];
    #[cfg(target_arch = "aarch64")]
    arm_neon if ["neon"]
        steps [64, 3 * 64, 4 * 64, 6 * 64, 8 * 64, 9 * 64, 64 * arm_neon::AT_ONCE];
    #[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
    power_crypto if [; "power8-crypto"] steps [3 * 64, 4 * 64, compose::AT_ONCE];
    // ARMv6-M, known by its lack of compare-and-swap, has these instructions and products of 32 bits.
    #[cfg(all(target_arch = "arm", not(target_has_atomic = "ptr")))]
    arm_thumb if [] steps [64, compose::AT_ONCE];
    #[cfg(target_pointer_width = "64")]
    portable64 if [] steps [64, compose::AT_ONCE];
    #[cfg(any(
        feature = "lab",
        not(any(
            target_pointer_width = "64",
            all(target_arch = "arm", not(target_has_atomic = "ptr"))
        ))
    ))]
    portable32 if [] steps [64, compose::AT_ONCE];
    #[cfg(feature = "lab")]
    portable16 if [] steps [64, compose::AT_ONCE];
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        target_has_atomic = "ptr",
        feature = "lab"
    ))]
    arm_thumb if [] steps [64, compose::AT_ONCE];
    #[cfg(feature = "lab")]
    small if [];
}

#[cfg(all(feature = "small", not(feature = "lab")))]
table! {
    small if [];
}

/// Bytes of the longest message: the counter has 32 bits, and block 0 is taken.
pub(crate) const MAX_TEXT: u64 = ((1 << 32) - 1) * 64;

/// ChaCha20-Poly1305 with nonces of 12 bytes.
///
/// ```
/// use adamant_cipher::chacha20_poly1305::ChaCha20Poly1305;
/// let cipher = ChaCha20Poly1305::new(&[7; 32]);
/// let mut data = *b"attack at dawn";
/// let tag = cipher.seal(&[1; 12], b"header", &mut data).unwrap();
/// assert_ne!(&data, b"attack at dawn");
/// cipher.open(&[1; 12], b"header", &mut data, &tag).unwrap();
/// assert_eq!(&data, b"attack at dawn");
/// // Whatever is wrong, there is one error, and nothing is released.
/// assert!(cipher.open(&[2; 12], b"header", &mut data, &tag).is_err());
/// assert_eq!(data, [0; 14]);
/// ```
pub struct ChaCha20Poly1305 {
    key: Secret<[u32; 8]>,
    backend: Backend,
}

/// XChaCha20-Poly1305: nonces of 24 bytes, which may be random.
///
/// ```
/// use adamant_cipher::chacha20_poly1305::XChaCha20Poly1305;
/// let cipher = XChaCha20Poly1305::new(&[7; 32]);
/// let mut data = *b"attack at dawn";
/// let tag = cipher.seal(&[1; 24], b"header", &mut data).unwrap();
/// cipher.open(&[1; 24], b"header", &mut data, &tag).unwrap();
/// assert_eq!(&data, b"attack at dawn");
/// ```
pub struct XChaCha20Poly1305 {
    key: Secret<[u32; 8]>,
    backend: Backend,
}

impl ChaCha20Poly1305 {
    fn with_start<T>(&self, nonce: &[u8; 12], run: impl FnOnce(&[u32; 8], &[u32; 3]) -> T) -> T {
        run(&self.key, &words(nonce))
    }
}

impl XChaCha20Poly1305 {
    fn with_start<T>(&self, nonce: &[u8; 24], run: impl FnOnce(&[u32; 8], &[u32; 3]) -> T) -> T {
        let [n0, n1, n2, n3, n4, n5] = words(nonce);
        run(&hchacha20(&self.key, &[n0, n1, n2, n3]), &[0, n4, n5])
    }
}

fn check(len: usize) -> Result<(), Error> {
    if len as u64 > MAX_TEXT {
        return Err(Error::BadLength {
            expected: usize::try_from(MAX_TEXT).unwrap_or(usize::MAX),
            actual: len,
        });
    }
    Ok(())
}

macro_rules! api {
    ($type:ty, $nonce_len:literal) => {
        impl $type {
            /// The cipher under `key`, on the best implementation of this CPU.
            #[must_use]
            pub fn new(key: &[u8; 32]) -> Self {
                Self::new_on(key, Backend::best())
            }

            /// The same on this implementation.
            #[must_use]
            pub fn new_on(key: &[u8; 32], backend: Backend) -> Self {
                let key = Secret::new(words(key));
                Self { key, backend }
            }

            /// Encrypts `data` in place; the tag. `nonce` must be new for every message.
            ///
            /// # Errors
            /// [`Error::BadLength`] for more than 2^38 - 64 bytes; `data` is then untouched.
            pub fn seal(
                &self,
                nonce: &[u8; $nonce_len],
                aad: &[u8],
                data: &mut [u8],
            ) -> Result<[u8; 16], Error> {
                check(data.len())?;
                Ok(self.with_start(nonce, |key, nonce| self.backend.seal(key, nonce, aad, data)))
            }

            /// Decrypts `data` in place if the tag is right.
            ///
            /// # Errors
            /// [`Error::BadTag`]: whatever was changed; `data` is then zeroed.
            /// [`Error::BadLength`] as for [`Self::seal`].
            pub fn open(
                &self,
                nonce: &[u8; $nonce_len],
                aad: &[u8],
                data: &mut [u8],
                tag: &[u8; 16],
            ) -> Result<(), Error> {
                check(data.len())?;
                let expected =
                    self.with_start(nonce, |key, nonce| self.backend.open(key, nonce, aad, data));
                aead::check(&expected, tag, data)
            }
        }

        aead!([] $type, key 32, nonce $nonce_len, |key| Ok(Self::new(exactly(key)?)));
    };
}
api!(ChaCha20Poly1305, 12);
api!(XChaCha20Poly1305, 24);
