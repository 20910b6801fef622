//! AES-GCM-SIV (RFC 8452): authenticated encryption that survives a repeated nonce.
//!
//! The tag depends on the whole message and is the start of the counter. Where a nonce repeats,
//! an attacker learns whether the messages and their associated data are the same, and no more.
//! Each nonce has keys of its own, for AES and for POLYVAL, which is GHASH with the bytes of a
//! block in the other order.

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod arm_aes;
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon",
    not(feature = "small")
))]
mod arm_neon;
mod compose;
#[cfg(any(
    feature = "lab",
    all(target_arch = "arm", not(target_has_atomic = "ptr"))
))]
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
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_aesni;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_vaes256;
#[cfg(target_arch = "x86_64")]
mod x86_vaes512;

use adamant_base::{Error, Secret};

use crate::aead::{self, aead, exactly};
use crate::aes::RoundKeys;
#[cfg(target_arch = "x86_64")]
use crate::aes::x86_states512::{GROUP, LONG};
#[cfg(target_arch = "x86_64")]
use crate::ghash::x86_vpclmul512::STEP;

adamant_base::backends! {
    /// Implementations of AES-GCM-SIV.
    pub(crate) struct Backend {
        /// The round keys of the key that generates the others, of 16 or 32 bytes.
        fn expand(key: &[u8], keys: &mut RoundKeys);
        /// Encrypts in place; the tag.
        fn seal(keys: &RoundKeys, nonce: &[u8; 12], aad: &[u8], data: &mut [u8]) -> [u8; 16];
        /// Decrypts in place what has this tag; the tag that there should be.
        fn open(
            keys: &RoundKeys,
            nonce: &[u8; 12],
            aad: &[u8],
            data: &mut [u8],
            tag: &[u8; 16],
        ) -> [u8; 16];
    }
    #[cfg(target_arch = "x86_64")]
    x86_vaes512 if [
        "vaes", "vpclmulqdq", "avx512f", "avx512bw", "avx512vl", "aes", "pclmulqdq", "ssse3",
        "sse4.1",
    ] steps [64, 16 * x86_vaes512::FEW, 256, STEP, GROUP, STEP * LONG] counters [GROUP / 16];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_vaes256 if ["vaes", "vpclmulqdq", "avx2", "aes", "pclmulqdq", "ssse3", "sse4.1"]
        steps [32, 64, 128, 256, 16 * compose::AT_ONCE];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_aesni if ["aes", "pclmulqdq", "ssse3", "sse4.1"]
        steps [16 * crate::aes::x86_aesni::WIDE, 128, 16 * compose::AT_ONCE];
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    arm_aes if ["neon", "aes"] steps [16, 32, 64, 128];
    #[cfg(all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon",
        not(feature = "small")
    ))]
    arm_neon if ["neon"] steps [128, 16 * compose::AT_ONCE];
    #[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
    power_crypto if [; "power8-crypto"]
        steps [16, 16 * crate::aes::power_crypto::WIDE, 16 * compose::AT_ONCE];
    // ARMv6-M, known by its lack of compare-and-swap, has products of 32 bits.
    #[cfg(all(target_arch = "arm", not(target_has_atomic = "ptr")))]
    portable16 if [] steps [32, 16 * compose::AT_ONCE];
    #[cfg(target_pointer_width = "64")]
    portable64 if [] steps [64, 16 * compose::AT_ONCE];
    #[cfg(any(
        feature = "lab",
        not(any(
            target_pointer_width = "64",
            all(target_arch = "arm", not(target_has_atomic = "ptr"))
        ))
    ))]
    portable32 if [] steps [32, 16 * compose::AT_ONCE];
    #[cfg(all(feature = "lab", not(all(target_arch = "arm", not(target_has_atomic = "ptr")))))]
    portable16 if [] steps [32, 16 * compose::AT_ONCE];
}

/// Bytes of the longest message, and of the longest associated data (RFC 8452, 4).
const MAX_LEN: u64 = 1 << 36;

/// AES-GCM-SIV under a key of `KEY_LEN` bytes, 16 or 32.
///
/// ```
/// use adamant_cipher::gcm_siv::Aes256GcmSiv;
/// let cipher = Aes256GcmSiv::new(&[7; 32]);
/// let mut data = *b"attack at dawn";
/// let tag = cipher.seal(&[1; 12], b"header", &mut data).unwrap();
/// assert_ne!(&data, b"attack at dawn");
/// cipher.open(&[1; 12], b"header", &mut data, &tag).unwrap();
/// assert_eq!(&data, b"attack at dawn");
/// // Whatever is wrong, there is one error, and nothing is released.
/// assert!(cipher.open(&[2; 12], b"header", &mut data, &tag).is_err());
/// assert_eq!(data, [0; 14]);
/// ```
pub struct AesGcmSiv<const KEY_LEN: usize> {
    keys: Secret<RoundKeys>,
    backend: Backend,
}

/// AES-GCM-SIV with a key of 128 bits.
pub type Aes128GcmSiv = AesGcmSiv<16>;
/// AES-GCM-SIV with a key of 256 bits.
pub type Aes256GcmSiv = AesGcmSiv<32>;

impl<const KEY_LEN: usize> AesGcmSiv<KEY_LEN> {
    /// The cipher under `key`, on the best implementation of this CPU.
    #[must_use]
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self::new_on(key, Backend::best())
    }

    /// The same on this implementation.
    #[must_use]
    pub fn new_on(key: &[u8; KEY_LEN], backend: Backend) -> Self {
        const { assert!(KEY_LEN == 16 || KEY_LEN == 32) };
        let mut keys = Secret::new(RoundKeys::NONE);
        backend.expand(key, &mut keys);
        AesGcmSiv { keys, backend }
    }

    /// Encrypts `data` in place; the tag. `nonce` should be new for every message.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a message or associated data of more than 2^36 bytes; `data` is
    /// then untouched.
    #[inline]
    pub fn seal(&self, nonce: &[u8; 12], aad: &[u8], data: &mut [u8]) -> Result<[u8; 16], Error> {
        check(aad.len())?;
        check(data.len())?;
        Ok(self.backend.seal(&self.keys, nonce, aad, data))
    }

    /// Decrypts `data` in place if the tag is right.
    ///
    /// # Errors
    /// [`Error::BadTag`]: whatever was changed; `data` is then zeroed. [`Error::BadLength`] as
    /// for [`Self::seal`].
    #[inline]
    pub fn open(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; 16],
    ) -> Result<(), Error> {
        check(aad.len())?;
        check(data.len())?;
        let expected = self.backend.open(&self.keys, nonce, aad, data, tag);
        aead::check(&expected, tag, data)
    }
}

#[inline]
fn check(len: usize) -> Result<(), Error> {
    if len as u64 > MAX_LEN {
        return Err(Error::BadLength {
            expected: usize::try_from(MAX_LEN).unwrap_or(usize::MAX),
            actual: len,
        });
    }
    Ok(())
}

/// The last block that POLYVAL takes in, as a little-endian number: both lengths in bits.
fn lengths(aad: usize, text: usize) -> u128 {
    (text as u128 * 8) << 64 | (aad as u128 * 8)
}

aead! {
    [const KEY_LEN: usize] AesGcmSiv<KEY_LEN>, key KEY_LEN, nonce 12,
    |key| Ok(Self::new(exactly(key)?))
}
