//! GCM (NIST SP 800-38D): counter mode and GHASH, authenticated encryption with associated data.
//!
//! [`AesGcm`] has implementations of its own, in which both halves run side by side. [`Gcm`] takes
//! any cipher with blocks of 16 bytes.
//!
//! Nonces have 12 bytes; a nonce must never serve two messages under one key. Nonces of other
//! lengths, which are hashed first, and shorter tags are in [`hazmat`](crate::hazmat).

#[cfg(test)]
mod advisory;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod arm_aes;
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon",
    not(feature = "small")
))]
mod arm_neon;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod arm_sha3;
pub(crate) mod compose;
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
pub(crate) mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_aesni;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_ssse3;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_vaes256;
#[cfg(target_arch = "x86_64")]
mod x86_vaes512;

use adamant_base::{BlockCipher, Error, Secret, Wipe};

use crate::aead::{self, aead, exactly};
use crate::aes::RoundKeys;
#[cfg(target_arch = "x86_64")]
use crate::aes::x86_states512::{GROUP, LONG};
#[cfg(target_arch = "x86_64")]
use crate::ghash::x86_vpclmul512::STEP;
use crate::ghash::{self, Powers};

adamant_base::backends! {
    /// Implementations of AES-GCM.
    pub(crate) struct Backend {
        /// Expands an AES key of 16, 24 or 32 bytes and computes the powers of H.
        fn init(aes_key: &[u8], key: &mut AesGcmKey);
        /// Encrypts in place; the tag.
        fn seal(key: &AesGcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16];
        /// Decrypts in place; the tag that there should be.
        fn open(key: &AesGcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16];
        /// GHASH of whole blocks.
        fn ghash(key: &AesGcmKey, sum: &mut [u8; 16], blocks: &[[u8; 16]]);
        /// Encrypts blocks one by one.
        fn encrypt(key: &AesGcmKey, blocks: &mut [[u8; 16]]);
    }
    #[cfg(target_arch = "x86_64")]
    x86_vaes512 if [
        "vaes", "vpclmulqdq", "avx512f", "avx512bw", "avx512vl", "aes", "pclmulqdq", "ssse3",
        "sse4.1",
    ] steps [64, 128, 256, STEP, GROUP, STEP * LONG];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_vaes256 if ["vaes", "vpclmulqdq", "avx2", "aes", "pclmulqdq", "ssse3", "sse4.1"]
        steps [32, 64, 128, 256, compose::AT_ONCE];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_aesni if ["aes", "pclmulqdq", "ssse3", "sse4.1"]
        steps [16 * crate::aes::x86_aesni::WIDE, 128, compose::AT_ONCE];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_ssse3 if ["ssse3"] steps [64, compose::AT_ONCE];
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    arm_sha3 if ["neon", "aes", "sha3"] steps [16, 64, 128, 256];
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    arm_aes if ["neon", "aes"] steps [16, 64, 128, 256];
    #[cfg(all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon",
        not(feature = "small")
    ))]
    arm_neon if ["neon"] steps [128, 512, compose::AT_ONCE];
    #[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
    power_crypto if [; "power8-crypto"]
        steps [16, 16 * crate::aes::power_crypto::WIDE, compose::AT_ONCE];
    // ARMv6-M, known by its lack of compare-and-swap, has products of 32 bits.
    #[cfg(all(target_arch = "arm", not(target_has_atomic = "ptr")))]
    portable16 if [] steps [32, 512, compose::AT_ONCE];
    #[cfg(target_pointer_width = "64")]
    portable64 if [] steps [64, 512, compose::AT_ONCE];
    #[cfg(any(
        feature = "lab",
        not(any(
            target_pointer_width = "64",
            all(target_arch = "arm", not(target_has_atomic = "ptr"))
        ))
    ))]
    portable32 if [] steps [32, 512, compose::AT_ONCE];
    #[cfg(all(feature = "lab", not(all(target_arch = "arm", not(target_has_atomic = "ptr")))))]
    portable16 if [] steps [32, 512, compose::AT_ONCE];
}

/// Bytes of the longest message: 2^39 - 256 bits.
pub(crate) const MAX_TEXT: u64 = (1 << 36) - 32;
/// Bytes of the longest associated data, and of the longest nonce: below 2^64 bits.
const MAX_AAD: u64 = (1 << 61) - 1;

pub(crate) mod key {
    use super::{Powers, RoundKeys};

    /// What AES-GCM computes once for a key.
    pub struct AesGcmKey {
        pub(super) aes: RoundKeys,
        pub(super) powers: Powers,
    }
}
pub(crate) use key::AesGcmKey;

impl Wipe for AesGcmKey {
    fn wipe(&mut self) {
        self.aes.wipe();
        self.powers.wipe();
    }
}

/// AES-GCM under a key of `KEY_LEN` bytes.
///
/// ```
/// use adamant_cipher::gcm::Aes256Gcm;
/// let cipher = Aes256Gcm::new(&[7; 32]);
/// let mut data = *b"attack at dawn";
/// let tag = cipher.seal(&[1; 12], b"header", &mut data).unwrap();
/// assert_ne!(&data, b"attack at dawn");
/// cipher.open(&[1; 12], b"header", &mut data, &tag).unwrap();
/// assert_eq!(&data, b"attack at dawn");
/// // Whatever is wrong, there is one error, and nothing is released.
/// assert!(cipher.open(&[2; 12], b"header", &mut data, &tag).is_err());
/// assert_eq!(data, [0; 14]);
/// ```
pub struct AesGcm<const KEY_LEN: usize> {
    key: Secret<AesGcmKey>,
    backend: Backend,
}

/// AES-GCM with a key of 128 bits.
pub type Aes128Gcm = AesGcm<16>;
/// AES-GCM with a key of 192 bits.
pub type Aes192Gcm = AesGcm<24>;
/// AES-GCM with a key of 256 bits.
pub type Aes256Gcm = AesGcm<32>;

impl<const KEY_LEN: usize> AesGcm<KEY_LEN> {
    /// The cipher under `key`, on the best implementation of this CPU.
    #[must_use]
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self::new_on(key, Backend::best())
    }

    /// The same on this implementation.
    #[must_use]
    pub fn new_on(key: &[u8; KEY_LEN], backend: Backend) -> Self {
        const { assert!(KEY_LEN == 16 || KEY_LEN == 24 || KEY_LEN == 32) };
        let mut ready = Secret::new(AesGcmKey {
            aes: RoundKeys::NONE,
            powers: Powers::NONE,
        });
        backend.init(key, &mut ready);
        AesGcm {
            key: ready,
            backend,
        }
    }
}

/// GCM over a block cipher.
///
/// ```
/// use adamant_cipher::{aes::Aes128, gcm::Gcm};
/// let cipher = Gcm::with_cipher(Aes128::new(&[0; 16]));
/// let mut data = [0; 16];
/// let tag = cipher.seal(&[0; 12], b"", &mut data).unwrap();
/// assert_eq!((data[0], tag[0]), (0x03, 0xab));
/// ```
pub struct Gcm<C> {
    cipher: C,
    key: ghash::Key,
}

impl<C: BlockCipher<Block = [u8; 16]>> Gcm<C> {
    /// GCM over `cipher`, which has its key.
    #[must_use]
    pub fn with_cipher(cipher: C) -> Self {
        let mut h = [[0; 16]];
        cipher.encrypt_blocks(&mut h);
        let key = ghash::Key::new(&h[0]);
        h.wipe();
        Gcm { cipher, key }
    }

    /// The cipher, and the key of GHASH.
    pub(crate) fn halves(&self) -> (&C, &ghash::Key) {
        (&self.cipher, &self.key)
    }
}

/// What [`AesGcm`], [`Gcm`] and others of the kind do differently.
pub(crate) trait Kernel {
    /// Encrypts after the first counter of a nonce of 12 bytes, which is public.
    fn seal(&self, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16];
    /// Decrypts after such a counter.
    fn open(&self, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16];
    fn ghash(&self, sum: &mut [u8; 16], blocks: &[[u8; 16]]);
    fn encrypt(&self, blocks: &mut [[u8; 16]]);
}

impl<const KEY_LEN: usize> Kernel for AesGcm<KEY_LEN> {
    fn seal(&self, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
        self.backend.seal(&self.key, start, aad, data)
    }
    fn open(&self, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
        self.backend.open(&self.key, start, aad, data)
    }
    fn ghash(&self, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
        self.backend.ghash(&self.key, sum, blocks);
    }
    fn encrypt(&self, blocks: &mut [[u8; 16]]) {
        self.backend.encrypt(&self.key, blocks);
    }
}

impl<C: BlockCipher<Block = [u8; 16]>> Kernel for Gcm<C> {
    fn seal(&self, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
        compose::crypt(
            false,
            |counter, blocks| self.cipher.ctr(counter, 4, blocks),
            |sum, blocks| self.key.update(sum, blocks),
            start,
            aad,
            data,
        )
    }
    fn open(&self, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
        compose::crypt(
            true,
            |counter, blocks| self.cipher.ctr(counter, 4, blocks),
            |sum, blocks| self.key.update(sum, blocks),
            start,
            aad,
            data,
        )
    }
    fn ghash(&self, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
        self.key.update(sum, blocks);
    }
    fn encrypt(&self, blocks: &mut [[u8; 16]]) {
        self.cipher.encrypt_blocks(blocks);
    }
}

/// The first counter block of a nonce of 12 bytes, as a big-endian number. Word by word: a map over
/// an array would be a call in the callers.
#[inline]
pub(crate) fn start(nonce: &[u8; 12]) -> u128 {
    let word = |i: usize| {
        let bytes = [nonce[i], nonce[i + 1], nonce[i + 2], nonce[i + 3]];
        u128::from(u32::from_be_bytes(bytes))
    };
    word(0) << 96 | word(4) << 64 | word(8) << 32 | 1
}

/// Encrypts or decrypts with a nonce of any length but zero; the tag, or the one that there should
/// be.
///
/// The first counter of a nonce that is not 12 bytes long is a hash under the key (7.1, step 2),
/// linear in it: whoever learns some bits of several has GHASH's key. Nothing depends on it here.
pub(crate) fn crypt_any<const DECRYPT: bool>(
    kernel: &impl Kernel,
    nonce: &[u8],
    aad: &[u8],
    data: &mut [u8],
) -> Result<[u8; 16], Error> {
    check(nonce.len(), MAX_AAD)?;
    check(aad.len(), MAX_AAD)?;
    check(data.len(), MAX_TEXT)?;
    if let Ok(nonce) = nonce.try_into() {
        return Ok(match DECRYPT {
            true => kernel.open(start(nonce), aad, data),
            false => kernel.seal(start(nonce), aad, data),
        });
    }
    if nonce.is_empty() {
        return Err(Error::BadLength {
            expected: 12,
            actual: 0,
        });
    }
    let ghash = |sum: &mut [u8; 16], blocks: &[[u8; 16]]| kernel.ghash(sum, blocks);
    let mut first = compose::hash(ghash, nonce);
    let tag = compose::crypt(
        DECRYPT,
        |counter, blocks| compose::secret_ctr(|blocks| kernel.encrypt(blocks), counter, blocks),
        ghash,
        u128::from_be_bytes(first),
        aad,
        data,
    );
    first.wipe();
    Ok(tag)
}

#[inline]
fn check(len: usize, most: u64) -> Result<(), Error> {
    if len as u64 > most {
        return Err(Error::BadLength {
            expected: usize::try_from(most).unwrap_or(usize::MAX),
            actual: len,
        });
    }
    Ok(())
}

pub(crate) fn seal(
    kernel: &impl Kernel,
    start: u128,
    aad: &[u8],
    data: &mut [u8],
) -> Result<[u8; 16], Error> {
    check(aad.len(), MAX_AAD)?;
    check(data.len(), MAX_TEXT)?;
    Ok(kernel.seal(start, aad, data))
}

pub(crate) fn open(
    kernel: &impl Kernel,
    start: u128,
    aad: &[u8],
    data: &mut [u8],
    tag: &[u8],
) -> Result<(), Error> {
    check(aad.len(), MAX_AAD)?;
    check(data.len(), MAX_TEXT)?;
    let expected = kernel.open(start, aad, data);
    aead::check(&expected, tag, data)
}

/// Tags of 12 to 16 bytes.
#[inline]
pub(crate) fn check_tag(len: usize) -> Result<(), Error> {
    if (12..=16).contains(&len) {
        Ok(())
    } else {
        Err(Error::BadLength {
            expected: 16,
            actual: len,
        })
    }
}

/// Sealing and opening for a [`Kernel`]: with nonces of 12 bytes, and with others.
macro_rules! api {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Encrypts `data` in place; the tag. `nonce` must be new for every message.
            ///
            /// # Errors
            /// [`Error::BadLength`] for more than 2^36 - 32 bytes; `data` is then untouched.
            #[inline]
            pub fn seal(
                &self,
                nonce: &[u8; 12],
                aad: &[u8],
                data: &mut [u8],
            ) -> Result<[u8; 16], Error> {
                $crate::gcm::seal(self, $crate::gcm::start(nonce), aad, data)
            }

            /// Decrypts `data` in place if the tag is right.
            ///
            /// # Errors
            /// [`Error::BadTag`]: whatever was changed; `data` is then zeroed.
            /// [`Error::BadLength`] as for [`Self::seal`].
            #[inline]
            pub fn open(
                &self,
                nonce: &[u8; 12],
                aad: &[u8],
                data: &mut [u8],
                tag: &[u8; 16],
            ) -> Result<(), Error> {
                $crate::gcm::open(self, $crate::gcm::start(nonce), aad, data, tag)
            }
        }

        /// Nonces of any length but zero, tags of 12 to 16 bytes.
        impl<$($generics)*> $crate::hazmat::AnyLengths for $type {
            fn seal_any(
                &self,
                nonce: &[u8],
                aad: &[u8],
                data: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), Error> {
                $crate::gcm::check_tag(tag.len())?;
                let whole = $crate::gcm::crypt_any::<false>(self, nonce, aad, data)?;
                tag.copy_from_slice(&whole[..tag.len()]);
                Ok(())
            }

            fn open_any(
                &self,
                nonce: &[u8],
                aad: &[u8],
                data: &mut [u8],
                tag: &[u8],
            ) -> Result<(), Error> {
                $crate::gcm::check_tag(tag.len())?;
                let expected = $crate::gcm::crypt_any::<true>(self, nonce, aad, data)?;
                $crate::aead::check(&expected, tag, data)
            }
        }
    };
}
pub(crate) use api;
api!([const KEY_LEN: usize] AesGcm<KEY_LEN>);
api!([C: BlockCipher<Block = [u8; 16]>] Gcm<C>);

aead! {
    [const KEY_LEN: usize] AesGcm<KEY_LEN>, key KEY_LEN, nonce 12,
    |key| Ok(Self::new(exactly(key)?))
}
