//! AES (FIPS 197): a block cipher on blocks of 16 bytes under keys of 16, 24 or 32 bytes.
//!
//! By default every implementation is free of tables and of branches on secrets; the feature
//! `table-ciphers` adds two with tables, for comparisons.

#[cfg(target_arch = "aarch64")]
pub(crate) mod arm_aes;
#[cfg(target_arch = "aarch64")]
pub(crate) mod arm_modes;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    not(feature = "small")
))]
pub(crate) mod arm_neon;
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "powerpc64", target_endian = "little", feature = "std")
))]
pub(crate) mod counter;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod groups;
pub(crate) mod lanes;
pub(crate) mod portable;
#[cfg(any(feature = "lab", feature = "small", not(target_pointer_width = "64")))]
#[cfg_attr(not(feature = "lab"), allow(dead_code))]
pub(crate) mod portable32;
#[cfg(target_pointer_width = "64")]
pub(crate) mod portable64;
#[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
pub(crate) mod power_crypto;
#[cfg(any(target_pointer_width = "64", feature = "small"))]
mod sliced;
#[cfg(feature = "table-ciphers")]
mod tab_big;
#[cfg(feature = "table-ciphers")]
mod tab_small;
#[cfg(feature = "table-ciphers")]
mod tables;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod x86_aesni;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_modes;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod x86_ssse3;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_states512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod x86_vaes256;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_vaes512;

use adamant_base::{BlockCipher, Error, Secret, Wipe, exactly};

adamant_base::backends! {
    /// Implementations of AES and of the modes that gain from a loop of their own.
    pub(crate) struct Backend {
        /// The round keys of a key of 16, 24 or 32 bytes.
        fn expand(key: &[u8], keys: &mut RoundKeys);
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
    x86_vaes512 if ["vaes", "vpclmulqdq", "avx512f", "avx512bw", "avx512vl", "aes"]
        steps [
            32, 64, 128, 16 * x86_vaes512::FEW, x86_vaes512::STEP, x86_states512::GROUP,
            x86_vaes512::STEP * x86_states512::LONG,
        ]
        counters [256];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_vaes256 if ["vaes", "avx2", "aes", "ssse3", "sse4.1"] steps [32, 64, 128, 256];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_aesni if ["aes", "ssse3", "sse4.1"] steps [16 * x86_aesni::WIDE];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_ssse3 if ["ssse3"] steps [16 * x86_ssse3::WIDE];
    #[cfg(target_arch = "aarch64")]
    arm_aes if ["neon", "aes"] steps [16, 32, 64, 16 * arm_aes::WIDE];
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", not(feature = "small")))]
    arm_neon if ["neon"] steps [128, 512];
    #[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
    power_crypto if [; "power8-crypto"] steps [16, 16 * power_crypto::WIDE];
    #[cfg(target_pointer_width = "64")]
    portable64 if [] steps [64, 512];
    #[cfg(feature = "table-ciphers")]
    tab_big if [] variable_time;
    #[cfg(feature = "table-ciphers")]
    tab_small if [] variable_time;
    #[cfg(any(feature = "lab", not(target_pointer_width = "64")))]
    portable32 if [] steps [32, 512];
}

/// A product in GF(2)[x] / (x^8 + x^4 + x^3 + x + 1) (FIPS 197, 4.2).
pub(crate) const fn product(mut a: u8, mut b: u8) -> u8 {
    let mut sum = 0;
    while b != 0 {
        sum ^= a * (b & 1);
        a = (a << 1) ^ ((a >> 7) * 0x1b);
        b >>= 1;
    }
    sum
}

/// The tweaks t, t x, t x^2, … of XTS.
pub(crate) fn tweaks<const N: usize>(tweak: &[u8; 16]) -> [[u8; 16]; N] {
    let (mut tweaks, mut t) = ([[0; 16]; N], u128::from_le_bytes(*tweak));
    for tweak in &mut tweaks {
        *tweak = t.to_le_bytes();
        let carry = adamant_base::ct::Choice::from_bit((t >> 127) as u64);
        t = t << 1 ^ u128::from(carry.select_u64(0x87, 0));
    }
    tweaks
}

pub(crate) mod key {
    /// The round keys of one key.
    #[derive(Clone)]
    pub struct RoundKeys {
        /// 10, 12 or 14.
        pub(super) rounds: usize,
        /// Those of the cipher; `rounds + 1` are in use.
        pub(super) encrypt: [[u8; 16]; 15],
        /// Those of the equivalent inverse cipher (FIPS 197, 5.3.5), in the order of their use.
        pub(super) decrypt: [[u8; 16]; 15],
    }
}
pub(crate) use key::RoundKeys;

impl RoundKeys {
    /// None yet.
    pub(crate) const NONE: Self = RoundKeys {
        rounds: 0,
        encrypt: [[0; 16]; 15],
        decrypt: [[0; 16]; 15],
    };

    /// 10, 12 or 14.
    pub(crate) fn rounds(&self) -> usize {
        self.rounds
    }

    /// The keys of the cipher; the first `rounds + 1` count.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub(crate) fn encrypt(&self) -> &[[u8; 16]; 15] {
        &self.encrypt
    }
}

impl Wipe for RoundKeys {
    fn wipe(&mut self) {
        self.encrypt.wipe();
        self.decrypt.wipe();
    }
}

/// AES under a key of `KEY_LEN` bytes.
///
/// ```
/// use adamant_base::BlockCipher;
/// use adamant_cipher::aes::Aes128;
/// let aes = Aes128::new(&[0; 16]);
/// let mut blocks = [[0; 16]; 3];
/// aes.encrypt_blocks(&mut blocks);
/// assert_eq!(blocks[2][..4], [0x66, 0xe9, 0x4b, 0xd4]);
/// aes.decrypt_blocks(&mut blocks);
/// assert_eq!(blocks, [[0; 16]; 3]);
/// ```
#[derive(Clone)]
pub struct Aes<const KEY_LEN: usize> {
    keys: Secret<RoundKeys>,
    backend: Backend,
}

/// AES with a key of 128 bits.
pub type Aes128 = Aes<16>;
/// AES with a key of 192 bits.
pub type Aes192 = Aes<24>;
/// AES with a key of 256 bits.
pub type Aes256 = Aes<32>;

impl<const KEY_LEN: usize> Aes<KEY_LEN> {
    /// The cipher under `key`, on the best implementation of this CPU.
    #[must_use]
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self::new_on(key, Backend::best())
    }

    /// The same on this implementation.
    #[must_use]
    pub fn new_on(key: &[u8; KEY_LEN], backend: Backend) -> Self {
        const { assert!(KEY_LEN == 16 || KEY_LEN == 24 || KEY_LEN == 32) };
        let mut keys = Secret::new(RoundKeys::NONE);
        backend.expand(key, &mut keys);
        Aes { keys, backend }
    }
}

/// By `new`, with [`Error::BadLength`] for another length.
impl<const KEY_LEN: usize> TryFrom<&[u8]> for Aes<KEY_LEN> {
    type Error = Error;

    fn try_from(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(exactly(key)?))
    }
}

impl<const KEY_LEN: usize> BlockCipher for Aes<KEY_LEN> {
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
