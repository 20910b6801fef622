//! GCM of a counter mode and a GHASH, as NIST SP 800-38D has it.

use adamant_base::Secret;
use core::iter::zip;

use crate::ghash::lengths;

/// Bytes encrypted before they are hashed, and back: they stay in the first cache.
pub(crate) const AT_ONCE: usize = 4096;

/// Counter mode with a counter of 32 bits (`ctr`) on any number of bytes.
pub(crate) fn ctr(
    ctr: &mut impl FnMut(&mut [u8; 16], &mut [[u8; 16]]),
    counter: &mut [u8; 16],
    data: &mut [u8],
) {
    let (blocks, rest) = data.as_chunks_mut();
    if !blocks.is_empty() {
        ctr(counter, blocks);
    }
    if !rest.is_empty() {
        let mut last = [[0; 16]];
        last[0][..rest.len()].copy_from_slice(rest);
        ctr(counter, &mut last);
        rest.copy_from_slice(&last[0][..rest.len()]);
    }
}

/// Counter mode with a counter of 32 bits that stays secret: what is done does not depend on it.
pub(crate) fn secret_ctr(
    encrypt: impl Fn(&mut [[u8; 16]]),
    counter: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) {
    const AT_ONCE: usize = 32;
    let mut stream = Secret::new([[0; 16]; AT_ONCE]);
    for blocks in blocks.chunks_mut(AT_ONCE) {
        let stream = &mut stream[..blocks.len()];
        for block in &mut *stream {
            *block = *counter;
            let number = u128::from_be_bytes(*counter);
            let next = number >> 32 << 32 | u128::from((number as u32).wrapping_add(1));
            *counter = next.to_be_bytes();
        }
        encrypt(stream);
        for (byte, s) in zip(blocks.as_flattened_mut(), stream.as_flattened()) {
            *byte ^= s;
        }
    }
}

/// Takes data into the sum, the last block filled up with zeros.
fn absorb(ghash: &mut impl FnMut(&mut [u8; 16], &[[u8; 16]]), sum: &mut [u8; 16], data: &[u8]) {
    let (blocks, rest) = data.as_chunks();
    if !blocks.is_empty() {
        ghash(sum, blocks);
    }
    if !rest.is_empty() {
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        ghash(sum, &[last]);
    }
}

/// GHASH of a padded string and its length (7.1, step 2).
pub(crate) fn hash(mut ghash: impl FnMut(&mut [u8; 16], &[[u8; 16]]), text: &[u8]) -> [u8; 16] {
    let mut sum = [0; 16];
    absorb(&mut ghash, &mut sum, text);
    ghash(&mut sum, &[lengths(0, text.len()).to_be_bytes()]);
    sum
}

/// Encrypts in place (7.1) or decrypts (7.2); the tag, or the one that there should be. The counter
/// mode `ctr_blocks` advances its counter, the hash `ghash_blocks` its sum.
#[inline(always)]
pub(crate) fn crypt(
    decrypt: bool,
    mut ctr_blocks: impl FnMut(&mut [u8; 16], &mut [[u8; 16]]),
    mut ghash_blocks: impl FnMut(&mut [u8; 16], &[[u8; 16]]),
    start: u128,
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let mut counter = start.to_be_bytes();
    let mut mask = [[0; 16]];
    ctr_blocks(&mut counter, &mut mask);
    let mut sum = [0; 16];
    absorb(&mut ghash_blocks, &mut sum, aad);
    let lengths = lengths(aad.len(), data.len()).to_be_bytes();
    for data in data.chunks_mut(AT_ONCE) {
        // It is the ciphertext that is hashed.
        if decrypt {
            absorb(&mut ghash_blocks, &mut sum, data);
        }
        ctr(&mut ctr_blocks, &mut counter, data);
        if !decrypt {
            absorb(&mut ghash_blocks, &mut sum, data);
        }
    }
    ghash_blocks(&mut sum, &[lengths]);
    for (byte, mask) in sum.iter_mut().zip(&mask[0]) {
        *byte ^= mask;
    }
    sum
}

/// Makes the functions of a table's row from an AES and a GHASH.
macro_rules! composed {
    ($aes:ident, $ghash:ident $(, $features:literal)?) => {
        use super::AesGcmKey;
        use super::compose;
        use crate::aes::$aes as aes;
        use crate::ghash::$ghash as hash;

        $(#[target_feature(enable = $features)])?
        pub(super) fn init(aes_key: &[u8], key: &mut AesGcmKey) {
            aes::expand(aes_key, &mut key.aes);
            let mut h = [[0; 16]];
            aes::encrypt_blocks(&key.aes, &mut h);
            hash::init(&h[0], &mut key.powers);
            adamant_base::Wipe::wipe(&mut h);
        }

        $(#[target_feature(enable = $features)])?
        pub(super) fn ghash(key: &AesGcmKey, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
            hash::update(&key.powers, sum, blocks);
        }

        $(#[target_feature(enable = $features)])?
        pub(super) fn encrypt(key: &AesGcmKey, blocks: &mut [[u8; 16]]) {
            aes::encrypt_blocks(&key.aes, blocks);
        }

        $crate::gcm::compose::composed!(@whole seal false $(, $features)?);
        $crate::gcm::compose::composed!(@whole open true $(, $features)?);

        /// Both in one.
        #[cfg(feature = "small")]
        #[inline(never)]
        $(#[target_feature(enable = $features)])?
        fn seal_or_open(
            key: &AesGcmKey,
            start: u128,
            aad: &[u8],
            data: &mut [u8],
            decrypt: bool,
        ) -> [u8; 16] {
            $crate::gcm::compose::composed!(@crypt decrypt, key, start, aad, data)
        }
    };
    (@whole $name:ident $decrypt:literal $(, $features:literal)?) => {
        $(#[target_feature(enable = $features)])?
        pub(super) fn $name(
            key: &AesGcmKey,
            start: u128,
            aad: &[u8],
            data: &mut [u8],
        ) -> [u8; 16] {
            #[cfg(feature = "small")]
            return seal_or_open(key, start, aad, data, $decrypt);
            #[cfg(not(feature = "small"))]
            $crate::gcm::compose::composed!(@crypt $decrypt, key, start, aad, data)
        }
    };
    (@crypt $decrypt:expr, $key:ident, $start:ident, $aad:ident, $data:ident) => {
        compose::crypt(
            $decrypt,
            |counter, blocks| aes::ctr(&$key.aes, counter, 4, blocks),
            |sum, blocks| hash::update(&$key.powers, sum, blocks),
            $start,
            $aad,
            $data,
        )
    };
}
pub(super) use composed;
