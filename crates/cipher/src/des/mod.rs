//! DES (FIPS 46-3) and triple DES, the TDEA of NIST SP 800-67: legacy ciphers on blocks of 8
//! bytes, for reading old data.
//!
//! DES falls to a search of its 2^56 keys. Triple DES has been withdrawn: with blocks of 64 bits
//! no key may encrypt more than 2^20 of them, and new data none.
//!
//! By default no implementation branches on secrets or reads memory at places that they choose:
//! S-boxes are circuits on bits of many blocks side by side, or of one block with its S-boxes side
//! by side, or look-ups within a register.

#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(feature = "lab", not(target_has_atomic = "ptr"))
))]
mod arm_thumb;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod chains;
mod circuit;
mod portable;
mod serial;
#[cfg(feature = "table-ciphers")]
mod tab;
mod tables;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2_chains;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;
#[cfg(target_arch = "x86_64")]
mod x86_avx512_chains;
#[cfg(target_arch = "x86_64")]
mod x86_vbmi512;

use adamant_base::{BlockCipher, Error, Secret, Wipe, ct::Choice, exactly};

adamant_base::backends! {
    /// Implementations of DES and triple DES and of the modes that gain from a loop of their own.
    pub(crate) struct Backend {
        /// Encrypts each block in place.
        fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 8]]);
        /// Decrypts each block in place.
        fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [[u8; 8]]);
        /// [`BlockCipher::ctr`]
        fn ctr(keys: &RoundKeys, counter: &mut [u8; 8], width: usize, blocks: &mut [[u8; 8]]);
        /// [`BlockCipher::cbc_encrypt`]
        fn cbc_encrypt(keys: &RoundKeys, iv: &mut [u8; 8], blocks: &mut [[u8; 8]]);
        /// [`BlockCipher::cbc_mac`]
        fn cbc_mac(keys: &RoundKeys, sum: &mut [u8; 8], blocks: &[[u8; 8]]);
        /// [`BlockCipher::cbc_decrypt`]
        fn cbc_decrypt(keys: &RoundKeys, iv: &mut [u8; 8], blocks: &mut [[u8; 8]]);
    }
    #[cfg(target_arch = "x86_64")]
    x86_vbmi512 if ["avx512f", "avx512vl", "avx512bw", "avx512vbmi", "gfni"]
        steps [8 * x86_vbmi512::FEW, 512];
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f", "avx512vl"] steps [8 * x86_avx512::FEW, 4096];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_avx2 if ["avx2"] steps [8 * x86_avx2::FEW, 2048];
    // ARMv6-M, known by its lack of compare-and-swap, has no other instructions.
    #[cfg(all(target_arch = "arm", not(target_has_atomic = "ptr")))]
    arm_thumb if [] steps [8 * arm_thumb::FEW, 512];
    #[cfg(feature = "table-ciphers")]
    tab if [] variable_time steps [512];
    #[cfg(any(
        feature = "lab",
        not(all(target_arch = "arm", not(target_has_atomic = "ptr")))
    ))]
    portable if [] steps [8 * portable::FEW, 512];
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        target_has_atomic = "ptr",
        feature = "lab"
    ))]
    arm_thumb if [] steps [8 * arm_thumb::FEW, 512];
}

pub(crate) mod key {
    /// The keys of the rounds: of 16 for one key, of three times 16 for triple DES.
    #[derive(Clone)]
    pub struct RoundKeys {
        /// 1 or 3: the keys in the order of encryption, the second of three is decrypted under.
        pub(super) passes: usize,
        /// Of each key the bits of C and D, spread over a word each: a round key is a choice of them.
        pub(super) bits: [[u64; 56]; 3],
        /// The round keys of encryption in the order of their use, as [`serial`] wants them.
        pub(super) serial: [[u32; 6]; 48],
        /// The same as `chains` and `x86_vbmi512` want them: a byte for each S-box.
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        pub(super) bytes: [[u8; 8]; 48],
        /// The same as `arm_thumb` wants them: for the two halves of the S-boxes.
        #[cfg(all(
            target_arch = "arm",
            target_endian = "little",
            any(feature = "lab", not(target_has_atomic = "ptr"))
        ))]
        pub(super) pairs: [[u32; 2]; 48],
    }
}
pub(crate) use key::RoundKeys;

impl Wipe for RoundKeys {
    fn wipe(&mut self) {
        self.bits.wipe();
        self.serial.wipe();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        self.bytes.wipe();
        #[cfg(all(
            target_arch = "arm",
            target_endian = "little",
            any(feature = "lab", not(target_has_atomic = "ptr"))
        ))]
        self.pairs.as_flattened_mut().wipe();
    }
}

impl RoundKeys {
    /// Of a key of 8, 16 or 24 bytes; parity bits are not looked at.
    fn new(key: &[u8]) -> Secret<Self> {
        let (parts, _) = key.as_chunks::<8>();
        let mut keys = Secret::new(RoundKeys {
            passes: if parts.len() == 1 { 1 } else { 3 },
            bits: [[0; 56]; 3],
            serial: [[0; 6]; 48],
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            bytes: [[0; 8]; 48],
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(feature = "lab", not(target_has_atomic = "ptr"))
            ))]
            pairs: [[0; 2]; 48],
        });
        // Two keys: the first is the third as well.
        for (bits, part) in keys.bits.iter_mut().zip(parts.iter().chain(parts)) {
            let part = u64::from_le_bytes(*part);
            for (bit, from) in bits.iter_mut().zip(tables::CHOICE) {
                *bit = Choice::from_bit(part >> from & 1).select_u64(u64::MAX, 0);
            }
        }
        let rounds = keys.passes * 16;
        for round in 0..rounds {
            let (pass, forward) = (round / 16, round / 16 % 2 == 0);
            let wiring = &tables::SCHEDULE[if forward { round % 16 } else { 15 - round % 16 }];
            let bits = &keys.bits[pass];
            keys.serial[round] = serial::round_key(|j| bits[usize::from(wiring[j])]);
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            {
                keys.bytes[round] = chains::round_key(&keys.serial[round]);
            }
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(feature = "lab", not(target_has_atomic = "ptr"))
            ))]
            {
                keys.pairs[round] = arm_thumb::round_key(&keys.serial[round]);
            }
        }
        keys
    }
}

/// DES and triple DES under a key of `KEY_LEN` bytes: one key of 8, two or three.
///
/// ```
/// use adamant_base::BlockCipher;
/// use adamant_cipher::des::TripleDes;
/// let cipher = TripleDes::new(&[7; 24]);
/// let mut blocks = [[1; 8]; 3];
/// cipher.encrypt_blocks(&mut blocks);
/// assert_ne!(blocks, [[1; 8]; 3]);
/// cipher.decrypt_blocks(&mut blocks);
/// assert_eq!(blocks, [[1; 8]; 3]);
/// ```
#[derive(Clone)]
pub struct Tdea<const KEY_LEN: usize> {
    keys: Secret<RoundKeys>,
    backend: Backend,
}

/// DES: a key of 8 bytes, of which 56 bits count.
pub type Des = Tdea<8>;
/// Triple DES with two keys: the first serves as the third too.
pub type TwoKeyTripleDes = Tdea<16>;
/// Triple DES with three keys.
pub type TripleDes = Tdea<24>;

impl<const KEY_LEN: usize> Tdea<KEY_LEN> {
    /// The cipher under `key`, on the best implementation of this CPU.
    #[must_use]
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self::new_on(key, Backend::best())
    }

    /// The same on this implementation.
    #[must_use]
    pub fn new_on(key: &[u8; KEY_LEN], backend: Backend) -> Self {
        const { assert!(KEY_LEN == 8 || KEY_LEN == 16 || KEY_LEN == 24) };
        Tdea {
            keys: RoundKeys::new(key),
            backend,
        }
    }
}

/// By `new`, with [`Error::BadLength`] for another length.
impl<const KEY_LEN: usize> TryFrom<&[u8]> for Tdea<KEY_LEN> {
    type Error = Error;

    fn try_from(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(exactly(key)?))
    }
}

impl<const KEY_LEN: usize> BlockCipher for Tdea<KEY_LEN> {
    type Block = [u8; 8];

    fn encrypt_blocks(&self, blocks: &mut [[u8; 8]]) {
        self.backend.encrypt_blocks(&self.keys, blocks);
    }
    fn decrypt_blocks(&self, blocks: &mut [[u8; 8]]) {
        self.backend.decrypt_blocks(&self.keys, blocks);
    }
    fn ctr(&self, counter: &mut [u8; 8], width: usize, blocks: &mut [[u8; 8]]) {
        self.backend.ctr(&self.keys, counter, width, blocks);
    }
    fn cbc_encrypt(&self, iv: &mut [u8; 8], blocks: &mut [[u8; 8]]) {
        self.backend.cbc_encrypt(&self.keys, iv, blocks);
    }
    fn cbc_mac(&self, sum: &mut [u8; 8], blocks: &[[u8; 8]]) {
        self.backend.cbc_mac(&self.keys, sum, blocks);
    }
    fn cbc_decrypt(&self, iv: &mut [u8; 8], blocks: &mut [[u8; 8]]) {
        self.backend.cbc_decrypt(&self.keys, iv, blocks);
    }
}
