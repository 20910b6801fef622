//! SM4 (GB/T 32907, ISO/IEC 18033-3): a block cipher on blocks and keys of 16 bytes.
//!
//! Every implementation is free of tables and of branches on secrets.

mod affine;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod arm_aes;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod arm_sm4;
pub(crate) mod gcm;
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little")
))]
mod linear;
mod portable;
#[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
mod portable32;
#[cfg(target_pointer_width = "64")]
mod portable64;
#[cfg(test)]
mod tests;
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little")
))]
mod words;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_aesni;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_aesni_avx2;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_gfni128;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_gfni256;
#[cfg(target_arch = "x86_64")]
mod x86_gfni512;

use adamant_base::{BlockCipher, Error, Secret, Wipe, family::Mac};

use crate::aead::{aead, exactly};
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use crate::aes::arm_modes;
use crate::{ccm::Ccm, cmac::Cmac, gmac::Gmac, modes::xts::Xts};

pub use gcm::Sm4Gcm;

adamant_base::backends! {
    /// Implementations of SM4 and of the modes that gain from a loop of their own.
    pub(crate) struct Backend {
        /// The round keys of a key.
        fn expand(key: &[u8; 16], keys: &mut RoundKeys);
        /// Encrypts each block in place.
        fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]);
        /// Decrypts each block in place.
        fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 16]]);
        /// [`BlockCipher::ctr`]
        fn ctr(keys: &RoundKeys, counter: &mut [u8; 16], width: usize, blocks: &mut [[u8; 16]]);
        /// [`BlockCipher::cbc_encrypt`]
        fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]);
        /// [`BlockCipher::xts_encrypt`]
        fn xts_encrypt(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]);
        /// [`BlockCipher::xts_decrypt`]
        fn xts_decrypt(keys: &RoundKeys, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]);
        /// [`BlockCipher::cbc_mac`]
        fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 16], blocks: &[[u8; 16]]);
        /// [`BlockCipher::cbc_decrypt`]
        fn cbc_decrypt(keys: &RoundKeys, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]);
    }
    #[cfg(target_arch = "x86_64")]
    x86_gfni512 if ["gfni", "avx512f", "avx512bw", "avx512vl", "vpclmulqdq"]
        steps [8 * x86_gfni512::BLOCKS, 16 * x86_gfni512::BLOCKS]
        counters [x86_gfni512::BLOCKS, 256];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_gfni256 if ["gfni", "avx2"] steps [128, 256, 512];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_aesni_avx2 if ["aes", "avx2"] steps [128, 256, 512];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_aesni if ["aes", "ssse3", "sse4.1"] steps [64, 128, 512];
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    arm_sm4 if ["neon", "sm4"] steps [16, 32, 64, 16 * arm_modes::WIDE];
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    arm_aes if ["neon", "aes"] steps [64, 128, 256, 512];
    #[cfg(target_pointer_width = "64")]
    portable64 if [] steps [256, 512];
    #[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
    portable32 if [] steps [128, 512];
}

pub(crate) mod key {
    /// The round keys of one key, in the form that the implementation wants.
    #[derive(Clone)]
    pub struct RoundKeys {
        /// Those of encryption, a word each; decryption takes them in reverse order.
        pub(super) words: [u32; 32],
        /// Each byte of them four times over, where it is wanted so.
        pub(super) bytes: [[u32; 4]; 32],
    }
}
pub(crate) use key::RoundKeys;

impl RoundKeys {
    /// None yet.
    pub(crate) const NONE: Self = RoundKeys {
        words: [0; 32],
        bytes: [[0; 4]; 32],
    };
}

impl Wipe for RoundKeys {
    fn wipe(&mut self) {
        self.words.wipe();
        self.bytes.wipe();
    }
}

/// FK (7.3): what is added to the key.
const SYSTEM: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// CK (7.3): byte j of `CK_i`, the highest first, is 7 (4 i + j).
const CONSTANTS: [u32; 32] = {
    let (mut constants, mut i) = ([0; 32], 0);
    while i < 32 {
        let first = (28 * i) as u8;
        let bytes = [
            first,
            first.wrapping_add(7),
            first.wrapping_add(14),
            first.wrapping_add(21),
        ];
        constants[i] = u32::from_be_bytes(bytes);
        i += 1;
    }
    constants
};

/// The key schedule (7.3) with the S-box given for the four bytes of a word.
#[inline(always)]
fn schedule(key: &[u8; 16], s_box: impl Fn(u32) -> u32) -> Secret<[u32; 32]> {
    let mut keys = Secret::new([0; 32]);
    let words = key.as_chunks::<4>().0;
    let mut k: [u32; 4] = core::array::from_fn(|i| u32::from_be_bytes(words[i]) ^ SYSTEM[i]);
    for (round_key, constant) in keys.iter_mut().zip(CONSTANTS) {
        let b = s_box(k[1] ^ k[2] ^ k[3] ^ constant);
        let next = k[0] ^ b ^ b.rotate_left(13) ^ b.rotate_left(23);
        k = [k[1], k[2], k[3], next];
        *round_key = next;
    }
    k.wipe();
    keys
}

/// SM4 under one key.
///
/// ```
/// use adamant_base::BlockCipher;
/// use adamant_cipher::sm4::Sm4;
/// let sm4 = Sm4::new(&[0; 16]);
/// let mut blocks = [[0; 16]; 3];
/// sm4.encrypt_blocks(&mut blocks);
/// assert_eq!(blocks[2][..4], [0x9f, 0x1f, 0x7b, 0xff]);
/// sm4.decrypt_blocks(&mut blocks);
/// assert_eq!(blocks, [[0; 16]; 3]);
/// ```
#[derive(Clone)]
pub struct Sm4 {
    keys: Secret<RoundKeys>,
    backend: Backend,
}

impl Sm4 {
    /// The cipher under `key`, on the best implementation of this CPU.
    #[must_use]
    pub fn new(key: &[u8; 16]) -> Self {
        Self::new_on(key, Backend::best())
    }

    /// The same on this implementation.
    #[must_use]
    pub fn new_on(key: &[u8; 16], backend: Backend) -> Self {
        let mut keys = Secret::new(RoundKeys::NONE);
        backend.expand(key, &mut keys);
        Sm4 { keys, backend }
    }
}

/// By `new`, with [`Error::BadLength`] for another length.
impl TryFrom<&[u8]> for Sm4 {
    type Error = Error;

    fn try_from(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(exactly(key)?))
    }
}

impl BlockCipher for Sm4 {
    type Block = [u8; 16];

    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        self.backend.encrypt_blocks(&self.keys, blocks);
    }
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        self.backend.decrypt_blocks(&self.keys, blocks);
    }
    fn ctr(&self, counter: &mut [u8; 16], width: usize, blocks: &mut [[u8; 16]]) {
        self.backend.ctr(&self.keys, counter, width, blocks);
    }
    fn cbc_encrypt(&self, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
        self.backend.cbc_encrypt(&self.keys, iv, blocks);
    }
    fn xts_encrypt(&self, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
        self.backend.xts_encrypt(&self.keys, tweak, blocks);
    }
    fn xts_decrypt(&self, tweak: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
        self.backend.xts_decrypt(&self.keys, tweak, blocks);
    }
    fn cbc_mac(&self, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
        self.backend.cbc_mac(&self.keys, sum, blocks);
    }
    fn cbc_decrypt(&self, iv: &mut [u8; 16], blocks: &mut [[u8; 16]]) {
        self.backend.cbc_decrypt(&self.keys, iv, blocks);
    }
}

/// CCM with SM4 (RFC 8998).
pub type Sm4Ccm = Ccm<Sm4>;
/// GMAC with SM4 (GB/T 15852.3).
pub type GmacSm4 = Gmac<Sm4>;
/// CMAC with SM4 (GB/T 15852.1).
pub type CmacSm4 = Cmac<Sm4>;
/// XTS with SM4 (IEEE 1619's; GB/T 17964 multiplies tweaks in another order of bits).
pub type XtsSm4 = Xts<Sm4>;

aead!([] Sm4Ccm, key 16, nonce 12, |key| Ok(Self::with_cipher(Sm4::try_from(key)?)));

impl Mac for CmacSm4 {
    type Output = [u8; 16];

    fn new(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::with_cipher(Sm4::try_from(key)?))
    }
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }
    fn finalize(self) -> [u8; 16] {
        Self::finalize(self)
    }
}
