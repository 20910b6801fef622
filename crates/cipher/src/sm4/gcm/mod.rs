//! GCM with SM4 (RFC 8998), both halves side by side where the CPU has 512-bit registers or instructions
//! for SM4.

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod arm_sm4;
#[cfg(target_arch = "x86_64")]
mod x86_gfni512;

use adamant_base::{Error, Secret, Wipe};

use super::RoundKeys;
#[cfg(target_arch = "x86_64")]
use super::x86_gfni512::BLOCKS;
use crate::aead::{aead, exactly};
use crate::gcm::compose::AT_ONCE;
use crate::gcm::{self, Kernel};
use crate::ghash::Powers;

adamant_base::backends! {
    /// Implementations of SM4-GCM.
    pub(crate) struct Backend {
        /// Expands a key and computes the powers of H.
        fn init(sm4_key: &[u8; 16], key: &mut Sm4GcmKey);
        /// Encrypts in place; the tag.
        fn seal(key: &Sm4GcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16];
        /// Decrypts in place; the tag that there should be.
        fn open(key: &Sm4GcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16];
        /// GHASH of whole blocks.
        fn ghash(key: &Sm4GcmKey, sum: &mut [u8; 16], blocks: &[[u8; 16]]);
        /// Encrypts blocks one by one.
        fn encrypt(key: &Sm4GcmKey, blocks: &mut [[u8; 16]]);
    }
    #[cfg(target_arch = "x86_64")]
    x86_gfni512 if [
        "gfni", "avx512f", "avx512bw", "avx512vl", "vpclmulqdq", "pclmulqdq", "ssse3", "sse4.1",
    ] steps [64, 512, 16 * BLOCKS];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_gfni256 if ["gfni", "avx2", "pclmulqdq", "ssse3", "sse4.1"] steps [128, 256, 512, AT_ONCE];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_aesni_avx2 if ["aes", "avx2", "pclmulqdq", "ssse3", "sse4.1"]
        steps [128, 256, 512, AT_ONCE];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_aesni if ["aes", "pclmulqdq", "ssse3", "sse4.1"] steps [64, 128, 512, AT_ONCE];
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    arm_sm4 if ["neon", "sm4", "aes"] steps [16, 32, 64, 128, 256];
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    arm_aes if ["neon", "aes"] steps [64, 128, 256, 512, AT_ONCE];
    #[cfg(all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon",
        not(feature = "small")
    ))]
    arm_neon if ["neon"] steps [128, 256, 512, AT_ONCE];
    // ARMv6-M, known by its lack of compare-and-swap, has products of 32 bits.
    #[cfg(all(target_arch = "arm", not(target_has_atomic = "ptr")))]
    portable16 if [] steps [128, 512, AT_ONCE];
    #[cfg(target_pointer_width = "64")]
    portable64 if [] steps [256, 512, AT_ONCE];
    #[cfg(any(
        feature = "lab",
        not(any(
            target_pointer_width = "64",
            all(target_arch = "arm", not(target_has_atomic = "ptr"))
        ))
    ))]
    portable32 if [] steps [128, 512, AT_ONCE];
    #[cfg(all(feature = "lab", not(all(target_arch = "arm", not(target_has_atomic = "ptr")))))]
    portable16 if [] steps [128, 512, AT_ONCE];
}

/// Makes a row from an SM4 and a GHASH.
macro_rules! composed {
    ($row:ident: $sm4:ident $ghash:ident $($features:literal)?) => {
        mod $row {
            use super::Sm4GcmKey;
            use crate::ghash::$ghash as hash;
            use crate::sm4::$sm4 as sm4;

            $(#[target_feature(enable = $features)])?
            pub(super) fn init(sm4_key: &[u8; 16], key: &mut Sm4GcmKey) {
                sm4::expand(sm4_key, &mut key.sm4);
                let mut h = [[0; 16]];
                sm4::encrypt_blocks(&key.sm4, &mut h);
                hash::init(&h[0], &mut key.powers);
                adamant_base::Wipe::wipe(&mut h);
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn ghash(key: &Sm4GcmKey, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
                hash::update(&key.powers, sum, blocks);
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn encrypt(key: &Sm4GcmKey, blocks: &mut [[u8; 16]]) {
                sm4::encrypt_blocks(&key.sm4, blocks);
            }

            composed!(@whole seal false $($features)?);
            composed!(@whole open true $($features)?);
        }
    };
    (@whole $name:ident $decrypt:literal $($features:literal)?) => {
        $(#[target_feature(enable = $features)])?
        pub(super) fn $name(
            key: &Sm4GcmKey,
            start: u128,
            aad: &[u8],
            data: &mut [u8],
        ) -> [u8; 16] {
            crate::gcm::compose::crypt(
                $decrypt,
                |counter, blocks| sm4::ctr(&key.sm4, counter, 4, blocks),
                |sum, blocks| hash::update(&key.powers, sum, blocks),
                start,
                aad,
                data,
            )
        }
    };
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
composed!(x86_gfni256: x86_gfni256 x86_pclmul "gfni,avx2,pclmulqdq,ssse3,sse4.1");
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
composed!(x86_aesni_avx2: x86_aesni_avx2 x86_pclmul "aes,avx2,pclmulqdq,ssse3,sse4.1");
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
composed!(x86_aesni: x86_aesni x86_pclmul "aes,pclmulqdq,ssse3,sse4.1");
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
composed!(arm_aes: arm_aes arm_aes "neon,aes");
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon",
    not(feature = "small")
))]
composed!(arm_neon: portable64 arm_neon "neon");
#[cfg(target_pointer_width = "64")]
composed!(portable64: portable64 portable64);
#[cfg(any(
    feature = "lab",
    not(any(
        target_pointer_width = "64",
        all(target_arch = "arm", not(target_has_atomic = "ptr"))
    ))
))]
composed!(portable32: portable32 portable32);
#[cfg(any(
    feature = "lab",
    all(target_arch = "arm", not(target_has_atomic = "ptr"))
))]
composed!(portable16: portable32 portable16);

pub(crate) mod key {
    use super::{Powers, RoundKeys};

    /// What SM4-GCM computes once for a key.
    pub struct Sm4GcmKey {
        pub(super) sm4: RoundKeys,
        pub(super) powers: Powers,
    }
}
pub(crate) use key::Sm4GcmKey;

impl Wipe for Sm4GcmKey {
    fn wipe(&mut self) {
        self.sm4.wipe();
        self.powers.wipe();
    }
}

/// SM4-GCM.
///
/// ```
/// use adamant_cipher::sm4::Sm4Gcm;
/// let cipher = Sm4Gcm::new(&[7; 16]);
/// let mut data = *b"attack at dawn";
/// let tag = cipher.seal(&[1; 12], b"header", &mut data).unwrap();
/// assert_ne!(&data, b"attack at dawn");
/// cipher.open(&[1; 12], b"header", &mut data, &tag).unwrap();
/// assert_eq!(&data, b"attack at dawn");
/// ```
pub struct Sm4Gcm {
    key: Secret<Sm4GcmKey>,
    backend: Backend,
}

impl Sm4Gcm {
    /// The cipher under `key`, on the best implementation of this CPU.
    #[must_use]
    pub fn new(key: &[u8; 16]) -> Self {
        Self::new_on(key, Backend::best())
    }

    /// The same on this implementation.
    #[must_use]
    pub fn new_on(key: &[u8; 16], backend: Backend) -> Self {
        let mut ready = Secret::new(Sm4GcmKey {
            sm4: RoundKeys::NONE,
            powers: Powers::NONE,
        });
        backend.init(key, &mut ready);
        Sm4Gcm {
            key: ready,
            backend,
        }
    }
}

impl Kernel for Sm4Gcm {
    #[inline]
    fn seal(&self, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
        self.backend.seal(&self.key, start, aad, data)
    }
    #[inline]
    fn open(&self, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
        self.backend.open(&self.key, start, aad, data)
    }
    #[inline]
    fn ghash(&self, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
        self.backend.ghash(&self.key, sum, blocks);
    }
    #[inline]
    fn encrypt(&self, blocks: &mut [[u8; 16]]) {
        self.backend.encrypt(&self.key, blocks);
    }
}
gcm::api!([] Sm4Gcm);

aead!([] Sm4Gcm, key 16, nonce 12, |key| Ok(Self::new(exactly(key)?)));

#[cfg(test)]
mod tests {
    use super::*;

    crate::gcm::tests::key_is_wiped!(Sm4Gcm);
}
